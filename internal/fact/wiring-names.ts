/** Files that decide whether the guard runs, by name alone. Pure; `wiring.ts` adds what settings and links say. */
import type { Facts } from './facts.ts';
import { within } from './places.ts';

export type Wiring = ReturnType<Facts['wiring']>;

/** The roots the names are read against. All absolute. */
export interface WiringRoots {
  home: string;
  workspace: string;
  state: string;
  guard: readonly string[];
}

/** Settings of the hosts, by the tail of their path. They lie in a project, a home or a managed folder. */
const SETTINGS: readonly RegExp[] = [
  /\/\.claude\/settings(\.[\w-]+)?\.json$/,
  /\/\.claude\/plugins\/(.+\/)?hooks\/[^/]+\.json$/,
  /\/(claude-code|ClaudeCode)\/managed-settings\.json$/,
  /\/(claude-code|ClaudeCode)\/managed-settings\.d\/[^/]+\.json$/,
  /\/\.codex\/(hooks\.json|config\.toml|requirements\.toml)$/,
  /\/\.gemini\/settings\.json$/,
  /\/\.qwen\/settings\.json$/,
  /\/\.cursor\/hooks\.json$/,
  /\/\.github\/hooks\/[^/]+\.json$/,
  /\/\.github\/copilot\/settings(\.[\w-]+)?\.json$/,
  /\/\.copilot\/(config|settings|hooks)(\.[\w-]+)?\.json$/,
  /\/\.copilot\/hooks\/[^/]+$/,
  /\/\.factory\/(settings(\.[\w-]+)?\.json|hooks\.json)$/,
  /\/\.factory\/hooks\/[^/]+$/,
  /\/\.kiro\/(hooks|agents)\/[^/]+$/,
  /\/\.codeium\/windsurf(-next)?\/hooks\.json$/,
  /\/\.windsurf\/hooks\.json$/,
  /\/\.clinerules\/hooks(\/[^/]+)?$/,
  /\/Cline\/Hooks\/[^/]+$/,
  /\/\.?crush\.json$/,
  /\/\.config\/crush\/crush\.json$/,
  /\/\.opencode\/(plugins?|hooks?)\/[^/]+$/,
  /\/opencode\.jsonc?$/,
  /\/\.config\/opencode\/(plugins?\/[^/]+|opencode\.jsonc?)$/,
  /\/\.continue\/(settings(\.[\w-]+)?\.json|hooks\.json)$/,
  /\/\.(config\/)?amp\/(settings\.json|plugins?\/[^/]+)$/,
  /\/\.config\/amp\/settings\.json$/,
  /\/\.pi\/(agent\/)?(settings\.json|extensions\/[^/]+|hooks\/[^/]+)$/,
];

const HOOK_SCRIPTS = /\/\.(claude|codex|cursor|gemini|qwen|factory)\/hooks\/[^/]/;
const GIT_HOOKS: readonly RegExp[] = [
  /\/\.git\/(modules\/.+\/)?hooks(\/[^/]+)?$/,
  /\/\.husky(\/_)?(\/[\w.-]+)?$/,
  /\/\.?lefthook(-local)?\.(ya?ml|toml|json)$/,
  /\/\.githooks(\/[\w.-]+)?$/,
];
const POLICY_FILE = /\/waygate\.ya?ml$/;

/** Directories whose loss takes settings with them. Deleting or moving one counts as touching what is in it. */
const FOLDERS: readonly RegExp[] = [
  /\/\.claude$/,
  /\/\.codex$/,
  /\/\.cursor$/,
  /\/\.gemini$/,
  /\/\.qwen$/,
  /\/\.factory$/,
  /\/\.kiro(\/hooks|\/agents)?$/,
  /\/\.github\/hooks$/,
  /\/\.clinerules$/,
  /\/\.opencode(\/plugins?)?$/,
];

/** What a path means for the guard, by its name. Skills, commands and agents below `.claude` mean nothing. */
export function wiringByName(path: string, roots: WiringRoots): Wiring {
  const plain = path.replaceAll('\\', '/');
  if (roots.guard.some((file) => within(plain, file) || (within(file, plain) && plain !== '/'))) return 'binary';
  // The name by which it is called: nobody else's program lies under it in a folder of programs.
  if (/\/(s?bin|\.bin|shims)\/waygate(\.exe|\.cmd|\.ps1)?$/.test(plain)) return 'binary';
  if (within(plain, roots.state)) return 'state';
  if (/\/\.git\/waygate(\/|$)/.test(plain)) return 'state';
  if (within(plain, '/etc/waygate') || /\/\.config\/waygate(\/|$)/.test(plain)) return 'policy';
  if (
    POLICY_FILE.test(plain) &&
    (plain === `${roots.workspace}/waygate.yaml` ||
      plain === `${roots.workspace}/waygate.yml` ||
      within(plain, roots.workspace) ||
      !within(plain, '/tmp'))
  )
    return 'policy';
  if (SETTINGS.some((shape) => shape.test(plain))) return 'settings';
  if (GIT_HOOKS.some((shape) => shape.test(plain)))
    return /\.(sample|md|txt)$/.test(plain) || plain.endsWith('/.husky/.gitignore') ? undefined : 'git-hook';
  return undefined;
}

/** May a path be a registered hook script by its place? The settings decide. */
export const isHookPlace = (path: string): boolean => HOOK_SCRIPTS.test(path.replaceAll('\\', '/'));

/** Is a path a directory that may hold settings? */
export const isWiringFolder = (path: string): boolean => FOLDERS.some((shape) => shape.test(path.replaceAll('\\', '/')));
