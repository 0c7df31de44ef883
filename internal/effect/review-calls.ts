/** Calls of a forge's tool that show how a review stands, and what their output says about it. What it says only ever brings or lifts an advice. */
import type { Action } from '../action/action.ts';
import type { Look } from '../shell/command.ts';
import { readLine } from '../shell/read.ts';
import { textOf } from '../shell/word.ts';
import { FORGE_OPTIONS } from './forge.ts';
import { parseOptions } from './options.ts';

export type ReviewState = 'open' | 'merged' | 'closed';

/** One review as a call names it: by its branch, by its number, or as that of the current branch of `cwd`. */
export interface ReviewSeen {
  cwd: string | undefined;
  state: ReviewState;
  branch?: string;
  number?: string;
  /** Neither branch nor number are named by the call or its output. */
  current?: true;
}

/** What a success of a verb means when the output says nothing. undefined: only what the output says counts. */
const MEANS: Readonly<Record<string, ReviewState>> = {
  create: 'open',
  new: 'open',
  'new-for': 'open',
  view: 'open',
  show: 'open',
  checks: 'open',
  ready: 'open',
  edit: 'open',
  update: 'open',
  'update-branch': 'open',
  checkout: 'open',
  reopen: 'open',
  rebase: 'open',
  merge: 'merged',
  accept: 'merged',
  close: 'closed',
};
const LISTS: ReadonlySet<string> = new Set(['list', 'status']);

/** The reviews that a call which succeeded has shown. `output`: what it printed. */
export function reviewsSeen(action: Action, output: string, look: Look): readonly ReviewSeen[] {
  if (/\bno (?:open )?(?:pull|merge) requests? (?:found|match)|no open (?:pull|merge) request/i.test(output)) return [];
  if (action.surface === 'mcp') return throughMcp(action, output);
  const { command, dialect } = action.input;
  if (command === undefined || dialect !== 'posix') return [];
  const calls = readLine(command, { cwd: action.cwd, look }).commands.filter((each) => ['gh', 'glab', 'hub', 'tea'].includes(each.name));
  return calls.flatMap((each) => {
    const options = parseOptions(each.args, FORGE_OPTIONS);
    const [area, verb = '', subject] = options.operands.map((word) => textOf(word) ?? '');
    const making = verb === 'create' || verb === 'new';
    // A review of another repository says nothing about this one.
    if (options.has('help') || (options.has('repo') && !making) || !['pr', 'mr', 'pull-request', 'pulls'].includes(area ?? '')) return [];
    const found = entriesIn(output);
    if (LISTS.has(verb))
      return found.flatMap((entry) => (entry.branch && entry.state ? [{ cwd: each.cwd, ...named(entry, entry.state) }] : []));
    // What merges later is still open.
    const means = verb === 'merge' && options.has('auto') ? 'open' : verb === 'ready' && options.has('undo') ? 'open' : MEANS[verb];
    if (means === undefined) return [];
    const said = found[0] ?? {};
    const state = ['merge', 'accept', 'close'].includes(verb) ? means : (said.state ?? stateIn(output) ?? means);
    const head = making ? (options.text('head') ?? options.text('H') ?? options.text('source-branch')) : undefined;
    const mark = each.name === 'glab' ? '!' : '#';
    return [{ cwd: each.cwd, ...asked(state, { head, subject: making ? undefined : subject, said, output, mark }) }];
  });
}

interface Entry {
  branch?: string;
  number?: string;
  state?: ReviewState;
}

const named = ({ branch, number }: Entry, state: ReviewState): Omit<ReviewSeen, 'cwd'> => ({
  state,
  ...(branch === undefined ? {} : { branch }),
  ...(number === undefined ? {} : { number }),
});

interface Clues {
  head: string | undefined;
  /** A number, an address or a branch. */
  subject: string | undefined;
  said: Entry;
  output: string;
  mark: '#' | '!';
}

