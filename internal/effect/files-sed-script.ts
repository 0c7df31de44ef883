/** The script of sed: which files its commands write, what it executes, and whether it is one plain replacement. */

export interface SedScript {
  /** Files of `w`, `W` and `s///w`. */
  writes: readonly string[];
  /** Commands of `e` and GNU's `s///e`: run by a shell. '' where the text comes from the input. */
  runs: readonly string[];
  /** The replacement, when the script is one `s` on fixed text over all lines. `all`: every match in a line. */
  plain?: { before: string; after: string; all: boolean };
}

/** Reads a sed script. What cannot be read is skipped to the end of its line. */
export function readSedScript(script: string): SedScript {
  const writes: string[] = [];
  const runs: string[] = [];
  const replacements: (SedScript['plain'] | undefined)[] = [];
  let commands = 0;
  let at = 0;
  while (at < script.length) {
    const start = skip(script, at, /[\s;{}]/);
    if (start >= script.length) break;
    const body = skipAddresses(script, start);
    const verb = script[body];
    if (verb === undefined) break;
    const line = endOfLine(script, body);
    commands++;
    if (verb === 's' || verb === 'y') {
      const parsed = delimited(script, body + 1);
      if (!parsed) {
        at = line;
        continue;
      }
      const flagsEnd = verb === 's' ? skip(script, parsed.end, /[0-9gpiIMme]/) : parsed.end;
      const flags = script.slice(parsed.end, flagsEnd);
      if (verb === 's' && flags.includes('e')) runs.push('');
      if (verb === 's')
        replacements.push(
          body === start && !/[0-9iIMmep]/.test(flags) ? plainOf(parsed.first, parsed.second, flags.includes('g')) : undefined,
        );
      if (verb === 's' && script[flagsEnd] === 'w') {
        writes.push(script.slice(flagsEnd + 1, line).trim());
        replacements[replacements.length - 1] = undefined;
        at = line;
      } else at = flagsEnd;
    } else if (verb === 'w' || verb === 'W') {
      writes.push(script.slice(body + 1, line).trim());
      at = line;
    } else if (verb === 'e') {
      runs.push(script.slice(body + 1, line).trim());
      at = line;
    } else if ('aicrR'.includes(verb)) at = endOfText(script, body);
    else if (verb === '#') at = line;
    else if (':btTqQlL'.includes(verb)) at = skip(script, body + 1, /[^;\n}]/);
    else at = body + 1;
  }
  const plain = commands === 1 ? replacements[0] : undefined;
  return { writes, runs, ...(plain ? { plain } : {}) };
}

const skip = (text: string, from: number, pattern: RegExp): number => {
  let at = from;
  while (at < text.length && pattern.test(text[at]!)) at++;
  return at;
};

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

/** a, i and c take text up to the first line that does not end in a backslash. */
function endOfText(text: string, from: number): number {
  let end = endOfLine(text, from);
  while (end < text.length && text[end - 1] === '\\') end = endOfLine(text, end + 1);
  return end;
}

/** Steps over `1,5`, `$`, `/re/`, `\,re,`, `first~step`, `+3`, `!`. */
function skipAddresses(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const c = text[at]!;
    if (/[0-9$,~+!\s]/.test(c)) at++;
    else if (c === '/') at = (closing(text, at + 1, '/') ?? text.length) + 1;
    else if (c === '\\' && at + 1 < text.length) at = (closing(text, at + 2, text[at + 1]!) ?? text.length) + 1;
    else if ((c === 'I' || c === 'M') && at > from && text[at - 1] === '/') at++;
    else return at;
  }
  return at;
}

/** Index of the unescaped delimiter, a bracket expression stepped over. */
function closing(text: string, from: number, mark: string): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === mark) return at;
    else if (text[at] === '[' && mark !== '[') {
      const end = text.indexOf(']', at + (text[at + 1] === '^' ? 3 : 2));
      if (end > 0 && !text.slice(at, end).includes('\n')) at = end;
    }
  }
  return undefined;
}

/** `/first/second/` with any delimiter. */
function delimited(text: string, from: number): { first: string; second: string; end: number } | undefined {
  const mark = text[from];
  if (mark === undefined || mark === '\n' || mark === '\\') return undefined;
  const middle = closing(text, from + 1, mark);
  if (middle === undefined) return undefined;
  let end = middle + 1;
  while (end < text.length && text[end] !== mark) end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) return undefined;
  const plain = (part: string) => part.replaceAll(`\\${mark}`, mark);
  return { first: plain(text.slice(from + 1, middle)), second: plain(text.slice(middle + 1, end)), end: end + 1 };
}

/** A pattern without operators is fixed text. `+?|(){}` are operators only with -E; they count as such to be sure. */
function plainOf(pattern: string, replacement: string, all: boolean): SedScript['plain'] | undefined {
  if (pattern === '' || /[*[\]^$+?|(){}]/.test(pattern) || /(?<!\\)\./.test(pattern)) return undefined;
  const before = plainText(pattern, './-"\'#,:@!%=<>~');
  const after = /(?<!\\)&/.test(replacement) ? undefined : plainText(replacement, '&./-"\'#,:@!%=<>~*[]^$+?|(){}');
  return before === undefined || after === undefined || before === after ? undefined : { before, after, all };
}

/** Takes the backslash off characters that mean themselves; undefined for a backslash with a meaning. */
function plainText(text: string, literals: string): string | undefined {
  let out = '';
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '\\') out += text[at];
    else {
      const next = text[++at];
      if (next === '\\') out += '\\';
      else if (next === undefined || !literals.includes(next)) return undefined;
      else out += next;
    }
  }
  return out;
}
