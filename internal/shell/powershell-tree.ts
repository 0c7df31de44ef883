/** A stretch of a string or bare word. */
export type Piece = { text: string; glob?: boolean } | { expr: Expr };

export type Expr =
  | { t: 'text'; pieces: readonly Piece[]; quoted: boolean; raw: string }
  | { t: 'var'; name: string; raw: string }
  | { t: 'type'; name: string }
  | { t: 'member'; of: Expr; name: string; static: boolean }
  | { t: 'call'; of: Expr; name: string; static: boolean; args: readonly Expr[] }
  | { t: 'index'; of: Expr; at: Expr }
  | { t: 'op'; op: string; left: Expr; right: Expr }
  | { t: 'list'; items: readonly Expr[] }
  | { t: 'paren'; body: Script; raw: string }
  | { t: 'block'; body: Script; raw: string }
  | { t: 'param'; name: string; value: Expr | undefined; raw: string }
  | { t: 'unknown'; raw: string };

export interface Redirection {
  fds: readonly number[];
  op: '>' | '>>' | 'dup';
  target: Expr;
}

/** One stage of a pipeline: a command with arguments, or an expression. */
export type Stage =
  | { t: 'command'; call: '&' | '.' | undefined; words: readonly Expr[]; redirects: readonly Redirection[]; raw: string }
  | { t: 'expr'; expr: Expr; redirects: readonly Redirection[]; raw: string };

export interface Pipeline {
  stages: readonly Stage[];
  /** How it is joined to the one before. */
  after: ';' | '&&' | '||';
  background: boolean;
}

export type Statement =
  | { t: 'pipeline'; pipeline: Pipeline }
  | { t: 'assign'; name: string; op: string; value: Statement | undefined }
  | { t: 'branch'; conditions: readonly Script[]; bodies: readonly Script[]; loop: boolean }
  | { t: 'try'; body: Script; catches: readonly Script[]; last: Script | undefined }
  | { t: 'foreach'; name: string; over: Script; body: Script }
  | { t: 'function'; name: string; body: Script };

export type Script = readonly Statement[];

export interface ParsedPowershell {
  script: Script;
  /** Text that was not understood, or a limit that was met. */
  unread: readonly { why: 'syntax' | 'limit'; detail: string; rest: string }[];
}
