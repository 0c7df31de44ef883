/** Folders of this machine that a container or a changed root sees: what a command does there, it does here. */
import { normalize, resolve } from 'node:path/posix';
import type { Redirect } from './command.ts';
import { prefixOf, textOf, type Word } from './word.ts';

/** A folder of this machine and where the inner command sees it; both absolute. */
export interface Mount {
  host: string;
  at: string;
}

/** Programs that change files by nature. Others only matter by what they do elsewhere, and that is read anyway. */
const CHANGING: ReadonlySet<string> = new Set(
  'rm rmdir unlink shred truncate mv cp dd tee find rsync chmod chown sed git install ln tar unzip'.split(' '),
);

/** `-v HOST:PATH[:OPTIONS]`, with a host part that is a path; a name is a volume of the engine's own. */
export function volumeOf(word: Word, cwd: string | undefined): Mount | undefined {
  const [host, at, options = ''] = (textOf(word) ?? '').split(':');
  if (!host || !at?.startsWith('/') || /(^|,)ro(,|$)/.test(options)) return undefined;
  return isPath(host) ? bound(host, at, cwd) : undefined;
}

/** `--mount type=bind,source=HOST,target=PATH`. */
export function bindOf(word: Word, cwd: string | undefined): Mount | undefined {
  const fields = new Map(
    (textOf(word) ?? '').split(',').map((field) => {
      const equals = field.indexOf('=');
      return equals < 0 ? [field, 'true'] : [field.slice(0, equals), field.slice(equals + 1)];
    }),
  );
  const host = fields.get('source') ?? fields.get('src');
  const at = fields.get('target') ?? fields.get('destination') ?? fields.get('dst');
  const fixed = ['readonly', 'ro'].some((name) => fields.has(name) && fields.get(name) !== 'false');
  return fields.get('type') === 'bind' && host !== undefined && at?.startsWith('/') && !fixed ? bound(host, at, cwd) : undefined;
}

/** A folder that becomes the root. */
export function rootOf(word: Word | undefined, cwd: string | undefined): Mount | undefined {
  const host = textOf(word);
  return host === undefined ? undefined : bound(host, '/', cwd);
}

const isPath = (host: string): boolean => host.startsWith('/') || host.startsWith('.') || host.startsWith('~');

const bound = (host: string, at: string, cwd: string | undefined): Mount | undefined =>
  cwd === undefined && !host.startsWith('/') ? undefined : { host: resolve(cwd ?? '/', host), at: trimmed(normalize(at)) };

const trimmed = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

/** A path inside, as this machine sees it. The longest mount counts. */
function onHost(path: string, mounts: readonly Mount[]): string | undefined {
  let best: Mount | undefined;
  for (const mount of mounts) {
    const below = path === mount.at || path.startsWith(mount.at === '/' ? '/' : `${mount.at}/`);
    if (below && (!best || mount.at.length > best.at.length)) best = mount;
  }
  if (!best) return undefined;
  const rest = path.slice(best.at === '/' ? 1 : best.at.length + 1);
  return rest === '' ? best.host : `${best.host === '/' ? '' : best.host}/${rest}`;
}

/** The same command as it acts on this machine; undefined when it reaches none of the folders. */
export function onThisMachine(
  command: { name: string; argv: readonly Word[]; redirects: readonly Redirect[]; cwd: string | undefined },
  mounts: readonly Mount[],
  nowhere: string,
): { argv: readonly Word[]; redirects: readonly Redirect[]; cwd: string } | undefined {
  const cwd = command.cwd === undefined ? undefined : onHost(command.cwd, mounts);
  const writes = command.redirects.some((each) => each.op !== '<' && each.op !== 'dup');
  if (!CHANGING.has(command.name) && !writes) return undefined;
  let reaches = cwd !== undefined;
  const moved = (word: Word): Word => {
    const inner = prefixOf(word);
    if (!inner.startsWith('/')) return word;
    const [first, ...rest] = word.parts;
    if (first?.kind !== 'text') return word;
    // A glob or variable may follow: only the first stretch is a path for sure. Several stretches of text are rare enough to stay as they are.
    const host = onHost(first.text, mounts) ?? onHost(trimmed(first.text), mounts);
    if (host !== undefined) reaches = true;
    const text = host === undefined ? `${nowhere}${first.text}` : `${host}${first.text.endsWith('/') && !host.endsWith('/') ? '/' : ''}`;
    return { parts: [{ ...first, text }, ...rest], raw: word.raw };
  };
  const [program, ...args] = command.argv;
  const argv = [program!, ...args.map(moved)];
  const redirects = command.redirects.map((each) => ({ ...each, target: each.op === 'dup' ? each.target : moved(each.target) }));
  // Where the directory is not known, a relative word lies in the container's own files.
  return reaches ? { argv, redirects, cwd: cwd ?? nowhere } : undefined;
}
