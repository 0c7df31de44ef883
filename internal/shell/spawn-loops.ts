/** Loops without an end that start a job on every turn and never wait for it. */
import type { CompoundList, Command as SourceCommand, Statement, SyntaxNode } from 'unbash';
import type { Shape } from './command.ts';

/** The shape of such a loop, with the text of what it starts. `source` is the text the tree was parsed from. */
export function spawnLoop(node: SyntaxNode, source: string): Shape | undefined {
  const body = endlessBody(node, source);
  const job = body && spawned(body);
  return job ? { shape: 'spawn-loop', source: source.slice(job.pos, job.end).replace(/\s*&$/, '') } : undefined;
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
