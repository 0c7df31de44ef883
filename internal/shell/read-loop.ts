/** `while read x; do …; done`: what each turn finds at its input. */
import type { CompoundList } from 'unbash';
import type { Look, Stdin } from './command.ts';
import { stdinText } from './output.ts';
import { literal, textOf } from './word.ts';

/**
 * The input turn after turn: the lines that are left, where they are known.
 * @param clause text between `while` and `do`
 * @param most turns that are followed
 */
export function turnsOf(clause: string, from: { stdin: Stdin; look: Look; cwd: string | undefined }, most: number): readonly Stdin[] {
  if (!/\bread\b/.test(clause)) return [from.stdin];
  const lines = textOf(stdinText(from))?.replace(/\n$/, '').split('\n') ?? [];
  if (lines.length < 2) return [from.stdin];
  return lines.slice(0, most).map((_line, i) => ({ from: 'text', text: literal(lines.slice(i).join('\n')), quoted: true }));
}

/** What a loop body counts on with each turn: `i=$((i+1))`, `((i++))`. */
export function countersOf(body: CompoundList): { counters?: readonly string[] } {
  const counters = body.commands.flatMap(({ command }): string[] => {
    if (command.type === 'ArithmeticCommand') return [...command.body.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name);
    if (command.type !== 'Command') return [];
    return command.prefix.flatMap((each) => {
      if (each.type !== 'Assignment' || each.name === undefined || each.value?.type !== 'Word') return [];
      return each.value.parts?.some((part) => part.type === 'ArithmeticExpansion') ? [each.name] : [];
    });
  });
  return counters.length > 0 ? { counters } : {};
}
