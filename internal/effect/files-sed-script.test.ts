import { describe, expect, it } from 'vitest';
import { readSedScript } from './files-sed-script.ts';

const NONE = { writes: [], runs: [] };

describe('readSedScript', () => {
  it.each([
    ['s/a/b/', { ...NONE, plain: { before: 'a', after: 'b', all: false } }],
    ['s#a/b#c#g', { ...NONE, plain: { before: 'a/b', after: 'c', all: true } }],
    ['s/a\\.b/c/', { ...NONE, plain: { before: 'a.b', after: 'c', all: false } }],
    ['s/a.b/c/', NONE],
    ['s/a/&&/', NONE],
    ['s/a/b/2', NONE],
    ['/x/s/a/b/', NONE],
    ['1,5d', NONE],
    ['s/a/b/; s/c/d/', NONE],
    ['s/a/b/w out.txt', { writes: ['out.txt'], runs: [] }],
    ['/x/w found.txt', { writes: ['found.txt'], runs: [] }],
    ['1e rm -rf x', { writes: [], runs: ['rm -rf x'] }],
    ['s/.*/date/e', { writes: [], runs: [''] }],
    ['$a\\\nw is text', NONE],
    ['y/abc/xyz/', NONE],
    ['s/[/]x/y/', NONE],
    ['/a\\/b/{s/c/d/;p}', NONE],
    ['', NONE],
    ['s/unfinished', NONE],
  ] as const)('%j', (script, wanted) => {
    expect(readSedScript(script)).toEqual(wanted);
  });
});
