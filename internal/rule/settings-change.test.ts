import { describe, expect, it } from 'vitest';
import { edited, settingsDanger } from './settings-change.ts';

const HOOKS = { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'waygate hook' }] }] };
const before = JSON.stringify({ hooks: HOOKS, env: { NODE_ENV: 'test' } });
const path = '/r/.claude/settings.json';

describe('settingsDanger', () => {
  it.each([
    ['the same', { hooks: HOOKS, env: { NODE_ENV: 'test' } }, false],
    ['keys in another order', { env: { NODE_ENV: 'test' }, hooks: HOOKS }, false],
    ['permissions', { hooks: HOOKS, env: { NODE_ENV: 'test' }, permissions: { allow: ['Bash(ls)'] } }, false],
    ['a model', { hooks: HOOKS, env: { NODE_ENV: 'test' }, model: 'x' }, false],
    ['another variable', { hooks: HOOKS, env: { NODE_ENV: 'dev' } }, false],
    ['no hooks', { env: { NODE_ENV: 'test' } }, true],
    [
      'another command',
      { hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'true' }] }] }, env: { NODE_ENV: 'test' } },
      true,
    ],
    ['a narrower matcher', { hooks: { PreToolUse: [{ matcher: 'Read', hooks: HOOKS.PreToolUse[0]!.hooks }] } }, true],
    ['all hooks off', { hooks: HOOKS, disableAllHooks: true }, true],
    ['a switch of the guard', { hooks: HOOKS, env: { WAYGATE_OFF: '1' } }, true],
    ['another PATH', { hooks: HOOKS, env: { PATH: '/x' } }, true],
    ['no questions asked', { hooks: HOOKS, permissions: { defaultMode: 'bypassPermissions' } }, true],
  ])('%s', (_name, after, dangerous) => {
    expect(settingsDanger(before, JSON.stringify(after), path) !== undefined).toBe(dangerous);
  });

  it('takes broken settings for dangerous, and a new harmless file not', () => {
    expect(settingsDanger(before, '{', path)).toBeDefined();
    expect(settingsDanger(undefined, '{"permissions":{"allow":[]}}', path)).toBeUndefined();
    expect(settingsDanger(undefined, '{"disableAllHooks":true}', path)).toBeDefined();
    expect(settingsDanger('a = 1', 'a = 2', '/r/.codex/config.toml')).toBeDefined();
  });
});

describe('edited', () => {
  it.each([
    ['aXa', [{ before: 'a', after: 'b' }], 'bXa'],
    ['aXa', [{ before: 'a', after: 'b', all: true }], 'bXb'],
    ['a', [{ before: 'a', after: '$&' }], '$&'],
    ['a', [{ before: 'x', after: 'y' }], undefined],
    ['', [{ before: '', after: 'new' }], 'new'],
  ])('%j', (text, edits, wanted) => {
    expect(edited(text, edits)).toBe(wanted);
  });
});
