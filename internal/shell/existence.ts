/**
 * Which files are certainly not there where a part of a line runs: `[ -f .env ] || cp .env.example .env` never writes over
 * one. Read from the tree alone; what a test compares besides existence says nothing here.
 */
import type { AndOr, CommandNode, CompoundList, PipelineNode, Word as SourceWord, TestExpression } from 'unbash';
import type { Scope } from './scope.ts';
import { isTest, onlyCommand, wordTest } from './test-command.ts';

/** Absolute paths that are not there, or hold nothing, when a part has ended well, and when it has not. `never`: it cannot end so. */
export interface Missing {
  yes: readonly string[] | 'never';
  no: readonly string[] | 'never';
}

/** Nothing is told. */
export const UNKNOWN: Missing = { yes: [], no: [] };
/** Tests of which "no" means that there is no file with content. */
const EXISTS = new Set(['-e', '-f', '-s', '-a']);
/** Programs that do not fail. */
const SUCCEEDS = new Set(['echo', 'printf', 'true', ':']);

/** The words that a test, its branches and the end of a shell are read by. */
const READ_BY = ['test', '[', 'exit', 'return', ...SUCCEEDS];

/** Where a line gives one of them a meaning of its own, nothing is told: `test() { false; }` turns every guard round. */
export const redefines = (
  { functions, aliases, disabled }: Pick<Scope, 'functions' | 'aliases' | 'disabled'>,
  env: ReadonlyMap<string, unknown>,
): boolean =>
  READ_BY.some((name) => functions.has(name) || aliases.has(name) || disabled?.has(name)) ||
  [...env.keys()].some((name) => name.startsWith('BASH_FUNC_') || name === 'BASH_ENV');

const swap = ({ yes, no }: Missing): Missing => ({ yes: no, no: yes });

/** Both are known to hold. */
const all = (a: Missing['yes'], b: Missing['yes']): Missing['yes'] =>
  a === 'never' || b === 'never' ? 'never' : [...new Set([...a, ...b])];
/** One of the two holds. */
const either = (a: Missing['yes'], b: Missing['yes']): Missing['yes'] =>
  a === 'never' ? b : b === 'never' ? a : a.filter((path) => b.includes(path));

/** `a && b`, or `a || b`. */
export const both = (operator: '&&' | '||', a: Missing, b: Missing): Missing =>
  operator === '&&'
    ? { yes: all(a.yes, b.yes), no: either(a.no, all(a.yes, b.no)) }
    : { yes: either(a.yes, all(a.no, b.yes)), no: all(a.no, b.no) };

/** What has to hold for the next part of a list to run. */
export const reaching = (operator: '&&' | '||', before: Missing): readonly string[] => {
  const known = operator === '&&' ? before.yes : before.no;
  return known === 'never' ? [] : known;
};

/**
 * What one part of a list tells.
 * @param pathOf a word as an absolute path, undefined when it is not known
 */
export function missingAfter(node: PipelineNode, pathOf: (word: SourceWord) => string | undefined): Missing {
  const only = onlyCommand(node);
  if (!only) return UNKNOWN;
  const inner = ofCommand(only.command, pathOf);
  return only.turned ? swap(inner) : inner;
}

/** A test or `[[`, somewhere in a list: without one nothing is told. */
export const hasTest = (node: AndOr): boolean =>
  node.commands.some((each) => {
    const only = onlyCommand(each)?.command;
    return only !== undefined && (only.type === 'TestCommand' || isTest(only));
  });

/** What the clause of an `if` tells: its last command does. */
export function missingAfterClause(clause: CompoundList, pathOf: (word: SourceWord) => string | undefined): Missing {
  const node = clause.commands.at(-1)?.command;
  if (!node) return UNKNOWN;
  if (node.type !== 'AndOr') return missingAfter(node, pathOf);
  return node.commands.map((each) => missingAfter(each, pathOf)).reduce((a, b, i) => both(node.operators[i - 1]!, a, b));
}

function ofCommand(node: CommandNode, pathOf: (word: SourceWord) => string | undefined): Missing {
  if (node.type === 'TestCommand') return ofExpression(node.expression, pathOf);
  if (node.type === 'Command' && node.prefix.length === 0 && SUCCEEDS.has(node.name?.text ?? '')) return { yes: [], no: 'never' };
  const test = wordTest(node);
  if (!test) return UNKNOWN;
  const found = exists(test.operator, test.operand, pathOf);
  return test.negated ? swap(found) : found;
}

function ofExpression(node: TestExpression, pathOf: (word: SourceWord) => string | undefined): Missing {
  switch (node.type) {
    case 'TestUnary':
      return exists(node.operator, node.operand, pathOf);
    case 'TestNot': {
      const inner = ofExpression(node.operand, pathOf);
      return node.negations.length % 2 === 1 ? swap(inner) : inner;
    }
    case 'TestGroup':
      return ofExpression(node.expression, pathOf);
    case 'TestLogical':
      return node.operands.map((each) => ofExpression(each, pathOf)).reduce((a, b) => both(node.operator, a, b));
    default:
      return UNKNOWN;
  }
}

function exists(operator: string, operand: SourceWord, pathOf: (word: SourceWord) => string | undefined): Missing {
  if (!EXISTS.has(operator)) return UNKNOWN;
  const path = pathOf(operand);
  return path === undefined ? UNKNOWN : { yes: [], no: [path] };
}
