/** What the functions of Node, Bun and Deno do. */
import {
  DECODED,
  decodes,
  does,
  evaluates,
  FALSE,
  globs,
  joins,
  nameOf,
  nothing,
  option,
  parentOf,
  passes,
  prints,
  requests,
  runsProgram,
  same,
  shells,
  TRUE,
} from './api-common.ts';
import { apply } from './calls.ts';
import { NODE_GIT_CALLS, NODE_GIT_METHODS } from './git-clients.ts';
import { environment, type Handler, type Language, runsArgv, writes } from './machine.ts';
import { member } from './names.ts';
import { fileWrite, read, removes, removesTree, stream, table, write } from './node-files.ts';
import { loose, methods } from './node-methods.ts';
import {
  dirOf,
  fetching,
  functionOf,
  getting,
  http,
  killing,
  later,
  posting,
  requesting,
  required,
  resolved,
  shelljs,
  spawned,
  tagged,
} from './node-runs.ts';
import { joinPaths } from './operators.ts';
import { derived, hole, Mark, NONE, ref, text, textIn, UNKNOWN, type Value } from './value.ts';

const calls: Record<string, Handler> = { ...NODE_GIT_CALLS };

for (const [name, handler] of Object.entries(table)) {
  calls[`fs.${name}`] = handler;
  if (!name.endsWith('Sync')) calls[`fs.${name}Sync`] = handler;
  calls[`Deno.${name}`] = name === 'remove' ? removes : handler;
  if (!name.endsWith('Sync')) calls[`Deno.${name}Sync`] = handler;
}

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

const ENVIRONMENT: Value = { type: 'Environment', marks: 0 };

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
  methods: { ...methods, ...NODE_GIT_METHODS },
  loose,
  signals:
    /\brm|remove|unlink|write|append|truncate|rename|move|copy|exec|spawn|fork|eval|Function|fetch|axios|http|request|env|kill|atob|Buffer|chmod|chown|link|open|Deno|Bun|shell|\$`|rimraf|del\b|trash|mkdir|query|import\(|readFile|got|vm\b|_load|constructor|simple-git/,
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
