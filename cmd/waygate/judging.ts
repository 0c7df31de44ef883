/** The engine as the hook uses it. A file of its own, so that a call with nothing to judge never loads it. */
import type { Action } from '../../internal/action/action.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { noteGates } from '../../internal/gate/session.ts';
import { answer } from '../../internal/judge/answer.ts';
import type { Session } from '../../internal/ledger/session.ts';
import type { Policy } from '../../internal/policy/policy.ts';
import { RULES } from '../../rules/index.gen.ts';
import { sources, waygateCommand } from './compose.ts';
import { claimed, leaveOpen, pastOf } from './past.ts';

/** A decision, and the policy it was made under where one was found. */
export interface Judged {
  decision: Decision;
  policy?: Policy | undefined;
}

/** Judges a call as a part of its session. A grant's use is taken here: when another call was faster, this one is judged without it. */
export async function judging(action: Action, session: Session): Promise<Judged> {
  const first = await judgeOnce(action, session);
  const decision = quietly(() => claimed(first.decision, action)) ?? (await judgeOnce(action, session)).decision;
  quietly(() => leaveOpen(decision, action, session, () => sources().look(action)));
  return { ...first, decision };
}

async function judgeOnce(action: Action, session: Session): Promise<Judged> {
  const from = sources();
  let policy: Policy | undefined;
  const decision = await answer(action, {
    ...from,
    bench: (found, look) => {
      policy = found;
      noteGates(found, action.caller.session);
      const bench = from.bench(found, look);
      bench.past = (asked) => pastOf(asked, () => session.view());
      return bench;
    },
  });
  return { decision, policy };
}

/** What cannot be written down never changes a verdict. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export { rememberReviews } from './reviews.ts';

/** The policy in force for a moment of the session. What its gate stands for is remembered from the first moment on. */
export const policyOf = async (action: Action): Promise<Policy> => {
  const policy = await sources().policy(action, []);
  noteGates(policy, action.caller.session);
  return policy;
};

/** What the texts of a session's moments are made with. */
export const here = () => ({ rules: RULES, waygate: waygateCommand() });
