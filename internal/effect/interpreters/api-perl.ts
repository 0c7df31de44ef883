/** What the functions of Perl do. */
import {
  changes,
  contentOf,
  copiesTo,
  DECODED,
  decodes,
  deletesAll,
  does,
  globs,
  joins,
  makesFirst,
  movesTo,
  NAMES,
  nameOf,
  nothing,
  opens,
  parentOf,
  requests,
  response,
  same,
  shellOrArgv,
  temporary,
} from './api-common.ts';
import { exhausts, type Handler, kills, type Language, links, type Machine, makes, runsText, writes } from './machine.ts';
import { formatted } from './operators.ts';
import { cwdOf, finding, opening, pathOf, printing, spacedGlob, topic, unlinks } from './perl-files.ts';
import { getting, methods } from './perl-methods.ts';
import { concat, each, hole, Mark, text, textIn, UNKNOWN, type Value } from './value.ts';

export const self =
  (type: string): Handler =>
  () => ({ type, marks: 0 });

const calls: Record<string, Handler> = {
  unlink: unlinks,
  rmdir: unlinks,
  rmtree: deletesAll(true),
  remove_tree: deletesAll(true),
  pathrm: deletesAll(true),
  pathrmdir: deletesAll(true),
  rcopy: copiesTo(true, true),
  rmove: movesTo(true),
  dircopy: copiesTo(true, true),
  fcopy: copiesTo(true),
  open: opening,
  sysopen: (call, m) => {
    const flags = (call.args[2]?.parts ?? []).map((part) => part.text).join(' ') + (call.args[2]?.ref ?? '');
    if (/O_(?:WRONLY|RDWR|TRUNC|APPEND|CREAT)/.test(flags))
      writes(m, call.args[1], {
        mode: /O_TRUNC/.test(flags) ? 'truncate' : /O_APPEND/.test(flags) ? 'append' : 'in-place',
        name: 'sysopen',
      });
    return UNKNOWN;
  },
  truncate: does((call, m) =>
    writes(m, call.args[0]?.type === 'File' ? call.args[0].of : call.args[0], { mode: 'truncate', name: 'truncate' }),
  ),
  rename: movesTo(false),
  move: movesTo(true),
  mv: movesTo(true),
  copy: copiesTo(true),
  cp: copiesTo(true),
  mkdir: makesFirst,
  make_path: does((call, m) => makes(m, { items: call.args.filter((value) => !value.fields), marks: 0 })),
  mkpath: makesFirst,
  symlink: does((call, m) => links(m, call.args[0], call.args[1], true)),
  link: does((call, m) => links(m, call.args[0], call.args[1], false)),
  chmod: (call, m) => changes(1, 0)({ ...call, args: [call.args[0] ?? UNKNOWN, { items: call.args.slice(1), marks: 0 }] }, m),
  chown: (call, m) => changes(1, 0, 'owner')({ ...call, args: [call.args[0] ?? UNKNOWN, { items: call.args.slice(2), marks: 0 }] }, m),
  utime: nothing,
  system: shellOrArgv,
  exec: shellOrArgv,
  readpipe: shellOrArgv,
  capture: shellOrArgv,
  kill: (call, m) => {
    const pids = call.args.slice(1).flatMap((value) => each(value));
    kills(m, { items: pids, marks: 0 }, call.args[0], pids.some((pid) => textIn(pid) === '-1') ? 'all' : 'pid');
    return UNKNOWN;
  },
  fork: does((_call, m) => (m.looped ? exhausts(m, 'fork in a loop') : undefined)),
  eval: does((call, m) => runsText(m, call.args[0] ?? topic(m), 'program', 'eval')),
  do: (call, m) => (call.args[0]?.fn ? m.call(call.args[0], []) : UNKNOWN),
  glob: (call) => (call.args[0] ? spacedGlob(call.args[0]) : UNKNOWN),
  bsd_glob: globs,
  readdir: () => NAMES,
  opendir: nothing,
  closedir: nothing,
  close: nothing,
  binmode: nothing,
  map: mapping,
  grep: mapping,
  sort: (call) => ({ items: call.args.filter((value) => !value.fn).flatMap((value) => each(value)), marks: 0 }),
  reverse: (call) => ({ items: call.args.flatMap((value) => each(value)).reverse(), marks: 0 }),
  keys: nothing,
  values: same,
  find: finding,
  finddepth: finding,
  each: same,
  join: (call) =>
    concat(
      call.args
        .slice(1)
        .flatMap((value) => each(value))
        .flatMap((value, i) => (i === 0 ? [value] : [call.args[0]!, value])),
    ),
  sprintf: (call) => formatted(call.args[0] ?? UNKNOWN, call.args.slice(1), /%[-+0-9.]*[sdfx]/),
  lc: same,
  uc: same,
  chomp: same,
  quotemeta: same,
  shift: (call, m) => call.args[0] ?? argument(m),
  pop: (call, m) => call.args[0]?.items?.at(-1) ?? argument(m),
  push: (call) => {
    const list = call.args[0]?.items as Value[] | undefined;
    if (list && list.length < 5000) list.push(...call.args.slice(1));
    return UNKNOWN;
  },
  chr: (call) =>
    call.args[0]?.num !== undefined && call.args[0].num >= 0 && call.args[0].num < 0x110000
      ? text(String.fromCodePoint(call.args[0].num))
      : hole('chr'),
  pack: DECODED,
  unpack: DECODED,
  decode_base64: decodes('base64'),
  uncompress: DECODED,
  gunzip: DECODED,
  getcwd: (_call, m) => cwdOf(m),
  cwd: (_call, m) => cwdOf(m),
  chdir: (call, m) => {
    const where = textIn(call.args[0]);
    m.cwd = where === undefined ? undefined : where.startsWith('/') ? where : m.cwd && `${m.cwd}/${where}`;
    return UNKNOWN;
  },
  catfile: joins,
  catdir: joins,
  tmpdir: (_call, m) => text(m.look.tmp),
  tempdir: (_call, m) => temporary(m),
  tempfile: (_call, m) => ({ items: [UNKNOWN, temporary(m)], marks: 0 }),
  dirname: (call) => parentOf(call.args[0]),
  basename: (call) => nameOf(call.args[0]),
  abs_path: same,
  realpath: same,
  rel2abs: same,
  print: printing,
  say: printing,
  printf: printing,
  warn: printing,
  Dumper: same,
  path: pathOf,
  dir: pathOf,
  file: pathOf,
  get: getting,
  getprint: getting,
  getstore: (call, m) => {
    requests(m, call.args[0], []);
    writes(m, call.args[1], { mode: 'truncate', name: 'getstore' });
    return UNKNOWN;
  },
  read_file: (call) => contentOf(call.args[0]),
  write_file: does((call, m) => writes(m, call.args[0], { mode: 'truncate', name: 'write_file', content: call.args.at(-1) })),
  slurp: (call) => contentOf(call.args[0]),
  append_file: does((call, m) => writes(m, call.args[0], { mode: 'append', name: 'append_file' })),
  'LWP::UserAgent.new': self('Agent'),
  'HTTP::Tiny.new': self('Agent'),
  'Mojo::UserAgent.new': self('Agent'),
  'IO::File.new': (call, m) => opens(m, call.args[0], textIn(call.args[1]) ?? 'r', 'IO::File'),
  'File::Spec.catfile': joins,
  'File::Spec.catdir': joins,
  'File::Spec.tmpdir': (_call, m) => text(m.look.tmp),
  'File::Temp.new': (_call, m) => temporary(m),
  'Path::Tiny.new': pathOf,
  'DBI.connect': () => ({ type: 'Database', marks: 0 }),
  'HTTP::Request.new': (call) => ({ ...response(call.args[1]), marks: 0 }),
  '<>': () => ({ ...hole('line'), marks: Mark.input }),
};

