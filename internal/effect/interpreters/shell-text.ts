/** Values as a shell line that the shell reader can read: what is unknown becomes a variable that is read from input. */
import { quote } from '../../rule/quote.ts';
import { each, partsIn, textIn, type Value } from './value.ts';

/** One value: the line itself, holes put in according to the quotes around them. Several: the words of a command. */
export function shellText(...values: readonly Value[]): string {
  const names = new Map<string, string>();
  const nameOf = (shown: string): string => {
    const plain = shown.replace(/^\$/, '');
    // An environment variable is the same one in the shell.
    if (shown.startsWith('$') && /^[A-Z_][A-Z0-9_]*$/.test(plain)) return plain;
    const known = names.get(shown);
    if (known) return known;
    const made = /^[a-z_]\w*$/.test(plain) ? plain : `value${names.size + 1}`;
    names.set(shown, made);
    return made;
  };
  const line = values.length === 1 ? lineOf(values[0]!, nameOf) : values.map((value) => wordsOf(value, nameOf)).join(' ');
  return names.size === 0 ? line : `read -r ${[...names.values()].join(' ')}\n${line}`;
}

function lineOf(value: Value, nameOf: (shown: string) => string): string {
  let out = '';
  let quoted = '';
  for (const part of partsIn(value)) {
    if (part.kind === 'hole') {
      const name = `\${${nameOf(part.name && part.text.startsWith('$') ? part.text : (part.name ?? part.text))}}`;
      out += quoted === "'" ? `'"${name}"'` : name;
      continue;
    }
    for (let i = 0; i < part.text.length; i++) {
      const c = part.text[i]!;
      if (quoted === "'") {
        if (c === "'") quoted = '';
      } else if (c === '\\') i++;
      else if (quoted === '"') {
        if (c === '"') quoted = '';
      } else if (c === "'" || c === '"') quoted = c;
    }
    out += part.text;
  }
  return out;
}

function wordsOf(value: Value, nameOf: (shown: string) => string): string {
  return each(value)
    .map((one) => {
      const known = textIn(one);
      if (known !== undefined) return quote(known);
      return partsIn(one)
        .map((part) =>
          part.kind === 'hole'
            ? `"\${${nameOf(part.name && part.text.startsWith('$') ? part.text : (part.name ?? part.text))}}"`
            : part.kind === 'glob'
              ? part.text
              : quote(part.text),
        )
        .join('');
    })
    .join(' ');
}
