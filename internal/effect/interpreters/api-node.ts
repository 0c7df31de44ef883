/** What the functions of Node, Bun and Deno do. */
import {
  called,
  changes,
  contentOf,
  DECODED,
  decodes,
  does,
  evaluates,
  FALSE,
  globs,
  isTrue,
  joins,
  marked,
  NAMES,
  nameOf,
  nothing,
  openMode,
  opens,
  option,
  parentOf,
  passes,
  prints,
  requests,
  response,
  runsProgram,
  same,
  shells,
  TRUE,
  temporary,
  writesOpen,
} from './api-common.ts';
import { apply, globbed, joinPaths, member } from './evaluate.ts';
import {
  copies,
  deletes,
  destroysData,
  environment,
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
  type WriteHow,
  writes,
} from './machine.ts';
import { concat, derived, hole, Mark, NONE, ref, text, textIn, UNKNOWN, type Value } from './value.ts';

const removes: Handler = (call, m) => {
  const options = call.args.find((value, i) => i > 0 && value.fields);
  deletes(m, call.args[0], {
    recursive: isTrue(option(options, 'recursive')) || /^(?:fs\.)?(?:remove|rimraf|emptyDir)/.test(call.name),
    name: call.name,
  });
  return called(call, m);
};
const removesTree: Handler = (call, m) => {
  for (const value of call.args)
    if (!value.fn && !value.fields)
      deletes(m, value.parts ? globbed(value) : { ...value, items: value.items?.map(globbed) }, { recursive: true, name: call.name });
  return called(call, m);
};
const empties: Handler = (call, m) => {
  if (call.args[0]) deletes(m, joinPaths([call.args[0], NAMES], m), { recursive: true, name: call.name });
  return called(call, m);
};
const write =
  (mode: WriteHow['mode']): Handler =>
  (call, m) => {
    const options = call.args.find((value, i) => i > 1 && value.fields);
    const flag = textIn(option(options, 'flag')) ?? textIn(option(options, 'flags'));
    const own = isTrue(option(options, 'append')) ? 'append' : flag !== undefined ? (openMode(flag) ?? mode) : mode;
    const target = call.args[0]?.type === 'BunFile' ? call.args[0].of : call.args[0];
    writes(m, target, { mode: own, name: call.name, ...(call.args[1] && !call.args[1].fn ? { content: call.args[1] } : {}) });
    return called(call, m);
  };
const move: Handler = (call, m) => {
  moves(m, call.args[0], call.args[1], { into: false, name: call.name });
  return called(call, m);
};
const copy =
  (recursive: boolean): Handler =>
  (call, m) => {
    const flags = `${textIn(call.args[2]) ?? ''}${call.args[2]?.ref ?? ''}`;
    copies(m, call.args[0], call.args[1], {
      into: false,
      recursive,
      noClobber: /EXCL/.test(flags) || option(call.args[2], 'force')?.type === 'false',
      name: call.name,
    });
    return called(call, m);
  };
const read: Handler = (call, m) => {
  const content = contentOf(call.args[0]?.type === 'BunFile' ? call.args[0].of : call.args[0]);
  called(call, m, content);
  return content;
};
const list: Handler = (call, m) => {
  const names: Value = isTrue(option(call.args[1], 'recursive')) ? { parts: [{ kind: 'glob', text: '**' }], marks: 0 } : NAMES;
  called(call, m, names);
  return names;
};
const openFile: Handler = (call, m) => {
  const file = opens(m, call.args[0], (textIn(call.args[1]) ?? 'r').replace(/[^rwax+]/g, ''), call.name);
  called(call, m, file);
  return file;
};
const stream: Handler = (call, m) => {
  const flags = textIn(option(call.args[1], 'flags')) ?? 'w';
  return opens(m, call.args[0], flags, call.name);
};

