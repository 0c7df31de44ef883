import { describe, expect, it } from 'vitest';
import type { Look } from '../shell/command.ts';
import { readLine } from '../shell/read.ts';
import { effectsOfCommands } from './effects.ts';

const look: Look = {
  env: (name) => (name === 'HOME' ? '/home/u' : undefined),
  home: '/home/u',
  tmp: '/tmp',
  stat: (path) =>
    path === '/opt/w/dist/waygate.cjs'
      ? { kind: 'file', size: 1 }
      : path === '/usr/local/bin/w'
        ? { kind: 'link', size: 1, target: '/opt/w/dist/waygate.cjs' }
        : undefined,
  read: () => undefined,
  list: () => undefined,
  gitConfig: () => [],
};

const guardEffects = (line: string) =>
  effectsOfCommands(readLine(line, { cwd: '/code/repo', look }).commands, look).filter((effect) =>
    effect.kind.startsWith('guard.'),
  ) as unknown as Record<string, unknown>[];

describe("the guard's own verbs", () => {
  const cases: readonly [string, string, string?][] = [
    ['waygate trust', 'guard.owner-verb', 'trust'],
    ['/usr/local/bin/waygate grant 01J --yes', 'guard.owner-verb', 'grant'],
    ['npx waygate revoke x', 'guard.owner-verb', 'revoke'],
    ['npx --yes waygate@latest trust', 'guard.owner-verb', 'trust'],
    ['pnpm exec waygate uninstall', 'guard.owner-verb', 'uninstall'],
    ['npm exec -- waygate trust', 'guard.owner-verb', 'trust'],
    ['node dist/waygate.cjs trust', 'guard.owner-verb', 'trust'],
    ['node --no-warnings -r ./x.cjs /opt/w/dist/cli.cjs trust', 'guard.owner-verb', 'trust'],
    ['node /usr/local/bin/w init', 'guard.owner-verb', 'init'],
    ['waygate -C sub init', 'guard.owner-verb', 'init'],
    ['sudo waygate trust', 'guard.owner-verb', 'trust'],
    ["bash -c 'waygate trust'", 'guard.owner-verb', 'trust'],
    ['script -qc "waygate trust" /dev/null', 'guard.owner-verb', 'trust'],
    ['yes | waygate trust', 'guard.owner-verb', 'trust'],
    ['waygate judge --record < a.jsonl', 'guard.owner-verb', 'judge --record'],
    ['waygate gate record --status pass', 'guard.owner-verb', 'gate record'],
    ['waygate intents resolve 01J', 'guard.owner-verb', 'intents resolve'],
    ['waygate "$VERB"', 'guard.owner-verb', ''],
    ['waygate trust --list', 'guard.verb', 'trust'],
    ['waygate init --dry-run', 'guard.verb', 'init'],
    ['waygate trust --help', 'guard.verb', 'trust'],
    ['waygate judge < a.jsonl', 'guard.verb', 'judge'],
    ['waygate gate status', 'guard.verb', 'gate'],
    ['waygate --version', 'guard.verb', 'help'],
    ['waygate hook', 'guard.verb', 'hook'],
    ['waygate checkpoint list', 'guard.verb', 'checkpoint list'],
    ['waygate checkpoint restore --yes', 'guard.verb', 'checkpoint restore'],
    ['waygate checkpoint', 'guard.checkpoint'],
    ['waygate checkpoint -- list', 'guard.checkpoint'],
    ["echo '{}' | waygate hook --host claude-code", 'guard.feeds-hook'],
    ['waygate hook < event.json', 'guard.feeds-hook'],
    ["waygate hook <<'E'\n{}\nE", 'guard.feeds-hook'],
    ['pkill -f waygate', 'guard.disable'],
    ['kill $(pgrep -f waygate)', 'guard.disable'],
    ['rm -f "$(command -v waygate)"', 'guard.disable'],
    ['which waygate | xargs rm', 'guard.disable'],
    ['alias waygate=true', 'guard.disable'],
    ['hash -p /bin/true waygate', 'guard.disable'],
    ['npm uninstall -g waygate', 'guard.disable'],
    ['yarn global remove waygate', 'guard.disable'],
    ['npm uninstall waygate', 'guard.disable'],
    ['brew uninstall waygate', 'guard.disable'],
    ["pkill -9 -f 'waygate hook'", 'guard.disable'],
    ['claude plugin disable waygate@tools', 'guard.disable'],
    ['claude --bare -p x', 'guard.disable'],
    ["claude -p x --setting-sources ''", 'guard.disable'],
    ['HOME=/tmp/x claude -p x', 'guard.disable'],
    ['codex exec --yolo x', 'guard.disable'],
  ];
  it.each(cases)('%s', (line, kind, verb) => {
    const [effect] = guardEffects(line);
    expect(effect?.['kind']).toBe(kind);
    if (verb !== undefined) expect(effect?.['verb']).toBe(verb);
  });

  it.each([
    'echo waygate trust',
    'git commit -m "waygate trust"',
    "cat <<'E' > notes.md\nwaygate trust\nE",
    'grep -rn "waygate trust" .',
    'npm uninstall waygate-docs',
    'rm -rf $(ls)',
    'pkill node',
    'claude -p x',
    'codex exec x',
    'claude plugin list',
    'node build.js trust',
    'which waygate',
    'pgrep waygate',
  ])('not: %s', (line) => expect(guardEffects(line)).toEqual([]));

  it('a checkpoint knows its paths', () => {
    const [effect] = guardEffects('waygate -C sub checkpoint -m "before" -- a.ts b');
    expect((effect!['paths'] as { path: string }[]).map((target) => target.path)).toEqual(['/code/repo/sub/a.ts', '/code/repo/sub/b']);
    expect(guardEffects('waygate checkpoint')[0]?.['paths']).toBeUndefined();
  });

  it.each([
    ['waygate hook --host codex < e.json', { before: '', after: ' --host codex < e.json' }],
    ["echo '{}' | waygate hook", { before: "echo '{}' | ", after: '' }],
    ["waygate hook <<'E'\n{}\nE", { before: "printf '%s' '{}' | ", after: '' }],
  ])('the same input for the what-if: %s', (line, judge) => {
    expect(guardEffects(line)[0]?.['judge']).toEqual(judge);
  });
});
