/** `test` and `[` as they stand on a line: a question about one word. */
import type { CommandNode, PipelineNode, Word as SourceWord } from 'unbash';

/** `[ -f x ]`, `test ! -n "$X"`. */
export interface WordTest {
  operator: string;
  operand: SourceWord;
  negated: boolean;
}

/** `test` or `[`, whatever it asks. */
export const isTest = (node: CommandNode): boolean => node.type === 'Command' && (node.name?.text === 'test' || node.name?.text === '[');

/** undefined: no such command, or one that asks more. */
export function wordTest(node: CommandNode): WordTest | undefined {
  if (node.type !== 'Command' || !isTest(node) || node.prefix.length > 0) return undefined;
  const words = node.args.filter((each): each is SourceWord => each.type === 'Word');
  const operands = node.name?.text === '[' ? words.slice(0, -1) : words;
  const negated = operands[0]?.text === '!';
  const [operator, operand, ...rest] = negated ? operands.slice(1) : operands;
  return operator === undefined || operand === undefined || rest.length > 0 ? undefined : { operator: operator.text, operand, negated };
}

/** The one command of a pipeline, and whether `!` in front turns its answer round. undefined: there are several. */
export function onlyCommand(node: PipelineNode): { command: CommandNode; turned: boolean } | undefined {
  if (node.type !== 'Pipeline') return { command: node, turned: false };
  if (node.commands.length !== 1) return undefined;
  return { command: node.commands[0]!, turned: node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1 };
}
