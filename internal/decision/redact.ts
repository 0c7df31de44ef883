/**
 * Deterministic redaction: the same text always gives the same result, before anything is stored or shown.
 * One scan from left to right, linear in the text. A second run changes nothing. For JSON use `redactDeep` on the
 * value: a text cannot tell where a string of it ends.
 */
import { secretVariableName } from '../secret/names.ts';
import { optionPasswords, PROGRAM_HINTS } from './redact-options.ts';

const OPEN = '[redacted';
const marker = (what: string): string => `${OPEN} ${what}]`;

/** A stretch that is taken out. `quote`: what the marker has to stand in so that JSON stays JSON. */
interface Cut {
  start: number;
  end: number;
  what: string;
  quote?: string;
}

const passed = (at: { start: number; end: number }): Cut => ({ ...at, what: 'password' });

const cutsIn = (text: string): Cut[] =>
  [...privateKeys(text), ...logins(text), ...optionPasswords(text).map(passed), ...assignedAndShaped(text)].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  );

/** Takes credentials out of a text. Each is replaced by its class. */
export function redact(text: string): string {
  if (!mayHold(text)) return text;
  const cuts = cutsIn(text);
  let result = '';
  let at = 0;
  for (const cut of cuts) {
    if (cut.start < at) {
      if (cut.end > at) at = cut.end;
      continue;
    }
    const quote = cut.quote ?? '';
    result += `${text.slice(at, cut.start)}${quote}${marker(cut.what)}${quote}`;
    at = cut.end;
  }
  return cuts.length === 0 ? text : result + text.slice(at);
}

/**
 * The same for plain data: each text by itself, and each text under a key that names a credential.
 * `known`: what texts became, for data that says the same again and again.
 */
export function redactDeep(value: unknown, key?: string, known?: Map<string, string>): unknown {
  if (typeof value === 'string') {
    const what = key === undefined || key.length > 96 ? undefined : classOfKey(key);
    const certain =
      what !== undefined && value !== '' && !value.startsWith(OPEN) && !isReference(value) && !isWord(value) && looksRandom(value);
    return certain ? marker(what) : redactOnce(value, known);
  }
  if (Array.isArray(value)) return value.length === 0 ? [] : value.map((item) => redactDeep(item, key, known));
  if (value && typeof value === 'object') return mapped(value, (item, name) => redactDeep(item, name, known));
  return value;
}

function redactOnce(text: string, known: Map<string, string> | undefined): string {
  if (!known) return redact(text);
  const before = known.get(text);
  if (before !== undefined) return before;
  const plain = redact(text);
  known.set(text, plain);
  return plain;
}

/** An object with other values. */
function mapped(value: object, change: (item: unknown, name: string) => unknown): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const item = change((value as Record<string, unknown>)[name], name);
    // Assigned, this one would be no property.
    if (name === '__proto__') Object.defineProperty(out, name, { value: item, enumerable: true, writable: true, configurable: true });
    else out[name] = item;
  }
  return out;
}

/** A credential that was found, and what it is replaced by. */
export interface Found {
  value: string;
  marker: string;
}

/** Shorter values would take ordinary words out of other texts. */
const LEAST = 8;
/** Longer texts are contents of files, which no record holds. */
const LONGEST = 100_000;

/**
 * The credentials in the texts of a call, so that they can be taken out where they stand without the words that gave them away. A path
 * stays: it says where a credential lies.
 */
export function credentialsIn(value: unknown, key?: string): readonly Found[] {
  if (Array.isArray(value)) return value.flatMap((item) => credentialsIn(item, key));
  if (value && typeof value === 'object') return Object.entries(value).flatMap(([name, item]) => credentialsIn(item, name));
  if (typeof value !== 'string' || value.length > LONGEST) return [];
  if (!mayHold(value) && (key === undefined || classOfKey(key) === undefined)) return [];
  const whole = key === undefined ? value : (redactDeep(value, key) as string);
  if (whole !== value && whole.startsWith(OPEN) && whole.endsWith(']') && cutsIn(value).length === 0)
    return keep([{ value, marker: whole }]);
  return keep(cutsIn(value).map((cut) => ({ value: value.slice(cut.start, cut.end), marker: marker(cut.what) })));
}

const keep = (found: readonly Found[]): readonly Found[] =>
  found.filter((each) => each.value.length >= LEAST && !/^(?:~|\.{0,2}\/)/.test(each.value));

