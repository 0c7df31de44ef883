import { describe, expect, it } from 'vitest';
import { pushLines, toldCommand } from './pre-push.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const ZERO = '0'.repeat(40);
const LONG = 'c'.repeat(64);

describe('the lines git writes to its pre-push hook', () => {
  it.each([
    ['an update', `refs/heads/x ${A} refs/heads/y ${B}\n`, { local: 'refs/heads/x', oid: A, remote: 'refs/heads/y', theirs: B }],
    ['a new ref', `refs/heads/x ${A} refs/heads/x ${ZERO}\n`, { local: 'refs/heads/x', oid: A, remote: 'refs/heads/x', theirs: null }],
    ['a deletion', `(delete) ${ZERO} refs/heads/x ${B}\n`, { local: undefined, oid: undefined, remote: 'refs/heads/x', theirs: B }],
    [
      'an expression with blanks',
      `HEAD@{1 day ago} ${A} refs/heads/x ${B}\n`,
      { local: 'HEAD@{1 day ago}', oid: A, remote: 'refs/heads/x', theirs: B },
    ],
    ['64 digits', `HEAD ${LONG} refs/tags/v1 ${'0'.repeat(64)}`, { local: 'HEAD', oid: LONG, remote: 'refs/tags/v1', theirs: null }],
    ['a line end of Windows', `HEAD ${A} refs/heads/x ${B}\r\n`, { local: 'HEAD', oid: A, remote: 'refs/heads/x', theirs: B }],
  ])('%s', (_name, text, line) => {
    expect(pushLines(text)).toEqual({ lines: [line] });
  });

  it('no line is an empty push', () => {
    for (const text of ['', '\n', ' \n\n']) expect(pushLines(text)).toEqual({ lines: [] });
  });

  it.each([
    ['fields missing', `refs/heads/x ${A} refs/heads/x`],
    ['half an object name', `refs/heads/x ${A.slice(1)} refs/heads/x ${B}`],
    ['something else', 'waygate canary'],
  ])('%s is named with its line', (_name, got) => {
    expect(pushLines(`refs/heads/x ${A} refs/heads/x ${B}\n${got}\n`)).toEqual({ wrong: { line: 2, got } });
  });

  it('as a command, for a text', () => {
    const { lines } = pushLines(
      `refs/heads/x ${A} refs/heads/x ${B}\nHEAD ${A} refs/heads/y ${ZERO}\n(delete) ${ZERO} refs/heads/z ${B}\n`,
    ) as { lines: [] };
    expect(toldCommand({ remote: 'origin', url: 'u', refs: lines })).toBe('git push origin x HEAD:y :z');
  });
});
