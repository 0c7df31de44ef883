/** Functions of Python that touch files. */
import {
  arg,
  changes,
  contentOf,
  copiesTo,
  deletesFirst,
  does,
  globs,
  isTrue,
  joins,
  movesTo,
  NAMES,
  nameOf,
  names,
  nothing,
  opens,
  parentOf,
  same,
  temporary,
} from './api-common.ts';
import { copies, type Handler, links, makes, moves, writes } from './machine.ts';
import { joinPaths } from './operators.ts';
import { absolute, asPath, expanded, expandVariables, path } from './python-paths.ts';
import { hole, Mark, text, textIn, UNKNOWN } from './value.ts';

export const open: Handler = (call, m) => {
  const mode = textIn(arg(call, 1, 'mode')) ?? (arg(call, 1, 'mode') ? 'unknown' : 'r');
  if (mode === 'unknown') return { type: 'File', of: arg(call, 0, 'file'), marks: Mark.read };
  return opens(m, arg(call, 0, 'file', 'filename'), mode, 'open');
};

export const rename: Handler = (call, m) => {
  moves(m, call.self, call.args[0], { into: false, noClobber: false, name: call.name });
  return asPath(call.args[0] ?? UNKNOWN);
};

export const FILE_CALLS: Record<string, Handler> = {
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
