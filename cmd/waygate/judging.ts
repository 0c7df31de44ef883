/** The engine as the hook uses it. A file of its own, so that a call with nothing to judge never loads it. */
import type { Action } from '../../internal/action/action.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { answer } from '../../internal/judge/answer.ts';
import { sources } from './compose.ts';

export const judging = (action: Action): Promise<Decision> => answer(action, sources());
