/**
 * Credentials by their look: does a text hold a value that opens something? Pure, linear in the length of the text.
 * A finding names the class and the place, never the value; `value` is there only for redaction and comparison.
 */

/** A credential found in a text. */
export interface Credential {
  /** The class, for a text: `an AWS access key`. */
  what: string;
  /** The name it was assigned to, where there is one: `DB_PASSWORD`. */
  field?: string;
  /** 1-based line. */
  line: number;
  /** Where it stands in the text. */
  start: number;
  end: number;
}

/** Prefixes that providers publish for their tokens; lengths are lower bounds. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g, 'a private key'],
  [/\bPuTTY-User-Key-File-\d:/g, 'a private key'],
  [/\bAGE-SECRET-KEY-1[0-9A-Z]{50,}\b/g, 'a private key'],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, 'an AWS access key'],
  [/\bgh[pousr]_[A-Za-z0-9]{20,}\b/g, 'a GitHub token'],
  [/\bgithub_pat_[A-Za-z0-9_]{22,}\b/g, 'a GitHub token'],
  [/\bglpat-[A-Za-z0-9_-]{16,}/g, 'a GitLab token'],
  [/\bsk-ant-[A-Za-z0-9_-]{16,}/g, 'an Anthropic key'],
  [/\bsk-(?:proj|live|test|or|svcacct|admin)-[A-Za-z0-9_-]{12,}/g, 'an API key'],
  [/\bsk-[A-Za-z0-9]{20,}\b/g, 'an API key'],
  [/\b[srp]k_(?:live|test)_[A-Za-z0-9]{10,}/g, 'a payment key'],
  [/\bwhsec_[A-Za-z0-9]{16,}/g, 'a webhook secret'],
  [/\bxox[abeprs]-[A-Za-z0-9-]{10,}/g, 'a Slack token'],
  [/\bxapp-\d-[A-Za-z0-9-]{10,}/g, 'a Slack token'],
  [/\bhttps:\/\/hooks\.slack\.com\/services\/T[A-Za-z0-9]+\/B[A-Za-z0-9]+\/[A-Za-z0-9]{16,}/g, 'a webhook address'],
  [/\bAIza[0-9A-Za-z_-]{35}/g, 'a Google key'],
  [/\bya29\.[0-9A-Za-z_-]{20,}/g, 'a Google token'],
  [/\bnpm_[A-Za-z0-9]{30,}\b/g, 'an npm token'],
  [/\bpypi-[A-Za-z0-9_-]{40,}/g, 'a PyPI token'],
  [/\bhf_[A-Za-z0-9]{30,}\b/g, 'a Hugging Face token'],
  [/\bdop_v1_[a-f0-9]{40,}\b/g, 'a DigitalOcean token'],
  [/\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g, 'a mail key'],
  [/\bkey-[0-9a-f]{32}\b/g, 'a mail key'],
  [/\bAC[0-9a-f]{32}:[0-9a-f]{32}\b/g, 'a telephony key'],
  [/\blin_api_[A-Za-z0-9]{30,}/g, 'an API key'],
  [/\bsbp_[a-f0-9]{40}\b/g, 'a Supabase token'],
  [/\bvercel_[A-Za-z0-9]{20,}\b/g, 'a Vercel token'],
  [/\bhvs\.[A-Za-z0-9_-]{20,}/g, 'a Vault token'],
  [/\bglsa_[A-Za-z0-9]{30,}/g, 'a Grafana token'],
  [/\bATATT3[A-Za-z0-9_=-]{20,}/g, 'an Atlassian token'],
  [/\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}/g, 'a signed token'],
  [/\/\/[^\s/:@"']+\/?:_(?:authToken|password|auth)=\s*(?!\$)[^\s$]{8,}/g, 'a registry token'],
];

/** `scheme://user:password@host`: the password, unless it is a placeholder or a reference. */
const URL_LOGIN = /\b([a-z][a-z0-9+.-]{1,20}):\/\/([^\s:/@'"<>]{0,64}):([^\s:/@'"<>]{3,128})@([^\s/'"<>:]+)/gi;

