/** Tests on the names of files: `f.endswith('.tmp')`, `p.suffix == '.pyc'`. What they let through is a narrower pattern of names. */
import type { Part } from '../../shell/word.ts';
import type { Block, Expr } from './ast.ts';
import { evaluate } from './evaluate.ts';
import type { Machine } from './machine.ts';
import { each, textIn, type Value } from './value.ts';

/** The name that is tested, and the patterns it then fits. */
interface Choice {
  variable: string;
  patterns: readonly string[];
}

const ENDS = new Set(['endswith', 'endsWith', 'end_with?']);
const STARTS = new Set(['startswith', 'startsWith', 'start_with?']);
const HOLDS = new Set(['includes', 'include?', 'contains']);
/** Members and functions that give another spelling of the same path, or its last part. */
const NAMES = new Set([
  'name',
  'path',
  'lower',
  'upper',
  'toLowerCase',
  'toUpperCase',
  'downcase',
  'basename',
  'as_posix',
  'str',
  'String',
  'to_s',
]);
const SUFFIXES = new Set(['suffix', 'extname']);
const EQUALS = new Set(['==', '===', 'eq']);

/** Reads a test. undefined: it says nothing about a name. */
function choiceOf(test: Expr, m: Machine): Choice | undefined {
  if (test.t === 'op') {
    if (test.op === 'and' || test.op === '&&') return first(test.items, m);
    if (test.op === 'or' || test.op === '||') {
      const all = test.items.map((item) => choiceOf(item, m));
      const [one] = all;
      return one && all.every((each) => each?.variable === one.variable)
        ? { variable: one.variable, patterns: all.flatMap((each) => each!.patterns) }
        : undefined;
    }
    if (test.op === 'not' || test.op === '!') {
      // All but some: no pattern of names says that, and nearly all are.
      const excluded = test.items[0] && choiceOf(test.items[0], m);
      return excluded && { variable: excluded.variable, patterns: ['*'] };
    }
    if (!EQUALS.has(test.op) || test.items.length !== 2) return undefined;
    const [left, right] = test.items as [Expr, Expr];
    return equal(left, right, m) ?? equal(right, left, m);
  }
  if (test.t !== 'call' || test.fn.t !== 'attr') return undefined;
  const subject = subjectOf(test.fn.of);
  const given = test.args.flatMap((arg) => wordsOf(arg.value, m) ?? [undefined]);
  if (!subject || subject.part === 'suffix' || given.length === 0 || given.includes(undefined)) return undefined;
  const texts = given as string[];
  if (ENDS.has(test.fn.name)) return { variable: subject.variable, patterns: texts.map((text) => `*${text}`) };
  if (STARTS.has(test.fn.name)) return { variable: subject.variable, patterns: texts.map((text) => `${text}*`) };
  return HOLDS.has(test.fn.name) ? { variable: subject.variable, patterns: texts.map((text) => `*${text}*`) } : undefined;
}

function first(tests: readonly Expr[], m: Machine): Choice | undefined {
  for (const test of tests) {
    const found = choiceOf(test, m);
    if (found) return found;
  }
  return undefined;
}

function equal(side: Expr, other: Expr, m: Machine): Choice | undefined {
  const subject = subjectOf(side);
  const texts = subject && wordsOf(other, m);
  if (!subject || !texts) return undefined;
  return { variable: subject.variable, patterns: texts.map((text) => (subject.part === 'suffix' ? `*${text}` : text)) };
}

