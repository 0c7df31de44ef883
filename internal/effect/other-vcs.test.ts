import { describe, expect, it } from 'vitest';
import { effectsIn, told } from './git-fixture.ts';

describe('other version control systems', () => {
  it.each([
    ['hg update -C', 'tool=hg loses=changes'],
    ['hg --cwd sub up --clean default', 'tool=hg loses=changes'],
    ['hg revert --all --no-backup', 'tool=hg loses=changes'],
    ['hg purge', 'tool=hg loses=untracked files'],
    ['svn revert -R .', 'tool=svn loses=changes'],
    ['svn cleanup --remove-unversioned', 'tool=svn loses=untracked files'],
    ['p4 revert //...', 'tool=p4 loses=changes'],
  ])('%s', (line, expected) => {
    expect(effectsIn(line).map((effect) => told(effect, 'tool', 'loses'))).toEqual([`vcs.discard ${expected}`]);
  });

  it.each(['hg update', 'hg revert --all', 'hg purge --print', 'svn status', 'svn cleanup', 'p4 revert -a', 'jj abandon'])(
    '%s keeps everything',
    (line) => {
      expect(effectsIn(line).filter((effect) => effect.kind === 'vcs.discard')).toEqual([]);
    },
  );
});
