/** Text filters as what the run log's own options do: `tail -20` is `--tail 20`. */
import type { Stage } from '../effect/types-run.ts';

/** What of a run's output a filter leaves. */
export interface Filter {
  tail?: number;
  /** Lines with this text. */
  grep?: string;
  /** Something else than the end or a text: the part that says why it failed is what it was looking for. */
  failure?: boolean;
  /** The file it also goes to. */
  tee?: string;
  /** Hands on all lines. */
  keeps: boolean;
}

/** Programs that hand on less than comes in, or something else. */
const DROPS: ReadonlySet<string> = new Set(
  'tail gtail head ghead grep ggrep egrep fgrep rg ag ack sed gsed awk gawk mawk wc sort uniq cut less more most perl tac'.split(' '),
);
/** Programs that hand on every line. */
const KEEPS: ReadonlySet<string> = new Set('cat tee nl ts column fold fmt tr expand unexpand pr stdbuf col colrm strip-ansi'.split(' '));

/** Does a stage filter text, as far as its program tells. */
export const isFilter = (stage: Stage): boolean => DROPS.has(stage.program) || KEEPS.has(stage.program);

/** Does it hand on less than comes in? */
export const drops = (stage: Stage): boolean => DROPS.has(stage.program);

/** A stage in terms of the run log; undefined for a program that no option stands for. */
export function filterOf(stage: Stage): Filter | undefined {
  const { program, argv } = stage;
  if (program === 'tee') return teeOf(argv);
  if (KEEPS.has(program)) return { keeps: true };
  if (!DROPS.has(program)) return undefined;
  if (program === 'tail' || program === 'gtail') return tailOf(argv);
  if (/^(?:g?grep|[ef]grep|rg|ag|ack)$/.test(program)) return grepOf(argv);
  return { failure: true, keeps: false };
}

/** `-20`, `-n 20`, `-n20`, `--lines=20`; ten lines without. From a line on (`+5`) is nearly all of it. */
function tailOf(argv: readonly string[]): Filter {
  for (const [i, word] of argv.entries()) {
    const short = /^-(\d+)$/.exec(word) ?? /^(?:-n|--lines=)(\+?\d+)$/.exec(word);
    const value = short?.[1] ?? (word === '-n' || word === '--lines' ? argv[i + 1] : undefined);
    if (value === undefined) continue;
    if (value.startsWith('+')) return { keeps: true };
    const lines = Number(value.replace(/^-/, ''));
    return Number.isInteger(lines) && lines > 0 ? { tail: lines, keeps: false } : { failure: true, keeps: false };
  }
  return argv.some((word) => /^-c|^--bytes/.test(word)) ? { failure: true, keeps: false } : { tail: 10, keeps: false };
}

/** Options of grep that ask for lines with the text, as it stands. Any other asks for something else. */
const PLAIN = /^-[inEFwahHsu]+$|^-[ABC]\d*$|^--(?:color|colour|line-number|ignore-case|line-buffered|text)(?:=.*)?$/;

/** The text that grep looks for, when it is text and not a pattern. */
function grepOf(argv: readonly string[]): Filter {
  let pattern: string | undefined;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '-e' || word === '--regexp') {
      if (pattern !== undefined) return { failure: true, keeps: false };
      pattern = argv[++i] ?? '';
    } else if (/^-[ABC]$/.test(word)) i++;
    else if (word.startsWith('-') && word !== '-') {
      if (!PLAIN.test(word)) return { failure: true, keeps: false };
    } else pattern ??= word;
  }
  return pattern !== undefined && isText(pattern) ? { grep: pattern, keeps: false } : { failure: true, keeps: false };
}

/** No character of it means anything to a regular expression, or to the eye. */
const isText = (pattern: string): boolean => /^[^\\^$.*+?()[\]{}|\u0000-\u001f]+$/.test(pattern);

function teeOf(argv: readonly string[]): Filter | undefined {
  const files = argv.filter((word) => !word.startsWith('-'));
  const appends = argv.some((word) => /^-\w*a|^--append/.test(word));
  if (appends || files.length > 1 || files.some((file) => file === '')) return undefined;
  const [file] = files;
  return file === undefined || file === '/dev/null' || file.startsWith('/dev/') ? { keeps: true } : { tee: file, keeps: true };
}