/** fetch(url, {method, body}); axios and the like take the same fields. */
const fetching: Handler = (call, m) => {
  const options = call.args[0]?.fields ? call.args[0] : call.args[1];
  const url = call.args[0]?.fields ? option(options, 'url') : call.args[0];
  const method = (textIn(option(options, 'method')) ?? 'GET').toUpperCase();
  const body = option(options, 'body') ?? option(options, 'data') ?? option(options, 'json');
  const headers = option(options, 'headers');
  return requests(m, url, [
    body,
    ...(headers && derived(headers).vars ? [headers] : []),
    ...(method === 'GET' || method === 'HEAD' || body ? [] : [text('')]),
  ]);
};
const posting: Handler = (call, m) => requests(m, call.args[0], [call.args[1] ?? text('')]);
const getting: Handler = (call, m) => {
  const result = requests(m, call.args[0], []);
  called(call, m, result);
  const fn = call.args.at(-1);
  if (fn?.fn) m.call(fn, [result]);
  return result;
};
const requesting: Handler = (call, m) => {
  const options = call.args.find((value) => value.fields);
  const host = option(options, 'hostname') ?? option(options, 'host');
  const url = host ? concat([text('https://'), host, option(options, 'path') ?? text('')]) : call.args[0];
  const fn = call.args.at(-1);
  if (fn?.fn) m.call(fn, [response(url)]);
  return { type: 'Request', of: url, marks: 0 };
};

const required: Handler = (call, m) => {
  const name = textIn(call.args[0])?.replace(/^node:/, '');
  if (name === undefined) return UNKNOWN;
  if (name.startsWith('.') || name.startsWith('/'))
    return name.endsWith('.json')
      ? { ...contentOf(joinPaths([text(m.file ? dirOf(m.file) : (m.cwd ?? '.')), text(name)], m)), parts: undefined }
      : UNKNOWN;
  return ref(name);
};
const dirOf = (file: string): string => file.slice(0, Math.max(1, file.lastIndexOf('/')));

const tagged: Handler = (call, m) => {
  runsText(m, call.args[0], 'shell', '$`…`');
  return hole('output');
};
const resolved: Handler = (call, m) => {
  const value = joinPaths(call.args, m);
  const first = value.parts?.[0];
  return m.cwd === undefined || (first?.kind === 'text' && first.text.startsWith('/')) ? value : joinPaths([text(m.cwd), value], m);
};

