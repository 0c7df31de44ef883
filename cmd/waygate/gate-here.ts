/** The gate declared where a verb is called, ready to be asked or run. */
import { realOf } from '../../internal/fact/discover.ts';
import { realLook } from '../../internal/fact/look.ts';
import { ensureKey, signatureOf } from '../../internal/gate/key.ts';
import { type GateLook, gateLook } from '../../internal/gate/look.ts';
import { openAt, openTop } from '../../internal/gate/scene.ts';
import { policyOfRoot } from '../../internal/policy/current.ts';
import { type Gate, gateOf } from '../../internal/policy/gates.ts';
import type { Policy } from '../../internal/policy/policy.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import { detectProfile } from '../../internal/profile/detect.ts';
import { runPlace } from '../../internal/runlog/places.ts';
import type { RunRecord } from '../../internal/runlog/record.ts';
import { visible } from '../../internal/view/visible.ts';
import { RULES } from '../../rules/index.gen.ts';
import { Failure } from './terminal.ts';

export interface GateHere {
  /** Top of the work tree. */
  top: string;
  gate: Gate;
  policy: Policy;
  /** Where it is declared, for a text. */
  origin: string;
  /** Coverage, asked anew with each call. */
  look(): GateLook;
}

/** What is missing. `none`: no gate is declared. */
export type NoGate = { none: string };

/** The gate of the repository around the current directory. */
export async function gateHere(cwd: string = process.cwd()): Promise<GateHere | NoGate> {
  const { found } = runPlace(cwd);
  if (!found) return { none: `${visible(cwd)} lies in no repository, and a gate is a repository's` };
  const { top } = found;
  if (top === undefined) return { none: `${visible(found.gitDir)} is a bare repository: it has no files that a gate could run on` };
  // With its snapshot: asked for again and again, it is compiled once.
  const policy = await policyOfRoot(rootOf(cwd) ?? top, { rules: RULES });
  const gate = gateOf(policy, top, realOf);
  if (!gate) return { none: undeclared(top, policy) };
  const origin = policy.origins['gate'];
  return {
    top,
    gate,
    policy,
    origin: origin ? `${origin.file}${origin.line === undefined ? '' : `:${origin.line}`}` : 'the policy',
    look: () => gateLook({ repository: openAt(found), gate, env: process.env, open: openTop }),
  };
}

function undeclared(top: string, policy: Policy): string {
  const waits = policy.untrusted.find((each) => each.key === 'gate');
  if (waits) return `the gate of ${waits.origin.file}:${waits.origin.line ?? 1} is not trusted yet: waygate trust`;
  const proposed = detectProfile(top, top, realLook(process.env))?.proposedGate;
  return `no gate is declared for ${visible(top)}. Name it in waygate.yaml, e.g. gate: { command: ${JSON.stringify(proposed ?? 'npm test')} }`;
}

/** The gate, or an end with what is missing. */
export async function gateOrEnd(): Promise<GateHere> {
  const here = await gateHere();
  if ('none' in here) throw new Failure(`gate: ${here.none}`);
  return here;
}

/** Signs with this machine's key, which is made at the first use. */
export function signer(): (record: RunRecord) => string {
  const key = ensureKey(process.env);
  if ('problem' in key) throw new Failure(`gate: a record cannot be signed, so it would cover nothing: ${key.problem}`);
  return (record) => signatureOf(record, key.key);
}
