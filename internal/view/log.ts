/** What the log keeps: the record as one line of JSON. The person's and the agent's view are made from the same record. */
import type { Decision } from '../decision/record.ts';

/** One line, with its line feed. */
export const logView = (decision: Decision): string => `${JSON.stringify(decision)}\n`;
