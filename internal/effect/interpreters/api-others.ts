/** What the functions of PHP, Lua and R do. */
import {
  arg,
  changes,
  contentOf,
  copiesTo,
  DECODED,
  decodes,
  deletesAll,
  deletesFirst,
  does,
  evaluates,
  FALSE,
  globs,
  isTrue,
  joins,
  makesFirst,
  movesTo,
  NAMES,
  nameOf,
  nothing,
  opens,
  option,
  parentOf,
  passes,
  prints,
  replacing,
  requests,
  same,
  shellOrArgv,
  shells,
  TRUE,
  temporary,
  writesOpen,
} from './api-common.ts';
import { apply, formatted, globbed, joinPaths } from './evaluate.ts';
import {
  copies,
  deletes,
  environment,
  fetches,
  type Handler,
  kills,
  type Language,
  links,
  type Machine,
  moves,
  queries,
  runsArgv,
  runsText,
  shows,
  writes,
} from './machine.ts';
import { concat, derived, each, hole, Mark, NONE, ref, text, textIn, UNKNOWN, type Value } from './value.ts';

const openAt: Handler = (call, m) => opens(m, call.args[0], textIn(call.args[1]) ?? 'r', call.name);
const putFirst: Handler = (call, m) => writesOpen({ ...call, self: call.args[0], args: call.args.slice(1) }, m) ?? UNKNOWN;
const environmentFirst: Handler = (call, m) => (call.args.length === 0 ? ENVIRONMENT : environment(m, textIn(call.args[0]) ?? ''));
const ENVIRONMENT: Value = { type: 'Environment', marks: 0 };

