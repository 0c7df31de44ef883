/**
 * PowerShell and cmd lines -> the commands they would run, with cmdlets and built-ins under the names of the POSIX programs
 * that have the same effect (`Remove-Item -Recurse` is `rm -r`, `iex (iwr …)` is `curl … | sh`).
 */
import type { Command, Line, Look } from './command.ts';
import { readCmd } from './powershell-cmd.ts';
import { runStage } from './powershell-commands.ts';
import { parsePowershell } from './powershell-parse.ts';
import { NOTHING, type Run, unknown, type Val, type Writable } from './powershell-run.ts';
import type { Pipeline, Script, Stage, Statement } from './powershell-tree.ts';
import { single } from './powershell-values.ts';
import { readLine } from './read.ts';
import { longSleeps } from './shapes.ts';
import type { Word } from './word.ts';

export { readCmd } from './powershell-cmd.ts';

/** Blocks, calls and nested texts of one line. */
const BUDGET = 5_000;

const MAX_NESTED = 6;

/** Stages of one pipeline that are read. */
const MAX_STAGES = 2_000;
/** Items of a list that a loop body is read for, one by one. */
const MAX_ITEMS = 40;

/** Reads a PowerShell text. `cwd`: the absolute directory it starts in. Never throws on input. */
export function readPowershell(text: string, from: { cwd: string | undefined; look: Look }, nest = 0): Line {
  const parsed = parsePowershell(text.replaceAll('\0', ''));
  const run: Run = {
    look: from.look,
    cwd: from.cwd,
    vars: new Map(),
    env: new Map(),
    functions: new Map(),
    commands: [],
    unread: [...parsed.unread],
    given: [],
    via: [],
    certain: true,
    looped: false,
    background: false,
    remote: false,
    root: false,
    captured: 0,
    depth: 0,
    nesting: 0,
    budget: BUDGET,
    source: text,
    run: (body) => runScript(body, run),
    nested: (dialect, inner, via) => nested(dialect, inner, via, run, nest),
  };
  runScript(parsed.script, run);
  const commands = run.commands as Command[];
  return { text, commands, unread: run.unread, shapes: longSleeps(commands), look: from.look };
}

export function runScript(script: Script, run: Run): Val {
  if (run.budget <= 0 || run.depth > 100) {
    if (run.unread.at(-1)?.why !== 'limit') run.unread.push({ why: 'limit', detail: 'too many blocks' });
    return NOTHING;
  }
  run.budget--;
  run.depth++;
  let last: Val = NOTHING;
  // Functions may stand behind their use.
  for (const statement of script) if (statement.t === 'function') run.functions.set(statement.name, statement.body);
  for (const statement of script) last = runStatement(statement, run);
  run.depth--;
  return last;
}

function runStatement(statement: Statement, run: Run): Val {
  switch (statement.t) {
    case 'pipeline':
      return runPipeline(statement.pipeline, run);
    case 'assign': {
      run.captured++;
      const value = statement.value ? runStatement(statement.value, run) : NOTHING;
      run.captured--;
      const name = statement.name.replace(/^(?:global|script|local|private):/, '');
      const before = run.vars.get(name);
      const kept: Val = !run.certain || run.looped ? { ...value, words: [...value.words] } : value;
      const next: Val =
        statement.op === '+' && before
          ? {
              ...kept,
              words:
                before.words.length === 1 && kept.words.length === 1
                  ? [joinWords(before.words[0]!, kept.words[0]!)]
                  : [...before.words, ...kept.words],
            }
          : kept;
      if (name.startsWith('env:')) run.env.set(name.slice(4).toUpperCase(), next.words.length > 0 ? single(next, '') : undefined);
      else run.vars.set(name, next);
      return NOTHING;
    }
    case 'branch': {
      const looped = run.looped;
      run.looped ||= statement.loop;
      // What a condition gives is tested, not printed.
      run.captured++;
      for (const condition of statement.conditions) runScript(condition, run);
      run.captured--;
      uncertain(run, () => {
        for (const body of statement.bodies) runScript(body, run);
      });
      run.looped = looped;
      return NOTHING;
    }
    case 'try': {
      const value = runScript(statement.body, run);
      uncertain(run, () => {
        for (const body of statement.catches) runScript(body, run);
      });
      if (statement.last) runScript(statement.last, run);
      return value;
    }
    case 'foreach': {
      run.captured++;
      const over = runScript(statement.over, run);
      run.captured--;
      return eachOf(over, statement.name, statement.body, run);
    }
    case 'function':
      return NOTHING;
  }
}

const joinWords = (a: Word, b: Word): Word => ({ parts: [...a.parts, ...b.parts], raw: a.raw + b.raw });

