/** What `doctor` says about the gate: is one declared, can it run, and what looks like one where none is. */
import { gateProblem } from '../../internal/gate/recipe.ts';
import type { Policy } from '../../internal/policy/policy.ts';
import { yamlText } from '../../internal/profile/propose.ts';
import { detectedIn } from './fresh-policy.ts';

export interface GateCheck {
  state: 'ok' | 'warn' | 'fail';
  what: string;
  detail: string;
  fix?: string;
}

/** `root`: the top of the workspace, absolute. */
export function gateCheck(root: string, policy: Pick<Policy, 'gate' | 'origins'>): GateCheck {
  const what = 'gate';
  if (policy.gate) {
    const origin = policy.origins['gate'];
    const from = origin ? ` (${origin.file}${origin.line === undefined ? '' : `:${origin.line}`})` : '';
    const problem = gateProblem(policy.gate.command, root);
    if (problem === undefined) return { state: 'ok', what, detail: `${policy.gate.command}${from}` };
    return {
      state: 'warn',
      what,
      detail: `${policy.gate.command}${from}: ${problem}; no push can be covered`,
      fix: `correct gate.command in ${origin?.file ?? 'waygate.yaml'}`,
    };
  }
  const proposed = detectedIn(root)?.proposedGate;
  if (proposed === undefined)
    return { state: 'ok', what, detail: 'none is declared, and nothing here looks like one: the push rules keep quiet' };
  return {
    state: 'warn',
    what,
    detail: `none is declared, so the push rules keep quiet; ${proposed} looks like one`,
    fix: `add to waygate.yaml: gate: { command: ${yamlText(proposed)} }`,
  };
}
