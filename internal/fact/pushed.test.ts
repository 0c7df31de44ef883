import { afterEach, describe, expect, it } from 'vitest';
import type { EffectOf } from '../effect/effect.ts';
import { effectsOf } from '../effect/effects.ts';
import type { PushedContent } from './facts.ts';
import { type Sandbox, sandbox } from './fixture.ts';
import { realLook } from './look.ts';

let box: Sandbox;
afterEach(() => box?.remove());

const MB = 1024 * 1024;

/** In two pieces, so that no scan of this file finds one. */
const token = (file: string): string =>
  `printf "key = '%s%s'\\n" AKIA Q7RT5WX2N4KP8LM3 > ${file}; git add -f ${file}; git commit -q -m 'key in ${file}'`;

function pushed(line: string, maxBytes = 50 * MB): PushedContent {
  const command = { command: line, dialect: 'posix' as const };
  const action = {
    host: 'claude-code',
    moment: 'before' as const,
    event: 'PreToolUse',
    surface: 'shell' as const,
    tool: 'Bash',
    input: command,
    raw: { command: line },
    cwd: box.repo,
    workspace: box.repo,
    caller: { session: 's' },
  };
  const effect = effectsOf(action, realLook(box.env)).find((each) => each.kind === 'git.push') as EffectOf<'git.push'>;
  return box.facts().pushed(effect, maxBytes);
}

const KEY = 'an AWS access key';
const found = (path: string, line = 1) => expect.objectContaining({ what: KEY, path, line });

interface Case {
  name: string;
  given: string;
  line?: string;
  credentials: readonly unknown[];
}

const CASES: readonly Case[] = [
  { name: 'nothing to push', given: '', credentials: [] },
  { name: 'a token in a new file', given: token('src/a.ts'), credentials: [found('src/a.ts')] },
  {
    name: 'a name with blanks and quotes',
    given: token(`"it's a key.ts"`).replaceAll('in "it\'s a key.ts"', 'x'),
    credentials: [found("it's a key.ts")],
  },
  { name: 'taken out by a later commit', given: `${token('a.txt')}; git rm -q a.txt; git commit -q -m out`, credentials: [found('a.txt')] },
  {
    name: 'a file that is only renamed',
    given: `${token('a.txt')}; git push -q; git mv a.txt b.txt; git commit -q -m move`,
    credentials: [],
  },
  {
    name: 'another line of a file that holds one',
    given: `${token('a.txt')}; git push -q; echo more >> a.txt; git commit -q -a -m more`,
    credentials: [],
  },
  {
    name: 'a second token in that file',
    given: `${token('a.txt')}; git push -q; printf "other = '%s%s'\\n" AKIA ZZ7YQ2WX4NKP8LM3 >> a.txt; git commit -q -a -m more`,
    credentials: [found('a.txt', 2)],
  },
  { name: 'what another branch of the remote has', given: `${token('a.txt')}; git push -q origin HEAD:refs/heads/there`, credentials: [] },
  { name: 'test data', given: token('test/fixtures/a.ts').replace('printf', 'mkdir -p test/fixtures; printf'), credentials: [] },
  { name: 'documentation', given: token('NOTES.md'), credentials: [] },
  {
    name: 'what a merge brings of its own',
    given: `git switch -q -c side; git commit -q --allow-empty -m side; git switch -q feat/x; git commit -q --allow-empty -m here; git merge -q --no-ff --no-commit side; printf "key = '%s%s'\\n" AKIA Q7RT5WX2N4KP8LM3 > evil.txt; git add evil.txt; git commit -q -m merged`,
    credentials: [found('evil.txt')],
  },
  {
    name: 'what a merge takes from the other side',
    given: `git switch -q -c side; ${token('side.txt')}; git switch -q feat/x; git merge -q --no-ff -m merged side`,
    credentials: [found('side.txt')],
  },
  { name: 'a tag', given: `${token('a.txt')}; git tag v1`, line: 'git push origin v1', credentials: [found('a.txt')] },
  { name: 'an address', given: token('a.txt'), line: 'git push https://git.example.com/x.git HEAD:main', credentials: [found('a.txt')] },
  { name: 'a deletion', given: token('a.txt'), line: 'git push origin :feat/x', credentials: [] },
  { name: 'a binary file', given: "printf 'AKIAQ7RT5WX2N4KP8LM3\\0' > a.bin; git add a.bin; git commit -q -m bin", credentials: [] },
];

describe('what a push brings', () => {
  it.each(CASES)('$name', ({ given, line = 'git push', credentials }) => {
    box = sandbox();
    box.run(given);
    const content = pushed(line);
    expect(content.unread).toBeUndefined();
    expect(content.credentials).toEqual(credentials);
    expect(JSON.stringify(content)).not.toContain('Q7RT5WX2');
  });

  it('files over the limit, with the commit before the first of them', () => {
    box = sandbox();
    box.run(
      'git commit -q --allow-empty -m before; head -c 300000 /dev/zero > big.bin; git add big.bin; git commit -q -m big; git commit -q --allow-empty -m after',
    );
    const base = box.run('git rev-parse HEAD~2').trim();
    expect(pushed('git push', 200_000)).toMatchObject({ large: [{ path: 'big.bin', bytes: 300_000 }], base, commits: 3 });
    expect(pushed('git push').large).toEqual([]);
  });

  it('a first commit has none before it', () => {
    box = sandbox();
    box.run(`git switch -q --orphan fresh; ${token('a.txt')}`);
    const content = pushed('git push origin fresh');
    expect(content.credentials).toHaveLength(1);
    expect(content.base).toBeUndefined();
  });
});
