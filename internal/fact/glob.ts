/** Expands a shell glob against the files, as the shell would, within bounds. */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { globRegExp } from '../shell/glob.ts';

/** Matches that are given at most. */
const MAX_MATCHES = 2000;

/** The paths a glob stands for. `cut`: there are more. Nothing when nothing matches (the shell would pass the pattern itself). */
export function expandGlob(pattern: string): { paths: readonly string[]; cut: boolean } {
  const parts = pattern.split('/').filter(Boolean);
  let level: string[] = [''];
  let cut = false;
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    const next: string[] = [];
    if (part === '**') {
      const below = foldersBelow(level);
      level = last ? below.paths.slice(level.length) : [...below.paths];
      cut ||= below.cut;
      continue;
    }
    // What find walks has no hidden names: the part behind `**` sees them all.
    const all = parts[index - 1] === '**';
    for (const base of level) {
      if (!/[*?[(]/.test(part)) {
        const path = `${base}/${part}`;
        if (!last || exists(path)) next.push(path);
        continue;
      }
      // Extended globs (`!(x)`, `+(a|b)`) are taken for everything: too much rather than too little.
      const extended = /[!?*+@]\(/.test(part);
      const matcher = extended ? /.*/ : globRegExp(part);
      for (const name of namesOf(base === '' ? '/' : base)) {
        if (!all && name.startsWith('.') && !part.startsWith('.')) continue;
        if (matcher.test(name)) next.push(`${base}/${name}`);
        if (next.length >= MAX_MATCHES) {
          cut = true;
          break;
        }
      }
      if (cut) break;
    }
    level = next;
  }
  return { paths: level.filter((path) => path !== ''), cut };
}

/** Folders that hold nothing anyone wrote, so that a walk over all depths leaves them out. */
const LEFT_OUT = new Set(['.git', 'node_modules', '.venv', '__pycache__', '.cache', '.gradle', '.next', '.turbo']);
const MAX_FOLDERS = 4000;

/** The directories and all directories below them. Links are not followed. */
function foldersBelow(from: readonly string[]): { paths: readonly string[]; cut: boolean } {
  const paths = [...from];
  for (let at = 0; at < paths.length; at++) {
    if (paths.length > MAX_FOLDERS) return { paths, cut: true };
    const base = paths[at] as string;
    for (const entry of entriesOf(base === '' ? '/' : base)) {
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) paths.push(`${base}/${entry.name}`);
    }
  }
  return { paths, cut: false };
}

function entriesOf(dir: string): readonly Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function namesOf(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
