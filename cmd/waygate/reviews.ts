/** What a call that succeeded has shown about reviews, written down. Loaded only after calls of a forge's tool. */
import type { Action } from '../../internal/action/action.ts';
import { reviewsSeen } from '../../internal/effect/review-calls.ts';
import type { Session } from '../../internal/ledger/session.ts';
import { DEFAULT_POLICY } from '../../internal/policy/policy.ts';
import { sources } from './compose.ts';

export function rememberReviews(action: Action, session: Session, now: Date = new Date()): void {
  const from = sources();
  const look = from.look(action);
  const facts = from.bench(DEFAULT_POLICY, look).facts(action);
  for (const { cwd, state, branch, number, current } of reviewsSeen(action, action.output ?? '', look)) {
    const repo = facts.repo({ dir: cwd });
    const name = branch ?? (current ? repo?.branch : undefined);
    if (!repo || (name === undefined && number === undefined)) continue;
    session.append({
      t: 'review',
      at: now.toISOString(),
      repo: repo.commonDir,
      state,
      ...(name === undefined ? {} : { branch: name }),
      ...(number === undefined ? {} : { number }),
    });
  }
}
