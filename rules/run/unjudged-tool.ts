import { defineRule, type Finding } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'unjudged-tool',
  group: 'run',
  summary: 'Use a tool whose effect can be judged.',
  why: `
    A tool of some server that runs a program or deletes something does what a shell call would do, but nobody here can see what. Where the
    same thing can be done by a tool that is judged, that tool is the way; where not, it is said and goes on.
  `,
  evidence:
    'Agents went on through MCP tools after a refusal (cases/lessons.md, lesson 6). In about 6,000 real calls none of the 75 MCP calls has such a shape. Would reopen it: a server whose tools are worth registering one by one.',
  on: 'unknown.tool',
  needs: [],
  level: 'deny',
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'reading, listing, searching',
    'commands, programs, queries and file contents in the input: they are judged as such',
    'a dry run',
  ],

  judge(effect, { tools }): Finding | undefined {
    if (effect.shape === 'none') return;
    const boundary = `tool ${effect.tool} ${effect.shape}`;
    const { equivalent } = effect;
    if (equivalent && tools.shell && (effect.shape === 'execute' || effect.shape === 'write')) {
      return {
        says: `\`${effect.tool}\` would ${effect.shape === 'execute' ? 'run a program' : 'write'} where nobody sees what it does.`,
        boundary,
        remedies: [
          {
            kind: 'call',
            tool: equivalent.tool === 'Bash' ? tools.shell : equivalent.tool,
            input: equivalent.input,
            because: 'the same, where it is judged',
          },
        ],
      };
    }
    return {
      level: 'advise',
      says:
        effect.shape === 'delete'
          ? `\`${effect.tool}\` says it deletes, and what it would take with it cannot be seen from here.`
          : `What \`${effect.tool}\` does cannot be seen from here.`,
      person: `The agent called ${effect.tool}, whose effect cannot be judged.`,
      boundary,
      remedies: [{ kind: 'ask', ask: `May I call ${effect.tool}?`, because: 'only the owner knows whether it can be undone' }],
    };
  },

  examples: {
    catches: [
      { tool: 'mcp__runner__run_script', input: { script_path: './src/fix.sh' } },
      { tool: 'mcp__runner__executeFile', input: { path: 'tools/clean.py', args: ['--all'] } },
      { tool: 'mcp__linear__delete_project', input: { id: 'proj_1' }, gets: 'advise' },
      { tool: 'mcp__store__purgeBucket', input: { bucket: 'assets' }, gets: 'advise' },
    ],
    allows: [
      { tool: 'mcp__linear__get_project', input: { id: 'proj_1' } },
      { tool: 'mcp__docs__search', input: { query: 'how to delete a project' } },
      { tool: 'TodoWrite', input: { todos: [] } },
      { tool: 'mcp__devbox__run_command', input: { command: 'npm test' }, why: 'judged as the shell line it is' },
      { tool: 'mcp__linear__remove_label', input: { issue: 'A-1', label: 'bug' } },
      { tool: 'mcp__browser__evaluate', input: { function: '() => document.title' } },
    ],
  },
});
