import { defineRule, drops, isFilter, names, quote } from '../../internal/rule/rule.ts';

/** Verbs that only read, each with how it narrows its own output. `json`: fields instead of columns. */
const READS: Readonly<Record<string, { json: boolean; count?: string }>> = {
  describe: { json: true },
  runs: { json: true, count: '-n' },
  log: { json: true, count: '--limit' },
  verdict: { json: true },
  output: { json: true },
  report: { json: true },
  classify: { json: true },
  gate: { json: true },
  refs: { json: true },
  map: { json: true },
  text: { json: true },
  index: { json: true },
  lease: { json: true },
};
/** Filters that count, order or compute: no verb does that itself. */
const COMPUTES: ReadonlySet<string> = new Set(['wc', 'sort', 'uniq', 'awk', 'gawk', 'mawk', 'perl', 'cut']);

export default defineRule({
  name: 'graph-pipe',
  group: 'run',
  level: 'deny',
  summary: "Let the guard's reading verbs narrow their own output.",
  why: `
    The verbs that read print records of several lines; a text filter keeps one line of a record and drops the ones that say what it
    belongs to. Each verb narrows its own output: by number, by text, or as JSON with the fields by name.
  `,
  evidence:
    'The verbs are new, so no figure yet; the habit of piping every reader into head is the one counted under output-pipe. Reopen when readers go back to searching with grep instead.',
  on: 'guard.verb',
  needs: ['show'],
  category: 'hidden-result',
  persistence: 'narrower-scope',
  quiet: [
    '`jq` and other programs that read JSON',
    'filters that count, sort or compute',
    'help',
    '`tee` and `cat`, which hand on every line',
    'verbs with no output of their own to narrow',
  ],

  judge(effect, { facts, waygate }) {
    const { output, verb, argv = [] } = effect;
    const pipe = output?.pipe ?? [];
    const reads = Object.hasOwn(READS, verb) ? READS[verb]! : undefined;
    if (!reads || pipe.length === 0 || effect.script !== undefined || argv.includes('') || (verb === 'gate' && argv[0] !== 'status'))
      return undefined;
    if (!pipe.every(isFilter) || !pipe.some(drops) || pipe.some((stage) => COMPUTES.has(stage.program))) return undefined;
    const [first] = pipe.filter(drops);
    const own = narrowed(verb, argv, first!, reads);
    if (!own) return undefined;
    const place = effect.around || effect.cwd === undefined || facts.show(effect.cwd) === '.' ? [] : ['-C', quote(effect.cwd)];
    const run = [waygate, ...place, verb, ...argv.map(quote), ...own.options].join(' ');
    const { before = '', after = '' } = effect.around ?? {};
    return {
      says: `${names([...new Set(pipe.map((stage) => stage.program))])} would cut the records of \`waygate ${verb}\` into lines.`,
      person: 'A filter would have cut the records of a reading verb into lines.',
      remedies: [{ kind: 'run', run: `${before}${run}${after}`.trim(), because: own.because }],
      boundary: `run.read ${verb} ${argv.join(' ')}`,
    };
  },

  examples: {
    catches: [
      { run: 'waygate describe rules | head' },
      { run: 'waygate runs | head -5', why: 'it counts by itself' },
      { run: 'waygate output last | grep FAIL' },
      { run: 'waygate log 2>&1 | grep deny' },
    ],
    allows: [
      { run: 'waygate describe rules' },
      { run: "waygate describe rules --json | jq '.rules[].name'" },
      { run: 'waygate runs | wc -l', why: 'counting is no verb of its own' },
      { run: 'waygate describe --help | head' },
      { run: 'git log | head' },
    ],
  },
});

type Stage = Parameters<typeof drops>[0];

/** What the verb's own options do instead of the first filter. */
function narrowed(
  verb: string,
  argv: readonly string[],
  stage: Stage,
  reads: { json: boolean; count?: string },
): { options: string[]; because: string } | undefined {
  const filter = stageFilter(stage);
  if (verb === 'output') {
    if (filter.tail !== undefined) return { options: ['--tail', String(filter.tail)], because: 'the end of the run, from its whole log' };
    if (filter.grep !== undefined)
      return { options: ['--grep', quote(filter.grep)], because: 'the lines with the text and what stands around them' };
    return { options: ['--failure'], because: 'the part that says why the run failed' };
  }
  if (reads.count && filter.lines !== undefined && !argv.some((word) => word.startsWith(reads.count!)))
    return { options: [reads.count, String(filter.lines)], because: 'so many records, whole' };
  if (filter.grep !== undefined || stage.program === 'sed') {
    if (!reads.json || argv.includes('--json')) return { options: [], because: 'the whole record is short enough to read' };
    return { options: ['--json'], because: 'one document with the fields by name; `jq` picks from it' };
  }
  return { options: [], because: 'the whole answer is short enough to read' };
}

function stageFilter(stage: Stage): { tail?: number; grep?: string; lines?: number } {
  const numbers = stage.argv.flatMap((word, i) => /^-(?:n)?(\d+)$/.exec(word)?.[1] ?? (word === '-n' ? (stage.argv[i + 1] ?? []) : []));
  const lines = Number(numbers[0] ?? 10);
  if (/^g?(?:head|tail)$/.test(stage.program) && Number.isInteger(lines) && lines > 0)
    return stage.program.endsWith('tail') ? { tail: lines, lines } : { lines };
  const text = /grep$|^rg$/.test(stage.program) ? stage.argv.find((word) => !word.startsWith('-')) : undefined;
  return text === undefined || text === '' ? {} : { grep: text };
}
