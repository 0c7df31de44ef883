/** What the functions of Python do. */
import { deletesSelf, does, FALSE, nothing, passes, prints, replacing, same, TRUE, writesOpen } from './api-common.ts';
import { PYTHON_GIT_CALLS, PYTHON_GIT_METHODS } from './git-clients.ts';
import { deletes, type Handler, type Language, queries, shows, writes } from './machine.ts';
import { member } from './names.ts';
import { FILE_CALLS } from './python-files.ts';
import { methods } from './python-methods.ts';
import { RUN_CALLS } from './python-runs.ts';
import { concat, derived, each, hole, Mark, NONE, num, text, textIn, UNKNOWN } from './value.ts';

const calls: Record<string, Handler> = {
  ...FILE_CALLS,
  ...RUN_CALLS,
  ...PYTHON_GIT_CALLS,
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
  're.sub': replacing(2),
  're.subn': replacing(2),
  're.compile': () => ({ type: 'Pattern', marks: 0 }),
  'string.Template': same,
  'textwrap.dedent': same,
};

const sql: Handler = (call, m) => {
  queries(m, call.args[0], 'python');
  return call.self ?? UNKNOWN;
};

const loose: Record<string, Handler> = {
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
  methods: { ...methods, ...PYTHON_GIT_METHODS },
  loose,
  signals:
    /remove|unlink|rm|write|open|system|exec|eval|subprocess|popen|spawn|kill|environ|getenv|truncate|rename|replace|move|copy|chmod|chown|link|url|http|request|socket|import_|__import__|getattr|sudo|fork|b64|decode|mkdir|touch|mkdtemp|glob|execute|query|dotenv|save|to_csv|httpx|runpy|sh\.|\bgit\b/i,
  canonical(name) {
    const cut = name.indexOf('.');
    const head = cut < 0 ? name : name.slice(0, cut);
    const module = Object.hasOwn(MODULES, head) && cut > 0 ? MODULES[head]! : head;
    const full = cut < 0 ? module : `${module}${module === '' ? name.slice(cut + 1) : name.slice(cut)}`;
    return full
      .replace(/^os\.exec(?:v|ve|vp|vpe|l|le|lp|lpe)$/, 'os.execv')
      .replace(/^os\.spawn(?:v|ve|vp|vpe|l|le|lp|lpe)$/, 'os.spawnv')
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
        return text(m.file ?? '<stdin>');
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
