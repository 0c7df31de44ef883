/** What a person reads when git is about to push: the refs, what covers them, and the one command. Pure. */
import type { Decision } from '../decision/record.ts';
import type { Coverage } from '../gate/coverage.ts';
import { line, visible } from './visible.ts';

/** One ref of a push. */
export interface PushedRef {
  /** Short name on the remote. */
  name: string;
  /** Full name of the object that is pushed; undefined for a deletion. */
  oid: string | undefined;
  does: 'creates' | 'updates' | 'overwrites' | 'deletes' | 'tag';
  /** A remote has the commit already. */
  isThere?: boolean;
  /** Absent: no gate is declared for it, or it needs none. */
  coverage?: Coverage;
}

const SAYS_LIMIT = 600;
const NAME_LIMIT = 60;
/** Refs that are listed; `git push --all` may bring hundreds. */
const MAX_REFS = 20;

/** The text about a push that is refused, or that passes with something to say; '' when nothing is to be said. */
export function pushView(decision: Decision, refs: readonly PushedRef[]): string {
  if (decision.verdict === 'deny') return visible(refused(decision, refs));
  return visible(
    [...saidOf(decision), ...decision.notices.map((notice) => notice.says)].map((says) => `waygate: ${plain(says)}`).join('\n'),
  );
}

const saidOf = ({ verdict, says }: Decision): readonly string[] => (verdict === 'pass' || says === undefined ? [] : [says]);

function refused(decision: Decision, refs: readonly PushedRef[]): string {
  // What the agent reads says nothing about the guard's own trouble; a person can mend it.
  const why = decision.kind === 'unavailable' ? sentence(decision.person ?? '') : decision.says;
  const lines = [`waygate: nothing was pushed. ${plain(why ?? '')}`.trimEnd()];
  if (decision.kind === 'policy') lines.push(...refLines(refs));
  lines.push(...decision.notices.map((notice) => `Also: ${plain(notice.says)}`));
  const run = decision.remedies.find((remedy) => remedy.kind === 'run');
  if (decision.kind === 'unavailable') lines.push('To see what is wrong: waygate doctor');
  else if (run) {
    lines.push(`Run: ${run.run}`);
    lines.push(`     ${plain(run.because)}`);
  }
  lines.push('The decision is yours: git push --no-verify goes past this check.');
  return lines.join('\n');
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

/** A table of the refs, with what covers each. */
export function refLines(refs: readonly PushedRef[]): readonly string[] {
  const shown = refs.slice(0, MAX_REFS);
  const width = Math.max(0, ...shown.map((ref) => line(ref.name, NAME_LIMIT).length));
  const lines = shown.map(
    (ref) => `  ${line(ref.name, NAME_LIMIT).padEnd(width)}  ${(ref.oid ?? '').slice(0, 7).padEnd(7)}  ${stateOf(ref)}`,
  );
  return refs.length > shown.length ? [...lines, `  and ${refs.length - shown.length} more`] : lines;
}

function stateOf({ does, isThere, coverage }: PushedRef): string {
  if (does === 'deletes') return 'is deleted: no gate is needed';
  if (isThere) return 'a remote has it already: no gate is needed';
  if (!coverage) return does === 'tag' ? 'a tag' : 'no gate is declared for it';
  return `${coverage.state}: ${plain(coverage.why)}`;
}

/** Backticks are for the agent. */
const plain = (text: string): string => line(text.replaceAll('`', ''), SAYS_LIMIT);
