/** Functions of Ruby that touch files: FileUtils, File, Dir, Pathname. */
import {
  changes,
  contentOf,
  copiesTo,
  deletesAll,
  does,
  isTrue,
  joins,
  movesTo,
  NAMES,
  nameOf,
  nothing,
  opens,
  parentOf,
  requests,
  same,
  shellOrArgv,
  temporary,
} from './api-common.ts';
import { changesMode, type Handler, links, type Machine, makes, writes } from './machine.ts';
import { globbed, joinPaths } from './operators.ts';
import { each, hole, text, textIn, UNKNOWN, type Value } from './value.ts';

/** FileUtils has a dry run: `noop: true`. */
export const real =
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

export const FILE_UTILS: Record<string, Handler> = {
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

export const FILE_CALLS: Record<string, Handler> = {
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
};

function globList(args: readonly Value[]): Value {
  const found = args.flatMap((value) => each(value)).map(globbed);
  return found.length === 1 ? found[0]! : { items: found, marks: 0 };
}

export const onSelf =
  (work: (self: Value, m: Machine, args: readonly Value[]) => Value): Handler =>
  (call, m) =>
    work(call.self ?? UNKNOWN, m, call.args);

export const asPath = (value: Value): Value => ({ ...value, type: 'Pathname' });
