/** The push gate end to end: a declared gate, git's own hook, a bare remote, and every way to type a push. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { waygate } from '../support/cli.ts';
import { AGENT, HUSKY, LEFTHOOK, machine, remoteTip, takenOut, typed, wired } from '../support/pushing.ts';
import type { Sandbox } from '../support/sandbox.ts';

/** A gate that passes, declared and pushed. It leaves a line behind for each run. */
const GATED = [
  "printf '%s\\n' 'version: 1' 'gate: { command: sh gate.sh }' > waygate.yaml",
  "printf '%s\\n' 'test ! -e broken' > gate.sh",
  'git add waygate.yaml gate.sh',
  "git commit -q -m 'declare the gate'",
  'git push -q',
];
const commit = (name: string): string =>
  `echo 'export const ${name} = 1;' > src/${name}.ts && git add src/${name}.ts && git commit -q -m 'add ${name}'`;
const gate = (box: Sandbox, cwd = box.repo) => waygate(box, ['gate', 'run', '--quiet'], { cwd });
const head = (box: Sandbox, revision = 'HEAD', cwd = box.repo): string => typed(box, `git rev-parse ${revision}`, { cwd }).output.trim();

function refused(box: Sandbox, line: string, options: Parameters<typeof typed>[2] = {}): string {
  const { code, output } = typed(box, line, options);
  expect(code, `${line}\n${output}`).not.toBe(0);
  expect(output).toMatch(/nothing was pushed|Nothing was pushed/);
  return output;
}

function passes(box: Sandbox, line: string, options: Parameters<typeof typed>[2] = {}): string {
  const { code, output } = typed(box, line, options);
  expect(code, `${line}\n${output}`).toBe(0);
  return output;
}

describe('a push and its gate', () => {
  it('ungated: refused; gate, push: passes; one more commit: refused', () => {
    const box = wired([...GATED, commit('a')]);
    const said = refused(box, 'git push');
    // The refs, what covers them, and the one command.
    expect(said).toContain(`feat/x  ${head(box).slice(0, 7)}  absent: sh gate.sh has not run on these files.`);
    expect(said).toMatch(/^Run: waygate gate run$/m);
    expect(remoteTip(box, 'refs/heads/feat/x')).toBe(head(box, 'HEAD~1'));
    expect(gate(box).code).toBe(0);
    passes(box, 'git push');
    expect(remoteTip(box, 'refs/heads/feat/x')).toBe(head(box));
    typed(box, commit('b'));
    refused(box, 'git push');
  });

  it('a gate that failed', () => {
    const box = wired([...GATED, commit('a'), 'touch broken && git add broken && git commit -q -m broken']);
    expect(gate(box).code).toBe(1);
    expect(refused(box, 'git push')).toContain('failed: sh gate.sh failed on these files');
  });

  it('an amend without other content, and a rebase, are covered by their files', () => {
    const box = wired([...GATED, commit('a')]);
    gate(box);
    typed(box, "git commit -q --amend -m 'said better'");
    passes(box, 'git push');
    // The same change again on another base with the same files.
    typed(box, [commit('b'), 'true'].join('\n'));
    gate(box);
    typed(
      box,
      "git branch -q base HEAD~1 && git switch -q base && git commit -q --allow-empty -m 'nothing new' && git switch -q feat/x && git rebase -q base",
    );
    passes(box, 'git push --force-with-lease');
  });

  it('two refs of which one is covered', () => {
    const box = wired([...GATED, commit('a')]);
    gate(box);
    typed(box, `git switch -q -c other && ${commit('b')} && git switch -q feat/x`);
    const said = refused(box, 'git push origin feat/x other');
    expect(said).toMatch(/feat\/x +[0-9a-f]{7} {2}passed: sh gate\.sh passed on this commit/);
    expect(said).toMatch(/other +[0-9a-f]{7} {2}absent: /);
    expect(remoteTip(box, 'refs/heads/other')).toBe('');
    passes(box, 'git push origin feat/x');
  });

  it('a tag, a deletion, an overwritten branch', () => {
    const box = wired([...GATED, commit('a'), 'git tag v1']);
    expect(refused(box, 'git push origin v1')).toMatch(/v1 +[0-9a-f]{7} {2}absent/);
    gate(box);
    passes(box, 'git push origin v1');
    passes(box, 'git push origin HEAD:refs/heads/gone');
    passes(box, 'git push origin :gone');
    typed(box, `${commit('b')} && git push -q --no-verify && git reset -q --hard HEAD~1 && ${commit('c')}`);
    refused(box, 'git push --force');
    gate(box);
    passes(box, 'git push --force');
  });

  it('from a linked worktree, with the runs of the repository', () => {
    const box = wired([...GATED, 'git worktree add -q ../linked -b side']);
    const cwd = join(box.work, 'linked');
    typed(box, commit('a'), { cwd });
    refused(box, 'git push -u origin side', { cwd });
    expect(gate(box, cwd).code).toBe(0);
    passes(box, 'git push -u origin side', { cwd });
    // Covered there, covered here.
    passes(box, 'git push origin side:refs/heads/side-2');
  });

  it.each([
    ['git -C', 'git -C "$PWD" push', '/'],
    ['an alias', 'git config alias.ship "push origin HEAD" && git ship', ''],
    ['a shell alias of git', 'git config alias.out "!git push" && git out', ''],
    ['a script', "printf '#!/bin/sh\\ngit push origin HEAD\\n' > ../ship.sh && sh ../ship.sh", ''],
    ['a Makefile', "printf 'ship:\\n\\t@git push origin HEAD\\n' > ../Makefile && make -f ../Makefile ship", ''],
    ['a person at the keyboard', 'git push', ''],
  ])('through %s', (_name, line) => {
    const box = wired([...GATED, commit('a')]);
    refused(box, line);
    gate(box);
    passes(box, line);
    expect(remoteTip(box, 'refs/heads/feat/x')).toBe(head(box));
  });

  it('an agent reads the rule, what covers it and the next call, and not the way past the hook', () => {
    const box = wired([...GATED, commit('a')]);
    const said = refused(box, 'git push', { env: AGENT });
    expect(said).toContain('[push-ungated] Nothing was pushed. The push would send');
    expect(said).toMatch(/^Run instead: .*gate run$/m);
    expect(said).not.toContain('no-verify');
    typed(box, 'waygate gate run', { env: AGENT });
    passes(box, 'git push', { env: AGENT });
    const verdicts = JSON.parse(waygate(box, ['log', '--json']).stdout).decisions.map((each: { verdict: string }) => each.verdict);
    expect(verdicts).toEqual(['deny', 'pass']);
  });

  it('a run log that cannot be read covers nothing', () => {
    const box = wired([...GATED, commit('a'), 'mkdir -p .git/waygate/runs.jsonl']);
    expect(refused(box, 'git push')).toContain('unknown: The run log cannot be read');
  });

  it('a branch the gate is not for, and no gate at all', () => {
    const box = wired([
      ...GATED,
      "printf '%s\\n' 'version: 1' 'gate: { command: sh gate.sh, branches: [main] }' > waygate.yaml",
      commit('a'),
    ]);
    passes(box, 'git push origin feat/x');
    const free = wired([commit('a')]);
    expect(passes(free, 'git push')).not.toContain('waygate');
  });

  it('what a remote has already needs no gate, unless it went there past it', () => {
    const box = wired([...GATED, 'git init -q --bare ../fork.git', 'git remote add fork ../fork.git']);
    passes(box, 'git push -q fork feat/x');
    passes(box, 'git push -q -u origin HEAD:refs/heads/new');
    typed(
      box,
      "printf '%s\\n' 'version: 1' 'gate: { command: sh gate.sh, branches: [main] }' > waygate.yaml && git commit -q -a -m 'for main only'",
    );
    passes(box, 'git push origin feat/x');
    refused(box, 'git push origin HEAD:main');
  });

  it('--no-verify is a person’s, and an agent’s tool call of it is refused', () => {
    const box = wired([...GATED, commit('a')]);
    const event = {
      session_id: 's',
      cwd: box.repo,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'git push --no-verify' },
    };
    const asked = waygate(box, ['hook', '--host', 'claude-code'], { input: JSON.stringify(event) });
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('[hook-bypass]');
    passes(box, 'git push --no-verify');
  });

  it('after uninstall git asks nobody', async () => {
    const box = wired([...GATED, commit('a')]);
    refused(box, 'git push');
    await takenOut(box);
    passes(box, 'git push');
  });
});