const php: Record<string, Handler> = {
  unlink: deletesFirst(false),
  rmdir: deletesFirst(false),
  rename: movesTo(false),
  copy: copiesTo(false),
  move_uploaded_file: nothing,
  file_put_contents: (call, m) => {
    const flags = (call.args[2]?.parts ?? []).map((part) => part.text).join(' ') + (call.args[2]?.ref ?? '');
    writes(m, call.args[0], {
      mode: /FILE_APPEND/.test(flags) || call.args[2]?.num === 8 ? 'append' : 'truncate',
      name: 'file_put_contents',
      content: call.args[1],
    });
    return UNKNOWN;
  },
  fopen: openAt,
  fwrite: putFirst,
  fputs: putFirst,
  ftruncate: nothing,
  fclose: nothing,
  file_get_contents: (call, m) =>
    /^(?:https?|ftp):/.test(textIn(call.args[0]) ?? '') ? requests(m, call.args[0], []) : contentOf(call.args[0]),
  file: (call) => contentOf(call.args[0]),
  readfile: does((call, m) => shows(m, [contentOf(call.args[0])], 'readfile')),
  fread: (call) => contentOf(call.args[0]?.of),
  fgets: (call) => contentOf(call.args[0]?.of),
  stream_get_contents: (call) => contentOf(call.args[0]?.of),
  mkdir: makesFirst,
  chmod: changes(0, 1),
  chown: changes(0, 1, 'owner'),
  symlink: does((call, m) => links(m, call.args[0], call.args[1], true)),
  link: does((call, m) => links(m, call.args[0], call.args[1], false)),
  touch: does((call, m) => writes(m, call.args[0], { mode: 'append', name: 'touch', content: text('') })),
  exec: shells(),
  system: shells(),
  passthru: shells(),
  shell_exec: shells(),
  popen: shells(),
  proc_open: shellOrArgv,
  pcntl_exec: does((call, m) => runsArgv(m, [call.args[0] ?? UNKNOWN, ...(call.args[1]?.items ?? [])], 'pcntl_exec')),
  eval: evaluates(),
  assert: evaluates(),
  create_function: evaluates(1),
  posix_kill: does((call, m) => kills(m, call.args[0], call.args[1], textIn(call.args[0]) === '-1' ? 'all' : 'pid')),
  base64_decode: decodes('base64'),
  hex2bin: decodes('hex'),
  gzinflate: DECODED,
  gzuncompress: DECODED,
  gzdecode: DECODED,
  str_rot13: DECODED,
  convert_uudecode: DECODED,
  getenv: environmentFirst,
  glob: globs,
  scandir: () => NAMES,
  readdir: () => NAMES,
  opendir: nothing,
  sys_get_temp_dir: (_call, m) => text(m.look.tmp),
  tempnam: (_call, m) => temporary(m),
  tmpfile: nothing,
  getcwd: (_call, m) => (m.cwd === undefined ? hole('directory') : text(m.cwd)),
  dirname: (call) => parentOf(call.args[0]),
  basename: (call) => nameOf(call.args[0]),
  realpath: same,
  str_replace: replacing(2),
  preg_replace: replacing(2),
  str_ireplace: replacing(2),
  strtr: replacing(0),
  trim: same,
  strtolower: same,
  strval: same,
  escapeshellarg: same,
  escapeshellcmd: same,
  sprintf: (call) => formatted(call.args[0] ?? UNKNOWN, call.args.slice(1), /%[-+0-9.]*[sdfx]/),
  implode: (call) =>
    concat(
      each(call.args[1] ?? call.args[0] ?? UNKNOWN).flatMap((item, i) => (i === 0 ? [item] : [text(textIn(call.args[0]) ?? ''), item])),
    ),
  chr: (call) => (call.args[0]?.num !== undefined ? text(String.fromCodePoint(Math.max(0, Math.min(255, call.args[0].num)))) : hole('chr')),
  json_encode: passes,
  json_decode: passes,
  array: (call) => ({ items: [...call.args], marks: 0 }),
  call_user_func: (call, m) => apply(ref(textIn(call.args[0]) ?? ''), call.args.slice(1), new Map(), m),
  call_user_func_array: (call, m) => apply(ref(textIn(call.args[0]) ?? ''), call.args[1]?.items ?? [], new Map(), m),
  array_map: (call, m) => mapped(call.args[0], call.args[1], m),
  array_walk: (call, m) => mapped(call.args[1], call.args[0], m),
  array_filter: same,
  array_values: same,
  array_merge: (call) => ({ items: call.args.flatMap((value) => each(value)), marks: 0 }),
  echo: prints,
  print: prints,
  print_r: prints,
  var_dump: prints,
  var_export: prints,
  printf: prints,
  exit: prints,
  die: prints,
  phpinfo: does((_call, m) => shows(m, [ENVIRONMENT], 'phpinfo')),
  curl_init: (call) => ({ type: 'Curl', fields: new Map([['url', call.args[0] ?? UNKNOWN]]), marks: 0 }),
  curl_setopt: (call) => {
    const name = (call.args[1]?.ref ?? '').replace('CURLOPT_', '').toLowerCase();
    call.args[0]?.fields?.set(name, call.args[2] ?? UNKNOWN);
    return UNKNOWN;
  },
  curl_exec: (call, m) => requests(m, option(call.args[0], 'url'), [option(call.args[0], 'postfields'), option(call.args[0], 'infile')]),
  mysqli_query: does((call, m) => queries(m, call.args[1], 'mysql')),
  chdir: (call, m) => {
    const where = textIn(call.args[0]);
    m.cwd = where === undefined ? undefined : where.startsWith('/') ? where : m.cwd && `${m.cwd}/${where}`;
    return UNKNOWN;
  },
};

function mapped(fn: Value | undefined, over: Value | undefined, m: Machine): Value {
  const name = textIn(fn);
  const called = name !== undefined ? ref(name) : (fn ?? UNKNOWN);
  return {
    items: each(over ?? UNKNOWN)
      .slice(0, 24)
      .map((item) => apply(called, [item], new Map(), m)),
    marks: 0,
  };
}

