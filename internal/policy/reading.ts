/** One policy file, with what it extends, read into entries and errors. Never throws. */
import { dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { countedAs, nearestKey } from '../budget/keys.ts';
import type { AnyRule } from '../rule/rule.ts';
import { checkRules } from './check-rules.ts';
import { type Document, type Path, readDocument } from './document.ts';
import { explain } from './explain.ts';
import { absoluteGlob, globProblem } from './glob.ts';
import { type Draft, draftAt, type Entry, type Layer, nameOf, type Reading, type ReadText } from './layer.ts';
import { customEntries } from './own-rules.ts';
import type { DeclaredEnvironment, DeclaredRunner, SkillEntry } from './policy.ts';
import { POLICY_SHAPE } from './schema.ts';

const NOTHING: Reading = { entries: [], errors: [], bad: [], broken: false, paths: [] };

/** Kinds of files that `extends` may name: data, never code. */
const DATA = ['.yaml', '.yml', '.json'];

/** Reads a layer. A file that does not exist gives nothing. */
export function readLayer(layer: Layer, rules: readonly AnyRule[], read: ReadText): Reading {
  return readFile(layer, rules, read, []);
}

function readFile(layer: Layer, rules: readonly AnyRule[], read: ReadText, chain: readonly string[]): Reading {
  const name = nameOf(layer.path, layer.root);
  const got = read(layer.path);
  if (!got) return { ...NOTHING, paths: [layer.path] };
  if ('problem' in got) return broken(layer, [{ file: name, message: got.problem, stays: STAYS }]);
  const doc = readDocument(got.text);
  if (doc.problems.length > 0)
    return broken(
      layer,
      doc.problems.map((problem) => draftAt(name, problem, problem.message, { stays: STAYS })),
    );
  if (doc.value === undefined) return { ...NOTHING, paths: [layer.path] };
  if (doc.value === null || typeof doc.value !== 'object' || Array.isArray(doc.value)) {
    return broken(layer, [draftAt(name, doc.at([]), 'a policy file holds keys such as `rules:`', { stays: STAYS })]);
  }
  const value = doc.value as Record<string, unknown>;
  if (value['version'] !== undefined && value['version'] !== 1) {
    return broken(layer, [
      draftAt(name, doc.at(['version']), `version ${JSON.stringify(value['version'])} is not known: this waygate reads version 1`, {
        stays: STAYS,
      }),
    ]);
  }
  return readValue(value, doc, name, layer, { rules, read, chain: [...chain, layer.path] });
}

const STAYS = 'The whole file is set aside: every rule stays at least at its default.';

const broken = (layer: Layer, errors: readonly Draft[]): Reading => ({ ...NOTHING, errors, broken: true, paths: [layer.path] });

interface Around {
  rules: readonly AnyRule[];
  read: ReadText;
  /** The files that lead here, for cycles. */
  chain: readonly string[];
}

function readValue(value: Record<string, unknown>, doc: Document, name: string, layer: Layer, around: Around): Reading {
  const errors: Draft[] = [];
  const bad: string[] = [];
  const shape = POLICY_SHAPE.safeParse(value);
  const wrongAt: Path[] = [];
  for (const issue of shape.error?.issues ?? []) {
    for (const found of explain(issue, value)) {
      const key = unitOf(found.path);
      errors.push(
        draftAt(name, doc.at(found.path, found.what), found.message, {
          nearest: found.near,
          ...(found.unknown ? { stays: 'Nothing changes by it.' } : { key }),
        }),
      );
      if (found.unknown && found.path.length === 1) continue;
      wrongAt.push(found.path);
      if (key !== undefined) bad.push(key);
    }
  }
  const isWrong = (path: Path) =>
    wrongAt.some((wrong) => path.every((step, index) => wrong[index] === step) || wrong.every((step, index) => path[index] === step));
  const rulesSection = value['rules'];
  const checked =
    rulesSection && typeof rulesSection === 'object' && !Array.isArray(rulesSection)
      ? checkRules(rulesSection as Record<string, unknown>, doc, name, layer, around.rules)
      : { entries: [], errors: [], bad: [] };
  const plain = plainEntries(value, doc, name, layer, isWrong);
  const custom = customEntries(value['custom'], doc, name, layer, isWrong, around.rules);
  const parents = isWrong(['extends']) ? [] : parentsOf(value['extends'], doc, name, layer, around);
  return {
    entries: [...parents.flatMap((parent) => parent.entries), ...plain.entries, ...checked.entries, ...custom.entries],
    errors: [...errors, ...parents.flatMap((parent) => parent.errors), ...plain.errors, ...checked.errors, ...custom.errors].sort(
      byPlace(name),
    ),
    bad: [...bad, ...parents.flatMap((parent) => parent.bad), ...plain.bad, ...checked.bad],
    broken: parents.some((parent) => parent.broken),
    paths: [layer.path, ...parents.flatMap((parent) => parent.paths)],
  };
}

/** The order of a reader: top to bottom, this file first. */
const byPlace = (own: string) => (a: Draft, b: Draft) =>
  Number(a.file !== own) - Number(b.file !== own) || (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : 0);

/** Keys that merge one level down. */
const NESTED = ['protected', 'network', 'budgets', 'halting', 'environment'];

/** The key that a place of the file belongs to, as it is merged. */
function unitOf(path: Path): string | undefined {
  const [head, next] = path;
  if (head === undefined || head === 'version' || head === 'extends' || head === 'custom') return undefined;
  return NESTED.includes(String(head)) && next !== undefined ? `${head}.${next}` : String(head);
}

/** Keys that hold globs over paths. */
const PATH_LISTS = ['regenerable', 'protected.paths', 'protected.hidden'];

/** Everything but rules, custom and extends. */
function plainEntries(
  value: Record<string, unknown>,
  doc: Document,
  name: string,
  layer: Layer,
  isWrong: (path: Path) => boolean,
): { entries: Entry[]; errors: Draft[]; bad: string[] } {
  const entries: Entry[] = [];
  const errors: Draft[] = [];
  const bad: string[] = [];
  const take = (path: Path, raw: unknown) => {
    if (raw === undefined || isWrong(path)) return;
    const key = path.join('.');
    const problems = globsOf(key, raw).flatMap(({ glob, at }) => {
      const problem = globProblem(glob);
      return problem === undefined ? [] : [draftAt(name, doc.at([...path, ...at]), `${JSON.stringify(glob)}: ${problem}`, { key })];
    });
    if (problems.length > 0) {
      errors.push(...problems);
      bad.push(key);
      return;
    }
    const [head, budget] = path;
    if (head === 'budgets' && countedAs(String(budget)) === undefined) {
      const stays = 'Nothing is counted under this name; the other budgets stand.';
      errors.push(draftAt(name, doc.at(path, 'key'), `unknown budget "${budget}"`, { nearest: nearestKey(String(budget)), stays }));
      return;
    }
    entries.push({
      key,
      value: absolute(key, raw, layer),
      raw,
      origin: { file: name, line: doc.at(path, 'key').line },
      scope: layer.scope,
      free: layer.free,
    });
  };
  for (const [key, given] of Object.entries(value)) {
    if (['version', 'extends', 'rules', 'custom'].includes(key) || !Object.hasOwn(POLICY_SHAPE.def.shape, key)) continue;
    if (!NESTED.includes(key)) take([key], given);
    else if (given && typeof given === 'object') for (const [inner, each] of Object.entries(given)) take([key, inner], each);
  }
  return { entries, errors, bad };
}

function globsOf(key: string, raw: unknown): readonly { glob: string; at: Path }[] {
  const list = (globs: unknown, ...before: string[]) =>
    Array.isArray(globs) ? globs.map((glob, index) => ({ glob: String(glob), at: [...before, index] })) : [];
  if (PATH_LISTS.includes(key) || key === 'protected.branches') return list(raw);
  if (key === 'gate') return list((raw as { branches?: unknown }).branches, 'branches');
  if (key === 'runner')
    return Object.entries((raw as DeclaredRunner).targets ?? {}).flatMap(([name, target]) =>
      list(target.writes, 'targets', name, 'writes'),
    );
  if (key === 'generated' && Array.isArray(raw))
    return raw.flatMap((each: { files: string; from?: string | string[] }, index) => [
      { glob: each.files, at: [index, 'files'] },
      ...listed(each.from).map((glob) => ({ glob, at: [index, 'from'] })),
    ]);
  if (key === 'skills' && Array.isArray(raw))
    return raw.flatMap((each: Record<string, string | undefined>, index) =>
      ['source', 'installed'].flatMap((field) => (each[field] === undefined ? [] : [{ glob: each[field], at: [index, field] }])),
    );
  return [];
}

function absolute(key: string, raw: unknown, layer: Layer): unknown {
  if (PATH_LISTS.includes(key)) return (raw as string[]).map((glob) => absoluteGlob(glob, layer));
  if (key === 'runner') return runnerIn(raw as DeclaredRunner, layer);
  if (key.startsWith('environment.')) {
    const each = raw as DeclaredEnvironment;
    return each.from === undefined ? each : { ...each, from: absoluteFolder(each.from, layer) };
  }
  if (key === 'generated')
    return (raw as { files: string; from?: string | string[] }[]).map((each) => ({
      ...each,
      files: absoluteGlob(each.files, layer),
      ...(each.from === undefined ? {} : { from: listed(each.from).map((glob) => absoluteGlob(glob, layer)) }),
    }));
  if (key === 'skills')
    return (raw as SkillEntry[]).map((each) => ({
      ...each,
      ...(each.source === undefined ? {} : { source: absoluteFolder(each.source, layer) }),
      ...(each.installed === undefined ? {} : { installed: absoluteFolder(each.installed, layer) }),
    }));
  return raw;
}

/** The globs of what its targets write. */
const runnerIn = (runner: DeclaredRunner, layer: Layer): unknown => ({
  ...runner,
  ...(runner.targets === undefined
    ? {}
    : {
        targets: Object.fromEntries(
          Object.entries(runner.targets).map(([name, target]) => [
            name,
            target.writes === undefined ? target : { ...target, writes: target.writes.map((glob) => absoluteGlob(glob, layer)) },
          ]),
        ),
      }),
});

const listed = (one: string | readonly string[] | undefined): readonly string[] =>
  one === undefined ? [] : typeof one === 'string' ? [one] : one;

/** A file or folder: with or without the `/` or `/**` that says so. */
const absoluteFolder = (path: string, layer: Layer): string => absoluteGlob(path.replace(/(.)\/(?:\*\*)?$/, '$1'), layer);

function parentsOf(given: unknown, doc: Document, name: string, layer: Layer, around: Around): readonly Reading[] {
  if (!Array.isArray(given)) return [];
  return given.map((spec: string, index): Reading => {
    const fail = (message: string, paths: readonly string[]): Reading => ({
      ...NOTHING,
      errors: [
        draftAt(name, doc.at(['extends', index]), message, {
          stays: 'What it would bring in does not count, and every rule stays at least at its default.',
        }),
      ],
      broken: true,
      paths,
    });
    const found = locate(spec, layer.path, around.read);
    if (!DATA.includes(extname(found.path).toLowerCase()))
      return fail(`cannot extend ${JSON.stringify(spec)}: only data files can be extended (${DATA.join(', ')})`, []);
    if (around.chain.includes(found.path))
      return fail(
        `cannot extend ${JSON.stringify(spec)}: it leads back to this file (${[...around.chain, found.path].map((path) => nameOf(path, layer.root)).join(' -> ')})`,
        [],
      );
    const child = around.read(found.path);
    if (child === undefined)
      return fail(`cannot extend ${JSON.stringify(spec)}: no such file${found.package ? ' in an installed package' : ''}`, found.tried);
    const free = layer.free && (layer.kind !== 'organization' || ('root' in child && child.root === true));
    return readFile({ ...layer, path: found.path, free }, around.rules, around.read, around.chain);
  });
}

/** A relative or absolute path, else a file of an installed package; a package alone stands for its waygate.yaml. */
function locate(spec: string, from: string, read: ReadText): { path: string; tried: readonly string[]; package: boolean } {
  if (spec.startsWith('.') || isAbsolute(spec)) {
    const path = resolve(dirname(from), spec);
    return { path, tried: [path], package: false };
  }
  const bare = spec.split('/').length <= (spec.startsWith('@') ? 2 : 1) && extname(spec) === '';
  const tried: string[] = [];
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', bare ? `${spec}/waygate.yaml` : spec);
    tried.push(path);
    if (read(path) !== undefined) return { path, tried, package: true };
    if (dirname(folder) === folder) return { path: tried[0]!, tried, package: true };
  }
}
