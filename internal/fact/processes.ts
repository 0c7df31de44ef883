/** Who runs on this machine: what a kill by name or pattern would hit, and whose that is. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { Effect } from '../effect/effect.ts';
import type { SweepFact } from './facts.ts';

type Kill = Extract<Effect, { kind: 'process.kill' }>;

/** One process, as far as it can be seen. */
export interface Process {
  pid: number;
  parent: number;
  user: number;
  /** It has a terminal: somebody may be sitting there. */
  terminal: boolean;
  /** Program's base name, as the kernel has it (at most 15 characters on Linux). */
  name: string;
  /** The whole command line, words joined by blanks. */
  line: string;
  /** Its first two words: the program and its script. */
  head: string;
  cwd: string | undefined;
}

/** Milliseconds that listing may take where there is no /proc. */
const PS_TIMEOUT = 400;

/** All processes; undefined when they cannot be listed. */
export function processes(): readonly Process[] | undefined {
  try {
    return fromProc();
  } catch {
    return fromPs();
  }
}

function fromProc(): Process[] {
  const out: Process[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const words = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0').filter(Boolean);
      if (words.length === 0) continue; // a kernel thread
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const close = stat.lastIndexOf(')');
      const fields = stat.slice(close + 2).split(' ');
      out.push({
        pid: Number(entry),
        parent: Number(fields[1]),
        user: statSync(`/proc/${entry}`).uid,
        terminal: fields[4] !== '0',
        name: stat.slice(stat.indexOf('(') + 1, close),
        line: words.join(' '),
        head: words.slice(0, 2).join(' '),
        cwd: linked(`/proc/${entry}/cwd`),
      });
    } catch {
      // It ended while it was being read.
    }
  }
  if (out.length === 0) throw new Error('no /proc');
  return out;
}

function linked(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function fromPs(): Process[] | undefined {
  try {
    const text = execFileSync('ps', ['-axo', 'pid=,ppid=,uid=,tty=,command='], {
      encoding: 'utf8',
      timeout: PS_TIMEOUT,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.split('\n').flatMap((row): Process[] => {
      const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row);
      if (!match) return [];
      const line = match[5]!;
      const words = line.split(' ');
      const name = (words[0]!.split('/').at(-1) ?? '').replace(/^-/, '');
      return [
        {
          pid: Number(match[1]),
          parent: Number(match[2]),
          user: Number(match[3]),
          terminal: !/^\?+$|^-$/.test(match[4]!),
          name,
          line,
          head: words.slice(0, 2).join(' '),
          cwd: undefined,
        },
      ];
    });
  } catch {
    return undefined;
  }
}

/** The chain from a process up to the root. */
export function chainOf(pid: number, all: readonly Process[]): readonly Process[] {
  return climb(pid, new Map(all.map((each) => [each.pid, each])));
}

function climb(pid: number, byPid: ReadonlyMap<number, Process>): Process[] {
  const out: Process[] = [];
  for (let at = byPid.get(pid); at && !out.includes(at); at = byPid.get(at.parent)) out.push(at);
  return out;
}

/** Who the kill would hit. `self`: the guard's own process; `workspace`: absolute. Pure over the list. */
export function sweepOf(effect: Kill, all: readonly Process[], self: number, workspace: string, user: number | undefined): SweepFact {
  const chain = chainOf(self, all).slice(1);
  const ancestors = new Set(chain.map((each) => each.pid));
  const mine = new Set<number>();
  const host = hostOf(chain);
  const byPid = new Map(all.map((each) => [each.pid, each]));
  for (const each of all) if (host !== undefined && climb(each.pid, byPid).some((up) => up.pid === host.pid)) mine.add(each.pid);
  const session: string[] = [];
  const others: string[] = [];
  let own = 0;
  for (const each of all) {
    // Guards that judge other calls at this moment are gone before anything is ended.
    if (each.pid === self || /\bwaygate(?:\.\w+)? hook\b/.test(each.line) || !reaches(effect, each, user)) continue;
    // What an ancestor was told (a prompt, this very line) is not what it is.
    if (ancestors.has(each.pid)) {
      if (hits(effect, each, each.head)) session.push(each.name);
      continue;
    }
    if (!hits(effect, each, each.line)) continue;
    const here = each.cwd !== undefined && (each.cwd === workspace || each.cwd.startsWith(`${workspace}/`));
    if (mine.has(each.pid) || (here && !each.terminal)) own++;
    else if (each.cwd !== undefined || each.terminal) others.push(each.name);
  }
  return { session: unique(session), others: unique(others), own };
}

/** The agent host: the first ancestor that is no shell and not the guard's launcher. */
function hostOf(chain: readonly Process[]): Process | undefined {
  return chain.find((each) => !/^(sh|bash|dash|zsh|ksh|fish|env|timeout)$/.test(each.name) && each.pid > 1);
}

/** A signal only reaches processes of the same user, unless root sends it. */
const reaches = (effect: Kill, each: Process, user: number | undefined): boolean =>
  effect.root || user === undefined || user === 0 || each.user === user;

function hits(effect: Kill, each: Process, line: string): boolean {
  if (effect.by === 'all' || effect.by === 'user') return true;
  const program = line.split(' ', 1)[0]!.split('/').at(-1)!;
  return effect.what.some((raw) => {
    const what = raw.replace(/\.exe$/i, '');
    if (effect.by === 'name') return each.name === what.slice(0, 15) || program === what;
    try {
      const pattern = new RegExp(what);
      return pattern.test(effect.wholeLine ? line : each.name) || (!effect.wholeLine && pattern.test(program));
    } catch {
      return line.includes(what);
    }
  });
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];
