/** What the functions of Ruby do. */
import {
  changes,
  contentOf,
  copiesTo,
  DECODED,
  decodes,
  deletesAll,
  does,
  evaluates,
  FALSE,
  isTrue,
  joins,
  movesTo,
  NAMES,
  nameOf,
  nothing,
  opens,
  parentOf,
  passes,
  prints,
  requests,
  response,
  same,
  shellOrArgv,
  TRUE,
  temporary,
  writesOpen,
} from './api-common.ts';
import { formatted, globbed, joinPaths } from './evaluate.ts';
import {
  changesMode,
  copies,
  deletes,
  environment,
  exhausts,
  type Handler,
  kills,
  type Language,
  links,
  type Machine,
  makes,
  moves,
  queries,
  writes,
} from './machine.ts';
import { concat, each, hole, Mark, NONE, ref, text, textIn, UNKNOWN, type Value } from './value.ts';

/** FileUtils has a dry run: `noop: true`. */
const real =
  (handler: Handler): Handler =>
  (call, m) =>
    isTrue(call.named.get('noop')) ? UNKNOWN : handler(call, m);
const modeFirst = (recursive: boolean): Handler =>
  does((call, m) => changesMode(m, { items: call.args.slice(1), marks: 0 }, call.args[0], 'mode', recursive));

const opening: Handler = (call, m) => {
  const first = call.args[0];
  const known = textIn(first) ?? '';
  if (/^https?:/.test(known) && call.name !== 'File.open') return requests(m, first, []);
  if (known.startsWith('|')) return shellOrArgv({ ...call, args: [text(known.slice(1))] }, m);
  const file = opens(m, first, (textIn(call.args[1]) ?? textIn(call.named.get('mode')) ?? 'r').replace(/:.*$/, ''), call.name);
  const block = call.named.get('&');
  if (block?.fn) m.call(block, [file]);
  return file;
};
const writing =
  (mode: 'truncate' | 'append'): Handler =>
  (call, m) => {
    const given = textIn(call.named.get('mode')) ?? '';
    writes(m, call.args[0], { mode: given.includes('a') ? 'append' : mode, name: call.name, content: call.args[1] });
    return UNKNOWN;
  };
const pathname: Handler = (call, m) => ({ ...joinPaths(call.args, m), type: 'Pathname' });
const withBlock =
  (value: (call: Parameters<Handler>[0], m: Machine) => Value): Handler =>
  (call, m) => {
    const found = value(call, m);
    const block = call.named.get('&');
    if (block?.fn) for (const one of each(found).slice(0, 24)) m.call(block, [one]);
    return found;
  };
const expand: Handler = (call, m) => {
  const [first, second] = call.args;
  const head = first?.parts?.[0];
  if (head?.kind === 'text' && /^~(?=\/|$)/.test(head.text))
    return { ...first!, parts: [{ ...head, text: m.look.home + head.text.slice(1) }, ...first!.parts!.slice(1)] };
  return second ? joinPaths([second, first ?? UNKNOWN], m) : (first ?? UNKNOWN);
};

const FILE_UTILS: Record<string, Handler> = {
  rm: deletesAll(false),
  rm_f: deletesAll(false),
  remove: deletesAll(false),
  safe_unlink: deletesAll(false),
  remove_file: deletesAll(false),
  rm_r: deletesAll(true),
  rm_rf: deletesAll(true),
  rmtree: deletesAll(true),
  remove_dir: deletesAll(true),
  remove_entry: deletesAll(true),
  remove_entry_secure: deletesAll(true),
  rmdir: deletesAll(false),
  mv: movesTo(true),
  move: movesTo(true),
  cp: copiesTo(true),
  copy: copiesTo(true),
  cp_r: copiesTo(true, true),
  copy_file: copiesTo(false),
  copy_entry: copiesTo(false, true),
  install: copiesTo(true),
  mkdir: does((call, m) => makes(m, call.args[0])),
  mkdir_p: does((call, m) => makes(m, call.args[0])),
  makedirs: does((call, m) => makes(m, call.args[0])),
  chmod: modeFirst(false),
  chmod_R: modeFirst(true),
  chown: changes(2, 0, 'owner'),
  chown_R: changes(2, 0, 'owner', true),
  ln_s: does((call, m) => links(m, call.args[0], call.args[1], true)),
  ln_sf: does((call, m) => links(m, call.args[0], call.args[1], true)),
  ln: does((call, m) => links(m, call.args[0], call.args[1], false)),
  touch: does((call, m) => writes(m, { items: [...call.args], marks: 0 }, { mode: 'append', name: 'touch', content: text('') })),
  cd: (call, m) => {
    const where = textIn(call.args[0]);
    const before = m.cwd;
    m.cwd = where === undefined ? undefined : where.startsWith('/') ? where : m.cwd && `${m.cwd}/${where}`;
    const block = call.named.get('&');
    if (block?.fn) {
      m.call(block, []);
      m.cwd = before;
    }
    return UNKNOWN;
  },
};

