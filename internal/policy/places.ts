/** Where policy, trust and snapshots lie. Paths only; nothing here reads a file. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { stateDir } from '../ledger/state.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** The name of the workspace's file, at the root of the repository. */
export const POLICY_NAME = 'waygate.yaml';

/** The organization's file. It needs no trust when root alone can write it. */
export const ORGANIZATION_FILE = '/etc/waygate/waygate.yaml';

/** Where the guard looks for its files. */
export interface Places {
  /** `$XDG_STATE_HOME/waygate`, default `~/.local/state/waygate`. */
  state: string;
  /** The user's policy file: `$XDG_CONFIG_HOME/waygate/waygate.yaml`, default below `~/.config`. */
  user: string;
  organization: string;
  home: string;
}

/** The places under an environment. A relative XDG value is ignored, as its specification asks. */
export function placesOf(env: Env = process.env): Places {
  const home = env['HOME'] && isAbsolute(env['HOME']) ? env['HOME'] : homedir();
  const config = env['XDG_CONFIG_HOME'];
  return {
    state: stateDir(env as NodeJS.ProcessEnv),
    user: join(config && isAbsolute(config) ? config : join(home, '.config'), 'waygate', POLICY_NAME),
    organization: ORGANIZATION_FILE,
    home,
  };
}

/** The file with the trust a person has given. */
export const trustFile = (places: Places): string => join(places.state, 'trust.json');

/** The audit log of a person's verbs. */
export const auditFile = (places: Places): string => join(places.state, 'audit.jsonl');
