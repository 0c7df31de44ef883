/** Running what came from the network or out of a decoder: whatever way the bytes take to an interpreter. */

import { quoteLine } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { hasHole, isOption, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type Family, targetOf } from './family.ts';
import type { Fetched } from './network-fetch.ts';
import { decodedIn, hasSource, inflowOf, networkIn, type Origin, originsOf, socketOf, stepsOf, upstream } from './network-flow.ts';

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'csh', 'tcsh', 'rbash', 'busybox']);
const POWERSHELLS = new Set(['pwsh', 'powershell']);

/** Interpreters: options that carry the program, and options with a value of their own. */
const INTERPRETERS: readonly { name: RegExp; code: RegExp; values?: RegExp; check?: RegExp }[] = [
  { name: /^(python|python\d(\.\d+)*|pypy\d?|py)$/, code: /^-[a-zA-Z]*[cm]$/, values: /^-[WX]$/ },
  {
    name: /^(node|nodejs|bun|tsx|ts-node)$/,
    code: /^(-[a-z]*[ep]|--eval|--print|--eval=.*)$/,
    values: /^(-r|--require|--import|--loader)$/,
    check: /^(-c|--check|-v|--version)$/,
  },
  { name: /^perl$/, code: /^-[a-zA-Z0-9]*[eEnp]/, values: /^-I$/, check: /^-[a-zA-Z]*c$/ },
  { name: /^ruby$/, code: /^-[a-zA-Z]*[enp]/, values: /^-[rI]$/, check: /^-[a-zA-Z]*c$/ },
  { name: /^php\d?(\.\d+)?$/, code: /^(-[rBRE]|--run)$/, values: /^-[dc]$/, check: /^-[a-zA-Z]*[livm]$/ },
  { name: /^(lua|luajit|lua\d\.\d)$/, code: /^-e/, values: /^-l$/ },
  { name: /^(osascript|tclsh|expect|rscript)$/, code: /^-[ec]$/ },
];

/** The words of a command that an interpreter would run, and whether it reads standard input. */
interface Runs {
  /** Texts that are programs: `-c CODE`, `eval CODE`. */
  code: readonly Word[];
  /** Files that are programs. */
  files: readonly Word[];
  stdin: boolean;
}

const nothing: Runs = { code: [], files: [], stdin: false };
const shown = (word: Word): string => textOf(word) ?? word.raw;

function runsOf(command: Command): Runs {
  const { name } = command;
  if (SHELLS.has(name)) return shellRuns(name === 'busybox' ? command.args.slice(1) : command.args);
  if (POWERSHELLS.has(name)) return powershellRuns(command.args);
  if (name === 'eval' || name === 'iex' || name === 'invoke-expression')
    return { code: command.args, files: [], stdin: name !== 'eval' && command.stdin.from === 'pipe' };
  if (name === 'source' || name === '.') return fileRuns(command.args.filter((word) => textOf(word) !== '--').slice(0, 1));
  if (name === 'deno')
    return textOf(command.args[0]) === 'run'
      ? fileRuns(
          command.args
            .slice(1)
            .filter((word) => !isOption(word))
            .slice(0, 1),
        )
      : nothing;
  const interpreter = INTERPRETERS.find((each) => each.name.test(name));
  if (interpreter) return interpreterRuns(command.args, interpreter);
  const program = command.argv[0]!;
  return shown(program).includes('/') ? { code: [], files: [program], stdin: false } : nothing;
}

/** A script operand; the names of standard input count as such. */
function fileRuns(words: readonly Word[]): Runs {
  const text = textOf(words[0]);
  if (text !== undefined && /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(text)) return { code: [], files: [], stdin: true };
  return { code: [], files: words, stdin: words.length === 0 };
}

function shellRuns(args: readonly Word[]): Runs {
  let code = false;
  let stdin = false;
  let checks = false;
  let i = 0;
  for (; i < args.length; i++) {
    const text = textOf(args[i]) ?? '';
    if (text === '--' || text === '-') {
      i++;
      break;
    }
    if (/^--(version|help)$/.test(text)) return nothing;
    if (/^--(rcfile|init-file)$/.test(text)) {
      i++;
      continue;
    }
    if (text.startsWith('--')) continue;
    if (!/^[-+][a-zA-Z]+$/.test(text)) break;
    if (text.includes('n')) checks = text.startsWith('-');
    if (text.startsWith('-') && text.includes('c')) code = true;
    if (text.startsWith('-') && text.includes('s')) stdin = true;
    if (/[oO]/.test(text)) i++;
  }
  if (checks) return nothing;
  const rest = args.slice(i);
  if (code) return { code: rest.slice(0, 1), files: [], stdin: false };
  return stdin ? { code: [], files: [], stdin: true } : fileRuns(rest.slice(0, 1));
}

