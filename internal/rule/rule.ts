/**
 * A rule is one value: claim, reason, judgement with remedy, evidence, examples. This is the only module a rule imports.
 * See `docs/guide/writing-a-rule.md`.
 */

import type { Category, Persistence } from '../decision/category.ts';
import type { Effect, EffectKind, EffectOf, Target } from '../effect/effect.ts';
import type { AtStake, CheckoutFact, DirtyFile, FactName, Facts, GeneratedFact, Stake } from '../fact/facts.ts';

export type { AtStake, Category, CheckoutFact, DirtyFile, Effect, EffectKind, EffectOf, Facts, GeneratedFact, Persistence, Stake, Target };

/** What a rule may be set to. A notice takes only advise and off. */
export type Level = 'deny' | 'advise' | 'notice' | 'off';

/** A way on. `run` and `call` are judged before they are shown; a text never holds a placeholder. */
export type Remedy =
  /** A command for the caller's shell. `then: 'again'`: after it the original call passes. */
  | { kind: 'run'; run: string; because: string; then?: 'again' }
  /** A call of another tool. */
  | { kind: 'call'; tool: string; input: Readonly<Record<string, unknown>>; because: string; then?: 'again' }
  | { kind: 'wait'; because: string }
  /** Put this sentence to the owner. `preview`: a read-only command that shows what it would hit. */
  | { kind: 'ask'; ask: string; because: string }
  | { kind: 'stop'; because: string };

/** What a rule says about one effect. */
export interface Finding {
  /** One sentence for the agent, real names in backticks: what was caught. No advice in it. */
  says: string;
  /** One plain sentence for the person. */
  person?: string;
  /** Weaker than the rule's level for this case only: a loss that can be undone. */
  level?: 'advise' | 'notice';
  /** Best first. A rule that denies must give at least one. */
  remedies: readonly [Remedy, ...Remedy[]];
  category?: Category;
  persistence?: Persistence;
  /** The normalized consequence with its target, equal for every route to it: `git.push origin/main overwrite`. */
  boundary: string;
  atStake?: readonly AtStake[];
  /** Content that only a checkpoint holds: the call passes, the person reads how to get it back. */
  held?: Stake['held'];
}

/** A notice never refuses and needs no remedy. */
export interface NoticeFinding {
  says: string;
  person?: string;
  boundary: string;
  remedies?: readonly Remedy[];
}

/** The options a workspace gave this rule. */
export type Options = Readonly<Record<string, string | number | boolean>>;

/** What a rule may ask besides its effect. */
export interface Asked<N extends FactName = FactName> {
  facts: Pick<Facts, N>;
  options: Options;
  /** The other effects of the action, in order, this one among them. */
  effects: readonly Effect[];
  /** How waygate is called here: `waygate`, or the absolute command when it is not on PATH. For remedies. */
  waygate: string;
  /** Tools the caller certainly has, by surface, with the host's own names: for remedies of kind `call`. */
  tools: { edit?: string; write?: string; read?: string; shell?: string };
}

/** An example: a shell line, or a tool call. `given`: bash lines run in a fresh repository (see test/template) before it is judged. */
export type Example = ({ run: string } | { tool: string; input: Readonly<Record<string, unknown>> }) & {
  given?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Directory, relative to the repository. */
  cwd?: string;
  why?: string;
  /** For catches of a rule that also advises: what this one gets. Default: the rule's level. */
  gets?: 'deny' | 'advise' | 'notice';
};

