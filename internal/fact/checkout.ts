/** Which checkout a directory lies in, compared with the session's own. */
import { basename, join } from 'node:path';
import type { Effect, Target } from '../effect/effect.ts';
import { discoverAt, type Found, realOf } from './discover.ts';
import type { CheckoutFact } from './facts.ts';
import { statOf, textOf } from './look.ts';
import { isTemp, within } from './places.ts';
import type { Scene } from './scene.ts';

/** Manifests of projects: 256 KB. */
const MAX_MANIFEST = 256 * 1024;

/**
 * The answer for one directory. The session's own checkouts are the one it started in and the one the call starts in: who works in a
 * linked work tree is at home there.
 * @param earlier the effects of the line before: a copy that it makes is one before it is there
 */
export function checkoutOf(dir: string | undefined, scene: Scene, earlier: readonly Effect[]): CheckoutFact | undefined {
  if (dir === undefined) return undefined;
  const homes = [scene.action.workspace, scene.action.cwd].flatMap((place) => discoverAt(place) ?? []);
  const own = homes[homes.length - 1]?.top ?? homes[0]?.top ?? scene.action.workspace;
  const tops = [...new Set([...homes.flatMap((each) => each.top ?? []), own])];
  const made = madeOnTheLine(dir, earlier, tops, (path) => statOf(path)?.kind === 'dir');
  if (made) return { own, ...made };
  const found = discoverAt(dir);
  const place = realOf(dir);
  const inside = tops.some((top) => within(place, top));
  if (found?.top !== undefined && tops.includes(found.top)) return { is: 'same', top: found.top, own };
  if (found?.top !== undefined && homes.some((each) => each.commonDir === found.commonDir)) return { is: 'sibling', top: found.top, own };
  if (inside) return { is: found ? 'other' : 'same', top: found?.top, own };
  const copied = isTemp(place, scene.grounds) ? copyAt(place, found, homes, own, scene) : undefined;
  return copied === undefined ? { is: 'other', top: found?.top, own } : { is: 'copy', top: copied, own };
}

/** A copy of the session's checkout, or a work tree of its repository, that an earlier command of the line makes. */
export function madeOnTheLine(
  dir: string,
  earlier: readonly Effect[],
  tops: readonly string[],
  isDir: (path: string) => boolean = () => false,
): Pick<CheckoutFact, 'is' | 'top'> | undefined {
  for (const effect of [...earlier].reverse()) {
    const made = effect.remote ? undefined : placeMade(effect, tops, isDir);
    if (made !== undefined && within(dir, made.path)) return { is: made.is, top: made.path };
  }
  return undefined;
}

function placeMade(
  effect: Effect,
  tops: readonly string[],
  isDir: (path: string) => boolean,
): { is: 'copy' | 'sibling'; path: string } | undefined {
  const whole = (source: Target | undefined): string | undefined => {
    const path = source?.glob ? source.prefix.replace(/\/$/, '') : source?.path;
    return path !== undefined && tops.includes(path) ? path : undefined;
  };
  const at = (dest: Target | undefined) =>
    dest?.path === undefined || tops.includes(dest.path) ? undefined : { is: 'copy' as const, path: dest.path };
  // Of a folder named as such the copy lies inside a folder that is there; of `.` and `folder/` only what is in it.
  const inside = (dest: Target, source: Target | undefined): Target =>
    dest.path === undefined || source?.path === undefined || source.glob || /(?:^|\/)\.?$/.test(source.raw)
      ? dest
      : { ...dest, path: `${dest.path}/${basename(source.path)}` };
  switch (effect.kind) {
    case 'file.copy': {
      const source = effect.recursive ? effect.sources.find(whole) : undefined;
      if (!source) return undefined;
      return at(effect.into && effect.dest.path !== undefined && isDir(effect.dest.path) ? inside(effect.dest, source) : effect.dest);
    }
    case 'file.sync':
      return !effect.remoteDest && whole(effect.from) ? at(inside(effect.dest, effect.from)) : undefined;
    case 'file.extract':
      return whole(effect.from) ? at(effect.dest) : undefined;
    case 'git.clone':
      return whole(effect.from) ? at(effect.path) : undefined;
    case 'git.worktree-add':
      return effect.path.path !== undefined && effect.repo.dir !== undefined && tops.some((top) => within(effect.repo.dir as string, top))
        ? { is: 'sibling', path: effect.path.path }
        : undefined;
    default:
      return undefined;
  }
}

/** The top of a copy among the temporary files: the same project by name, or the same history without being a work tree of it. */
function copyAt(place: string, found: Found | undefined, homes: readonly Found[], own: string, scene: Scene): string | undefined {
  const name = projectName(own);
  for (let at = place; isTemp(at, scene.grounds); at = at.slice(0, at.lastIndexOf('/'))) {
    if (name !== undefined && projectName(at) === name) return at;
    if (at === found?.top) break;
  }
  const [home] = homes;
  return found?.top !== undefined && home && sharesHistory(found, home, scene) ? found.top : undefined;
}

/** Does one repository hold the commit that the other stands on? */
function sharesHistory(copy: Found, home: Found, scene: Scene): boolean {
  const pair = [scene.open(copy), scene.open(home)];
  return pair.some((repository, index) => {
    const head = pair[1 - index]?.head().oid;
    return head !== undefined && repository.ask(['cat-file', '-e', `${head}^{commit}`]).ok;
  });
}

/** How projects call themselves, by manifest. */
const NAMES: readonly (readonly [file: string, name: RegExp])[] = [
  ['package.json', /"name"\s*:\s*"([^"]+)"/],
  ['Cargo.toml', /^\s*name\s*=\s*"([^"]+)"/m],
  ['pyproject.toml', /^\s*name\s*=\s*["']([^"']+)["']/m],
  ['go.mod', /^module\s+(\S+)/m],
  ['composer.json', /"name"\s*:\s*"([^"]+)"/],
  ['mix.exs', /\bapp:\s*:(\w+)/],
  ['pom.xml', /<artifactId>([^<]+)<\/artifactId>/],
];
/** Projects without a name of their own: the same recipe is the same project. */
const RECIPES = ['Makefile', 'justfile', 'Taskfile.yml'];

function projectName(dir: string): string | undefined {
  for (const [file, name] of NAMES) {
    const found = name.exec(textOf(join(dir, file), MAX_MANIFEST) ?? '')?.[1];
    if (found !== undefined) return `${file} ${found}`;
  }
  for (const file of RECIPES) {
    const text = textOf(join(dir, file), MAX_MANIFEST)?.trim();
    if (text) return `${file} ${text}`;
  }
  return undefined;
}
