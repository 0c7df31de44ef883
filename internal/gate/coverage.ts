/**
 * Does a green gate cover a commit: one function for the push rules, the gate's own repetition and `waygate gate status`.
 * Pure: the log, the trees and the check of signatures are given.
 */
import { type Logged, type RunLog, secondsOf } from '../runlog/read.ts';
import type { RunRecord, TreeDigest } from '../runlog/record.ts';

export interface Coverage {
  /** passed: a signed, passed run saw this commit or an identical tree. unknown: the log cannot be read, or the commit cannot. */
  state: 'passed' | 'failed' | 'incomplete' | 'absent' | 'unknown';
  /** Full object name; undefined when the revision does not resolve. */
  commit: string | undefined;
  /** The declared gate. */
  command: string;
  /** One sentence: what covers it, or why nothing does. */
  why: string;
  /** The run that decides. */
  run?: { id: string; at: string; seconds: number | undefined; by: 'commit' | 'tree' };
  /** Passed, and the run saw the same untracked files in the same environment too: the same run again proves nothing new. */
  proven?: boolean;
  /** A passed run that does not count, because what the gate stands for has changed since the session began. */
  changed?: { id: string; was: string; is: string; expansion: readonly string[] };
  /** What to do about a commit that is not covered; absent when it is, or when that cannot be told. */
  way?: Way;
}

/** How a commit gets covered. */
export type Way =
  /** The gate runs in this directory: what stands there is the commit. */
  | { how: 'run'; dir: string }
  /** The work tree has changes that the commit has not: the gate would see them. `proven`: the gate passed with them. */
  | { how: 'changes'; dir: string; proven: boolean; paths: readonly string[] }
  /** The commit stands nowhere: it has to be checked out first. `dirty`: there are changes in the way. */
  | { how: 'elsewhere'; dirty: boolean }
  /** The line that pushes it makes it first: the gate can run in between. */
  | { how: 'line' }
  /** What the gate runs has changed in this session: a person has to look at it. */
  | { how: 'person' };

/** What is asked about. */
export interface Wanted {
  /** The commit, where it is one. */
  commit: string | undefined;
  /** Its tree; undefined: it cannot be told. */
  tree: string | undefined;
  /** The work tree as it stands, where that is asked about. */
  standing?: TreeDigest;
}

/** What counts. */
export interface Terms {
  /** The declared gate's command. */
  command: string;
  /** Is the record as this machine, or somebody it trusts, signed it? */
  isSigned(run: RunRecord): boolean;
  /** What the gate stood for when the session began, as a record's recipe; undefined: no session asks. */
  recipe?: string | undefined;
  /** The environment as it is now: for the proof of a repetition. */
  environment?(): string;
}

/** What a run says about a tree. */
type Says = 'passed' | 'failed' | 'incomplete' | 'running' | undefined;

/** Does a green gate cover what is wanted? */
export function coverageOf(wanted: Wanted, log: RunLog, terms: Terms): Coverage {
  const { commit, tree } = wanted;
  const { command } = terms;
  const base = { commit, command };
  if (log.unread !== undefined) return { ...base, state: 'unknown', why: `The run log cannot be read: ${log.unread}.` };
  if (tree === undefined) return { ...base, state: 'unknown', why: 'git cannot tell which files the commit has.' };

  let open: Logged | undefined;
  let changed: Coverage['changed'];
  let unsigned: RunRecord | undefined;
  // The later end decides; a line that cannot be read may have held a failure.
  const damaged = Math.max(0, ...log.damaged.map((each) => each.line));
  for (const logged of byEnd(log.runs)) {
    const { run, line } = logged;
    if (run.gate?.command !== command) continue;
    const says = saysOf(run, tree);
    if (says === undefined) continue;
    if (line < damaged) break;
    if (says === 'incomplete' || says === 'running') open ??= logged;
    else if (says === 'failed') return { ...base, ...decidedBy(run, wanted), state: 'failed', why: failure(run) };
    else if (!terms.isSigned(run)) unsigned ??= run;
    else if (isOtherRecipe(run, terms.recipe))
      changed ??= { id: run.id, was: terms.recipe as string, is: run.gate.recipe, expansion: run.gate.expansion };
    else {
      const passed = decidedBy(run, wanted);
      return { ...base, ...passed, state: 'passed', why: success(run, passed.run.by), proven: isProven(run, wanted.standing, terms) };
    }
  }
  if (changed)
    return {
      ...base,
      state: 'absent',
      changed,
      why: `What \`${command}\` stands for has changed since the session began, so run ${changed.id} does not count.`,
    };
  if (open) return { ...base, ...decidedBy(open.run, wanted), state: 'incomplete', why: interrupted(open.run, tree) };
  if (unsigned) return { ...base, state: 'absent', why: `The record ${unsigned.id} is not signed by this machine, so it covers nothing.` };
  if (damaged > 0) {
    const at = log.damaged.at(-1)?.at ?? 'the run log';
    return { ...base, state: 'absent', why: `No readable record covers it, and ${at} holds one that cannot be read.` };
  }
  return { ...base, state: 'absent', why: `\`${command}\` has not run on these files.` };
}

