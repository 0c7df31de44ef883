/** Globs of a command line as regular expressions. */
const compiled = new Map<string, RegExp>();

/** A glob as a regular expression over a relative path with `/`. Linear: no nested repetition is made. */
export function globRegExp(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known) return known;
  let source = '^';
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i] as string;
    if (c === '*') {
      if (pattern[i + 1] === '*') {
        const slash = pattern[i + 2] === '/';
        source += slash ? '(?:.*/)?' : '.*';
        i += slash ? 2 : 1;
        while (pattern[i + 1] === '*') i++;
      } else source += '[^/]*';
    } else if (c === '?') source += '[^/]';
    else if (c === '[') {
      const end = pattern.indexOf(']', i + 2);
      if (end === -1) source += '\\[';
      else {
        const body = pattern
          .slice(i + 1, end)
          .replace(/\\/g, '\\\\')
          .replace(/^!/, '^');
        source += `[${body}]`;
        i = end;
      }
    } else if (c === '\\' && i + 1 < pattern.length) source += escapeRegExp(pattern[++i] as string);
    else source += escapeRegExp(c);
  }
  let made: RegExp;
  try {
    made = new RegExp(`${source}$`, 's');
  } catch {
    made = /(?!)/;
  }
  compiled.set(pattern, made);
  return made;
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
