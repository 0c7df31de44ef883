import { defineRule } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'backtick-substitution',
  group: 'run',
  level: 'deny',
  summary: 'Write a command substitution as $(…), and text with backticks in single quotes.',
  why: `
    Backticks in double quotes run a command. In a commit message, a pull request text or a search pattern
    they are nearly always meant as marks around a name; the shell then runs that name and drops it from the text.
  `,
  evidence:
    'About 0.1 per 1,000 recorded calls. Each one either ran something nobody asked for or lost part of a text. Reopen when hosts quote texts themselves.',
  on: 'line.shape',
  needs: [],
  category: 'hidden-result',
  persistence: 'narrower-scope',
  quiet: ['single quotes', 'here-documents with a quoted tag', 'lines that do not parse'],

  judge({ shape }) {
    if (shape.shape !== 'backticks') return undefined;
    return {
      says: `\`${shape.source.replaceAll('`', '‵')}\` in backticks is run as a command${shape.program ? ` before \`${shape.program}\` starts` : ''}.`,
      person: 'Backticks in the command would have run as a command of their own.',
      remedies: [
        {
          kind: 'run',
          run: shape.instead,
          because: shape.instead.includes('$(') ? 'the same substitution, visible as one' : 'single quotes keep the text as it is',
        },
      ],
      boundary: 'line backticks',
    };
  },

  examples: {
    catches: [
      { run: 'grep -rn "use `judge` here" src' },
      { run: 'git commit --allow-empty -m "rename `parse` to `read`"' },
      { run: 'ls `pwd`', why: 'the same in $(…) can be read' },
    ],
    allows: [
      { run: "grep -rn 'use `judge` here' src" },
      { run: 'ls "$(pwd)"' },
      { run: "cat > build/note.md <<'EOF'\nsee `judge`\nEOF" },
      { run: 'echo "a \\` b"', why: 'escaped' },
    ],
  },

  wrappings: {
    'bash-c': 'the single quotes of the wrapping take the meaning from the backticks of the outer line',
    xargs: 'the words are split before',
    loop: 'the shape is the same; the repair holds the whole line',
  },
});
