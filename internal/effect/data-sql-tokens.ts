/** SQL cut into tokens and statements: what stands in quotes and comments ends nothing and is no keyword. */

export type Token =
  | { kind: 'word'; text: string; upper: string }
  | { kind: 'name'; text: string; upper: '' }
  | { kind: 'string'; text: string; upper: '' }
  | { kind: 'sign'; text: string; upper: '' };

/** Cuts text into tokens. Comments fall away; quoted names stay names, quoted text stays text. */
export function tokens(text: string, engine: string): Token[] {
  const list: Token[] = [];
  const doubleIsText = /mysql|maria|bigquery|spark|hive/.test(engine);
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    if (/\s/.test(char)) at++;
    else if (text.startsWith('--', at) || (char === '#' && /mysql|maria|bigquery/.test(engine))) at = endOf(text, '\n', at);
    else if (text.startsWith('/*', at)) {
      const conditional = /^\/\*!\d*/.exec(text.slice(at, at + 12));
      // MySQL runs what stands in `/*! … */`.
      if (conditional && /mysql|maria|^sql$/.test(engine)) at += conditional[0].length;
      else at = endOf(text, '*/', at + 2);
    } else if (char === "'" || char === '"' || char === '`') {
      const end = endOfQuote(text, at, char);
      const body = text.slice(at + 1, end - 1);
      list.push(
        char === "'" || (char === '"' && doubleIsText)
          ? { kind: 'string', text: body, upper: '' }
          : { kind: 'name', text: body, upper: '' },
      );
      at = end;
    } else if (char === '[' && /mssql|sqlcmd|sqlite|^sql$/.test(engine)) {
      const end = endOf(text, ']', at);
      list.push({ kind: 'name', text: text.slice(at + 1, end - 1), upper: '' });
      at = end;
    } else if (char === '$' && /^\$\w*\$/.test(text.slice(at, at + 40))) {
      const tag = /^\$\w*\$/.exec(text.slice(at, at + 40))![0];
      const end = endOf(text, tag, at + tag.length);
      list.push({ kind: 'string', text: text.slice(at + tag.length, Math.max(at + tag.length, end - tag.length)), upper: '' });
      at = end;
    } else if (/[A-Za-z_\u0080-\uffff]/.test(char)) {
      const word = /[\w$\u0080-\uffff]+/y;
      word.lastIndex = at;
      const found = word.exec(text)![0];
      list.push({ kind: 'word', text: found, upper: found.toUpperCase() });
      at += found.length;
    } else if (/\d/.test(char)) {
      const number = /[\w.]+/y;
      number.lastIndex = at;
      const found = number.exec(text)![0];
      list.push({ kind: 'string', text: found, upper: '' });
      at += found.length;
    } else {
      list.push({ kind: 'sign', text: char, upper: '' });
      at++;
    }
  }
  return list;
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

function endOfQuote(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote !== '`') at++;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return text.length;
}

/** Statements, cut at `;` and at a `GO` that stands alone. */
export function statements(list: readonly Token[]): Token[][] {
  const cut: Token[][] = [[]];
  for (const token of list) {
    if (token.kind === 'sign' && (token.text === ';' || token.text === '\\')) cut.push([]);
    else if (token.upper === 'GO' && cut.at(-1)!.length === 0) continue;
    else cut.at(-1)!.push(token);
  }
  return cut.filter((statement) => statement.length > 0);
}
