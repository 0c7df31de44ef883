/** Effects of the line itself: its shape, and what could not be read. */
import type { Action } from '../action/action.ts';
import type { Line, Unread } from '../shell/command.ts';
import type { Base, Effect } from './effect.ts';

/**
 * Programs whose presence in a part that could not be read makes the line a refusal (design.md section 3).
 * Only programs that lose or send something by nature; `git` and the like need their verb to be one.
 */
const DESTRUCTIVE = new Set([
  'rm',
  'rmdir',
  'unlink',
  'shred',
  'dd',
  'mkfs',
  'wipefs',
  'truncate',
  'rsync',
  'dropdb',
  'pkill',
  'killall',
  'shutdown',
  'reboot',
  'poweroff',
  'halt',
  'fdisk',
  'parted',
  'chown',
  'chmod',
  'mv',
  'sudo',
  'eval',
]);
const VERBS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set([
    'reset',
    'clean',
    'push',
    'checkout',
    'restore',
    'stash',
    'branch',
    'reflog',
    'gc',
    'update-ref',
    'worktree',
    'filter-branch',
    'switch',
    'rebase',
  ]),
  terraform: new Set(['destroy', 'apply']),
  kubectl: new Set(['delete', 'drain']),
  docker: new Set(['system', 'volume', 'rm', 'prune', 'compose']),
  npm: new Set(['publish', 'unpublish']),
  find: new Set(['-delete', '-exec']),
};
/** How far into the unread rest the tokens are looked at. */
const TOKENS = 2000;

/** Shape and unread parts of a line as effects. */
export function lineEffects(line: Line, action: Action, _effects: readonly Effect[]): Effect[] {
  const base: Base = {
    step: line.commands.length,
    given: [],
    certain: true,
    cwd: action.cwd,
    via: [],
    remote: false,
    root: false,
    by: action.tool,
    source: cut(line.text),
  };
  const shapes = line.shapes
    .filter((shape) => shape.shape !== 'fork-bomb')
    .map((shape): Effect => ({ kind: 'line.shape', ...base, source: cut(shape.source), shape }));
  const bombs = line.shapes.some((shape) => shape.shape === 'fork-bomb')
    ? [{ kind: 'system.exhaustion', ...base, how: 'a function that starts itself again and again', command: base.source } satisfies Effect]
    : [];
  return [...bombs, ...shapes, ...line.unread.map((unread) => unknownEffect(unread, base))];
}

const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);

function unknownEffect(unread: Unread, base: Base): Effect {
  const destructive = unread.why === 'limit' || (unread.why === 'syntax' && holdsDestructive(unread.rest ?? ''));
  return { kind: 'unknown', ...base, why: unread.why, detail: unread.detail, destructive, command: base.source };
}

/** Does a destructive program stand as a token in a text that no parser could read. */
function holdsDestructive(text: string): boolean {
  const tokens = text.split(/[\s;&|()<>"'`$={}]+/, TOKENS);
  return tokens.some((token, i) => {
    const name = token.slice(token.lastIndexOf('/') + 1);
    return (
      DESTRUCTIVE.has(name) ||
      name.startsWith('mkfs.') ||
      (Object.hasOwn(VERBS, name) && tokens.slice(i + 1, i + 6).some((next) => VERBS[name]!.has(next)))
    );
  });
}