function interpreterRuns(args: readonly Word[], { code, values, check }: { code: RegExp; values?: RegExp; check?: RegExp }): Runs {
  for (let i = 0; i < args.length; i++) {
    const text = textOf(args[i]);
    if (text === undefined || text === '-' || !text.startsWith('-')) return fileRuns([args[i]!]);
    if (text === '--') return fileRuns(args.slice(i + 1, i + 2));
    if (check?.test(text)) return nothing;
    if (code.test(text)) return { code: args.slice(i, i + 2), files: [], stdin: false };
    if (values?.test(text)) i++;
  }
  return fileRuns([]);
}

function powershellRuns(args: readonly Word[]): Runs {
  for (let i = 0; i < args.length; i++) {
    const text = (textOf(args[i]) ?? '').toLowerCase();
    if (/^[-/]c(ommand)?$/.test(text))
      return textOf(args[i + 1]) === '-' ? { code: [], files: [], stdin: true } : { code: args.slice(i + 1), files: [], stdin: false };
    if (/^[-/]f(ile)?$/.test(text)) return fileRuns(args.slice(i + 1, i + 2));
    if (!/^[-/]/.test(text)) return { code: args.slice(i), files: [], stdin: false };
    if (/^[-/](executionpolicy|ep|ex|windowstyle|w|version|inputformat|outputformat|workingdirectory|wd|configurationname)$/.test(text))
      i++;
  }
  return fileRuns([]);
}

const isStdinName = (word: Word): boolean => /^(\/dev\/fd\/0|\/dev\/stdin)$/.test(shown(word));

/** Everything that the command would run as a program, by origin. */
function programOrigins(command: Command, context: EffectContext): readonly Origin[] {
  const runs = runsOf(command);
  const flow = inflowOf(command, context);
  const out: Origin[] = [];
  if (runs.stdin) out.push(...flow.stdin);
  for (const word of runs.code) out.push(...originsOf(word, context));
  for (const word of runs.files) {
    if (isStdinName(word)) out.push(...flow.stdin);
    out.push(...originsOf(word, context));
    out.push(...(flow.paths.get(targetOf(word, command.cwd).path ?? word.raw) ?? []));
  }
  return out;
}

