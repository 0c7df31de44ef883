/** Builtins that change the shell's memory: directory, variables, functions, options. */
import { basename, resolve } from 'node:path/posix';
import type { Look } from './command.ts';
import { printf } from './output.ts';
import type { Scope } from './scope.ts';
import { type Part, prefixOf, textOf, type Word } from './word.ts';

/** What a builtin may ask. */
export interface BuiltinContext {
  look: Look;
  /** The line itself makes this directory before. */
  made(path: string): boolean;
  /** Standard input, where it is known. */
  input: string | undefined;
  /** The steps whose output it is. */
  from?: readonly number[];
  /** The words it is one of, where it is a listing of files. */
  among?: readonly Word[];
  /** The command stands behind `&&` or under `set -e`: what follows only runs when it succeeded. */
  guarded: boolean;
  /** The last of an `&&` or `||` chain: it may not run at all, and what follows the chain runs all the same. */
  perhaps: boolean;
}

type Builtin = (args: readonly Word[], scope: Scope, context: BuiltinContext) => void;

const unknownValue = (name: string, why: 'input' | 'variable', steps: readonly number[] = [], among?: readonly Word[]): Word => ({
  parts: [{ kind: 'hole', text: `$${name}`, why, name, ...(steps.length > 0 ? { steps } : {}), ...(among ? { among } : {}) }],
  raw: `$${name}`,
});

/** Goes to a directory. What follows may still run in the old one when the new one does not exist. */
function change(target: Word | undefined, scope: Scope, context: BuiltinContext): void {
  const text = textOf(target);
  if (target === undefined) {
    scope.cwd = context.look.home;
    return;
  }
  if (text === undefined || text === '-' || (scope.cwd === undefined && !text.startsWith('/'))) {
    scope.cwd = undefined;
    return;
  }
  const next = text === '' ? scope.cwd : resolve(scope.cwd ?? '/', text);
  const old = scope.cwd;
  const exists = next !== undefined && (context.look.stat(next) !== undefined || context.made(next));
  const readable = old !== undefined && context.look.stat(old) !== undefined;
  scope.cwd = next;
  const stays = context.perhaps || (!exists && !context.guarded);
  scope.otherCwd = stays && readable ? old : undefined;
}

const cd: Builtin = (args, scope, context) => {
  const operands = args.filter((word) => !/^-[LPe@]+$/.test(textOf(word) ?? '') && textOf(word) !== '--');
  change(operands[0], scope, context);
};

const pushd: Builtin = (args, scope, context) => {
  const target = args.find((word) => textOf(word) !== '-n');
  scope.stack.push(scope.cwd);
  if (!target || /^[+-]\d+$/.test(textOf(target) ?? '')) scope.cwd = undefined;
  else change(target, scope, context);
};

const popd: Builtin = (_args, scope) => {
  scope.cwd = scope.stack.pop();
};

/** Sets `NAME=value` words, as export, declare, local, readonly and typeset take them. */
function declare(args: readonly Word[], scope: Scope, exported: boolean, local = false): void {
  const refers = args.some((word) => /^-\w*n/.test(textOf(word) ?? ''));
  for (const word of args) {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)(\+?=)?/.exec(prefixOf(word));
    if (!match) continue;
    const name = match[1]!;
    if (refers && match[2] === '=') {
      const stands = textOf(tail(word, match[0].length));
      scope.refs ??= new Map();
      if (stands !== undefined && stands !== name) scope.refs.set(name, stands);
      continue;
    }
    if (scope.readonly?.has(name)) continue;
    if (local && scope.locals && !scope.locals.has(name)) scope.locals.set(name, scope.vars.get(name));
    if (exported) scope.exported.add(name);
    // `declare -a c=(…)`: the list is there already.
    if (match[2] !== undefined && word.raw.startsWith(`${match[0]}(`) && textOf(word) === match[0]) continue;
    if (match[2] === '=') scope.vars.set(name, { word: tail(word, match[0].length) });
    else if (match[2] === '+=') scope.vars.set(name, { word: unknownValue(name, 'variable') });
  }
}

