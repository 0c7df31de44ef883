import { describe, expect, it } from 'vitest';
import type { EffectOf } from './effect.ts';
import { effectsIn } from './git-fixture.ts';

const bypassOf = (line: string, config = {}) =>
  effectsIn(line, config).find((effect): effect is EffectOf<'git.hook-bypass'> => effect.kind === 'git.hook-bypass');

describe('hooks kept from running, and the same call without that', () => {
  it.each([
    ["git commit -nm 'quick fix'", "git commit -m 'quick fix'"],
    ['git commit --no-veri -m x', 'git commit -m x'],
    ['git commit -anm x', 'git commit -am x'],
    ['HUSKY=0 HUSKY_SKIP_HOOKS=1 git commit -m x', 'git commit -m x'],
    ['LEFTHOOK=false A=1 git push', 'A=1 git push'],
    ['SKIP=eslint git commit -m x', 'git commit -m x'],
    ['export HUSKY=0; git push origin x', 'git push origin x'],
    ['git -c core.hooksPath=/dev/null commit -m x', 'git commit -m x'],
    ['git -ccore.hookspath= push', 'git push'],
    ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit -m x', 'git commit -m x'],
    ['GIT_CONFIG_PARAMETERS="\'core.hooksPath=/x\'" git commit -m x', 'git commit -m x'],
    ['git push --no-verify origin x', 'git push origin x'],
    ['git merge --no-verify x', 'git merge x'],
    ['git am -n p', 'git am p'],
    ['cd sub && git push --no-verify', 'git -C sub push'],
  ])('%s', (line, instead) => {
    expect(bypassOf(line)?.instead).toBe(instead);
  });

  it.each([
    'git push -n',
    'git merge -n x',
    'git rebase -n x',
    "git commit -m '--no-verify'",
    'git commit -m -n',
    'git commit -Fn',
    'git commit --no-verify --verify -m x',
    'HUSKY=1 git commit -m x',
    'HUSKY=0 npm ci',
    'git add -n .',
    'git config core.hooksPath',
    'git config --get core.hooksPath',
  ])('%s skips nothing', (line) => {
    expect(bypassOf(line)).toBeUndefined();
  });

  it.each([
    'git config core.hooksPath /tmp/x',
    'git config --unset core.hooksPath',
    'git config set core.hookspath x',
    'git config --global core.hooksPath x',
  ])('%s', (line) => {
    expect(bypassOf(line)?.what).toBe('config');
  });

  it('setting what stands already changes nothing', () => {
    expect(bypassOf('git config core.hooksPath .husky', { 'core.hooksPath': '.husky' })).toBeUndefined();
  });
});