/** The variable a test looks at, and which part of it. */
function subjectOf(expr: Expr): { variable: string; part: 'name' | 'suffix' } | undefined {
  if (expr.t === 'name') return { variable: expr.name, part: 'name' };
  if (expr.t === 'attr') {
    const inner = subjectOf(expr.of);
    if (!inner) return undefined;
    return SUFFIXES.has(expr.name) ? { ...inner, part: 'suffix' } : NAMES.has(expr.name) ? inner : undefined;
  }
  if (expr.t === 'index') {
    // `os.path.splitext(f)[1]`
    const split = expr.of.t === 'call' && expr.of.fn.t === 'attr' && expr.of.fn.name === 'splitext' ? expr.of.args[0] : undefined;
    const inner = split && subjectOf(split.value);
    return inner && { ...inner, part: 'suffix' };
  }
  if (expr.t !== 'call') return undefined;
  const fn = expr.fn.t === 'attr' || expr.fn.t === 'name' ? expr.fn.name : '';
  const inner = subjectOf(expr.args[0]?.value ?? (expr.fn.t === 'attr' ? expr.fn.of : expr.fn));
  if (!inner) return undefined;
  return SUFFIXES.has(fn) ? { ...inner, part: 'suffix' } : NAMES.has(fn) ? inner : undefined;
}

/** Certain texts without a pattern in them. */
function wordsOf(expr: Expr, m: Machine): string[] | undefined {
  if (expr.t !== 'str' && expr.t !== 'list') return undefined;
  const texts = each(evaluate(expr, m)).map((value) => textIn(value));
  return texts.length > 0 && texts.every((text) => text !== undefined && text !== '' && !/[*?[\\/]/.test(text))
    ? (texts as string[])
    : undefined;
}

/** Any name at the end of a path becomes one of the patterns. undefined: there is no such end. */
function narrowed(value: Value, patterns: readonly string[]): Value | undefined {
  const last = value.parts?.at(-1);
  const among = last?.kind === 'hole' && last.among?.length === 1 ? last.among[0]!.parts.at(-1) : undefined;
  const glob = last?.kind === 'glob' ? last : among?.kind === 'glob' ? among : undefined;
  if (!glob || !/(?:^|\/)\*$/.test(glob.text) || patterns.length === 0) return undefined;
  const all = patterns.map((pattern): Value => {
    const part: Part = { kind: 'glob', text: glob.text.slice(0, -1) + pattern };
    return { ...value, parts: [...value.parts!.slice(0, -1), part], others: undefined };
  });
  return all.length === 1 ? all[0]! : { ...all[0]!, others: all.slice(1) };
}

/** Work that only happens when the test holds. */
export function chosen<T>(test: Expr | undefined, m: Machine, work: () => T): T {
  const before = choose(test, m);
  const result = work();
  for (const [name, value] of before) m.scope.vars.set(name, value);
  return result;
}

/** Narrows the tested name, and what was made of it; gives the values from before. */
export function choose(test: Expr | undefined, m: Machine): readonly (readonly [string, Value])[] {
  const choice = test && choiceOf(test, m);
  const subject = choice && m.scope.vars.get(choice.variable);
  if (!choice || !subject || !narrowed(subject, choice.patterns)) return [];
  const end = subject.parts!.at(-1);
  const before: [string, Value][] = [];
  for (const [name, value] of m.scope.vars) {
    if (name !== choice.variable && value.parts?.at(-1) !== end) continue;
    const now = narrowed(value, choice.patterns);
    if (!now) continue;
    before.push([name, value]);
    m.scope.vars.set(name, now);
  }
  return before;
}

/** What a function that is used as a filter lets through. */
export function kept(self: Value, params: readonly string[], body: Block, m: Machine): Value {
  const [only] = body;
  const test = body.length === 1 && only && (only.t === 'return' || only.t === 'expr') ? only.value : undefined;
  const choice = test && choiceOf(test, m);
  return (choice && choice.variable === params[0] && narrowed(self, choice.patterns)) || self;
}

/** `if not …: continue`: the test that holds for what comes behind. */
export function passedBy(head: Expr | undefined, body: Block | undefined): Expr | undefined {
  const [only, more] = body ?? [];
  // A lone `continue` leaves nothing in the tree.
  const leaves =
    body !== undefined &&
    (only === undefined ||
      (more === undefined &&
        (only.t === 'return' ||
          (only.t === 'expr' && only.value.t === 'name' && /^(?:continue|next|break|return)$/.test(only.value.name)))));
  return leaves && head?.t === 'op' && (head.op === 'not' || head.op === '!') ? head.items[0] : undefined;
}
