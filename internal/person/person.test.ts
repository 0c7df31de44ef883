import { describe, expect, it } from 'vitest';
import { type Ancestor, agentAmong, agentMarker } from './agents.ts';
import { askPerson, randomWord, type Surroundings } from './person.ts';

const SHELL: readonly Ancestor[] = [
  { pid: 30, name: 'bash', line: '-bash' },
  { pid: 20, name: 'tmux: server', line: 'tmux new -s work' },
  { pid: 1, name: 'systemd', line: '/sbin/init' },
];

function at(typed: string | undefined, more: Partial<Surroundings> = {}): { around: Surroundings; written: string[] } {
  const written: string[] = [];
  return {
    written,
    around: {
      env: { HOME: '/home/u', TERM: 'xterm' },
      ancestors: () => SHELL,
      openTerminal: () => ({ write: (text) => void written.push(text), readLine: () => typed, close: () => void written.push('closed') }),
      word: () => 'copper-lantern',
      ...more,
    },
  };
}

describe('a person', () => {
  it.each([
    ['copper-lantern', 'yes'],
    [' copper-lantern ', 'yes'],
    ['yes', 'no'],
    ['', 'no'],
    [undefined, 'no'],
    ['Copper-Lantern', 'no'],
  ] as const)('who types %j: %s', async (typed, answer) => {
    const { around, written } = at(typed);
    expect(await askPerson('Trust this?', around)).toBe(answer);
    expect(written[0]).toContain('Trust this?\nType copper-lantern');
    expect(written.at(-1)).toBe('closed');
  });

  it('is not asked without a terminal', async () => {
    const { around } = at('copper-lantern', { openTerminal: () => undefined });
    expect(await askPerson('?', around)).toEqual({ refused: expect.stringContaining('no terminal') });
  });

  it('is not asked where the processes cannot be listed', async () => {
    const { around } = at('copper-lantern', { ancestors: () => undefined });
    expect(await askPerson('?', around)).toEqual({ refused: expect.stringContaining('cannot be listed') });
  });

  it.each(['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CODEX_SANDBOX', 'GEMINI_CLI', 'CURSOR_TRACE_ID', 'OPENCODE'])(
    'is not asked with %s set',
    async (name) => {
      const { around, written } = at('copper-lantern', { env: { [name]: '1' } });
      expect(await askPerson('?', around)).toEqual({ refused: expect.stringContaining(name) });
      expect(written).toEqual([]);
    },
  );

  it.each(['CODEX_HOME', 'CLAUDE_CODE_USE_BEDROCK', 'CURSOR_API_KEY', 'ANTHROPIC_API_KEY', 'EDITOR'])('may have %s set', (name) => {
    expect(agentMarker({ [name]: 'x' })).toBeUndefined();
  });

  it('an empty variable is no sign', () => expect(agentMarker({ CLAUDECODE: '' })).toBeUndefined());

  it.each([
    ['claude', '/usr/local/bin/claude'],
    ['node', 'node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'],
    ['node', 'node --no-warnings /opt/codex.js --full-auto'],
    ['node', '/usr/bin/node /home/u/.npm/bin/gemini'],
    ['python3.12', 'python3.12 /home/u/.venv/bin/aider'],
    ['Cursor Helper (P', '/Applications/Cursor.app/Contents/MacOS/Cursor'],
    ['opencode', 'opencode run'],
    ['pi', 'pi'],
  ])('is not asked below %s (%s)', (name, line) => {
    expect(agentAmong([...SHELL, { pid: 5, name, line }])).toBeDefined();
  });

  it.each([
    ['vim', 'vim claude.md'],
    ['bash', 'bash /home/u/claude/build.sh'],
    ['node', 'node server.js --agent claude'],
    ['sshd', 'sshd: u@pts/0'],
    ['code', '/usr/share/code/code'],
  ])('may sit below %s (%s)', (name, line) => {
    expect(agentAmong([...SHELL, { pid: 5, name, line }])).toBeUndefined();
  });

  it('gets another word each time', () => {
    expect(new Set(Array.from({ length: 20 }, randomWord)).size).toBeGreaterThan(10);
    expect(randomWord()).toMatch(/^[a-z]+-[a-z]+$/);
  });
});
