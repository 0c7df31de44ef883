/** Globs of a policy file, made into RegExp sources when the policy is compiled. The hot path only builds the RegExp. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import picomatch from 'picomatch';
import type { Layer } from './layer.ts';

/** Longer globs are no globs of files. */
const MAX_LENGTH = 300;

/** Why a glob cannot be used; undefined when it can. */
export function globProblem(glob: string): string | undefined {
  if (glob.length > MAX_LENGTH) return `a glob of more than ${MAX_LENGTH} characters`;
  if (glob.startsWith('!')) return 'a negated glob would stand for everything else';
  if (/[()]/.test(glob)) return 'a glob takes no parentheses';
  if (glob.split('/').includes('..')) return 'a glob may not leave its folder with `..`';
  return undefined;
}

/** A glob over absolute paths. In a workspace's file it reaches below the root, elsewhere below any folder. */
export function absoluteGlob(glob: string, layer: Pick<Layer, 'kind' | 'root'>): string {
  const plain = glob.replace(/^(\.\/)+/, '').replace(/\/+$/, '/**');
  if (plain.startsWith('/')) return plain;
  if (plain.startsWith('~/')) return join(literal(homedir()), plain.slice(2));
  if (layer.kind === 'workspace' && layer.root !== undefined) return `${literal(layer.root)}/${plain}`;
  return `/**/${plain.replace(/^\*\*\//, '')}`;
}

/** A path as a glob that stands for itself. */
const literal = (path: string): string => path.replace(/[\\*?[\]{}!+@]/g, '\\$&');

/** The RegExp source of a glob over paths or branch names. `*` stays within a part, `**` crosses, names with a dot count. */
export const patternOf = (glob: string): string => picomatch.makeRe(glob, { dot: true, noextglob: true }).source;

/** The RegExp source of a glob over a command: `*` is any text, and ` *` at the end may be nothing. */
export function commandPatternOf(glob: string): string {
  const words = glob.trim().replace(/\s+/g, ' ');
  const open = words.endsWith(' *');
  const body = (open ? words.slice(0, -2) : words).split('*').map(plain).join('[\\s\\S]*');
  return `^${body}${open ? '(?: [\\s\\S]*)?' : ''}$`;
}

const plain = (text: string): string => text.replace(/[\\^$.+?()[\]{}|]/g, '\\$&');
