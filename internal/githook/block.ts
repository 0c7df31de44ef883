/**
 * The block that `waygate init --git` puts into a pre-push hook, as text: it reads the refs once, has them judged, and hands them on to
 * the rest of the hook. Pure; texts are Latin-1 strings of the file's bytes, so that everything else stays as it is.
 */
import { quote } from '../rule/quote.ts';

/** What every block begins and ends with, whatever version wrote it. */
export const BEGINS = '# >>> waygate';
const ENDS = '# <<< waygate';
const FIRST = `${BEGINS}: judges what is about to be pushed. Taken out by \`waygate uninstall\`. >>>`;
const LAST = `${ENDS} <<<`;

/** The name an original hook keeps beside its wrapper. git runs no hook of that name. */
export const ORIGINAL = 'pre-push.waygate-original';
/** Where the launcher of one clone lies, below the common git directory. */
export const LAUNCHER = 'waygate/pre-push';

const NEW_HOOK = '#!/bin/sh\n';

/** UTF-8 as the file holds it. */
const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** What a shell does when the program is not there. `argv`: absolute paths. */
const missing = (argv: readonly string[], indent: string): string =>
  `${indent}echo ${quote(`waygate: nothing was pushed, since ${argv.at(-1)} is gone and nobody could judge it. Its owner puts it back with: npx waygate init --git`)} >&2\n${indent}exit 1\n`;

const isThere = (argv: readonly string[]): string => argv.map((path, at) => `[ ${at === 0 ? '-x' : '-r'} ${quote(path)} ]`).join(' && ');

/** What hands the refs on to the lines that follow. */
const HAND_ON = `if [ -n "$waygate_refs" ]; then
exec <<WAYGATE_REFS
$waygate_refs
WAYGATE_REFS
else exec </dev/null
fi
`;

/** For a hook that no clone shares: it names the program. What a caller would load into Node (NODE_OPTIONS) could answer in its place. */
export const ownBlock = (argv: readonly string[]): string =>
  bytes(`${FIRST}
if ${isThere(argv)}; then
  waygate_refs=$(unset NODE_OPTIONS; ${argv.map(quote).join(' ')} pre-push --hand-on "$@") || exit 1
else
${missing(argv, '  ')}fi
${HAND_ON}unset waygate_refs
${LAST}
`);

/**
 * For a hook that is committed: it names nothing of this machine but asks the launcher of the clone, where there is one. With husky the
 * hook that git starts has asked already, unless husky has written that one anew.
 */
export const sharedBlock = (husky: boolean): string => {
  const asked = husky ? `case "$(cat "$(dirname -- "$0")/_/pre-push" 2>/dev/null)" in *${quote(BEGINS)}*) waygate_hook= ;; esac\n` : '';
  return `${FIRST}
waygate_hook="$(git rev-parse --git-common-dir 2>/dev/null)/${LAUNCHER}"
${asked}if [ -n "$waygate_hook" ] && [ -f "$waygate_hook" ]; then
waygate_refs=$(sh "$waygate_hook" --hand-on "$@") || exit 1
${HAND_ON}fi
unset waygate_hook waygate_refs
${LAST}
`;
};

/** The launcher of a clone: what a committed hook asks. */
export const launcherText = (argv: readonly string[]): string =>
  bytes(`${NEW_HOOK}# The waygate of this clone. Written by \`waygate init --git\`, taken out by \`waygate uninstall\`.
# What a caller would load into Node could answer in its place.
unset NODE_OPTIONS
if ${isThere(argv)}; then
  exec ${argv.map(quote).join(' ')} pre-push "$@"
fi
${missing(argv, '')}`);

/** A hook of its own. */
export const newHook = (block: string): string => NEW_HOOK + block;

/** A hook that keeps another one beside it. `runs`: git would have run that one. */
export const wrapper = (block: string, runs: boolean): string =>
  `${NEW_HOOK}${block}${runs ? `exec "$(dirname -- "$0")/${ORIGINAL}" "$@"\n` : `# ${ORIGINAL} is kept as it was: it is not executable, so git ran no hook.\n`}`;

/** Interpreters that read a hook as a shell of the Bourne family does. */
const SHELL = /^(?:\/\S*\/)?(?:env (?:-\S+ )*)?(?:\/\S*\/)?(?:sh|bash|dash|ash|zsh|ksh|mksh|busybox sh)(?:\s|$)/;

/** Is a hook's text a script that the block can stand in? Without a first line that says otherwise, git has it run by sh. */
export function isShellScript(text: string): boolean {
  if (text.includes('\0')) return false;
  if (!text.startsWith('#!')) return true;
  const program = text.slice(2, lineEnd(text)).trim();
  return SHELL.test(program);
}

const lineEnd = (text: string): number => {
  const end = text.indexOf('\n');
  return end < 0 ? text.length : end;
};

/** The text with the block as the first thing that runs, and what was put in. */
export function withBlock(text: string, block: string): { text: string; inserted: string } {
  const at = text.startsWith('#!') ? Math.min(text.length, lineEnd(text) + 1) : 0;
  const inserted = at > 0 && text[at - 1] !== '\n' ? `\n${block}` : block;
  return { text: text.slice(0, at) + inserted + text.slice(at), inserted };
}

/** Does a hook hold a block? */
export const hasBlock = (text: string): boolean => text.includes(BEGINS);

/** The block of a hook, its last line feed included. */
export function blockIn(text: string): { start: number; end: number } | undefined {
  const start = text.indexOf(BEGINS);
  if (start < 0) return undefined;
  const last = text.indexOf(ENDS, start);
  if (last < 0) return undefined;
  const end = text.indexOf('\n', last);
  return { start, end: end < 0 ? text.length : end + 1 };
}

/** The text without its block. `inserted`: exactly what was put in, where that is remembered. */
export function withoutBlock(text: string, inserted?: string): string {
  const at = inserted === undefined ? -1 : text.indexOf(inserted);
  if (at >= 0) return text.slice(0, at) + text.slice(at + inserted!.length);
  const block = blockIn(text);
  return block ? text.slice(0, block.start) + text.slice(block.end) : text;
}

/** Nothing is left but what a new hook begins with. */
export const isBare = (text: string): boolean => text === NEW_HOOK;

/** A wrapper without its block: only the original is left to run. */
export const isWrapper = (rest: string): boolean => rest.startsWith(NEW_HOOK) && rest.includes(ORIGINAL) && rest.split('\n').length <= 3;

/** Do other lines of the hook run before the block? Comments and blank lines do not run. */
export function runsBefore(text: string): boolean {
  const block = blockIn(text);
  if (!block) return false;
  return text
    .slice(0, block.start)
    .split('\n')
    .some((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
}