const table: Record<string, Handler> = {
  rm: removes,
  unlink: removes,
  rmdir: removes,
  remove: removes,
  rimraf: removesTree,
  emptyDir: empties,
  emptydir: empties,
  writeFile: write('truncate'),
  outputFile: write('truncate'),
  writeJson: write('truncate'),
  writeJSON: write('truncate'),
  outputJson: write('truncate'),
  outputJSON: write('truncate'),
  appendFile: write('append'),
  truncate: write('truncate'),
  rename: move,
  move,
  copyFile: copy(false),
  cp: copy(true),
  copy: copy(true),
  mkdir: (call, m) => {
    makes(m, call.args[0]);
    return called(call, m);
  },
  mkdirp: does((call, m) => makes(m, call.args[0])),
  ensureDir: does((call, m) => makes(m, call.args[0])),
  mkdtemp: (_call, m) => temporary(m),
  chmod: changes(0, 1),
  lchmod: changes(0, 1),
  chown: changes(0, 1, 'owner'),
  lchown: changes(0, 1, 'owner'),
  symlink: (call, m) => {
    links(m, call.args[0], call.args[1], true);
    return called(call, m);
  },
  link: (call, m) => {
    links(m, call.args[0], call.args[1], false);
    return called(call, m);
  },
  readFile: read,
  readJson: read,
  readdir: list,
  glob: globs,
  open: openFile,
  realpath: same,
  stat: nothing,
  exists: nothing,
  access: nothing,
  existsSync: nothing,
  statSync: nothing,
  lstatSync: nothing,
};
const calls: Record<string, Handler> = {};
for (const [name, handler] of Object.entries(table)) {
  calls[`fs.${name}`] = handler;
  if (!name.endsWith('Sync')) calls[`fs.${name}Sync`] = handler;
  calls[`Deno.${name}`] = name === 'remove' ? removes : handler;
  if (!name.endsWith('Sync')) calls[`Deno.${name}Sync`] = handler;
}
const http: Record<string, Handler> = {};
for (const library of ['axios', 'got', 'ky', 'superagent', 'needle', 'request', 'undici']) {
  for (const method of ['post', 'put', 'patch', 'delete', 'postForm'])
    http[`${library}.${method}`] =
      library === 'got' || library === 'ky'
        ? (call, m) =>
            requests(m, call.args[0], [
              option(call.args[1], 'json') ?? option(call.args[1], 'body') ?? option(call.args[1], 'form') ?? text(''),
            ])
        : posting;
  for (const method of ['get', 'head', 'options']) http[`${library}.${method}`] = getting;
  http[library] = fetching;
  for (const method of ['request', 'fetch', 'stream']) http[`${library}.${method}`] = fetching;
  for (const method of ['create', 'extend', 'default']) http[`${library}.${method}`] = () => ref(library);
}
const others: Record<string, Handler> = {
  'fs.createWriteStream': stream,
  'fs.createReadStream': read,
  'fs.writeSync': fileWrite,
  'fs.write': fileWrite,
  'fs.ftruncateSync': nothing,
  'fs.ftruncate': nothing,
  'Deno.writeTextFile': write('truncate'),
  'Deno.writeTextFileSync': write('truncate'),
  'Deno.readTextFile': read,
  'Deno.readTextFileSync': read,
  'Deno.env.get': (call, m) => environment(m, textIn(call.args[0]) ?? ''),
  'Deno.env.toObject': () => ENVIRONMENT,
  'Deno.cwd': (_call, m) => (m.cwd === undefined ? hole('directory') : text(m.cwd)),
  'Deno.kill': killing,
  'Deno.run': does((call, m) => runsArgv(m, option(call.args[0], 'cmd')?.items ?? [], 'Deno.run')),
  'Deno.Command': does((call, m) => runsArgv(m, [call.args[0] ?? UNKNOWN, ...(option(call.args[1], 'args')?.items ?? [])], 'Deno.Command')),
  'Bun.write': write('truncate'),
  'Bun.file': (call) => ({ type: 'BunFile', of: call.args[0], marks: 0 }),
  'Bun.spawn': spawned,
  'Bun.spawnSync': spawned,
  'Bun.$': tagged,
  'bun.$': tagged,
  $: tagged,
  'zx.$': tagged,
  'execa.$': tagged,
  'execa.execaCommand': shells(),
  'execa.execaCommandSync': shells(),
  'execa.command': shells(),
  execa: runsProgram,
  'execa.execa': runsProgram,
  'execa.execaSync': runsProgram,
  'execa.sync': runsProgram,
  'cross-spawn': runsProgram,
  'cross-spawn.sync': runsProgram,
  'cross-spawn.spawn': runsProgram,
  'child_process.exec': shells(),
  'child_process.execSync': shells(),
  'child_process.spawn': runsProgram,
  'child_process.spawnSync': runsProgram,
  'child_process.execFile': runsProgram,
  'child_process.execFileSync': runsProgram,
  'child_process.fork': does((call, m) => runsArgv(m, [text('node'), call.args[0] ?? UNKNOWN, ...(call.args[1]?.items ?? [])], 'fork')),
  'shelljs.exec': shells(),
  'shelljs.rm': shelljs('rm'),
  'shelljs.mv': shelljs('mv'),
  'shelljs.cp': shelljs('cp'),
  'shelljs.mkdir': shelljs('mkdir'),
  'shelljs.chmod': shelljs('chmod'),
  'shelljs.touch': nothing,
  'shelljs.sed': does((call, m) =>
    textIn(call.args[0]) === '-i'
      ? writes(m, call.args[3], { mode: 'in-place', name: 'sed', content: { marks: Mark.read | Mark.replaced } })
      : undefined,
  ),
  rimraf: removesTree,
  'rimraf.sync': removesTree,
  'rimraf.rimraf': removesTree,
  'rimraf.rimrafSync': removesTree,
  'rimraf.native': removesTree,
  del: removesTree,
  'del.sync': removesTree,
  'del.deleteAsync': removesTree,
  'del.deleteSync': removesTree,
  trash: nothing,
  'path.join': joins,
  'path.resolve': resolved,
  'path.normalize': same,
  'path.dirname': (call) => parentOf(call.args[0]),
  'path.basename': (call) => nameOf(call.args[0]),
  'path.relative': (call) => call.args[1],
  'path.extname': nothing,
  'os.homedir': (_call, m) => text(m.look.home),
  'os.tmpdir': (_call, m) => text(m.look.tmp),
  'os.userInfo': (_call, m) => ({ fields: new Map([['homedir', text(m.look.home)]]), marks: 0 }),
  'process.cwd': (_call, m) => (m.cwd === undefined ? hole('directory') : text(m.cwd)),
  'process.chdir': (call, m) => {
    const where = textIn(resolved(call, m));
    m.cwd = where?.startsWith('/') ? where : undefined;
    return UNKNOWN;
  },
  'process.kill': killing,
  'url.fileURLToPath': same,
  'url.URL': (call, m) => (call.args[1] ? joinPaths([parentOf(call.args[1]), call.args[0] ?? UNKNOWN], m) : (call.args[0] ?? UNKNOWN)),
  URL: (call, m) => (call.args[1] ? joinPaths([parentOf(call.args[1]), call.args[0] ?? UNKNOWN], m) : (call.args[0] ?? UNKNOWN)),
  require: required,
  import: (call, m) => required(call, m),
  'module.createRequire': () => ref('require'),
  'process.mainModule.require': required,
  'module.constructor._load': required,
  'util.promisify': same,
  'util.callbackify': same,
  fetch: fetching,
  'node-fetch': fetching,
  'undici.fetch': fetching,
  'http.get': getting,
  'https.get': getting,
  'http.request': requesting,
  'https.request': requesting,
  eval: evaluates(),
  'vm.runInNewContext': evaluates(),
  'vm.runInThisContext': evaluates(),
  'vm.runInContext': evaluates(),
  'vm.Script': same,
  Function: functionOf,
  setTimeout: later,
  setInterval: later,
  setImmediate: later,
  'process.nextTick': later,
  queueMicrotask: later,
  atob: decodes('base64'),
  'Buffer.from': (call, m) => {
    const encoding = textIn(call.args[1]);
    return encoding === 'base64' || encoding === 'base64url'
      ? decodes('base64')(call, m)
      : encoding === 'hex'
        ? decodes('hex')(call, m)
        : (call.args[0] ?? UNKNOWN);
  },
  'zlib.gunzipSync': DECODED,
  'zlib.inflateSync': DECODED,
  'zlib.brotliDecompressSync': DECODED,
  'zlib.unzipSync': DECODED,
  unescape: DECODED,
  decodeURIComponent: same,
  btoa: passes,
  'console.log': prints,
  'console.info': prints,
  'console.error': prints,
  'console.warn': prints,
  'console.dir': prints,
  'console.table': prints,
  'console.debug': prints,
  'process.stdout.write': prints,
  'process.stderr.write': prints,
  'JSON.stringify': (call) =>
    call.args[0]?.type === 'Environment' ? call.args[0] : call.args[0]?.parts ? call.args[0] : derived(call.args[0] ?? UNKNOWN),
  'JSON.parse': passes,
  String: same,
  'String.raw': same,
  'String.fromCharCode': (call) =>
    call.args.every((value) => value.num !== undefined && value.num < 0x110000)
      ? text(call.args.map((value) => String.fromCodePoint(Math.max(0, value.num!))).join(''))
      : hole('text'),
  'Object.keys': nothing,
  'Object.entries': same,
  'Object.values': same,
  'Object.assign': same,
  'Object.fromEntries': same,
  'Object.freeze': same,
  'Array.from': same,
  'Promise.all': same,
  'Promise.allSettled': same,
  'Promise.resolve': same,
  'Reflect.apply': (call, m) => apply(call.args[0] ?? UNKNOWN, call.args[2]?.items ?? [], new Map(), m),
  'Reflect.get': (call, m) => member(call.args[0] ?? UNKNOWN, textIn(call.args[1]) ?? '', m),
  Boolean: nothing,
  Number: nothing,
  parseInt: nothing,
  'dotenv.config': nothing,
  'readline.createInterface': nothing,
  'glob.sync': globs,
  'glob.globSync': globs,
  'glob.glob': globs,
  glob: globs,
  'fast-glob': globs,
  'fast-glob.sync': globs,
  globby: globs,
  'globby.globby': globs,
  'globby.globbySync': globs,
  'globby.sync': globs,
};
Object.assign(calls, http, others);

