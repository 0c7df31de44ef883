/** What the functions of Lua do. */
import {
  contentOf,
  deletesFirst,
  does,
  FALSE,
  makesFirst,
  movesTo,
  nothing,
  opens,
  prints,
  replacing,
  same,
  shells,
  TRUE,
  temporary,
  writesOpen,
} from './api-common.ts';
import { environmentFirst } from './api-environment.ts';
import { type Handler, type Language, runsText } from './machine.ts';
import { formatted } from './operators.ts';
import { concat, each, NONE, text, textIn, UNKNOWN } from './value.ts';

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
