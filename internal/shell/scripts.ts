/** Local scripts that a line runs: shell files, npm scripts, make targets. Read with bounds; what is absent or too large stays unread. */
import { dirname, resolve } from 'node:path/posix';
import type { Look } from './command.ts';
import { parseOptions } from './options.ts';
import { textOf, type Word } from './word.ts';

export const SCRIPT_LIMIT = 256 * 1024;

/** Is this text a shell script: by its first line, or (for `.sh`, or when a shell is told to run it) by default. */
export function isShellScript(path: string, content: string, told: boolean): boolean {
  const first = content.slice(0, 200).split('\n', 1)[0]!;
  if (first.startsWith('#!')) return /\b(?:ba|z|da|k|mk|a|)sh\b/.test(first);
  return told || /\.(?:sh|bash|zsh|ksh|command)$/.test(path) || !/\.[A-Za-z0-9]+$/.test(path);
}

/** Text that some command runs, found in a file of the workspace. */
export interface LocalScript {
  code: string;
  cwd: string;
  via: string;
  file: string;
  args: readonly Word[];
  /** Variables of the recipe whose value only the call gives. */
  given?: readonly string[];
}

/** Scripts that package managers run by a word of their own: the word, and the script. */
export const NPM_LIFECYCLE: ReadonlyMap<string, string> = new Map([
  ['test', 'test'],
  ['t', 'test'],
  ['tst', 'test'],
  ['start', 'start'],
  ['stop', 'stop'],
  ['restart', 'restart'],
]);

/** The words that name a script of the manifest: `npm run X`. */
export const NPM_RUN: readonly string[] = ['run', 'run-script', 'rum', 'urn'];

/** What `npm run X`, `yarn X`, `pnpm X`, `bun run X` run: the script with its pre and post script. */
export function npmScripts(name: string, args: readonly Word[], cwd: string | undefined, look: Look): readonly LocalScript[] {
  if (cwd === undefined) return [];
  const parsed = parseOptions(args, {
    flags: [
      's',
      'silent',
      'if-present',
      'ignore-scripts',
      'workspaces',
      'ws',
      'r',
      'recursive',
      'top-level',
      'T',
      'bun',
      'b',
      'stream',
      'parallel',
    ],
    values: ['w', 'workspace', 'prefix', 'C', 'dir', 'cwd', 'filter', 'F', 'loglevel'],
    stopAtOperand: true,
  });
  const [verb, second, ...rest] = parsed.operands;
  const first = textOf(verb);
  if (first === undefined) return [];
  const inner = NPM_RUN.includes(first);
  const script = inner ? textOf(second) : (NPM_LIFECYCLE.get(first) ?? (name === 'yarn' || name === 'pnpm' ? first : undefined));
  if (script === undefined) return [];
  const directory = resolve(cwd, parsed.text('prefix') ?? parsed.text('C') ?? parsed.text('dir') ?? parsed.text('cwd') ?? '.');
  const found = nearest(directory, 'package.json', look);
  if (!found) return [];
  const scripts = scriptsOf(found.text);
  const given = inner ? rest : [second, ...rest].filter((word) => word !== undefined);
  const operands = given.filter((word) => textOf(word) !== '--');
  return [`pre${script}`, script, `post${script}`].flatMap((each) => {
    const code = scripts[each];
    if (code === undefined) return [];
    return [{ code, cwd: dirname(found.path), via: `${name} run ${each}`, file: found.path, args: each === script ? operands : [] }];
  });
}

