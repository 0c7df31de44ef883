/** What a call spends of the budgets, by counted name (`countedAs` of keys.ts). Pure: the session's fold and the judgement ask the same. */
import type { Category } from '../decision/category.ts';
import type { Decision } from '../decision/record.ts';

/** Surfaces on which a call only looks. */
const READING: ReadonlySet<string> = new Set(['read', 'search', 'fetch']);

/** Kinds of effect that change or send something outside the workspace. */
const OUTWARD: ReadonlySet<string> = new Set([
  'git.push',
  'remote.ref',
  'review.merge',
  'review.rewrite',
  'review.protection',
  'package.publish',
  'infra.destroy',
  'infra.change',
  'external.call',
  'data.destroy',
  'container.purge',
  'net.send',
]);

/** The category that an effect is of, whether or not a rule spoke about it. */
const CATEGORY_OF: Readonly<Record<string, Category>> = {
  'secret.read': 'sensitive-data',
  'secret.dump': 'sensitive-data',
  'secret.write': 'sensitive-data',
  'file.delete': 'work-loss',
  'git.discard': 'work-loss',
  'git.clean': 'work-loss',
};

/** What a call is, as far as budgets ask. */
export interface Spending {
  surface: string;
  tool: string;
  effects: readonly { kind: string; dryRun?: boolean; verb?: string }[];
  category?: string;
}

/** What a decision has spent: nothing when the call was refused. */
export function spend(decision: Pick<Decision, 'verdict' | 'action' | 'effects' | 'category'>): Readonly<Record<string, number>> {
  // git's own hook meets the push that a call has been let through for: it counts once.
  if (decision.verdict === 'deny' || decision.action.surface === 'push') return {};
  const { surface, tool } = decision.action;
  return spending({ surface, tool, effects: decision.effects as unknown as Spending['effects'], category: decision.category });
}

/** What a call would spend. The guard's own verbs cost nothing: with them an agent asks, saves and reports. */
export function spending(call: Spending): Readonly<Record<string, number>> {
  const spent: Record<string, number> = {};
  const add = (name: string) => {
    spent[name] = (spent[name] ?? 0) + 1;
  };
  if (call.effects.some((effect) => effect.kind === 'guard.verb' && effect.verb === 'request')) add('requests');
  if (isGuardOnly(call)) return spent;
  add('calls');
  add(`tool ${call.tool}`);
  add(`surface ${call.surface}`);
  if (READING.has(call.surface)) add('reads');
  if (call.surface === 'spawn') add('spawns');
  const categories = new Set<string>();
  let outward = false;
  for (const effect of call.effects) {
    if (effect.dryRun) continue;
    add(effect.kind);
    if (OUTWARD.has(effect.kind)) outward = true;
    const category = OUTWARD.has(effect.kind) ? 'external-effect' : CATEGORY_OF[effect.kind];
    if (category) categories.add(category);
  }
  if (outward) add('effects');
  if (call.category) categories.add(call.category);
  for (const category of categories) add(`category ${category}`);
  return spent;
}

/** Nothing but verbs of waygate. */
export const isGuardOnly = (call: Pick<Spending, 'effects'>): boolean =>
  call.effects.length > 0 && call.effects.every((effect) => effect.kind === 'guard.verb' || effect.kind === 'guard.checkpoint');
