/** Loops that start a job on every turn and do not wait for it: without an end, or for many turns. */
import type { CompoundList, Command as SourceCommand, Statement, SyntaxNode } from 'unbash';
import type { Shape } from './command.ts';

/** The shape of such a loop, with the text of what it starts. `source` is the text the tree was parsed from. */
export function spawnLoop(node: SyntaxNode, source: string): Shape | undefined {
  const body = endlessBody(node, source);
  const job = body && spawned(body);
  return job ? { shape: 'spawn-loop', source: source.slice(job.pos, job.end).replace(/\s*&$/, '') } : undefined;
}

/** More jobs at once than this are a burst: no machine of a developer has as many cores. */
const MANY = 50;
/** Agents are processes of hundreds of megabytes each, and every one costs tokens. */
const MANY_AGENTS = 10;
const AGENTS = new Set('claude codex gemini opencode aider cursor-agent copilot amp goose qwen crush'.split(' '));
/** Programs of which a list of unknown length starts too many at once. */
const HEAVY = new Set(
  'node npx npm pnpm yarn bun bunx deno tsx ts-node python python3 pytest uv ruby bundle php java mvn gradle gradlew cargo go dotnet docker ffmpeg chromium playwright vitest jest tsc eslint'.split(
    ' ',
  ),
);
/** Words in a body with which it keeps the number of its jobs down. */
const LIMITS_JOBS = /\b(?:wait|jobs|sem|sleep|flock|pgrep|break|exit)\b/;

/** The shape of a loop that starts a job on each of many turns and waits, if at all, only behind them. */
export function spawnBurst(node: SyntaxNode, source: string): Shape | undefined {
  if (node.type !== 'For' && node.type !== 'ArithmeticFor') return undefined;
  const job = node.body.commands.find((each) => each.background);
  if (!job || LIMITS_JOBS.test(source.slice(node.body.pos, node.body.end))) return undefined;
  const program = programIn(job);
  const turns = node.type === 'For' ? turnsOf(node.wordlist ?? []) : counted(node, source);
  const many = AGENTS.has(program) ? MANY_AGENTS : MANY;
  if (turns === undefined ? !AGENTS.has(program) && !HEAVY.has(program) : turns < many) return undefined;
  return { shape: 'spawn-burst', source: source.slice(job.pos, job.end).replace(/\s*&$/, ''), turns };
}

/** The program of a job: of a group the first one that takes time. */
function programIn(job: Statement): string {
  const name = (command: SyntaxNode): string | undefined => {
    if (command.type === 'Command') return INSTANT.has(nameOf(command)) || nameOf(command) === 'cd' ? undefined : nameOf(command);
    const inner =
      command.type === 'AndOr' || command.type === 'Pipeline'
        ? command.commands
        : command.type === 'Subshell' || command.type === 'BraceGroup'
          ? command.body.commands.map((each) => each.command)
          : [];
    for (const each of inner) {
      const found = name(each);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return (name(job.command) ?? '').replace(/^.*\//, '');
}

/** How many words a list is: `{1..200}`, `$(seq 200)`, words. undefined: the output of a command, or a glob, tells. */
function turnsOf(words: readonly { text: string }[]): number | undefined {
  let turns = 0;
  for (const { text } of words) {
    const braces = /^\{(-?\d+)\.\.(-?\d+)(?:\.\.-?(\d+))?\}$/.exec(text);
    const seq = /^["']?(?:\$\(|`)\s*seq\s+(?:-\w+\s+)*(?:(\d+)\s+)?(?:(\d+)\s+)?(\d+)\s*[)`]/.exec(text);
    if (braces) turns += Math.floor(Math.abs(Number(braces[2]) - Number(braces[1])) / Number(braces[3] || 1)) + 1;
    else if (seq) turns += Math.max(0, Number(seq[3]) - Number(seq[1] ?? 1) + 1);
    else if (/^(?:\$\(|`)/.test(text)) return undefined;
    else turns += 1;
  }
  return turns;
}

/** `for ((i = 0; i < 200; i++))`. */
function counted(node: Extract<SyntaxNode, { type: 'ArithmeticFor' }>, source: string): number {
  const test = node.test ? source.slice(node.test.pos, node.test.end) : '';
  return Number(/<=?\s*(\d+)\s*$/.exec(test)?.[1] ?? 0);
}

/** The body of a loop whose condition never changes. */
function endlessBody(node: SyntaxNode, source: string): CompoundList | undefined {
  if (node.type === 'ArithmeticFor')
    return node.test === undefined || source.slice(node.test.pos, node.test.end).trim() === '' ? node.body : undefined;
  if (node.type !== 'While') return undefined;
  const text = source
    .slice(node.clause.pos, node.clause.end)
    .replace(/[;\n]+\s*$/, '')
    .trim();
  return node.kind === 'until' ? (isConstant(text, false) ? node.body : undefined) : isConstant(text, true) ? node.body : undefined;
}

/** `true`, `:`, `[ 1 ]`, `[[ 1 ]]`, `((1))`; `false` and `! true` for until. */
function isConstant(text: string, value: boolean): boolean {
  if (text.startsWith('! ')) return isConstant(text.slice(2).trim(), !value);
  if (value) return /^((\/usr)?\/bin\/true|true|:|\[\s+[\w]+\s+\]|\[\[\s+[\w]+\s+\]\]|\(\(\s*[1-9]\d*\s*\)\)|test\s+\w+)$/.test(text);
  return /^((\/usr)?\/bin\/false|false|\(\(\s*0\s*\)\))$/.test(text);
}

const nameOf = (command: SourceCommand): string => command.name?.value ?? '';
/** What takes no time, so that the loop goes on at once. */
const INSTANT = new Set(['true', 'false', ':', 'echo', 'printf', '', 'let', 'export', 'local', 'declare', 'set', 'shift', 'disown']);
const ENDS = new Set(['wait', 'break', 'exit', 'return', 'exec']);

/** The job that is started, when nothing in the body stops or slows the loop. */
function spawned(body: CompoundList): Statement | undefined {
  let job: Statement | undefined;
  let direct = false;
  // A job that is disowned is waited for by nobody.
  const disowned = body.commands.some(({ command }) => command.type === 'Command' && nameOf(command) === 'disown');
  for (const statement of body.commands) {
    if (statement.background) {
      job ??= statement;
      direct = true;
      continue;
    }
    const { command } = statement;
    if (command.type === 'Subshell') {
      const inner = command.body.commands.find((each) => each.background);
      if (inner && command.body.commands.every((each) => each.background)) job ??= inner;
      else if (!onlyWaits(command.body)) return undefined;
      continue;
    }
    if (command.type === 'If') {
      const first = command.clause.commands[0]?.command;
      if (first?.type === 'Command' && nameOf(first) === 'false' && !command.else) continue;
      return undefined;
    }
    // The jobs of a subshell are not this shell's to wait for.
    if (command.type === 'Command' && nameOf(command) === 'wait' && ((job && !direct) || disowned)) continue;
    if (command.type !== 'Command' || ENDS.has(nameOf(command)) || !INSTANT.has(nameOf(command))) return undefined;
  }
  return job;
}

/** `(wait)` waits for nothing: the jobs are not the subshell's own. */
const onlyWaits = (body: CompoundList): boolean =>
  body.commands.every((each) => each.command.type === 'Command' && nameOf(each.command) === 'wait');