/** Names that no later assignment and no `unset` changes. */
function keepValues(args: readonly Word[], scope: Scope): void {
  for (const word of args) {
    const name = /^([A-Za-z_][A-Za-z0-9_]*)/.exec(prefixOf(word))?.[1];
    if (name === undefined) continue;
    scope.readonly ??= new Set();
    scope.readonly.add(name);
  }
}

function tail(word: Word, offset: number): Word {
  const [first, ...rest] = word.parts;
  if (first?.kind !== 'text') return word;
  const text = first.text.slice(offset);
  const parts: readonly Part[] = text === '' ? rest : [{ kind: 'text', text }, ...rest];
  return { parts, raw: word.raw };
}

const setOptions: Builtin = (args, scope) => {
  const texts = args.map((word) => textOf(word));
  const dashes = texts.indexOf('--');
  if (dashes >= 0) scope.args = args.slice(dashes + 1);
  for (const [i, text] of texts.entries()) {
    if (text === undefined || i === dashes) break;
    const off = text.startsWith('+');
    const named = texts[i + 1] === 'errexit' && /^[-+]\w*o$/.test(text);
    if (/^[-+]\w*e/.test(text) || named) scope.errexit = !off;
    if (/^[-+][a-z]*u/.test(text) || (texts[i + 1] === 'nounset' && /^[-+]\w*o$/.test(text))) scope.nounset = !off;
    if (texts[i + 1] === 'pipefail' && /^[-+]\w*o$/.test(text)) scope.pipefail = !off;
  }
};

/** read, mapfile: the words of a known first line, else unknown. */
const read: Builtin = (args, scope, context) => {
  const names = args.map((word) => textOf(word)).filter((name): name is string => name !== undefined && /^[A-Za-z_]\w*$/.test(name));
  const plain = context.input !== undefined && !args.some((word) => /^-\w*[dinNp]|^-\w*t\d/.test(textOf(word) ?? ''));
  const words = plain ? context.input!.split('\n', 1)[0]!.trim().split(/\s+/) : [];
  const array = args.findIndex((word) => /^-[A-Za-z]*a$/.test(textOf(word) ?? ''));
  const arrayName = array < 0 ? undefined : textOf(args[array + 1]);
  names.forEach((name, i) => {
    if (plain && name === arrayName) {
      scope.vars.set(name, { list: words.filter(Boolean).map((text) => ({ parts: [{ kind: 'text', text }], raw: text })) });
      return;
    }
    const last = i === names.length - 1;
    const text = last ? words.slice(i).join(' ') : (words[i] ?? '');
    scope.vars.set(name, {
      word: plain
        ? { parts: text === '' ? [] : [{ kind: 'text', text }], raw: text }
        : unknownValue(name, 'input', context.from, names.length === 1 ? context.among : undefined),
    });
  });
};

/** mapfile, readarray: the lines of a known input, else unknown. */
const mapfile: Builtin = (args, scope, context) => {
  const name = args.map((word) => textOf(word)).findLast((text) => text !== undefined && /^[A-Za-z_]\w*$/.test(text)) ?? 'MAPFILE';
  if (context.input === undefined) {
    scope.vars.set(name, context.among ? { list: context.among } : { word: unknownValue(name, 'input', context.from) });
    return;
  }
  const lines = context.input.replace(/\n$/, '').split('\n').slice(0, LINES);
  scope.vars.set(name, { list: lines.map((text) => ({ parts: text === '' ? [] : [{ kind: 'text', text }], raw: text })) });
};

function remembered(scope: Scope, name: string, path: string): void {
  scope.hashed ??= new Map();
  scope.hashed.set(name, path);
}

function switchedOff(scope: Scope, name: string): void {
  scope.disabled ??= new Set();
  scope.disabled.add(name);
}

/** Builtins that a remembered path does not replace. */
const SHADOWS = new Set(['echo', 'printf', 'test', '[', 'true', 'false', 'pwd', 'kill', 'cd', 'read']);

