/** What the functions of R do. */
import {
  arg,
  contentOf,
  deletesAll,
  does,
  FALSE,
  globs,
  isTrue,
  joins,
  NAMES,
  opens,
  prints,
  replacing,
  same,
  shells,
  TRUE,
  temporary,
} from './api-common.ts';
import { environmentFirst } from './api-environment.ts';
import { copies, deletes, fetches, type Handler, kills, type Language, moves, runsArgv, runsText, writes } from './machine.ts';
import { globbed, joinPaths } from './operators.ts';
import { concat, each, Mark, NONE, text, textIn, UNKNOWN } from './value.ts';

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
