/** Effects on processes: who is ended by kill, pkill, killall and their kin, and what only waits. */
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable } from './family.ts';
import { parseOptions } from './options.ts';
import { type Found, pidsFrom } from './process-pids.ts';
import type { ProcessEffect } from './types-outside.ts';

type Kill = Extract<ProcessEffect, { kind: 'process.kill' }>;

const shown = (word: Word): string => textOf(word) ?? word.raw;

const killed = (command: Command, found: Found, more: Partial<Pick<Kill, 'signal' | 'probe'>> = {}): Effect => ({
  kind: 'process.kill',
  ...baseOf(command),
  ...found,
  ...more,
  command: command.source,
});

/** `-9`, `-KILL`, `-SIGKILL` and `-s NAME`: taken out of the words, since they look like clusters of options. */
function signalOf(words: readonly Word[], longs: readonly string[]): { signal?: string; rest: Word[] } {
  let signal: string | undefined;
  const rest: Word[] = [];
  for (let i = 0; i < words.length; i++) {
    const text = textOf(words[i]) ?? '';
    if (text === '--') return { signal, rest: [...rest, ...words.slice(i)] };
    if (longs.includes(text)) signal = textOf(words[++i]);
    else if (longs.some((name) => name.startsWith('--') && text.startsWith(`${name}=`))) signal = text.slice(text.indexOf('=') + 1);
    else if (signal === undefined && /^-(\d+|(SIG)?[A-Z][A-Z0-9]+)$/.test(text)) signal = text.slice(1);
    else rest.push(words[i]!);
  }
  return { signal, rest };
}

const probing = (signal: string | undefined): { signal?: string; probe?: boolean } => ({
  ...(signal === undefined ? {} : { signal: signal.replace(/^SIG/, '') }),
  ...(signal === '0' || signal === 'EXIT' ? { probe: true } : {}),
});

const kill: Family = (command, context) => {
  const texts = command.args.map((word) => textOf(word)?.toLowerCase() ?? '');
  if (texts.some((text) => text === '-name' || text === '-id' || text === '-processname')) return stopProcess(command, context);
  if (texts.some((text) => ['-l', '-L', '--list', '--table', '--help', '--version', '-v'].includes(text))) return [];
  const { signal, rest } = signalOf(command.args, ['-s', '-n', '--signal']);
  const operands = rest.filter((word) => textOf(word) !== '--');
  const founds = operands
    .filter((word) => !/^--\w/.test(textOf(word) ?? '') && !/^-[a-z]$/i.test(textOf(word) ?? ''))
    .map((word) => pidOf(word, context));
  if (founds.length === 0) founds.push(...fedByPipe(command, context));
  return merged(founds).map((found) => killed(command, found, probing(signal)));
};

/** One operand of kill. */
function pidOf(word: Word, context: EffectContext): Found {
  const text = textOf(word);
  if (text !== undefined) {
    if (text === '-1') return { by: 'all', what: ['-1'] };
    if (text === '0') return { by: 'job', what: ['0'] };
    if (text.startsWith('%')) return { by: 'job', what: [text] };
    return { by: 'pid', what: [text] };
  }
  const hole = word.parts.find((part) => part.kind === 'hole');
  if (hole?.kind !== 'hole') return { by: 'unknown', what: [word.raw] };
  if (hole.name === '!' || hole.text === '$!') return { by: 'job', what: ['$!'] };
  if (hole.name === 'PPID') return { by: 'parent', what: ['$PPID'] };
  if (hole.name === '$' || hole.text === '$$') return { by: 'job', what: ['$$'] };
  if (hole.steps?.length) return pidsFrom(hole.steps, context);
  if (hole.why === 'input') return { by: 'unknown', what: [word.raw] };
  return { by: 'pid', what: [word.raw] };
}

/** `pgrep node | xargs kill`: the ids come through the pipe. */
function fedByPipe(command: Command, context: EffectContext): Found[] {
  if (!command.via.some((wrapper) => wrapper.startsWith('xargs') || wrapper.startsWith('parallel'))) return [];
  if (command.stdin.from !== 'pipe') return command.stdin.from === 'inherit' ? [] : [{ by: 'pid', what: [] }];
  return [pidsFrom(command.stdin.steps, context)];
}

/** Operands found the same way make one effect. An operand that xargs puts in is told by what is piped. */
function merged(founds: readonly Found[]): Found[] {
  const out: Found[] = [];
  for (const found of founds) {
    const same = out.find((each) => each.by === found.by);
    if (same) out[out.indexOf(same)] = { ...same, what: [...same.what, ...found.what] };
    else out.push(found);
  }
  return out;
}

