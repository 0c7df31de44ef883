import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './fixture.ts';
import { commandsIn, wordsOf } from './wiring.ts';

let box: Sandbox;
afterEach(() => box?.remove());

const SETTINGS = JSON.stringify({
  hooks: {
    PreToolUse: [
      {
        matcher: '*',
        hooks: [
          { type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh --quiet' },
          { type: 'command', command: 'node tools/gate.mjs && echo done' },
        ],
      },
    ],
  },
});

function prepared(): void {
  box = sandbox();
  box.run(`mkdir -p .claude/hooks .claude/skills/a tools .husky .githooks ~/.claude
    echo '${SETTINGS}' > .claude/settings.json; echo '{}' > .claude/settings.local.json
    echo x > .claude/hooks/guard.sh; echo x > .claude/hooks/other.md; echo x > tools/gate.mjs; echo x > tools/free.mjs; echo x > .claude/skills/a/SKILL.md
    echo x > .husky/pre-commit; echo x > lefthook.yml; echo 'version: 1' > waygate.yaml
    mkdir gh; echo x > gh/pre-push; ln -s .claude/settings.json innocent.json; ln -s .claude cl`);
}

describe('what a path means for the guard', () => {
  it.each([
    ['.claude/settings.json', 'settings'],
    ['.claude/settings.local.json', 'settings'],
    ['.claude/settings.new.json', 'settings'],
    ['.claude', 'settings'],
    ['~/.claude/settings.json', 'settings'],
    ['innocent.json', 'settings'],
    ['cl/settings.json', 'settings'],
    ['.claude/hooks/guard.sh', 'hook-script'],
    ['.claude/hooks', 'hook-script'],
    ['tools/gate.mjs', 'hook-script'],
    ['.codex/hooks.json', 'settings'],
    ['.codex/config.toml', 'settings'],
    ['.gemini/settings.json', 'settings'],
    ['.cursor/hooks.json', 'settings'],
    ['.github/hooks/guard.json', 'settings'],
    ['.opencode/plugins/guard.ts', 'settings'],
    ['.git/hooks/pre-push', 'git-hook'],
    ['.git/hooks', 'git-hook'],
    ['.husky/pre-commit', 'git-hook'],
    ['lefthook.yml', 'git-hook'],
    ['waygate.yaml', 'policy'],
    ['~/.config/waygate/waygate.yaml', 'policy'],
    ['/etc/waygate/waygate.yaml', 'policy'],
    ['$state/waygate/trust.json', 'state'],
    ['.git/waygate/runs', 'state'],
    ['.claude/skills/a/SKILL.md', undefined],
    ['.claude/hooks/other.md', undefined],
    ['.claude/commands/go.md', undefined],
    ['tools/free.mjs', undefined],
    ['.git/hooks/pre-push.sample', undefined],
    ['src/app.ts', undefined],
    ['settings.json', undefined],
    ['.vscode/settings.json', undefined],
    ['.github/workflows/ci.yml', undefined],
  ])('%s', (path, expected) => {
    prepared();
    const full = path.startsWith('~')
      ? path.replace('~', box.home)
      : path.startsWith('$state')
        ? path.replace('$state', `${box.root}/state`)
        : path.startsWith('/')
          ? path
          : `${box.repo}/${path}`;
    expect(box.facts().wiring(full)).toBe(expected);
  });

  it('the hooks folder in force', () => {
    prepared();
    box.run('git config core.hooksPath gh');
    expect(box.facts().wiring(`${box.repo}/.githooks`)).toBe('git-hook');
  });
});

it.each([
  ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh', ['$CLAUDE_PROJECT_DIR/.claude/hooks/a.sh']],
  ["node 'my tools/x.mjs' --a=b", ['node', 'my tools/x.mjs', 'my', 'tools/x.mjs', '--a=b']],
  ['sh -c "./a.sh; ./b.sh"', ['sh', '-c', './a.sh; ./b.sh', './a.sh', './b.sh']],
])('words of %s', (command, words) => expect(wordsOf(command)).toEqual(words));

it('finds commands in JSON and TOML', () => {
  expect(commandsIn(SETTINGS)).toHaveLength(2);
  expect(commandsIn('notify = ["python3", "/home/x/n.py"]\n[mcp]\ncommand = "npx"\n')).toEqual(['python3', '/home/x/n.py', 'npx']);
  expect(commandsIn('{ broken')).toEqual([]);
});
