/** Where waygate keeps its state: `$XDG_STATE_HOME/waygate`, by default `~/.local/state/waygate`. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The state folder, absolute. A relative XDG_STATE_HOME is ignored, as the XDG specification asks. */
export function stateDir(env: NodeJS.ProcessEnv = process.env): string {
  const base = env['XDG_STATE_HOME'];
  if (base && isAbsolute(base)) return join(base, 'waygate');
  return join(env['HOME'] || homedir(), '.local', 'state', 'waygate');
}

/** A session's folder. The id comes from outside: only names without a path in them are taken as they are. */
export function sessionDir(session: string, env: NodeJS.ProcessEnv = process.env): string {
  const safe = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(session)
    ? session
    : `x-${Buffer.from(session).toString('hex').slice(0, 64) || 'none'}`;
  return join(stateDir(env), 'sessions', safe);
}
