/** Merged values as the compiled policy: typed, with every glob as a RegExp source. */
import { createHash } from 'node:crypto';
import { DEFAULT_HALTING } from '../decision/lineage.ts';
import type { AnyRule, Level } from '../rule/rule.ts';
import { canonical } from './direction.ts';
import { absoluteGlob, commandPatternOf, patternOf } from './glob.ts';
import { baseLevel } from './in-force.ts';
import type { Merged, Value } from './merge.ts';
import {
  type CustomRule,
  DEFAULT_DEADLINE_MS,
  DEFAULT_POLICY,
  type DeclaredEnvironment,
  type DeclaredRunner,
  type Origin,
  type Policy,
  type RulePolicy,
} from './policy.ts';

/** The compiled policy of a workspace. `sources` is left empty: the caller knows what it read. */
export function finish(merged: Merged, rules: readonly AnyRule[], root: string): Policy {
  const { values } = merged;
  const value = <T>(key: string, fallback: T): T => (values.get(key)?.value ?? fallback) as T;
  const preset = value<Policy['preset']>('preset', 'strict');
  const allow = value<readonly string[] | undefined>('network.allow', undefined);
  const gate = value<{ command: string; branches?: readonly string[] } | undefined>('gate', undefined);
  const runner = value<(Omit<DeclaredRunner, 'targets'> & Partial<DeclaredRunner>) | undefined>('runner', undefined);
  const judging = {
    preset,
    rules: rulesOf(values, rules, preset),
    regenerable: value<readonly string[]>('regenerable', []),
    protected: {
      branches: value<readonly string[] | undefined>('protected.branches', undefined),
      paths: value<readonly string[]>('protected.paths', []),
      hidden: value<readonly string[]>('protected.hidden', []),
    },
    generated: value<Policy['generated']>('generated', []),
    network: allow ? { allow } : undefined,
    gate: gate && { command: gate.command, branches: gate.branches ?? ['**'] },
    runner: runner && { ...runner, targets: runner.targets ?? {} },
    environment: Object.fromEntries(under(values, 'environment.').map(([prefix, each]) => [prefix, each.value as DeclaredEnvironment])),
    skills: value<Policy['skills']>('skills', []),
    budgets: Object.fromEntries(under(values, 'budgets.').map(([name, each]) => [name, each.value as number])),
    halting: {
      boundary: value('halting.boundary', DEFAULT_HALTING.boundary),
      category: value('halting.category', DEFAULT_HALTING.category),
      any: value('halting.any', DEFAULT_HALTING.any),
    },
    owner: value<Policy['owner']>('owner', 'request'),
    cost: value<Policy['cost']>('cost', 'off'),
    custom: under(values, 'custom.').flatMap(([, each]) => (each.value === undefined ? [] : [customOf(each, root)])),
    deadlineMs: value<number>('deadline', DEFAULT_DEADLINE_MS),
  };
  return {
    schema: 1,
    revision: revisionOf(judging),
    root,
    ...judging,
    patterns: patternsOf(judging),
    origins: Object.fromEntries(
      [...values]
        .filter(([key, each]) => !key.startsWith('rules.') && each.origin.file !== 'default')
        .map(([key, each]) => [key, each.origin]),
    ),
    untrusted: merged.untrusted,
    errors: merged.errors,
    sources: [],
  };
}

type Judging = Pick<
  Policy,
  | 'preset'
  | 'rules'
  | 'regenerable'
  | 'protected'
  | 'generated'
  | 'network'
  | 'gate'
  | 'runner'
  | 'environment'
  | 'skills'
  | 'budgets'
  | 'halting'
  | 'owner'
  | 'cost'
  | 'custom'
  | 'deadlineMs'
>;

/** Over what judges, not over where it stands: a comment more is the same policy. A policy equal to the default has its revision. */
function revisionOf(judging: Judging): string {
  const plain = (each: Judging) =>
    canonical(
      JSON.parse(JSON.stringify({ ...each, rules: bare(each.rules), custom: each.custom.map((rule) => ({ ...rule, origin: undefined })) })),
    );
  const { schema: _s, revision, root: _r, patterns: _p, origins: _o, untrusted: _u, errors: _e, sources: _f, ...standard } = DEFAULT_POLICY;
  const text = plain(judging);
  return text === plain(standard) ? revision : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const bare = (rules: Policy['rules']) =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([name, rule]) =>
      rule.origin.file === 'default' ? [] : [[name, { level: rule.level, options: rule.options }]],
    ),
  );

function rulesOf(values: ReadonlyMap<string, Value>, rules: readonly AnyRule[], preset: Policy['preset']): Record<string, RulePolicy> {
  const result: Record<string, RulePolicy> = {};
  for (const rule of rules) {
    const own = values.get(`rules.${rule.name}`);
    const options = under(values, `rules.${rule.name}.`);
    if (!own && options.length === 0) continue;
    const base = baseLevel(rule.level, rule.group, preset);
    const declared = rule.options ?? {};
    result[rule.name] = {
      level: (own?.value as Level | undefined) ?? base,
      origin: own?.origin ?? options[0]?.[1].origin ?? { file: 'default' },
      options: Object.fromEntries(options.map(([name, each]) => [name, each.value as string | number | boolean])),
      default: rule.level,
      group: rule.group,
      ...(options.length > 0
        ? {
            directions: Object.fromEntries(
              options.flatMap(([name]) =>
                declared[name] ? [[name, { loosens: declared[name].loosens, default: declared[name].default }]] : [],
              ),
            ),
          }
        : {}),
      ...(own?.reason === undefined ? {} : { reason: own.reason }),
      ...(own?.untrusted
        ? { untrusted: { level: own.untrusted.value as Level, origin: own.untrusted.origin, waits: 'trust' as const } }
        : {}),
    };
  }
  return result;
}

const under = (values: ReadonlyMap<string, Value>, prefix: string): readonly (readonly [string, Value])[] =>
  [...values].flatMap(([key, each]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), each] as const] : []));

function customOf({ value, origin }: Value, root: string): CustomRule {
  const rule = value as Omit<CustomRule, 'match' | 'origin'>;
  const { run, effect, path, tool } = rule.on;
  return {
    ...rule,
    match: {
      ...(run === undefined ? {} : { run: commandPatternOf(run) }),
      ...(effect === undefined ? {} : { effect: commandPatternOf(effect) }),
      ...(path === undefined ? {} : { path: patternOf(absoluteGlob(path, { kind: 'workspace', root })) }),
      ...(tool === undefined ? {} : { tool: commandPatternOf(tool) }),
    },
    origin: origin as Origin,
  };
}

/** Each glob with its pattern, once. */
function patternsOf(judging: Judging): Record<string, string> {
  const globs = [
    ...judging.regenerable,
    ...judging.protected.paths,
    ...(judging.protected.hidden ?? []),
    ...(judging.protected.branches ?? []),
    ...(judging.gate?.branches ?? []),
    ...judging.generated.flatMap((each) => [each.files, ...(each.from ?? [])]),
    ...(judging.network?.allow ?? []),
  ];
  return Object.fromEntries([...new Set(globs)].map((glob) => [glob, patternOf(glob)]));
}
