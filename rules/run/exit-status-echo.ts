import { defineRule } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'exit-status-echo',
  group: 'run',
  level: 'deny',
  summary: 'Let a line end with the exit status it has, not with a print of it.',
  why: `
    The harness reports a nonzero exit status by itself. A line that ends in \`echo $?\` always exits 0,
    so a failed check is recorded as a success, and whoever reads only the status is misled.
  `,
  evidence:
    '9 of 6,086 recorded calls (1.3 per 1,000, in 5 of 37 repositories) end so. Advice did not change the habit (ADR 0013). Reopen for a host that does not report the exit status.',
  on: 'line.shape',
  needs: [],
  category: 'hidden-result',
  persistence: 'narrower-scope',
  quiet: ['`exit $?` and tests of `$?`', 'a print in the middle of a line', 'a print after `&&`', 'a print into a file'],

  judge({ shape }) {
    if (shape.shape !== 'status-echo') return undefined;
    return {
      says: `\`${shape.source}\` at the end makes the whole line exit 0, so a failure before it is not seen.`,
      person: 'The command would have hidden whether it failed.',
      remedies: [{ kind: 'run', run: shape.instead, because: 'the exit status is reported without being printed' }],
      boundary: 'line status-echo',
    };
  },

  examples: {
    catches: [
      { run: 'npm test; echo "rc=$?"' },
      { run: 'npm run lint; rc=$?; echo $rc', why: 'through a variable it is the same' },
      { run: 'npm run build || echo "failed $?"' },
      { run: 'npm test\necho $?' },
      { run: 'npm run lint | cat; echo "${PIPESTATUS[0]}"', why: 'pipefail gives the same answer as the status' },
    ],
    allows: [
      { run: 'npm test; exit $?' },
      { run: 'npm test; [ $? -ne 0 ] && exit 1' },
      { run: 'npm test; echo "rc=$?" > build/rc', why: 'kept in a file' },
      { run: "echo 'use $?'", why: 'text' },
      { run: 'npm run build; echo "status $?"; npm test', why: 'not at the end' },
    ],
  },

  wrappings: {
    'bash-c': 'the shape is that of the line the agent wrote; inside `bash -c` the status is that of the inner shell',
    subshell: 'as for bash-c',
    loop: 'the print is no longer the end of the line',
    background: 'a background command has no status here',
    substitution: 'the output is used, not shown',
    xargs: 'not a command that xargs can run',
    time: 'only the first command is timed; the end of the line stays',
    env: 'a prefix in front of the first command only',
  },
});
