/** docs/invariants.md out of the table of invariants. Pure. */
import { GENERATED } from '../internal/view/page.ts';
import type { Invariant } from '../test/invariants.ts';

export function invariantsPage(invariants: readonly Invariant[]): string {
  const rows = invariants.map(
    ({ holds, file, test, named }) => `| ${cell(holds)} | \`${file}\` | \`${test}\`${named === '' ? '' : `: ${cell(named)}`} |`,
  );
  return `${GENERATED('test/invariants.ts')}

# Invariants

What must never give way, where it is kept, and the test that turns red when it does. \`node hack/mutate.mjs\` breaks each of them once, on
purpose, in a copy of the tree, and sees that test go red.

| holds | kept by | goes red |
| --- | --- | --- |
${rows.join('\n')}
`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
