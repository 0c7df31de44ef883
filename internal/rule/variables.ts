/** The environment variables of waygate: one closed list, used by the program when it starts and by the rule unknown-env. */
import { nearest } from '../policy/nearest.ts';

/** What their names begin with. */
export const OWN_PREFIX = 'WAYGATE_';

/** Every variable there is, with what it is for. Settings stand in waygate.yaml and in options, so there are few. */
export const OWN_VARIABLES: Readonly<Record<string, string>> = {
  WAYGATE_REFS: 'the refs of a push, between the parts of the git hook',
  WAYGATE_BUILT: "set by waygate's own `npm test`: the bundle is fresh",
  WAYGATE_ROOT: "for the scripts in waygate's own hack/: another root",
};

/** Names that people and models expect, with what does it instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  WAYGATE_POLICY: '`waygate judge --policy FILE`',
  WAYGATE_PRESET: '`preset:` in waygate.yaml',
  WAYGATE_HOST: '`--host HOST`',
  WAYGATE_JSON: '`--json`',
  WAYGATE_YES: '`--yes`',
  WAYGATE_DIR: '`-C DIR`',
  WAYGATE_STATE: 'XDG_STATE_HOME',
  WAYGATE_HOME: 'XDG_STATE_HOME',
  WAYGATE_STATE_HOME: 'XDG_STATE_HOME',
  WAYGATE_CONFIG: 'XDG_CONFIG_HOME',
  WAYGATE_TIMEOUT: '`waygate run --timeout 10m -- …`, or `deadline:` in waygate.yaml',
  WAYGATE_COLOR: 'NO_COLOR',
};

/** A name of ours that nothing reads. */
export interface UnknownVariable {
  name: string;
  /** The variable that was probably meant. */
  near?: string;
  /** What does it instead, in words. */
  instead?: string;
}

/** What is wrong with a variable's name; undefined when it is none of ours, or one that is read. */
export function unknownOwn(name: string): UnknownVariable | undefined {
  if (!name.startsWith(OWN_PREFIX) || Object.hasOwn(OWN_VARIABLES, name)) return undefined;
  const rest = (each: string) => each.slice(OWN_PREFIX.length);
  const near = nearest(rest(name), Object.keys(OWN_VARIABLES).map(rest));
  const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
  return { name, ...(near === undefined || instead ? {} : { near: OWN_PREFIX + near }), ...(instead === undefined ? {} : { instead }) };
}

/** A prefix that the workspace owns, with the names it lists and those that are read no longer. */
export interface OwnedPrefix {
  prefix: string;
  names: readonly string[];
  retired: Readonly<Record<string, string>>;
}

/** The same for the prefixes of the workspace: the longest one that fits decides, and only where it lists names. */
export function unknownIn(owned: readonly OwnedPrefix[], name: string): UnknownVariable | undefined {
  const own = [...owned]
    .sort((a, b) => b.prefix.length - a.prefix.length)
    .find((each) => each.prefix !== '' && name.startsWith(each.prefix));
  if (!own || own.names.includes(name)) return undefined;
  if (Object.hasOwn(own.retired, name)) return { name, near: own.retired[name] as string };
  if (own.names.length === 0) return undefined;
  const rest = (each: string) => each.slice(own.prefix.length);
  const near = nearest(rest(name), own.names.map(rest));
  return near === undefined ? { name } : { name, near: own.prefix + near };
}