const calls: Record<string, Handler> = {
  'File.delete': deletesAll(false),
  'File.unlink': deletesAll(false),
  'Dir.delete': deletesAll(false),
  'Dir.rmdir': deletesAll(false),
  'Dir.unlink': deletesAll(false),
  'File.rename': movesTo(false),
  'File.write': writing('truncate'),
  'File.binwrite': writing('truncate'),
  'IO.write': writing('truncate'),
  'IO.binwrite': writing('truncate'),
  'File.truncate': does((call, m) => writes(m, call.args[0], { mode: 'truncate', name: call.name })),
  'File.open': opening,
  'File.new': opening,
  'Kernel.open': opening,
  open: opening,
  'URI.open': opening,
  'OpenURI.open_uri': opening,
  'File.read': (call) => contentOf(call.args[0]),
  'File.readlines': (call) => contentOf(call.args[0]),
  'File.foreach': (call) => contentOf(call.args[0]),
  'IO.read': (call) => contentOf(call.args[0]),
  'IO.readlines': (call) => contentOf(call.args[0]),
  'File.binread': (call) => contentOf(call.args[0]),
  'IO.popen': shellOrArgv,
  'File.symlink': does((call, m) => links(m, call.args[0], call.args[1], true)),
  'File.link': does((call, m) => links(m, call.args[0], call.args[1], false)),
  'File.chmod': modeFirst(false),
  'File.chown': changes(2, 0, 'owner'),
  'File.join': joins,
  'File.expand_path': expand,
  'File.absolute_path': expand,
  'File.realpath': same,
  'File.dirname': (call) => parentOf(call.args[0]),
  'File.basename': (call) => nameOf(call.args[0]),
  'File.extname': nothing,
  'File.exist?': nothing,
  'File.file?': nothing,
  'File.directory?': nothing,
  'Dir.glob': withBlock((call) => globList(call.args)),
  'Dir.[]': (call) => globList(call.args),
  'Dir.children': () => NAMES,
  'Dir.entries': () => NAMES,
  'Dir.each_child': withBlock(() => NAMES),
  'Dir.home': (_call, m) => text(m.look.home),
  'Dir.pwd': (_call, m) => (m.cwd === undefined ? hole('directory') : text(m.cwd)),
  'Dir.getwd': (_call, m) => (m.cwd === undefined ? hole('directory') : text(m.cwd)),
  'Dir.chdir': FILE_UTILS['cd']!,
  'Dir.mkdir': does((call, m) => makes(m, call.args[0])),
  'Dir.tmpdir': (_call, m) => text(m.look.tmp),
  'Dir.mktmpdir': withBlock((_call, m) => temporary(m)),
  'Tempfile.new': (_call, m) => ({ type: 'File', of: temporary(m), marks: 0 }),
  'Tempfile.create': withBlock((_call, m) => ({ type: 'File', of: temporary(m), marks: 0 })),
  'Pathname.new': pathname,
  Pathname: pathname,
  'Pathname.pwd': (_call, m) => ({ ...(m.cwd === undefined ? hole('directory') : text(m.cwd)), type: 'Pathname' }),
  system: shellOrArgv,
  exec: shellOrArgv,
  spawn: shellOrArgv,
  sh: shellOrArgv,
  'Kernel.system': shellOrArgv,
  'Kernel.exec': shellOrArgv,
  'Kernel.spawn': shellOrArgv,
  'Process.spawn': shellOrArgv,
  'Kernel.`': shellOrArgv,
  'Open3.capture2': shellOrArgv,
  'Open3.capture2e': shellOrArgv,
  'Open3.capture3': shellOrArgv,
  'Open3.popen3': shellOrArgv,
  'Open3.popen2': shellOrArgv,
  'Open3.popen2e': shellOrArgv,
  'PTY.spawn': shellOrArgv,
  'Process.kill': (call, m) => {
    const pids = call.args.slice(1);
    kills(m, { items: pids, marks: 0 }, call.args[0], pids.some((pid) => textIn(pid) === '-1') ? 'all' : 'pid');
    return UNKNOWN;
  },
  fork: (call, m) => {
    if (m.looped) exhausts(m, 'fork in a loop');
    const block = call.named.get('&');
    if (block?.fn) m.call(block, []);
    return UNKNOWN;
  },
  eval: evaluates(),
  instance_eval: evaluates(),
  class_eval: evaluates(),
  'Kernel.eval': evaluates(),
  'binding.eval': evaluates(),
  'RubyVM.InstructionSequence.compile': same,
  'ENV.fetch': (call, m) => fetchEnvironment(call.args, m),
  'ENV.to_h': () => ({ type: 'Environment', marks: 0 }),
  'ENV.to_a': () => ({ type: 'Environment', marks: 0 }),
  'ENV.inspect': () => ({ type: 'Environment', marks: 0 }),
  'ENV.keys': nothing,
  puts: prints,
  print: prints,
  p: prints,
  pp: prints,
  warn: prints,
  'STDOUT.puts': prints,
  '$stdout.puts': prints,
  '$stderr.puts': prints,
  'STDERR.puts': prints,
  'JSON.parse': passes,
  'JSON.generate': passes,
  'JSON.dump': passes,
  'YAML.load_file': (call) => ({ ...contentOf(call.args[0]), parts: undefined }),
  format: (call) => formatted(call.args[0] ?? UNKNOWN, call.args.slice(1), /%[-+0-9.]*[sdfx]/),
  sprintf: (call) => formatted(call.args[0] ?? UNKNOWN, call.args.slice(1), /%[-+0-9.]*[sdfx]/),
  gets: () => hole('input', { marks: Mark.input }),
  'STDIN.read': () => hole('input', { marks: Mark.input }),
  '$stdin.read': () => hole('input', { marks: Mark.input }),
  'Base64.decode64': decodes('base64'),
  'Base64.strict_decode64': decodes('base64'),
  'Base64.urlsafe_decode64': decodes('base64'),
  'Zlib.inflate': DECODED,
  'Zlib.Inflate.inflate': DECODED,
  'Marshal.load': DECODED,
  'Net.HTTP.get': (call, m) =>
    requests(m, call.args.length > 1 ? concat([text('https://'), call.args[0]!, call.args[1]!]) : call.args[0], []),
  'Net.HTTP.get_response': (call, m) => requests(m, call.args[0], []),
  'Net.HTTP.post': (call, m) => requests(m, call.args[0], [call.args[1] ?? text('')]),
  'Net.HTTP.post_form': (call, m) => requests(m, call.args[0], [call.args[1] ?? text('')]),
  'Net.HTTP.new': (call) => ({ type: 'Connection', of: call.args[0], marks: 0 }),
  'Net.HTTP.start': (call, m) => {
    const connection: Value = { type: 'Connection', of: call.args[0], marks: 0 };
    const block = call.named.get('&');
    if (block?.fn) m.call(block, [connection]);
    return response(call.args[0]);
  },
  'Faraday.get': (call, m) => requests(m, call.args[0], []),
  'Faraday.post': (call, m) => requests(m, call.args[0], [call.args[1] ?? text('')]),
  'HTTParty.get': (call, m) => requests(m, call.args[0], []),
  'HTTParty.post': (call, m) => requests(m, call.args[0], [call.named.get('body') ?? text('')]),
  'RestClient.get': (call, m) => requests(m, call.args[0], []),
  'RestClient.post': (call, m) => requests(m, call.args[0], [call.args[1] ?? text('')]),
  URI: same,
  'URI.parse': same,
  'URI.join': joins,
  'Shellwords.escape': same,
  'Shellwords.join': (call) => concat((call.args[0]?.items ?? []).flatMap((item, i) => (i === 0 ? [item] : [text(' '), item]))),
  String: same,
  Array: same,
  require: nothing,
  require_relative: nothing,
  lambda: (call) => call.named.get('&') ?? UNKNOWN,
  proc: (call) => call.named.get('&') ?? UNKNOWN,
  'Proc.new': (call) => call.named.get('&') ?? UNKNOWN,
  loop: (call, m) => {
    const looped = m.looped;
    m.looped = true;
    const block = call.named.get('&');
    if (block?.fn) m.call(block, []);
    m.looped = looped;
    return UNKNOWN;
  },
  'ActiveRecord.Base.connection.execute': does((call, m) => queries(m, call.args[0], 'ruby')),
};
for (const [name, handler] of Object.entries(FILE_UTILS)) {
  calls[`FileUtils.${name}`] = real(handler);
  if (name !== 'install') calls[name] ??= real(handler);
}

