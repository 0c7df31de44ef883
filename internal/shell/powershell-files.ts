/** Cmdlets that touch files, as the POSIX programs of the same effect. */
import { act, type Call, type Cmdlet, flags, isDrive, NO_FILES, REGISTRY } from './powershell-call.ts';
import type { Given, Spec } from './powershell-params.ts';
import { concat, globbed, holeWord, NOTHING, pathWord } from './powershell-run.ts';
import { joinPath } from './powershell-values.ts';
import { literal, prefixOf, textOf, type Word } from './word.ts';

export const PATHS: Spec = {
  values: ['literalpath', 'filter', 'include', 'exclude', 'stream'],
  switches: ['recurse', 'force'],
  positional: ['path'],
};

/** The paths a call names, or those that come through the pipe. */
export function pathsOf(given: Given, call: Call): Word[] {
  const named = [...given.words('path').map((word) => globbed(pathWord(word))), ...given.words('literalpath').map(pathWord)];
  if (named.length > 0) return [...named, ...given.rest.map((word) => globbed(pathWord(word)))];
  return (call.input?.words ?? []).map(pathWord);
}

/** `-Filter *.log` and `-Include` as part of the path. */
const narrowed = (paths: readonly Word[], given: Given): Word[] => {
  const filter = given.words('filter')[0] ?? given.words('include')[0];
  if (!filter) return [...paths];
  return paths.map((path) => joinPath([path, globbed(filter)]));
};

export const remove: Cmdlet = {
  spec: PATHS,
  act(given, call, run) {
    const paths = narrowed(pathsOf(given, call), given);
    if (isDrive(paths[0], REGISTRY)) return act(run, call, 'reg', [literal('delete'), ...paths, literal('/f')]);
    if (isDrive(paths[0], NO_FILES)) return NOTHING;
    if (paths.length === 0) return NOTHING;
    if (call.input?.mark === 'process') return act(run, call, 'pkill', [literal('-x'), ...call.input.words]);
    return act(run, call, 'rm', [...flags(given.has('recurse') && '-r', given.has('force') && '-f'), ...paths]);
  },
};

export const content = (op: '>' | '>>', pathName: string, valueName: string): Cmdlet => ({
  spec: {
    values: ['literalpath', 'encoding', 'width', 'delimiter', 'filter', 'include', 'exclude', 'stream', 'inputobject', 'depth'],
    switches: ['force', 'nonewline', 'append', 'noclobber', 'notypeinformation', 'asbytestream'],
    positional: valueName === '' ? [pathName] : [pathName, valueName],
  },
  act(given, call, run) {
    const target = pathWord(given.words(pathName)[0] ?? given.words('literalpath')[0] ?? holeWord('path'));
    if (isDrive(target, NO_FILES) || isDrive(target, REGISTRY)) return NOTHING;
    const how = given.has('append') ? '>>' : op;
    if (given.has('noclobber')) return act(run, call, 'touch', [target]);
    const value =
      valueName === '' ? (call.input?.words ?? []) : given.words(valueName).length > 0 ? given.words(valueName) : (call.input?.words ?? []);
    if (call.input?.steps?.length) return act(run, call, 'cat', [], { redirects: [{ fds: [1], op: how, target }] });
    const lines = value.flatMap((word) => [word, literal('\n')]);
    return act(run, call, 'printf', [literal('%s'), lines.length > 0 ? concat(...lines) : literal('')], {
      redirects: [{ fds: [1], op: how, target }],
    });
  },
});

export const twoPaths = (name: 'mv' | 'cp'): Cmdlet => ({
  spec: {
    values: ['literalpath', 'filter', 'include', 'exclude'],
    switches: ['recurse', 'force', 'container'],
    positional: ['path', 'destination'],
  },
  act(given, call, run) {
    const dest = given.words('destination')[0];
    const sources = narrowed(pathsOf(given, call), given);
    const args = [
      ...flags(name === 'cp' && given.has('recurse') && '-r', given.has('force') ? '-f' : name === 'mv' && '-n'),
      ...sources,
      ...(dest ? [pathWord(dest)] : [literal('.')]),
    ];
    return act(run, call, name, args);
  },
});

export const rename: Cmdlet = {
  spec: { values: ['literalpath'], switches: ['force'], positional: ['path', 'newname'] },
  act(given, call, run) {
    const from = pathsOf(given, call)[0] ?? holeWord('path');
    const name = given.words('newname')[0] ?? holeWord('newname');
    const text = textOf(from);
    const cut = text === undefined ? -1 : text.lastIndexOf('/');
    const to = text !== undefined && cut >= 0 ? concat(literal(text.slice(0, cut + 1)), name) : name;
    return act(run, call, 'mv', [...flags(given.has('force') ? '-f' : '-n'), from, pathWord(to)]);
  },
};

