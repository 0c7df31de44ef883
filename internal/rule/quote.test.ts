import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_LOOK } from '../shell/fixture.ts';
import { readLine } from '../shell/read.ts';
import { textOf } from '../shell/word.ts';
import { quote, quoteLine } from './quote.ts';

const look = EMPTY_LOOK;

/** Names as files and branches may really have them: everything that means something to a shell. An argument never holds a NUL. */
const HOSTILE = [
  '$(id)',
  '`id`',
  "'",
  '"',
  '\\',
  ';',
  '&',
  '|',
  '>',
  '*',
  '?',
  '[a]',
  '{a,b}',
  '~',
  '!',
  '#',
  '-rf',
  '--',
  ' ',
  '\t',
  '\n',
  '\r',
  '\u0007',
  '\u001b[2J',
  'ü',
  '漢',
  '🦊',
  '=x',
  'a=b',
  '%s',
  '\u202e',
  '..',
  '/',
];
const name = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 5 })
  .map((parts) => parts.join('').replaceAll('\0', ''));
const names = fc.array(name, { maxLength: 6 });

describe('quote', () => {
  it.each([
    ['src/app.ts', 'src/app.ts'],
    ['', "''"],
    ['two words', "'two words'"],
    ["it's", "'it'\\''s'"],
    ['=ls', "'=ls'"],
    ['a\nb', "$'a\\x0ab'"],
  ])('%j is %s', (argument, text) => expect(quote(argument)).toBe(text));

  it('a line reads back as the argv it was made of', () => {
    fc.assert(
      fc.property(names, (argv) => {
        const { commands, unread } = readLine(quoteLine(['printf', ...argv]), { cwd: '/repo', look });
        expect(unread).toEqual([]);
        expect(commands.map((command) => command.argv.map(textOf))).toEqual([['printf', ...argv]]);
      }),
      { numRuns: 500, seed: 20_260_105 },
    );
  });

  it('bash reads it back as well', () => {
    const argv = fc.sample(name, { numRuns: 400, seed: 20_260_105 });
    const ran = spawnSync('bash', ['-c', `printf '%s\\0' ${quoteLine(argv)}`], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    expect(ran.stderr).toBe('');
    expect(ran.stdout.split('\0').slice(0, -1)).toEqual(argv);
  });
});
