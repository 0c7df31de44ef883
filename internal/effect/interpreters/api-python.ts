/** What the functions of Python do. */
import {
  arg,
  changes,
  contentOf,
  copiesTo,
  DECODED,
  decodes,
  deletesFirst,
  deletesSelf,
  does,
  evaluates,
  FALSE,
  globs,
  isTrue,
  joins,
  movesTo,
  NAMES,
  nameOf,
  names,
  nothing,
  opens,
  option,
  parentOf,
  passes,
  prints,
  replacing,
  requests,
  response,
  same,
  shellOrArgv,
  shells,
  TRUE,
  temporary,
  writesOpen,
} from './api-common.ts';
import { globbed, joinPaths, member } from './evaluate.ts';
import {
  changesMode,
  copies,
  deletes,
  destroysData,
  environment,
  exhausts,
  fetches,
  type Handler,
  kills,
  type Language,
  links,
  type Machine,
  makes,
  moves,
  queries,
  runsArgv,
  runsText,
  sends,
  shows,
  writes,
} from './machine.ts';
import { concat, derived, each, hole, Mark, NONE, num, ref, text, textIn, UNKNOWN, type Value } from './value.ts';

const open: Handler = (call, m) => {
  const mode = textIn(arg(call, 1, 'mode')) ?? (arg(call, 1, 'mode') ? 'unknown' : 'r');
  if (mode === 'unknown') return { type: 'File', of: arg(call, 0, 'file'), marks: Mark.read };
  return opens(m, arg(call, 0, 'file', 'filename'), mode, 'open');
};

/** subprocess.*: a list is a program with arguments; a text is a line only with `shell=True`. */
const process: Handler = (call, m) => {
  const cwd = m.cwd;
  const where = textIn(call.named.get('cwd'));
  if (where !== undefined) m.cwd = where.startsWith('/') || m.cwd === undefined ? where : `${m.cwd}/${where}`;
  const command = arg(call, 0, 'args', 'cmd');
  const shell = isTrue(call.named.get('shell'));
  if (command?.items && command.parts === undefined) {
    if (shell) runsText(m, command.items[0], 'shell', call.name);
    else runsArgv(m, command.items, call.name);
  } else if (shell) runsText(m, command, 'shell', call.name);
  else if (command) runsArgv(m, command.type === 'Split' ? (command.items ?? []) : each(command), call.name);
  m.cwd = cwd;
  return { ...hole('output'), type: 'Subprocess' };
};

/** os.execv(path, args), os.execl(path, arg0, …), os.spawnv(mode, path, args). */
const replaces: Handler = (call, m) => {
  const rest = call.name.includes('spawn') ? call.args.slice(1) : call.args;
  const list = rest[1]?.items ?? rest.slice(1);
  runsArgv(m, [rest[0] ?? UNKNOWN, ...list.slice(1).filter((value) => !value.fields && value.type !== 'Environment')], call.name);
  return UNKNOWN;
};

const path: Handler = (call, m) => ({ ...joinPaths(call.args.length > 0 ? call.args : [text('.')], m), type: 'Path' });
const asPath = (value: Value): Value => ({ ...value, type: 'Path', others: value.others?.map((other) => ({ ...other, type: 'Path' })) });

/** `~` at the start. */
function expanded(value: Value | undefined, m: Machine): Value {
  const first = value?.parts?.[0];
  if (!value || first?.kind !== 'text' || !/^~(?=\/|$)/.test(first.text)) return value ?? UNKNOWN;
  return { ...value, parts: [{ ...first, text: m.look.home + first.text.slice(1) }, ...value.parts!.slice(1)] };
}

/** An absolute path, as far as the directory is known. */
const absolute = (value: Value | undefined, m: Machine): Value => {
  const first = value?.parts?.[0];
  if (!value || m.cwd === undefined || (first?.kind === 'text' && first.text.startsWith('/'))) return value ?? UNKNOWN;
  return { ...joinPaths([text(m.cwd), value], m), ...(value.type ? { type: value.type } : {}) };
};

