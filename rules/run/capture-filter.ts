import { defineRule, filterOf, quote } from '../../internal/rule/rule.ts';

const TASK = 'mkdir -p "$TMPDIR/claude/tasks" && seq 1 400 > "$TMPDIR/claude/tasks/b1.output"';

export default defineRule({
  name: 'capture-filter',
  group: 'run',
  level: 'deny',
  summary: 'Read the failure of a finished run as a block.',
  why: `
    A failure is printed as several lines that belong together: the target, the cause, where it stands, how to see it again. A filter
    over the stored output keeps one of them, or a window of lines that happens to miss it, and the next call filters again. The run
    log knows where a failure starts and ends.
  `,
  evidence:
    '33 of 6,086 recorded calls (4.9 per 1,000) filter the output file of a task; most are followed by another filter over the same file. Reopen when the block that is shown turns out to miss what readers look for.',
  on: 'run.capture',
  needs: ['file', 'place'],
  category: 'hidden-result',
  persistence: 'narrower-scope',
  quiet: [
    'the whole file read or printed',
    '`jq` over a capture of JSON lines',
    '`tail -f`, which waits for the end',
    'a file that is not there, or only has such a name outside a store of captures',
    'counting with `wc`',
  ],

  judge(effect, { facts, waygate }) {
    const { path } = effect.path;
    if (path === undefined || effect.remote || effect.path.glob || facts.file(path).kind !== 'file') return undefined;
    const own = /\/waygate\/(?:.+\/)?runs\/[^/]+\.log$/.test(path);
    if (!own && facts.place(path) !== 'temp' && !/\/\.?claude[^/]*\//.test(path)) return undefined;
    const filter = filterOf({
      program: effect.program,
      argv: effect.argv.filter((word) => word !== effect.path.raw),
      source: '',
      fds: [1],
      into: [],
    });
    const options =
      filter?.tail !== undefined
        ? ['--tail', String(filter.tail)]
        : filter?.grep !== undefined
          ? ['--grep', quote(filter.grep)]
          : ['--failure'];
    return {
      says: `\`${effect.program}\` would pick lines out of the stored output of ${own ? 'run' : 'task'} ${effect.ref ?? ''}, where a failure is several lines that belong together.`,
      person: 'Single lines would have been picked out of the stored output of a run.',
      remedies: [
        {
          kind: 'run',
          run: [waygate, 'output', quote(own ? (effect.ref ?? 'last') : path), ...options].join(' '),
          because:
            options[0] === '--failure'
              ? 'the part that says why it failed, as a block'
              : 'with what stands around it; `--failure` shows why it failed',
        },
      ],
      boundary: `run.capture ${path}`,
    };
  },

  examples: {
    catches: [
      { run: 'grep -n Error {{tmp}}/claude/tasks/b1.output', given: [TASK] },
      { run: "sed -n '1,200p' {{tmp}}/claude/tasks/b1.output", given: [TASK] },
      { run: 'cat {{tmp}}/claude/tasks/b1.output | tail -50', given: [TASK], why: 'printed whole into a filter' },
      { tool: 'Read', input: { file_path: '{{tmp}}/claude/tasks/b1.output', offset: 100, limit: 50 }, given: [TASK] },
    ],
    allows: [
      { run: 'cat {{tmp}}/claude/tasks/b1.output', given: [TASK] },
      { tool: 'Read', input: { file_path: '{{tmp}}/claude/tasks/b1.output' }, given: [TASK] },
      { run: "grep -rn 'tasks/b1.output' src", why: 'a pattern' },
      { run: 'tail -f {{tmp}}/claude/tasks/b1.output', given: [TASK], why: 'it waits' },
      { run: 'grep -n x build.log', given: ['echo x > build.log'], why: 'no capture' },
    ],
  },
});
