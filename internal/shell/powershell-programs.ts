/** Cmdlets that start programs, end processes, or use the network. */
import { act, type Call, type Cmdlet, flags, isDrive, REGISTRY } from './powershell-call.ts';
import type { Spec } from './powershell-params.ts';
import { emit, holeWord, NOTHING, pathWord, pipe, type Run, unknown, type Val } from './powershell-run.ts';
import { single } from './powershell-values.ts';
import { literal, prefixOf, textOf } from './word.ts';

export const stopProcess: Cmdlet = {
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

export const web: Cmdlet = {
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

export const bits: Cmdlet = {
  spec: { values: ['transfertype', 'displayname'], switches: ['asynchronous'], positional: ['source', 'destination'] },
  act: (given, call, run) => act(run, call, 'curl', [literal('-o'), ...given.words('destination').map(pathWord), ...given.words('source')]),
};

export const simple = (name: string, before: readonly string[], spec: Spec = { positional: ['name'] }): Cmdlet => ({
  spec,
  act: (given, call, run) =>
    act(run, call, name, [...flags(...before), ...(spec.positional ?? []).flatMap((position) => given.words(position)), ...given.rest]),
});

/** Cmdlets that empty a drive or a disk, under the device's name: `D` is `D:`, disk 1 `/dev/disk1`. */
export const disk = (spec: Spec): Cmdlet => ({
  spec,
  act(given, call, run) {
    const named = [...given.words('driveletter'), ...given.words('number'), ...given.words('disknumber').slice(0, 1), ...given.rest];
    const devices = named.map((word) => {
      const text = textOf(word) ?? '';
      return /^[A-Za-z]:?$/.test(text) ? literal(`${text[0]}:`) : /^\d+$/.test(text) ? literal(`/dev/disk${text}`) : word;
    });
    return devices.length > 0 || call.input ? act(run, call, 'mkfs', devices.length > 0 ? devices : [holeWord('disk')]) : NOTHING;
  },
});

export const invoke: Cmdlet = {
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

export const startProcess: Cmdlet = {
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

export const block = (remote: boolean): Cmdlet => ({
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

export const registry = (verb: 'add' | 'delete'): Cmdlet => ({
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

export const processes: Cmdlet = {
  spec: { values: ['id'], switches: ['includeusername'], positional: ['name'] },
  act: (given) => ({
    words:
      given.words('name').length > 0 ? given.words('name') : given.words('id').length > 0 ? given.words('id') : [holeWord('Get-Process')],
    mark: given.has('id') && !given.has('name') ? 'object' : 'process',
  }),
};
