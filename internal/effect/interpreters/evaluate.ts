/** Walks a program once, shallowly: what its values are, what it calls. */
import type { Block, Expr, Stmt } from './ast.ts';
import { called } from './calls.ts';
import { choose, chosen, passedBy } from './choose.ts';
import { type Machine, runsText } from './machine.ts';
import { assign, HOLE, indexed, member, named, setName, unsure } from './names.ts';
import { globbed, operation } from './operators.ts';
import {
  concat,
  each,
  either,
  hole,
  Mark,
  NONE,
  num,
  ref,
  type Scope,
  sources,
  text,
  textIn,
  UNKNOWN,
  type Value,
  wordIn,
} from './value.ts';

/** Depth of expressions, and of calls in calls, that is followed. */
const MAX_DEPTH = 250;

const MAX_ITEMS = 24;

/** Runs statements. `returned`: a `return` certainly ended them. */
export function runBlock(block: Block, m: Machine): { value: Value | undefined; returned: boolean } {
  let value: Value | undefined;
  // Functions and classes may stand behind their use.
  for (const statement of block) if (statement.t === 'def' || statement.t === 'class') declare(statement, m);
  for (const statement of block) {
    if (statement.t === 'return') {
      const given = statement.value ? evaluate(statement.value, m) : NONE;
      return { value: value ? either(value, given) : given, returned: true };
    }
    const inner = runStatement(statement, m);
    if (inner.value) value = value ? either(value, inner.value) : inner.value;
    if (inner.returned) return { value, returned: true };
  }
  return { value, returned: false };
}

function declare(statement: Stmt & { t: 'def' | 'class' }, m: Machine): void {
  if (statement.t === 'def') {
    const value: Value = { fn: { params: statement.params, body: statement.body, scope: m.scope, called: false }, marks: 0 };
    m.scope.vars.set(statement.name, value);
    m.functions.push({ name: statement.name, value });
    return;
  }
  const scope: Scope = { vars: new Map(), parent: m.scope, own: true };
  m.scope.vars.set(statement.name, { type: `class ${statement.name}`, fields: scope.vars, marks: 0 });
  const before = m.scope;
  m.scope = scope;
  runBlock(statement.body, m);
  m.scope = before;
}

type Outcome = { value: Value | undefined; returned: boolean };

const DONE: Outcome = { value: undefined, returned: false };

function runStatement(statement: Stmt, m: Machine): Outcome {
  switch (statement.t) {
    case 'expr': {
      const value = evaluate(statement.value, m);
      // The last value of a body is what it gives in Ruby and Perl.
      if (m.language.name === 'ruby' || m.language.name === 'perl') m.scope.vars.set('*last', value);
      return DONE;
    }
    case 'import':
      for (const { name, as } of statement.names) {
        const from = statement.from.replace(/^node:/, '');
        if (name === '*') m.stars.length < 20 && m.stars.push(from);
        else
          m.scope.vars.set(
            as,
            name === '*module' ? moduleRef(from, as) : (m.language.constant(`${from}.${name}`, m) ?? ref(`${from}.${name}`)),
          );
      }
      return DONE;
    case 'for':
      return loop(statement.target, evaluate(statement.over, m), () => runBlock(statement.body, m), m);
    case 'block': {
      for (const head of statement.heads) {
        evaluate(head, m);
      }
      const looped = m.looped;
      m.looped ||= statement.looped === true;
      let value: Value | undefined;
      let returned = false;
      for (const [i, body] of statement.bodies.entries()) {
        // Only the first body belongs to the first head for sure.
        const test = i === 0 && !statement.sure && statement.looped !== true ? statement.heads[0] : undefined;
        const outcome = statement.sure ? runBlock(body, m) : unsure(m, () => chosen(test, m, () => runBlock(body, m)));
        if (outcome.value) value = value ? either(value, outcome.value) : outcome.value;
        if (outcome.returned && statement.sure) returned = true;
      }
      m.looped = looped;
      if (statement.bodies.length === 1 && !statement.sure) choose(passedBy(statement.heads[0], statement.bodies[0]), m);
      return { value, returned };
    }
    default:
      return DONE;
  }
}

/** `import os.path` binds `os`; with an alias the module itself. */
const moduleRef = (from: string, as: string): Value => ref(from.includes('.') && from.split('.')[0] === as ? as : from);

/** A body for each item of what is looped over. */
function loop(target: Expr, over: Value, body: () => Outcome, m: Machine): Outcome {
  const items = over.parts === undefined || over.others ? each(over) : [elementOf(over)];
  const looped = m.looped;
  const certain = m.certain;
  m.looped = true;
  let result: Outcome = DONE;
  const turns = items.length === 0 && !over.items ? [elementOf(over)] : m.budget > 0 ? items.slice(0, MAX_ITEMS) : items.slice(0, 1);
  if (items.length > MAX_ITEMS) m.certain = false;
  turns.forEach((item) => {
    m.budget--;
    assign(target, item.parts === undefined && !item.items && !item.fields && !item.fn ? elementOf(item) : item, m, true);
    const outcome = body();
    if (outcome.value) result = { value: outcome.value, returned: false };
  });
  m.looped = looped;
  m.certain = certain;
  return result;
}

/** An item of something that is no list here: a glob stands for its matches; else only its origin is known. */
function elementOf(value: Value): Value {
  if (value.type === 'Walk')
    return { items: [value.of ?? UNKNOWN, { items: [walked()], marks: 0 }, { items: [walked()], marks: 0 }], marks: 0 };
  if (value.parts?.some((part) => part.kind === 'glob')) return value;
  if (value.type === 'Environment') return { items: [hole('name'), value], marks: 0 };
  if (value.type === 'File' && value.of) return { ...hole('line'), ...fileMarks(value.of) };
  return { ...hole('item'), ...sources(value) };
}

