/** Remedies of rules about runs in the place of the call: what the guard gives back for lines with more in them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decide } from '../support/judge.ts';
import { remove, type Sandbox, sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeAll(() => {
  box = sandbox([
    'mkdir app',
    'npm pkg set scripts.test="vitest run" scripts.lint="eslint ." scripts.ci="npm run lint && npm test" scripts.dev="vite"',
    "printf 'ci:\\n\\tnpm run ci\\n\\nlint:\\n\\tnpm run lint\\n' > Makefile",
  ]);
});
afterAll(() => remove(box));

it.each<[string, string]>([
  ['npm test 2>&1 | tail -20', 'waygate run --tail 20 -- npm test'],
  ['npm test | tail', 'waygate run --tail 10 -- npm test'],
  ['npm test | tail -n +5', 'waygate run -- npm test'],
  ['npm test | head -5', 'waygate run --failure -- npm test'],
  ["npm test | grep -i 'not found' | head -3", "waygate run --grep 'not found' -- npm test"],
  ["npm test | grep -E 'a|b'", 'waygate run --failure -- npm test'],
  ['npm test 2>&1 | tee out.log | tail -5', 'waygate run --tail 5 --tee-all out.log -- npm test'],
  ['npm test | tail -5 > out.log', 'waygate run --tail 5 --quiet --tee out.log -- npm test'],
  ['cd app && npm test | tail -3 && git status', 'cd app && waygate run --tail 3 -- npm test && git status'],
  ['cd app && { cd ..; npm test; } | tail -3', 'waygate run --tail 3 -- npm test'],
  ['(cd app; npm test) | tail -3', 'waygate run -C app --tail 3 -- npm test'],
  ['FOO=1 timeout 600 npm run ci | tail -3', 'FOO=1 waygate run --timeout 10m --tail 3 -- npm run ci'],
  ['for t in lint test; do npm run $t > $t.log; done', 'for t in lint test; do waygate run --quiet --tee $t.log -- npm run $t; done'],
  ['npm test | tail -3; echo "rc=$?"', 'waygate run --tail 3 -- npm test'],
  ['npm run lint 2>&1 | tail -3; npm test 2>&1 | tail -3', 'waygate run --tail 3 -- npm run lint; waygate run --tail 3 -- npm test'],
  ['npx eslint . | tail -3 && npx vitest run a.test.ts', 'waygate run --tail 3 -- npm run lint && npm test -- a.test.ts'],
  ['npx eslint . && npx vitest run', 'npm run lint'],
  ['npm run lint; npm test', 'npm run ci'],
  ['timeout 90 make ci > /dev/null', 'waygate run --timeout 90s --quiet -- make ci'],
  ['make ci 2>/dev/null', 'make ci'],
])('%s', async (line, expected) => {
  const decision = await decide({ run: line }, box);
  expect(decision.verdict, decision.says).toBe('deny');
  const [remedy] = decision.remedies;
  expect(remedy?.kind === 'run' && remedy.run).toBe(expected);
  expect((await decide({ run: expected }, box)).verdict).not.toBe('deny');
});

it.each([
  'npm test | jq .',
  'npm run dev | tail -3',
  'npm run nothing | tail -3',
  'echo y | npm test | tail -3',
  'npm test > "$OUT"',
  'npm test | tee a.log b.log',
  'cat ci.log | tail -3',
  'git push | tail -3',
])('%s passes', async (line) => {
  const decision = await decide({ run: line }, box);
  expect(decision.verdict, decision.says).not.toBe('deny');
});
