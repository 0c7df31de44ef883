/** Finds the repository of a directory by looking at files, as git does, without starting git. */
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Env } from './grounds.ts';

/** Where a repository lies. All paths absolute, links resolved. */
export interface Found {
  /** Top of the work tree; undefined in a bare repository. */
  top: string | undefined;
  gitDir: string;
  commonDir: string;
  bare: boolean;
  /** The work tree's `.git` is a file: a linked worktree or a submodule. */
  linked: 'worktree' | 'submodule' | undefined;
}

/** The repository a directory belongs to; an inherited GIT_DIR wins, as it does for git. */
export function discover(dir: string, env: Env = {}): Found | undefined {
  const given = env['GIT_DIR'];
  if (given) return fromGitDir(resolve(dir, given), env['GIT_WORK_TREE'] ? resolve(dir, env['GIT_WORK_TREE']) : undefined, dir);
  return discoverAt(dir);
}

/** The repository of a directory, whatever the environment says. The directory may not exist: its first existing parent counts. */
export function discoverAt(dir: string): Found | undefined {
  let at = realOf(dir);
  for (let steps = 0; steps < 256; steps++) {
    const dotGit = `${at === '/' ? '' : at}/.git`;
    const kind = kindOf(dotGit);
    if (kind === 'dir' && isGitDir(dotGit)) return found(realOf(dotGit), at);
    if (kind === 'file') {
      const gitDir = linkedDir(dotGit, at);
      if (gitDir && isGitDir(gitDir)) return found(realOf(gitDir), at);
    }
    if (isGitDir(at)) return fromGitDir(at, undefined, at);
    const parent = dirname(at);
    if (parent === at) return undefined;
    at = parent;
  }
  return undefined;
}

/** A repository named by its git directory. `workTree`: as `--work-tree` says; else the configuration or the caller's directory. */
export function fromGitDir(gitDir: string, workTree: string | undefined, cwd: string): Found | undefined {
  let dir = realOf(gitDir);
  if (kindOf(dir) === 'file') dir = linkedDir(dir, dirname(dir)) ?? dir;
  if (!isGitDir(dir)) return undefined;
  if (workTree) return { ...found(dir, realOf(workTree)), bare: false };
  const config = textAt(`${commonOf(dir)}/config`) ?? '';
  const bare = /^\s*bare\s*=\s*true\s*$/im.test(config);
  if (bare) return { ...found(dir, undefined), bare: true };
  if (basename(dir) === '.git') return found(dir, dirname(dir));
  const back = textAt(`${dir}/gitdir`)?.trim();
  if (back) return found(dir, dirname(back));
  return found(dir, cwd === dir ? undefined : realOf(cwd));
}

function found(gitDir: string, top: string | undefined): Found {
  const commonDir = commonOf(gitDir);
  const linked = commonDir !== gitDir ? 'worktree' : /\/\.git\/modules\//.test(gitDir) ? 'submodule' : undefined;
  return { top, gitDir, commonDir, bare: top === undefined, linked };
}

function commonOf(gitDir: string): string {
  const common = textAt(`${gitDir}/commondir`)?.trim();
  return common ? realOf(resolve(gitDir, common)) : gitDir;
}

/** `gitdir: <path>` in a `.git` file. */
function linkedDir(file: string, at: string): string | undefined {
  const line = textAt(file)?.trim();
  return line?.startsWith('gitdir:') ? resolve(at, line.slice('gitdir:'.length).trim()) : undefined;
}

/** HEAD, objects and refs make a git directory; a linked one has `commondir` for the last two. */
export function isGitDir(dir: string): boolean {
  if (!existsSync(`${dir}/HEAD`)) return false;
  if (existsSync(`${dir}/commondir`)) return true;
  return existsSync(`${dir}/objects`) && existsSync(`${dir}/refs`);
}

/** The real path of what exists, with the rest appended. */
export function realOf(path: string): string {
  let rest = '';
  let at = path;
  for (;;) {
    try {
      const real = realpathSync(at);
      return rest === '' ? real : real === '/' ? rest : real + rest;
    } catch {
      const parent = dirname(at);
      if (parent === at) return path;
      rest = `/${basename(at)}${rest}`;
      at = parent;
    }
  }
}

/** The path with the links of its parents resolved, its own last part not followed. */
export function realParentOf(path: string): string {
  if (path === '/') return path;
  const parent = realOf(dirname(path));
  return parent === '/' ? `/${basename(path)}` : `${parent}/${basename(path)}`;
}

function kindOf(path: string): 'file' | 'dir' | undefined {
  try {
    const stat = lstatSync(path);
    const real = stat.isSymbolicLink() ? statSync(path) : stat;
    return real.isDirectory() ? 'dir' : real.isFile() ? 'file' : undefined;
  } catch {
    return undefined;
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