export const PHP_LANGUAGE: Language = {
  name: 'php',
  calls: php,
  methods: {},
  loose: {
    query: does((call, m) => queries(m, call.args[0], 'php')),
    exec: does((call, m) => queries(m, call.args[0], 'php')),
    multi_query: does((call, m) => queries(m, call.args[0], 'php')),
    statement: does((call, m) => queries(m, call.args[0], 'php')),
  },
  signals:
    /unlink|rmdir|rename|copy|put_contents|open|exec|system|passthru|`|eval|assert|decode|inflate|curl|get_contents|chmod|chown|link|touch|kill|call_user|array_map|getenv|_ENV|_SERVER|query|readfile|create_function|statement|phpinfo|mkdir/,
  canonical: (name) => name.replace(/^\\+/, '').toLowerCase(),
  constant(name, m) {
    switch (name) {
      case '$_ENV':
      case '$_SERVER':
        return ENVIRONMENT;
      case '$argv':
        return { items: [text(m.file ?? '-'), ...m.args], type: 'Arguments', marks: 0 };
      case '__DIR__':
        return m.file !== undefined ? parentOf(text(m.file)) : m.cwd === undefined ? hole('directory') : text(m.cwd);
      case '__FILE__':
        return m.file === undefined ? hole('file') : text(m.file);
      case 'DIRECTORY_SEPARATOR':
        return text('/');
      case 'PHP_EOL':
        return text('\n');
      case 'null':
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

const luaFile: Handler = (call, m) => opens(m, call.args[0], textIn(call.args[1]) ?? (call.name === 'io.output' ? 'w' : 'r'), call.name);
const compiled: Handler = does((call, m) => runsText(m, call.args[0], 'program', call.name));
export const LUA_LANGUAGE: Language = {
  name: 'lua',
  calls: {
    'os.remove': deletesFirst(false),
    'os.rename': movesTo(false),
    'lfs.rmdir': deletesFirst(false),
    'lfs.mkdir': makesFirst,
    'io.open': luaFile,
    'io.output': luaFile,
    'os.execute': shells(),
    'io.popen': shells(),
    'os.getenv': environmentFirst,
    load: compiled,
    loadstring: compiled,
    dofile: nothing,
    print: prints,
    'io.write': prints,
    ipairs: same,
    pairs: same,
    tostring: same,
    'string.format': (call) => formatted(call.args[0] ?? UNKNOWN, call.args.slice(1), /%[-+0-9.]*[sdfx]/),
    'string.gsub': replacing(0),
    'string.char': (call) => text(call.args.map((value) => String.fromCodePoint(Math.max(0, Math.min(255, value.num ?? 63)))).join('')),
    'table.concat': (call) =>
      concat(each(call.args[0] ?? UNKNOWN).flatMap((item, i) => (i === 0 ? [item] : [call.args[1] ?? text(''), item]))),
    'os.tmpname': (_call, m) => temporary(m),
  },
  methods: {
    'File.write': writesOpen,
    'File.read': (call) => contentOf(call.self?.of),
    'File.close': nothing,
    'File.lines': (call) => contentOf(call.self?.of),
  },
  loose: {},
  signals: /remove|rename|open|execute|popen|load|getenv|rmdir|write|output|print/,
  canonical: (name) => name.replace(/^_G\./, ''),
  constant(name, m) {
    if (name === 'arg') return { items: [...m.args], type: 'Arguments', marks: 0 };
    if (name === 'nil') return NONE;
    if (name === 'true') return TRUE;
    return name === 'false' ? FALSE : undefined;
  },
};

const rTo =
  (at: number, name: string): Handler =>
  (call, m) => {
    const append = call.named.get('append');
    const target = arg(call, at, name);
    if (target && target.type !== 'of stdout')
      writes(m, target.type === 'File' ? target.of : target, { mode: isTrue(append) ? 'append' : 'truncate', name: call.name });
    return UNKNOWN;
  };
export const R_LANGUAGE: Language = {
  name: 'r',
  calls: {
    unlink: does((call, m) =>
      deletes(m, call.args[0] && globbed(call.args[0]), { recursive: isTrue(arg(call, 1, 'recursive')), name: 'unlink' }),
    ),
    'file.remove': deletesAll(false),
    'file.rename': does((call, m) => moves(m, call.args[0], call.args[1], { into: false, name: 'file.rename' })),
    'file.copy': does((call, m) =>
      copies(m, call.args[0], call.args[1], { into: true, noClobber: !isTrue(call.named.get('overwrite')), name: 'file.copy' }),
    ),
    'file.create': does((call, m) => writes(m, call.args[0], { mode: 'truncate', name: 'file.create' })),
    writeLines: rTo(1, 'con'),
    'write.csv': rTo(1, 'file'),
    'write.table': rTo(1, 'file'),
    saveRDS: rTo(1, 'file'),
    sink: rTo(0, 'file'),
    cat: (call, m) => (call.named.get('file') ? rTo(99, 'file')(call, m) : prints(call, m)),
    write: rTo(1, 'file'),
    print: prints,
    system: shells(),
    shell: shells(),
    system2: does((call, m) =>
      runsArgv(
        m,
        [call.args[0] ?? UNKNOWN, ...(arg(call, 1, 'args')?.items ?? (arg(call, 1, 'args') ? [arg(call, 1, 'args')!] : []))],
        'system2',
      ),
    ),
    'Sys.getenv': environmentFirst,
    'list.files': (call, m) => (isTrue(call.named.get('full.names')) ? joinPaths([call.args[0] ?? text('.'), NAMES], m) : NAMES),
    dir: () => NAMES,
    'Sys.glob': globs,
    'file.path': joins,
    'path.expand': same,
    normalizePath: same,
    c: (call) => ({ items: [...call.args], marks: 0 }),
    paste0: (call) => concat(call.args),
    paste: (call) => concat(call.args.flatMap((value, i) => (i === 0 ? [value] : [text(' '), value]))),
    eval: does((call, m) => runsText(m, call.args[0], 'program', 'eval')),
    parse: (call) => call.named.get('text') ?? UNKNOWN,
    source: does((call, m) => {
      const url = textIn(call.args[0]) ?? '';
      if (/^https?:/.test(url)) runsText(m, { marks: Mark.net, url }, 'program', 'source');
    }),
    'download.file': (call, m) => {
      fetches(m, call.args[0], call.args[1]);
      if (call.args[1]) writes(m, call.args[1], { mode: 'truncate', name: 'download.file' });
      return UNKNOWN;
    },
    readLines: (call) => contentOf(call.args[0]),
    file: (call, m) => opens(m, call.args[0], textIn(arg(call, 1, 'open')) ?? 'r', 'file'),
    'fs.dir_delete': deletesAll(true),
    'fs.file_delete': deletesAll(false),
    lapply: (call, m) => ({
      items: each(call.args[0] ?? UNKNOWN)
        .slice(0, 24)
        .map((item) => m.call(call.args[1] ?? UNKNOWN, [item])),
      marks: 0,
    }),
    sapply: (call, m) => ({
      items: each(call.args[0] ?? UNKNOWN)
        .slice(0, 24)
        .map((item) => m.call(call.args[1] ?? UNKNOWN, [item])),
      marks: 0,
    }),
    gsub: replacing(2),
    sub: replacing(2),
    commandArgs: (_call, m) => ({ items: [...m.args], type: 'Arguments', marks: 0 }),
    'tools.pskill': does((call, m) => kills(m, call.args[0], call.args[1], 'pid')),
    tempfile: (_call, m) => temporary(m),
    tempdir: (_call, m) => text(m.look.tmp),
  },
  methods: {},
  loose: {},
  signals: /unlink|remove|rename|copy|write|sink|system|shell|getenv|eval|source|download|delete|save|cat|create|pskill|print/,
  canonical: (name) => name.replace(/^base\./, ''),
  constant(name) {
    if (name === 'TRUE' || name === 'T') return TRUE;
    if (name === 'FALSE' || name === 'F') return FALSE;
    return name === 'NULL' ? NONE : undefined;
  },
};

export { derived };
