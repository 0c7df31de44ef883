import { describe, expect, it } from 'vitest';
import type { EffectOf } from './effect.ts';
import { effectsIn, told } from './git-fixture.ts';

const pushOf = (line: string) => effectsIn(line).find((effect): effect is EffectOf<'git.push'> => effect.kind === 'git.push')!;
const refsOf = (line: string) =>
  pushOf(line).refs.map(
    (ref) =>
      `${ref.src ?? ''}:${ref.dst ?? ''} ${ref.delete ? 'delete' : ref.force}${ref.expects ? ` ${ref.expects}` : ''}${ref.unknown ? ' unknown' : ''}`,
  );

describe('refspecs', () => {
  it.each([
    ['git push origin main', ['main:main none']],
    ['git push origin +main', ['main:main blind']],
    ['git push origin HEAD:refs/heads/main', ['HEAD:refs/heads/main none']],
    ['git push origin HEAD', ['HEAD: none']],
    ['git push origin @:x', ['@:x none']],
    ['git push origin :old', [':old delete']],
    ['git push origin --delete old older', [':old delete', ':older delete']],
    ['git push -d origin tag v1', [':refs/tags/v1 delete']],
    ['git push origin tag v1', ['refs/tags/v1:refs/tags/v1 none']],
    ['git push -f origin a b:c', ['a:a blind', 'b:c blind']],
    ['git push --force-with-lease origin a', ['a:a lease']],
    ['git push --force-w=a origin a b', ['a:a lease', 'b:b none']],
    ['git push --force-with-lease=a:abc123 origin a', ['a:a lease abc123']],
    ['git push --force-with-lease --force origin a', ['a:a blind']],
    ['git push --force-with-lease --no-force-with-lease origin a', ['a:a none']],
    ['git push --force-with-lease=other origin +a', ['a:a blind']],
    ['git push origin refs/heads/a:+refs/heads/a', ['refs/heads/a:refs/heads/a blind']],
    ['git push origin "HEAD:refs/heads/$(date +%s)"', [': none unknown']],
  ])('%s', (line, expected) => {
    expect(refsOf(line)).toEqual(expected);
  });
});

describe('the push as a whole', () => {
  it.each([
    ['git push', 'remoteName=undefined bare=true all=false dryRun=false force=none'],
    ['git push -f', 'remoteName=undefined bare=true all=false dryRun=false force=blind'],
    ['git push --force-with-lease', 'remoteName=undefined bare=true all=false dryRun=false force=lease'],
    ['git push -n --force origin x', 'remoteName=origin bare=false all=false dryRun=true force=blind'],
    ['git push --all', 'remoteName=undefined bare=false all=true dryRun=false force=none'],
    ['git push --repo=up', 'remoteName=up bare=true all=false dryRun=false force=none'],
    ['git push origin :', 'remoteName=origin bare=false all=true dryRun=false force=none'],
    ['git push -- --force', 'remoteName=--force bare=true all=false dryRun=false force=none'],
    ["git push -o 'ci.skip' origin x", 'remoteName=origin bare=false all=false dryRun=false force=none'],
  ])('%s', (line, expected) => {
    expect(told(pushOf(line), 'remoteName', 'bare', 'all', 'dryRun', 'force')).toBe(`git.push ${expected}`);
  });

  it('a mirror forces and prunes', () => {
    expect(told(pushOf('git push --mir origin'), 'mirror', 'prune', 'force')).toBe('git.push mirror=true prune=true force=blind');
  });

  it.each([
    ['git push -fu origin x', 'git push --force-with-lease -u origin x'],
    ['git push origin +x', 'git push --force-with-lease origin x'],
    ['git -C sub push --force', 'git -C sub push --force-with-lease'],
    ['cd sub && git push -f', 'git -C sub push --force-with-lease'],
  ])('%s with a lease', (line, expected) => {
    expect(pushOf(line).lease).toBe(expected);
  });
});
