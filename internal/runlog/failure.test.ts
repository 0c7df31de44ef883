import { describe, expect, it } from 'vitest';
import { failureBlock } from './failure.ts';

const noise = (what: string, count = 60): string[] => Array.from({ length: count }, (_, i) => `${what} ${i}`);

/** What each tool writes when something fails, between a lot of lines about what went well. */
const OUTPUTS: Readonly<Record<string, { lines: readonly string[]; shows: readonly string[]; hides: readonly string[] }>> = {
  vitest: {
    lines: [
      ' RUN  v4.1.12 /w',
      ...noise(' ✓ src/fine.test.ts > case'),
      ' FAIL  src/sum.test.ts > adds',
      'AssertionError: expected 3 to be 4 // Object.is equality',
      ' ❯ src/sum.test.ts:4:18',
      '⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯',
      '',
      ' Test Files  1 failed | 3 passed (4)',
      '      Tests  1 failed | 60 passed (61)',
      '   Duration  1.2s',
    ],
    shows: ['expected 3 to be 4', 'src/sum.test.ts:4:18', '1 failed | 60 passed'],
    hides: ['case 10'],
  },
  jest: {
    lines: [
      'PASS src/a.test.js',
      ...noise('console.log line'),
      'FAIL src/b.test.js',
      '  ● adds',
      '    expect(received).toBe(expected)',
      '    Expected: 4',
      '    Received: 3',
      'PASS src/c.test.js',
      'Test Suites: 1 failed, 2 passed, 3 total',
      'Tests:       1 failed, 5 passed, 6 total',
    ],
    shows: ['● adds', 'Received: 3', 'Tests:       1 failed'],
    hides: ['console.log line 3'],
  },
  pytest: {
    lines: [
      '============ test session starts ============',
      ...noise('tests/test_ok.py .'),
      '=================== FAILURES ===================',
      '______________ test_sum ______________',
      '    def test_sum():',
      '>       assert add(1, 2) == 4',
      'E       assert 3 == 4',
      'tests/test_sum.py:5: AssertionError',
      '=========== short test summary info ===========',
      'FAILED tests/test_sum.py::test_sum - assert 3 == 4',
      '========= 1 failed, 60 passed in 0.12s =========',
    ],
    shows: ['E       assert 3 == 4', 'FAILED tests/test_sum.py::test_sum', '1 failed, 60 passed'],
    hides: ['test_ok.py . 3'],
  },
  go: {
    lines: [
      ...noise('=== RUN   TestFine'),
      '=== RUN   TestSum',
      '    sum_test.go:9: got 3, want 4',
      '--- FAIL: TestSum (0.00s)',
      '    sum_test.go:9: got 3, want 4',
      'FAIL',
      'FAIL\texample.com/sum\t0.003s',
      'ok  \texample.com/other\t0.002s',
    ],
    shows: ['--- FAIL: TestSum', 'got 3, want 4', 'FAIL\texample.com/sum'],
    hides: ['TestFine 3'],
  },
  cargo: {
    lines: [
      ...noise('   Compiling dep v0.1'),
      'error[E0308]: mismatched types',
      ' --> src/main.rs:2:18',
      '  |',
      '2 |     let x: i32 = "a";',
      '  |                  ^^^ expected `i32`, found `&str`',
      '',
      'error: could not compile `app` (bin "app") due to 1 previous error',
    ],
    shows: ['E0308', 'src/main.rs:2:18', 'could not compile'],
    hides: ['Compiling dep v0.1 3'],
  },
  tsc: {
    lines: [
      '> build',
      '> tsc -p .',
      ...noise('checked'),
      "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
      "src/b.ts(9,1): error TS2304: Cannot find name 'x'.",
      ...noise('later'),
    ],
    shows: ['src/a.ts(3,7)', 'src/b.ts(9,1)'],
    hides: ['checked 3', 'later 30'],
  },
  make: {
    lines: [
      ...noise('cc -c fine.c'),
      'cc -c bad.c',
      "bad.c:3:5: error: expected ';' before 'return'",
      'make: *** [Makefile:4: bad.o] Error 1',
    ],
    shows: ['bad.c:3:5: error', 'make: *** [Makefile:4'],
    hides: ['fine.c 3'],
  },
  npm: {
    lines: [
      'npm error Missing script: "tset"',
      'npm error',
      'npm error Did you mean this?',
      'npm error   npm test',
      'npm error A complete log of this run can be found in: /home/dev/.npm/_logs/x.log',
    ],
    shows: ['Missing script: "tset"'],
    hides: [],
  },
  node: {
    lines: [
      ...noise('fine'),
      'TAP version 13',
      '# Subtest: adds',
      'not ok 1 - adds',
      '  ---',
      "  error: 'Expected 4, got 3'",
      '  ...',
      'ok 2 - subtracts',
      '# tests 2',
      '# pass 1',
      '# fail 1',
    ],
    shows: ['not ok 1 - adds', 'Expected 4, got 3', '# fail 1'],
    hides: ['ok 2 - subtracts', 'fine 3'],
  },
  eslint: {
    lines: [...noise('linting'), '/w/src/a.ts', "  3:7  error  'x' is never used  no-unused-vars", '', '✖ 1 problem (1 error, 0 warnings)'],
    shows: ['/w/src/a.ts', "'x' is never used", '✖ 1 problem'],
    hides: ['linting 3'],
  },
  'a program nobody knows': {
    lines: [...noise('step'), 'Traceback (most recent call last):', '  File "x.py", line 1', 'ValueError: no number', ...noise('cleanup')],
    shows: ['Traceback', 'ValueError'],
    hides: ['step 10', 'cleanup 30'],
  },
};

describe('the failure block', () => {
  it.each(Object.entries(OUTPUTS))('%s', (_tool, { lines, shows, hides }) => {
    const block = failureBlock(lines).join('\n');
    for (const part of shows) expect(block).toContain(part);
    for (const part of hides) expect(block).not.toContain(part);
  });

  it('a count of no errors is none', () => {
    expect(failureBlock(['0 errors, 3 warnings', ...noise('x', 100), 'the end'])).not.toContain('0 errors, 3 warnings');
  });

  it('nothing that tells of an error: the last lines', () => {
    expect(failureBlock(noise('line', 200))).toEqual(noise('line', 200).slice(-40));
  });

  it('stays small, with the first error and the end of it', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `src/f${i}.ts(1,1): error TS1: no ${i}`);
    const block = failureBlock(many);
    expect(block.length).toBeLessThan(170);
    expect(block[0]).toContain('no 0');
    expect(block.at(-1)).toContain('no 4999');
  });

  it('takes a megabyte without a pause', () => {
    const started = performance.now();
    failureBlock(noise('error at x '.repeat(10), 10_000));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