/** A download as a command of its own, into a file the agent can read first. */
function downloadOf(fetched: Fetched, tmp: string): string | undefined {
  if (!fetched.known || !fetched.http) return undefined;
  const name = (fetched.url.split(/[?#]/, 1)[0]!.replace(/\/+$/, '').split('/').at(-1) ?? '').replace(/[^A-Za-z0-9._-]/g, '-');
  return quoteLine(['curl', '-fsSL', fetched.url, '-o', `${tmp}/${name === '' || name.startsWith('.') ? 'download' : name}`]);
}

/** True when a program text starts a shell or an interpreter, behind whatever wrappers. A lone `SHELL` address counts. */
const startsShell = (text: string): boolean =>
  text
    .replace(/["'\\]/g, ' ')
    .split(/[\s,]+/)
    .some((word) => {
      const name = word.split('/').at(-1)!;
      return SHELLS.has(name) || POWERSHELLS.has(name) || /^(cmd(\.exe)?|python[\d.]*|perl|ruby|php|node)$/.test(name);
    });

/** Programs that start a shell for whoever is connected: the peer. */
function remoteShell(command: Command): string | undefined {
  if (!/^(nc|ncat|netcat|socat)$/.test(command.name)) return undefined;
  const texts = command.args.map(shown);
  if (/^(nc|ncat|netcat)$/.test(command.name)) {
    const program = texts.flatMap((text, i) => {
      const long = /^--(?:exec|sh-exec|lua-exec)(?:=(.*))?$/.exec(text);
      if (long) return [long[1] ?? texts[i + 1] ?? ''];
      return /^-[a-zA-Z0-9]*[ec]$/.test(text) ? [texts[i + 1] ?? ''] : [];
    })[0];
    if (program === undefined || !startsShell(program)) return undefined;
    const others = texts.filter((text) => !text.startsWith('-') && text !== program);
    const listens = texts.some((text) => /^-[a-zA-Z]*l|^--listen$/.test(text));
    return listens ? 'whoever connects' : others.length >= 2 ? others[0] : undefined;
  }
  if (command.name !== 'socat') return undefined;
  const addresses = texts.filter((text) => /^[a-z0-9-]+(:|,|$)/i.test(text));
  const runs = addresses.some(
    (text) => /^shell\b/i.test(text) || (/^(exec|system):/i.test(text) && startsShell(text.slice(text.indexOf(':') + 1))),
  );
  const net = addresses.find((text) => /^(tcp|udp|sctp|dccp|openssl|ssl|proxy|socks\w*|vsock|ip|udplite)[a-z0-9-]*(:|$)/i.test(text));
  return runs && net ? net : undefined;
}

/** `bash -i >& /dev/tcp/host/port 0>&1`: a shell that another machine types into. */
function shellToSocket(command: Command): string | undefined {
  if (!SHELLS.has(command.name) || !command.redirects.some((redirect) => redirect.fds.includes(0))) return undefined;
  for (const redirect of command.redirects) {
    const socket = redirect.op === '<' ? undefined : socketOf(redirect.target);
    if (socket) return socket;
  }
  return undefined;
}

/** `curl … | tee >(bash)`, `curl … > >(sh)`: the output runs into a shell that was started beside it. */
function runsBeside(command: Command, context: EffectContext): readonly Origin[] {
  const flow = inflowOf(command, context);
  const words = [
    ...command.redirects.filter((redirect) => redirect.op.startsWith('>')).map((redirect) => redirect.target),
    ...command.args,
  ];
  const steps = words.flatMap((word) =>
    word.parts.some((part) => part.kind === 'hole' && part.text.startsWith('>(')) ? stepsOf(word) : [],
  );
  if (steps.length === 0 && !flow.beside) return [];
  const beside = upstream([...steps, ...(flow.beside ?? [])], context).some((each) => runsOf(each).stdin);
  return beside ? [...flow.stdin, ...flow.out] : [];
}

/** Package runners and deno with a URL in place of a name. */
function runsUrl(command: Command): string | undefined {
  if (command.name !== 'deno' && command.name !== 'bun') return undefined;
  const words = command.args.map(shown);
  if (command.name === 'deno')
    return ['run', 'x', 'eval', 'serve'].includes(words[0] ?? '') ? words.slice(1).find((word) => /^https?:\/\//.test(word)) : undefined;
  if (command.name === 'bun') return words[0] === 'run' ? words.find((word) => /^https?:\/\//.test(word)) : undefined;
  return undefined;
}

const isLoopback = (url: string): boolean => /^https?:\/\/(localhost|127\.|\[::1\])/.test(url);

/** What the pipeline would print without its last stage. */
function decodeOnly(command: Command, origin: Extract<Origin, { from: 'decoded' }>, context: EffectContext): string | undefined {
  const stages = upstream([origin.step], context).filter((each) => each.name !== command.name || each.step !== command.step);
  if (stages.length === 0 || stages.some((stage) => stage.args.some(hasHole) || stage.redirects.some((redirect) => redirect.op !== '<')))
    return undefined;
  return stages.map((stage) => stage.source).join(' | ');
}

/** `-EncodedCommand TEXT` in any of its short forms. */
function encoded(command: Command): boolean {
  const at = command.args.findIndex((word) => /^[-/](e|ec|en|enc|enco\w*)$/i.test(shown(word)));
  return at >= 0 && command.args[at + 1] !== undefined && !isOption(command.args[at + 1]!);
}

/** Running code from elsewhere, for every command of the line. */
export const execFamily: Family = (command, context): readonly Effect[] => {
  const base = baseOf(command);
  const shell = remoteShell(command) ?? shellToSocket(command);
  if (shell !== undefined)
    return [{ kind: 'exec.remote', ...base, url: shell, how: 'a shell that the other side types into', command: command.source }];
  const url = runsUrl(command);
  if (url !== undefined && !isLoopback(url)) {
    const instead = downloadOf({ url, known: true, stdout: true, to: [], http: true }, context.look.tmp);
    return [
      {
        kind: 'exec.remote',
        ...base,
        url,
        how: `${command.name} runs it straight from the network`,
        ...(instead ? { instead } : {}),
        command: command.source,
      },
    ];
  }
  if (POWERSHELLS.has(command.name) && encoded(command))
    return [{ kind: 'exec.decoded', ...base, how: '-EncodedCommand', command: command.source }];
  if (!hasSource(context)) return [];
  const origins = [...programOrigins(command, context), ...runsBeside(command, context)];
  const network = networkIn(origins);
  if (network) {
    const instead = downloadOf(network.fetched, context.look.tmp);
    return [
      {
        kind: 'exec.remote',
        ...base,
        url: network.fetched.url,
        how: `${command.name || 'the shell'} runs it`,
        ...(instead ? { instead } : {}),
        command: command.source,
      },
    ];
  }
  const decoded = decodedIn(origins);
  if (!decoded) return [];
  const instead = decodeOnly(command, decoded, context);
  return [{ kind: 'exec.decoded', ...base, how: decoded.how, ...(instead ? { instead } : {}), command: command.source }];
};
