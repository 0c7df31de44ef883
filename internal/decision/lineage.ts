/**
 * Lineage: the earlier refusals that a decision stands in, and when they stop a run. Pure.
 * Everything counts by boundary, category, agent and tool; no text a tool or an agent writes is looked at.
 */
import type { AgentId, BoundaryView, SessionView, StreakView, Tripped } from '../ledger/records.ts';
import type { Decision, Lineage } from './record.ts';

/** When a run is stopped: the refusals on one boundary, those of one category, failures and refusals of any kind. */
export interface Halting {
  boundary: number;
  category: number;
  any: number;
}

/** Design.md section 1: the sixth on one boundary or of one category, the twelfth of any kind. */
export const DEFAULT_HALTING: Halting = { boundary: 6, category: 6, any: 12 };

/** The refusal on one boundary that asks for a progress checkpoint. */
export const CHECKPOINT_AT = 3;

export const MAIN_AGENT: AgentId = '';

/** The key of a streak in the view. */
export const streakKey = (agent: AgentId, tool: string): string => `${agent}\n${tool}`;

/**
 * What refusals are counted by: the boundary, where deleting, overwriting and discarding the same content are one. The boundaries stay
 * apart for whoever grants them: to let a file be deleted is not to let it have another content (docs/adr/0006).
 */
export const lineageOf = (boundary: string | undefined): string =>
  (boundary ?? '').replace(/^(?:file\.delete|file\.overwrite|git\.discard|git\.clean) (?=\/)/, 'content.loss ');

/** The text whose digest says whether a question is a new one: policy, boundary, what is at stake, grants. */
export const preconditionsOf = (decision: Pick<Decision, 'policy' | 'boundary' | 'atStake'>, grants = ''): string =>
  JSON.stringify([decision.policy, lineageOf(decision.boundary), [...(decision.atStake ?? [])].sort(), grants]);

/** What is known of one boundary under some preconditions. */
export type Known = Pick<BoundaryView, 'first' | 'says' | 'count' | 'counted' | 'byAgent' | 'prompt' | 'stoppedAt'>;

export function knownOf(view: SessionView, boundary: string | undefined, preconditions: string): Known | undefined {
  const found = view.boundaries[lineageOf(boundary)];
  if (!found || found.preconditions === preconditions) return found;
  return found.others?.[preconditions];
}

/** What a decision gets from its session. */
export interface Placed {
  decision: Decision;
  /** It is a refusal that counts. */
  counted: boolean;
  /** It is a request of the wrong shape, to be sent again in the right one. */
  hintable: boolean;
  /** The agent had read a refusal on this boundary. */
  read: boolean;
}

/** A decision with its place in the session. A refusal gets its lineage, a narrower call the refusal it answers. */
export function placed(decision: Decision, view: SessionView, preconditions: string, halting: Halting = DEFAULT_HALTING): Placed {
  const narrowed = narrowedFrom(decision, view);
  const linked: Decision = narrowed === undefined ? decision : { ...decision, narrowedFrom: narrowed };
  // What the host puts to the person is no refusal yet.
  if (decision.verdict !== 'deny' || decision.prompt) return { decision: linked, counted: false, hintable: false, read: false };
  const agent = decision.agent?.id ?? MAIN_AGENT;
  const streak = view.streaks[streakKey(agent, decision.action.tool)];
  if (decision.kind === 'validation')
    return { decision: malformed(linked, streak, view, halting), counted: false, hintable: true, read: false };

  const known = knownOf(view, decision.boundary, preconditions);
  const read = (known?.byAgent[agent] ?? 0) > 0;
  const counted = known ? known.counted + (read ? 1 : 0) : 1;
  const same = streak?.category === decision.category ? streak!.same + 1 : 1;
  const any = (streak?.any ?? 0) + 1;
  const boundaryTrips = counted >= halting.boundary && (read || !known) && !(known && grantedOnBoundary(known, view));
  const more = streak !== undefined && grantedToStreak(streak, view, view.boundaries[lineageOf(decision.boundary)]);
  const tripped: Tripped | undefined = boundaryTrips
    ? { counter: 'boundary', count: counted }
    : more
      ? undefined
      : streakTrips(same, any, halting);
  const lineage: Lineage = {
    repeat: known?.count ?? 0,
    first: known?.first ?? null,
    same,
    any,
    progress: tripped ? 'stop' : counted >= CHECKPOINT_AT && read ? 'checkpoint' : 'continue',
    ...(known ? { says: known.says } : {}),
    ...(tripped ? { tripped } : {}),
  };
  return { decision: { ...linked, lineage }, counted: true, hintable: false, read };
}

