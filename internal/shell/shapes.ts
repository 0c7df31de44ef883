/**
 * Shapes of a line, for the rules about how a line is written: each with the repair already made.
 * Looks at the tree of the source for where things stand, and at the commands read for what they get on standard input.
 */
import { forEachChild, type ParsedScript, type Command as SourceCommand, type Statement, type SyntaxNode, type While } from 'unbash';
import type { Command, Shape } from './command.ts';
import { idleFilter } from './idle-filter.ts';
import { prefixOf, textOf } from './word.ts';

/** The shapes of a line. `source` is the text the tree was parsed from. */
export function shapesOf(script: ParsedScript, source: string, commands: readonly Command[]): Shape[] {
  if (source.length > 200_000) return [];
  return [
    ...statusEcho(script, source),
    ...backticks(script, source),
    ...waits(script, source),
    ...longSleeps(commands),
    ...idleFilters(commands),
  ];
}

// ---------------------------------------------------------------- a line that ends by printing an exit status

/** Does this text of a word hold an exit status, or a variable that was set to one. */
const holdsStatus = (command: SourceCommand, variables: ReadonlySet<string>): boolean =>
  command.args.some((word) => {
    let found = false;
    const visit = (node: SyntaxNode) => {
      if (node.type === 'SimpleExpansion' && (node.text === '$?' || variables.has(node.text.slice(1)))) found = true;
      if (
        node.type === 'ParameterExpansion' &&
        (node.parameter === '?' || node.parameter === 'PIPESTATUS' || variables.has(node.parameter)) &&
        !node.operation
      )
        found = true;
      if (node.type !== 'CommandExpansion') forEachChild(node, visit);
    };
    visit(word);
    return found;
  });

const isPrint = (node: Statement['command']): node is SourceCommand =>
  node.type === 'Command' && (node.name?.value === 'echo' || node.name?.value === 'printf') && node.redirects.length === 0;

/** `rc=$?` alone: the variables it sets to a status. */
function statusVariables(node: Statement['command']): string[] {
  if (node.type !== 'Command' || node.name || node.prefix.length === 0) return [];
  return node.prefix.flatMap((each) =>
    each.type === 'Assignment' && each.value.type === 'Word' && /^"?\$(?:\?|\{\?\}|\{PIPESTATUS\[\d+\]\})"?$/.test(each.value.text)
      ? [each.name]
      : [],
  );
}

function statusEcho(script: ParsedScript, source: string): Shape[] {
  const last = script.commands.at(-1);
  if (!last || last.background || (script.errors?.length ?? 0) > 0) return [];
  const before = script.commands.slice(0, -1);
  if (isPrint(last.command)) {
    const holder = before.at(-1);
    const variables = new Set(holder ? statusVariables(holder.command) : []);
    const kept = variables.size > 0 ? before.slice(0, -1) : before;
    if (kept.length === 0 || !holdsStatus(last.command, variables)) return [];
    const text = source.slice(0, kept.at(-1)!.end).trimEnd();
    const shown = source.slice(last.pos, last.end);
    const piped = source.slice(kept.at(-1)!.end).includes('PIPESTATUS');
    return [{ shape: 'status-echo', source: shown, instead: piped ? `set -o pipefail; ${text}` : text }];
  }
  if (last.command.type !== 'AndOr') return [];
  const { commands, operators } = last.command;
  const end = commands.at(-1)!;
  if (operators.at(-1) !== '||' || !isPrint(end) || !holdsStatus(end, new Set())) return [];
  return [{ shape: 'status-echo', source: source.slice(end.pos, end.end), instead: source.slice(0, commands.at(-2)!.end).trimEnd() }];
}

// ---------------------------------------------------------------- backticks

/** Programs that take prose, where a backtick is more often meant as a mark than as a command. */
const PROSE = new Set(['echo', 'printf', 'git', 'gh', 'glab', 'grep', 'egrep', 'rg', 'sed', 'awk', 'ag', 'jq']);

function backticks(script: ParsedScript, source: string): Shape[] {
  if (!source.includes('`')) return [];
  const found: Shape[] = [];
  const visit = (node: SyntaxNode, command: SourceCommand | undefined) => {
    if (found.length > 0) return;
    if (node.type === 'CommandExpansion' && node.text.startsWith('`')) {
      if (source[node.pos] === '`') found.push(backtickShape(node, command, source));
      return;
    }
    if (node.type === 'HereDoc') return;
    const inside = node.type === 'Command' ? node : command;
    forEachChild(node, (child) => visit(child, inside));
  };
  visit(script, undefined);
  return found;
}

