/** Words of a command line as program texts: what is unknown in them stands as a mark. */
import type { Word } from '../../shell/word.ts';
import type { Base, Effect } from '../effect.ts';
import type { Value } from './value.ts';

/** A word as text, with its holes apart: `\ue000N\ue001` stands for hole N. */
export function withHoles(word: Word): { text: string; holes: Value[] } {
  const holes: Value[] = [];
  const pieces: string[] = [];
  for (const part of word.parts) {
    if (part.kind !== 'hole') {
      pieces.push(part.text);
      continue;
    }
    pieces.push(`\ue000${holes.length}\ue001`);
    holes.push({ parts: [part], marks: 0 });
  }
  return { text: pieces.join(''), holes };
}

/** A word as a value. */
export const valueOfWord = (word: Word): Value => ({ parts: word.parts, marks: 0 });

/** Effects of a command that a program starts, as effects of the program. */
export function rebased(effects: readonly Effect[], base: Base, label: string): Effect[] {
  return effects.map((effect) => ({
    ...effect,
    step: base.step,
    given: base.given,
    certain: effect.certain && base.certain,
    via: [...base.via, label, ...effect.via],
    remote: effect.remote || base.remote,
    root: effect.root || base.root,
  }));
}
