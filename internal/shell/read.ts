/**
 * Reading a shell line: text -> the commands it would run, in order, with what the shell knows when each starts.
 * The parser is unbash; `walk` goes over its tree, `run` follows wrappers, functions and local scripts, `record` keeps each command.
 * Nothing is ever run.
 */
import { parse } from 'unbash';
import type { Line, Look, Shape, Unread } from './command.ts';
import { listedIn } from './listings.ts';
import { type Draft, directory, LIMITS, LimitExceeded, normalized, type Reader } from './reader.ts';
import { createRecord } from './record.ts';
import { createRun } from './run.ts';
import type { Frame, Scope } from './scope.ts';
import { shapesOf } from './shapes.ts';
import { createWalk } from './walk.ts';
import { textOf, type Word } from './word.ts';

export { programName } from './reader.ts';

/** Reads a line. `cwd`: the absolute directory it starts in. Never throws on input. */
export function readLine(text: string, from: { cwd: string; look: Look }): Line {
  const files = new Map<string, Word | undefined>();
  const look = overlaid(from.look, files);
  const commands: Draft[] = [];
  const unread: Unread[] = [];
  const shapes: Shape[] = [];
  const dormant: Draft[] = [];
  const line: Line = { text, commands, dormant, unread, shapes, look };
  if (text.length > LIMITS.text) {
    unread.push({ why: 'limit', detail: `the line is longer than ${LIMITS.text / 1024 / 1024} MB` });
    return line;
  }
  try {
    const source = normalized(text);
    const reader = createReader({ look, files, commands, unread, shapes });
    const script = parse(source);
    const scope: Scope = {
      vars: new Map(),
      exported: new Set(),
      functions: new Map(),
      aliases: new Map(),
      cwd: from.cwd,
      stack: [],
      args: [],
      name: undefined,
      errexit: false,
    };
    reader.script(script, source, scope, START);
    shapes.push(...shapesOf(script, source, commands));
    dormant.push(...reader.dormant());
  } catch (error) {
    if (error instanceof LimitExceeded) unread.push({ why: 'limit', detail: error.message });
    else if (error instanceof RangeError) unread.push({ why: 'limit', detail: 'the line is nested too deeply' });
    else throw error;
  }
  return line;
}

/** With every key there is: a copy with a new key costs thirty times a copy with another value. */
const START: { [K in keyof Required<Frame>]: Frame[K] } = {
  given: [],
  certain: true,
  maybe: undefined,
  chained: undefined,
  mounts: undefined,
  script: undefined,
  outlet: undefined,
  timed: undefined,
  bound: undefined,
  span: undefined,
  absent: undefined,
  looped: false,
  counters: undefined,
  background: false,
  captured: false,
  via: [],
  remote: false,
  root: false,
  env: new Map(),
  stdin: { from: 'inherit' },
  calls: [],
  depth: 0,
};

/** The world with the files this line writes. */
function overlaid(look: Look, files: ReadonlyMap<string, Word | undefined>): Look {
  return {
    home: look.home,
    tmp: look.tmp,
    env: (name) => look.env(name),
    ...(look.envNames ? { envNames: look.envNames } : {}),
    stat: (path) => (files.has(path) ? { kind: 'file', size: textOf(files.get(path))?.length ?? 1 } : look.stat(path)),
    read: (path, limit) => (files.has(path) ? textOf(files.get(path)) : look.read(path, limit)),
    list: (path) => look.list(path),
    gitConfig: (cwd, key) => look.gitConfig(cwd, key),
  };
}

/** A reader: three parts over one state. */
function createReader(state: Pick<Reader, 'look' | 'files' | 'unread' | 'shapes' | 'commands'>) {
  // All keys from the start, in one literal: an object that grows key by key costs more than reading a short line.
  const reader: Reader = {
    look: state.look,
    files: state.files,
    unread: state.unread,
    shapes: state.shapes,
    commands: state.commands,
    made: new Set(),
    outputs: new Map(),
    waiting: new Map(),
    counters: { temporary: 0, scripts: 0 },
    listed: (stdin, scope) =>
      listedIn(stdin, reader.commands, (word) => {
        const path = directory(word, scope.cwd);
        return path !== undefined && reader.look.stat(path)?.kind === 'dir';
      }),
    ...UNMADE,
  };
  const walk = createWalk(reader);
  reader.context = walk.context;
  reader.script = walk.script;
  reader.body = walk.body;
  reader.emitted = createRecord(reader).emitted;
  reader.run = createRun(reader).run;
  return walk;
}

const unmade = (): never => {
  throw new Error('this part of the reader is not made yet');
};
const UNMADE: Pick<Reader, 'context' | 'script' | 'body' | 'emitted' | 'run'> = {
  context: undefined as never,
  script: unmade,
  body: unmade,
  emitted: unmade,
  run: unmade,
};
