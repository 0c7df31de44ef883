/** Effects about identity, staging and dependencies: what a line means, with no repository needed. */
import { describe, expect, it } from 'vitest';
import type { Action } from '../action/action.ts';
import { EMPTY_LOOK } from '../shell/fixture.ts';
import { effectsOf } from './effects.ts';

const look = EMPTY_LOOK;
const of = (command: string) =>
  effectsOf(
    {
      host: 'claude-code',
      moment: 'before',
      event: 'PreToolUse',
      surface: 'shell',
      tool: 'Bash',
      input: { command, dialect: 'posix' },
      raw: {},
      cwd: '/w',
      workspace: '/w',
      caller: { session: 's' },
    } satisfies Action,
    look,
  );

describe('the identity of the tree', () => {
  const how = (command: string) => of(command).flatMap((effect) => (effect.kind === 'git.identity' ? [effect.how] : []));
  it.each<[string, string[]]>([
    ['git rev-parse HEAD', ['rev-parse HEAD']],
    ['git rev-parse --short=8 @', ['rev-parse @']],
    ['git -C /x rev-parse --verify HEAD^{commit}', ['rev-parse HEAD^{commit}']],
    ['git rev-parse HEAD^{tree}', ['rev-parse HEAD^{tree}']],
    ['git describe', ['describe']],
    ['git describe --tags HEAD', ['describe']],
    ['git stash create', ['stash create']],
    ['git write-tree', ['write-tree']],
    ['x=$(git rev-parse HEAD); docker build --build-arg SHA=$x .', ['rev-parse HEAD']],
    ['git rev-parse HEAD | cut -c1-7', ['rev-parse HEAD']],
    ['git rev-parse --abbrev-ref HEAD', []],
    ['git rev-parse --show-toplevel', []],
    ['git rev-parse --is-inside-work-tree', []],
    ['git rev-parse --git-path hooks', []],
    ['git rev-parse HEAD~1', []],
    ['git rev-parse HEAD:src/app.ts', []],
    ['git rev-parse main', []],
    ['git rev-parse HEAD main', []],
    ['git describe --dirty', []],
    ['git describe v1.0', []],
    ['git stash list', []],
    ['git show $(git rev-parse HEAD)', []],
    ['gh api repos/a/b/commits/$(git rev-parse HEAD)/status', []],
    ['[ "$(git rev-parse HEAD)" = "$(cat sha)" ]', []],
    ['git rev-parse HEAD | xargs git show', []],
    ['echo "git rev-parse HEAD"', []],
  ])('%s', (command, expected) => {
    expect(how(command)).toEqual(expected);
  });
});

describe('waygate stage', () => {
  const staged = (command: string) =>
    of(command).flatMap((effect) => (effect.kind === 'git.stage' ? [effect.paths.map((path) => path.path)] : []));
  it.each<[string, string[][]]>([
    ['waygate stage src/a.ts docs', [['/w/src/a.ts', '/w/docs']]],
    ['waygate -C sub stage a', [['/w/sub/a']]],
    ['waygate stage -C sub -- a', [['/w/sub/a']]],
    ['waygate stage -n src', []],
    ['waygate stage --dry-run src', []],
    ['waygate stage', []],
    ['waygate classify', []],
  ])('%s', (command, expected) => {
    expect(staged(command)).toEqual(expected);
  });
});

describe('dependencies', () => {
  const resolved = (command: string) =>
    of(command).flatMap((effect) =>
      effect.kind === 'package.resolve'
        ? [[effect.op, ...(effect.frozen ? ['frozen'] : []), ...effect.names, 'in', effect.cwd].join(' ')]
        : [],
    );
  it.each<[string, string[]]>([
    ['npm install', ['install in /w']],
    ['npm ci', ['install frozen in /w']],
    ['pnpm i --frozen-lockfile', ['install frozen in /w']],
    ['yarn', ['install in /w']],
    ['yarn install --immutable', ['install frozen in /w']],
    ['bun install', ['install in /w']],
    ['pip install -r requirements.txt', ['install in /w']],
    ['python3 -m pip install -r requirements.txt', ['install in /w']],
    ['poetry install', ['install frozen in /w']],
    ['uv sync', ['install in /w']],
    ['npm --prefix sub install', ['install in /w/sub']],
    ['cd sub && pnpm install', ['install in /w/sub']],
    ['npm install lodash@4', ['update lodash@4 in /w']],
    ['pnpm add -D lodash', ['update lodash in /w']],
    ['pnpm add -w left-pad', ['update left-pad in /w']],
    ['npm -w web install left-pad', ['update left-pad in /w']],
    ['npm update', ['update in /w']],
    ['cargo update', ['update in /w']],
    ['go get example.com/x', ['update example.com/x in /w']],
    ['uv lock', ['update in /w']],
    ['pip-compile', ['update in /w']],
    ['npm install -g serve', []],
    ['npm install --dry-run', []],
    ['npm test', []],
    ['npm --version', []],
    ['yarn --version', []],
    ['yarn test', []],
  ])('%s', (command, expected) => {
    expect(resolved(command)).toEqual(expected);
  });
});