function shelljs(program: string): Handler {
  return (call, m) => {
    runsArgv(
      m,
      [
        text(program),
        ...call.args
          .flatMap((value) => value.items ?? [value])
          .map((value) => (value.parts && !textIn(value)?.startsWith('-') ? globbed(value) : value)),
      ],
      call.name,
    );
    return hole('output');
  };
}
function spawned(call: Parameters<Handler>[0], m: Machine): Value {
  const words = call.args[0]?.items ?? option(call.args[0], 'cmd')?.items ?? [];
  runsArgv(m, words, call.name);
  return hole('output');
}
function killing(call: Parameters<Handler>[0], m: Machine): Value {
  kills(m, call.args[0], call.args[1], textIn(call.args[0]) === '-1' ? 'all' : 'pid');
  return UNKNOWN;
}
function fileWrite(call: Parameters<Handler>[0], m: Machine): Value {
  writesOpen({ ...call, self: call.args[0], args: call.args.slice(1, 2) }, m);
  return UNKNOWN;
}
function functionOf(call: Parameters<Handler>[0], m: Machine): Value {
  runsText(m, call.args.at(-1), 'program', 'Function');
  return UNKNOWN;
}
function later(call: Parameters<Handler>[0], m: Machine): Value {
  const fn = call.args[0];
  if (fn?.fn) m.call(fn, []);
  else if (textIn(fn) !== undefined) runsText(m, fn, 'program', call.name);
  return UNKNOWN;
}

