/** Several policies at once: the strictest value of every key. Pure. */
import { createHash } from 'node:crypto';
import { canonical, directionOf, optionDirection } from './direction.ts';
import { gatesOf } from './gates.ts';
import { baseLevel } from './in-force.ts';
import type { Generated, Loosening, Origin, Policy, RulePolicy } from './policy.ts';

/**
 * How policies meet. `places`: of several workspaces one call touches; globs of exceptions reach below their own root only.
 * `times`: of one workspace at two times, the present one first.
 */
export type Meeting = 'places' | 'times';

/** The policy that is as strict as each of these. Keys that cannot be compared (gate, runner) keep the first policy's value; `gates` has each workspace's own. */
export function strictestOf(policies: readonly Policy[], meeting: Meeting = 'places'): Policy {
  const [first, ...rest] = policies;
  if (!first) throw new Error('no policy to take the strictest of');
  return rest.reduce((all, next) => (all.revision === next.revision && all.root === next.root ? all : both(all, next, meeting)), first);
}

function both(a: Policy, b: Policy, meeting: Meeting): Policy {
  const strict = <T>(key: string, before: T, after: T): T => directionOf(key).strict(before, after) as T;
  const allow = strict('network.allow', a.network?.allow, b.network?.allow);
  const merged: Policy = {
    ...a,
    preset: strict('preset', a.preset, b.preset),
    rules: rulesOf(a, b, meeting),
    regenerable: exceptionsOf(
      a,
      b,
      meeting,
      (policy) => policy.regenerable,
      (glob) => glob,
    ),
    generated: outputsOf(a, b, meeting),
    protected: {
      branches: strict('protected.branches', a.protected.branches, b.protected.branches),
      paths: strict('protected.paths', a.protected.paths, b.protected.paths),
      hidden: strict('protected.hidden', a.protected.hidden ?? [], b.protected.hidden ?? []),
    },
    network: allow ? { allow } : undefined,
    skills: strict('skills', a.skills, b.skills),
    budgets: Object.fromEntries(
      [...new Set([...Object.keys(a.budgets), ...Object.keys(b.budgets)])].map((name) => [
        name,
        strict(`budgets.${name}`, a.budgets[name], b.budgets[name])!,
      ]),
    ),
    halting: {
      boundary: strict('halting.boundary', a.halting.boundary, b.halting.boundary),
      category: strict('halting.category', a.halting.category, b.halting.category),
      any: strict('halting.any', a.halting.any, b.halting.any),
    },
    // Of two times the earlier gate counts; one that was declared since counts at once. Of two places each has its own.
    gate: meeting === 'times' ? earlierGate(a.gate, b.gate) : a.gate,
    ...(meeting === 'times' ? {} : { gates: { ...gatesOf(b), ...gatesOf(a) } }),
    runner: meeting === 'times' ? b.runner : a.runner,
    environment: meeting === 'times' ? { ...a.environment, ...b.environment } : { ...b.environment, ...a.environment },
    deadlineMs: meeting === 'times' ? b.deadlineMs : a.deadlineMs,
    owner: strict('owner', a.owner, b.owner),
    cost: strict('cost', a.cost, b.cost),
    custom: distinct([...a.custom, ...b.custom], (rule) => canonical({ ...rule, origin: undefined })),
    patterns: { ...a.patterns, ...b.patterns },
    errors: meeting === 'times' ? a.errors : distinct([...a.errors, ...b.errors], canonical),
    untrusted:
      meeting === 'times' ? a.untrusted : distinct([...a.untrusted, ...b.untrusted], (each: Loosening) => `${each.scope} ${each.digest}`),
    sources: meeting === 'times' ? a.sources : distinct([...a.sources, ...b.sources], (source) => source.path),
  };
  return { ...merged, revision: `sha256:${createHash('sha256').update(`${a.revision}\n${b.revision}`).digest('hex')}` };
}

/** The gate a session began with, and beside it what has taken its place since. */
function earlierGate(now: Policy['gate'], then: Policy['gate']): Policy['gate'] {
  if (!then || now?.command === then.command) return then ?? now;
  return { ...then, since: { command: now?.command } };
}

/** Exceptions by glob. At two times only what both hold counts; in two workspaces also what stays below the own root. */
function exceptionsOf<T>(
  a: Policy,
  b: Policy,
  meeting: Meeting,
  read: (policy: Policy) => readonly T[],
  globOf: (item: T) => string,
): readonly T[] {
  const has = (policy: Policy, item: T) => read(policy).some((other) => canonical(other) === canonical(item));
  const own = (policy: Policy, item: T) => meeting === 'places' && policy.root !== undefined && globOf(item).startsWith(`${policy.root}/`);
  return [...read(a).filter((item) => has(b, item) || own(a, item)), ...read(b).filter((item) => !has(a, item) && own(b, item))];
}

/** Every declaration protects; only one that both hold, or a workspace's own, also says that nobody misses the files. */
function outputsOf(a: Policy, b: Policy, meeting: Meeting): readonly Generated[] {
  const sure = exceptionsOf(
    a,
    b,
    meeting,
    (policy) => policy.generated.filter((each) => !each.claimed),
    (each) => each.files,
  );
  const all = distinct(
    [...a.generated, ...b.generated].map(({ claimed: _claimed, ...each }): Generated => each),
    canonical,
  );
  return all.map((each) => (sure.some((other) => canonical(other) === canonical(each)) ? each : { ...each, claimed: true }));
}

function rulesOf(a: Policy, b: Policy, meeting: Meeting): Record<string, RulePolicy> {
  const rules: Record<string, RulePolicy> = {};
  for (const name of new Set([...Object.keys(a.rules), ...Object.keys(b.rules)])) rules[name] = ruleOf(a, b, name, meeting);
  return rules;
}

const NO_FILE: Origin = { file: 'default' };

function ruleOf(a: Policy, b: Policy, name: string, meeting: Meeting): RulePolicy {
  const { default: own = 'deny', group = 'guard' } = (a.rules[name] ?? b.rules[name])!;
  const standard = (policy: Policy): RulePolicy => ({
    level: baseLevel(own, group, policy.preset),
    origin: NO_FILE,
    options: {},
    default: own,
    group,
  });
  const [mine, other] = [a.rules[name] ?? standard(a), b.rules[name] ?? standard(b)];
  const level = directionOf('rules.*').strict(mine.level, other.level) as RulePolicy['level'];
  const winner = level === mine.level ? mine : other;
  const waiting =
    winner === mine
      ? mine.untrusted
      : { level: mine.level, origin: mine.origin, waits: meeting === 'times' ? ('session' as const) : ('trust' as const) };
  const { untrusted: _untrusted, ...rest } = winner;
  const directions = { ...mine.directions, ...other.directions };
  return { ...rest, directions, options: optionsOf(mine, other, directions), ...(waiting ? { untrusted: waiting } : {}) };
}

/** Each option at its stricter value; one that a policy does not give stands at its default there. */
function optionsOf(a: RulePolicy, b: RulePolicy, directions: NonNullable<RulePolicy['directions']>): RulePolicy['options'] {
  const entries = Object.entries(directions).map(([name, direction]) => {
    const value = optionDirection(direction.loosens, direction.default).strict(
      a.options[name] ?? direction.default,
      b.options[name] ?? direction.default,
    );
    return [name, value as string | number | boolean] as const;
  });
  return Object.fromEntries(entries);
}

function distinct<T>(all: readonly T[], key: (item: T) => string): readonly T[] {
  return [...new Map([...all].reverse().map((each) => [key(each), each])).values()].reverse();
}
