/** For tests: a shell line as a host hands it over. */
import type { Action } from './action.ts';

export const shellAction = (line: string, cwd: string): Action => ({
  host: 'claude-code',
  moment: 'before',
  event: 'PreToolUse',
  surface: 'shell',
  tool: 'Bash',
  input: { command: line, dialect: 'posix' },
  raw: { command: line },
  cwd,
  workspace: cwd,
  caller: { session: 'test' },
});
