/** `getenv` as PHP, Lua and R have it. */
import { environment, type Handler } from './machine.ts';
import { textIn, type Value } from './value.ts';

export const environmentFirst: Handler = (call, m) => (call.args.length === 0 ? ENVIRONMENT : environment(m, textIn(call.args[0]) ?? ''));

export const ENVIRONMENT: Value = { type: 'Environment', marks: 0 };
