/**
 * G11: two pull requests once went out ungated, since nothing tied a push to a green gate. Here each path from a commit to a remote that a
 * test can walk is walked as an agent walks it: the tool hook first, and where that lets the call through, the call itself, with git's own
 * hook behind it. The commit must not arrive. Paths outside git stand in test/limits.ts.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { waygate } from '../support/cli.ts';
import { AGENT, typed, wired } from '../support/pushing.ts';
import type { Sandbox } from '../support/sandbox.ts';

const GATED = [
  "printf '%s\\n' 'version: 1' 'gate: { command: \"true\" }' > waygate.yaml",
  'git add waygate.yaml',
  "git commit -q -m 'declare the gate'",
  'git push -q',
];
const UNGATED = ["echo 'export const a = 1;' > src/a.ts", 'git add src/a.ts', "git commit -q -m 'add a'"];

/** Another remote, a script, a Makefile, an npm script, a hook that pushes: all of it the owner's own. */
const GROUND = [
  'git remote set-url origin "$(realpath ../origin.git)"',
  'git init -q --bare ../second.git',
  'git remote add second ../second.git',
  'git push -q second main feat/x',
  'git config alias.ship "push origin HEAD"',
  'git config alias.out "!git push origin HEAD"',
  'mkdir ../tools',
  "printf '#!/bin/sh\\nexec git push origin HEAD\\n' > ../tools/ship.sh && chmod +x ../tools/ship.sh",
  "printf 'ship:\\n\\t@git push origin HEAD\\n' > ../tools/Makefile",
  'echo push > ../tools/word',
  `printf 'import subprocess\\nsubprocess.run(["git", open("../tools/word").read().strip(), "origin", "HEAD"])\\n' > ../tools/ship.py`,
  'git worktree add -q ../linked HEAD --detach',
];

/** Did the commit reach any remote? */
function arrived(box: Sandbox, commit: string): boolean {
  return ['origin.git', 'second.git', 'part.git'].some(
    (remote) => typed(box, `git --git-dir=${join(box.work, remote)} cat-file -e ${commit}`).code === 0,
  );
}

/** What the tool hook says to a line before it runs, or hears of it afterwards. */
function asked(box: Sandbox, line: string, event: 'PreToolUse' | 'PostToolUse' = 'PreToolUse'): { denied: boolean; said: string } {
  // A session for each: refusals in a row would stop the run.
  const name = createHash('sha256').update(line).digest('hex').slice(0, 12);
  const payload = {
    session_id: name,
    cwd: box.repo,
    hook_event_name: event,
    tool_name: 'Bash',
    tool_input: { command: line },
    tool_use_id: `toolu-${name}`,
  };
  const { code, stderr } = waygate(box, ['hook', '--host', 'claude-code'], { input: JSON.stringify(payload) });
  return { denied: code === 2, said: stderr };
}

/** [path, line, who stops an agent]. A person is stopped by git wherever git asks its hook. */
const PATHS: readonly (readonly [path: string, line: string, stops: 'tool' | 'git'])[] = [
  ['plain', 'git push', 'tool'],
  ['named', 'git push origin feat/x', 'tool'],
  ['another name there', 'git push origin HEAD:refs/heads/other', 'tool'],
  ['by object name', 'git push origin "$(git rev-parse HEAD)":refs/heads/other', 'tool'],
  ['forced by a plus', 'git push origin +feat/x', 'tool'],
  ['all branches', 'git push --all origin', 'tool'],
  ['a mirror', 'git push --mirror second', 'tool'],
  ['a tag', 'git tag -f out && git push origin out', 'tool'],
  ['all tags', 'git tag -f out && git push --tags origin', 'git'],
  ['git -C', 'cd / && git -C "{{repo}}" push', 'tool'],
  ['from below', 'cd src && git push', 'tool'],
  ['GIT_DIR', 'cd / && GIT_DIR={{repo}}/.git GIT_WORK_TREE={{repo}} git push origin feat/x', 'tool'],
  ['another work tree', 'git --work-tree=/tmp push origin feat/x', 'tool'],
  ['another work tree, from outside', 'cd / && git --git-dir={{repo}}/.git --work-tree=/ push origin feat/x', 'tool'],
  ['bash -c', "bash -c 'git push'", 'tool'],
  ['eval', 'eval "git push"', 'tool'],
  ['a variable', 'cmd=push; git $cmd', 'tool'],
  ['xargs', 'echo feat/x | xargs git push origin', 'tool'],
  ['a substitution', 'echo "$(git push 2>&1)"', 'tool'],
  ['in a loop', 'for r in origin second; do git push $r HEAD; done', 'tool'],
  ['an alias', 'git ship', 'tool'],
  ['an alias of a shell line', 'git out', 'tool'],
  ['an alias on the line', "git -c alias.away='push origin HEAD' away", 'tool'],
  ['a script', 'sh ../tools/ship.sh', 'tool'],
  ['an executable', '../tools/ship.sh', 'tool'],
  ['make', 'make -f ../tools/Makefile ship', 'tool'],
  ['a program that reads the word from a file', 'python3 ../tools/ship.py', 'git'],
  ['a second remote', 'git push second HEAD', 'tool'],
  ['an address', 'git push "{{work}}/second.git" HEAD:refs/heads/out', 'tool'],
  ['a remote that is led elsewhere first', 'git remote set-url --push origin "{{work}}/second.git" && git push origin HEAD', 'tool'],
  ['send-pack', 'git send-pack "{{work}}/second.git" feat/x', 'tool'],
  ['a linked worktree', 'cd ../linked && git push origin HEAD:refs/heads/side', 'tool'],
  ['past the hook', 'git push --no-verify', 'tool'],
  ['with other hooks', 'git -c core.hooksPath=/dev/null push', 'tool'],
  [
    'with other hooks, from the environment',
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git push',
    'tool',
  ],
];

