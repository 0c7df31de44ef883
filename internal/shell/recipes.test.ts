import { describe, expect, it } from 'vitest';
import type { Look } from './command.ts';
import { readLine } from './read.ts';

const FILES: Readonly<Record<string, string>> = {
  '/w/justfile': 'default: build\n\nbuild dir="out":\n    rm -rf {{dir}}\n    @git push --force\n\nrelease: build\n    npm publish\n',
  '/w/Taskfile.yml':
    "version: '3'\ntasks:\n  clean:\n    cmds:\n      - rm -rf out\n  release:\n    deps: [clean]\n    cmds:\n      - git push --force\n",
  '/w/mise.toml': '[tasks.release]\nrun = "git push --force"\ndepends = ["clean"]\n\n[tasks.clean]\nrun = ["rm -rf out", "echo done"]\n',
  '/w/Makefile': 'release: clean\n\tgit push --force\n\nclean:\n\trm -rf out\n',
};

const LOOK: Look = {
  env: () => undefined,
  home: '/home/dev',
  tmp: '/tmp',
  stat: (path) => (FILES[path] === undefined ? undefined : { kind: 'file', size: FILES[path].length }),
  read: (path) => FILES[path],
  list: () => undefined,
  gitConfig: () => [],
};

/** The commands behind the call, with the file they stand in. */
const behind = (line: string, cwd = '/w'): string[] =>
  readLine(line, { cwd, look: LOOK })
    .commands.filter((command) => command.script !== undefined)
    .map((command) => `${command.script?.slice(3)} ${command.source}`);

describe('recipes are read like scripts', () => {
  it.each<[string, readonly string[]]>([
    ['make release', ['Makefile rm -rf out', 'Makefile git push --force']],
    ['just release', ['justfile rm -rf $dir', 'justfile git push --force', 'justfile npm publish']],
    ['just', ['justfile rm -rf $dir', 'justfile git push --force']],
    ['task release', ['Taskfile.yml rm -rf out', 'Taskfile.yml git push --force']],
    ['go-task clean', ['Taskfile.yml rm -rf out']],
    ['mise run release', ['mise.toml rm -rf out', 'mise.toml echo done', 'mise.toml git push --force']],
    ['waygate run -- just release', ['justfile rm -rf $dir', 'justfile git push --force', 'justfile npm publish']],
    ['timeout 60 task clean', ['Taskfile.yml rm -rf out']],
    ['just --list', []],
    ['just --dry-run release', []],
    ['task nothing', []],
    ['mise install', []],
  ])('%s', (line, expected) => expect(behind(line)).toEqual(expected));

  it('a parameter of a recipe is not known, and not empty', () => {
    const [command] = readLine('just build', { cwd: '/w', look: LOOK }).commands.filter((each) => each.name === 'rm');
    expect(command?.args.at(-1)?.parts).toMatchObject([{ kind: 'hole', why: 'argument', name: 'dir' }]);
  });

  it('from a folder below, and by a named folder', () => {
    expect(behind('just release', '/w/a/b')).toHaveLength(3);
    expect(behind('task -d /w clean', '/')).toEqual(['Taskfile.yml rm -rf out']);
    expect(behind('just release', '/other')).toEqual([]);
  });
});
