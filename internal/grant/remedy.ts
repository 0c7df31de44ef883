/** The way to the owner: a request with the call prepared, put before the sentence for the owner. Pure. */
import type { Action } from '../action/action.ts';
import { redact } from '../decision/redact.ts';
import { quoteLine } from '../rule/quote.ts';
import type { Finding, Remedy } from '../rule/rule.ts';

/** A call longer than this is not written into a remedy, in characters: the sentence for the owner has to do. */
const MAX_CALL = 600;

/**
 * The remedies with a request in them: what only looks first, then the request, then the sentence. Undefined where no request can
 * be prepared: the call is too long, or holds what must not be written down again.
 */
export function requestRemedy(finding: Finding, remedies: readonly Remedy[], action: Action, waygate: string): Remedy | undefined {
  const ask = remedies.find((remedy) => remedy.kind === 'ask');
  const object = objectOf(action);
  if (!ask || object === undefined) return undefined;
  const session = finding.category === 'budget-exhausted' ? ['--run', action.caller.session] : [];
  const words = ['request', '--need', oneLine(finding.boundary), '--why', oneLine(ask.ask), ...session, ...object];
  if (words.some((word) => redact(word) !== word)) return undefined;
  return {
    kind: 'run',
    run: `${waygate} ${quoteLine(words)}`,
    because: 'puts exactly this call before the owner, who decides; say why you need it',
  };
}

/** The remedies in order: looks, the request, the rest. */
export function withRequest(remedies: readonly Remedy[], request: Remedy): readonly Remedy[] {
  const at = remedies.findIndex((remedy) => remedy.kind === 'ask');
  return at < 0 ? remedies : [...remedies.slice(0, at), request, ...remedies.slice(at)];
}

function objectOf(action: Action): readonly string[] | undefined {
  if (action.surface === 'shell') {
    const { command } = action.input;
    return command === undefined || command.trim() === '' || command.length > MAX_CALL ? undefined : ['--', command];
  }
  const input = JSON.stringify(action.raw);
  return input.length > MAX_CALL || !/^[\w.:/-]+$/.test(action.tool) ? undefined : ['--tool', action.tool, '--input', input];
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