function uncertain(run: Run, work: () => void): void {
  const before = run.certain;
  run.certain = false;
  work();
  run.certain = before;
}

/** A body for each item, with the variable set; once with an unknown when the items are not known. */
export function eachOf(over: Val, name: string, body: Script, run: Run): Val {
  const items: Val[] = over.words
    .slice(0, MAX_ITEMS)
    .map((word) => ({ words: [word], mark: over.mark, steps: over.steps, type: over.type }));
  if (over.words.length === 0 || over.words.length > MAX_ITEMS) items.push({ ...unknown(`$${name}`), mark: over.mark, steps: over.steps });
  const before = { looped: run.looped, value: run.vars.get(name), certain: run.certain };
  run.looped = true;
  let last: Val = NOTHING;
  for (const item of items) {
    run.vars.set(name, item);
    last = runScript(body, run);
  }
  run.looped = before.looped;
  if (before.value) run.vars.set(name, before.value);
  return last;
}

/** Cmdlets that print what they are given, in whole or in part. */
const PASSING =
  /^(?:select-object|select|where-object|where|\?|sort-object|sort|out-string|out-host|out-default|format-(?:table|list|wide|custom|hex)|f[tlw]|select-string|sls|convertfrom-json|more)$/i;

function passesOn(stage: Stage): boolean {
  if (stage.t !== 'command') return false;
  const [head] = stage.words;
  return head?.t === 'text' && PASSING.test(head.raw);
}

function runPipeline(pipeline: Pipeline, run: Run): Val {
  const before = { given: run.given, certain: run.certain, background: run.background };
  if (pipeline.after === '||') run.certain = false;
  if (pipeline.after === ';') run.given = [];
  run.background ||= pipeline.background;
  const first = run.commands.length;
  let value: Val | undefined;
  if (pipeline.stages.length > MAX_STAGES) run.unread.push({ why: 'limit', detail: 'too many stages' });
  pipeline.stages.slice(0, MAX_STAGES).forEach((stage, index) => {
    const last = index === pipeline.stages.length - 1;
    const kept = !last && !pipeline.stages.slice(index + 1).every(passesOn);
    if (kept) run.captured++;
    value = runStage(stage, index === 0 ? undefined : value, last || (!kept && stage.t === 'expr'), run);
    if (kept) run.captured--;
  });
  run.certain = before.certain;
  run.background = before.background;
  run.given =
    pipeline.after === '||' || pipeline.background
      ? []
      : [
          ...(pipeline.after === '&&' ? before.given : []),
          ...run.commands
            .slice(first)
            .filter((command) => command.certain)
            .map((command) => command.step),
        ].slice(-50);
  return value ?? NOTHING;
}

/** Text of any dialect inside this line: its commands are appended, with the wrapper named. */
export function nested(dialect: 'powershell' | 'cmd' | 'posix', text: string, via: string, run: Run, nest: number): Val {
  if (run.via.length + nest >= MAX_NESTED) {
    run.unread.push({ why: 'limit', detail: 'nested too deeply' });
    return NOTHING;
  }
  const before = run.via;
  run.via = [...before, via];
  run.budget--;
  let value: Val = NOTHING;
  if (dialect === 'powershell') {
    const parsed = parsePowershell(text);
    run.unread.push(...parsed.unread);
    value = runScript(parsed.script, run);
  } else {
    const cwd = run.cwd ?? '';
    const line =
      dialect === 'cmd' ? readCmd(text, { cwd: run.cwd, look: run.look }, nest + run.via.length) : readLine(text, { cwd, look: run.look });
    run.unread.push(...line.unread);
    adopt(line.commands, run);
  }
  run.via = before;
  return value;
}

/** Commands of another reading as commands of this one: steps are renumbered, what holds outside holds inside. */
function adopt(commands: readonly Command[], run: Run): void {
  const offset = run.commands.length;
  for (const command of commands) {
    const moved: Writable<Command> = {
      ...command,
      step: command.step + offset,
      given: [...run.given, ...command.given.map((step) => step + offset)],
    };
    if (command.stdin.from === 'pipe') moved.stdin = { from: 'pipe', steps: command.stdin.steps.map((step) => step + offset) };
    if (command.pipedInto) moved.pipedInto = command.pipedInto.map((step) => step + offset);
    moved.via = [...run.via, ...command.via];
    moved.certain = command.certain && run.certain;
    moved.looped = command.looped || run.looped;
    moved.root = command.root || run.root;
    moved.remote = command.remote || run.remote;
    moved.background = command.background || run.background;
    if (run.cwd === undefined && command.cwd === '') moved.cwd = undefined;
    run.commands.push(moved);
  }
}
