/**
 * The normalized action: one pending tool call, whatever host and tool it came from.
 * Only `internal/host` knows a vendor's field names; everything after it reads this shape.
 */

/** What kind of thing the tool does. The words are those of design.md section 2. */
export type Surface =
  | 'shell'
  | 'write'
  | 'edit'
  | 'read'
  | 'search'
  | 'fetch'
  | 'spawn'
  | 'skill'
  | 'watch'
  | 'mcp'
  | 'prompt'
  | 'stop'
  | 'push'
  | 'harmless'
  | 'unknown';

/** The moment of the host's life at which the guard is asked. Only `before` is judged. */
export type Moment =
  | 'before'
  /** The call succeeded, failed, was refused by the host's own permissions, was cancelled by the person. */
  | 'after'
  | 'failed'
  | 'denied'
  | 'cancelled'
  | 'session-start'
  | 'session-end'
  | 'prompt'
  | 'compact'
  | 'stop'
  | 'spawn'
  | 'spawn-end'
  | 'other';

/** Who asks: the session, and inside it the sub-agent where the host tells. */
export interface Caller {
  session: string;
  agent?: { id: string; type?: string };
}

/** The dialect a shell line is written in. */
export type Dialect = 'posix' | 'powershell' | 'cmd';

/** One edit of a file: old text to new text. */
export interface Edit {
  before: string;
  after: string;
  all?: boolean;
}

/** The fields of a call, normalized by surface. Fields the surface does not have are absent. */
export interface Input {
  /** shell: the line. */
  command?: string;
  dialect?: Dialect;
  /** shell: the host's own time limit for the call, in milliseconds. */
  timeoutMs?: number;
  background?: boolean;
  /** write, edit, read: absolute path of the file. */
  path?: string;
  /** write: the whole new text. */
  content?: string;
  /** edit: the replacements, in order. */
  edits?: readonly Edit[];
  /** read: 1-based first line and number of lines. */
  offset?: number;
  limit?: number;
  /** search: the pattern and where it looks. */
  pattern?: string;
  url?: string;
  prompt?: string;
}

/** One pending tool call. */
export interface Action {
  host: string;
  moment: Moment;
  /** The host's own name of the event, as the reply must repeat it. */
  event: string;
  surface: Surface;
  tool: string;
  /** How this guard reads that tool, as text: surface and fields of its table, or the fields that came for a tool it does not know. */
  reading?: string;
  input: Input;
  /** The input exactly as the host sent it; for digests and for tools judged by the shape of their input. */
  raw: Readonly<Record<string, unknown>>;
  /** Absolute directory the call starts in. */
  cwd: string;
  /** The directory the session was started in, where the host tells; else cwd. */
  workspace: string;
  caller: Caller;
  /** The host's id of this call, where it has one. */
  callId?: string;
  /** The host would really put a question to a person now: it enforces prompts, and somebody is there. */
  prompts?: boolean;
  /** After a call that succeeded: what it printed, cut. Only the state of a review is ever read in it; it never makes or lifts a refusal. */
  output?: string;
  /** Surface push: who pushes, as far as it can be told. */
  pusher?: 'agent' | 'person';
  /** Moments of the session: what started, compacted or ended it; the type of a sub-agent. */
  detail?: string;
}
