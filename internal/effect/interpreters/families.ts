/** Interpreters on a command line: which text they run, and what it would do. */

import { isAbsolute, resolve } from 'node:path/posix';
import type { Command } from '../../shell/command.ts';
import { isOption, literal, shapeOf, textOf, type Word } from '../../shell/word.ts';
import type { Effect } from '../effect.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable } from '../family.ts';
import { type Found, find, INTERPRETERS, type Interpreter, plainName } from './arguments.ts';
import { awk } from './awk.ts';
import { cmd, osascript, powershell, tcl } from './other-families.ts';
import { effectsOfProgram } from './program.ts';
import { valueOfWord, withHoles } from './words.ts';

/** Bytes of a script that are read. */
export const SCRIPT_LIMIT = 256 * 1024;

/** A family for one interpreter. */
const interpreter =
  (how: Interpreter): Family =>
  (command, context) => {
    let words = command.args;
    if (how.verbs) {
      const at = words.findIndex((word) => !isOption(word));
      const verb = at < 0 ? undefined : textOf(words[at]);
      const kind = verb === undefined ? undefined : how.verbs[verb];
      if (kind === 'none') return [];
      if (kind === 'code') {
        const code = words.slice(at + 1).find((word) => !isOption(word));
        return code ? run({ code, args: [] }, how, command, context) : [];
      }
      if (kind === 'file') {
        words = words.slice(at + 1);
        const first = words.find((word) => !isOption(word));
        if (how.label === 'bun' && first && !/[./]/.test(shapeOf(first))) return [];
      } else if (verb !== undefined && how.label === 'deno') return [];
    }
    const found = find(words, how);
    return found ? run(found, how, command, context) : [];
  };

export function run(found: Found, how: Interpreter, command: Command, context: EffectContext): Effect[] {
  const base = baseOf(command);
  const args = found.args.map(valueOfWord);
  const read = (text: string, cwd: string | undefined) => context.effectsOf(text, cwd);
  const shared = { language: how.language, args, base, look: context.look, read, lines: found.lines };
  if (found.code) {
    const { text, holes } = withHoles(found.code);
    return effectsOfProgram({ text, ...shared, holes, label: how.label });
  }
  if (found.stdin) {
    const { stdin } = command;
    const word = stdin.from === 'text' || stdin.from === 'pipe' ? stdin.text : undefined;
    if (word) {
      const { text, holes } = withHoles(word);
      return effectsOfProgram({ text, ...shared, holes, label: how.label });
    }
    if (stdin.from === 'file') return scriptEffects(stdin.file, how, command, context, shared);
    return [];
  }
  if (found.module) return moduleEffects(found.module, how, command, context, shared);
  return found.file ? scriptEffects(found.file, how, command, context, shared) : [];
}

type Shared = Omit<Parameters<typeof effectsOfProgram>[0], 'text' | 'label' | 'holes' | 'file'>;

/** A script of this machine that the command runs. */
function scriptEffects(file: Word, how: Interpreter, command: Command, context: EffectContext, shared: Shared): Effect[] {
  const path = textOf(file);
  if (path === undefined || command.remote) return [];
  const at = isAbsolute(path) ? path : command.cwd === undefined ? undefined : resolve(command.cwd, path);
  const text = at === undefined ? undefined : context.look.read(at, SCRIPT_LIMIT);
  if (at === undefined || text === undefined) return [];
  return effectsOfProgram({ text, ...shared, file: at, label: `${how.label} ${path}` });
}

/** `python -m package.module` of the workspace. */
function moduleEffects(module: Word, how: Interpreter, command: Command, context: EffectContext, shared: Shared): Effect[] {
  const name = textOf(module);
  if (name === undefined || !/^[\w.]+$/.test(name) || command.cwd === undefined) return [];
  const path = name.replaceAll('.', '/');
  for (const candidate of [`${path}.py`, `${path}/__main__.py`]) {
    const found = scriptEffects(literal(candidate), how, command, context, shared);
    if (found.length > 0) return found;
  }
  return [];
}

/** A program run by its path: its first line names the interpreter. */
export const scripts: Family = (command, context) => {
  const head = command.argv[0];
  const path = textOf(head);
  if (Object.hasOwn(interpreterFamilies, command.name)) return [];
  // `perl5.38`, `node20`: a version in the name.
  const versioned = INTERPRETERS[plainName(command.name)];
  if (versioned && plainName(command.name) !== command.name) return interpreter(versioned)(command, context);
  if (path === undefined || !path.includes('/') || command.remote || command.cwd === undefined) return [];
  const at = resolve(command.cwd, path);
  const info = context.look.stat(at);
  if (!info || info.size > SCRIPT_LIMIT || info.kind === 'dir') return [];
  const text = context.look.read(at, SCRIPT_LIMIT);
  if (!text?.startsWith('#!')) return [];
  const line = text.slice(2, 200).split('\n', 1)[0]!.trim().split(/\s+/);
  const named = /\/env$/.test(line[0] ?? '') ? line.slice(1).find((word) => !word.startsWith('-') && !word.includes('=')) : line[0];
  const name = (named ?? '').slice((named ?? '').lastIndexOf('/') + 1);
  const how = INTERPRETERS[plainName(name)];
  if (!how) return [];
  return scriptEffects(literal(path), how, command, context, {
    language: how.language,
    args: command.args.map(valueOfWord),
    base: baseOf(command),
    look: context.look,
    read: context.effectsOf,
  });
};

const table: Record<string, Family> = { awk, gawk: awk, mawk: awk, nawk: awk, osascript, tclsh: tcl, powershell, pwsh: powershell, cmd };

for (const [name, how] of Object.entries(INTERPRETERS)) table[name.toLowerCase()] = interpreter(how);

for (const version of ['2', '3', '2.7', ...Array.from({ length: 16 }, (_none, i) => `3.${i}`)]) {
  table[`python${version}`] = table['python']!;
  if (version.length < 3) table[`pypy${version}`] = table['python']!;
}
table['py'] = table['python']!;
table['ipython3'] = table['python']!;

for (const version of ['5.1', '5.2', '5.3', '5.4']) table[`lua${version}`] = table['lua']!;

for (const version of ['7', '8', '7.4', '8.0', '8.1', '8.2', '8.3', '8.4']) table[`php${version}`] = table['php']!;

/** The interpreters by program name. */
export const interpreterFamilies: FamilyTable = table;
