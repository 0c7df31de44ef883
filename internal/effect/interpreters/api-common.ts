/** Handlers that the tables of the languages are made of. */
import { belongsTo, isCredentialHeader } from '../network-hosts.ts';
import {
  type Called,
  changesMode,
  copies,
  deletes,
  fetches,
  type Handler,
  isFrom,
  type Machine,
  makes,
  moves,
  runsArgv,
  runsText,
  sends,
  shows,
  type WriteHow,
  writes,
} from './machine.ts';
import { globbed, joinPaths } from './operators.ts';
import { concat, derived, each, hole, Mark, NONE, sources, text, textIn, UNKNOWN, type Value, wordIn } from './value.ts';

/** An argument by place or by one of its names. */
export function arg(call: Called, at: number, ...names: readonly string[]): Value | undefined {
  for (const name of names) {
    const value = call.named.get(name);
    if (value) return value;
  }
  return call.args[at];
}

/** A field of an options object. */
export const option = (value: Value | undefined, name: string): Value | undefined => value?.fields?.get(name);

/** Certainly true. */
export const isTrue = (value: Value | undefined): boolean =>
  value !== undefined && (value.type === 'true' || (value.num !== undefined && value.num !== 0));

export const TRUE: Value = { type: 'true', marks: 0 };
export const FALSE: Value = { type: 'false', marks: 0 };

/** A function that only does something: what it gives is not known. */
export const does =
  (work: (call: Called, m: Machine) => unknown): Handler =>
  (call, m) => {
    work(call, m);
    return UNKNOWN;
  };

/** All arguments, lists taken apart, are deleted. */
export const deletesAll =
  (recursive: boolean): Handler =>
  (call, m) => {
    deletes(m, { items: call.args.filter((value) => !value.fields), marks: 0 }, { recursive, name: call.name });
    return UNKNOWN;
  };

/** The first argument is deleted. */
export const deletesFirst =
  (recursive: boolean, ...names: readonly string[]): Handler =>
  (call, m) => {
    deletes(m, arg(call, 0, ...names), { recursive, name: call.name });
    return UNKNOWN;
  };

/** The object itself is deleted. */
export const deletesSelf =
  (recursive: boolean): Handler =>
  (call, m) => {
    deletes(m, call.self, { recursive, name: call.name });
    return UNKNOWN;
  };

export const movesTo =
  (into: boolean): Handler =>
  (call, m) => {
    moves(m, arg(call, 0, 'src'), arg(call, 1, 'dst'), { into, name: call.name });
    return arg(call, 1, 'dst') ?? UNKNOWN;
  };

export const copiesTo =
  (into: boolean, recursive = false): Handler =>
  (call, m) => {
    copies(m, arg(call, 0, 'src'), arg(call, 1, 'dst'), { into, recursive, name: call.name });
    return arg(call, 1, 'dst') ?? UNKNOWN;
  };

/** Path and content. */
export const writesTo =
  (mode: WriteHow['mode'], path = 0, content = 1): Handler =>
  (call, m) => {
    writes(m, call.args[path], { mode, name: call.name, content: call.args[content] });
    return UNKNOWN;
  };

export const makesFirst: Handler = (call, m) => {
  makes(m, call.args[0]);
  return call.args[0];
};

/** Gives its argument back: what only changes the form of a value. */
export const same: Handler = (call) => call.args[0] ?? call.self ?? UNKNOWN;
export const nothing: Handler = () => UNKNOWN;

/** Path parts joined. */
export const joins: Handler = (call, m) => joinPaths(call.args, m);

/** A pattern of file names. */
export const globs: Handler = (call) => globbed(call.args[0] ?? UNKNOWN);

/** Names in a directory. */
export const NAMES: Value = { parts: [{ kind: 'glob', text: '*' }], marks: 0 };
export const names: Handler = () => NAMES;

/** A path with its last part taken off. */
export function parentOf(value: Value | undefined): Value {
  if (!value) return UNKNOWN;
  const known = textIn(value);
  if (known === undefined) {
    const word = wordIn(value);
    const shape = word.parts.map((part) => (part.kind === 'text' ? part.text : '\0')).join('');
    const cut = shape.lastIndexOf('/');
    const first = value.parts?.[0];
    // `dir/{x}`: the parent is `dir` when nothing unknown stands before the last slash.
    if (cut > 0 && first?.kind === 'text' && cut <= first.text.length) return { ...text(first.text.slice(0, cut)), type: value.type };
    return { ...hole('directory'), marks: value.marks, ...(value.type ? { type: value.type } : {}) };
  }
  const plain = known.replace(/\/+$/, '');
  const cut = plain.lastIndexOf('/');
  return { ...text(cut < 0 ? '.' : cut === 0 ? '/' : plain.slice(0, cut)), ...(value.type ? { type: value.type } : {}) };
}

