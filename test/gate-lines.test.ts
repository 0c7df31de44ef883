/** What a line makes of its own commit before it pushes: the gate, the commit and the push in every order, judged in this process with real git. */
import { describe, expect, it } from 'vitest';
import { sharedBoxes } from './support/boxes.ts';
import { decide, said } from './support/judge.ts';

const GATED = [
  "printf '%s\\n' 'version: 1' 'gate: { command: \"true\" }' > waygate.yaml",
  'git add waygate.yaml',
  "git commit -q -m 'declare the gate'",
  'git push -q',
];
const PASSED = 'waygate gate run --quiet';
const EDIT = 'echo "// more" >> src/app.ts';
const OTHER = 'echo "// more" >> src/util.ts';
const NEW = 'echo new > src/new.ts';
const COMMIT = "git commit -q -m 'more'";

/** What there is before, the line, and whether what it pushes is covered. */
const LINES: readonly [given: readonly string[], line: string, covered: boolean][] = [
  // The gate on the line.
  [[EDIT, `${COMMIT} -a`], 'waygate gate run && git push', true],
  [[EDIT, `${COMMIT} -a`], 'waygate gate run; git push', false],
  [[EDIT, `${COMMIT} -a`], 'waygate gate run || git push', false],
  [[EDIT, `${COMMIT} -a`], 'waygate gate status && git push', false],
  [[EDIT, `${COMMIT} -a`], 'waygate gate run --help && git push', false],
  [[EDIT, `${COMMIT} -a`, OTHER], 'waygate gate run && git push', false],
  [[EDIT, `${COMMIT} -a`], 'git push && waygate gate run', false],
  [[EDIT, `${COMMIT} -a`], 'cd src && waygate gate run && cd .. && git push', true],
  [[EDIT, `${COMMIT} -a`], 'waygate gate run && echo x > src/app.ts && git push', true],
  [[EDIT, `${COMMIT} -a`], 'echo x > src/app.ts && waygate gate run && git push', false],
  [[EDIT, `${COMMIT} -a`], 'node hack/gen.mjs && waygate gate run && git push', false],
  [[EDIT, `${COMMIT} -a`], 'waygate gate run && git commit -q --allow-empty -m x && git push', true],
  // The commit on the line.
  [[EDIT], `git add src/app.ts && ${COMMIT} && waygate gate run && git push`, true],
  [[EDIT, OTHER], `git add src/app.ts && ${COMMIT} && waygate gate run && git push`, false],
  [[EDIT], `waygate gate run && git add src/app.ts && ${COMMIT} && git push`, true],
  [[EDIT, OTHER], `waygate gate run && git add src/app.ts && ${COMMIT} && git push`, false],
  [[EDIT, NEW], `waygate gate run && git add src/app.ts src/new.ts && ${COMMIT} && git push`, true],
  [[EDIT, NEW], `waygate gate run && git add src/app.ts && ${COMMIT} && git push`, true],
  [[EDIT], `node hack/gen.mjs && git add -u && ${COMMIT} && waygate gate run && git push`, true],
  [[EDIT], `git add src/app.ts && ${COMMIT}; git push`, false],
  // A run before the line.
  [[EDIT, PASSED], `git add src/app.ts && ${COMMIT} && git push`, true],
  [[EDIT, PASSED], `git add src && ${COMMIT} && git push -u origin HEAD`, true],
  [[EDIT, NEW, PASSED], `git add src && ${COMMIT} && git push`, true],
  [[EDIT, OTHER, PASSED], `git add src/app.ts && ${COMMIT} && git push`, false],
  [[EDIT, PASSED], `sed -i s/more/less/ src/app.ts && git add src/app.ts && ${COMMIT} && git push`, false],
  [[EDIT, PASSED], `npm run lint && git add src/app.ts && ${COMMIT} && git push`, false],
  [[EDIT, PASSED], `git switch -q -c other && git add src/app.ts && ${COMMIT} && git push -u origin other`, true],
  [
    [EDIT, PASSED, 'mkdir -p .git/hooks && printf "#!/bin/sh\\n" > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit'],
    `git add src/app.ts && ${COMMIT} && git push`,
    false,
  ],
  // History that moves.
  [[EDIT, `${COMMIT} -a`, PASSED], "git commit -q --amend -m 'better' && git push --force-with-lease", true],
  [[EDIT, `${COMMIT} -a`, PASSED, OTHER], "git commit -q -a --amend -m 'better' && git push --force-with-lease", false],
  [[PASSED, EDIT, `${COMMIT} -a`], 'git reset -q --soft HEAD~1 && git push', true],
  [[PASSED, EDIT, `${COMMIT} -a`, PASSED], 'git merge -q --no-edit main && git push', false],
  [[PASSED], 'git pull -q --rebase origin main && git push', false],
  // Tags and other branches.
  [[EDIT, `${COMMIT} -a`, PASSED], 'git tag v1 && git push origin v1', true],
  [[EDIT, `${COMMIT} -a`], 'git tag v1 && git push origin v1', false],
  [[EDIT, `${COMMIT} -a`, PASSED, 'git branch side', NEW, `git add src && ${COMMIT}`], 'git push origin side', true],
  [[EDIT, `${COMMIT} -a`, PASSED, 'git branch side', NEW, `git add src && ${COMMIT}`], 'git push origin side feat/x', false],
];

describe('a push at the end of a line', () => {
  const boxOf = sharedBoxes();
  it.each(LINES.map(([given, line, covered]) => [line, given.slice(0, 2).join('; '), covered, given] as const))(
    '%s (%s): %s',
    async (line, _given, covered, given) => {
      const example = { run: line, given: [...GATED, ...given] };
      const decision = await decide(example, boxOf(example));
      const spoken = decision.findings.map((finding) => `${finding.rule}: ${finding.says}`).join('\n');
      expect(said(decision, 'push-ungated'), spoken).toBe(covered ? undefined : 'deny');
      expect(said(decision, 'push-gate'), spoken).toBeUndefined();
    },
  );
});