const PKILL = {
  flags: [
    ...'fxnoaveicLH',
    'full',
    'exact',
    'newest',
    'oldest',
    'echo',
    'ignore-case',
    'count',
    'inverse',
    'list-name',
    'list-full',
    'logpidfile',
    'require-handler',
    'help',
    'version',
  ],
  values: [
    ...'uUPgGtsFOrAd',
    'euid',
    'uid',
    'parent',
    'pgroup',
    'group',
    'terminal',
    'session',
    'pidfile',
    'older',
    'runstates',
    'ns',
    'nslist',
    'cgroup',
    'env',
    'queue',
    'delimiter',
  ],
  aliases: {
    full: 'f',
    exact: 'x',
    euid: 'u',
    uid: 'U',
    parent: 'P',
    pgroup: 'g',
    terminal: 't',
    session: 's',
    pidfile: 'F',
    inverse: 'v',
    help: 'h',
  },
} as const;

const pkill: Family = (command) => {
  const { signal, rest } = signalOf(command.args, ['--signal']);
  const parsed = parseOptions(rest, PKILL);
  if (parsed.has('h') || parsed.has('version')) return [];
  const more = probing(signal);
  if (parsed.has('P')) return [killed(command, { by: 'job', what: [`children of ${shown(parsed.word('P')!)}`] }, more)];
  if (parsed.has('F')) return [killed(command, { by: 'pid', what: [shown(parsed.word('F')!)] }, more)];
  if (parsed.has('g') || parsed.has('s'))
    return [killed(command, { by: 'pid', what: [shown((parsed.word('g') ?? parsed.word('s'))!)] }, more)];
  if (parsed.has('v')) return [killed(command, { by: 'all', what: parsed.operands.map(shown) }, more)];
  if (parsed.operands.length > 0) {
    const what = parsed.operands.map(shown);
    return [
      killed(
        command,
        parsed.has('f') ? { by: 'pattern', what, wholeLine: true } : { by: parsed.has('x') ? 'name' : 'pattern', what },
        more,
      ),
    ];
  }
  const user = parsed.word('u') ?? parsed.word('U') ?? parsed.word('t');
  return user ? [killed(command, { by: 'user', what: [shown(user)] }, more)] : [];
};

const KILLALL = {
  flags: [
    ...'egIiqvVwlmcdz',
    'exact',
    'ignore-case',
    'interactive',
    'process-group',
    'quiet',
    'regexp',
    'verbose',
    'wait',
    'list',
    'version',
    'help',
    'r',
  ],
  values: [...'sunoytZ', 'signal', 'user', 'ns', 'older-than', 'younger-than', 'context'],
  aliases: { signal: 's', user: 'u', regexp: 'r', list: 'l' },
} as const;

const killall: Family = (command) => {
  const { signal, rest } = signalOf(command.args, []);
  const parsed = parseOptions(rest, KILLALL);
  if (parsed.has('l') || parsed.has('V') || parsed.has('version') || parsed.has('help')) return [];
  const more = probing(signal ?? parsed.text('s'));
  const what = parsed.operands.map(shown);
  if (what.length > 0) return [killed(command, { by: parsed.has('r') ? 'pattern' : 'name', what }, more)];
  const user = parsed.word('u');
  return user ? [killed(command, { by: 'user', what: [shown(user)] }, more)] : [];
};

/** fuser -k: by port for `3000/tcp` and `-n tcp 3000`, else whoever has the file open. */
const fuser: Family = (command) => {
  const parsed = parseOptions(
    command.args.filter((word) => !/^-[A-Z]{2,}$|^-\d+$/.test(textOf(word) ?? '')),
    {
      flags: [
        ...'almsuvwkicM46IV',
        'kill',
        'interactive',
        'mount',
        'all',
        'verbose',
        'silent',
        'user',
        'ismountpoint',
        'inode',
        'ipv4',
        'ipv6',
        'version',
      ],
      values: ['n', 'namespace'],
      aliases: { kill: 'k', namespace: 'n', mount: 'm' },
    },
  );
  if (!parsed.has('k')) return [];
  const space = parsed.text('n');
  const what = parsed.operands.map(shown);
  const port = space === 'tcp' || space === 'udp' || what.every((each) => /\/(tcp|udp)$/.test(each));
  return [killed(command, { by: port ? 'port' : parsed.has('m') || parsed.has('c') ? 'all' : 'unknown', what })];
};

/** taskkill takes `/IM`, `-IM` and, from a POSIX shell, `//IM`. */
const taskkill: Family = (command) => {
  const out: Found[] = [];
  const words = command.args.map(shown);
  for (let i = 0; i < words.length; i++) {
    const option = words[i]!.toLowerCase().replace(/^\/\/?|^-/, '');
    if (option === 'im') out.push({ by: 'name', what: [words[++i] ?? ''] });
    else if (option === 'pid') out.push({ by: 'pid', what: [words[++i] ?? ''] });
    else if (option === 'fi') out.push({ by: 'pattern', what: [words[++i] ?? ''], wholeLine: true });
    else if (option === '?') return [];
  }
  return merged(out).map((found) => killed(command, found));
};

