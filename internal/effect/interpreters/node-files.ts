/** Functions of Node, Bun and Deno that touch files. */
import {
  called,
  changes,
  contentOf,
  does,
  globs,
  isTrue,
  NAMES,
  nothing,
  openMode,
  opens,
  option,
  same,
  temporary,
  writesOpen,
} from './api-common.ts';
import { copies, deletes, type Handler, links, type Machine, makes, moves, type WriteHow, writes } from './machine.ts';
import { globbed, joinPaths } from './operators.ts';
import { textIn, UNKNOWN, type Value } from './value.ts';

export const removes: Handler = (call, m) => {
  const options = call.args.find((value, i) => i > 0 && value.fields);
  deletes(m, call.args[0], {
    recursive: isTrue(option(options, 'recursive')) || /^(?:fs\.)?(?:remove|rimraf|emptyDir)/.test(call.name),
    name: call.name,
  });
  return called(call, m);
};

export const removesTree: Handler = (call, m) => {
  for (const value of call.args)
    if (!value.fn && !value.fields)
      deletes(m, value.parts ? globbed(value) : { ...value, items: value.items?.map(globbed) }, { recursive: true, name: call.name });
  return called(call, m);
};

const empties: Handler = (call, m) => {
  if (call.args[0]) deletes(m, joinPaths([call.args[0], NAMES], m), { recursive: true, name: call.name });
  return called(call, m);
};

export const write =
  (mode: WriteHow['mode']): Handler =>
  (call, m) => {
    const options = call.args.find((value, i) => i > 1 && value.fields);
    const flag = textIn(option(options, 'flag')) ?? textIn(option(options, 'flags'));
    const own = isTrue(option(options, 'append')) ? 'append' : flag !== undefined ? (openMode(flag) ?? mode) : mode;
    const target = call.args[0]?.type === 'BunFile' ? call.args[0].of : call.args[0];
    writes(m, target, { mode: own, name: call.name, ...(call.args[1] && !call.args[1].fn ? { content: call.args[1] } : {}) });
    return called(call, m);
  };

export const move: Handler = (call, m) => {
  moves(m, call.args[0], call.args[1], { into: false, name: call.name });
  return called(call, m);
};

export const copy =
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

export const read: Handler = (call, m) => {
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

export const stream: Handler = (call, m) => {
  const flags = textIn(option(call.args[1], 'flags')) ?? 'w';
  return opens(m, call.args[0], flags, call.name);
};

export const table: Record<string, Handler> = {
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

export function fileWrite(call: Parameters<Handler>[0], m: Machine): Value {
  writesOpen({ ...call, self: call.args[0], args: call.args.slice(1, 2) }, m);
  return UNKNOWN;
}
