/** The programs that only look, and those that ask how far something outside is. */

import { quoteLine } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';

/** Whatever their words, they change nothing (what they write by a redirection is an effect of its own). */
const LOOKERS: ReadonlySet<string> = new Set(
  'cat tac head tail less more bat wc grep egrep fgrep rg sed awk gawk mawk cut sort uniq tr jq yq column fold fmt nl strings od xxd ls stat file test [ [[ true false : echo printf date sleep timeout pwd cd basename dirname realpath readlink which du df uptime if then else fi while until for do done wait seq'.split(
    ' ',
  ),
);

interface Status {
  /** Words after the program of which one must start: `run view`. '': any. */
  verbs: readonly string[];
  /** Options that make it wait for the end itself. */
  waits?: readonly string[];
}

/** Programs that tell how something outside stands. */
const STATUS: Readonly<Record<string, Status>> = {
  gh: {
    verbs: ['run view', 'run list', 'pr checks', 'pr view', 'pr status', 'pr list', 'issue view', 'workflow view', 'release view'],
    waits: ['--watch', 'watch'],
  },
  glab: { verbs: ['ci status', 'ci view', 'ci get', 'ci list', 'pipeline status', 'mr view', 'mr list'], waits: ['--live'] },
  kubectl: { verbs: ['get', 'describe', 'logs', 'top'], waits: ['-w', '--watch', '-f', '--follow', 'wait', 'rollout'] },
  oc: { verbs: ['get', 'describe', 'logs', 'status'], waits: ['-w', '--watch', '-f', '--follow'] },
  docker: { verbs: ['ps', 'logs', 'inspect', 'stats', 'top', 'compose ps', 'compose logs'], waits: ['-f', '--follow', 'wait'] },
  podman: { verbs: ['ps', 'logs', 'inspect', 'top'], waits: ['-f', '--follow', 'wait'] },
  systemctl: { verbs: ['status', 'is-active', 'is-failed', 'show'] },
  journalctl: { verbs: [''], waits: ['-f', '--follow'] },
  curl: { verbs: [''] },
  wget: { verbs: [''] },
  nc: { verbs: ['-z'] },
  ping: { verbs: [''] },
  ps: { verbs: [''] },
  pgrep: { verbs: [''] },
  pidof: { verbs: [''] },
  jobs: { verbs: [''] },
  lsof: { verbs: [''] },
  ss: { verbs: [''] },
  netstat: { verbs: [''] },
  kill: { verbs: ['-0', '-s 0'] },
  npm: { verbs: ['view', 'info', 'show'] },
  git: { verbs: ['ls-remote'] },
};

/** Options with which a question sends, stores or changes something. */
const SENDS: Readonly<Record<string, RegExp>> = {
  curl: /(?:^| )(?:-[a-zA-Z]*[dFToOX]|--(?:data|form|upload-file|json|request|output|remote-name))/,
  wget: /(?:^| )--(?:post|method|body)/,
};

/** Does a program of this name only look? */
export const onlyLooks = (name: string): boolean => LOOKERS.has(name);

/** May a line that starts with this program be a look? */
export const mayLook = (name: string): boolean => LOOKERS.has(name) || Object.hasOwn(STATUS, name);

/** What git has to tell changes with the agent's own work: no look at anything that goes on by itself, and no work either. */
const GIT_TELLS = new Set(['status', 'diff', 'log', 'show', 'rev-parse', 'blame']);

/**
 * What a command asks about: its words, equal each time it is asked. Without `what` it waits by itself. undefined: it is no question.
 * `wait`: the same program waiting for the end.
 */
export function statusOf(command: Command): { what?: string; wait?: string } | undefined {
  const known = Object.hasOwn(STATUS, command.name) ? STATUS[command.name] : undefined;
  if (!known) return undefined;
  const words = command.args.map((word) => textOf(word) ?? word.raw);
  if (known.waits?.some((option) => words.some((word) => word === option || word.startsWith(`${option}=`)))) return {};
  if (command.name === 'git' && GIT_TELLS.has(words[0] ?? '')) return {};
  const text = words.join(' ');
  if (SENDS[command.name]?.test(words.filter((word) => word.startsWith('-')).join(' '))) return undefined;
  if (!known.verbs.some((verb) => verb === '' || text === verb || text.startsWith(`${verb} `))) return undefined;
  const wait = waitFor(command.name, words);
  return { what: [command.name, ...words].join(' '), ...(wait ? { wait } : {}) };
}

/** The words of the same program that wait. */
function waitFor(name: string, words: readonly string[]): string | undefined {
  const id = words.find((word) => /^\d+$/.test(word));
  if (name === 'gh' && words[0] === 'run' && words[1] === 'view' && id) return quoteLine(['gh', 'run', 'watch', id, '--exit-status']);
  if (name === 'gh' && words[0] === 'pr' && words[1] === 'checks') return quoteLine(['gh', 'pr', 'checks', ...(id ? [id] : []), '--watch']);
  if (name === 'kill' && id) return quoteLine(['timeout', '100', 'tail', `--pid=${id}`, '-f', '/dev/null']);
  return undefined;
}

/** `tail -f`: one call that waits. */
export function follows(command: Command): boolean {
  if (command.name !== 'tail') return false;
  return command.args.some((word) => /^(?:-[a-zA-Z]*[fF][a-zA-Z0-9]*|--follow(?:=.*)?|--retry)$/.test(textOf(word) ?? ''));
}