interface Common<K extends EffectKind, N extends FactName> {
  /** File name and id: the act caught, kebab-case. */
  name: string;
  /** Older names and the names of the catalogue. */
  aliases?: readonly string[];
  group: 'work' | 'push' | 'outside' | 'secrets' | 'guard' | 'run' | 'read' | 'write' | 'agents' | 'leases' | 'cost';
  /** The claim, one sentence in the imperative. */
  summary: string;
  /** A paragraph or two: what goes wrong without it. */
  why: string;
  /** What the habit costs, where that was measured, what would reopen the setting. */
  evidence: string;
  on: K | readonly K[];
  needs: readonly N[];
  category: Category;
  persistence: Persistence;
  /** When the rule keeps quiet although its effect is there, one line each. */
  quiet?: readonly string[];
  examples: { catches: readonly [Example, Example, ...Example[]]; allows: readonly [Example, Example, ...Example[]] };
  /** Wrappings that change this rule's meaning, each with the reason. */
  wrappings?: Partial<Record<Wrapping, string>>;
  /** At git's pre-push it also judges what a person pushes; of the other rules a person gets notices there (design.md section 6). */
  everyone?: true;
  /** Options a workspace may give, with their meaning, default and direction: which way loosens. */
  options?: Readonly<Record<string, { what: string; default: string | number | boolean; loosens: 'up' | 'down' | 'change' }>>;
}

/** The wrappings of the whole-table test. */
export type Wrapping = 'cd' | 'env' | 'bash-c' | 'subshell' | 'background' | 'time' | 'quoting' | 'loop' | 'substitution' | 'xargs';

/**
 * `standing`: the notice tells a fact about the workspace rather than a mistake in the line. An agent hears it once per session for one
 * boundary, and again after its memory was compacted (rules.md X14).
 */
export type Rule<K extends EffectKind = EffectKind, N extends FactName = FactName> = Common<K, N> &
  (
    | { level: 'deny' | 'advise' | 'off'; fixed?: boolean; judge(effect: EffectOf<K>, asked: Asked<N>): Finding | undefined }
    | {
        level: 'notice';
        fixed?: boolean;
        whyNotice: string;
        standing?: true;
        judge(effect: EffectOf<K>, asked: Asked<N>): NoticeFinding | undefined;
      }
  );

/** A rule with its types forgotten, as the table holds it. */
export type AnyRule = Omit<Rule, 'judge' | 'on' | 'needs' | 'level'> & {
  level: Level;
  fixed?: boolean;
  whyNotice?: string;
  standing?: true;
  on: EffectKind | readonly EffectKind[];
  needs: readonly FactName[];
  judge(effect: Effect, asked: Asked): Finding | NoticeFinding | undefined;
};

/** Declares a rule. Types `judge` by `on` and `needs`; a deny without a remedy or a rule without two examples on each side does not compile. */
export function defineRule<const K extends EffectKind, const N extends FactName>(rule: Rule<K, N>): AnyRule {
  return rule as unknown as AnyRule;
}
export { globRegExp } from '../shell/glob.ts';
export { runsHere, targetRuns } from './elsewhere.ts';
export { type Covered, coveredRefs, gateRun, gateStatus, isGateCall, pushedShown, waysToCover } from './gate.ts';
export { type Classes, classesOf, isMaker, lineRuns, madeHow, makeLine, type Output, outputsAmong, outputsShown } from './generated.ts';
export { keepsSteps } from './hook-steps.ts';
export { isKnownPackage } from './known-packages.ts';
export { effectsAt, effectsOn, madeBefore, onceFor } from './lookup.ts';
export { isFolder, landings, pathFrom, pathList, pathsOf, savingTargets, shownTargets, type Touch, touched, wholeOf } from './paths.ts';
export { quote, quoteLine } from './quote.ts';
export { isOurs, isOwnProgram, readFirst, sameEdit, sameWrite, showsChange } from './rewriting.ts';
export { durationText, endsItself, isCheck, type Resolved, type RunTarget, runBoundary, runName, targetsOf } from './runs.ts';
export { type Combined, combined } from './runs-combine.ts';
export { drops, filterOf, isFilter } from './runs-filters.ts';
export { waysOn } from './runs-line.ts';
export { isTests, type RunTool, type Wrapped, wrappers } from './runs-tools.ts';
export { edited, settingsDanger } from './settings-change.ts';
export { argument, atRisk, gitIn, onlyCommits, saving, ways } from './stake.ts';
export { count, list, names, ordinal, remoteShown } from './text.ts';
export { type UnknownVariable, unknownIn, unknownOwn } from './variables.ts';