/** `ln -s /bin/rm x`, `cp /bin/rm x`: a program of the system under another name. */
const linked: Builtin = (args, scope, context) => {
  const [from, to, more] = args.filter((word) => !prefixOf(word).startsWith('-')).map((word) => textOf(word));
  if (from === undefined || to === undefined || more !== undefined || !/^\/(?:usr\/)?(?:local\/)?s?bin\/[\w.-]+$/.test(from)) return;
  const folder = scope.cwd !== undefined && context.look.stat(resolve(scope.cwd, to))?.kind === 'dir';
  const name = basename(to);
  if (!folder && !to.endsWith('/') && /^[\w.-]*\w[\w.-]*$/.test(name) && name !== basename(from)) scope.aliases.set(name, from);
};

/** Lines of an input that are kept. */
const LINES = 1000;

const BUILTINS: Readonly<Record<string, Builtin>> = {
  cd,
  chdir: cd,
  pushd,
  popd,
  export: (args, scope) => declare(args, scope, true),
  declare: (args, scope) =>
    declare(
      args,
      scope,
      args.some((word) => /^-\w*x/.test(textOf(word) ?? '')),
      true,
    ),
  typeset: (args, scope) =>
    declare(
      args,
      scope,
      args.some((word) => /^-\w*x/.test(textOf(word) ?? '')),
      true,
    ),
  local: (args, scope) => declare(args, scope, false, true),
  readonly: (args, scope) => {
    declare(args, scope, false);
    keepValues(args, scope);
  },
  shopt: (args, scope) => {
    const texts = args.map((word) => textOf(word));
    if (texts.includes('lastpipe')) scope.lastpipe = texts.some((text) => /^-\w*s/.test(text ?? ''));
    if (texts.includes('pipefail')) scope.pipefail = texts.some((text) => /^-\w*s/.test(text ?? ''));
  },
  hash: (args, scope) => {
    const at = args.findIndex((word) => textOf(word) === '-p');
    const [path, name] = args.slice(at + 1).map((word) => textOf(word));
    if (at >= 0 && path !== undefined && name !== undefined && (!SHADOWS.has(name) || scope.disabled?.has(name)))
      scope.aliases.set(name, path);
    // A builtin that is switched off later gives way as well.
    else if (at >= 0 && path !== undefined && name !== undefined) remembered(scope, name, path);
  },
  enable: (args, scope) => {
    const off = args.some((word) => textOf(word) === '-n');
    for (const word of args) {
      const name = textOf(word) ?? '';
      const path = scope.hashed?.get(name);
      if (off) switchedOff(scope, name);
      if (off && path !== undefined) scope.aliases.set(name, path);
    }
  },
  unset: (args, scope) => {
    if (args.some((word) => textOf(word) === '-f')) {
      for (const word of args) scope.functions.delete(textOf(word) ?? '');
      return;
    }
    for (const word of args) {
      const name = textOf(word);
      if (name !== undefined && !scope.readonly?.has(name)) scope.vars.set(name, { unset: true });
    }
  },
  set: setOptions,
  shift: (args, scope) => {
    scope.args = scope.args.slice(Number(textOf(args[0]) ?? 1) || 1);
  },
  read,
  mapfile,
  readarray: mapfile,
  getopts: read,
  printf: (args, scope) => {
    if (textOf(args[0]) !== '-v') return;
    const name = textOf(args[1]);
    if (name === undefined) return;
    scope.vars.set(name, { word: printf(args.slice(2)) ?? unknownValue(name, 'variable') });
  },
  alias: (args, scope) => {
    for (const word of args) {
      const text = textOf(word);
      const equals = text?.indexOf('=') ?? -1;
      if (text !== undefined && equals > 0) scope.aliases.set(text.slice(0, equals), text.slice(equals + 1));
    }
  },
  ln: linked,
  cp: linked,
  unalias: (args, scope) => {
    for (const word of args) scope.aliases.delete(textOf(word) ?? '');
  },
};

/** Applies a builtin to the scope; nothing for other programs. */
export function applyBuiltin(name: string, args: readonly Word[], scope: Scope, context: BuiltinContext): void {
  if (Object.hasOwn(BUILTINS, name)) BUILTINS[name]!(args, scope, context);
}
