import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { effectsOf } from '../effect/effects.ts';
import { type Sandbox, sandbox } from './fixture.ts';
import { realLook } from './look.ts';

let box: Sandbox;
beforeAll(() => {
  box = sandbox();
  box.run(`
git worktree add -q ../wt main
git worktree add -q "$TMPDIR/linked" -b linked
git clone -q . "$TMPDIR/clone" && git -C "$TMPDIR/clone" commit -q --allow-empty -m more
mkdir -p "$TMPDIR/named/deep" "$TMPDIR/demo" ../other && cp package.json "$TMPDIR/named/"
echo '{"name":"demo"}' > "$TMPDIR/demo/package.json"; git init -q ../other; mkdir sub`);
});
afterAll(() => box.remove());

describe('which checkout a directory lies in', () => {
  const is = (dir: string, cwd = box.repo) => box.facts(cwd).checkout(dir)?.is;
  const cases: readonly [string, () => string, string][] = [
    ['the top', () => box.repo, 'same'],
    ['a folder of it', () => `${box.repo}/src`, 'same'],
    ['one that is not there yet', () => `${box.repo}/src/new/deep`, 'same'],
    ['another work tree', () => `${box.root}/work/wt`, 'sibling'],
    ['a work tree among the temporary files', () => `${box.tmp}/linked`, 'sibling'],
    ['a clone among the temporary files', () => `${box.tmp}/clone`, 'copy'],
    ['a folder of the same name', () => `${box.tmp}/named`, 'copy'],
    ['below it', () => `${box.tmp}/named/deep`, 'copy'],
    ['a project of another name', () => `${box.tmp}/demo`, 'other'],
    ['another repository', () => `${box.root}/work/other`, 'other'],
    ['the home', () => box.home, 'other'],
  ];
  it.each(cases)('%s', (_name, dir, expected) => {
    expect(is(dir())).toBe(expected);
  });

  it('nothing is known of a directory that is not known', () => {
    expect(box.facts().checkout(undefined)).toBeUndefined();
  });

  it('who works in a work tree is at home there', () => {
    expect(is(`${box.root}/work/wt`, `${box.root}/work/wt`)).toBe('same');
    expect(box.facts(`${box.root}/work/wt`).checkout(box.repo)?.is).toBe('same');
  });

  it.each([
    ['cp -r . ../copy && ls ../copy', '/work/copy', 'copy'],
    ['cp -r . ../other && ls ../other', '/work/other', 'copy'],
    ['cp -r ../repo ../other && ls x', '/work/other/repo', 'copy'],
    ['cp -r ../repo ../other && ls x', '/work/other/else', 'other'],
    ['rsync -a ./ ../copy/ && ls x', '/work/copy', 'copy'],
    ['mkdir ../copy; git archive HEAD | tar -x -C ../copy; ls x', '/work/copy', 'copy'],
    ['tar -cf - . | tar -xf - -C ../copy; ls x', '/work/copy', 'copy'],
    ['git clone . ../copy && ls x', '/work/copy', 'copy'],
    ['git worktree add ../new && ls x', '/work/new', 'sibling'],
    ['cp -r src ../copy && ls x', '/work/copy', 'other'],
  ])('%s: %s', (command, dir, expected) => {
    const action = {
      host: 'claude-code',
      moment: 'before',
      event: 'PreToolUse',
      surface: 'shell',
      tool: 'Bash',
      input: { command },
      raw: {},
      cwd: box.repo,
      workspace: box.repo,
      caller: { session: 's' },
    } as const;
    const effects = effectsOf(action, realLook(box.env));
    expect(
      box
        .facts()
        .after(effects)
        .checkout(box.root + dir)?.is,
    ).toBe(expected);
  });
});
