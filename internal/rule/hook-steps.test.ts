import { describe, expect, it } from 'vitest';
import { keepsSteps } from './hook-steps.ts';

const OLD = '#!/bin/sh\nset -e\nwaygate pre-push "$@"\nnpm test\n';

describe('one more step in a git hook', () => {
  it.each<[string, string, boolean]>([
    ['at the end', `${OLD}npm run lint\n`, true],
    ['between the others', OLD.replace('npm test', 'npx tsc --noEmit\nnpm test'), true],
    ['a comment', `${OLD}# more\n`, true],
    ['before the guard: it could read what git tells on standard input', OLD.replace('waygate', 'python3\nwaygate'), false],
    ['in front of all', `npm run lint\n${OLD}`, false],
    ['that ends the hook', `${OLD}exit 0\n`, false],
    ['that decides over the rest', OLD.replace('npm test', 'npm run lint || exit 0\nnpm test'), false],
    ['in place of another', OLD.replace('npm test', 'npm run lint'), false],
    ['without an old one', OLD.replace('npm test\n', ''), false],
    ['with an old one switched off', OLD.replace('npm test', '# npm test'), false],
  ])('%s', (_what, after, kept) => expect(keepsSteps(OLD, after)).toBe(kept));

  it('never in the middle of a line that goes on', () => {
    const old = '#!/bin/sh\nnpm test \\\n  --all\n';
    expect(keepsSteps(old, '#!/bin/sh\nnpm test \\\nnpm run lint\n  --all\n')).toBe(false);
  });
});