/** A name of a walk: all of them where nothing chooses among them, else one nobody knows. */
const walked = (): Value => ({
  parts: [{ kind: 'hole', text: 'name', why: 'variable', name: 'name', among: [{ parts: [{ kind: 'glob', text: '**/*' }], raw: '**/*' }] }],
  marks: 0,
});

const fileMarks = (path: Value): Pick<Value, 'marks' | 'reads'> => ({ marks: Mark.read, reads: [wordIn(path)] });

/** `line.split('=')[0]`: what stands before the sign is the name of a setting, not its value. */
function isNamePart({ of, at }: Extract<Expr, { t: 'index' }>, m: Machine): boolean {
  if (of.t !== 'call' || of.fn.t !== 'attr' || !/^(?:split|partition)$/.test(of.fn.name)) return false;
  const sign = of.args[0];
  return sign !== undefined && /^\s*[=:]\s*$/.test(textIn(evaluate(sign.value, m)) ?? '') && textIn(evaluate(at, m)) === '0';
}

/** The value of an expression. */
export function evaluate(expr: Expr, m: Machine): Value {
  if (m.depth >= MAX_DEPTH) {
    m.limited = true;
    return UNKNOWN;
  }
  m.depth++;
  const value = valueIn(expr, m);
  m.depth--;
  return value;
}

function valueIn(expr: Expr, m: Machine): Value {
  switch (expr.t) {
    case 'str':
      return textOfParts(expr.parts, m);
    case 'num':
      return num(expr.value);
    case 'name':
      return named(expr.name, m);
    case 'attr':
      return member(evaluate(expr.of, m), expr.name, m);
    case 'index':
      if (isNamePart(expr, m)) {
        evaluate(expr.of, m);
        return hole('name');
      }
      return indexed(evaluate(expr.of, m), evaluate(expr.at, m), m);
    case 'call':
      return called(expr.fn, expr.args, m);
    case 'list': {
      if (expr.items.length === 1 && expr.items[0]!.t === 'each') return evaluate(expr.items[0]!, m);
      return { items: expr.items.slice(0, 5000).map((item) => evaluate(item, m)), marks: 0 };
    }
    case 'dict': {
      const fields = new Map<string, Value>();
      const loose: Value[] = [];
      for (const { key, value } of expr.entries) {
        const name = key && textIn(evaluate(key, m));
        const inner = evaluate(value, m);
        if (name !== undefined) fields.set(name, inner);
        else loose.push(inner);
      }
      // A set, or Lua's list.
      if (fields.size === 0 && loose.length > 0) return { items: loose, marks: 0 };
      return { fields, marks: 0 };
    }
    case 'op':
      return operation(expr.op, expr.items, m);
    case 'either': {
      evaluate(expr.test, m);
      return unsure(m, () => either(evaluate(expr.yes, m), evaluate(expr.no, m)));
    }
    case 'assign': {
      const given = evaluate(expr.value, m);
      let value = given;
      if (expr.op === '+=' || expr.op === '.=' || expr.op === '<<') {
        const before = evaluate(expr.target, m);
        value = before.items
          ? { items: [...before.items, ...(given.items ?? [given])].slice(0, 5000), marks: before.marks | given.marks }
          : concat([before, given]);
      } else if (expr.op === '||=' || expr.op === '??=' || expr.op === '//=') value = either(evaluate(expr.target, m), given);
      assign(expr.target, value, m, value !== given);
      return value;
    }
    case 'fn': {
      const value: Value = { fn: { params: expr.params, body: expr.body, scope: m.scope, called: false }, marks: 0 };
      return value;
    }
    case 'shell': {
      const line = textOfParts(expr.parts, m);
      runsText(m, line, 'shell', '`…`');
      return { ...hole('output'), marks: sources(line).marks };
    }
    case 'regex': {
      if (expr.runs) evaluate(expr.runs, m);
      if (expr.to) setName('$_', { ...named('$_', m), marks: named('$_', m).marks | Mark.replaced }, m, true);
      return UNKNOWN;
    }
    case 'each': {
      const results: Value[] = [];
      const turn = (at: number): void => {
        const next = expr.loops[at];
        if (!next) {
          for (const test of expr.when ?? []) evaluate(test, m);
          const turned = () => results.push(chosen(expr.when?.[0], m, () => evaluate(expr.value, m)));
          if (expr.when) unsure(m, turned);
          else turned();
          return;
        }
        loop(
          next.target,
          evaluate(next.over, m),
          () => {
            turn(at + 1);
            return DONE;
          },
          m,
        );
      };
      turn(0);
      return { items: results.slice(0, 5000), marks: 0 };
    }
    case 'glob':
      return globbed(textOfParts(expr.parts, m));
    case 'many': {
      let last: Value = UNKNOWN;
      for (const item of expr.items) last = evaluate(item, m);
      return last;
    }
  }
}

/** Text with what is put in. Holes of the command line stand in it as marks. */
function textOfParts(parts: readonly (string | Expr)[], m: Machine): Value {
  if (parts.length === 1 && typeof parts[0] === 'string' && !parts[0].includes('\ue000')) return text(parts[0]);
  const values: Value[] = [];
  for (const part of parts) {
    if (typeof part !== 'string') {
      values.push(evaluate(part, m));
      continue;
    }
    part.split(HOLE).forEach((piece, i) => {
      if (i % 2 === 1) values.push(m.holes[Number(piece)] ?? hole('value'));
      else if (piece !== '') values.push(text(piece));
    });
  }
  return concat(values.map((value) => (value.type === 'Path' ? { ...value, type: undefined } : value)));
}
