/** What the functions of PHP do. */
import {
  changes,
  contentOf,
  copiesTo,
  DECODED,
  decodes,
  deletesFirst,
  does,
  evaluates,
  FALSE,
  globs,
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
import { ENVIRONMENT, environmentFirst } from './api-environment.ts';
import { apply } from './calls.ts';
import { type Handler, kills, type Language, links, type Machine, queries, runsArgv, shows, writes } from './machine.ts';
import { formatted } from './operators.ts';
import { concat, each, hole, NONE, ref, text, textIn, UNKNOWN, type Value } from './value.ts';

const openAt: Handler = (call, m) => opens(m, call.args[0], textIn(call.args[1]) ?? 'r', call.name);

const putFirst: Handler = (call, m) => writesOpen({ ...call, self: call.args[0], args: call.args.slice(1) }, m) ?? UNKNOWN;

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
