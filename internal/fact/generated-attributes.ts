/** `linguist-generated` of `.gitattributes`, read as git reads it: nearest file first, later lines over earlier ones. */
import { dirname, join } from 'node:path';
import { globRegExp } from '../shell/glob.ts';
import { textOf } from './look.ts';

/** Attribute files are small; a larger one is not read. */
const MAX_BYTES = 256 * 1024;

/**
 * Does the repository call a path generated? undefined: it says nothing.
 * @param path absolute, below `top`
 * @param info `info/attributes` of the git directory, which wins over all others
 * @param read text of an attribute file
 */
export function linguistGenerated(
  path: string,
  top: string,
  info: string,
  read: (file: string) => string | undefined = (file) => textOf(file, MAX_BYTES),
): boolean | undefined {
  const places: [file: string, dir: string][] = [[info, top]];
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    places.push([join(dir, '.gitattributes'), dir]);
    if (dir === top || dirname(dir) === dir) break;
  }
  for (const [file, dir] of places) {
    const text = read(file);
    if (text === undefined || !text.includes('linguist-generated')) continue;
    const said = lastWord(text, path.slice(dir.length + 1));
    if (said !== undefined) return said === 'reset' ? undefined : said;
  }
  return undefined;
}

/** What the last line that meets the path says. `!name` takes back what other files say. */
function lastWord(text: string, relative: string): boolean | 'reset' | undefined {
  let said: boolean | 'reset' | undefined;
  for (const line of text.split('\n')) {
    const read = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^\s#"][^\s]*))\s+(.*)$/.exec(line);
    if (!read || line.trimStart().startsWith('[attr]')) continue;
    const words = (read[3] as string).trim().split(/\s+/);
    const word = words.findLast((each) => /^[-!]?linguist-generated(?:=|$)/.test(each));
    if (word === undefined || !meets(read[1]?.replace(/\\(.)/g, '$1') ?? (read[2] as string), relative)) continue;
    said = word.startsWith('!') ? 'reset' : !(word.startsWith('-') || /=(?:false|0|no|off)$/i.test(word));
  }
  return said;
}

/** A pattern without a slash is a name at any depth; one with a slash starts at the file's own folder. A folder alone stands for nothing. */
function meets(pattern: string, relative: string): boolean {
  if (pattern.startsWith('!') || pattern.endsWith('/')) return false;
  if (!pattern.includes('/')) return globRegExp(pattern).test(relative.slice(relative.lastIndexOf('/') + 1));
  return globRegExp(pattern.replace(/^\//, '')).test(relative);
}