describe('push-check', () => {
  it('says the same before a push, and sends and records nothing', () => {
    const box = wired([...GATED, commit('a')]);
    const before = waygate(box, ['push-check']);
    expect(before.code).toBe(1);
    expect(before.stderr).toContain('the push would be refused');
    expect(before.stderr).toMatch(/feat\/x +[0-9a-f]{7} {2}absent/);
    gate(box);
    const after = waygate(box, ['push-check', 'origin', 'HEAD:refs/heads/new', '--json']);
    expect(after.code).toBe(0);
    expect(JSON.parse(after.stdout)).toMatchObject({
      schema: 1,
      by: 'person',
      verdict: 'pass',
      refs: [{ name: 'new', oid: head(box), does: 'creates', coverage: { state: 'passed', command: 'sh gate.sh' } }],
    });
    expect(remoteTip(box, 'refs/heads/new')).toBe('');
    expect(JSON.parse(waygate(box, ['log', '--json']).stdout).decisions).toEqual([]);
  });

  it('nothing to push', () => {
    const box = machine(['git switch -q --detach']);
    expect(waygate(box, ['push-check'])).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to push') });
  });
});

describe('beside a hook manager', () => {
  it.skipIf(HUSKY === undefined)('husky 9: the gate first, then its own hook', () => {
    const box = machine([...GATED, `${process.execPath} ${HUSKY}`, "printf 'cat > ../husky-saw\\n' > .husky/pre-push", commit('a')]);
    waygate(box, ['init', '--git']);
    refused(box, 'git push');
    expect(typed(box, 'test -e ../husky-saw').code).toBe(1);
    gate(box);
    passes(box, 'git push');
    expect(typed(box, 'cat ../husky-saw').output).toContain(head(box));
  });

  it.skipIf(LEFTHOOK === undefined)('lefthook: the gate first, then its own commands', () => {
    const box = machine([...GATED, commit('a')]);
    writeFileSync(
      join(box.repo, 'lefthook.yml'),
      'pre-push:\n  commands:\n    own:\n      run: cat > ../lefthook-saw\n      use_stdin: true\n',
    );
    box.env['LEFTHOOK_BIN'] = LEFTHOOK!;
    typed(box, '"$LEFTHOOK_BIN" install');
    waygate(box, ['init', '--git']);
    refused(box, 'git push');
    expect(typed(box, 'test -e ../lefthook-saw').code).toBe(1);
    gate(box);
    passes(box, 'git push');
    expect(typed(box, 'cat ../lefthook-saw').output).toContain(head(box));
  });
});
