/**
 * The shortest way of a call through the hook: one that can do nothing, in a session that runs, where no policy file lies. It leaves
 * the same record as the whole hook (hook.ts), which takes over wherever anything is unusual; the test beside holds the two together.
 * A start is mostly the first run of functions, so this is one file of few and simple calls that loads nothing.
 */
import { mayHoldCredential } from '../../../internal/decision/hint.ts';
import { REASON_REVISION, SCHEMA } from '../../../internal/decision/record.ts';
import { isPlainLine } from '../../../internal/judge/plain.ts';
import { sha256 } from './crypto.ts';
import type { Files } from './files.ts';

/** Bytes for the payload, and behind it, one after the other, for what else is read. A longer payload is the whole hook's. */
const BUFFER = 16 * 1024;
const LONGEST_PAYLOAD = 4 * 1024;
/** The summary of a longer command is cut. */
const LONGEST = 200;
/** Each time the ledger grows past a multiple of this, the whole hook looks whether its checkpoint is due (internal/ledger/checkpoint.ts). */
const STRIDE = 16 * 1024;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const POLICY_FILE = '/waygate.yaml';
const ORGANIZATION = '/etc/waygate';
const DEFAULT_REVISION = 'sha256:default';
/** What stands for the default policy in the file of a session's floor: its revision, and the digest of an empty body. */
const DEFAULT_FLOOR = `${DEFAULT_REVISION} sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n`;

type Data = Readonly<Record<string, unknown>>;

/** The two calls behind `toString`, without its choice of an encoding. */
type Bytes = Buffer & Record<'utf8Slice' | 'latin1Slice', (start: number, end: number) => string>;

/** What the lane leaves to the whole hook: the part of standard input that it has read. */
export interface Rest {
  head: Uint8Array;
}

/** Passes the call, records it and returns undefined; or leaves everything to the whole hook. */
export function lane(argv: readonly string[], env: NodeJS.ProcessEnv, files: () => Files): Rest | undefined {
  const buffer = Buffer.allocUnsafeSlow(BUFFER) as Bytes;
  let length = 0;
  try {
    if (process.platform === 'win32' || argv.length !== 5 || argv[3] !== '--host' || argv[4] !== 'claude-code')
      return { head: buffer.subarray(0, 0) };
    const disk = files();
    for (let got = 1; got > 0 && length < LONGEST_PAYLOAD; length += got) got = disk.read(0, buffer, length, LONGEST_PAYLOAD - length, -1);
    if (length < LONGEST_PAYLOAD && pass(JSON.parse(buffer.utf8Slice(0, length)), env, disk, buffer, length)) return undefined;
  } catch {
    // whatever it is, the whole hook meets it again
  }
  return { head: buffer.subarray(0, length) };
}

