/** Examples in sandboxes: those with the same `given` share one, since judging changes nothing. */
import { afterAll } from 'vitest';
import type { Example } from '../../internal/rule/rule.ts';
import { remove, type Sandbox, sandbox, sharedSandbox } from './sandbox.ts';

/** A sandbox for each `given` of this file's examples: one that all files of the run share, else its own. */
export function sharedBoxes(): (example: Example) => Sandbox {
  const boxes = new Map<string, Sandbox>();
  const own: Sandbox[] = [];
  afterAll(() => own.forEach(remove));
  return (example) => {
    const key = JSON.stringify(example.given ?? []);
    const known = boxes.get(key) ?? sharedSandbox(example.given ?? []);
    if (known) {
      boxes.set(key, known);
      return known;
    }
    const box = sandbox(example.given);
    boxes.set(key, box);
    own.push(box);
    return box;
  };
}

/** An example as the title of a test. */
export const title = (example: Example): string =>
  ('run' in example ? example.run : `${example.tool} ${JSON.stringify(example.input)}`).slice(0, 120);