/** Latest end first. */
const byEnd = (runs: readonly Logged[]): readonly Logged[] => [...runs].sort((a, b) => b.line - a.line);

const saw = (digest: TreeDigest | undefined, tree: string): boolean => digest?.tracked === tree || digest?.all === tree;
/** The same files at both ends: as tracked, or with the untracked ones. */
const sawAtBothEnds = ({ before, after }: RunRecord, tree: string): boolean =>
  (before?.tracked === tree && after?.tracked === tree) || (before?.all === tree && after?.all === tree);

/** What a run says about a tree; undefined: it has seen another. */
function saysOf(run: RunRecord, tree: string): Says {
  if (!saw(run.before, tree) && !saw(run.after, tree)) return undefined;
  if (run.status === 'running') return 'running';
  if (run.status === 'failed') return 'failed';
  return run.status === 'passed' && sawAtBothEnds(run, tree) ? 'passed' : 'incomplete';
}

/** An agent's own run counts with the recipe of its session's start only; a person may have changed it on purpose. */
const isOtherRecipe = (run: RunRecord, recipe: string | undefined): boolean =>
  recipe !== undefined && run.gate?.by === 'run' && run.caller !== 'person' && run.gate.recipe !== recipe;

function decidedBy(run: RunRecord, wanted: Wanted): { run: NonNullable<Coverage['run']> } {
  const by = wanted.commit !== undefined && run.before?.head === wanted.commit ? 'commit' : 'tree';
  return { run: { id: run.id, at: run.endedAt ?? run.startedAt, seconds: secondsOf(run), by } };
}

function isProven(run: RunRecord, standing: TreeDigest | undefined, terms: Terms): boolean {
  if (!standing || run.gate?.by !== 'run') return false;
  // In this order: what the untracked files make of it is dear to ask.
  const same = (digest: TreeDigest | undefined) => digest?.tracked === standing.tracked && digest.all !== '' && digest.all === standing.all;
  return same(run.before) && same(run.after) && run.environment === terms.environment?.();
}

const when = (run: RunRecord): string => (run.endedAt ?? run.startedAt).slice(0, 16).replace('T', ' ');

const success = (run: RunRecord, by: 'commit' | 'tree'): string =>
  `\`${run.gate?.command}\` passed on ${by === 'commit' ? 'this commit' : 'the same files'} (run ${run.id}, ${when(run)} UTC).`;

const failure = (run: RunRecord): string => `\`${run.gate?.command}\` failed on these files (run ${run.id}, ${when(run)} UTC).`;

function interrupted(run: RunRecord, tree: string): string {
  const named = `\`${run.gate?.command}\``;
  if (run.status === 'running') return `${named} is still running on these files (run ${run.id}).`;
  if (run.status === 'passed')
    return saw(run.before, tree)
      ? `The files changed while ${named} ran, so it says nothing about them (run ${run.id}).`
      : `${named} made these files itself while it ran, and has not seen them from its start (run ${run.id}).`;
  return `${named} was started on these files and did not end (run ${run.id}${run.cause ? `: ${run.cause}` : ''}).`;
}
