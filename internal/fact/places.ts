/** Where a path lies, by its name and a few roots. Pure but for the questions it is given. */
import type { Place } from './facts.ts';

/** The roots that decide where a path lies. All paths absolute. */
export interface Grounds {
  home: string;
  /** The directory the call starts in. */
  cwd: string;
  /** The directory the session was started in. */
  workspace: string;
  /** The directories for temporary files. */
  temps: readonly string[];
  /** Directories inside those that hold the home or the session's workspace: nothing in them is scratch. */
  kept: readonly string[];
  /** State folder of the guard. */
  state: string;
  /** The guard's own executables and the folders that hold nothing else. */
  guard: readonly string[];
  /** Top of the work tree (or the git directory) a path belongs to, undefined outside every repository. */
  repository(path: string): { top: string | undefined; gitDir: string } | undefined;
  /** Is a path made again by a command of the project? */
  regenerable(path: string): boolean;
}

// biome-ignore format: a list
const SYSTEM = [
  '/etc', '/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/boot', '/var', '/opt', '/sys', '/proc', '/run', '/snap',
  '/nix', '/srv', '/System', '/Library', '/Applications', '/private/etc', '/private/var', '/cores', '/efi', '/lost+found',
];

/** Directories that hold the homes of people. */
const HOMES = ['/home', '/Users'];
const WINDOWS_SYSTEM = /^[a-z]:\/(windows|program files|program files \(x86\)|programdata|recovery|boot)(\/|$)/i;

/** Is `path` at or below `root`? */
export const within = (path: string, root: string): boolean => path === root || path.startsWith(root === '/' ? '/' : `${root}/`);

/** Where a path lies. The first that fits counts, but the session's own repository and home are never "system". */
export function placeOf(path: string, grounds: Grounds): Place {
  const plain = path.replaceAll('\\', '/');
  if (plain === '/' || plain === '//' || /^[a-z]:\/?\*?$/i.test(plain) || plain === '/*' || plain === '/.') return 'root';
  if (isHome(plain, grounds.home)) return 'home';
  if (plain === '/dev' || plain.startsWith('/dev/')) return 'device';
  if (plain.startsWith('\\\\.\\') || plain.startsWith('//./')) return 'device';
  if (within(plain, grounds.state) || grounds.guard.some((file) => within(plain, file)) || within(plain, '/etc/waygate')) return 'guard';
  if (isSystem(plain, grounds)) return 'system';
  const repository = grounds.repository(plain);
  if (repository && (within(plain, repository.gitDir) || hasGitPart(plain))) return 'git';
  if (hasGitPart(plain)) return 'git';
  if (grounds.regenerable(plain)) return 'regenerable';
  if (!repository && isTemp(plain, grounds)) return 'temp';
  if (repository) return repository.top !== undefined && within(grounds.workspace, repository.top) ? 'workspace' : 'repository';
  if (within(plain, grounds.workspace) && grounds.workspace !== '/') return 'workspace';
  return 'outside';
}

/** A home directory itself, the caller's or another user's. */
function isHome(path: string, home: string): boolean {
  if (path === home || path === '/root' || path === '/var/root' || HOMES.includes(path)) return true;
  if (/^[a-z]:\/users(\/[^/]+)?$/i.test(path)) return true;
  return HOMES.some((root) => path.startsWith(`${root}/`) && !path.slice(root.length + 1).includes('/'));
}

/** The innermost root decides: a temporary one, or one that is kept. */
export function isTemp(path: string, grounds: Pick<Grounds, 'temps' | 'kept' | 'home'>): boolean {
  const longest = (roots: readonly string[]) => Math.max(0, ...roots.map((root) => (within(path, root) ? root.length : 0)));
  const temp = longest(grounds.temps);
  return temp > 0 && temp > longest(grounds.kept) && temp > longest([grounds.home]);
}

function isSystem(path: string, grounds: Grounds): boolean {
  if (WINDOWS_SYSTEM.test(path)) return true;
  const root = SYSTEM.find((each) => within(path, each));
  if (root === undefined) return HOMES.includes(path) || ['/mnt', '/media'].includes(path);
  if (path === '/var/tmp' || path.startsWith('/var/tmp/')) return false;
  const own = [grounds.home, grounds.workspace, ...grounds.temps];
  return !own.some((each) => each !== root && within(each, root) && within(path, each));
}

/** A part named `.git` with something below it, or the directory itself. */
const hasGitPart = (path: string): boolean => /\/\.git(\/|$)/.test(path);

/** The directories for temporary files: what TMPDIR says and the usual ones. A home is none. */
export const tempRoots = (tmpdir: string | undefined, systemTmp: string, home: string): readonly string[] =>
  [...new Set([...(tmpdir ? [tmpdir] : []), '/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp', systemTmp])].filter(
    (root) => root !== '/' && root !== home,
  );

/**
 * The parts of temporary directories that are no scratch: a home or a workspace inside one (sandboxes lie under /tmp) keeps
 * the whole folder it lies in, down from the temporary root.
 */
export function keptRoots(temps: readonly string[], home: string, workspace: string): readonly string[] {
  const kept = [home, workspace].flatMap((place) =>
    temps.flatMap((temp) => (place !== temp && within(place, temp) ? [`${temp}/${place.slice(temp.length + 1).split('/')[0]}`] : [])),
  );
  return [...new Set(kept)];
}

/** The path as a text should show it: relative below the caller's directory, `~/…` below home, control characters escaped, cut in the middle. */
export function showPath(path: string, cwd: string, home: string): string {
  const short =
    path === cwd
      ? '.'
      : within(path, cwd) && cwd !== '/'
        ? path.slice(cwd.length + 1)
        : path === home
          ? '~'
          : within(path, home) && home !== '/'
            ? `~${path.slice(home.length)}`
            : path;
  return escapeName(short);
}

const SHOWN = 120;

/** A name from outside, safe to print: control, bidirectional and invisible characters and backticks escaped, at most 120 characters. */
export function escapeName(name: string): string {
  const plain = name.replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff`]/g,
    (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  if (plain.length <= SHOWN) return plain;
  return `${plain.slice(0, SHOWN / 2 - 1)}…${plain.slice(-SHOWN / 2)}`;
}