function globList(args: readonly Value[]): Value {
  const found = args.flatMap((value) => each(value)).map(globbed);
  return found.length === 1 ? found[0]! : { items: found, marks: 0 };
}

function fetchEnvironment(args: readonly Value[], m: Machine): Value {
  const name = textIn(args[0]);
  return name === undefined ? hole('variable') : environment(m, name);
}

const onSelf =
  (work: (self: Value, m: Machine, args: readonly Value[]) => Value): Handler =>
  (call, m) =>
    work(call.self ?? UNKNOWN, m, call.args);
const asPath = (value: Value): Value => ({ ...value, type: 'Pathname' });

const methods: Record<string, Handler> = {
  'Pathname.delete': onSelf((self, m) => {
    deletes(m, self, { recursive: false, name: 'Pathname#delete' });
    return UNKNOWN;
  }),
  'Pathname.unlink': onSelf((self, m) => {
    deletes(m, self, { recursive: false, name: 'Pathname#unlink' });
    return UNKNOWN;
  }),
  'Pathname.rmtree': onSelf((self, m) => {
    deletes(m, self, { recursive: true, name: 'Pathname#rmtree' });
    return UNKNOWN;
  }),
  'Pathname.rmdir': onSelf((self, m) => {
    deletes(m, self, { recursive: false, name: 'Pathname#rmdir' });
    return UNKNOWN;
  }),
  'Pathname.write': onSelf((self, m, args) => {
    writes(m, self, { mode: 'truncate', name: 'Pathname#write', content: args[0] });
    return UNKNOWN;
  }),
  'Pathname.binwrite': onSelf((self, m, args) => {
    writes(m, self, { mode: 'truncate', name: 'Pathname#binwrite', content: args[0] });
    return UNKNOWN;
  }),
  'Pathname.rename': onSelf((self, m, args) => {
    moves(m, self, args[0], { into: false, name: 'rename' });
    return UNKNOWN;
  }),
  'Pathname.read': onSelf((self) => contentOf(self)),
  'Pathname.join': onSelf((self, m, args) => asPath(joinPaths([self, ...args], m))),
  'Pathname.children': onSelf((self, m) => asPath(joinPaths([self, NAMES], m))),
  'Pathname.glob': onSelf((self, m, args) => asPath(globbed(joinPaths([self, ...args], m)))),
  'Pathname.expand_path': onSelf((self) => self),
  'Pathname#parent': onSelf((self) => asPath(parentOf(self))),
  'Pathname#dirname': onSelf((self) => asPath(parentOf(self))),
  'Pathname#delete': onSelf((self, m) => {
    deletes(m, self, { recursive: false, name: 'Pathname#delete' });
    return UNKNOWN;
  }),
  'Pathname#rmtree': onSelf((self, m) => {
    deletes(m, self, { recursive: true, name: 'Pathname#rmtree' });
    return UNKNOWN;
  }),
  'Pathname#unlink': onSelf((self, m) => {
    deletes(m, self, { recursive: false, name: 'Pathname#unlink' });
    return UNKNOWN;
  }),
  'Pathname#read': onSelf((self) => contentOf(self)),
  'File.write': writesOpen,
  'File.puts': writesOpen,
  'File.print': writesOpen,
  'File.<<': writesOpen,
  'File.printf': writesOpen,
  'File.read': (call) => contentOf(call.self?.of),
  'File#read': (call) => contentOf(call.self?.of),
  'File.truncate': nothing,
  'File.close': nothing,
  'File#path': (call) => call.self?.of,
  'Environment.fetch': (call, m) => fetchEnvironment(call.args, m),
  'Environment.to_h': (call) => call.self,
  'Environment.to_a': (call) => call.self,
  'Environment.inspect': (call) => call.self,
  'Environment.keys': nothing,
  'Environment#to_h': (call) => call.self,
  'Environment#inspect': (call) => call.self,
  'Environment#keys': nothing,
  'Environment.each': (call, m) => {
    const block = call.named.get('&');
    if (block?.fn) m.call(block, [hole('name'), { type: 'Environment', marks: 0 }]);
    return UNKNOWN;
  },
  'Connection.post': (call, m) => requests(m, call.self?.of, [call.args[1] ?? text('')]),
  'Connection.get': (call, m) => requests(m, call.self?.of, []),
  'Connection.request': (call, m) => requests(m, call.self?.of, call.args),
};

