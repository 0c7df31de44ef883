/** Ways on without credentials. A remedy is to be pasted, so one with a marker in it would be another command: it is left out. Pure. */
import { type Found, redact, redactDeep } from '../decision/redact.ts';
import type { Remedy } from '../rule/rule.ts';

/** The remedies that hold no credential; where none is left, what remains is to put the call to the owner. */
export function withoutSecrets(remedies: readonly Remedy[], found: readonly Found[]): readonly Remedy[] {
  const plain = remedies.filter((remedy) => !holds(remedy, found)).flatMap(withoutSecret);
  if (plain.length > 0 || remedies.length === 0) return plain;
  return [
    {
      kind: 'ask',
      ask: 'May I make this call? It holds a credential, so it is not written down here.',
      because: 'a command with a credential in it is not shown again',
    },
  ];
}

/** A credential of the call stands in it, with or without the words that gave it away. */
const holds = (remedy: Remedy, found: readonly Found[]): boolean =>
  (remedy.kind === 'run' || remedy.kind === 'call') && found.some(({ value }) => JSON.stringify(remedy).includes(value));

function withoutSecret(remedy: Remedy): readonly Remedy[] {
  const because = redact(remedy.because);
  switch (remedy.kind) {
    case 'run':
      return redact(remedy.run) === remedy.run ? [{ ...remedy, because }] : [];
    case 'call':
      return JSON.stringify(redactDeep(remedy.input)) === JSON.stringify(remedy.input) ? [{ ...remedy, because }] : [];
    case 'ask':
      return [{ ...remedy, ask: redact(remedy.ask), because }];
    default:
      return [{ ...remedy, because }];
  }
}