/** Plain data without these credentials, wherever they stand in it. */
export function withoutCredentials<T>(value: T, found: readonly Found[]): T {
  if (found.length === 0) return value;
  if (typeof value === 'string') return found.reduce((text: string, each) => text.replaceAll(each.value, each.marker), value) as T;
  if (Array.isArray(value)) return value.map((item) => withoutCredentials(item, found)) as T;
  if (value && typeof value === 'object') return mapped(value, (item) => withoutCredentials(item, found)) as T;
  return value;
}

/** Could a text hold a credential at all? One look, for the usual text that has none of the words and prefixes. */
const mayHold = (text: string): boolean => text.length >= SHORTEST && HINT.test(text);
/** The shortest text with a credential in it: `pwd=x`, `//:x@`. */
const SHORTEST = 5;

/** Words of a command without credentials: an option and its value stand in two words, so they are read together. */
export function redactArgv(argv: readonly string[]): readonly string[] {
  const joined = argv.join('\t');
  const plain = redact(joined);
  if (plain === joined) return argv;
  const words = plain.split('\t');
  return words.length === argv.length ? words : [plain.replaceAll('\t', ' ')];
}

/** Whole blocks from BEGIN to END; without an END up to where the body stops. */
function privateKeys(text: string): Cut[] {
  const cuts: Cut[] = [];
  let foot: number | undefined;
  for (let at = text.indexOf('-----BEGIN '); at >= 0; at = text.indexOf('-----BEGIN ', at + 1)) {
    const head = text.slice(at, at + 80);
    const title = head.indexOf('PRIVATE KEY');
    if (title < 0) continue;
    if (foot === undefined || (foot >= 0 && foot < at)) foot = text.indexOf('-----END ', at);
    const close = foot < 0 ? -1 : text.indexOf('-----', foot + 9);
    const end = close < 0 ? endOfBody(text, at + title) : close + 5;
    cuts.push({ start: at, end, what: 'private key' });
    at = end - 1;
  }
  return cuts;
}

function endOfBody(text: string, from: number): number {
  const body = /[^A-Za-z0-9+/=\s:,\-\\]/g;
  body.lastIndex = from;
  const stop = body.exec(text)?.index ?? text.length;
  return text[stop] === '"' && text[stop - 1] === '\\' ? stop - 1 : stop;
}