export const create: Cmdlet = {
  spec: { values: ['itemtype', 'type', 'name', 'value', 'target'], switches: ['force'], positional: ['path'] },
  act(given, call, run) {
    const name = given.words('name')[0];
    const path = given.words('path')[0];
    const at = pathWord(path && name ? joinPath([path, name]) : (path ?? name ?? holeWord('path')));
    if (isDrive(at, REGISTRY)) return act(run, call, 'reg', [literal('add'), at]);
    if (isDrive(at, NO_FILES)) return NOTHING;
    const type = (textOf(given.words('itemtype')[0] ?? given.words('type')[0]) ?? 'file').toLowerCase();
    const value = given.words('value')[0] ?? given.words('target')[0];
    if (type.startsWith('d')) return act(run, call, 'mkdir', [literal('-p'), at]);
    if (type === 'symboliclink' || type === 'junction')
      return act(run, call, 'ln', [...flags('-s', given.has('force') && '-f'), pathWord(value ?? holeWord('target')), at]);
    if (type === 'hardlink') return act(run, call, 'ln', [...flags(given.has('force') && '-f'), pathWord(value ?? holeWord('target')), at]);
    if (!given.has('force')) return act(run, call, 'touch', [at]);
    return act(run, call, 'printf', [literal('%s'), value ?? literal('')], { redirects: [{ fds: [1], op: '>', target: at }] });
  },
};

export const read: Cmdlet = {
  spec: {
    ...PATHS,
    values: [...PATHS.values!, 'totalcount', 'tail', 'encoding', 'readcount', 'first', 'last', 'delimiter', 'head'],
    switches: ['force', 'raw', 'wait', 'asbytestream'],
  },
  act(given, call, run) {
    const paths = pathsOf(given, call);
    if (isDrive(paths[0], /^env:/i))
      return act(
        run,
        call,
        'printenv',
        paths.map((path) =>
          literal(
            prefixOf(path)
              .replace(/^env:[\\/]*/i, '')
              .toUpperCase(),
          ),
        ),
      );
    return { ...act(run, call, 'cat', paths), words: [holeWord('content')], mark: 'content' };
  },
};

export const list: Cmdlet = {
  spec: {
    ...PATHS,
    values: [...PATHS.values!, 'depth', 'attributes'],
    switches: ['recurse', 'force', 'name', 'file', 'directory', 'hidden', 'readonly', 'system'],
  },
  act(given, call, run) {
    const paths = pathsOf(given, call);
    if (isDrive(paths[0], /^env:/i)) return act(run, call, 'env', []);
    if (isDrive(paths[0], NO_FILES) || isDrive(paths[0], REGISTRY)) return NOTHING;
    const where = paths.length > 0 ? paths : [literal('.')];
    const filter = given.words('filter')[0] ?? given.words('include')[0];
    const named = filter
      ? where.map((path) => joinPath([path, globbed(filter)]))
      : where.map((path) =>
          path.parts.some((part) => part.kind === 'glob') ? path : joinPath([path, { parts: [{ kind: 'glob', text: '*' }], raw: '*' }]),
        );
    return { ...act(run, call, 'ls', [...flags(given.has('recurse') && '-R'), ...where]), words: named, mark: 'files' };
  },
};

export const getItem: Cmdlet = {
  spec: PATHS,
  act: (given, call) => ({ words: pathsOf(given, call), mark: 'files' }),
};

export const expand: Cmdlet = {
  spec: { values: ['literalpath'], switches: ['force', 'update'], positional: ['path', 'destinationpath'] },
  act: (given, call, run) =>
    act(run, call, 'unzip', [
      ...flags(given.has('force') ? '-o' : '-n'),
      ...pathsOf(given, call),
      literal('-d'),
      ...given.words('destinationpath').map(pathWord),
    ]),
};

export const compress: Cmdlet = {
  spec: { values: ['literalpath', 'compressionlevel'], switches: ['force', 'update'], positional: ['path', 'destinationpath'] },
  act: (given, call, run) =>
    given.has('force')
      ? act(run, call, 'cat', pathsOf(given, call), {
          redirects: given.words('destinationpath').map((target) => ({ fds: [1], op: '>' as const, target: pathWord(target) })),
        })
      : NOTHING,
};