const loose: Record<string, Handler> = {
  unpack: DECODED,
  unpack1: DECODED,
  execute: does((call, m) => queries(m, call.args[0], 'ruby')),
  exec_query: does((call, m) => queries(m, call.args[0], 'ruby')),
  rmtree: onSelf((self, m) => {
    deletes(m, self, { recursive: true, name: 'rmtree' });
    return UNKNOWN;
  }),
  copy: does((call, m) => call.self?.type === 'Pathname' && copies(m, call.self, call.args[0], { into: false, name: 'copy' })),
};

export const RUBY_LANGUAGE: Language = {
  name: 'ruby',
  calls,
  methods,
  loose,
  signals:
    /rm|delete|unlink|remove|write|open|system|exec|spawn|eval|`|%x|popen|rename|truncate|mv|cp|move|copy|kill|fork|ENV|Net|HTTP|URI|Open3|chmod|chown|ln_|link|touch|mkdir|decode|unpack|execute|send|sh\b|puts|install/,
  canonical: (name) =>
    name
      .replace(/^(?:Object|Kernel|::)\.(?!system|exec|spawn|eval|open|`)/, '')
      .replace(/^FileUtils\.(?:Verbose|NoWrite|DryRun)\./, (all) => (all.includes('Verbose') ? 'FileUtils.' : 'DryRun.')),
  constant(name, m) {
    switch (name) {
      case 'ENV':
        return { type: 'Environment', ref: undefined, marks: 0 };
      case 'ARGV':
        return { items: [...m.args], type: 'Arguments', marks: 0 };
      case '__FILE__':
      case '$0':
      case '$PROGRAM_NAME':
        return text(m.file ?? '-e');
      case '__dir__':
        return m.file !== undefined ? parentOf(text(m.file)) : m.cwd === undefined ? hole('directory') : text(m.cwd);
      case 'Dir.home':
        return text(m.look.home);
      case 'Dir.pwd':
        return m.cwd === undefined ? hole('directory') : text(m.cwd);
      case 'Dir.tmpdir':
        return text(m.look.tmp);
      case 'nil':
        return NONE;
      case 'true':
        return TRUE;
      case 'false':
        return FALSE;
      default:
        return undefined;
    }
  },
};

export { ref };