export const nameOf = (value: Value | undefined): Value => {
  const known = textIn(value);
  if (known === undefined) return value?.parts?.some((part) => part.kind === 'glob') ? NAMES : hole('name');
  return text(known.slice(known.lastIndexOf('/') + 1));
};

/** The content of a file, as a value. */
export const contentOf = (path: Value | undefined): Value => ({
  ...hole('content'),
  marks: Mark.read,
  reads: path ? each(path).map(wordIn).slice(0, 20) : [],
});

/** What came from the network. */
export const response = (url: Value | undefined): Value => ({
  ...hole('response'),
  marks: Mark.net,
  url: url ? (textIn(url) ?? wordIn(url).raw) : '',
  type: 'Response',
});

/** GET: fetched; with a body: sent. */
export function requests(m: Machine, url: Value | undefined, payload: readonly (Value | undefined)[]): Value {
  const given = payload.filter((value): value is Value => value !== undefined && value.type !== 'None');
  const inUrl = url ? sources(url) : { marks: 0 };
  if (given.length > 0 || inUrl.vars || inUrl.reads) sends(m, url, url ? [...given, url] : given);
  else fetches(m, url);
  return response(url);
}

/**
 * Headers without the credentials that belong to the host, as those of `curl -H` are read: undefined when neither a secret nor a file
 * is left in them.
 */
export function foreignHeaders(headers: Value | undefined, url: Value | undefined): Value | undefined {
  if (!headers) return undefined;
  const left = headers.fields
    ? [...headers.fields].filter(([name, value]) => !(isCredentialHeader(`${name}:`) && isOwnTo(url, value)))
    : [];
  const rest: Value = headers.fields ? { fields: new Map(left), marks: 0 } : headers;
  const found = derived(rest);
  return found.vars || found.reads ? rest : undefined;
}

/** What stands for a login, unless it is a secret of another service. */
export const foreignLogin = (login: Value | undefined, url: Value | undefined): Value | undefined =>
  login && !isOwnTo(url, login) ? login : undefined;

function isOwnTo(url: Value | undefined, value: Value): boolean {
  const { vars = [], reads = [] } = derived(value);
  const to = url ? (textIn(url) ?? wordIn(url).raw) : '';
  return reads.length === 0 && vars.every((name) => belongsTo(name, to, true));
}

export const DECODED: Handler = (call) => ({ ...hole('decoded'), ...marked(call.args[0] ?? call.self, Mark.decoded) });

export function marked(value: Value | undefined, mark: number): Pick<Value, 'marks' | 'reads' | 'vars' | 'url'> {
  const found = value ? sources(value) : { marks: 0 };
  return { ...found, marks: found.marks | mark };
}

const MAX_BASE64 = 256 * 1024;

/** Base64 or hex, read when it is known. Small pieces of plain data keep their mark all the same. */
export const decodes =
  (encoding: 'base64' | 'hex'): Handler =>
  (call) => {
    const known = textIn(call.args[0] ?? call.self);
    const marks = marked(call.args[0] ?? call.self, Mark.decoded);
    if (known === undefined || known.length > MAX_BASE64) return { ...hole('decoded'), ...marks };
    return { ...text(Buffer.from(known.replaceAll('-', '+').replaceAll('_', '/'), encoding).toString('utf8')), ...marks };
  };

/** Text for a shell. */
export const shells =
  (at = 0): Handler =>
  (call, m) => {
    const cwd = m.cwd;
    const where = textIn(call.named.get('cwd') ?? call.named.get('chdir') ?? option(call.args[at + 1], 'cwd'));
    if (where !== undefined) m.cwd = where.startsWith('/') || m.cwd === undefined ? where : `${m.cwd}/${where}`;
    runsText(m, call.args[at], 'shell', call.name);
    m.cwd = cwd;
    return { ...hole('output'), ...(call.args.at(-1)?.fn ? called(call, m) : {}) };
  };

