/** A look at what a command would hit must be taken where the command runs: in the same container, on the same machine. */
import type { Command } from '../shell/command.ts';
import type { Effect } from './effect.ts';

/** The effect with its preview put where the command runs, or without it where that cannot be written down. */
export function placed(effect: Effect, command: Command, commands: readonly Command[]): Effect {
  if (!('preview' in effect) || typeof effect.preview !== 'string') return effect;
  // `…` stands for words that only the run knows: nothing to paste.
  const there = effect.preview.includes('…') ? undefined : command.remote ? inside(effect.preview, command, commands) : effect.preview;
  if (there === effect.preview) return effect;
  const { preview: _gone, ...rest } = effect;
  return (there === undefined ? rest : { ...rest, preview: there }) as Effect;
}

/** The call around a remote command, with the preview in the command's place: `docker exec db psql -l`. */
function inside(preview: string, command: Command, commands: readonly Command[]): string | undefined {
  const text = command.source;
  const outer = commands.find((other) => !other.remote && other.source !== text && other.source.includes(text))?.source;
  if (outer === undefined || text === '') return undefined;
  const at = outer.indexOf(text);
  if (outer.includes(text, at + 1)) return undefined;
  const before = outer.slice(0, at);
  const after = outer.slice(at + text.length);
  const quote = openQuote(before);
  // Other commands around it would run once more.
  if (quote === undefined ? /[;|&]/.test(before) : !before.trimEnd().endsWith(quote)) return undefined;
  if (quote === undefined) return `${before}${preview}${after.replace(/[<>|&;][\s\S]*$/, '').trimEnd()}`;
  if (after.trim() !== quote || (quote === "'" ? preview.includes("'") : /["$`\\]/.test(preview))) return undefined;
  return `${before}${preview}${quote}`;
}

/** The quote that a text leaves open. */
function openQuote(text: string): '"' | "'" | undefined {
  let open: '"' | "'" | undefined;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '\\' && open !== "'") i++;
    else if (open === undefined && (c === '"' || c === "'")) open = c;
    else if (c === open) open = undefined;
  }
  return open;
}