const ENVIRONMENT: Value = { type: 'Environment', marks: 0 };
const sql: Handler = (call, m) => {
  queries(m, call.args[0], 'node');
  const fn = call.args.at(-1);
  if (fn?.fn)
    m.call(
      fn,
      fn.fn.params.map((param) => hole(param || 'value')),
    );
  return { ...derived(call.self ?? UNKNOWN) };
};

const methods: Record<string, Handler> = {
  'File.write': writesOpen,
  'File.end': writesOpen,
  'File.writeFile': writesOpen,
  'File.appendFile': writesOpen,
  'File.close': nothing,
  'File.truncate': nothing,
  'File.readFile': (call) => contentOf(call.self?.of),
  'File.on': nothing,
  'Request.write': requestWrite,
  'Request.end': requestWrite,
  'Request.on': (call, m) => {
    const fn = call.args.at(-1);
    if (fn?.fn) m.call(fn, [response(call.self?.of)]);
    return call.self;
  },
  'BunFile.delete': does((call, m) => deletes(m, call.self?.of, { recursive: false, name: 'Bun.file().delete' })),
  'BunFile.unlink': does((call, m) => deletes(m, call.self?.of, { recursive: false, name: 'Bun.file().unlink' })),
  'BunFile.text': (call) => contentOf(call.self?.of),
  'BunFile.json': (call) => contentOf(call.self?.of),
  'BunFile.write': does((call, m) => writes(m, call.self?.of, { mode: 'truncate', name: 'Bun.file().write', content: call.args[0] })),
  'Response.on': (call, m) => {
    const fn = call.args.at(-1);
    if (fn?.fn) m.call(fn, [call.self ?? UNKNOWN]);
    return call.self;
  },
};
function requestWrite(call: Parameters<Handler>[0], m: Machine): Value {
  if (call.args.length > 0 && !call.args[0]!.fn) sends(m, call.self?.of, call.args);
  return UNKNOWN;
}

const osascript: Handler = (call, m) => {
  runsText(m, call.args[0], 'shell', 'doShellScript');
  return UNKNOWN;
};
const destroys =
  (how: string): Handler =>
  (call, m) => {
    destroysData(m, how, call.args[0], 'node');
    return UNKNOWN;
  };
