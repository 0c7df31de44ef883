/** What a path means for the wiring of the guard: its name, what the settings register, and where links lead. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { realOf, realParentOf } from './discover.ts';
import { within } from './places.ts';
import { hooksFolder } from './repository.ts';
import type { Scene } from './scene.ts';
import { isWiringFolder, type Wiring, type WiringRoots, wiringByName } from './wiring-names.ts';

/** What a path decides about the guard; undefined when nothing. */
export function wiringOf(path: string, scene: Scene): Wiring {
  const roots: WiringRoots = {
    home: scene.grounds.home,
    workspace: scene.grounds.workspace,
    state: scene.grounds.state,
    guard: scene.grounds.guard,
  };
  const names = [...new Set([path, realParentOf(path), realOf(path)])];
  for (const name of names) {
    if (isSource(name, scene)) return 'policy';
    const byName = wiringByName(name, roots);
    if (byName && (byName !== 'policy' || isReadAsPolicy(name, roots))) return byName;
  }
  for (const name of names) {
    const found = folderOf(name, scene, roots) ?? byRegistration(name, scene) ?? gitHook(name, scene);
    if (found) return found;
  }
  return undefined;
}

/** A file that the policy in force was read from, what it extends included. */
const isSource = (path: string, scene: Scene): boolean =>
  /\.(ya?ml|json)$/.test(path) && scene.policy.sources.some((source) => source.path === path) && !within(path, scene.grounds.state);

/** waygate.yaml counts at the top of a repository and of the workspace; below, it is a file of that name. */
const isReadAsPolicy = (path: string, roots: WiringRoots): boolean =>
  !/\/waygate\.ya?ml$/.test(path) ||
  /\/(\.config|etc)\/waygate\//.test(path) ||
  dirname(path) === roots.workspace ||
  existsSync(join(dirname(path), '.git'));

/** A script that the settings of a host call. A directory that holds one counts as it. */
function byRegistration(path: string, scene: Scene): Wiring {
  return registeredScripts(scene).some((script) => path === script || within(script, path)) ? 'hook-script' : undefined;
}

// biome-ignore format: a list
const SETTINGS_FILES = [
  '.claude/settings.json', '.claude/settings.local.json', '.codex/hooks.json', '.codex/config.toml', '.gemini/settings.json',
  '.cursor/hooks.json', '.qwen/settings.json', '.factory/settings.json', '.factory/hooks.json', '.codeium/windsurf/hooks.json',
  '.windsurf/hooks.json', 'crush.json', '.crush.json',
];
const SETTINGS_FOLDERS = ['.github/hooks', '.kiro/agents', '.kiro/hooks', '.copilot/hooks'];

const memo = new WeakMap<Scene, readonly string[]>();

/** Real paths of all local files that some settings file names in a hook's command. */
function registeredScripts(scene: Scene): readonly string[] {
  const known = memo.get(scene);
  if (known) return known;
  const { workspace, home, cwd } = scene.grounds;
  const top = scene.repositoryOf(join(cwd, 'x'))?.found.top;
  const scripts = new Set<string>();
  for (const root of new Set([workspace, ...(top ? [top] : []), home])) {
    const files = [
      ...SETTINGS_FILES.map((file) => join(root, file)),
      ...SETTINGS_FOLDERS.flatMap((folder) => namesIn(join(root, folder)).map((name) => join(root, folder, name))),
    ];
    for (const file of files) {
      for (const command of commandsIn(textAt(file))) {
        for (const word of wordsOf(command)) {
          const script = scriptOf(word, root, home);
          if (script) scripts.add(script);
        }
      }
    }
  }
  const all = [...scripts];
  memo.set(scene, all);
  return all;
}

/** Every string below a key `command` (or `bash`, `powershell`, `args`) of a JSON text; for TOML, the values of such keys. */
export function commandsIn(text: string): readonly string[] {
  if (text === '') return [];
  const commands: string[] = [];
  const visit = (value: unknown, inCommand: boolean): void => {
    if (typeof value === 'string') {
      if (inCommand) commands.push(value);
    } else if (Array.isArray(value)) for (const item of value) visit(item, inCommand);
    else if (value && typeof value === 'object')
      for (const [key, item] of Object.entries(value))
        visit(item, ['command', 'commands', 'args', 'bash', 'powershell', 'script', 'statusLine'].includes(key));
  };
  try {
    visit(JSON.parse(text), false);
  } catch {
    for (const match of text.matchAll(/^\s*"?(?:command|args|notify)"?\s*[=:]\s*(.+)$/gm))
      commands.push(
        ...[...(match[1] ?? '').matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(
          (each) => each[1]?.replace(/\\(.)/g, '$1') ?? each[2] ?? '',
        ),
      );
  }
  return commands;
}

/** The words of a hook's command, quotes taken off. Good enough to find file names; nothing is judged by it. */
export function wordsOf(command: string): readonly string[] {
  const words: string[] = [];
  for (const match of command.matchAll(/(?:[^\s"';|&()<>]+|"(?:[^"\\]|\\.)*"|'[^']*')+/g)) {
    const word = match[0].replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_all, double?: string, single?: string) => double ?? single ?? '');
    words.push(word);
    // `sh -c "…/guard.sh"`: look into the text once more.
    if (/\s/.test(word) && word.length < command.length) words.push(...wordsOf(word));
  }
  return words;
}

function scriptOf(word: string, root: string, home: string): string | undefined {
  const expanded = word
    .replace(/\$\{?(CLAUDE_PROJECT_DIR|GEMINI_PROJECT_DIR|CURSOR_PROJECT_DIR|QWEN_PROJECT_DIR|FACTORY_PROJECT_DIR|PWD)\}?/g, root)
    .replace(/\$\{?HOME\}?/g, home)
    .replace(/^~(?=\/)/, home);
  if (!/[./]/.test(expanded) || expanded.includes('$')) return undefined;
  const path = isAbsolute(expanded) ? expanded : resolve(root, expanded);
  // Only files of the workspace or the home: `/usr/bin/node` is nobody's hook script.
  if (!within(path, root) && !within(path, home)) return undefined;
  try {
    return lstatSync(path).isDirectory() ? undefined : realOf(path);
  } catch {
    return undefined;
  }
}

/** The hooks of git in force: the folder of core.hooksPath and what is in it. */
function gitHook(path: string, scene: Scene): Wiring {
  const repository = scene.repositoryOf(path);
  if (!repository) return undefined;
  const default_ = join(repository.found.commonDir, 'hooks');
  if (within(path, default_)) return path.endsWith('.sample') ? undefined : 'git-hook';
  if (within(path, repository.found.gitDir) || !/hook|husky|\.git/i.test(path)) return undefined;
  const folder = realOf(hooksFolder(repository));
  return folder !== default_ && (within(path, folder) || path === folder) && !path.endsWith('.sample') ? 'git-hook' : undefined;
}

/** A directory with settings in it: losing it loses them. */
function folderOf(path: string, scene: Scene, roots: WiringRoots): Wiring {
  if (!isWiringFolder(path)) return undefined;
  const inside = namesIn(path).map((name) => `${path}/${name}`);
  if (inside.some((each) => wiringByName(each, roots) !== undefined)) return 'settings';
  return inside.some((each) => byRegistration(each, scene) !== undefined) ? 'hook-script' : undefined;
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir).slice(0, 500);
  } catch {
    return [];
  }
}

function textAt(path: string): string {
  try {
    return existsSync(path) && lstatSync(dirname(path)).isDirectory() ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}
