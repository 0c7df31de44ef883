import { defineRule, quote } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'process-poll',
  group: 'run',
  level: 'deny',
  summary: 'Do not wait for a process by searching the process table for its text.',
  why: `
    The shell that runs the loop carries the pattern in its own command line, so \`pgrep -f\` finds the loop itself
    and the wait never ends. A loop over the process table also goes on when the process was never there.
  `,
  evidence:
    '7 process look-ups among 6,086 recorded calls; loops that matched themselves until the host ended them are on public record. Reopen when hosts run commands without the text in the command line.',
  on: 'line.shape',
  needs: [],
  category: 'hidden-result',
  persistence: 'narrower-scope',
  quiet: [
    'a single look at the process table',
    'loops with a count or under `timeout` that do not match themselves',
    'patterns that cannot match themselves, such as `[v]ite`',
  ],

  judge({ shape }) {
    if (shape.shape !== 'wait-loop' || shape.until !== 'process') return undefined;
    const pattern = shape.pattern;
    const safe = pattern && /^[A-Za-z]/.test(pattern) ? `[${pattern[0]}]${pattern.slice(1)}` : undefined;
    const loop = pattern && safe ? shape.source.replace(pattern, () => safe) : shape.source;
    return {
      says: pattern
        ? `The loop waits for \`${pattern}\` to leave the process table, and its own command line holds that text.`
        : 'This loop asks the process table again and again, without a bound.',
      person: 'The command would have waited for a process in a loop that may never end.',
      remedies: [
        {
          kind: 'run',
          run: `timeout 300 bash -c ${quote(loop)}`,
          because: pattern ? 'the pattern no longer matches the loop, and the wait has a bound' : 'the same wait, at most five minutes',
        },
      ],
      boundary: 'line process-poll',
    };
  },

  examples: {
    catches: [
      { run: 'until [ -z "$(pgrep -f \'vite build\')" ]; do sleep 5; done; tail -3 README.md' },
      { run: 'while pgrep -f webpack > /dev/null; do sleep 2; done' },
      { run: 'while ps aux | grep -q webpack; do sleep 5; done' },
    ],
    allows: [
      { run: 'pgrep -fl vite' },
      { run: 'ps aux | head -5' },
      { run: 'timeout 300 bash -c \'while pgrep -f "[w]ebpack" > /dev/null; do sleep 2; done\'' },
    ],
  },

  wrappings: {
    'bash-c': 'only the line as the agent wrote it is judged for its shape',
    background: 'a loop in the background holds no turn',
    xargs: 'not a command that xargs can run',
    substitution: 'judged as part of what uses its output',
    env: 'a loop takes no prefix',
    loop: 'a loop around a loop',
    quoting: 'keywords cannot be quoted',
    time: 'the keyword does not change the loop',
  },
});
