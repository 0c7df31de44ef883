/** Examples in sandboxes: those with the same `given` share one, since judging changes nothing. */
import { afterAll } from 'vitest';
import type { Example } from '../../internal/rule/rule.ts';
import { remove, type Sandbox, sandbox } from './sandbox.ts';

/** A sandbox for each `given` of this file's examples; all are removed after its tests. */
export function sharedBoxes(): (example: Example) => Sandbox {
  const boxes = new Map<string, Sandbox>();
  afterAll(() => {
    for (const box of boxes.values()) remove(box);
  });
  return (example) => {
    const key = JSON.stringify(example.given ?? []);
    const box = boxes.get(key) ?? sandbox(example.given);
    boxes.set(key, box);
    return box;
  };
}

/** An example as the title of a test. */
export const title = (example: Example): string =>
  ('run' in example ? example.run : `${example.tool} ${JSON.stringify(example.input)}`).slice(0, 120);
