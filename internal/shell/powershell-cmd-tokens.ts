/** The tokens of a cmd.exe row. */
import type { Look } from './command.ts';
import type { Word } from './word.ts';

export type Token = { word: Word; quoted: boolean } | { sign: string };

/** A word of another shell as cmd gets it: patterns as they are written, and for what nobody knows a variable that is set nowhere. */
export const cmdText = (word: Word): string =>
  word.parts.map((part) => (part.kind === 'hole' ? `%${/^\w+$/.test(part.name ?? '') ? part.name : 'unknown'}%` : part.text)).join('');

/** Words and signs of a row; `%NAME%` is expanded where it is known, a hole where not. */
export function tokenize(row: string, vars: ReadonlyMap<string, string>, look: Look): Token[] {
  const tokens: Token[] = [];
  let parts: Word['parts'][number][] = [];
  let buffer = '';
  let raw = '';
  let quoted = false;
  let open = false;
  const flush = () => {
    if (buffer) parts.push({ kind: 'text', text: buffer });
    buffer = '';
  };
  const finish = () => {
    flush();
    if (parts.length > 0 || quoted) tokens.push({ word: { parts, raw }, quoted });
    parts = [];
    raw = '';
    quoted = false;
  };
  for (let i = 0; i < row.length; i++) {
    const c = row[i]!;
    if (c === '"') {
      open = !open;
      quoted = true;
      raw += c;
    } else if (c === '^' && !open) {
      buffer += row[++i] ?? '';
    } else if (c === '%') {
      const name = /^%([A-Za-z_][\w()]*)(?::[^%]{0,80})?%/.exec(row.slice(i, i + 140));
      const loop = name ? null : /^%%?~?[a-z]*[A-Za-z]/.exec(row.slice(i, i + 6));
      if (name) {
        const known = envOf(name[1]!.toUpperCase(), vars, look);
        if (known !== undefined) buffer += known;
        else {
          flush();
          parts.push({ kind: 'hole', text: name[0], why: 'variable', name: name[1]! });
        }
        raw += name[0];
        i += name[0].length - 1;
      } else if (loop) {
        flush();
        parts.push({ kind: 'hole', text: loop[0], why: 'loop' });
        raw += loop[0];
        i += loop[0].length - 1;
      } else {
        buffer += c;
        raw += c;
      }
    } else if (!open && (c === ' ' || c === '\t' || c === ',' || c === ';')) {
      finish();
    } else if (!open && (c === '&' || c === '|')) {
      // `2>&1` names a descriptor.
      if (c === '&' && tokens.length > 0 && parts.length === 0 && buffer === '' && isRedirect(tokens.at(-1)!)) {
        buffer += c;
        raw += c;
        continue;
      }
      finish();
      if (row[i + 1] === c) i++;
      tokens.push({ sign: row[i - 1] === c && i > 0 && row[i] === c ? c + c : c });
    } else if (!open && (c === '(' || c === ')') && buffer === '' && parts.length === 0) {
      tokens.push({ sign: c });
    } else if (!open && c === ')') {
      finish();
      tokens.push({ sign: c });
    } else if (!open && (c === '>' || c === '<')) {
      const fd = /^[0-9]$/.test(buffer) && parts.length === 0 ? buffer : '';
      if (fd) {
        buffer = '';
        raw = '';
      }
      finish();
      const twice = c === '>' && row[i + 1] === '>';
      if (twice) i++;
      tokens.push({ sign: fd + (twice ? '>>' : c) });
    } else if (!open && (c === '*' || c === '?')) {
      flush();
      parts.push({ kind: 'glob', text: c });
      raw += c;
    } else {
      buffer += c;
      raw += c;
    }
  }
  finish();
  return tokens;
}

const isRedirect = (token: Token): boolean => 'sign' in token && /^[0-9]?>>?$/.test(token.sign);

function envOf(name: string, vars: ReadonlyMap<string, string>, look: Look): string | undefined {
  const set = vars.get(name);
  if (set !== undefined) return set;
  if (name === 'USERPROFILE' || name === 'HOME') return look.home;
  if (name === 'TEMP' || name === 'TMP') return look.tmp;
  if (name === 'APPDATA') return `${look.home}/AppData/Roaming`;
  if (name === 'LOCALAPPDATA') return `${look.home}/AppData/Local`;
  if (name === 'SYSTEMDRIVE') return 'C:';
  if (name === 'WINDIR' || name === 'SYSTEMROOT') return 'C:/Windows';
  return undefined;
}