/** PowerShell: Stop-Process -Name node, -Id 12, or what Get-Process pipes in. */
const stopProcess: Family = (command, context) => {
  const ids: string[] = [];
  const names: string[] = [];
  const words = command.args;
  for (let i = 0; i < words.length; i++) {
    const text = shown(words[i]!);
    const option = text.toLowerCase();
    if (option === '-whatif') return [];
    if ('-name'.startsWith(option) && option.length > 1) names.push(...shown(words[++i] ?? words[i - 1]!).split(','));
    else if (option === '-processname') names.push(...shown(words[++i] ?? words[i - 1]!).split(','));
    else if (option === '-id') ids.push(...shown(words[++i] ?? words[i - 1]!).split(','));
    else if (!isOption(words[i]!)) ids.push(...text.split(','));
  }
  if (names.length > 0) return [killed(command, { by: 'name', what: names })];
  if (ids.length > 0) return [killed(command, { by: 'pid', what: ids })];
  if (command.stdin.from !== 'pipe') return [];
  return [killed(command, pidsFrom(command.stdin.steps, context))];
};

const wholeSession =
  (verbs: readonly string[], what: string): Family =>
  (command) => {
    const verb = textOf(command.args.find((word) => !isOption(word)));
    return verb !== undefined && verbs.includes(verb) ? [killed(command, { by: 'user', what: [what] })] : [];
  };

const wmic: Family = (command) => {
  const words = command.args.map(shown);
  if (words[0]?.toLowerCase() !== 'process' || !words.some((word) => /^(delete|terminate)$/i.test(word))) return [];
  const named = /\bname\s*=\s*['"]?([^'"\s]+)/i.exec(words.join(' '))?.[1];
  if (named !== undefined) return [killed(command, { by: 'name', what: [named] })];
  return [
    killed(command, { by: 'pattern', what: [words.find((word) => /name|commandline/i.test(word)) ?? words.join(' ')], wholeLine: true }),
  ];
};

const UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86400 };

/** Seconds that sleep's operands add up to; undefined when one is not certain. */
export function secondsOf(words: readonly Word[]): number | undefined {
  let seconds = 0;
  for (const word of words) {
    const text = textOf(word);
    if (text === 'infinity' || text === 'inf') return Number.POSITIVE_INFINITY;
    const match = /^(\d+(?:\.\d+)?|\.\d+)([smhd]?)$/.exec(text ?? '');
    if (!match) return undefined;
    seconds += Number(match[1]) * UNIT[match[2] || 's']!;
  }
  return seconds;
}

const sleep: Family = (command) => {
  const seconds = secondsOf(command.args.filter((word) => !isOption(word)));
  return seconds === undefined || seconds === 0 ? [] : [{ kind: 'process.wait', ...baseOf(command), seconds, command: command.source }];
};

const startSleep: Family = (command) => {
  const words = command.args.map((word) => shown(word).toLowerCase());
  const at = words.findIndex((word) => /^-(s(econds)?|m(illiseconds)?)$/.test(word));
  const value = Number(words[at < 0 ? 0 : at + 1]);
  if (!Number.isFinite(value) || value <= 0) return [];
  const seconds = at >= 0 && words[at]!.startsWith('-m') ? value / 1000 : value;
  return [{ kind: 'process.wait', ...baseOf(command), seconds, command: command.source }];
};

/** Programs that end processes or wait. */
export const PROCESS_FAMILIES: FamilyTable = {
  kill,
  pkill,
  killall,
  killall5: (command) => [killed(command, { by: 'all', what: ['every process'] })],
  skill: pkill,
  slay: killall,
  xkill: (command) => [killed(command, { by: 'unknown', what: ['a window'] })],
  fuser,
  'kill-port': (command) => [killed(command, { by: 'port', what: command.args.map(shown) })],
  taskkill,
  tskill: (command) => [
    killed(command, { by: /^\d+$/.test(shown(command.args[0] ?? command.argv[0]!)) ? 'pid' : 'name', what: command.args.map(shown) }),
  ],
  wmic,
  'stop-process': stopProcess,
  spps: stopProcess,
  tmux: wholeSession(['kill-server'], 'every tmux session'),
  loginctl: wholeSession(['terminate-user', 'kill-user', 'terminate-session', 'kill-session'], 'a login session'),
  pm2: (command) => {
    const words = command.args.map(shown);
    if (words[0] === 'kill' || (['stop', 'delete', 'del'].includes(words[0] ?? '') && words[1] === 'all'))
      return [killed(command, { by: 'name', what: ['pm2'] })];
    return [];
  },
  sleep,
  gsleep: sleep,
  'start-sleep': startSleep,
};
