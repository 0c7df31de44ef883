/** One program: text and where it runs -> effects. Bounded in size, depth and steps; what is over a bound is said. */
import type { Look } from '../../shell/command.ts';
import type { Base, Effect } from '../effect.ts';
import { LUA_LANGUAGE } from './api-lua.ts';
import { NODE_LANGUAGE } from './api-node.ts';
import { PERL_LANGUAGE } from './api-perl.ts';
import { PHP_LANGUAGE } from './api-php.ts';
import { PYTHON_LANGUAGE } from './api-python.ts';
import { R_LANGUAGE } from './api-r.ts';
import { RUBY_LANGUAGE } from './api-ruby.ts';
import { Limit } from './ast.ts';
import { apply, callOwn } from './calls.ts';
import { runBlock } from './evaluate.ts';
import { startCounting } from './lex.ts';
import type { Language, Machine, ReadShell } from './machine.ts';
import { parse } from './parse.ts';
import type { LanguageName } from './parse-core.ts';
import { hole, type Value } from './value.ts';

const LANGUAGES: Readonly<Record<LanguageName, Language>> = {
  python: PYTHON_LANGUAGE,
  js: NODE_LANGUAGE,
  perl: PERL_LANGUAGE,
  ruby: RUBY_LANGUAGE,
  php: PHP_LANGUAGE,
  lua: LUA_LANGUAGE,
  r: R_LANGUAGE,
};

/** Characters of a program that are read; the rest is reported as unread. */
export const MAX_PROGRAM = 1024 * 1024;
/** Calls and loop turns. */
const BUDGET = 4_000;
const MAX_NESTED = 4;

export interface Program {
  text: string;
  language: LanguageName;
  /** Holes of the command line, as values; `\ue000N\ue001` in the text stands for number N. */
  holes?: readonly Value[];
  args?: readonly Value[];
  /** Absolute path of the script the text stands in. */
  file?: string;
  /** How the program is called in `via` and `how`: `python`, `python fix.py`. */
  label: string;
  base: Base;
  look: Look;
  read: ReadShell;
  /** A loop around the program that puts lines into `$_` (perl -n, ruby -p). */
  lines?: boolean;
}

/** The effects of a program. Never throws. */
export function effectsOfProgram(program: Program): Effect[] {
  const language = LANGUAGES[program.language];
  const text = program.text.length > MAX_PROGRAM ? program.text.slice(0, MAX_PROGRAM) : program.text;
  // Most programs call nothing that matters; they are not worth a parse.
  if (!language.signals.test(program.text)) return [];
  startCounting();
  const scope = { vars: new Map<string, Value>(), parent: undefined, own: true };
  let nested = 0;
  const { file, label } = program;
  const base: Base = file === undefined ? program.base : { ...program.base, via: [...program.base.via, label], script: file };
  const m: Machine = {
    language,
    look: program.look,
    base,
    cwd: base.cwd,
    args: program.args ?? [],
    file,
    label,
    scope,
    certain: true,
    looped: program.lines === true,
    depth: 0,
    budget: BUDGET,
    limited: text.length < program.text.length,
    effects: [],
    functions: [],
    stars: [],
    used: new Set(),
    read: program.read,
    holes: program.holes ?? [],
    call: (fn, args) => (fn.fn ? callOwn(fn, args, m) : apply(fn, args, new Map(), m)),
    run: (block) => runBlock(block, m),
    evaluate(inner) {
      if (nested >= MAX_NESTED || inner.length > MAX_PROGRAM) return;
      nested++;
      try {
        runBlock(parse(inner, program.language), m);
      } catch (error) {
        if (!(error instanceof Limit)) throw error;
        m.limited = true;
      }
      nested--;
    },
  };
  try {
    runBlock(parse(text, program.language), m);
    handedOn(m);
  } catch (error) {
    if (!(error instanceof Limit) && !(error instanceof RangeError)) throw error;
    m.limited = true;
  }
  if (m.limited && !m.effects.some((effect) => effect.kind === 'unknown')) {
    m.effects.push({
      kind: 'unknown',
      ...base,
      why: 'limit',
      destructive: file === undefined && DESTRUCTIVE.test(program.text),
      detail: `${label} program too long or nested too deeply`,
      command: base.source,
    });
  }
  return m.effects;
}

/** Names that lose something, for a text on the line that cannot be read to its end. A script on disk is ordinary software, often bundled. */
const DESTRUCTIVE = /\b(?:rmtree|unlink(?:Sync)?|rm(?:dir)?Sync|rm_rf?|rimraf|remove_tree|os\.remove|rm -[a-zA-Z]*[rf])\b/;

/** Functions that were passed on as values but never called here: somebody else may call them. */
function handedOn(m: Machine): void {
  for (const { name, value } of m.functions.slice(0, 500)) {
    if (!value.fn || value.fn.called || !m.used.has(name) || m.budget <= 0) continue;
    m.certain = false;
    callOwn(
      value,
      value.fn.params.map((param) => hole(param || 'value')),
      m,
    );
    m.certain = true;
  }
}
