import { describe, expect, it } from 'vitest';
import type { Target } from '../effect/effect.ts';
import { sameEdit, showsChange } from './rewriting.ts';

const show = (path: string) => path.replace('/r/', '');
const target = (path: string, glob = false): Target => ({ path, prefix: path, raw: path, ...(glob ? { glob } : {}) });

describe('sameEdit', () => {
  it.each([
    ['once', { before: 'a', after: 'b' }, 'x a y\n', { old_string: 'a', new_string: 'b' }],
    ['twice on two lines', { before: 'a', after: 'b' }, 'a\na\n', { old_string: 'a', new_string: 'b', replace_all: true }],
    ['twice on one line, without g', { before: 'a', after: 'b' }, 'a a\n', undefined],
    ['twice on one line, with g', { before: 'a', after: 'b', all: true }, 'a a\n', { old_string: 'a', new_string: 'b', replace_all: true }],
    ['never', { before: 'a', after: 'b' }, 'x\n', undefined],
    ['unread', { before: 'a', after: 'b' }, undefined, undefined],
  ])('%s', (_name, edit, text, wanted) => {
    const remedy = sameEdit('Edit', '/r/f', edit, text);
    expect(remedy && 'input' in remedy ? remedy.input : undefined).toEqual(wanted && { file_path: '/r/f', ...wanted });
  });
});

describe('showsChange', () => {
  it.each([
    ['one file', [target('/r/a b')], "sed s/x/y/ '/r/a b' | diff -u '/r/a b' -"],
    ['two files', [target('/r/a'), target('/r/b')], 'for f in a b; do sed s/x/y/ "$f" | diff -u "$f" -; done'],
    ['a glob', [target('/r/src/*.ts', true)], `find src -type f -name '*.ts' -exec sh -c 'sed s/x/y/ "$1" | diff -u "$1" -' _ '{}' ';'`],
    ['a walk', [target('/r/src/**/*.ts', true)], `find src -type f -name '*.ts' -exec sh -c 'sed s/x/y/ "$1" | diff -u "$1" -' _ '{}' ';'`],
    ['unknown', [{ path: undefined, prefix: '', raw: '$X' } as Target], undefined],
  ])('%s', (_name, targets, wanted) => {
    const remedy = showsChange(['sed', 's/x/y/'], targets, show);
    expect(remedy && 'run' in remedy ? remedy.run : undefined).toBe(wanted);
  });
});
