import { describe, expect, it } from 'vitest';
import type { EffectOf, Target } from '../effect/effect.ts';
import type { FileFact } from '../fact/facts.ts';
import { landings, wholeOf } from './paths.ts';

const target = (path: string, more: Partial<Target> = {}): Target => ({ path, prefix: path, raw: path, ...more });
const base = { step: 0, given: [], certain: true, cwd: '/r', via: [], remote: false, root: false, source: 'mv', by: 'mv', command: 'mv' };
const facts = { file: (path: string): FileFact => ({ kind: path === '/r/dir' ? 'dir' : 'absent', size: 0 }) };

describe('landings', () => {
  const move = (sources: readonly Target[], dest: Target, into = true): EffectOf<'file.move'> => ({
    ...base,
    kind: 'file.move',
    sources,
    dest,
    into,
    noClobber: false,
    backup: false,
  });
  it.each([
    ['a new name', move([target('/r/a')], target('/r/b')), ['/r/b']],
    ['into a folder', move([target('/r/a')], target('/r/dir')), ['/r/dir/a']],
    ['over a folder with -T', move([target('/r/a')], target('/r/dir'), false), ['/r/dir']],
    ['several', move([target('/r/a'), target('/r/x/b')], target('/r/new')), ['/r/new/a', '/r/new/b']],
    ['a slash at the end', move([target('/r/a')], target('/r/new', { slash: true })), ['/r/new/a']],
    ['a glob', move([target('/r/*.md', { glob: true })], target('/r/dir')), ['/r/dir/*.md']],
  ])('%s', (_name, effect, wanted) => {
    expect(landings(effect, facts).map(({ at }) => at.path)).toEqual(wanted);
  });

  it('knows a folder that the line makes', () => {
    expect(landings(move([target('/r/a')], target('/r/new')), facts, new Set(['/r/new'])).map(({ at }) => at.path)).toEqual(['/r/new/a']);
  });
});

describe('wholeOf', () => {
  it.each([
    ['/r/*', '/r'],
    ['/*', '/'],
    ['/r/.*', '/r'],
    ['/**/*.log', '/'],
    ['/r/**/*.log', '/r'],
    ['/r/*.log', '/r/*.log'],
    ['/et?', '/et?'],
  ])('%s', (path, wanted) => {
    expect(wholeOf(target(path, { glob: true }))).toBe(wanted);
  });
});