const send =
  (method: string): Handler =>
  (call, m) => {
    const url = arg(call, method === 'request' ? 1 : 0, 'url');
    const payload = [
      arg(call, method === 'request' ? 2 : 1, 'data'),
      ...['json', 'files', 'content', 'params', 'headers', 'auth', 'cookies'].map((name) => call.named.get(name)),
    ];
    // Headers and parameters count only when a secret or a file is in them.
    const body = payload.filter((value, i) => value && (i < 4 || derived(value).vars || derived(value).reads));
    const plain =
      method === 'get' || method === 'head' || method === 'options' || (method === 'request' && /^get$/i.test(textIn(call.args[0]) ?? ''));
    return requests(
      m,
      url,
      plain
        ? payload.filter((value) => value && (derived(value).vars || derived(value).reads))
        : [...body, ...(body.length === 0 ? [text('')] : [])],
    );
  };
const http: Record<string, Handler> = {};
for (const library of ['requests', 'httpx', 'niquests', 'urllib3']) {
  for (const method of ['get', 'head', 'options', 'post', 'put', 'patch', 'delete', 'request']) http[`${library}.${method}`] = send(method);
  for (const session of ['Session', 'session', 'Client', 'AsyncClient', 'PoolManager']) http[`${library}.${session}`] = () => ref(library);
  http[`${library}.stream`] = send('request');
}

const urlopen: Handler = (call, m) => {
  const target = call.args[0];
  if (target?.type === 'Request') return requests(m, option(target, 'url'), [option(target, 'data'), arg(call, 1, 'data')]);
  return requests(m, target, [arg(call, 1, 'data')]);
};

const moduleOf: Handler = (call) => {
  const name = textIn(call.args[0]);
  return name === undefined ? UNKNOWN : ref(name);
};

const rename: Handler = (call, m) => {
  moves(m, call.self, call.args[0], { into: false, noClobber: false, name: call.name });
  return asPath(call.args[0] ?? UNKNOWN);
};

