/**
 * The part of an output that says why a run failed. Each kind of tool marks its failures and its summary in its own way; what none
 * of them knows is told by the words that errors have, and else by the last lines. Pure.
 */

/** A tool's marks: where a block about a failure begins, where it ends, and lines that sum up. */
interface Marks {
  tool: string;
  /** The tool wrote this output. */
  seen: RegExp;
  start: RegExp;
  /** The first line that is no part of the block any more; the block also ends where the next starts. */
  end?: RegExp;
  summary?: RegExp;
}

// biome-ignore format: one tool a line
const TOOLS: readonly Marks[] = [
  { tool: 'vitest', seen: /^\s*(RUN\s+v\d|Test Files\s)/m, start: /^\s*(FAIL\s|❯.*\|\s*\d+ failed|Error:|⎯⎯+ (Failed|Unhandled))/, end: /^\s*⎯{20,}.*\[\d+\/\d+\]⎯*$/, summary: /^\s*(Test Files|Tests|Errors)\s+.*\d/ },
  { tool: 'jest', seen: /^\s*(Test Suites:|Tests:)\s+\d/m, start: /^\s*(● .+ › |● |FAIL\s)/, end: /^\s*(PASS\s|Test Suites:)/, summary: /^\s*(Test Suites|Tests):\s/ },
  { tool: 'pytest', seen: /^=+ (test session starts|FAILURES|ERRORS|short test summary)/m, start: /^(_{3,} .+ _{3,}|E\s{2,}|=+ (FAILURES|ERRORS) =+)/, end: /^=+ (short test summary|warnings summary)/, summary: /^(FAILED |ERROR |=+ .*\d+ (failed|error).*=+$)/ },
  { tool: 'go', seen: /^(--- FAIL:|FAIL\t|ok {2}\t|\?\s+\S+\s+\[no test files\]|=== RUN)/m, start: /^\s*(--- FAIL:|panic:|# \S+|\S+\.go:\d+:\d+: )/, end: /^(ok {2}\t|=== RUN|--- PASS|\?\s)/, summary: /^FAIL(\t|$)/ },
  { tool: 'cargo', seen: /^\s*(Compiling|Running|Finished|error\[E\d+\]:|error: could not compile|test result:)/m, start: /^\s*(error(\[E\d+\])?:|---- .+ stdout ----|thread '.+' panicked)/, end: /^\s*(warning:|failures:$|Compiling )/, summary: /^(test result: FAILED|error: (test failed|could not compile)|failures:)/ },
  { tool: 'tsc', seen: /(\(\d+,\d+\): error TS\d+:|:\d+:\d+ - error TS\d+:)/, start: /error TS\d+:/, end: /^(?!\s|\d+\s)(?!.*error TS)/, summary: /^Found \d+ errors?/ },
  { tool: 'eslint', seen: /^\s+\d+:\d+\s+(error|warning)\s/m, start: /^(\/|\.?\.?\/|[A-Za-z]:\\).*\.\w+$/, summary: /✖ \d+ problems?/ },
  { tool: 'make', seen: /^g?make(\[\d+\])?: /m, start: /(:\d+(:\d+)?: (fatal )?error:|^g?make(\[\d+\])?: \*\*\*)/, summary: /^g?make(\[\d+\])?: \*\*\*/ },
  { tool: 'gradle', seen: /^(> Task |FAILURE: Build failed|BUILD FAILED)/m, start: /^(FAILURE: |\* What went wrong:|> Task .* FAILED|e: |error: )/, end: /^(\* Try:|> Task (?!.*FAILED))/, summary: /^BUILD FAILED/ },
  { tool: 'maven', seen: /^\[(INFO|ERROR)\] /m, start: /^\[ERROR\]/, end: /^\[INFO\]/, summary: /^\[INFO\] BUILD FAILURE/ },
  { tool: 'mocha', seen: /^\s+\d+ (passing|failing)/m, start: /^\s+\d+\) /, summary: /^\s+\d+ failing/ },
  { tool: 'tap', seen: /^(TAP version|not ok \d|# fail \d)/m, start: /^\s*not ok \d/, end: /^\s*ok \d/, summary: /^# (fail|pass|tests) \d/ },
  { tool: 'npm', seen: /^npm (ERR!|error)/m, start: /^npm (ERR!|error) (?!A complete log)/, summary: /^npm (ERR!|error) (Lifecycle|code|Missing script)/ },
];

/** What a line that tells of an error looks like where no tool is known. */
const ERROR =
  /\b(error|fatal|failed|failure|exception|panic|traceback|segmentation fault|assertion|cannot find|not found|undefined reference)\b/i;
/** Counts of nothing: `0 errors`, `no failures`. */
const NO_ERROR = /\b(0|no)\s+(errors?|failures?|failed|exceptions?)\b|\b(errors?|failures?|failed)[:=]?\s*0\b/i;

/** Tools that run other tools. */
const RUNNERS: ReadonlySet<string> = new Set(['make', 'npm']);

/** Lines in front of a block, so that it says what it is about. */
const BEFORE = 2;
/** Lines of one block, and of all. */
const BLOCK = 40;
const TOTAL = 160;
/** Lines from the end where nothing tells of an error. */
const LAST = 40;

/** The lines that say why it failed, in their order; the last ones where nothing does. */
export function failureBlock(lines: readonly string[]): readonly string[] {
  const text = lines.join('\n');
  const shown = new Set<number>();
  const seen = TOOLS.filter((each) => each.seen.test(text));
  for (const marks of seen) for (const at of marked(lines, marks)) shown.add(at);
  // A runner only says that what it ran has failed; what that was may be a tool that none of these knows.
  if (seen.every((each) => RUNNERS.has(each.tool))) for (const at of byWords(lines)) shown.add(at);
  if (shown.size === 0) return lines.slice(-LAST);
  return cut(
    lines,
    [...shown].sort((a, b) => a - b),
  );
}

/** The numbers of the lines in a tool's blocks and summaries. */
function marked(lines: readonly string[], { start, end, summary }: Marks): readonly number[] {
  const out: number[] = [];
  let left = 0;
  lines.forEach((line, at) => {
    if (start.test(line)) {
      if (left === 0) for (let i = Math.max(0, at - BEFORE); i < at; i++) if (lines[i]!.trim() !== '') out.push(i);
      left = BLOCK;
    } else if (left > 0 && end?.test(line)) left = 0;
    if (left > 0 || summary?.test(line)) out.push(at);
    if (left > 0) left--;
  });
  return out;
}

/** The first lines that tell of an error, with what follows them, and the end. */
function byWords(lines: readonly string[]): readonly number[] {
  const out: number[] = [];
  let blocks = 0;
  for (let at = 0; at < lines.length && blocks < 5; at++) {
    if (!ERROR.test(lines[at]!) || NO_ERROR.test(lines[at]!)) continue;
    blocks++;
    const stop = Math.min(lines.length, at + 12);
    for (let i = Math.max(0, at - BEFORE); i < stop; i++) out.push(i);
    at = stop - 1;
  }
  if (blocks > 0) for (let i = Math.max(0, lines.length - 5); i < lines.length; i++) out.push(i);
  return out;
}

/** Gaps are marked; of too many lines the first and the last ones stay: the first error and the summary. */
function cut(lines: readonly string[], numbers: readonly number[]): readonly string[] {
  const head = Math.floor(TOTAL * 0.75);
  const kept = numbers.length <= TOTAL ? numbers : [...numbers.slice(0, head), ...numbers.slice(head - TOTAL)];
  const out: string[] = [];
  kept.forEach((at, index) => {
    const before = kept[index - 1];
    if (before !== undefined && at !== before + 1) out.push('…');
    out.push(lines[at]!);
  });
  return out;
}
