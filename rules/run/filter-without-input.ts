import { defineRule } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'filter-without-input',
  group: 'run',
  level: 'deny',
  summary: 'Give a filter something to read.',
  why: `
    A filter with no file, pipe or redirection reads a standard input that nothing feeds. The call hangs until
    the host ends it, and the turn is lost.
  `,
  evidence:
    'No such call among 6,086 recorded ones, so the rule costs nothing there; each one would cost the whole time limit of the host. Reopen for a host that closes standard input.',
  on: 'line.shape',
  needs: [],
  category: 'hidden-result',
  persistence: 'narrower-scope',
  quiet: [
    'recursive grep without a path',
    '`jq -n`',
    'unknown options',
    'unquoted expansions, which may hold a file',
    'filters inside functions, loops that are fed, and scripts',
  ],

  judge({ shape }) {
    if (shape.shape !== 'idle-filter') return undefined;
    const instead = shape.instead ?? `${shape.source} < /dev/null`;
    return {
      says: `\`${shape.source}\` names no file and nothing is piped into it: \`${shape.program}\` would wait for input that never comes.`,
      person: `The command would have waited for input without end (${shape.program}).`,
      remedies: [
        {
          kind: 'run',
          run: instead,
          because: instead.endsWith('/dev/null')
            ? 'it ends at once; name the file in place of /dev/null'
            : 'it searches the files below this folder',
        },
      ],
      boundary: `line idle-filter ${shape.program}`,
    };
  },

  examples: {
    catches: [
      { run: 'grep -n TODO' },
      { run: 'jq .name' },
      { run: 'cat' },
      { run: 'head -5' },
      { run: "sed -n '1,5p'" },
      { run: 'tr a-z A-Z' },
    ],
    allows: [
      { run: 'grep -rn TODO' },
      { run: 'head -n 5 README.md' },
      { run: 'echo x | grep x' },
      { run: 'tr a-z A-Z < README.md' },
      { run: 'jq -n 1' },
      { run: 'while read -r line; do cut -c1-3; done < README.md', why: 'the loop is fed' },
      { run: 'wc -l README.md' },
      { run: 'node bench.mjs > >(tail -5)', why: 'a process substitution is fed' },
    ],
  },

  wrappings: {
    'bash-c': 'the inner shell may be fed by the outer one; only the line as the agent wrote it is judged',
    subshell: 'quiet about nothing: the subshell reads the same input',
    xargs: 'xargs closes the input of what it runs',
    background: 'a background command reads from /dev/null',
    env: 'behind a wrapper the program is judged by its own reader',
    time: 'as for env',
    loop: 'a loop body may be fed',
    substitution: 'a substitution may stand in a place that is fed',
  },
});
