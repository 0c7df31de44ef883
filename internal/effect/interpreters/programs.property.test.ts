import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Look } from '../../shell/command.ts';
import type { Base } from '../effect.ts';
import { programEffects } from './index.ts';

const look: Look = {
  env: () => undefined,
  home: '/home/me',
  tmp: '/tmp',
  stat: () => undefined,
  read: () => undefined,
  list: () => undefined,
  gitConfig: () => [],
};
const base: Base = {
  step: 0,
  given: [],
  certain: true,
  cwd: '/repo',
  via: [],
  remote: false,
  root: false,
  source: 'program',
  by: 'program',
};
const LANGUAGES = ['python', 'node', 'perl', 'ruby', 'php', 'lua', 'r'] as const;

/** Pieces that real programs and broken ones are made of. */
const PIECES = [
  'open(',
  'os.remove(',
  'unlink ',
  'fs.rmSync(',
  'system ',
  'exec(',
  'eval ',
  '"',
  "'",
  '`',
  '"""',
  '${',
  '#{',
  '$x',
  '@y',
  '%h',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  '=>',
  '->',
  '=',
  ',',
  ';',
  '\n',
  '  ',
  '\n    ',
  'if ',
  'for x in ',
  'def f(a):',
  'function f(a) {',
  'do |x|',
  'end',
  'lambda x: ',
  'import os',
  "require('fs')",
  '/a/',
  's/a/b/e',
  '<<EOF\n',
  'EOF\n',
  '...',
  '? 1 : 2',
  '\\',
  '\0',
  '\ue0000\ue001',
  '\u{1f600}',
  'class A',
  'return',
  '#',
  '//',
  '/*',
  '*/',
  '--[[',
  ']]',
  '%w[',
  'qw(',
  'f"{x',
  '**',
  '+ ',
  '.join(',
  '.map(',
];

describe('programs of any shape', () => {
  it.each(LANGUAGES)('%s: never throws, stays bounded, gives the same again', (language) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const effects = programEffects(language, text, base, look);
        expect(effects.length).toBeLessThanOrEqual(401);
        expect(programEffects(language, text, base, look)).toEqual(effects);
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it.each(LANGUAGES)('%s: reads any text', (language) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        programEffects(language, `open system unlink rm ${text}`, base, look);
      }),
      { numRuns: 200, seed: 11 },
    );
  });

  const LONG: readonly (readonly [string, string, string])[] = [
    ['calls', 'python', 'os.remove("a")\n'],
    ['brackets', 'python', 'open(['],
    ['f-strings', 'python', 'f"{open}"'],
    ['quotes', 'python', "open'"],
    ['sums', 'python', 'open + '],
    ['templates', 'node', 'exec`${`'],
    ['arrows', 'node', 'exec(a=>'],
    ['slashes', 'node', 'exec / '],
    ['substitutions', 'perl', 's{a}{unlink}e;'],
    ['here-documents', 'perl', 'unlink <<A;\n'],
    ['blocks', 'ruby', 'rm do |x| '],
    ['strings', 'php', 'unlink "$a[b] {$c}";'],
  ];
  it.each(LONG)(
    'a megabyte of %s (%s) is read in time that grows with its length',
    (_name, language, unit) => {
      const took = (size: number): number => {
        const text = unit.repeat(Math.ceil(size / unit.length));
        const start = performance.now();
        programEffects(language, text, base, look);
        return performance.now() - start;
      };
      took(10_000);
      // Generous: it tells a square from a line, not a fast machine from a slow one.
      expect(took(1_000_000)).toBeLessThan(20_000);
    },
    30_000,
  );

  it('says when a text cannot be read to its end', () => {
    expect(programEffects('python', `import shutil\nshutil.rmtree(${'('.repeat(5_000)}`, base, look)).toEqual([
      expect.objectContaining({ kind: 'unknown', why: 'limit', destructive: true }),
    ]);
    expect(programEffects('python', `open(${'('.repeat(5_000)}`, base, look)).toEqual([
      expect.objectContaining({ kind: 'unknown', why: 'limit', destructive: false }),
    ]);
  });
});
