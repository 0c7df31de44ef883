/** The hosts, and which one a payload is from. */
import { claudeCode } from './claude-code.ts';
import type { Host } from './host.ts';

export const HOSTS: readonly Host[] = [claudeCode];

/** A host by the name `--host` takes. */
export const hostNamed = (name: string): Host | undefined => HOSTS.find((host) => host.name === name);

/** The host a payload looks like; the first of the list when none claims it, so that the reply has a shape. */
export const hostOf = (payload: Readonly<Record<string, unknown>> | undefined): Host =>
  HOSTS.find((host) => payload && host.claims(payload)) ?? HOSTS[0]!;
