/** Looks in a row: what counts as one more, and what ends the row. */
import { describe, expect, it } from 'vitest';
import type { Action } from '../action/action.ts';
import { effectsOf } from '../effect/effects.ts';
import { looksOf } from '../effect/looks.ts';
import type { Look } from '../shell/command.ts';
import { type LookRecord, type LookView, lookedAgain } from './looks.ts';

const FILE = 'file /tmp/b1.output';
const SOURCE = 'file /w/src/a.ts';

function times(looks: readonly (LookRecord & { asked?: string })[]): number {
  let view: LookView | undefined;
  for (const { asked = 'same', ...look } of looks) view = lookedAgain(view, look, asked);
  return view!.times;
}

describe('one look more', () => {
  it.each<[string, readonly (LookRecord & { asked?: string })[], number]>([
    ['a file that grows', [1, 2, 3, 4].map((size) => ({ at: FILE, size, changed: size })), 4],
    ['a file of one size that is written anew', [1, 2, 3].map((changed) => ({ at: SOURCE, size: 5, changed })), 3],
    ['a file as it was', [1, 2, 3, 4].map(() => ({ at: SOURCE, size: 9, changed: 1 })), 1],
    ['a stuck output, asked the same', [1, 2, 3].map(() => ({ at: FILE, size: 9, changed: 1 })), 3],
    ['parts of a finished log', ['a', 'b', 'c'].map((asked) => ({ at: FILE, size: 9, changed: 1, asked })), 1],
    [
      'parts of a log that grew before',
      [{ at: SOURCE, size: 1 }, { at: SOURCE, size: 2 }, ...['a', 'b'].map((asked) => ({ at: SOURCE, size: 2, asked }))],
      2,
    ],
    ['a file that is not there', [1, 2, 3].map(() => ({ at: SOURCE })), 1],
    ['a task', [1, 2, 3].map(() => ({ at: 'task b1' })), 3],
    ['a question about something outside', [1, 2].map(() => ({ at: 'status gh run view 5' })), 2],
  ])('%s', (_name, looks, expected) => expect(times(looks)).toBe(expected));
});

const look: Look = {
  env: () => undefined,
  home: '/home/me',
  tmp: '/tmp',
  stat: () => undefined,
  read: () => undefined,
  list: () => undefined,
  gitConfig: () => [],
};

const action = (tool: string, surface: Action['surface'], raw: Record<string, unknown>, input: Action['input']): Action => ({
  host: 'claude-code',
  moment: 'before',
  event: 'PreToolUse',
  surface,
  tool,
  input,
  raw,
  cwd: '/w',
  workspace: '/w',
  caller: { session: 's' },
});
const bash = (command: string) => action('Bash', 'shell', { command }, { command, dialect: 'posix' });
const looks = (each: Action) => looksOf(each, effectsOf(each, look), look)?.map(({ at, what }) => `${at} ${what}`);

describe('what a call looks at', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['tail -5 /tmp/x.log', ['file /tmp/x.log']],
    ['sleep 30 && tail -5 /tmp/x.log | grep done', ['file /tmp/x.log']],
    ['wc -l < out.txt', ['file /w/out.txt']],
    ['gh run view 5 --json status', ['status gh run view 5 --json status']],
    ['sleep 9; kill -0 41 && echo there', ['status kill -0 41']],
    ['kubectl get pods', ['status kubectl get pods']],
    ['curl -s http://localhost:3000/health', ['status curl -s http://localhost:3000/health']],
    ['git status', []],
    ['git fetch', undefined],
    ['sleep 5; npm test', undefined],
    ['tail -f /tmp/x.log', []],
    ['gh run watch 5', []],
    ['echo waiting', []],
    ['npm test > x.log; tail x.log', undefined],
    ['kill 41; tail /tmp/x.log', undefined],
    ['curl -s -X POST http://localhost:3000/jobs', undefined],
    ['curl -sd a=1 http://localhost:3000/jobs', undefined],
    ['sed -i s/a/b/ x.txt', undefined],
    ['cat x > y', undefined],
    ['cat "$FILE"', []],
    ['make & tail /tmp/x.log', undefined],
  ])('%s', (command, expected) => expect(looks(bash(command))).toEqual(expected));

  it('a background line is work', () => {
    const each = bash('tail -5 /tmp/x.log');
    expect(looks({ ...each, input: { ...each.input, background: true } })).toBeUndefined();
  });
  it.each<[string, Action, readonly string[] | undefined]>([
    ['a read', action('Read', 'read', { file_path: '/w/a' }, { path: '/w/a' }), ['file /w/a']],
    ['the output of a task', action('BashOutput', 'watch', { bash_id: 'b1' }, {}), ['task b1']],
    ['a wait for a task', action('TaskOutput', 'watch', { task_id: 'b1' }, {}), []],
    ['a look at a task', action('TaskOutput', 'watch', { task_id: 'b1', block: false }, {}), ['task b1']],
    ['an edit', action('Edit', 'edit', {}, { path: '/w/a', edits: [] }), undefined],
    ['a list of what is to do', action('TodoWrite', 'harmless', {}, {}), []],
  ])('%s', (_name, each, expected) => expect(looks(each)).toEqual(expected));
});