function streakTrips(same: number, any: number, halting: Halting): Tripped | undefined {
  if (same >= halting.category) return { counter: 'category', count: same };
  return any >= halting.any ? { counter: 'any', count: any } : undefined;
}

/** A request of the wrong shape has no boundary and no category that could repeat; only the count of any kind knows it. */
function malformed(decision: Decision, streak: StreakView | undefined, view: SessionView, halting: Halting): Decision {
  const any = (streak?.any ?? 0) + 1;
  const stops = any >= halting.any && !(streak && grantedToStreak(streak, view, undefined));
  const tripped: Tripped | undefined = stops ? { counter: 'any', count: any } : undefined;
  const progress = tripped ? 'stop' : 'continue';
  return { ...decision, lineage: { repeat: 0, first: null, same: streak?.same ?? 0, any, progress, ...(tripped ? { tripped } : {}) } };
}

/** After a stop, a person's next prompt grants one more attempt per boundary. */
const grantedOnBoundary = (known: Known, view: SessionView): boolean =>
  known.stoppedAt !== undefined && known.stoppedAt < view.prompts && known.prompt < view.prompts;

/** The same for a streak: one more attempt in each prompt, and one on each boundary that was refused before it. */
const grantedToStreak = (streak: StreakView, view: SessionView, boundary: BoundaryView | undefined): boolean =>
  streak.stoppedAt !== undefined &&
  streak.stoppedAt < view.prompts &&
  (streak.granted !== view.prompts || (boundary !== undefined && boundary.prompt < view.prompts));

/** The counter that a failed call, or one the host refused, trips; undefined when none does. */
export function trippedByOutcome(
  view: SessionView,
  outcome: { agent: AgentId; tool: string; result: 'failed' | 'refused' },
  halting: Halting = DEFAULT_HALTING,
): Tripped | undefined {
  const streak = view.streaks[streakKey(outcome.agent, outcome.tool)];
  if (streak && grantedToStreak(streak, view, undefined)) return undefined;
  const same = outcome.result === 'refused' ? (streak?.category === HOST_REFUSAL ? streak!.same + 1 : 1) : 0;
  return streakTrips(same, (streak?.any ?? 0) + 1, halting);
}

/** The category of a refusal that the host's own permission system made. */
export const HOST_REFUSAL = 'approval-required';

/** The refusal that a call answers with a narrower target of the same consequence. */
function narrowedFrom(decision: Decision, view: SessionView): string | undefined {
  const earlier = Object.values(view.boundaries);
  if (earlier.length === 0) return undefined;
  const asked = decision.verdict === 'deny' ? [decision.boundary ?? ''] : decision.effects.flatMap(consequenceOf);
  for (const known of earlier.reverse()) if (asked.some((each) => narrows(each, known.boundary))) return known.first;
  return undefined;
}

/** What an effect of a call that passed would have as its boundary: kind and targets. */
function consequenceOf(effect: Readonly<Record<string, unknown>>): readonly string[] {
  const kind = effect['kind'];
  if (typeof kind !== 'string') return [];
  if (kind === 'git.push') return pushesOf(effect);
  const targets = [effect['targets'], effect['paths'], effect['target'], effect['path']].flat() as readonly unknown[];
  const paths = targets.flatMap((target) => pathOf(target));
  return paths.length > 0 ? [`${kind} ${paths.join(' ')}`] : [];
}

function pushesOf(effect: Readonly<Record<string, unknown>>): readonly string[] {
  const refs = Array.isArray(effect['refs']) ? (effect['refs'] as readonly { dst?: string; force?: string }[]) : [];
  const remote = effect['remoteName'] ?? 'origin';
  return refs.flatMap(({ dst, force }) =>
    dst && force === 'none' ? [`git.push ${String(remote)}/${dst.replace(/^refs\/heads\//, '')}`] : [],
  );
}

function pathOf(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target];
  const path = target && typeof target === 'object' ? (target as { path?: unknown }).path : undefined;
  return typeof path === 'string' ? [path] : [];
}

/** The same consequence on a part of the target: fewer words, or a path below one of them. */
export function narrows(later: string, earlier: string): boolean {
  if (later === earlier) return false;
  const [kind, ...words] = later.split(' ');
  const [before, ...wide] = earlier.split(' ');
  if (kind !== before || words.length === 0 || words.length > wide.length) return false;
  return words.every((word) =>
    wide.some((each) => each === word || (each.startsWith('/') && word.startsWith(each === '/' ? each : `${each}/`))),
  );
}
