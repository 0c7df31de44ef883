/** Tests that ask whether there is something in a variable: `[ -n "$X" ] || exit 1`, `if [ -z "$X" ]; then exit 1; fi`. */
import type { CommandNode, CompoundList, PipelineNode, Word as SourceWord, TestExpression } from 'unbash';
import type { Look } from './command.ts';
import type { Scope, Value } from './scope.ts';
import { onlyCommand, wordTest } from './test-command.ts';
import { textOf } from './word.ts';

/** A test on one variable. `filled`: it succeeds when there is something in it; else when there is nothing. */
export interface Check {
  name: string;
  filled: boolean;
}

/** The variable that a word stands for, and nothing else. Without quotes `[` gets no word at all for an empty one. */
function nameIn(word: SourceWord, quoted: boolean): string | undefined {
  const match = /^("?)\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::?-)?\})("?)$/.exec(word.text);
  if (!match || match[1] !== match[4] || (quoted && match[1] === '')) return undefined;
  return match[2] ?? match[3];
}

const checked = (operator: string, word: SourceWord, quoted: boolean): Check | undefined => {
  if (operator !== '-n' && operator !== '-z') return undefined;
  const name = nameIn(word, quoted && operator === '-n');
  return name === undefined ? undefined : { name, filled: operator === '-n' };
};

const turned = (check: Check | undefined, turns: number): Check | undefined =>
  check && turns % 2 === 1 ? { ...check, filled: !check.filled } : check;

function ofExpression(node: TestExpression): Check | undefined {
  if (node.type === 'TestUnary') return checked(node.operator, node.operand, false);
  if (node.type === 'TestNot') return turned(ofExpression(node.operand), node.negations.length);
  return node.type === 'TestGroup' ? ofExpression(node.expression) : undefined;
}

function ofCommand(node: CommandNode): Check | undefined {
  if (node.type === 'TestCommand') return ofExpression(node.expression);
  const test = wordTest(node);
  return test && turned(checked(test.operator, test.operand, true), test.negated ? 1 : 0);
}

/** What one part of a list asks. */
export function checkIn(node: PipelineNode): Check | undefined {
  const only = onlyCommand(node);
  return only && turned(ofCommand(only.command), only.turned ? 1 : 0);
}

/** What the clause of an `if` asks, where it is one test. */
export function checkInClause({ commands }: CompoundList): Check | undefined {
  const node = commands.length === 1 ? commands[0]!.command : undefined;
  return node && node.type !== 'AndOr' ? checkIn(node) : undefined;
}

/** Does it end with `exit`, or in a function with `return`, whatever happens before? Elsewhere `return` fails and the shell goes on. */
export function endsShell(node: PipelineNode | CompoundList, inFunction: boolean): boolean {
  if (node.type === 'CompoundList') {
    const last = node.commands.at(-1)?.command;
    return last !== undefined && last.type !== 'AndOr' && endsShell(last, inFunction);
  }
  if (node.type === 'Pipeline') return node.commands.length === 1 && node.prefixes.length === 0 && endsShell(node.commands[0]!, inFunction);
  if (node.type === 'BraceGroup') return endsShell(node.body, inFunction);
  return node.type === 'Command' && (node.name?.text === 'exit' || (inFunction && node.name?.text === 'return'));
}

/** Variables that are there although nobody set them. */
const SET_BY_SHELL =
  /^(?:HOME|PWD|OLDPWD|USER|LOGNAME|HOSTNAME|SHELL|PATH|TMPDIR|TERM|RANDOM|SRANDOM|SECONDS|LINENO|PPID|E?UID|SHLVL|IFS|OPT\w+|REPLY|BASH\w*|ZSH\w*|EPOCH\w+|FUNCNAME|PIPESTATUS|OSTYPE|MACHTYPE|HOSTTYPE|_)$/;

/** A check of a variable that has nothing in it. */
export function vain(check: Check | undefined, scope: Scope, look: Look): Check | undefined {
  if (!check || scope.maybe?.has(check.name)) return undefined;
  const own = scope.vars.get(check.name);
  const without = (look.env(check.name) ?? '') === '' && !SET_BY_SHELL.test(check.name);
  const empty = own ? 'unset' in own || ('word' in own && textOf(own.word) === '') : without;
  return empty ? check : undefined;
}

/** What uses the variable is behind a test that fails, and never starts. Gives what takes that back. */
export function neverFilled({ name }: Check, scope: Scope): () => void {
  const before = scope.vars.get(name);
  const never: Value = { word: { parts: [{ kind: 'hole', text: `$${name}`, why: 'stop', name }], raw: `$${name}` } };
  scope.vars.set(name, never);
  return () => {
    if (scope.vars.get(name) !== never) return;
    if (before) scope.vars.set(name, before);
    else scope.vars.delete(name);
  };
}
