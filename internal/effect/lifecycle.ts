/**
 * Scripts that run by themselves: the lifecycle scripts of package.json, run on the next install, and git's hooks, run on the
 * next commit. So a write has the effects that its new scripts send out, read and run.
 */
import { posix } from 'node:path';
import type { Look } from '../shell/command.ts';
import type { Effect, EffectOf } from './effect.ts';

/** Scripts that package managers run without being asked, by the documentation of npm 11, pnpm 10 and yarn 1. */
const LIFECYCLE = new Set([
  'preinstall',
  'install',
  'postinstall',
  'prepare',
  'preprepare',
  'postprepare',
  'prepublish',
  'prepublishOnly',
  'prepack',
  'postpack',
  'dependencies',
  'preuninstall',
  'uninstall',
  'postuninstall',
  'preversion',
  'version',
  'postversion',
  'pretest',
  'posttest',
  'prestart',
  'prebuild',
  'postbuild',
]);

/** Effects that matter before anyone reads the script: what it sends, what it takes from elsewhere and runs. */
const KEPT: ReadonlySet<Effect['kind']> = new Set(['net.send', 'exec.remote', 'exec.decoded', 'secret.read', 'secret.dump', 'file.read']);

const READ_LIMIT = 1_000_000;

/** The effects that the lifecycle scripts written by these effects would have. `read`: the effects of a shell line in a directory. */
export function lifecycleEffects(effects: readonly Effect[], look: Look, read: (line: string, cwd: string) => readonly Effect[]): Effect[] {
  return effects.flatMap((effect) =>
    effect.kind === 'file.write' && (effect.content !== undefined || effect.edits) ? ofWrite(effect, look, read) : [],
  );
}

function ofWrite(effect: EffectOf<'file.write'>, look: Look, read: (line: string, cwd: string) => readonly Effect[]): Effect[] {
  return effect.targets.flatMap((target) => {
    const { path } = target;
    const scripts = path === undefined ? undefined : readerOf(path);
    if (path === undefined || scripts === undefined) return [];
    const old = look.read(path, READ_LIMIT) ?? '';
    const before = scripts(old);
    return [...scripts(textAfter(effect, old))].flatMap(([name, script]) => {
      if (before.get(name) === script) return [];
      const found = read(script, folderOf(path));
      // What a read shows on install goes into a log, not to the agent; it counts with what is sent.
      return found
        .filter((each) => KEPT.has(each.kind))
        .map((each) => ({ ...each, ...base(effect, name), ...('shown' in each ? { shown: false } : {}) }) as Effect);
    });
  });
}

/** A hook of git, by the folders that git and husky run; the folder of the repository and the name. */
const HOOK = /^(.*\/\.(?:git\/hooks|husky|githooks))\/([a-z]+(?:-[a-z]+)+)$/;

/** How to find the scripts in a file that are run without being asked; undefined for a file that nobody runs by itself. */
function readerOf(path: string): ((text: string) => Map<string, string>) | undefined {
  if (posix.basename(path) === 'package.json') return scriptsOf;
  const hook = HOOK.exec(path)?.[2];
  if (hook === undefined) return undefined;
  return (text) => (text === '' || INTERPRETED.test(text) ? new Map() : new Map([[hook, text]]));
}

/** Where a script runs: beside its package file, a hook at the top of its repository. */
const folderOf = (path: string): string => HOOK.exec(path)?.[1]?.replace(/\/\.(?:git\/hooks|husky|githooks)$/, '') || posix.dirname(path);

/** The first line names another program than a shell. */
const INTERPRETED = /^#!(?!.*\b(?:ba|da|z|k)?sh\b)/;

/** The file as it will be: whole, with the edits applied, or only the new texts when they do not fit. */
function textAfter(effect: EffectOf<'file.write'>, old: string): string {
  if (effect.content !== undefined) return effect.mode === 'append' ? `${old}${effect.content}` : effect.content;
  let text = old;
  const loose: string[] = [];
  for (const edit of effect.edits ?? []) {
    if (edit.before !== '' && text.includes(edit.before))
      text = edit.all ? text.replaceAll(edit.before, () => edit.after) : text.replace(edit.before, () => edit.after);
    else loose.push(edit.after);
  }
  return [text, ...loose].join('\n');
}

const base = (effect: EffectOf<'file.write'>, name: string) => ({
  step: effect.step,
  given: effect.given,
  certain: effect.certain,
  source: `the ${name} script`,
  by: name,
});

/** The lifecycle scripts of a package file; of a text that is no JSON, the pairs that look like them. */
function scriptsOf(text: string): Map<string, string> {
  try {
    const parsed: unknown = JSON.parse(text);
    const scripts = typeof parsed === 'object' && parsed !== null && 'scripts' in parsed ? parsed.scripts : undefined;
    const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
    return new Map(entries.filter((entry): entry is [string, string] => LIFECYCLE.has(entry[0]) && typeof entry[1] === 'string'));
  } catch {
    return loosePairs(text);
  }
}

function loosePairs(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const match of text.matchAll(/"([a-zA-Z]{4,20})"\s*:\s*("(?:[^"\\\n]|\\.)*")/g)) {
    if (!LIFECYCLE.has(match[1]!)) continue;
    try {
      found.set(match[1]!, JSON.parse(match[2]!) as string);
    } catch {
      // Not a JSON string: no script of package.json.
    }
  }
  return found;
}
