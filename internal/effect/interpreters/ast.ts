/** One small syntax tree for all languages that programs on a command line are written in. */

export type Expr =
  /** Text, with what is put into it. `bytes`: no text. */
  | { t: 'str'; parts: readonly (string | Expr)[] }
  | { t: 'num'; value: number }
  | { t: 'name'; name: string }
  | { t: 'attr'; of: Expr; name: string }
  | { t: 'index'; of: Expr; at: Expr }
  | { t: 'call'; fn: Expr; args: readonly Arg[] }
  | { t: 'list'; items: readonly Expr[] }
  | { t: 'dict'; entries: readonly { key: Expr | undefined; value: Expr }[] }
  /** Operands of one operator, left to right; flat, so that long chains do not nest. */
  | { t: 'op'; op: string; items: readonly Expr[] }
  | { t: 'either'; test: Expr; yes: Expr; no: Expr }
  | { t: 'assign'; target: Expr; op: string; value: Expr }
  | { t: 'fn'; params: readonly string[]; body: Block }
  /** Text that a shell runs: backticks, `%x`, `qx`. */
  | { t: 'shell'; parts: readonly (string | Expr)[] }
  /** A pattern; `to`: it substitutes. */
  | { t: 'regex'; to: boolean; runs?: Expr }
  /** `[x for a in b if c]`. */
  | { t: 'each'; value: Expr; loops: readonly { target: Expr; over: Expr }[]; when?: readonly Expr[] }
  | { t: 'glob'; parts: readonly (string | Expr)[] }
  | { t: 'many'; items: readonly Expr[] };

export interface Arg {
  name?: string;
  value: Expr;
  spread?: boolean;
}

export type Stmt =
  | { t: 'expr'; value: Expr }
  | { t: 'for'; target: Expr; over: Expr; body: Block }
  /** if, while, try, with: heads run, bodies may. `sure`: the bodies certainly run (with, try, begin). */
  | { t: 'block'; heads: readonly Expr[]; bodies: readonly Block[]; sure: boolean; looped?: boolean }
  | { t: 'def'; name: string; params: readonly string[]; body: Block }
  | { t: 'class'; name: string; body: Block }
  | { t: 'import'; from: string; names: readonly { name: string; as: string }[] }
  | { t: 'return'; value: Expr | undefined };

export type Block = readonly Stmt[];

/** A limit was met: the text cannot be read to its end. */
export class Limit extends Error {}

export const str = (text: string): Expr => ({ t: 'str', parts: [text] });
export const name = (text: string): Expr => ({ t: 'name', name: text });