/** One text for a shell, or several words for a program. */
export const shellOrArgv: Handler = (call, m) => {
  const words = call.args.flatMap((value) => value.items ?? [value]).filter((value) => !value.fields);
  if (call.args.length === 1 && !call.args[0]!.items) runsText(m, call.args[0], 'shell', call.name);
  else runsArgv(m, words, call.name);
  return hole('output');
};

/** Program and list of arguments. */
export const runsProgram: Handler = (call, m) => {
  const options = call.args.find((value, i) => i > 0 && value.fields);
  const words = call.args.filter((value) => !value.fields && !value.fn).flatMap((value) => value.items ?? [value]);
  const cwd = m.cwd;
  const where = textIn(option(options, 'cwd'));
  if (where !== undefined) m.cwd = where.startsWith('/') || m.cwd === undefined ? where : `${m.cwd}/${where}`;
  const shell = option(options, 'shell');
  if (shell && shell.type !== 'false')
    runsText(m, concat(words.flatMap((word, i) => (i === 0 ? [word] : [text(' '), word]))), 'shell', call.name);
  else runsArgv(m, words, call.name);
  m.cwd = cwd;
  return { ...hole('output'), ...(call.args.at(-1)?.fn ? called(call, m) : {}) };
};

/** Calls the callback that stands last. */
export function called(call: Called, m: Machine, ...given: readonly Value[]): Value {
  const fn = call.args.at(-1);
  if (fn?.fn) m.call(fn, [NONE, ...(given.length > 0 ? given : [hole('output')])]);
  return UNKNOWN;
}

export const prints: Handler = (call, m) => {
  shows(m, call.args, call.name);
  return UNKNOWN;
};

export const evaluates =
  (at = 0): Handler =>
  (call, m) => {
    runsText(m, call.args[at], 'program', call.name);
    return UNKNOWN;
  };

/** Mode first or path first. */
export const changes =
  (path: number, mode: number, change: 'mode' | 'owner' = 'mode', recursive = false): Handler =>
  (call, m) => {
    changesMode(m, call.args[path], call.args[mode], change, recursive);
    return UNKNOWN;
  };

/** A temporary path: below the temporary directory, its name not known. */
export const temporary = (m: Machine, type?: string): Value => ({
  parts: [
    { kind: 'text', text: `${m.look.tmp}/` },
    { kind: 'hole', text: 'temporary', why: 'variable', name: 'temporary' },
  ],
  marks: 0,
  ...(type ? { type } : {}),
});

/** The text went through a replacement. */
export const replacing =
  (at: number): Handler =>
  (call) => ({ ...hole('text'), ...marked(call.args[at], Mark.replaced) });

export const passes: Handler = (call) => derived(...call.args);

/** The mode a file is opened in, as C writes it. */
export function openMode(mode: string): WriteHow['mode'] | undefined {
  if (mode.includes('x')) return 'create';
  if (mode.includes('w') || (mode.startsWith('>') && !mode.startsWith('>>'))) return 'truncate';
  if (mode.includes('a') || mode.startsWith('>>')) return 'append';
  if (mode.includes('+')) return 'in-place';
  return undefined;
}

/** An open file. */
export function opens(m: Machine, path: Value | undefined, mode: string, name: string): Value {
  const how = openMode(mode);
  if (how === undefined) return { ...contentOf(path), parts: undefined, type: 'File', of: path };
  const write = writes(m, path, { mode: how, name });
  return { type: 'File', of: path, marks: 0, ...(write ? { write } : {}) };
}

/** Writes whose text is not known whole. */
const partly = new WeakSet<object>();

/** Text that goes into an open file. */
export const writesOpen: Handler = (call, m) => {
  const { self, args } = call;
  if (self?.type !== 'File') return undefined;
  const write = self.write;
  if (!write) return UNKNOWN;
  for (const value of args) {
    const { marks } = sources(value);
    if (marks & Mark.replaced && marks & Mark.read) write.substitutes = true;
    else if (write.mode === 'truncate' && isFrom(write.targets, value, m)) write.mode = 'in-place';
    const known = textIn(value);
    if (known === undefined || partly.has(write) || (write.content ?? '').length > 100_000) {
      partly.add(write);
      delete write.content;
    } else write.content = (write.content ?? '') + known;
  }
  return UNKNOWN;
};
