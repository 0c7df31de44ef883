import { defineRule, quote } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'unread-line',
  group: 'work',
  level: 'deny',
  fixed: true,
  summary: 'Do not run a line that nobody could read and that may destroy something.',
  why: `
    A shell runs the lines before a syntax error, and a line beyond every bound can hide anything.
    What could be recovered is judged as usual; when the rest holds a program that destroys, the whole is refused.
  `,
  evidence:
    'A syntax error after harmless text passes: 46 of 12,242 collected commands do not parse, none of them with a destructive program in the rest. Reopen when a better parser is found.',
  on: 'unknown',
  needs: [],
  category: 'invalid-request',
  persistence: 'narrower-scope',
  quiet: ['a syntax error whose rest names no destructive program', 'text that only the run will know, such as `bash -c "$COMMAND"`'],

  judge(effect) {
    if (!effect.destructive) return undefined;
    const limit = effect.why === 'limit';
    const check = quote(effect.command);
    return {
      says: limit
        ? `The line could not be judged: ${effect.detail}.`
        : `The line does not parse (${effect.detail}), and what was not read names a destructive program.`,
      person: 'The command could not be read, so it was not run.',
      remedies:
        limit || effect.command.endsWith('…')
          ? [{ kind: 'stop', because: 'write the step as several plain commands, one call each' }]
          : [
              { kind: 'run', run: `bash -n -c ${check}`, because: 'shows where the syntax breaks, without running anything' },
              { kind: 'stop', because: 'write the step as several plain commands, one call each' },
            ],
      boundary: `line unread ${effect.why}`,
    };
  },

  examples: {
    catches: [{ run: 'echo "start\nrm -rf src' }, { run: "echo 'unclosed; git reset --hard" }],
    allows: [{ run: "echo 'unclosed" }, { run: 'bash -c "$COMMAND"' }, { run: 'for f in a b; do echo $f' }],
  },

  wrappings: {
    'bash-c': 'a text with an unclosed quote cannot be wrapped',
    cd: 'as for bash-c',
    env: 'as for bash-c',
    subshell: 'as for bash-c',
    background: 'as for bash-c',
    time: 'as for bash-c',
    quoting: 'as for bash-c',
    loop: 'as for bash-c',
    substitution: 'as for bash-c',
    xargs: 'as for bash-c',
  },
});