function backtickShape(node: { pos: number; end: number; text: string }, command: SourceCommand | undefined, source: string): Shape {
  const program = command?.name?.value ?? '';
  const quoted = command?.args
    .flatMap((word) => (word.type === 'Word' ? (word.parts ?? []) : []))
    .find((part) => part.type === 'DoubleQuoted' && part.pos < node.pos && node.end < part.end);
  const plain =
    quoted?.type === 'DoubleQuoted' &&
    quoted.parts.every((part) => part.type === 'Literal' || (part.type === 'CommandExpansion' && part.text.startsWith('`')));
  let instead: string;
  if (PROSE.has(program) && plain && quoted) {
    const text = source.slice(quoted.pos + 1, quoted.end - 1).replace(/\\(["$`\\])/g, '$1');
    instead = `${source.slice(0, quoted.pos)}'${text.replaceAll("'", "'\\''")}'${source.slice(quoted.end)}`;
  } else instead = `${source.slice(0, node.pos)}$(${node.text.slice(1, -1).replace(/\\([`\\$])/g, '$1')})${source.slice(node.end)}`;
  return { shape: 'backticks', source: node.text.slice(0, 200), program, instead };
}

// ---------------------------------------------------------------- waiting

/** Commands that do nothing for the task while a loop waits. */
const IDLE = new Set(['sleep', 'echo', 'printf', 'true', ':', 'date', 'break', 'continue', 'clear', 'test', '[', 'let', 'exit']);
/** What stands around a command without doing anything. */
const FRAMES = new Set(['cd', 'set', 'export', 'time', '']);
/** Commands that only ask. */
const ASKS = new Set([
  'pgrep',
  'ps',
  'kill',
  'grep',
  'egrep',
  'curl',
  'wget',
  'nc',
  'gh',
  'glab',
  'ls',
  'cat',
  'tail',
  'head',
  'wc',
  'jq',
  'docker',
  'kubectl',
  'lsof',
  'ss',
  'netstat',
  'pg_isready',
  'redis-cli',
  'stat',
  'find',
  'git',
  'awk',
  'sed',
  'tr',
  'cut',
]);

function simpleCommands(node: SyntaxNode): SourceCommand[] {
  const out: SourceCommand[] = [];
  const visit = (each: SyntaxNode) => {
    if (each.type === 'Command') out.push(each);
    forEachChild(each, visit);
  };
  visit(node);
  return out;
}

const seconds = (text: string | undefined): number => {
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text ?? '');
  if (!match) return 0;
  return Number(match[1]) * { '': 1, s: 1, m: 60, h: 3600, d: 86400 }[match[2] as '' | 's' | 'm' | 'h' | 'd'];
};

function waits(script: ParsedScript, source: string): Shape[] {
  // No loop, nothing that waits: the tree of most lines need not be looked at. A keyword may be broken by a joined line.
  if (!/while|until|\\\n/.test(source)) return [];
  const out: Shape[] = [];
  const visit = (node: SyntaxNode) => {
    if (node.type === 'While') {
      const others = simpleCommands(script).filter((each) => each.pos < node.pos || each.end > node.end);
      const shape = waitShape(node, source, others);
      if (shape) out.push(shape);
    }
    if (node.type !== 'Function') forEachChild(node, visit);
  };
  visit(script);
  return out.slice(0, 1);
}

function waitShape(node: While, source: string, others: readonly SourceCommand[]): Shape | undefined {
  const inBody = simpleCommands(node.body);
  const inClause = simpleCommands(node.clause);
  const sleep = inBody.find((each) => each.name?.value === 'sleep');
  if (!sleep) return undefined;
  const name = (each: SourceCommand) => each.name?.value ?? '';
  if (!inBody.every((each) => IDLE.has(name(each)) || ASKS.has(name(each)) || name(each) === '')) return undefined;
  if (inClause.some((each) => name(each) === 'read')) return undefined;
  // A loop that counts comes to an end by itself.
  const counts = simpleArithmetic(node.clause, source);
  if (counts) return undefined;
  const all = [...inClause, ...inBody];
  const process = all.find(
    (each) => ['pgrep', 'ps', 'pidof'].includes(name(each)) || (name(each) === 'kill' && each.args.some((arg) => arg.text === '-0')),
  );
  const asks = all.find((each) => ASKS.has(name(each)) && !['kill', 'ps', 'pgrep'].includes(name(each)));
  const pattern = process ? matched(process, all) : undefined;
  return {
    shape: 'wait-loop',
    source: source.slice(node.pos, node.end),
    alone: others.every((each) => FRAMES.has(name(each)) || IDLE.has(name(each)) || ASKS.has(name(each))),
    until: process
      ? 'process'
      : asks
        ? 'command'
        : source.slice(node.clause.pos, node.clause.end).includes('-f ') || source.slice(node.clause.pos, node.clause.end).includes('-e ')
          ? 'file'
          : 'time',
    seconds: seconds(sleep.args[0]?.text),
    ...(pattern ? { selfMatch: true, pattern } : {}),
  };
}

/** `[ $i -lt 30 ]`, `(( i < 30 ))`: the loop has a count. */
function simpleArithmetic(clause: SyntaxNode & { pos: number; end: number }, source: string): boolean {
  const text = source.slice(clause.pos, clause.end);
  return text.includes('((') || /\s-(?:lt|le|gt|ge)\s/.test(text) || text.includes('SECONDS');
}

/** The pattern of `pgrep -f P` or `ps | grep P` that the waiting shell's own command line matches too. */
function matched(process: SourceCommand, all: readonly SourceCommand[]): string | undefined {
  if (process.name?.value === 'pgrep') {
    const texts = process.args.map((each) => (each.type === 'Word' ? each.value : each.text));
    if (!texts.some((text) => /^-[a-z]*f/.test(text))) return undefined;
    const pattern = texts.find((text) => !text.startsWith('-'));
    return pattern && !/^\[.\]/.test(pattern) ? pattern : undefined;
  }
  if (process.name?.value !== 'ps') return undefined;
  const grep = all.find((each) => ['grep', 'egrep'].includes(each.name?.value ?? ''));
  const pattern = grep?.args.map((each) => (each.type === 'Word' ? each.value : each.text)).find((text) => !text.startsWith('-'));
  const excluded = all.some((each) => each.name?.value === 'grep' && each.args.some((arg) => arg.text === '-v'));
  return pattern && !excluded && !/\[.\]/.test(pattern) ? pattern : undefined;
}

/** Sleeps of a line, added up: loops and what runs in the background are left out. */
export function longSleeps(commands: readonly Command[]): Shape[] {
  let total = 0;
  let first: Command | undefined;
  for (const command of commands) {
    if (command.name !== 'sleep' || command.looped || command.background || command.remote || command.script) continue;
    const time = command.args.reduce((sum, word) => sum + seconds(textOf(word)), 0);
    total += time;
    first ??= time > 0 ? command : undefined;
  }
  if (!first || total === 0) return [];
  const after = commands.find((each) => each.step > first.step && each.name !== 'sleep');
  return [{ shape: 'long-sleep', source: first.source, seconds: total, before: after?.source ?? '' }];
}

// ---------------------------------------------------------------- filters that wait for nothing

/** Steps in `>(…)`: what is written there is their input. */
function fedSteps(commands: readonly Command[]): ReadonlySet<number> {
  const steps = new Set<number>();
  for (const command of commands)
    for (const word of [...command.args, ...command.redirects.map((each) => each.target)])
      for (const part of word.parts)
        if (part.kind === 'hole' && part.why === 'process' && part.text.startsWith('>('))
          for (const step of part.steps ?? []) steps.add(step);
  return steps;
}

function idleFilters(commands: readonly Command[]): Shape[] {
  const fed = fedSteps(commands);
  for (const command of commands) {
    if (fed.has(command.step)) continue;
    if (command.stdin.from !== 'inherit' || command.remote || command.script || command.background || command.via.length > 0) continue;
    if (command.redirects.some((each) => each.fds.includes(0))) continue;
    if (
      command.args.some(
        (word) =>
          word.parts.some((part) => part.kind === 'hole' && part.split) ||
          (prefixOf(word) === '' && word.parts.length > 0 && word.parts[0]!.kind === 'hole' && word.parts[0]!.split),
      )
    )
      continue;
    const found = idleFilter(command.name, command.args);
    if (found) return [{ shape: 'idle-filter', program: command.name, source: command.source, instead: found.instead(command.source) }];
  }
  return [];
}
