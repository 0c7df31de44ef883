/** Built-ins of cmd.exe under the names of the POSIX programs of the same effect. */
import { globbed, pathWord } from './powershell-run.ts';
import { literal, textOf, type Word } from './word.ts';

export const nameOf = (text: string): string => {
  const base = text.replaceAll('\\', '/').replace(/^@/, '');
  return base
    .slice(base.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, '');
};

export const normal = (path: string): string => {
  const pieces: string[] = [];
  for (const piece of path.split('/')) {
    if (piece === '..') pieces.pop();
    else if (piece !== '.') pieces.push(piece);
  }
  return pieces.join('/') || '/';
};

/** `if [not] exist X`, `if [not] defined X`, `if A==B`, `if errorlevel N`. */
export function afterCondition(args: readonly Word[]): readonly Word[] {
  let at = 0;
  const text = () => (textOf(args[at]) ?? '').toLowerCase();
  while (text() === 'not' || text() === '/i') at++;
  if (text() === 'exist' || text() === 'defined' || text() === 'errorlevel') return args.slice(at + 2);
  if (text().includes('==')) return args.slice(at + 1);
  return args.slice(at + (textOf(args[at + 1]) === '==' ? 3 : 1));
}

const isSwitch = (word: Word): boolean => /^\/[A-Za-z?-][\w:-]*$/.test(textOf(word) ?? '');

export const pathWhenPath = (word: Word): Word => (/^(?:[A-Za-z]:\\|\.{1,2}\\)/.test(textOf(word) ?? '') ? pathWord(word) : word);

/** A built-in under its POSIX name; undefined: not one; null: it does nothing. */
export function builtin(name: string, args: readonly Word[]): { name: string; args: Word[] } | undefined | null {
  const switches = args.filter(isSwitch).map((word) => textOf(word)!.toLowerCase());
  const operands = args.filter((word) => !isSwitch(word)).map((word) => globbed(pathWord(word)));
  const has = (flag: string) => switches.includes(flag);
  const flag = (on: boolean, text: string): Word[] => (on ? [literal(text)] : []);
  switch (name) {
    case 'del':
    case 'erase':
      return { name: 'rm', args: [...flag(has('/s'), '-r'), literal('-f'), ...operands] };
    case 'rd':
    case 'rmdir':
      return has('/s') ? { name: 'rm', args: [literal('-r'), ...flag(has('/q'), '-f'), ...operands] } : { name: 'rmdir', args: operands };
    case 'format':
      return /^[A-Za-z]:$/.test(textOf(operands[0]) ?? '') ? { name: 'mkfs', args: operands } : undefined;
    case 'copy':
    case 'xcopy':
      return { name: 'cp', args: [...flag(name === 'xcopy', '-r'), ...operands] };
    case 'robocopy':
      return {
        name: 'rsync',
        args: [literal('-a'), ...flag(has('/mir') || has('/purge'), '--delete'), ...flag(has('/l'), '--dry-run'), ...operands.slice(0, 2)],
      };
    case 'move':
      return { name: 'mv', args: [...flag(has('/-y'), '-n'), ...operands] };
    case 'ren':
    case 'rename': {
      const from = textOf(operands[0]);
      const cut = from?.lastIndexOf('/') ?? -1;
      const to =
        from !== undefined && cut >= 0 && textOf(operands[1]) !== undefined
          ? literal(from.slice(0, cut + 1) + textOf(operands[1]))
          : operands[1];
      return { name: 'mv', args: [literal('-n'), ...operands.slice(0, 1), ...(to ? [to] : [])] };
    }
    case 'type':
    case 'more':
      return { name: 'cat', args: operands };
    case 'md':
    case 'mkdir':
      return { name: 'mkdir', args: [literal('-p'), ...operands] };
    case 'dir':
      return { name: 'ls', args: operands };
    case 'mklink':
      return { name: 'ln', args: [...flag(!has('/h'), '-s'), ...operands.slice(1, 2), ...operands.slice(0, 1)] };
    case 'shutdown':
      return has('/a') || has('/?')
        ? null
        : { name: has('/r') ? 'reboot' : 'shutdown', args: has('/r') ? [] : [literal('-h'), literal('now')] };
    case 'echo':
    case 'echo.':
      return { name: 'echo', args: [...args] };
    default:
      return undefined;
  }
}
