/**
 * PowerShell text -> a small syntax tree. Scannerless, because the language changes its mode between a command's
 * arguments and an expression. One pass, no backtracking; what it does not know becomes `unknown` and reading goes on.
 */
import { expression } from './powershell-expr.ts';
import { BARE_END, deeper, joined, note, plain, QUOTES, type Scan, SPACE, skip, typeName } from './powershell-scan.ts';
import type { Expr, ParsedPowershell, Pipeline, Redirection, Script, Stage, Statement } from './powershell-tree.ts';
import { argument, variable } from './powershell-words.ts';

/** Parses PowerShell text. Never throws. */
export function parsePowershell(text: string): ParsedPowershell {
  const s: Scan = { text, at: 0, end: text.length, depth: 0, unread: [] };
  return { script: script(s, undefined), unread: s.unread };
}

export function script(s: Scan, close: string | undefined): Script {
  return deeper(s, () => {
    const list: Statement[] = [];
    let after: Pipeline['after'] = ';';
    for (;;) {
      skip(s, true);
      if (s.at >= s.end) break;
      const c = s.text[s.at]!;
      if (c === close) break;
      if (c === ';') {
        s.at++;
        after = ';';
        continue;
      }
      if (c === ')' || c === '}') {
        note(s, 'syntax', `unexpected ${c}`);
        s.at++;
        continue;
      }
      const before = s.at;
      const item = statement(s, after);
      if (item) list.push(item);
      skip(s);
      after = ';';
      if (s.text.startsWith('&&', s.at) || s.text.startsWith('||', s.at)) {
        after = s.text.slice(s.at, s.at + 2) as '&&' | '||';
        s.at += 2;
      }
      if (s.at === before) s.at++;
    }
    return list;
  }, []);
}

export function braced(s: Scan): Script {
  skip(s, true);
  if (s.text[s.at] !== '{') return [];
  s.at++;
  const body = script(s, '}');
  if (s.text[s.at] === '}') s.at++;
  return body;
}

export function parens(s: Scan): Script {
  skip(s, true);
  if (s.text[s.at] !== '(') return [];
  s.at++;
  const body = script(s, ')');
  if (s.text[s.at] === ')') s.at++;
  return body;
}

function statement(s: Scan, after: Pipeline['after']): Statement | undefined {
  const word = /^[A-Za-z]+/.exec(s.text.slice(s.at, s.at + 12))?.[0].toLowerCase();
  const next = word ? s.text[s.at + word.length] : undefined;
  if (word && (next === undefined || BARE_END.has(next))) {
    const keyword = keywordStatement(s, word);
    if (keyword !== 'none') return keyword;
  }
  if (s.text[s.at] === '$' || s.text[s.at] === '[') {
    const assigned = assignment(s);
    if (assigned) return assigned;
  }
  return { t: 'pipeline', pipeline: pipeline(s, after) };
}

function keywordStatement(s: Scan, word: string): Statement | undefined | 'none' {
  switch (word) {
    case 'if': {
      s.at += 2;
      const conditions = [parens(s)];
      const bodies = [braced(s)];
      for (;;) {
        skip(s, true);
        const more = /^else(if)?(?![\w-])/i.exec(s.text.slice(s.at, s.at + 8));
        if (!more) break;
        s.at += more[0].length;
        if (more[1]) conditions.push(parens(s));
        bodies.push(braced(s));
      }
      return { t: 'branch', conditions, bodies, loop: false };
    }
    case 'while':
    case 'switch': {
      s.at += word.length;
      const condition = parens(s);
      return { t: 'branch', conditions: [condition], bodies: [braced(s)], loop: word === 'while' };
    }
    case 'for': {
      s.at += 3;
      const head = parens(s);
      return { t: 'branch', conditions: [head], bodies: [braced(s)], loop: true };
    }
    case 'do': {
      s.at += 2;
      const body = braced(s);
      skip(s, true);
      const tail = /^(while|until)(?![\w-])/i.exec(s.text.slice(s.at, s.at + 6));
      if (tail) s.at += tail[0].length;
      return { t: 'branch', conditions: tail ? [parens(s)] : [], bodies: [body], loop: true };
    }
    case 'foreach': {
      const start = s.at;
      s.at += 7;
      skip(s);
      if (s.text[s.at] !== '(') {
        s.at = start;
        return 'none';
      }
      s.at++;
      skip(s, true);
      const name = s.text[s.at] === '$' ? variable(s).name : '';
      skip(s, true);
      if (/^in(?![\w-])/i.test(s.text.slice(s.at, s.at + 3))) s.at += 2;
      const over = script(s, ')');
      if (s.text[s.at] === ')') s.at++;
      return { t: 'foreach', name, over, body: braced(s) };
    }
    case 'try': {
      s.at += 3;
      const body = braced(s);
      const catches: Script[] = [];
      let last: Script | undefined;
      for (;;) {
        skip(s, true);
        const more = /^(catch|finally)(?![\w-])/i.exec(s.text.slice(s.at, s.at + 8));
        if (!more) break;
        s.at += more[0].length;
        skip(s, true);
        while (s.text[s.at] === '[') {
          typeName(s);
          skip(s, true);
          if (s.text[s.at] === ',') s.at++;
          skip(s, true);
        }
        if (more[1]!.toLowerCase() === 'catch') catches.push(braced(s));
        else last = braced(s);
      }
      return { t: 'try', body, catches, last };
    }
    case 'function':
    case 'filter': {
      s.at += word.length;
      skip(s);
      const name = /^[\w:-]+/.exec(s.text.slice(s.at, s.at + 200))?.[0] ?? '';
      s.at += name.length;
      skip(s, true);
      if (s.text[s.at] === '(') parens(s);
      return { t: 'function', name: name.toLowerCase(), body: braced(s) };
    }
    case 'param': {
      s.at += 5;
      parens(s);
      return undefined;
    }
    case 'begin':
    case 'process':
    case 'end': {
      const start = s.at;
      s.at += word.length;
      skip(s, true);
      if (s.text[s.at] === '{') return { t: 'branch', conditions: [], bodies: [braced(s)], loop: false };
      s.at = start;
      return 'none';
    }
    case 'return':
    case 'throw':
    case 'exit': {
      s.at += word.length;
      skip(s);
      if (s.at >= s.end || s.text[s.at] === '\n' || s.text[s.at] === ';' || s.text[s.at] === '}') return undefined;
      return { t: 'pipeline', pipeline: pipeline(s, ';') };
    }
    default:
      return 'none';
  }
}