describe('G11: no path from a commit to a remote goes past the gate', () => {
  let box: Sandbox;
  let commit: string;
  const inBox = (line: string) => line.replaceAll('{{repo}}', box.repo).replaceAll('{{work}}', box.work);

  beforeAll(() => {
    box = wired([...GATED, ...GROUND, ...UNGATED, 'git -C ../linked switch -q --detach feat/x']);
    commit = typed(box, 'git rev-parse HEAD').output.trim();
  });

  it.each(PATHS)('an agent: %s', (_path, written, stops) => {
    const line = inBox(written);
    const { denied, said } = asked(box, line);
    expect(denied ? 'tool' : 'git', said).toBe(stops);
    if (!denied) {
      const ran = typed(box, line, { env: AGENT });
      asked(box, line, 'PostToolUse');
      expect(ran.output).toMatch(/^\[push-ungated\] .*(Nothing was pushed|Same boundary)/m);
    }
    expect(arrived(box, commit)).toBe(false);
  });

  // What goes past every hook of git is a person's to choose: --no-verify, core.hooksPath, send-pack (docs/guide/limits.md).
  // How a line is put together is the shell's affair: git's hook sees one push.
  const HOOKED = PATHS.filter(
    ([path]) => !/^send-pack|past the hook|other hooks|bash -c|eval|variable|xargs|substitution|loop|below|object/.test(path),
  );
  it.each(HOOKED)('a person: %s', (_path, written) => {
    const ran = typed(box, inBox(written));
    typed(box, 'git config --unset-all remote.origin.pushurl; git tag -d out');
    expect(ran.output).toContain('nothing was pushed');
    expect(arrived(box, commit)).toBe(false);
  });
});

describe('G11: paths that begin elsewhere', () => {
  it('a push from another hook of git', () => {
    const box = wired([
      ...GATED,
      'mkdir -p .git/hooks',
      "printf '#!/bin/sh\\ngit push -q origin HEAD\\n' > .git/hooks/post-commit",
      'chmod +x .git/hooks/post-commit',
    ]);
    const { output } = typed(box, UNGATED.join(' && '), { env: AGENT });
    expect(output).toContain('[push-ungated] Nothing was pushed.');
    expect(arrived(box, typed(box, 'git rev-parse HEAD').output.trim())).toBe(false);
  });

  it('a submodule, on its own and along with its parent', () => {
    const box = wired([
      'git init -q --bare ../part.git',
      'git clone -q ../part.git ../part-source 2>/dev/null && cd ../part-source',
      ...GATED.slice(0, 3),
      'git push -q origin HEAD',
      'cd ../repo',
      'git -c protocol.file.allow=always submodule add -q ../part.git part',
      "git commit -q -m 'a part'",
      'git push -q',
    ]);
    const part = join(box.repo, 'part');
    expect(waygate(box, ['init', '--git'], { cwd: part }).code).toBe(0);
    typed(box, 'echo 1 > one && git add one && git commit -q -m one', { cwd: part });
    const commit = typed(box, 'git rev-parse HEAD', { cwd: part }).output.trim();
    expect(asked(box, 'git -C part push origin HEAD').denied).toBe(true);
    expect(typed(box, 'git push origin HEAD', { cwd: part }).output).toContain('nothing was pushed');
    typed(box, "git commit -q -a -m 'the part moves'");
    expect(typed(box, 'git -c protocol.file.allow=always push --recurse-submodules=on-demand').code).not.toBe(0);
    expect(arrived(box, commit)).toBe(false);
  });

  it('once the gate is green all of it is one push away', () => {
    const box = wired([...GATED, ...UNGATED]);
    waygate(box, ['gate', 'run', '--quiet']);
    const line = 'git push';
    expect(asked(box, line)).toEqual({ denied: false, said: '' });
    const ran = typed(box, line, { env: AGENT });
    expect(ran.code, ran.output).toBe(0);
    expect(arrived(box, typed(box, 'git rev-parse HEAD').output.trim())).toBe(true);
  });
});