/** `scheme://user:password@host`. */
function logins(text: string): Cut[] {
  const cuts: Cut[] = [];
  for (const match of text.matchAll(/\/\/([^\s/:@'"\\]{0,256}):([^\s/'"\\]{1,512})@/g)) {
    const password = match[2] ?? '';
    if (isReference(password)) continue;
    const start = match.index + match[0].length - 1 - password.length;
    cuts.push({ start, end: start + password.length, what: 'password' });
  }
  return cuts;
}

/** Prefixes that providers publish for their tokens, with the shortest rest that is one. */
const PREFIXES: readonly (readonly [string, number])[] = [
  ['AKIA', 12],
  ['ASIA', 12],
  ['ghp_', 16],
  ['gho_', 16],
  ['ghu_', 16],
  ['ghs_', 16],
  ['ghr_', 16],
  ['github_pat_', 16],
  ['glpat-', 12],
  ['sk-ant-', 8],
  ['sk-proj-', 8],
  ['sk-live-', 8],
  ['sk-test-', 8],
  ['sk-or-', 8],
  ['sk-svcacct-', 8],
  ['sk-', 20],
  ['sk_live_', 8],
  ['sk_test_', 8],
  ['rk_live_', 8],
  ['rk_test_', 8],
  ['pk_live_', 8],
  ['whsec_', 12],
  ['xoxb-', 8],
  ['xoxp-', 8],
  ['xoxa-', 8],
  ['xoxe-', 8],
  ['xoxr-', 8],
  ['xoxs-', 8],
  ['xapp-', 8],
  ['AIza', 30],
  ['ya29.', 16],
  ['npm_', 30],
  ['pypi-', 30],
  ['hf_', 30],
  ['dop_v1_', 30],
  ['SG.', 30],
  ['lin_api_', 30],
  ['sbp_', 30],
  ['hvs.', 16],
  ['glsa_', 30],
  ['ATATT3', 16],
  ['AGE-SECRET-KEY-1', 30],
  ['eyJ', 40],
];
const FIRST = new Set(PREFIXES.map(([prefix]) => prefix[0]!));

const RUN = /[A-Za-z0-9_.+/~-]+/g;

function assignedAndShaped(text: string): Cut[] {
  const cuts: Cut[] = [];
  RUN.lastIndex = 0;
  for (let match = RUN.exec(text); match; match = RUN.exec(text)) {
    const run = match[0];
    const start = match.index;
    const end = start + run.length;
    const shaped = tokenIn(run);
    if (shaped !== undefined) cuts.push({ start: start + shaped, end, what: 'token' });
    const value = valueAfter(text, run, end);
    if (value) {
      cuts.push(value);
      RUN.lastIndex = Math.max(end, value.end);
    }
  }
  return cuts;
}

/** Where in a run a token with a known prefix starts. A prefix counts at the start of a word of the run. */
function tokenIn(run: string): number | undefined {
  for (let at = 0; at < run.length - 8; at++) {
    if (!FIRST.has(run[at]!) || (at > 0 && /[A-Za-z0-9]/.test(run[at - 1]!))) continue;
    for (const [prefix, least] of PREFIXES) {
      if (run.length - at - prefix.length < least || !run.startsWith(prefix, at)) continue;
      if (prefix === 'eyJ' && !run.includes('.', at)) continue;
      if (/\d/.test(run.slice(at + prefix.length, at + prefix.length + 64)) || prefix !== 'sk-') return at;
    }
  }
  return undefined;
}

const FLAGS_WITH_LOGIN = new Set(['-u', '--user', '--proxy-user', '-U']);
const SCHEMES = new Set(['bearer', 'basic', 'token', 'digest', 'apikey', 'negotiate']);

/** The credential that follows a key word at `end`: assigned, as the option's next word, or after an authorization scheme. */
function valueAfter(text: string, run: string, end: number): Cut | undefined {
  const name = run.length > 96 ? run.slice(-96) : run;
  const lower = name.toLowerCase();
  const scheme = SCHEMES.has(lower) ? schemeValue(text, lower, end) : undefined;
  if (scheme) return scheme;
  if (FLAGS_WITH_LOGIN.has(name)) return loginValue(text, end);
  const what = classOf(name);
  if (!what) return undefined;
  if (name.startsWith('-')) {
    const space = /[ \t]+(?![-\s])/y;
    space.lastIndex = end;
    if (space.test(text)) return valueAt(text, space.lastIndex, what, { certain: true });
  }
  const separator = /(\\?["'`]?)([ \t]*)(:=|=>|==|=|:)([ \t]*)/y;
  separator.lastIndex = end;
  const found = separator.exec(text);
  if (!found || found[3] === '==') return undefined;
  const prose = found[3] === ':' && found[1] === '' && found[4] !== '';
  const keyQuote = found[1] === '"' || found[1] === '\\"' ? found[1] : undefined;
  const bare = /^(key|auth|sig|signature|session|cookie)$/i.test(name.replace(/^-+/, ''));
  return valueAt(text, separator.lastIndex, what, { certain: !prose && !bare, keyQuote: found[3] === ':' ? keyQuote : undefined });
}

function schemeValue(text: string, scheme: string, end: number): Cut | undefined {
  const rest = /[ \t]+([A-Za-z0-9_.+/~=-]{8,})/y;
  rest.lastIndex = end;
  const found = rest.exec(text);
  if (!found) return undefined;
  const value = found[1]!;
  if (scheme !== 'bearer' && !looksRandom(value)) return undefined;
  if (scheme === 'bearer' && !looksRandom(value) && value.length < 12) return undefined;
  return { start: rest.lastIndex - value.length, end: rest.lastIndex, what: 'token' };
}

function loginValue(text: string, end: number): Cut | undefined {
  const rest = /[ \t]+["']?[^\s:"'$]{0,128}:([^\s"'`$\\]{1,256})/y;
  rest.lastIndex = end;
  const found = rest.exec(text);
  if (!found || /^\d{1,5}(:\d{1,5})?$/.test(found[1]!) || found[1]!.startsWith('//')) return undefined;
  return { start: rest.lastIndex - found[1]!.length, end: rest.lastIndex, what: 'password' };
}

/** A value at a position: in quotes up to the same quote, else up to the next delimiter. */
function valueAt(text: string, from: number, what: string, how: { certain: boolean; keyQuote?: string }): Cut | undefined {
  const quote =
    text.startsWith('\\"', from) || text.startsWith("\\'", from)
      ? text.slice(from, from + 2)
      : /["'`]/.test(text[from] ?? '')
        ? text[from]!
        : '';
  const start = from + quote.length;
  const end = quote === '' ? endOfWord(text, start) : endOfQuoted(text, start, quote);
  const value = text.slice(start, end);
  if (value === '' || value.startsWith(OPEN) || isReference(value) || isWord(value)) return undefined;
  if (!how.certain && !looksRandom(value)) return undefined;
  return { start, end, what, ...(quote === '' && how.keyQuote ? { quote: how.keyQuote } : {}) };
}

const DELIMITER = /[\s"'`,;&|(){}<>[\]\\]/g;

function endOfWord(text: string, from: number): number {
  for (let at = from; ; ) {
    DELIMITER.lastIndex = at;
    const stop = DELIMITER.exec(text);
    if (!stop) return text.length;
    // A backslash escapes the next character; an escaped line end or quote is where the value ends.
    if (stop[0] !== '\\' || /["'nrt]/.test(text[stop.index + 1] ?? '"')) return stop.index;
    at = stop.index + 2;
  }
}

function endOfQuoted(text: string, from: number, quote: string): number {
  const mark = quote.at(-1)!;
  const escaped = quote.length === 2;
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (char === '\\') {
      if (escaped && text[at + 1] === mark) return at;
      if (escaped && text.startsWith('\\\\\\', at)) at += 3;
      else at++;
      continue;
    }
    if (char === mark || (escaped && char === '"')) return at;
    if (char === '\n' && quote !== '"') return at;
  }
  return text.length;
}

/** One of these stands in every name of a credential. Told first, since most words have none and long expressions are slow to start. */
const FRAGMENTS = ['KEY', 'TOKEN', 'SECRET', 'PASS', 'PWD', 'CREDENTIAL', 'PAT', 'DSN', 'URL', 'URI', 'AUTH', 'COOKIE', 'SESSION', 'SIG'];
const FRAGMENT = new RegExp(FRAGMENTS.join('|'), 'i');

/** The classes of keys of data: there are few of them, and they come again with each effect. */
const classes = new Map<string, string | undefined>();
/** Data from outside may have any keys: beyond this many they are looked at anew. */
const CLASSES = 1000;

function classOfKey(key: string): string | undefined {
  if (classes.has(key)) return classes.get(key);
  const what = classOf(key);
  if (classes.size < CLASSES) classes.set(key, what);
  return what;
}

/** The class of a name that holds a credential: `DB_PASSWORD`, `apiKey`, `--token`, `x-api-key`. */
function classOf(name: string): string | undefined {
  if (!FRAGMENT.test(name)) return undefined;
  const flat = name
    .replace(/^[-.~+/]+/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
  const known =
    secretVariableName(flat) || /(^|_)(KEY|AUTH|AUTHORIZATION|COOKIE|SESSION|SIGNATURE|SIG|PWD|APIKEY|_AUTHTOKEN|AUTHTOKEN)$/.test(flat);
  if (!known) return undefined;
  if (/PASS|PWD/.test(flat)) return 'password';
  if (/TOKEN|AUTH|COOKIE|SESSION/.test(flat)) return 'token';
  return /KEY/.test(flat) ? 'key' : 'secret';
}

/** A reference to a value that stands elsewhere, which may be shown. */
const isReference = (value: string): boolean =>
  /^(\$[A-Za-z_{(]|\$$|%[A-Za-z_]+%|\{\{|<[a-z]|process\.env|os\.environ|op:\/\/|vault:|\.\.\.|…)/i.test(value);

/** Words that follow a key word in plain text and in code, and are no value. */
const isWord = (value: string): boolean =>
  /^(none|null|nil|undefined|true|false|yes|no|string|str|number|boolean|bool|int|any|required|optional|unset|set|missing|empty|hidden|is|was|the|a|an|in|of|to|for|and|or|not|bearer|basic|x+|\*+|\.+|-+)$/i.test(
    value,
  );

/** Long enough and mixed enough to be a credential rather than a word. */
function looksRandom(value: string): boolean {
  if (value.length < 8) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length;
  return /\d/.test(value) && kinds >= 2 ? true : value.length >= 16 && kinds >= 2 && !/^[A-Z]?[a-z]+([-_. ][A-Za-z]+)*$/.test(value);
}

/** Everything that gives a credential away: words, prefixes, schemes, options, a login in a URL, a key block. */
const HINT = new RegExp(
  [
    ...FRAGMENTS.map((each) => each.toLowerCase()),
    ...SCHEMES,
    ...PROGRAM_HINTS,
    ...PREFIXES.map(([prefix]) => prefix.replaceAll('.', '\\.')),
    'private',
    'user',
    '-u',
    '@',
  ].join('|'),
  'i',
);
