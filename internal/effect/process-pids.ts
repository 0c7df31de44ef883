/** Where process ids come from: the commands whose output becomes the operands of kill. */
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import type { EffectContext } from './family.ts';
import { upstream } from './network-flow.ts';
import { parseOptions } from './options.ts';
import type { ProcessEffect } from './types-outside.ts';

/** How the victims are chosen, and by which words. */
export interface Found {
  by: Extract<ProcessEffect, { kind: 'process.kill' }>['by'];
  what: readonly string[];
  wholeLine?: boolean;
}

const shown = (word: Word): string => textOf(word) ?? word.raw;

/** What the output of these commands selects. All commands before them in their pipelines are looked at. */
export function pidsFrom(steps: readonly number[], context: EffectContext): Found {
  const commands = upstream(steps, context);
  for (const command of commands) {
    const found = bySelector(command);
    if (found) return found;
  }
  if (commands.some((command) => LISTERS.includes(command.name))) return listed(commands);
  return { by: 'pid', what: commands.length > 0 ? [commands.map((command) => command.source).join(' | ')] : [] };
}

/** Programs that list processes; what is left of the list is chosen by the filters behind them. */
const LISTERS = ['ps', 'tasklist', 'get-process', 'gps', 'top', 'pstree'];

/** Commands that answer with ids by themselves. */
function bySelector(command: Command): Found | undefined {
  const words = command.args.map(shown);
  switch (command.name) {
    case 'pgrep': {
      const parsed = parseOptions(command.args, {
        flags: [...'fxnoavliwcLH', 'full', 'exact', 'newest', 'oldest', 'list-name', 'list-full', 'ignore-case', 'count', 'inverse'],
        values: [...'uUPgGtsFOrd', 'euid', 'uid', 'parent', 'pgroup', 'terminal', 'session', 'pidfile', 'delimiter'],
        aliases: { full: 'f', exact: 'x', parent: 'P', euid: 'u', uid: 'U' },
      });
      if (parsed.has('P')) return { by: 'job', what: [`children of ${shown(parsed.word('P')!)}`] };
      if (parsed.operands.length > 0) {
        return {
          by: parsed.has('x') ? 'name' : 'pattern',
          what: parsed.operands.map(shown),
          ...(parsed.has('f') ? { wholeLine: true } : {}),
        };
      }
      return { by: 'user', what: words };
    }
    case 'pidof':
      return { by: 'name', what: words.filter((word) => !word.startsWith('-')) };
    case 'jobs':
      return { by: 'job', what: ['jobs'] };
    case 'lsof': {
      const port = words.find((word) => /^-[a-zA-Z]*i/.test(word) || /^(tcp|udp)?@?[\w.]*:\d/i.test(word) || /^:/.test(word));
      return port === undefined
        ? { by: 'unknown', what: [command.source] }
        : { by: 'port', what: [words.find((word) => word.includes(':')) ?? port] };
    }
    case 'fuser':
    case 'ss':
    case 'netstat':
    case 'get-nettcpconnection':
      return { by: 'port', what: words.filter((word) => /\d/.test(word)) };
    case 'ps': {
      const format = words.join(' ');
      if (/(^|[\s,=])ppid(=|,|\s|$)/.test(format) && words.some((word) => /^-[a-zA-Z]*p|^--pid|^-[a-zA-Z]*q|^\d+$/.test(word)))
        return { by: 'parent', what: [command.source] };
      const named = words.indexOf('-C');
      if (named >= 0 && words[named + 1] !== undefined) return { by: 'name', what: [words[named + 1]!] };
      if (words.some((word) => /^--ppid/.test(word))) return { by: 'job', what: [command.source] };
      return undefined;
    }
    case 'get-process':
    case 'gps': {
      const names = command.args.filter((word) => !isOption(word)).flatMap((word) => shown(word).split(','));
      const byId = words.some((word) => /^-id$/i.test(word));
      if (names.length === 0) return undefined;
      return { by: byId ? 'pid' : 'name', what: names };
    }
    default:
      return undefined;
  }
}

/** A list that filters narrow: `ps aux | grep node`. Without a filter it is everything. */
function listed(commands: readonly Command[]): Found {
  const patterns: string[] = [];
  for (const command of commands) {
    if (/^([ef]?grep|rg|findstr|select-string)$/.test(command.name)) {
      const parsed = parseOptions(command.args, { flags: [...'vwEFPiIoqnxcHhs'], values: ['e', 'm', 'A', 'B', 'C'] });
      if (parsed.has('v')) continue;
      const word = parsed.word('e') ?? parsed.operands[0];
      if (word) patterns.push(unbracket(shown(word)));
    } else if (/^[gmn]?awk$/.test(command.name)) {
      const match = /\/((?:[^/\\]|\\.)+)\//.exec(shown(command.args.find((word) => !isOption(word)) ?? command.argv[0]!));
      if (match) patterns.push(unbracket(match[1]!));
    } else if (command.name === 'sed') {
      const match = /\/((?:[^/\\]|\\.)+)\/p/.exec(command.args.map(shown).join(' '));
      if (match) patterns.push(unbracket(match[1]!));
    }
  }
  return patterns.length > 0 ? { by: 'pattern', what: patterns, wholeLine: true } : { by: 'all', what: ['every listed process'] };
}

/** `[n]ode` is `node`: the trick that keeps grep from finding itself. */
const unbracket = (pattern: string): string => pattern.replace(/\[(\w)\]/g, '$1');
