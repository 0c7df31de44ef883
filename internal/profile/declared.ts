/** What waygate.yaml says over what was detected: it has the last word on every part. */

import { RUNNER_OF } from '../effect/run-programs.ts';
import type { DeclaredEnvironment, DeclaredRunner, DeclaredTarget, Policy } from '../policy/policy.ts';
import type { Look } from '../shell/command.ts';
import { readRecipe } from './commands.ts';
import { profileFrom } from './detect.ts';
import type { Cover, Profile, Runner, Target } from './profile.ts';
import { isEndless, roleOf } from './roles.ts';
import { callOf } from './target.ts';

type Says = Pick<Policy, 'runner' | 'environment' | 'origins'>;

/** A larger file is no list of variables. */
const MAX_ENVIRONMENT = 256 * 1024;

/** The detected profile with the policy over it; undefined when neither says anything. `look`: absent when no file may be read. */
export function withPolicy(detected: Profile | undefined, policy: Says, root: string, look?: Look): Profile | undefined {
  const environment = environmentOf(policy.environment, look);
  if (!policy.runner) return detected ? { ...detected, environment } : environment.length > 0 ? { ...EMPTY, root, environment } : undefined;
  const file = policy.origins['runner'];
  const origin = { file: file?.file ?? 'waygate.yaml', ...(file?.line === undefined ? {} : { line: file.line }) };
  const runners = overlaid(detected?.runners ?? [], policy.runner, root, origin);
  return { ...profileFrom(runners, root), environment };
}

const EMPTY: Omit<Profile, 'root' | 'environment'> = { runners: [], install: undefined, update: undefined, proposedGate: undefined };

function overlaid(runners: readonly Runner[], declared: DeclaredRunner, root: string, origin: Target['origin']): readonly Runner[] {
  const names = new Set(Object.keys(declared.targets));
  const here = runners.filter((runner) => runner.dir === root);
  const main =
    declared.command === undefined ? undefined : here.find((runner) => programOf(runner.call) === programOf(declared.command as string));
  // A target is that of the declared runner, else of the first one at the top that has it, else it is new.
  const homeOf = (name: string): Runner | undefined =>
    main ??
    (declared.command === undefined
      ? (here.find((runner) => runner.targets.some((target) => target.name === name)) ?? here[0])
      : undefined);
  const mine = new Map<Runner | undefined, string[]>();
  for (const name of names) mine.set(homeOf(name), [...(mine.get(homeOf(name)) ?? []), name]);
  const changed = runners.map((runner) => changedBy(runner, declared, mine.get(runner) ?? [], runner === main, origin));
  // Without a runner's call a target is only run by a command of its own.
  const own = (mine.get(undefined) ?? []).filter((name) => declared.command !== undefined || declared.targets[name]?.command !== undefined);
  const fresh = !main && (declared.command !== undefined || own.length > 0) ? [declaredRunner(declared, own, root, origin)] : [];
  if (!main) return [...fresh, ...changed];
  const at = runners.indexOf(main);
  // The declared runner comes before the others of its directory.
  const first = runners.findIndex((runner) => runner.dir === root);
  const order = changed.filter((_each, index) => index !== at);
  order.splice(first, 0, changed[at] as Runner);
  return order;
}

const programOf = (call: string): string => (call.trim().split(/\s+/)[0] ?? '').replace(/^.*\//, '');

function changedBy(runner: Runner, declared: DeclaredRunner, names: readonly string[], main: boolean, origin: Target['origin']): Runner {
  if (names.length === 0 && !main) return runner;
  const call = main ? (declared.command as string) : runner.call;
  const known = new Set(runner.targets.map((target) => target.name));
  const targets = runner.targets.map((target) => {
    const own = main && call !== runner.call ? { ...target, command: callOf(call, target.name) } : target;
    return names.includes(target.name)
      ? { ...overridden(own, declared.targets[target.name] as DeclaredTarget, origin), overrides: target.origin }
      : own;
  });
  const fresh = names
    .filter((name) => !known.has(name))
    .map((name) => newTarget(name, declared.targets[name] as DeclaredTarget, call, runner.dir, origin));
  return {
    ...runner,
    call,
    combine: (main ? declared.combine : undefined) ?? runner.combine,
    pass: (main ? declared.pass : undefined) ?? runner.pass,
    targets: [...targets, ...fresh],
  };
}

function declaredRunner(declared: DeclaredRunner, names: readonly string[], root: string, origin: Target['origin']): Runner {
  const call = declared.command ?? '{target}';
  return {
    name: RUNNER_OF[programOf(call)] ?? 'declared',
    dir: root,
    file: origin.file,
    combine: declared.combine ?? 'none',
    call,
    pass: declared.pass,
    durations: false,
    targets: names.map((name) => newTarget(name, declared.targets[name] as DeclaredTarget, call, root, origin)),
  };
}

function newTarget(name: string, says: DeclaredTarget, call: string, dir: string, origin: Target['origin']): Target {
  const covers = coversIn(says.covers ?? [], dir);
  const role = says.role ?? roleOf(name, []);
  const base: Target = {
    name,
    command: says.command ?? callOf(call, name),
    recipe: [],
    covers,
    includes: [],
    writes: [],
    role,
    parts: [],
    gate: false,
    endless: isEndless(name, role, []),
    origin,
  };
  return overridden(base, says, origin);
}

function overridden(target: Target, says: DeclaredTarget, origin: Target['origin']): Target {
  return {
    ...target,
    origin,
    ...(says.command === undefined ? {} : { command: says.command }),
    ...(says.covers === undefined ? {} : { covers: coversIn(says.covers, '/') }),
    ...(says.includes === undefined ? {} : { includes: says.includes }),
    ...(says.writes === undefined ? {} : { writes: says.writes }),
    ...(says.role === undefined ? {} : { role: says.role, endless: says.role === 'serve' }),
    ...(says.endless === undefined ? {} : { endless: says.endless }),
    ...(says.gate === undefined ? {} : { gate: says.gate, refused: !says.gate }),
  };
}

/** A declared cover stands for its tool outright. */
const coversIn = (covers: readonly string[], dir: string): readonly Cover[] =>
  covers.flatMap((text) =>
    readRecipe(text, dir).calls.flatMap(({ program, argv }) => (program === '' ? [] : [{ program, argv, whole: true }])),
  );

function environmentOf(declared: Readonly<Record<string, DeclaredEnvironment>>, look: Look | undefined): Profile['environment'] {
  return Object.entries(declared).map(([prefix, each]) => {
    const text = each.from === undefined ? undefined : look?.read(each.from, MAX_ENVIRONMENT);
    const found = text === undefined ? [] : assigned(text);
    return {
      prefix,
      names: [...new Set([...(each.names ?? []), ...found.filter((name) => name.startsWith(prefix))])],
      retired: each.retired ?? {},
    };
  });
}

/** Names that a file assigns: `.env.example`, a shell file; comments name what may be set as well. */
const assigned = (text: string): readonly string[] =>
  [...text.matchAll(/^\s*#?\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*[=:]/gm)].map((match) => match[1] as string);