const loose: Record<string, Handler> = {
  deleteIndex: destroys('drop'),
  clearObjects: destroys('delete-all'),
  clearIndex: destroys('delete-all'),
  dropDatabase: destroys('drop'),
  dropCollection: destroys('drop'),
  dropAllTables: destroys('drop'),
  flushAll: destroys('flush'),
  flushall: destroys('flush'),
  flushDb: destroys('flush'),
  flushdb: destroys('flush'),
  FLUSHALL: destroys('flush'),
  query: sql,
  execute: sql,
  $executeRawUnsafe: sql,
  $queryRawUnsafe: sql,
  $executeRaw: sql,
  run: sql,
  doShellScript: osascript,
  pipe: pipes,
};
for (const name of [
  'rmSync',
  'unlinkSync',
  'rmdirSync',
  'writeFileSync',
  'appendFileSync',
  'renameSync',
  'copyFileSync',
  'truncateSync',
  'removeSync',
])
  loose[name] = (call, m) => table[name.slice(0, -4)]!(call, m);
for (const name of ['execSync', 'spawnSync', 'execFileSync']) loose[name] = calls[`child_process.${name}`]!;

/** What is fetched and piped into a file is in that file. */
function pipes(call: Parameters<Handler>[0], m: Machine): Value {
  const to = call.args[0];
  if (to?.type === 'File') writesOpen({ ...call, self: to, args: [{ ...hole('stream'), ...marked(call.self, 0) }] }, m);
  if (to?.type === 'Request') sends(m, to.of, [call.self ?? UNKNOWN]);
  return to ?? UNKNOWN;
}

const MODULES: Readonly<Record<string, string>> = {
  'fs/promises': 'fs',
  'fs-extra': 'fs',
  'graceful-fs': 'fs',
  'mz/fs': 'fs',
  fsp: 'fs',
  fsPromises: 'fs',
  'mz/child_process': 'child_process',
  'path/posix': 'path',
  'child-process-promise': 'child_process',
  deno: 'Deno',
  bun: 'bun',
};

export const NODE_LANGUAGE: Language = {
  name: 'js',
  calls,
  methods,
  loose,
  signals:
    /\brm|remove|unlink|write|append|truncate|rename|move|copy|exec|spawn|fork|eval|Function|fetch|axios|http|request|env|kill|atob|Buffer|chmod|chown|link|open|Deno|Bun|shell|\$`|rimraf|del\b|trash|mkdir|query|import\(|readFile|got|vm\b|_load|constructor/,
  canonical(name) {
    let full = name.replace(/^(?:globalThis|global|window|self)\./, '').replace(/^node:/, '');
    const cut = full.indexOf('.');
    const head = cut < 0 ? full : full.slice(0, cut);
    if (Object.hasOwn(MODULES, head)) full = MODULES[head]! + (cut < 0 ? '' : full.slice(cut));
    return full.replace(/^([\w-]+)\.(?:default|promises)(?=\.|$)/, '$1').replace(/^path\.(?:posix|win32)\./, 'path.');
  },
  constant(name, m) {
    switch (name) {
      case 'process.env':
      case 'Bun.env':
      case 'import.meta.env':
        return ENVIRONMENT;
      case 'process.argv':
      case 'Bun.argv':
        return { items: [text('node'), ...(m.file === undefined ? [] : [text(m.file)]), ...m.args], type: 'Arguments', marks: 0 };
      case 'Deno.args':
        return { items: [...m.args], type: 'Arguments', marks: 0 };
      case '__dirname':
      case 'import.meta.dirname':
        return m.file !== undefined ? text(dirOf(m.file)) : m.cwd === undefined ? hole('directory') : text(m.cwd);
      case '__filename':
      case 'import.meta.url':
      case 'import.meta.filename':
      case 'import.meta.path':
        return m.file === undefined ? hole('file') : text(m.file);
      case 'process.pid':
        return { type: 'OwnPid', marks: 0 };
      case 'process.ppid':
        return { type: 'ParentPid', marks: 0 };
      case 'path.sep':
        return text('/');
      case 'os.EOL':
        return text('\n');
      case 'process.execPath':
        return text('node');
      case 'null':
      case 'undefined':
        return NONE;
      case 'true':
        return TRUE;
      case 'false':
        return FALSE;
      default: {
        const flag = /(?:constants|fs)\.(COPYFILE_\w+|O_\w+)$/.exec(name);
        return flag ? text(flag[1]!) : undefined;
      }
    }
  },
};