const calls: Record<string, Handler> = {
  ...http,
  'os.remove': deletesFirst(false, 'path'),
  'os.unlink': deletesFirst(false, 'path'),
  'os.rmdir': deletesFirst(false, 'path'),
  'os.removedirs': deletesFirst(false, 'name'),
  'shutil.rmtree': deletesFirst(true, 'path'),
  'send2trash.send2trash': nothing,
  'distutils.dir_util.remove_tree': deletesFirst(true),
  'pathlib.Path.unlink': deletesFirst(false),
  'pathlib.Path.rmdir': deletesFirst(false),
  'os.rename': movesTo(false),
  'os.renames': movesTo(false),
  'os.replace': movesTo(false),
  'shutil.move': movesTo(true),
  'shutil.copy': copiesTo(true),
  'shutil.copy2': copiesTo(true),
  'shutil.copyfile': copiesTo(false),
  'shutil.copytree': (call, m) => {
    copies(m, arg(call, 0, 'src'), arg(call, 1, 'dst'), {
      into: false,
      recursive: true,
      noClobber: !isTrue(call.named.get('dirs_exist_ok')),
      name: call.name,
    });
    return UNKNOWN;
  },
  open,
  'io.open': open,
  'codecs.open': open,
  'gzip.open': open,
  'bz2.open': open,
  'lzma.open': open,
  'aiofiles.open': open,
  'tokenize.open': open,
  'os.fdopen': nothing,
  'os.open': (call, m) => {
    const flags = call.args[1];
    const shown = (flags?.parts ?? []).map((part) => part.text).join('') || (flags?.ref ?? '');
    const flagText = `${shown} ${flags?.type ?? ''}`;
    if (/O_TRUNC|O_WRONLY|O_RDWR|O_APPEND|O_CREAT/.test(flagText))
      writes(m, call.args[0], {
        mode: /O_TRUNC/.test(flagText)
          ? 'truncate'
          : /O_APPEND/.test(flagText)
            ? 'append'
            : /O_EXCL/.test(flagText)
              ? 'create'
              : 'in-place',
        name: 'os.open',
      });
    return UNKNOWN;
  },
  'os.truncate': (call, m) => {
    writes(m, call.args[0], { mode: 'truncate', name: 'os.truncate' });
    return UNKNOWN;
  },
  'os.mkdir': does((call, m) => makes(m, call.args[0])),
  'os.makedirs': does((call, m) => makes(m, call.args[0])),
  'os.chmod': changes(0, 1),
  'os.chown': changes(0, 1, 'owner'),
  'os.lchown': changes(0, 1, 'owner'),
  'shutil.chown': changes(0, 1, 'owner'),
  'os.symlink': does((call, m) => links(m, call.args[0], call.args[1], true)),
  'os.link': does((call, m) => links(m, call.args[0], call.args[1], false)),
  'os.chdir': (call, m) => {
    const where = textIn(absolute(call.args[0], m));
    m.cwd = where?.startsWith('/') ? where : undefined;
    return UNKNOWN;
  },
  'os.getcwd': (_call, m) => (m.cwd === undefined ? hole('directory') : text(m.cwd)),
  'os.listdir': names,
  'os.scandir': (call, m) => ({ ...joinPaths([call.args[0] ?? text('.'), NAMES], m), type: 'DirEntry' }),
  'os.walk': (call, m) => ({ type: 'Walk', of: call.args[0] ?? joinPaths([text('.')], m), marks: 0 }),
  'os.fwalk': (call) => ({ type: 'Walk', of: call.args[0], marks: 0 }),
  'glob.glob': globs,
  'glob.iglob': globs,
  'os.path.join': joins,
  'os.path.expanduser': (call, m) => expanded(call.args[0], m),
  'os.path.expandvars': (call, m) => expandVariables(call.args[0], m),
  'os.path.abspath': (call, m) => absolute(call.args[0], m),
  'os.path.realpath': (call, m) => absolute(call.args[0], m),
  'os.path.normpath': same,
  'os.path.dirname': (call) => parentOf(call.args[0]),
  'os.path.basename': (call) => nameOf(call.args[0]),
  'os.path.exists': nothing,
  'os.path.isfile': nothing,
  'os.path.isdir': nothing,
  'os.path.getsize': nothing,
  'os.path.islink': nothing,
  'os.stat': nothing,
  'os.fspath': same,
  'os.fsencode': same,
  'os.fsdecode': same,
  str: same,
  bytes: same,
  repr: same,
  'shlex.quote': same,
  'shlex.join': (call) => concat((call.args[0]?.items ?? []).flatMap((item, i) => (i === 0 ? [item] : [text(' '), item]))),
  'shlex.split': (call) => {
    const known = textIn(call.args[0]);
    return known === undefined
      ? { ...derived(...call.args), type: 'Split' }
      : {
          items: known
            .split(/\s+/)
            .filter(Boolean)
            .map((piece) => text(piece.replace(/^(['"])(.*)\1$/, '$2'))),
          type: 'Split',
          marks: 0,
        };
  },
  'os.getenv': (call, m) => environmentOf(call.args[0], call.args[1], m),
  'os.environ.get': (call, m) => environmentOf(call.args[0], call.args[1], m),
  'os.environ.pop': (call, m) => environmentOf(call.args[0], undefined, m),
  'os.system': shells(),
  'os.popen': shells(),
  'os.posix_spawn': replaces,
  'commands.getoutput': shells(),
  'subprocess.getoutput': shells(),
  'subprocess.getstatusoutput': shells(),
  'asyncio.create_subprocess_shell': shells(),
  'pexpect.run': shells(),
  'pexpect.spawn': shells(),
  'platform.popen': shells(),
  'IPython.get_ipython.system': shells(),
  'asyncio.create_subprocess_exec': shellOrArgv,
  'pty.spawn': shellOrArgv,
  'subprocess.run': process,
  'subprocess.call': process,
  'subprocess.check_call': process,
  'subprocess.check_output': process,
  'subprocess.Popen': process,
  'os.kill': does((call, m) => kills(m, call.args[0], call.args[1], textIn(call.args[0]) === '-1' ? 'all' : 'pid')),
  'os.killpg': does((call, m) => kills(m, call.args[0], call.args[1], 'pid')),
  'psutil.Process': (call) => ({ type: 'Psutil', of: call.args[0], marks: 0 }),
  'psutil.process_iter': () => ({ items: [{ type: 'Psutil', marks: 0 }], marks: 0 }),
  'os.getpid': () => ({ type: 'OwnPid', marks: 0 }),
  'os.getppid': () => ({ type: 'ParentPid', marks: 0 }),
  'os.fork': does((_call, m) => (m.looped ? exhausts(m, 'fork in a loop') : undefined)),
  exec: evaluates(),
  eval: evaluates(),
  compile: same,
  'runpy.run_path': does((call, m) => runsArgv(m, [text('python3'), call.args[0] ?? UNKNOWN], 'runpy')),
  execfile: does((call, m) => runsArgv(m, [text('python3'), call.args[0] ?? UNKNOWN], 'execfile')),
  __import__: moduleOf,
  'importlib.import_module': moduleOf,
  getattr: (call, m) => (call.args[0] && textIn(call.args[1]) !== undefined ? member(call.args[0], textIn(call.args[1])!, m) : UNKNOWN),
  'operator.attrgetter': nothing,
  'operator.methodcaller': nothing,
  map: (call, m) => ({
    items: each(call.args[1] ?? UNKNOWN)
      .slice(0, 24)
      .map((item) => m.call(call.args[0] ?? UNKNOWN, [item])),
    marks: 0,
  }),
  list: same,
  tuple: same,
  sorted: same,
  reversed: same,
  set: same,
  iter: same,
  next: same,
  filter: (call) => call.args[1] ?? UNKNOWN,
  dict: (call) => call.args[0] ?? { fields: new Map(call.named), marks: 0 },
  vars: same,
  enumerate: (call) => ({
    items: each(call.args[0] ?? UNKNOWN)
      .slice(0, 24)
      .map((item, i) => ({
        items: [num(i), item.parts || item.items || item.fields ? item : { ...hole('item'), ...derived(item) }],
        marks: 0,
      })),
    marks: 0,
  }),
  zip: (call) => ({ items: [{ items: call.args.map((value) => each(value)[0] ?? UNKNOWN), marks: 0 }], marks: 0 }),
  range: () => ({ items: [hole('i')], marks: 0 }),
  len: nothing,
  bool: nothing,
  int: nothing,
  type: nothing,
  isinstance: nothing,
  hash: nothing,
  id: nothing,
  hasattr: nothing,
  any: nothing,
  all: nothing,
  sum: nothing,
  callable: nothing,
  dir: nothing,
  chr: (call) =>
    call.args[0]?.num !== undefined && call.args[0].num < 0x110000 && call.args[0].num >= 0
      ? text(String.fromCodePoint(call.args[0].num))
      : hole('chr'),
  print: prints,
  'pprint.pprint': prints,
  'sys.stdout.write': prints,
  'sys.stderr.write': prints,
  'logging.info': prints,
  'logging.warning': prints,
  'logging.error': prints,
  'json.dump': (call, m) => {
    const file = call.args[1];
    if (file?.type === 'Stdout') shows(m, call.args.slice(0, 1), 'json.dump');
    writesOpen({ ...call, self: file, args: call.args.slice(0, 1).map((value) => derived(value)) }, m);
    return UNKNOWN;
  },
  'json.dumps': (call) => (call.args[0] && call.args[0].type === 'Environment' ? call.args[0] : derived(...call.args)),
  'json.load': (call) => derived(...call.args),
  'json.loads': passes,
  input: () => hole('input', { marks: Mark.input }),
  'base64.b64decode': decodes('base64'),
  'base64.urlsafe_b64decode': decodes('base64'),
  'base64.standard_b64decode': decodes('base64'),
  'base64.decodebytes': decodes('base64'),
  'binascii.a2b_base64': decodes('base64'),
  'binascii.unhexlify': decodes('hex'),
  'bytes.fromhex': decodes('hex'),
  'bytearray.fromhex': decodes('hex'),
  'base64.b32decode': DECODED,
  'base64.b85decode': DECODED,
  'base64.a85decode': DECODED,
  'base64.b16decode': decodes('hex'),
  'codecs.decode': DECODED,
  'marshal.loads': DECODED,
  'zlib.decompress': DECODED,
  'gzip.decompress': DECODED,
  'bz2.decompress': DECODED,
  'lzma.decompress': DECODED,
  'base64.b64encode': passes,
  're.sub': replacing(2),
  're.subn': replacing(2),
  're.compile': () => ({ type: 'Pattern', marks: 0 }),
  'string.Template': same,
  'textwrap.dedent': same,
  'urllib.request.urlopen': urlopen,
  'urllib.urlopen': urlopen,
  'urllib2.urlopen': urlopen,
  urlopen,
  'urllib.request.Request': (call) => ({
    type: 'Request',
    fields: new Map(Object.entries({ url: arg(call, 0, 'url') ?? UNKNOWN, data: arg(call, 1, 'data') ?? NONE })),
    marks: 0,
  }),
  'urllib.request.urlretrieve': (call, m) => {
    fetches(m, call.args[0], call.args[1]);
    if (call.args[1]) writes(m, call.args[1], { mode: 'truncate', name: 'urlretrieve' });
    return { items: [call.args[1] ?? UNKNOWN, UNKNOWN], marks: 0 };
  },
  'http.client.HTTPSConnection': (call) => ({ type: 'Connection', of: call.args[0], marks: 0 }),
  'http.client.HTTPConnection': (call) => ({ type: 'Connection', of: call.args[0], marks: 0 }),
  'socket.socket': () => ({ type: 'Socket', fields: new Map(), marks: 0 }),
  'socket.create_connection': (call) => ({ type: 'Socket', fields: new Map([['to', call.args[0] ?? UNKNOWN]]), marks: 0 }),
  'sqlite3.connect': (call) => (textIn(call.args[0]) === ':memory:' ? { type: 'MemoryDatabase', marks: 0 } : ref('sqlite3.database')),
  'tempfile.mkdtemp': (_call, m) => temporary(m),
  'tempfile.gettempdir': (_call, m) => text(m.look.tmp),
  'tempfile.mktemp': (_call, m) => temporary(m),
  'tempfile.mkstemp': (_call, m) => ({ items: [UNKNOWN, temporary(m)], marks: 0 }),
  'tempfile.TemporaryDirectory': (_call, m) => temporary(m, 'Temp'),
  'tempfile.NamedTemporaryFile': (_call, m) => ({ type: 'File', of: temporary(m), fields: new Map([['name', temporary(m)]]), marks: 0 }),
  'pathlib.Path': path,
  'pathlib.PurePath': path,
  'pathlib.PosixPath': path,
  'pathlib.WindowsPath': path,
  'py.path.local': path,
  'pathlib.Path.home': (_call, m) => asPath(text(m.look.home)),
  'pathlib.Path.cwd': (_call, m) => asPath(m.cwd === undefined ? hole('directory') : text(m.cwd)),
  'fileinput.input': (call, m) => {
    if (isTrue(call.named.get('inplace')))
      writes(m, arg(call, 0, 'files'), { mode: 'in-place', name: 'fileinput', content: { marks: Mark.read | Mark.replaced } });
    return contentOf(call.args[0]);
  },
  'dotenv.load_dotenv': nothing,
  'dotenv.dotenv_values': (call) => contentOf(call.args[0] ?? text('.env')),
  'numpy.savetxt': does((call, m) => writes(m, call.args[0], { mode: 'truncate', name: 'savetxt' })),
  'numpy.save': does((call, m) => writes(m, call.args[0], { mode: 'truncate', name: 'save' })),
  'pandas.read_csv': (call) => ({ ...contentOf(call.args[0]), parts: undefined }),
};

function environmentOf(key: Value | undefined, otherwise: Value | undefined, m: Machine): Value {
  const name = textIn(key);
  if (name === undefined) return hole('variable');
  const value = environment(m, name);
  return textIn(value) !== undefined || !otherwise || otherwise.type === 'None' ? value : { ...value, others: [otherwise] };
}

function expandVariables(value: Value | undefined, m: Machine): Value {
  const known = textIn(value);
  if (known === undefined || known.length > 8192) return value ?? UNKNOWN;
  return concat(known.split(/\$\{?(\w+)\}?/).map((piece, i) => (i % 2 === 0 ? text(piece) : environment(m, piece))));
}

const onSelf =
  (work: (self: Value, m: Machine) => Value): Handler =>
  (call, m) =>
    work(call.self ?? UNKNOWN, m);

const methods: Record<string, Handler> = {
  'Path.unlink': deletesSelf(false),
  'Path.rmdir': deletesSelf(false),
  'Path.rename': rename,
  'Path.replace': rename,
  'Path.move': rename,
  'Path.write_text': does((call, m) => writes(m, call.self, { mode: 'truncate', name: 'write_text', content: arg(call, 0, 'data') })),
  'Path.write_bytes': does((call, m) => writes(m, call.self, { mode: 'truncate', name: 'write_bytes', content: call.args[0] })),
  'Path.open': (call, m) => opens(m, call.self, textIn(arg(call, 0, 'mode')) ?? 'r', 'open'),
  'Path.read_text': (call) => contentOf(call.self),
  'Path.read_bytes': (call) => contentOf(call.self),
  'Path.touch': does((call, m) => writes(m, call.self, { mode: 'append', name: 'touch', content: text('') })),
  'Path.mkdir': does((call, m) => makes(m, call.self)),
  'Path.chmod': does((call, m) => changesMode(m, call.self, call.args[0])),
  'Path.symlink_to': does((call, m) => links(m, call.args[0], call.self, true)),
  'Path.hardlink_to': does((call, m) => links(m, call.args[0], call.self, false)),
  'Path.copy': does((call, m) => copies(m, call.self, call.args[0], { into: false, name: 'copy' })),
  'Path.iterdir': (call, m) => asPath(joinPaths([call.self!, NAMES], m)),
  'Path.glob': (call, m) => asPath(globbed(joinPaths([call.self!, ...call.args], m))),
  'Path.rglob': (call, m) => asPath(globbed(joinPaths([call.self!, text('**'), ...call.args], m))),
  'Path.joinpath': (call, m) => asPath(joinPaths([call.self!, ...call.args], m)),
  'Path.with_name': (call, m) => asPath(joinPaths([parentOf(call.self), ...call.args], m)),
  'Path.with_suffix': (call) => asPath(withSuffix(call.self, call.args[0])),
  'Path.resolve': (call, m) => asPath(absolute(call.self, m)),
  'Path.absolute': (call, m) => asPath(absolute(call.self, m)),
  'Path.expanduser': (call, m) => asPath(expanded(call.self, m)),
  'Path.exists': nothing,
  'Path.is_file': nothing,
  'Path.is_dir': nothing,
  'Path.stat': nothing,
  'Path.relative_to': (call) => call.self,
  'Path#parent': onSelf((self) => asPath(parentOf(self))),
  'Path#name': onSelf((self) => nameOf(self)),
  'Path#stem': onSelf((self) => hole('stem', { marks: self.marks })),
  'Path#suffix': () => hole('suffix'),
  'DirEntry#path': onSelf((self) => ({ ...self, type: undefined })),
  'DirEntry#name': () => NAMES,
  'DirEntry.is_file': nothing,
  'DirEntry.is_dir': nothing,
  'File.read': (call) => contentOf(call.self?.of),
  'File.readlines': (call) => contentOf(call.self?.of),
  'File.readline': (call) => contentOf(call.self?.of),
  'File.write': writesOpen,
  'File.writelines': writesOpen,
  'File.truncate': (call) => {
    if (call.self?.write) call.self.write.mode = 'truncate';
    return UNKNOWN;
  },
  'Pattern.sub': replacing(1),
  'Pattern.subn': replacing(1),
  'Pattern.findall': passes,
  'Psutil.kill': does((call, m) => kills(m, call.self?.of, undefined, call.self?.of ? 'pid' : 'name')),
  'Psutil.terminate': does((call, m) => kills(m, call.self?.of, undefined, call.self?.of ? 'pid' : 'name')),
  'Connection.request': (call, m) =>
    requests(m, concat([text('https://'), call.self?.of ?? UNKNOWN, call.args[1] ?? text('/')]), [
      arg(call, 2, 'body'),
      ...(/^(?:GET|HEAD)$/i.test(textIn(call.args[0]) ?? 'GET') ? [] : [text('')]),
    ]),
  'Connection.getresponse': (call) => response(call.self?.of),
  'Socket.connect': does((call) => call.self?.fields?.set('to', call.args[0] ?? UNKNOWN)),
  'Socket.send': socketSend,
  'Socket.sendall': socketSend,
  'Socket.recv': () => ({ ...hole('received'), marks: Mark.net, url: '' }),
  'Socket.makefile': () => UNKNOWN,
  'MemoryDatabase.execute': nothing,
  'MemoryDatabase.executescript': nothing,
  'MemoryDatabase.cursor': (call) => call.self,
  'Environment.get': (call, m) => environmentOf(call.args[0], call.args[1], m),
  'Environment.copy': (call) => call.self,
  'Environment.items': (call) => call.self,
  'Environment.values': (call) => call.self,
  'Environment.keys': nothing,
  'Environment.update': nothing,
  'Environment.setdefault': nothing,
  'Temp.cleanup': nothing,
  'Temp#name': onSelf((self) => ({ ...self, type: undefined })),
};

function socketSend(call: Parameters<Handler>[0], m: Machine): Value {
  const to = call.self?.fields?.get('to');
  const known = each(to ?? UNKNOWN)
    .map((part) => textIn(part) ?? '')
    .join(':');
  if (call.args.some((value) => derived(value).marks !== 0 || derived(value).vars)) sends(m, text(known), call.args, 'socket');
  return UNKNOWN;
}

function withSuffix(value: Value | undefined, suffix: Value | undefined): Value {
  const known = textIn(value);
  const tail = textIn(suffix);
  return known !== undefined && tail !== undefined ? text(known.replace(/\.[^./]*$/, '') + tail) : hole('path');
}

const sql: Handler = (call, m) => {
  queries(m, call.args[0], 'python');
  return call.self ?? UNKNOWN;
};

const destroys =
  (how: string): Handler =>
  (call, m) => {
    destroysData(m, how, call.args[0], 'python');
    return UNKNOWN;
  };
const loose: Record<string, Handler> = {
  delete_index: destroys('drop'),
  clear_objects: destroys('delete-all'),
  drop_database: destroys('drop'),
  drop_collection: destroys('drop'),
  drop_all: destroys('drop'),
  flushall: destroys('flush'),
  flushdb: destroys('flush'),
  rmtree: does((call, m) => deletes(m, call.args[0] ?? call.self, { recursive: true, name: 'rmtree' })),
  unlink: deletesSelf(false),
  write_text: does((call, m) => writes(m, call.self, { mode: 'truncate', name: 'write_text', content: call.args[0] })),
  write_bytes: does((call, m) => writes(m, call.self, { mode: 'truncate', name: 'write_bytes' })),
  execute: sql,
  executescript: sql,
  executemany: sql,
  query_db: sql,
  system: undefined as unknown as Handler,
  keys: nothing,
  to_csv: does((call, m) => writes(m, call.args[0], { mode: 'truncate', name: 'to_csv' })),
  to_json: does((call, m) => call.args[0] && writes(m, call.args[0], { mode: 'truncate', name: 'to_json' })),
  savefig: does((call, m) => writes(m, call.args[0], { mode: 'truncate', name: 'savefig' })),
};
delete loose['system'];

const MODULES: Readonly<Record<string, string>> = {
  posix: 'os',
  nt: 'os',
  _io: 'io',
  posixpath: 'os.path',
  ntpath: 'os.path',
  builtins: '',
  __builtins__: '',
  __builtin__: '',
  np: 'numpy',
  pd: 'pandas',
  requests_toolbelt: 'requests',
};

export const PYTHON_LANGUAGE: Language = {
  name: 'python',
  calls,
  methods,
  loose,
  signals:
    /remove|unlink|rm|write|open|system|exec|eval|subprocess|popen|spawn|kill|environ|getenv|truncate|rename|replace|move|copy|chmod|chown|link|url|http|request|socket|import_|__import__|getattr|sudo|fork|b64|decode|mkdir|touch|mkdtemp|glob|execute|query|dotenv|save|to_csv|httpx|runpy|sh\./i,
  canonical(name) {
    const cut = name.indexOf('.');
    const head = cut < 0 ? name : name.slice(0, cut);
    const module = Object.hasOwn(MODULES, head) && cut > 0 ? MODULES[head]! : head;
    const full = cut < 0 ? module : `${module}${module === '' ? name.slice(cut + 1) : name.slice(cut)}`;
    return full
      .replace(
        /^os\.(execv|execve|execvp|execvpe|execl|execle|execlp|execlpe|spawnv|spawnve|spawnvp|spawnl|spawnlp|spawnle)$/,
        'os.posix_spawn',
      )
      .replace(/^os\.path\.(?:posixpath|os)\./, 'os.path.');
  },
  constant(name, m) {
    switch (name) {
      case 'os.environ':
      case 'os.environb':
        return { type: 'Environment', marks: 0 };
      case 'sys.argv':
        return { items: [text(m.file ?? '-c'), ...m.args], type: 'Arguments', marks: 0 };
      case 'sys.executable':
        return text('python3');
      case 'sys.stdout':
        return { type: 'Stdout', ref: 'sys.stdout', marks: 0 };
      case 'os.sep':
      case 'os.path.sep':
        return text('/');
      case 'os.curdir':
        return text('.');
      case 'os.pardir':
        return text('..');
      case 'os.devnull':
        return text('/dev/null');
      case '__file__':
        return m.file === undefined ? hole('__file__') : text(m.file);
      case '__name__':
        return text('__main__');
      case 'None':
        return NONE;
      case 'True':
        return TRUE;
      case 'False':
        return FALSE;
      default: {
        const signal = /^signal\.SIG(\w+)$/.exec(name);
        if (signal) return text(signal[1]!);
        const flag = /^(?:os|stat)\.(O_\w+)$/.exec(name);
        return flag ? text(flag[1]!) : undefined;
      }
    }
  },
};
