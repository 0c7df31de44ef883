/**
 * Cmdlets and their aliases as the POSIX commands of the same effect, so that every family of effects understands them.
 * What has no counterpart keeps its own name.
 */

import type { Redirect } from './command.ts';
import type { Given, Spec } from './powershell-params.ts';
import type { Expr } from './powershell-parse.ts';
import { concat, emit, globbed, holeWord, NOTHING, pathWord, pipe, type Run, unknown, type Val } from './powershell-run.ts';
import { joinPath, single } from './powershell-values.ts';
import { literal, prefixOf, textOf, type Word } from './word.ts';

/** One call of a cmdlet. */
export interface Call {
  words: readonly Expr[];
  redirects: readonly Redirect[];
  /** What the stage before gives. */
  input: Val | undefined;
  source: string;
}
type Cmdlet = { spec: Spec; act(given: Given, call: Call, run: Run): Val };

const PATHS: Spec = {
  values: ['literalpath', 'filter', 'include', 'exclude', 'stream'],
  switches: ['recurse', 'force'],
  positional: ['path'],
};

/** The paths a call names, or those that come through the pipe. */
function pathsOf(given: Given, call: Call): Word[] {
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

const act = (
  run: Run,
  call: Call,
  name: string,
  args: readonly Word[],
  more: { redirects?: readonly Redirect[]; root?: boolean; remote?: boolean } = {},
): Val => {
  const stdin = call.input?.steps?.length ? { stdin: pipe(run, call.input.steps, run.commands.length) } : {};
  return {
    words: [],
    steps: [
      emit(run, {
        name,
        args,
        source: call.source,
        redirects: [...call.redirects, ...(more.redirects ?? [])],
        ...stdin,
        root: more.root,
        remote: more.remote,
      }),
    ],
  };
};

const flags = (...list: readonly (string | false | undefined)[]): Word[] =>
  list.filter((flag): flag is string => typeof flag === 'string').map((flag) => literal(flag));

/** A registry, environment or other drive that is no file system. */
const isDrive = (word: Word | undefined, drives: RegExp): boolean => word !== undefined && drives.test(prefixOf(word));
const REGISTRY = /^(?:registry::|hklm:|hkcu:|hkcr:|hku:|hkey_)/i;
const NO_FILES = /^(?:env|variable|alias|function|cert|wsman):/i;

const remove: Cmdlet = {
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

const content = (op: '>' | '>>', pathName: string, valueName: string): Cmdlet => ({
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

const twoPaths = (name: 'mv' | 'cp'): Cmdlet => ({
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

const rename: Cmdlet = {
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

const create: Cmdlet = {
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

const stopProcess: Cmdlet = {
  spec: { values: ['name', 'inputobject'], switches: ['force'], positional: ['id'] },
  act(given, call, run) {
    const names = [...given.words('name'), ...(call.input?.mark === 'process' ? call.input.words : [])];
    const ids = [...given.words('id'), ...given.words('inputobject')];
    const signal = flags('-9');
    if (names.length > 0) {
      const exact = names.every((word) => !/[*?]/.test(prefixOf(word)) && word.parts.every((part) => part.kind !== 'glob'));
      const plain = names.map((word) => ({
        ...word,
        parts: word.parts
          .filter((part) => part.kind !== 'glob')
          .map((part) => (part.kind === 'text' ? { ...part, text: part.text.replace(/[*?]/g, '') } : part)),
      }));
      return act(run, call, 'pkill', [
        ...signal,
        ...flags(exact && '-x'),
        ...plain.map((word) => (word.parts.length === 0 ? literal('.') : word)),
      ]);
    }
    if (ids.length > 0) return act(run, call, 'kill', [...signal, ...ids]);
    return call.input
      ? act(run, call, 'kill', [...signal, ...call.input.words, ...(call.input.words.length === 0 ? [holeWord('process')] : [])])
      : NOTHING;
  },
};

const WEB: Spec = {
  values: [
    'method',
    'body',
    'headers',
    'outfile',
    'infile',
    'form',
    'contenttype',
    'useragent',
    'timeoutsec',
    'proxy',
    'maximumredirection',
    'websession',
    'sessionvariable',
    'source',
    'destination',
    'token',
    'authentication',
    'custommethod',
  ],
  switches: ['usebasicparsing', 'skipcertificatecheck', 'usedefaultcredentials', 'disablekeepalive', 'resume'],
  positional: ['uri'],
};
const web: Cmdlet = {
  spec: WEB,
  act(given, call, run) {
    const method = given.words('method')[0] ?? given.words('custommethod')[0];
    const out = given.words('outfile')[0];
    const body = given.words('body')[0] ?? (given.has('body') ? holeWord('body') : undefined);
    const file = given.words('infile')[0] ?? (given.value('body')?.mark === 'content' ? given.words('body')[0] : undefined);
    const args = [
      ...(method ? [literal('-X'), literal((textOf(method) ?? 'POST').toUpperCase())] : []),
      ...(out ? [literal('-o'), pathWord(out)] : []),
      ...(file
        ? [literal('-T'), pathWord(file)]
        : body
          ? [literal('-d'), body]
          : given.has('form')
            ? [literal('-d'), holeWord('form')]
            : []),
      ...given.words('uri'),
    ];
    return { ...act(run, call, 'curl', args), words: [holeWord('response')], mark: 'download' };
  },
};
const bits: Cmdlet = {
  spec: { values: ['transfertype', 'displayname'], switches: ['asynchronous'], positional: ['source', 'destination'] },
  act: (given, call, run) => act(run, call, 'curl', [literal('-o'), ...given.words('destination').map(pathWord), ...given.words('source')]),
};

const read: Cmdlet = {
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

const list: Cmdlet = {
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

const getItem: Cmdlet = {
  spec: PATHS,
  act: (given, call) => ({ words: pathsOf(given, call), mark: 'files' }),
};

const simple = (name: string, before: readonly string[], spec: Spec = { positional: ['name'] }): Cmdlet => ({
  spec,
  act: (given, call, run) =>
    act(run, call, name, [...flags(...before), ...(spec.positional ?? []).flatMap((position) => given.words(position)), ...given.rest]),
});

const invoke: Cmdlet = {
  spec: { positional: ['command'] },
  act(given, call, run) {
    const value = given.value('command') ?? call.input ?? NOTHING;
    return runText(value, call, run);
  },
};

/** Text that is run: read on when it is certain; a pipe into `sh` when it comes from the network or was encoded. */
export function runText(value: Val, call: Call, run: Run): Val {
  if (value.block) return run.run(value.block);
  if (value.mark === 'download') {
    const from = value.steps ?? call.input?.steps ?? [];
    const to = run.commands.length;
    emit(run, { name: 'sh', args: [], stdin: pipe(run, from, to), source: call.source });
    return NOTHING;
  }
  const word = value.words.length > 0 ? single(value, '') : undefined;
  const text = textOf(word);
  if (value.mark === 'decoded') {
    const first = emit(run, { name: 'base64', args: [literal('-d')], source: call.source });
    emit(run, { name: 'sh', args: [], stdin: pipe(run, [first], first + 1), source: call.source });
  }
  if (text !== undefined) return run.nested('powershell', text, 'iex');
  if (word && value.mark !== 'decoded')
    run.unread.push({ why: 'dynamic', detail: 'Invoke-Expression of a text that is not known', rest: call.source.slice(0, 200) });
  return unknown('iex');
}

const startProcess: Cmdlet = {
  spec: {
    values: ['workingdirectory', 'verb', 'redirectstandardoutput', 'redirectstandarderror', 'windowstyle'],
    switches: ['wait', 'nonewwindow'],
    positional: ['filepath', 'argumentlist'],
  },
  act(given, _call, run) {
    const program = given.words('filepath')[0];
    const text = program && textOf(program);
    if (text === undefined || /^https?:/i.test(text)) return NOTHING;
    const args = given.words('argumentlist').flatMap((word) =>
      (textOf(word) ?? '').includes(' ')
        ? textOf(word)!
            .split(/\s+/)
            .map((piece) => literal(piece))
        : [word],
    );
    const root = (textOf(given.words('verb')[0]) ?? '').toLowerCase() === 'runas';
    const wasRoot = run.root;
    run.root ||= root;
    const value = run.nested(
      'powershell',
      [text, ...args.map((word) => textOf(word) ?? word.raw)]
        .map((piece) => `'${piece.replaceAll("'", "''")}'`)
        .join(' ')
        .replace(/^/, '& '),
      'Start-Process',
    );
    run.root = wasRoot;
    return value;
  },
};

const block = (remote: boolean): Cmdlet => ({
  spec: {
    values: [
      'computername',
      'session',
      'argumentlist',
      'inputobject',
      'throttlelimit',
      'name',
      'hostname',
      'initializationscript',
      'filepath',
    ],
    switches: ['asjob', 'parallel'],
    positional: ['scriptblock'],
  },
  act(given, _call, run) {
    const body = given.value('scriptblock')?.block;
    if (!body) return NOTHING;
    const before = run.remote;
    run.remote ||= remote && (given.has('computername') || given.has('session') || given.has('hostname'));
    const value = run.run(body);
    run.remote = before;
    return value;
  },
});

const registry = (verb: 'add' | 'delete'): Cmdlet => ({
  spec: { values: ['propertytype', 'type'], switches: ['force'], positional: ['path', 'name', 'value'] },
  act(given, call, run) {
    const path = given.words('path')[0];
    if (!isDrive(path, REGISTRY)) return NOTHING;
    return act(run, call, 'reg', [
      literal(verb),
      path!,
      literal('/v'),
      ...given.words('name'),
      ...(verb === 'add' ? [literal('/d'), ...given.words('value')] : []),
      literal('/f'),
    ]);
  },
});

const expand: Cmdlet = {
  spec: { values: ['literalpath'], switches: ['force', 'update'], positional: ['path', 'destinationpath'] },
  act: (given, call, run) =>
    act(run, call, 'unzip', [
      ...flags(given.has('force') ? '-o' : '-n'),
      ...pathsOf(given, call),
      literal('-d'),
      ...given.words('destinationpath').map(pathWord),
    ]),
};
const compress: Cmdlet = {
  spec: { values: ['literalpath', 'compressionlevel'], switches: ['force', 'update'], positional: ['path', 'destinationpath'] },
  act: (given, call, run) =>
    given.has('force')
      ? act(run, call, 'cat', pathsOf(given, call), {
          redirects: given.words('destinationpath').map((target) => ({ fds: [1], op: '>' as const, target: pathWord(target) })),
        })
      : NOTHING,
};

const processes: Cmdlet = {
  spec: { values: ['id'], switches: ['includeusername'], positional: ['name'] },
  act: (given) => ({
    words:
      given.words('name').length > 0 ? given.words('name') : given.words('id').length > 0 ? given.words('id') : [holeWord('Get-Process')],
    mark: given.has('id') && !given.has('name') ? 'object' : 'process',
  }),
};

const values = (work: (given: Given, call: Call, run: Run) => Val, spec: Spec): Cmdlet => ({ spec, act: work });

/** Full cmdlet names, lower case. */
export const CMDLETS: Readonly<Record<string, Cmdlet>> = {
  'remove-item': remove,
  'clear-content': {
    spec: PATHS,
    act: (given, call, run) => act(run, call, 'truncate', [literal('-s'), literal('0'), ...pathsOf(given, call)]),
  },
  'set-content': content('>', 'path', 'value'),
  'add-content': content('>>', 'path', 'value'),
  'out-file': content('>', 'filepath', ''),
  'export-csv': content('>', 'path', ''),
  'export-clixml': content('>', 'path', ''),
  'tee-object': content('>', 'filepath', ''),
  'move-item': twoPaths('mv'),
  'copy-item': twoPaths('cp'),
  'rename-item': rename,
  'new-item': create,
  'stop-process': stopProcess,
  'get-process': processes,
  'invoke-webrequest': web,
  'invoke-restmethod': web,
  'start-bitstransfer': bits,
  'invoke-expression': invoke,
  'get-content': read,
  'get-childitem': list,
  'get-item': getItem,
  'resolve-path': getItem,
  'convert-path': getItem,
  'format-volume': simple('mkfs', [], {
    values: ['filesystem', 'newfilesystemlabel', 'partition'],
    switches: ['force', 'full'],
    positional: ['driveletter'],
  }),
  'clear-disk': simple('mkfs', [], { switches: ['removedata', 'removeoem', 'force'], positional: ['number'] }),
  'initialize-disk': simple('mkfs', [], { values: ['partitionstyle'], positional: ['number'] }),
  'remove-partition': simple('mkfs', [], { values: ['disknumber', 'partitionnumber'], positional: ['driveletter'] }),
  'stop-computer': {
    spec: { values: ['computername'], switches: ['force'] },
    act: (_given, call, run) => act(run, call, 'shutdown', flags('-h', 'now')),
  },
  'restart-computer': { spec: { values: ['computername'], switches: ['force'] }, act: (_given, call, run) => act(run, call, 'reboot', []) },
  'stop-service': simple('systemctl', ['stop']),
  'new-localuser': simple('useradd', []),
  'remove-localuser': simple('userdel', []),
  'set-itemproperty': registry('add'),
  'new-itemproperty': registry('add'),
  'remove-itemproperty': registry('delete'),
  'expand-archive': expand,
  'compress-archive': compress,
  'start-process': startProcess,
  'invoke-command': block(true),
  'start-job': block(false),
  'start-threadjob': block(false),
  'measure-command': block(false),
  'join-path': values(
    (given) => ({ words: [joinPath([...given.words('path'), ...given.words('childpath'), ...given.rest].map(pathWord))] }),
    { values: ['additionalchildpath'], switches: ['resolve'], positional: ['path', 'childpath'] },
  ),
  'get-location': values((_given, _call, run) => (run.cwd === undefined ? unknown('Get-Location') : { words: [literal(run.cwd)] }), {}),
  'new-temporaryfile': values(
    (_given, _call, run) => ({ words: [concat(literal(`${run.look.tmp}/`), holeWord('tmp'))], mark: 'files' }),
    {},
  ),
  'new-object': values(
    (given) => ({
      words: [holeWord('object')],
      mark: 'object',
      type: (textOf(given.words('typename')[0]) ?? '').toLowerCase().replace(/^system\./, ''),
    }),
    { values: ['argumentlist', 'property', 'comobject'], positional: ['typename'] },
  ),
  'write-output': values((given, call, run) => echo([...given.words('inputobject'), ...given.rest], call, run), {
    switches: ['noenumerate'],
    positional: ['inputobject'],
  }),
  'write-host': values((given, call, run) => echo([...given.words('object'), ...given.rest], call, run), {
    values: ['foregroundcolor', 'backgroundcolor', 'separator'],
    switches: ['nonewline'],
    positional: ['object'],
  }),
  'out-null': values(() => NOTHING, { values: ['inputobject'] }),
  'write-error': values(() => NOTHING, { positional: ['message'] }),
  'write-verbose': values(() => NOTHING, { positional: ['message'] }),
  'start-sleep': values(
    (given, call, run) =>
      act(run, call, 'sleep', [...given.words('seconds'), ...(given.words('milliseconds').length > 0 ? [literal('1')] : [])]),
    { values: ['milliseconds'], positional: ['seconds'] },
  ),
};

/** Printed text. Only worth a command when it holds something unknown or goes to a file. */
function echo(words: readonly Word[], call: Call, run: Run): Val {
  const value: Val = { words };
  if (run.captured > 0 && call.redirects.length === 0) return value;
  return { ...act(run, call, 'echo', words), words };
}

/** Aliases of Windows PowerShell and PowerShell 7. */
export const ALIASES: Readonly<Record<string, string>> = {
  ri: 'remove-item',
  rm: 'remove-item',
  rmdir: 'remove-item',
  del: 'remove-item',
  erase: 'remove-item',
  rd: 'remove-item',
  clc: 'clear-content',
  sc: 'set-content',
  ac: 'add-content',
  tee: 'tee-object',
  epcsv: 'export-csv',
  mi: 'move-item',
  mv: 'move-item',
  move: 'move-item',
  cpi: 'copy-item',
  cp: 'copy-item',
  copy: 'copy-item',
  rni: 'rename-item',
  ren: 'rename-item',
  ni: 'new-item',
  spps: 'stop-process',
  kill: 'stop-process',
  gps: 'get-process',
  ps: 'get-process',
  iwr: 'invoke-webrequest',
  irm: 'invoke-restmethod',
  curl: 'invoke-webrequest',
  wget: 'invoke-webrequest',
  iex: 'invoke-expression',
  gc: 'get-content',
  cat: 'get-content',
  type: 'get-content',
  gci: 'get-childitem',
  ls: 'get-childitem',
  dir: 'get-childitem',
  gi: 'get-item',
  rvpa: 'resolve-path',
  saps: 'start-process',
  start: 'start-process',
  icm: 'invoke-command',
  sajb: 'start-job',
  sp: 'set-itemproperty',
  rp: 'remove-itemproperty',
  gl: 'get-location',
  pwd: 'get-location',
  echo: 'write-output',
  write: 'write-output',
  sleep: 'start-sleep',
  spsv: 'stop-service',
};
