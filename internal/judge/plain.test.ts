import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '../action/action.ts';
import { effectsOf } from '../effect/effects.ts';
import { assumedLook } from '../fact/assume.ts';
import { isPlain } from './plain.ts';

const call = (command: string, more: Partial<Action> = {}): Action => ({
  host: 'claude-code',
  moment: 'before',
  event: 'PreToolUse',
  surface: 'shell',
  tool: 'Bash',
  input: { command, dialect: 'posix' },
  raw: { command },
  cwd: '/code/repo',
  workspace: '/code/repo',
  caller: { session: 's' },
  ...more,
});

const effects = (action: Action) => effectsOf(action, assumedLook('worst', action));

describe('calls that can do nothing', () => {
  it.each(['ls', 'ls -la src', '  pwd ', 'tree -L 2 a/b', 'stat .env', 'which node'])('%s', (command) => {
    expect(isPlain(call(command))).toBe(true);
    expect(effects(call(command))).toEqual([]);
  });

  it.each([
    '',
    ' ',
    'rm -rf x',
    'ls; rm x',
    'ls | tee x',
    'ls > x',
    'ls $(rm x)',
    'ls `rm x`',
    'ls "x"',
    'ls $HOME',
    'ls *',
    'ls ~',
    'ls &',
    'ls\nrm x',
    'ls\trm',
    'ls\rrm',
    'A=1 ls',
    './ls',
    'sudo ls',
    'cat .env',
    'git status',
    'vitest run src/a.test.ts',
    'tsc',
    'ls {a,b}',
    'ls !!',
    'ls #x',
    'ls \\x',
    `ls ${'x'.repeat(60)}`,
    'ls ünïcode',
  ])('%j is read in full', (command) => expect(isPlain(call(command))).toBe(false));

  it('only before a call, only for a POSIX shell', () => {
    expect(isPlain(call('ls', { moment: 'after' }))).toBe(false);
    expect(isPlain(call('ls', { input: { command: 'ls', dialect: 'powershell' } }))).toBe(false);
    expect(isPlain(call('ls', { surface: 'mcp' }))).toBe(false);
    expect(isPlain(call('ls', { surface: 'harmless', tool: 'TodoWrite', input: {} }))).toBe(true);
  });

  it('the engine agrees on every line that is told plain', () => {
    const program = fc.constantFrom(
      ...'ls pwd whoami id uname which true false du df tree basename dirname realpath readlink stat file uptime cal seq tty groups who locale ps'.split(
        ' ',
      ),
    );
    const word = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9_.,@+/-]{1,12}$/),
      fc.constantFrom(
        '-rf',
        '-i',
        '-o',
        '--fix',
        '-exec',
        '/',
        '..',
        '.env',
        '.git',
        '.git/hooks',
        'rm',
        'sudo',
        '--',
        '-c',
        '/etc/passwd',
        'prod',
        '-delete',
        '--force',
        '/dev/sda',
      ),
    );
    fc.assert(
      fc.property(program, fc.array(word, { maxLength: 6 }), (name, words) => {
        const action = call([name, ...words].join(' '));
        fc.pre(isPlain(action));
        expect(effects(action)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