/** `$x = …`, `[type]$x += …`. Gives nothing and stays where it is when it is none. */
function assignment(s: Scan): Statement | undefined {
  const head = /^(?:\[[\w.[\], ]{1,60}\]\s*){0,3}\$(?:\{([^}]{1,100})\}|((?:\w+:)?\w+))\s*([+\-*/%]|\?\?)?=(?!=)/.exec(
    s.text.slice(s.at, s.at + 400),
  );
  if (!head) return undefined;
  s.at += head[0].length;
  skip(s, true);
  return { t: 'assign', name: (head[1] ?? head[2])!.toLowerCase(), op: head[3] ?? '', value: statement(s, ';') };
}

export function pipeline(s: Scan, after: Pipeline['after']): Pipeline {
  const stages: Stage[] = [];
  let background = false;
  for (;;) {
    skip(s, stages.length > 0);
    stages.push(stage(s));
    skip(s);
    if (s.text[s.at] === '|' && s.text[s.at + 1] !== '|') {
      s.at++;
      continue;
    }
    // A pipe may open the next line.
    const ahead = /^[ \t\r]*\n[\s]*\|(?!\|)/.exec(s.text.slice(s.at, s.at + 200));
    if (ahead) {
      s.at += ahead[0].length;
      continue;
    }
    if (s.text[s.at] === '&' && s.text[s.at + 1] !== '&') {
      s.at++;
      background = true;
    }
    return { stages, after, background };
  }
}

function stage(s: Scan): Stage {
  const start = s.at;
  const c = s.text[s.at];
  let call: '&' | '.' | undefined;
  if (c === '&' && s.text[s.at + 1] !== '&') call = '&';
  else if (c === '.' && SPACE.has(s.text[s.at + 1] ?? '')) call = '.';
  if (call) {
    s.at++;
    skip(s);
  }
  if (!call && startsExpression(s)) {
    const expr = expression(s);
    const redirects: Redirection[] = [];
    for (;;) {
      skip(s);
      const redirect = redirection(s);
      if (!redirect) break;
      redirects.push(redirect);
    }
    return { t: 'expr', expr, redirects, raw: s.text.slice(start, s.at) };
  }
  const words: Expr[] = [];
  const redirects: Redirection[] = [];
  for (;;) {
    skip(s);
    if (s.at >= s.end) break;
    const here = s.text[s.at]!;
    if (here === '\n' || here === ';' || here === '|' || here === ')' || here === '}') break;
    if (here === '&') break;
    const redirect = redirection(s);
    if (redirect) {
      redirects.push(redirect);
      continue;
    }
    if (here === ',') {
      s.at++;
      skip(s, true);
      const more = argument(s);
      const last = words.pop();
      words.push(last ? joined(last, more) : more);
      continue;
    }
    if (s.text.startsWith('--%', s.at) && (s.at + 3 >= s.end || SPACE.has(s.text[s.at + 3]!))) {
      const line = s.text.indexOf('\n', s.at);
      const rest = s.text.slice(s.at + 3, line < 0 ? s.end : line);
      s.at = line < 0 ? s.end : line;
      for (const piece of rest.split(/\s+/)) if (piece) words.push(plain(piece));
      break;
    }
    const before = s.at;
    const word = argument(s);
    words.push(word);
    if (s.at === before) s.at++;
  }
  return { t: 'command', call, words, redirects, raw: s.text.slice(start, s.at).trim() };
}

/** A pipeline stage is an expression when it starts with a value. */
function startsExpression(s: Scan): boolean {
  const c = s.text[s.at];
  if (c === undefined) return false;
  if (c === '$' || c === '(' || c === '[' || c === '{' || c === '!' || c in QUOTES) return true;
  if (c === '@') return true;
  if (c >= '0' && c <= '9') return /^\d[\d.]*(?:[kmgt]b)?(?=[\s;|)}+\-*/%,]|$)/i.test(s.text.slice(s.at, s.at + 40));
  return false;
}

function redirection(s: Scan): Redirection | undefined {
  const found = /^([1-6*]?)(>>|>)(&[12])?/.exec(s.text.slice(s.at, s.at + 5));
  if (!found) return undefined;
  s.at += found[0].length;
  const fds = found[1] === '*' ? [1, 2] : [found[1] ? Number(found[1]) : 1];
  if (found[3]) return { fds, op: 'dup', target: plain(found[3].slice(1)) };
  skip(s);
  return { fds, op: found[2] as '>' | '>>', target: argument(s) };
}
