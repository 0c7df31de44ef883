/** Toolchains that are their own runner: cargo with its aliases, go, bazel. Their verbs are the targets; they wrap nothing of the shell. */
import { dirname, join } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import type { Role, Runner, RunnerName, Target } from './profile.ts';
import { inside, isRecord, textsIn } from './shape.ts';
import { callOf, targetOf } from './target.ts';
import { readToml } from './toml.ts';

const MAX_FILE = 256 * 1024;

type Verb = readonly [name: string, role: Role, includes?: readonly string[]];

function verbTarget([name, role, includes]: Verb, call: string, file: string): Target {
  return {
    name,
    command: callOf(call, name),
    recipe: [],
    covers: [],
    includes: includes ?? [],
    writes: [],
    role,
    parts: [role],
    gate: false,
    endless: false,
    origin: { file },
  };
}

const CARGO: readonly Verb[] = [
  ['test', 'test'],
  ['build', 'build'],
  ['check', 'types'],
  ['clippy', 'lint'],
  ['fmt', 'format'],
  ['doc', 'generate'],
  ['bench', 'other'],
];

/** A Cargo.toml: cargo's verbs, and the aliases of `.cargo/config.toml` here and further up. */
export function cargoRunner(dir: string, root: string, look: Look): Runner | undefined {
  const file = join(dir, 'Cargo.toml');
  if (look.read(file, MAX_FILE) === undefined) return undefined;
  const call = 'cargo {target}';
  const aliases = aliasesFor(dir, root, look);
  const names = new Set([...CARGO.map(([name]) => name), ...aliases.map((each) => each.name)]);
  const isTarget = (name: string) => names.has(name);
  const own = aliases.map(({ name, words, origin }) => {
    const [verb = ''] = words;
    const target = targetOf(
      { name, recipe: [`cargo ${words.join(' ')}`], command: callOf(call, name), origin },
      { runner: 'cargo', dir, isTarget },
    );
    // An alias of a verb is that verb with options: no reason against the verb itself.
    return { ...target, covers: words.length > 1 && !CARGO.some(([each]) => each === verb) ? target.covers : [] };
  });
  const verbs = CARGO.filter(([name]) => !aliases.some((each) => each.name === name)).map((verb) => verbTarget(verb, call, file));
  return { name: 'cargo', dir, file, combine: 'none', call, pass: '{args}', durations: false, targets: [...own, ...verbs] };
}

function aliasesFor(dir: string, root: string, look: Look) {
  const found = new Map<string, { name: string; words: readonly string[]; origin: Target['origin'] }>();
  for (let at = dir; ; at = dirname(at)) {
    for (const name of ['.cargo/config.toml', '.cargo/config']) {
      const file = join(at, name);
      const text = look.read(file, MAX_FILE);
      const document = text === undefined ? undefined : readToml(text);
      const aliases = document && inside(document.value, 'alias');
      if (!document || !isRecord(aliases)) continue;
      for (const [alias, given] of Object.entries(aliases)) {
        const words = typeof given === 'string' ? given.split(/\s+/).filter(Boolean) : textsIn(given);
        const line = document.line('alias', alias);
        if (words.length > 0 && !found.has(alias))
          found.set(alias, { name: alias, words, origin: { file, ...(line === undefined ? {} : { line }) } });
      }
    }
    if (at === root || at === '/') return [...found.values()];
  }
}

/** Verbs of a toolchain, for a directory that has one of these files. */
function verbRunner(name: RunnerName, files: readonly string[], call: string, verbs: readonly Verb[], pass: string | undefined) {
  return (dir: string, look: Look): Runner | undefined => {
    const file = files.map((each) => join(dir, each)).find((path) => look.stat(path)?.kind === 'file');
    if (file === undefined) return undefined;
    return { name, dir, file, combine: 'none', call, pass, durations: false, targets: verbs.map((verb) => verbTarget(verb, call, file)) };
  };
}

/** A go.mod or go.work. */
export const goRunner = verbRunner(
  'go',
  ['go.mod', 'go.work'],
  'go {target} ./...',
  [
    ['test', 'test'],
    ['vet', 'lint'],
    ['build', 'build'],
    ['fmt', 'format'],
    ['generate', 'generate'],
  ],
  '{args}',
);

/** A bazel workspace. */
export const bazelRunner = verbRunner(
  'bazel',
  ['MODULE.bazel', 'WORKSPACE.bazel', 'WORKSPACE'],
  'bazel {target} //...',
  [
    ['test', 'test', ['build']],
    ['build', 'build'],
  ],
  undefined,
);