function argument(m: Machine): Value {
  for (let scope: Machine['scope'] | undefined = m.scope; scope; scope = scope.parent) {
    const list = scope.vars.get('$_args')?.items as Value[] | undefined;
    if (list) return list.shift() ?? UNKNOWN;
  }
  return m.args[0] ?? hole('argument', { marks: Mark.input });
}

/** A block for each item. */
function mapping(call: Parameters<Handler>[0], m: Machine): Value {
  const fn = call.args.find((value) => value.fn);
  const items = call.args
    .filter((value) => !value.fn)
    .flatMap((value) => each(value))
    .slice(0, 24);
  if (!fn) return { items: items.slice(1), marks: 0 };
  const results = items.map((item) => m.call(fn, [item]));
  return call.name === 'map' ? { items: results, marks: 0 } : { items, marks: 0 };
}

export const PERL_LANGUAGE: Language = {
  name: 'perl',
  calls,
  methods,
  loose: {},
  signals:
    /unlink|rm|open|system|exec|eval|qx|`|rename|truncate|copy|move|\bcp\b|\bmv\b|kill|fork|chmod|chown|link|ENV|LWP|HTTP|get|post|decode|pack|find|write|spew|mkdir|DBI|remove|\bs[{(/|!#,~]/,
  canonical: (name) =>
    name
      .replace(/^(?:CORE|main|CORE::GLOBAL)::/, '')
      .replace(
        /^(?:File::(?:Path|Copy|Basename|Slurp|Temp|Find|Slurper|Copy::Recursive)|LWP::Simple|MIME::Base64|POSIX|Cwd|IPC::System::Simple|Path::Tiny)::(?=\w+$)/,
        '',
      )
      .replace(/::(?=\w+$)/, (all) => (calls[name] ? all : all)),
  constant(name, m) {
    if (name === '$ENV') return { type: 'Environment', marks: 0 };
    if (name === '$ARGV') return { items: [...m.args], type: 'Arguments', marks: 0 };
    if (name === '$0' || name === '__FILE__') return text(m.file ?? '-e');
    if (name === '$$') return text('$$');
    const flag = /(?:^|::)(O_\w+)$/.exec(name);
    if (flag) return text(flag[1]!);
    return undefined;
  },
};