/** What stands between a name and its value. */
const SEPARATOR = /:=|=>|[:=]/g;
/** A name that ends where the separator starts, with the words of a credential. Looked for in a short stretch only. */
const FIELD =
  /(?:^|[^A-Za-z0-9_.-])((?:[A-Za-z0-9]+[_.-]){0,8}(?:password|passwd|passphrase|secret|token|api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|secret[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|auth[_-]?key|client[_-]?secret|credentials?|[A-Za-z0-9]{0,40}(?:password|secret|token|apikey))(?:[_.-][A-Za-z0-9]+){0,4})["']?[ \t]*$/i;
/** A value: one word, in quotes or not. */
const VALUE = /^[ \t]*(?:"([^"\n]{6,300})"|'([^'\n]{6,300})'|`([^`\n]{6,300})`|([^\s"'`,;{}()[\]<>]{6,300}))/;
/** Characters before and after a separator that are looked at. */
const BEFORE = 90;
const AFTER = 310;

/** The largest text that is looked at; the rest is not read. */
const LIMIT = 1_000_000;

/** All credentials in a text, in order, at most 50. */
export function findCredentials(text: string): readonly Credential[] {
  const subject = text.length > LIMIT ? text.slice(0, LIMIT) : text;
  const found: Credential[] = [];
  const add = (what: string, start: number, end: number, field?: string) => {
    if (found.length >= 50 || found.some((each) => start < each.end && end > each.start)) return;
    found.push({ what, start, end, line: lineAt(subject, start), ...(field ? { field } : {}) });
  };
  for (const [shape, what] of SHAPES) {
    for (const match of subject.matchAll(shape)) {
      if (!isPlaceholder(match[0])) add(what, match.index, match.index + match[0].length);
    }
  }
  for (const match of subject.matchAll(URL_LOGIN)) {
    const password = match[3] ?? '';
    if (isPlaceholder(password) || isReference(password) || COMMON_PASSWORDS.has(password.toLowerCase())) continue;
    const start = match.index + match[0].lastIndexOf(`${password}@`);
    add('a login in an address', start, start + password.length);
  }
  for (const each of assignments(subject))
    if (isSecretValue(each.value, each.field)) add(classOf(each.field), each.start, each.start + each.value.length, each.field);
  return found.sort((a, b) => a.start - b.start);
}

/** Assignments to names with the words of a credential. Each separator costs a bounded look around, so the whole is linear. */
function* assignments(text: string): Generator<{ field: string; value: string; start: number }> {
  for (const match of text.matchAll(SEPARATOR)) {
    const at = match.index;
    // Most separators follow no name: one character tells.
    if (!/[A-Za-z0-9"' \t]/.test(text[at - 1] ?? '')) continue;
    const before = text.slice(Math.max(0, at - BEFORE), at);
    const field = FIELD.exec(before.slice(before.lastIndexOf('\n') + 1))?.[1];
    if (field === undefined) continue;
    const from = at + match[0].length;
    const value = VALUE.exec(text.slice(from, from + AFTER));
    const word = value && (value[1] ?? value[2] ?? value[3] ?? value[4]);
    if (word) yield { field, value: word, start: from + (value[0].indexOf(word) ?? 0) };
  }
}

/** The first credential in a text. */
export const findCredential = (text: string): Credential | undefined => findCredentials(text)[0];

/** Default passwords of local databases: known to everyone, so they protect nothing. */
// biome-ignore format: a list
const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  'postgres', 'password', 'root', 'admin', 'guest', 'test', 'mysql', 'redis', 'example', 'secret', 'pass', 'user', 'changeme', 'dev',
  'local',
]);

/** Values that stand for a secret and are none. */
export function isPlaceholder(value: string): boolean {
  const lower = value.toLowerCase();
  if (/^[x*.#_-]+$/i.test(value) || /^<.*>?$/.test(value) || /^\[.*\]?$/.test(value)) return true;
  if (/^(.)\1{5,}$/.test(value)) return true;
  if (/x{6,}|\*{4,}|\.{3}|…/.test(lower)) return true;
  if (
    /(change[-_]?me|change[-_]?this|your[-_]|my[-_](secret|password|token|key)|placeholder|replace[-_]|todo|redacted|dummy|example|sample|insert[-_]|enter[-_]|foobar|lorem|not[-_]?a[-_]?(real|secret)|do[-_]?not[-_]?use|xxx)/.test(
      lower,
    )
  )
    return true;
  return /^(none|null|undefined|true|false|yes|no|nil|empty|local|localhost|default|test|tests|testing|secret|password|passwd|token|string|str|number|boolean|required|optional|hidden|masked|unset|value|key|apikey|admin|root|user|guest|postgres|mysql|redis|development|production|staging|bearer|basic|process|config|env|self|this)$/.test(
    lower,
  );
}

/** A reference to a value that stands elsewhere. */
const isReference = (value: string): boolean =>
  /^(\$|%|#\{|\{\{|@|&|\*|os\.|process\.|env[.[(]|config\.|secrets?\.|vars?\.|self\.|this\.|ref\+|vault:|op:\/\/|ssm:|arn:aws:secretsmanager|file:|keychain:|!)/i.test(
    value,
  ) || /\$\{?[A-Za-z_]/.test(value);

/** Is a value that is assigned to a credential's name really one? */
export function isSecretValue(value: string, field: string): boolean {
  if (isPlaceholder(value) || isReference(value)) return false;
  if (/^[a-z]+$/.test(value) && value.length < 12) return false;
  // Code, not data: a call, a member, a path, a type.
  if (/[()[\]]|=>|::/.test(value) || /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  if (/^(\.{0,2}|~)\//.test(value) || /^https?:\/\/[^@]*$/.test(value)) return false;
  if (/^\d{1,8}$/.test(value) && !/pass|pwd/i.test(field)) return false;
  if (
    /(url|uri|endpoint|path|file|name|header|type|field|prefix|suffix|count|length|limit|expir\w*|ttl|regex|pattern|label|param|id)$/i.test(
      field,
    ) &&
    !/access[_-]?key[_-]?id$/i.test(field)
  )
    return false;
  const mixed = /\d/.test(value) || /[^A-Za-z0-9]/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value)) || value.length >= 16;
  if (/^[A-Za-z][a-z]+([A-Z][a-z]+)+$/.test(value) || /^[A-Z][A-Z_]+$/.test(value)) return false;
  return mixed;
}

function classOf(field: string): string {
  if (/pass|pwd/i.test(field)) return 'a password';
  if (/token/i.test(field)) return 'a token';
  if (/key/i.test(field)) return 'a key';
  return 'a secret';
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