function pass(payload: Data, env: NodeJS.ProcessEnv, disk: Files, buffer: Bytes, free: number): boolean {
  const { session_id: session, cwd, tool_input: input, tool_use_id: call, agent_id: agent, agent_type: type } = payload;
  if (!isName(call) || !isName(agent) || !isName(type)) return false;
  if (payload['hook_event_name'] !== 'PreToolUse' || payload['tool_name'] !== 'Bash') return false;
  if (typeof input !== 'object' || input === null || typeof session !== 'string' || typeof cwd !== 'string') return false;
  const { command } = input as Data;
  if (typeof command !== 'string' || command.length > LONGEST || !isPlainLine(command)) return false;
  if (command.includes('  ') || command.startsWith(' ') || command.endsWith(' ')) return false;
  if (command.includes('waygate') || mayHoldCredential(command)) return false;
  if (!isSession(session)) return false;
  const text = textOf(input as Data);
  if (text === undefined) return false;

  const home = env['HOME'];
  const state = env['XDG_STATE_HOME'] || `${home}/.local/state`;
  const config = env['XDG_CONFIG_HOME'] || `${home}/.config`;
  const workspace = env['CLAUDE_PROJECT_DIR'] || cwd;
  if (home === undefined || !isNormal(home) || !isNormal(state) || !isNormal(config) || !isNormal(cwd) || !isNormal(workspace))
    return false;
  if (disk.exists(ORGANIZATION + POLICY_FILE) || disk.exists(`${config}/waygate${POLICY_FILE}`)) return false;
  const root = rootOf(workspace, disk) ?? workspace;
  if (!isDefault(root, session, state, disk, buffer, free)) return false;
  const other = cwd === workspace ? undefined : rootOf(cwd, disk);
  if (other !== undefined && other !== root && !isDefault(other, session, state, disk, buffer, free)) return false;

  const file = disk.open(`${state}/waygate/sessions/${session}/ledger.jsonl`, 'append');
  try {
    const size = disk.size(file);
    const from = size > BUFFER - free ? size - BUFFER + free : 0;
    const length = disk.read(file, buffer, free, BUFFER - free, from);
    // A torn end, or one that another hook has moved meanwhile.
    if (from + length !== size || buffer[free + length - 1] !== 0x0a) return false;
    // Another hook for the same call has left its record near the end.
    if (call !== undefined && buffer.latin1Slice(free, free + length).includes(JSON.stringify(call))) return false;
    const now = new Date();
    const decision = {
      schema: SCHEMA,
      id: idAt(now.getTime()),
      at: now.toISOString(),
      host: 'claude-code',
      session,
      policy: DEFAULT_REVISION,
      action: { surface: 'shell', tool: 'Bash', digest: `sha256:${sha256(`{"input":${text},"tool":"Bash"}`)}`, summary: command },
      verdict: 'pass',
      kind: 'policy',
      effects: [],
      findings: [],
      remedies: [],
      notices: [],
      reasonRevision: REASON_REVISION,
      took: { ms: 0, git: 0 },
      agent: agent === undefined ? undefined : { id: agent, type },
    };
    const line = `${JSON.stringify({ t: 'decision', decision, call, preconditions: '', workspace: root })}\n`;
    if (Math.floor(size / STRIDE) !== Math.floor((size + line.length) / STRIDE)) return false;
    disk.append(file, line);
    return true;
  } finally {
    disk.close(file);
  }
}

/** Not given, or a text with something in it. */
const isName = (value: unknown): boolean => value === undefined || (typeof value === 'string' && value !== '');

/** No policy file of the workspace, and none when the session began. */
function isDefault(root: string, session: string, state: string, disk: Files, buffer: Bytes, free: number): boolean {
  if (disk.exists(root + POLICY_FILE)) return false;
  const file = disk.open(`${state}/waygate/policy/sessions/${sha256(`${session}\n${root}`).slice(0, 32)}`, 'read');
  const length = disk.read(file, buffer, free, BUFFER - free, 0);
  disk.close(file);
  return buffer.latin1Slice(free, free + length) === DEFAULT_FLOOR;
}

/** As internal/policy/roots.ts: the nearest folder with a `.git` of any kind. */
function rootOf(directory: string, disk: Files): string | undefined {
  for (let at = directory; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (disk.exists(`${at}/.git`)) return at;
  return disk.exists('/.git') ? '/' : undefined;
}

/** An absolute path that `join` would leave as it is. */
const isNormal = (path: string): boolean =>
  path.startsWith('/') &&
  !path.endsWith('/') &&
  !path.includes('//') &&
  !path.includes('/./') &&
  !path.includes('/../') &&
  !path.endsWith('/.') &&
  !path.endsWith('/..');

/** A name that is taken for the session's folder as it is (internal/ledger/state.ts). */
function isSession(id: string): boolean {
  const { length } = id;
  if (length === 0 || length > 128 || id === 'unknown' || id.startsWith('.')) return false;
  for (let at = 0; at < length; at++) {
    const code = id.charCodeAt(at);
    const letter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
    if (!letter && !(code >= 0x30 && code <= 0x39) && code !== 0x2d && code !== 0x2e && code !== 0x5f) return false;
  }
  return true;
}

/** As internal/judge/identity.ts writes an input for its digest: keys in order. undefined for one with more than plain values. */
function textOf(input: Data): string | undefined {
  const names = Object.keys(input).sort();
  let text = '{';
  for (let i = 0; i < names.length; i++) {
    const value = input[names[i]!];
    if (typeof value === 'object') return undefined;
    text += `${i === 0 ? '' : ','}${JSON.stringify(names[i])}:${JSON.stringify(value)}`;
  }
  return `${text}}`;
}

/** A ULID, as internal/judge/identity.ts makes it. */
function idAt(time: number): string {
  let id = '';
  for (let i = 0; i < 16; i++) id += CROCKFORD[Math.floor(Math.random() * 32)]!;
  for (let i = 0, rest = time; i < 10; i++, rest = Math.floor(rest / 32)) id = CROCKFORD[rest % 32]! + id;
  return id;
}
