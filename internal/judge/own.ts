/**
 * What a session has made itself: a file that was not there before, with the bytes this session gave it. The host's transcript has
 * them, so the agent may write the file anew or take it away; scratch scripts are most of what agents delete (about a third of the `rm`
 * lines in real/calls.jsonl). One edit by anybody else, and the file is no longer its own. Pure but for the facts it asks.
 */
import { createHash } from 'node:crypto';
import type { Decision } from '../decision/record.ts';
import type { Effect } from '../effect/effect.ts';
import type { Facts, LossQuestion, Stake } from '../fact/facts.ts';
import { edited } from '../rule/settings-change.ts';

/** Path -> digest of the bytes that the session gave it. */
export type Own = Readonly<Record<string, string>>;

/** Characters. Larger is data rather than scratch. */
const LARGEST = 256 * 1024;
/** More files at once are work rather than scratch. */
const FILES = 8;

/** The loss without files of the session's own that are named one by one: a sweep that meets them is judged as before. */
export function withoutOwn(stake: Stake, question: LossQuestion, facts: Facts, own: () => Own): Stake {
  if (question.about !== 'paths' || stake.more > 0 || stake.items.length === 0 || stake.items.length > FILES) return stake;
  const made = own();
  const named = new Set(question.targets.flatMap((target) => (target.path === undefined || target.glob ? [] : [target.path])));
  const items = stake.items.filter(
    ({ kind, path }) =>
      !(
        path !== undefined &&
        (kind === 'untracked' || kind === 'ignored' || kind === 'outside') &&
        named.has(path) &&
        isOwn(path, made, facts)
      ),
  );
  return items.length === stake.items.length ? stake : { ...stake, items };
}

/** What a call that may run leaves in files of the session's own, as far as the text is known whole. */
export function wroteOf(effects: readonly Effect[], facts: Facts, own: () => Own): Pick<Decision, 'wrote'> {
  const wrote = new Map<string, string>();
  for (const effect of effects) {
    if (effect.kind === 'file.move') {
      const moved = movedTo(effect, own, facts);
      if (moved) wrote.set(moved.path, moved.digest);
    }
    if (effect.kind !== 'file.write' || effect.remote || effect.targets.length !== 1) continue;
    const [{ path, glob } = { path: undefined, glob: undefined }] = effect.targets;
    if (path === undefined || glob) continue;
    const file = facts.file(path);
    const mine = file.kind === 'absent' ? '' : isOwn(path, own(), facts) ? facts.text(path) : undefined;
    const text = mine === undefined ? undefined : textAfter(effect, mine);
    if (text === undefined || text.length > LARGEST) wrote.delete(path);
    else wrote.set(path, digest(text));
  }
  return wrote.size === 0 || wrote.size > FILES ? {} : { wrote: [...wrote].map(([path, digest]) => ({ path, digest })) };
}

/** A file of the session's own under its next name, where nothing was. */
function movedTo(
  effect: Extract<Effect, { kind: 'file.move' }>,
  own: () => Own,
  facts: Facts,
): { path: string; digest: string } | undefined {
  const [from] = effect.sources;
  const to = effect.dest.path;
  if (effect.remote || effect.sources.length !== 1 || from?.path === undefined || from.glob || to === undefined || effect.dest.glob)
    return undefined;
  if (!isOwn(from.path, own(), facts)) return undefined;
  const path = facts.file(to).kind === 'dir' ? `${to.replace(/\/$/, '')}/${from.path.slice(from.path.lastIndexOf('/') + 1)}` : to;
  return facts.file(path).kind === 'absent' ? { path, digest: own()[from.path]! } : undefined;
}

function textAfter(effect: Extract<Effect, { kind: 'file.write' }>, before: string): string | undefined {
  if (effect.edits) return edited(before, effect.edits);
  if (effect.content === undefined || effect.mode === 'in-place') return undefined;
  return effect.mode === 'append' ? before + effect.content : effect.content;
}

function isOwn(path: string, own: Own, facts: Facts): boolean {
  const made = Object.hasOwn(own, path) ? own[path] : undefined;
  if (made === undefined) return false;
  const file = facts.file(path);
  const text = file.kind === 'file' && file.size <= 4 * LARGEST ? facts.text(path) : undefined;
  // Bytes that are no UTF-8 read as another, longer text.
  return text !== undefined && Buffer.byteLength(text) === file.size && digest(text) === made;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