function asked(state: ReviewState, { head, subject, said, output, mark }: Clues): Omit<ReviewSeen, 'cwd'> {
  const digits = /^#?(\d+)$/.exec(subject ?? '')?.[1] ?? ADDRESS.exec(subject ?? '')?.[1];
  const shown =
    digits ??
    (subject === undefined ? (said.number?.slice(1) ?? ADDRESS.exec(output)?.[1] ?? /^number:\s*(\d+)/m.exec(output)?.[1]) : undefined);
  const number = shown === undefined ? said.number : `${mark}${shown}`;
  const branch = said.branch ?? branchOf(head) ?? (digits === undefined ? branchOf(subject) : undefined);
  const seen = named({ ...(branch ? { branch } : {}), ...(number ? { number } : {}) }, state);
  return branch === undefined && digits === undefined ? { ...seen, current: true } : seen;
}

const ADDRESS = /\/(?:pull|merge_requests|pulls)\/(\d+)/;

/** `owner:branch` names the owner of the fork as well. */
const branchOf = (text: string | undefined): string | undefined => text?.replace(/^[\w.-]+:/, '') || undefined;

/** State in the text form: `state: OPEN`, or the one word that was asked for. */
function stateIn(output: string): ReviewState | undefined {
  const word = /^\s*(?:state:\s*)?"?(open|merged|closed|draft|opened)"?\s*$/im.exec(output)?.[1];
  return word === undefined ? undefined : stateOf(word);
}

function stateOf(value: unknown): ReviewState | undefined {
  const word = String(value).toLowerCase();
  if (word === 'open' || word === 'opened' || word === 'draft') return 'open';
  return word === 'merged' || word === 'closed' ? word : undefined;
}

/** The reviews that stand in a JSON output, in the field names of the forges. */
function entriesIn(output: string): readonly Entry[] {
  const start = output.search(/[{[]/);
  if (start < 0) return [];
  try {
    const value = JSON.parse(output.slice(start)) as unknown;
    return (Array.isArray(value) ? value : [value]).slice(0, 100).flatMap((each) => (isObject(each) ? [entryOf(each)] : []));
  } catch {
    return [];
  }
}

function entryOf(raw: Readonly<Record<string, unknown>>): Entry {
  const head = raw['headRefName'] ?? raw['source_branch'] ?? (isObject(raw['head']) ? raw['head']['ref'] : undefined);
  const id = raw['number'] ?? raw['iid'];
  const merged =
    raw['merged'] === true || (typeof raw['merged_at'] === 'string' && raw['merged_at'] !== '') || typeof raw['mergedAt'] === 'string';
  const state = merged ? 'merged' : stateOf(raw['state']);
  return {
    ...(typeof head === 'string' ? { branch: head } : {}),
    ...(typeof id === 'number' || typeof id === 'string' ? { number: `${raw['iid'] === undefined ? '#' : '!'}${id}` } : {}),
    ...(state === undefined ? {} : { state }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** create_pull_request, get_pull_request, merge_pull_request and their kin. */
function throughMcp({ tool, raw, cwd }: Action, output: string): readonly ReviewSeen[] {
  const text = (...names: readonly string[]) =>
    names.map((name) => raw[name]).find((value) => typeof value === 'string' || typeof value === 'number');
  const said = entriesIn(output)[0] ?? {};
  const branch = said.branch ?? branchOf(text('head', 'source_branch', 'sourceBranch') as string | undefined);
  const id = text('pullNumber', 'pull_number', 'number', 'merge_request_iid', 'mergeRequestIid');
  const number = said.number ?? (id === undefined ? undefined : `${tool.includes('merge_request') ? '!' : '#'}${id}`);
  const verb = /(create|merge|close)_(?:pull|merge)_request/.exec(tool)?.[1];
  const means =
    verb === undefined ? (stateOf(raw['state']) ?? said.state) : verb === 'create' ? 'open' : verb === 'merge' ? 'merged' : 'closed';
  if (means === undefined || (branch === undefined && number === undefined)) return [];
  return [{ cwd, ...named({ ...(branch ? { branch } : {}), ...(number ? { number } : {}) }, means) }];
}
