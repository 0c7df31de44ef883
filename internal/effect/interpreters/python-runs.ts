/** Functions of Python that start programs, decode, and use the network. */
import {
  arg,
  DECODED,
  decodes,
  does,
  evaluates,
  foreignHeaders,
  foreignLogin,
  isTrue,
  option,
  passes,
  requests,
  same,
  shellOrArgv,
  shells,
} from './api-common.ts';
import { exhausts, fetches, type Handler, handsShell, kills, runsArgv, runsText, writes } from './machine.ts';
import { environmentOf } from './python-paths.ts';
import { derived, each, hole, NONE, ref, text, textIn, UNKNOWN } from './value.ts';

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
  const rest = call.name === 'os.spawnv' ? call.args.slice(1) : call.args;
  const list = rest[1]?.items ?? rest.slice(1);
  runsArgv(m, [rest[0] ?? UNKNOWN, ...list.slice(1).filter((value) => !value.fields && value.type !== 'Environment')], call.name);
  return UNKNOWN;
};

export const send =
  (method: string): Handler =>
  (call, m) => {
    const url = arg(call, method === 'request' ? 1 : 0, 'url');
    const payload = [
      arg(call, method === 'request' ? 2 : 1, 'data'),
      ...['json', 'files', 'content', 'params'].map((name) => call.named.get(name)),
      foreignHeaders(call.named.get('headers'), url),
      ...['auth', 'cookies'].map((name) => foreignLogin(call.named.get(name), url)),
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

export const RUN_CALLS: Record<string, Handler> = {
  ...http,
  'os.getenv': (call, m) => environmentOf(call.args[0], call.args[1], m),
  'os.environ.get': (call, m) => environmentOf(call.args[0], call.args[1], m),
  'os.environ.pop': (call, m) => environmentOf(call.args[0], undefined, m),
  'os.dup2': does(
    (call, m) =>
      call.args[0]?.type === 'SocketNumber' &&
      textIn(call.args[1]) !== '2' &&
      textIn(call.args[1]) !== '1' &&
      handsShell(m, call.args[0].of),
  ),
  'os.system': shells(),
  'os.popen': shells(),
  'os.posix_spawn': replaces,
  'os.execv': replaces,
  'os.spawnv': replaces,
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
  'sqlalchemy.text': same,
  'sqlalchemy.sql.text': same,
  'psycopg.sql.SQL': same,
  'psycopg2.sql.SQL': same,
  'sqlite3.connect': (call) => (textIn(call.args[0]) === ':memory:' ? { type: 'MemoryDatabase', marks: 0 } : ref('sqlite3.database')),
};