function scriptsOf(text: string): Record<string, string> {
  try {
    const parsed = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return Object.fromEntries(
      Object.entries(parsed.scripts ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

/** The nearest file of a name, upwards, at most 20 folders. */
function nearest(from: string, file: string, look: Look): { path: string; text: string } | undefined {
  let at = from;
  for (let i = 0; i < 20; i++) {
    const path = at === '/' ? `/${file}` : `${at}/${file}`;
    const text = look.read(path, SCRIPT_LIMIT);
    if (text !== undefined) return { path, text };
    if (at === '/') return undefined;
    at = dirname(at);
  }
  return undefined;
}

/** The recipes that `make TARGET` runs: the target's own and those of its prerequisites. Simple variables are put in. */
export function makeRecipes(args: readonly Word[], cwd: string | undefined, look: Look): readonly LocalScript[] {
  if (cwd === undefined) return [];
  const parsed = parseOptions(args, {
    flags: ['n', 'just-print', 'dry-run', 'k', 's', 'silent', 'B', 'i', 'e', 'q', 'w', 't', 'p', 'r', 'R', 'always-make'],
    values: ['f', 'file', 'makefile', 'C', 'directory', 'I', 'o', 'W', 'E'],
    optional: ['j', 'l', 'jobs', 'O'],
    aliases: { file: 'f', makefile: 'f', directory: 'C', 'dry-run': 'n', 'just-print': 'n' },
  });
  if (parsed.has('n') || parsed.has('q')) return [];
  const directory = resolve(cwd, parsed.text('C') ?? '.');
  const candidates = parsed.text('f') ? [parsed.text('f')!] : ['GNUmakefile', 'makefile', 'Makefile'];
  const file = candidates.map((each) => resolve(directory, each)).find((each) => look.read(each, SCRIPT_LIMIT) !== undefined);
  const text = file && look.read(file, SCRIPT_LIMIT);
  if (!file || text === undefined) return [];
  const { rules, variables } = parseMakefile(text);
  const wanted = parsed.operands.map((word) => textOf(word)).filter((each): each is string => each !== undefined);
  for (const each of wanted.filter((name) => name.includes('=')))
    variables.set(each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1));
  const targets = wanted.filter((name) => !name.includes('='));
  const first = [...rules.keys()].find((name) => !name.startsWith('.') && !name.includes('%'));
  const seen = new Set<string>();
  const out: LocalScript[] = [];
  const visit = (target: string) => {
    const rule = rules.get(target);
    if (!rule || seen.has(target) || seen.size > 100) return;
    seen.add(target);
    for (const each of rule.needs) visit(each);
    const code = rule.recipe.map((line) => substitute(line.replace(/^[@+-]+/, ''), variables)).join('\n');
    if (code.trim()) out.push({ code, cwd: directory, via: `make ${target}`, file, args: [] });
  };
  for (const target of targets.length > 0 ? targets : first ? [first] : []) visit(target);
  return out;
}

function parseMakefile(text: string): { rules: Map<string, { needs: string[]; recipe: string[] }>; variables: Map<string, string> } {
  const rules = new Map<string, { needs: string[]; recipe: string[] }>();
  const variables = new Map<string, string>();
  let current: { needs: string[]; recipe: string[] }[] = [];
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    if (line.startsWith('\t')) {
      for (const rule of current) rule.recipe.push(line.slice(1));
      continue;
    }
    if (line.trim() === '' || line.startsWith('#')) continue;
    const variable = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*[:?+]?:?=\s*(.*)$/.exec(line);
    if (variable) {
      variables.set(variable[1]!, variable[2]!.trim());
      current = [];
      continue;
    }
    const rule = /^([^:=\t][^:=]*):(?!=)([^;]*)(?:;(.*))?$/.exec(line);
    if (!rule) {
      current = [];
      continue;
    }
    current = rule[1]!
      .trim()
      .split(/\s+/)
      .map((name) => {
        const entry = rules.get(name) ?? { needs: [], recipe: [] };
        entry.needs.push(...rule[2]!.trim().split(/\s+/).filter(Boolean));
        if (rule[3]) entry.recipe.push(rule[3]);
        rules.set(name, entry);
        return entry;
      });
  }
  return { rules, variables };
}

/** `$(X)` and `${X}` of a makefile put in, `$$` made `$`. Unknown ones become shell variables, which stay unknown. */
function substitute(line: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  return line.replace(/\$(?:\$|[({]([A-Za-z_][\w.-]*)[)}])/g, (all, name: string | undefined) => {
    if (name === undefined) return '$';
    const value = variables.get(name);
    if (value === undefined) return `\${${name}}`;
    return depth > 5 || all.length > 1000 ? value : substitute(value, variables, depth + 1);
  });
}
