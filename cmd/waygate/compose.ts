/** The composition root: what a judgement needs, put together once per process. */

import { realpathSync } from 'node:fs';
import { indexRules } from '../../internal/engine/evaluate.ts';
import { type Assumption, assumedFacts, assumedLook } from '../../internal/fact/assume.ts';
import type { Facts } from '../../internal/fact/facts.ts';
import { realLook } from '../../internal/fact/look.ts';
import { realFacts } from '../../internal/fact/real.ts';
import { recipesOf } from '../../internal/gate/session.ts';
import type { Sources } from '../../internal/judge/answer.ts';
import { policyAtHand, policyFor, policyOfRoot, prepareChange } from '../../internal/policy/current.ts';
import type { Policy, PolicyError } from '../../internal/policy/policy.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import { quoteLine } from '../../internal/rule/quote.ts';
import { isExecutable, placesOf } from '../../internal/runlog/program.ts';
import { RULES } from '../../rules/index.gen.ts';

export type Assume = Assumption;

/** The table of rules by effect. */
const TABLE = indexRules(RULES);

/** What replaces the real policy and facts. */
export interface WhatIf {
  assume?: Assume;
  preset?: Policy['preset'];
  /** A policy read from a file, instead of the one in force. */
  policy?: Policy;
}

/** The part of the deadline that all git questions of a judgement may take together, those about its remedies included. */
const GIT_SHARE = 0.75;

/** Where look, policy and facts come from. `whatIf`: judges without a session's floor and writes nothing. */
export function sources(whatIf?: WhatIf): Sources {
  // Thousands of what-ifs in one process: reading the environment anew each time is the dearest part of a small call.
  const env = whatIf?.assume ? { ...process.env } : process.env;
  return {
    look: (action) => (whatIf?.assume ? assumedLook(whatIf.assume, action, env) : realLook()),
    policy: whatIf
      ? policyOfWhatIf(whatIf)
      : (action, effects) => policyAtHand(action, { rules: RULES, effects }) ?? policyFor(action, { rules: RULES, effects }),
    unhurried: whatIf?.assume !== undefined,
    bench: (policy, look) => {
      const now = () => new Date();
      // Many calls in one process: an object with a getter of its own is dear to make, and PATH is looked along once.
      if (whatIf?.assume) {
        const { assume } = whatIf;
        return { rules: TABLE, policy, look, facts: (action) => assumedFacts(assume, action, policy, env), waygate: waygateCommand(), now };
      }
      const endsAt = performance.now() + policy.deadlineMs * GIT_SHARE;
      return {
        rules: TABLE,
        policy,
        look,
        facts: (action) =>
          onDemand(() =>
            realFacts(action, policy, {
              budgetMs: Math.max(1, endsAt - performance.now()),
              look,
              keep: !whatIf,
              recipes: recipesOf(action.caller.session),
            }),
          ),
        get waygate() {
          return waygateCommand();
        },
        now,
      };
    },
  };
}

/** The policy of a what-if: nothing is written, and a session's floor does not count. */
function policyOfWhatIf(whatIf: WhatIf): Sources['policy'] {
  const underPreset = (policy: Policy): Policy => (whatIf.preset ? { ...policy, preset: whatIf.preset } : policy);
  const given = whatIf.policy && underPreset(whatIf.policy);
  // In an assumed world nothing changes between two calls: one policy for all calls of a workspace.
  const known = new Map<string, Policy>();
  return async (action, effects) => {
    if (given || whatIf.assume) {
      const policy =
        given ??
        known.get(action.workspace) ??
        underPreset(await policyOfRoot(rootOf(action.workspace) ?? action.workspace, { rules: RULES, record: false }));
      known.set(action.workspace, policy);
      await prepareChange(action, RULES, policy);
      return policy;
    }
    return underPreset(await policyFor(action, { rules: RULES, effects, record: false }));
  };
}

const NO_COST = { git: 0, held: [] };

/** Facts that are made when the first one is asked for: most calls meet no rule that looks at anything. */
function onDemand(make: () => Facts): Facts {
  let made: Facts | undefined;
  return new Proxy({} as Facts, {
    get: (_target, name: keyof Facts) => {
      if (name === 'cost' && !made) return NO_COST;
      made ??= make();
      return made[name];
    },
  });
}

/** What is wrong with the policy files that count in a workspace. */
export async function policyErrors(workspace: string): Promise<readonly PolicyError[]> {
  return (await policyOfRoot(workspace, { rules: RULES, record: false })).errors;
}

let command: string | undefined;

/** How waygate is called from a shell here: by its name when that leads to this very program, else by its absolute path. */
export function waygateCommand(): string {
  command ??= findCommand();
  return command;
}

function findCommand(): string {
  const own = ownProgram();
  const first = placesOf('waygate', '.', process.env).find(isExecutable);
  if (first !== undefined && real(first) === own.at(-1)) return 'waygate';
  return quoteLine(own);
}

/** argv that starts this program: the compiled executable, or node and the bundle's entry. */
export function ownProgram(): readonly string[] {
  if (isCompiled()) return [process.execPath];
  const script = process.argv[1];
  return script ? [process.execPath, real(script)] : [process.execPath];
}

/** Inside an executable made by `bun build --compile`. */
export const isCompiled = (): boolean => process.execPath !== process.argv[0] || process.argv[1]?.startsWith('/$bunfs/') === true;

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
