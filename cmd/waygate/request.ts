/** `waygate request`: an agent puts a call before the owner, prepared: the exact object, why, and what refuses it. Approves nothing. */
import { resolve } from 'node:path';
import type { Action } from '../../internal/action/action.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { redact } from '../../internal/decision/redact.ts';
import { rejectionOf } from '../../internal/grant/match.ts';
import type { RequestRecord } from '../../internal/grant/records.ts';
import { preparedCall, preparedFile, recoveryOf, refusalsOf } from '../../internal/grant/request.ts';
import { appendRequest, decidedFor, grantsIn, readOwner, readRequests, realOf, rejectionsIn } from '../../internal/grant/store.ts';
import { hostNamed } from '../../internal/host/hosts.ts';
import { answer } from '../../internal/judge/answer.ts';
import { newId, summaryOf } from '../../internal/judge/identity.ts';
import { readRecords, sessionsLeft } from '../../internal/ledger/read.ts';
import type { DecisionRecord } from '../../internal/ledger/records.ts';
import { openSession } from '../../internal/ledger/session.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import { quoteLine } from '../../internal/rule/quote.ts';
import { readLine } from '../../internal/shell/read.ts';
import { textOf } from '../../internal/shell/word.ts';
import { visible } from '../../internal/view/visible.ts';
import { RULES } from '../../rules/index.gen.ts';
import { sources } from './compose.ts';
import { pastOf } from './past.ts';
import { type Exit, Failure, say, sayJson, UsageError } from './terminal.ts';

const HELP = `Usage: waygate request --need CAPABILITY --why TEXT [options] (-- COMMAND… | --tool NAME --input JSON | --file FILE)

Puts a call before the owner of this workspace, exactly as it would be made. Nothing runs and nothing is approved by it.

Options:
  --need CAPABILITY  what is needed, in the words of the refusal: its boundary, or what is missing
  --why TEXT         what it is for, and what was tried instead
  -- COMMAND…        the call: a shell line in quotes, or its words
  --tool NAME        a tool other than the shell, with --input
  --input JSON       the input of that tool
  --file FILE        a diff or an artifact to be looked at
  --run ID           the session it belongs to; found by itself where it can be
  --json             one JSON document
  -C DIR             work in this directory

Examples:
  $ waygate request --need 'git.push origin/feat/x overwrite' --why 'the rebase was asked for in the review' -- git push --force-with-lease origin feat/x
  $ waygate request --need 'a new dependency' --why 'the parser needs it' --file ./add-parser.diff
`;

interface Options {
  need: string;
  why: string;
  json: boolean;
  dir: string;
  session?: string;
  file?: string;
  tool?: string;
  input?: string;
  command?: string;
}

/** Runs the verb. 0: recorded or known already; 1: it needs no request, or none can help; 2: a plea without an object. */
export async function run(argv: readonly string[]): Promise<Exit> {
  if (argv.includes('--help') && !(argv.indexOf('--') >= 0 && argv.indexOf('--') < argv.indexOf('--help'))) {
    say(HELP.trimEnd());
    return 0;
  }
  const options = optionsOf(argv);
  const record = options.file === undefined ? await requestForCall(options) : requestForFile(options, options.file);
  const known = alreadyAsked(record);
  if (!known) appendRequest(record);
  tellAbout(known ?? record, known !== undefined, options.json);
  return 0;
}

const VALUES = ['--need', '--why', '--file', '--tool', '--input', '--session', '--run', '-C'] as const;

function optionsOf(argv: readonly string[]): Options {
  const given = new Map<string, string>();
  let json = false;
  let command: string | undefined;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!;
    if (word === '--') {
      const words = argv.slice(at + 1);
      command = words.length === 1 ? words[0] : quoteLine(words);
      break;
    }
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    if (name === '--json') json = true;
    else if ((VALUES as readonly string[]).includes(name)) {
      const value = equals < 0 ? argv[++at] : word.slice(equals + 1);
      if (value === undefined) throw new UsageError(`request: ${name} needs a value`);
      given.set(name === '--run' ? '--session' : name, value);
    } else throw new UsageError(`request: ${word} is not known; the call stands after --; see waygate request --help`);
  }
  const need = given.get('--need')?.trim() ?? '';
  const why = given.get('--why')?.trim() ?? '';
  const objects = [
    command?.trim() ? '--' : undefined,
    given.has('--file') ? '--file' : undefined,
    given.has('--tool') ? '--tool' : undefined,
  ].filter(Boolean);
  if (need === '') throw new UsageError("request: --need says what is needed, e.g. --need 'git.push origin/feat/x overwrite'");
  if (why === '') throw new UsageError("request: --why says what it is for, e.g. --why 'the review asked for a rebase'");
  if (objects.length === 0)
    throw new UsageError(
      'request: the owner decides about one exact object: the command after --, --tool with --input, or --file with a diff',
    );
  if (objects.length > 1) throw new UsageError(`request: one object at a time, not ${objects.join(' and ')}`);
  if (given.has('--tool') !== given.has('--input')) throw new UsageError('request: --tool and --input go together');
  return {
    need,
    why,
    json,
    dir: resolve(given.get('-C') ?? '.'),
    ...(given.has('--session') ? { session: given.get('--session')! } : {}),
    ...(given.has('--file') ? { file: given.get('--file')! } : {}),
    ...(given.has('--tool') ? { tool: given.get('--tool')!, input: given.get('--input')! } : {}),
    ...(command?.trim() ? { command } : {}),
  };
}

function requestForFile(options: Options, file: string): RequestRecord {
  const object = preparedFile(file, options.dir);
  if (!object) throw new UsageError(`request: --file: ${file} is no file that can be read`);
  const workspace = realOf(rootOf(options.dir) ?? options.dir);
  return {
    ...headOf(options, workspace, options.session),
    object,
    refusals: [],
    recovery: 'It is a proposal: nothing has been changed yet.',
  };
}

async function requestForCall(options: Options): Promise<RequestRecord> {
  const plain = actionOf(options, options.session ?? 'request');
  const refused = refusedBefore(summaryOf(plain), options.session);
  const session = options.session ?? refused?.decision.session;
  const action = session === undefined ? plain : { ...actionOf(options, session), workspace: refused?.workspace ?? plain.workspace };
  const now = await judgeNow(action, session);
  // What only the session knows (a budget, a count) is in its ledger.
  const decision = now.verdict === 'deny' ? now : refused && isOfSession(refused.decision) ? refused.decision : now;
  if (decision.verdict !== 'deny') throw new Failure('request: nothing refuses this call now; make it, no approval is needed');
  const refusals = refusalsOf(decision);
  refuseHopeless(refusals, decision);
  const workspace = realOf(refused?.workspace ?? rootOf(action.workspace) ?? action.workspace);
  closedAlready(refusals, workspace, session);
  const preview = decision.remedies.find((remedy) => remedy.kind === 'run' && !/\brequest --need\b/.test(remedy.run));
  return {
    ...headOf(options, workspace, session),
    object: preparedCall(action, wordsOf(action), decision),
    refusals,
    ...(decision.category === undefined ? {} : { category: decision.category }),
    recovery: recoveryOf(decision),
    ...(preview?.kind === 'run' ? { preview: redact(preview.run) } : {}),
  };
}

function headOf(options: Options, workspace: string, session: string | undefined) {
  const now = new Date();
  return {
    t: 'request' as const,
    id: newId(now),
    at: now.toISOString(),
    workspace,
    ...(session === undefined ? {} : { session }),
    need: redact(options.need),
    why: redact(options.why),
  };
}

/** The call as Claude Code would send it: every host's shell gives the same effects. */
function actionOf(options: Options, session: string): Action {
  const event = {
    session_id: session,
    cwd: options.dir,
    hook_event_name: 'PreToolUse',
    tool_name: options.tool ?? 'Bash',
    tool_input: options.tool === undefined ? { command: options.command } : inputOf(options.input!),
  };
  const parsed = hostNamed('claude-code')!.parse(event, { cwd: options.dir, env: (name) => process.env[name] });
  if (parsed.kind !== 'action') throw new UsageError('request: --input is not what that tool takes');
  return parsed.action;
}

function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`request: --input is not JSON: ${(error as Error).message}`);
  }
}

const wordsOf = (action: Action): readonly string[] =>
  action.surface === 'shell'
    ? readLine(action.input.command ?? '', { cwd: action.cwd, look: sources({}).look(action) }).commands.flatMap((command) =>
        command.argv.map((word) => textOf(word) ?? word.raw),
      )
    : [];

function judgeNow(action: Action, session: string | undefined): Promise<Decision> {
  const from = sources({});
  const known = openSession(session ?? 'unknown');
  return answer(action, {
    ...from,
    bench: (policy, look) => {
      const bench = from.bench(policy, look);
      const past = (asked: Action) => pastOf(asked, () => known.view());
      // What was decided already is told by this verb itself.
      bench.past = (asked) => ({ ...past(asked), decided: () => ({ grants: [], rejections: [] }) });
      return bench;
    },
  });
}

/** Sessions that are looked through for the refusal. */
const SESSIONS = 10;

/** The latest refusal of this very call in a session's ledger. */
function refusedBefore(summary: string, session: string | undefined): DecisionRecord | undefined {
  const shown = redact(summary);
  const sessions =
    session === undefined
      ? sessionsLeft()
          .slice(0, SESSIONS)
          .map((left) => left.name)
      : [session];
  for (const each of sessions) {
    const found = readRecords(each).records.findLast(
      (record): record is DecisionRecord =>
        record.t === 'decision' && record.decision.verdict === 'deny' && record.decision.action.summary === shown,
    );
    if (found) return found;
  }
  return undefined;
}

const isOfSession = (decision: Decision): boolean => decision.category === 'budget-exhausted';

/** Refusals that no grant can lift: the agent learns it before it waits. */
function refuseHopeless(refusals: RequestRecord['refusals'], decision: Decision): void {
  const fixed = refusals.find(({ rule }) => RULES.some((each) => each.name === rule && each.fixed));
  if (fixed)
    throw new Failure(
      `request: ${fixed.rule} is a fixed rule: no grant lowers it, so nobody can be asked for one. What the owner wants done here the owner does, without the agent`,
    );
  if (decision.category === 'outcome-unresolved')
    throw new Failure(`request: approval does not tell how the earlier call ended. ${decision.says ?? ''}`.trim());
  if (decision.kind !== 'policy') throw new Failure(`request: ${decision.says ?? 'the call could not be judged'}`);
}

/** Granted: go on. Rejected: this object and each rephrasing of it are closed. */
function closedAlready(refusals: RequestRecord['refusals'], workspace: string, session: string | undefined): void {
  const decided = decidedFor({ workspace, session: session ?? '', now: new Date() });
  for (const { boundary } of refusals) {
    const rejection = rejectionOf(boundary, decided);
    if (rejection)
      throw new Failure(
        visible(
          `request: the owner has rejected ${boundary} (request ${rejection.request}): ${rejection.reason} Another wording is the same question; go on with the rest and name it in the report`,
        ),
      );
  }
}

/** The same question that still waits for its answer. */
function alreadyAsked(record: RequestRecord): RequestRecord | undefined {
  const owner = readOwner();
  const answered = new Set([
    ...grantsIn(owner, new Date()).map((grant) => grant.request),
    ...rejectionsIn(owner).map((each) => each.request),
  ]);
  return readRequests(record.workspace).findLast(
    (each) => each.object.digest === record.object.digest && each.object.cwd === record.object.cwd && !answered.has(each.id),
  );
}

function tellAbout(record: RequestRecord, known: boolean, json: boolean): void {
  if (json) {
    sayJson({ request: record, recorded: !known });
    return;
  }
  const [first] = record.object.text.split('\n');
  const lines = [
    `request ${record.id} ${known ? 'waits for the owner already' : 'is recorded for the owner'}`,
    `  object    ${record.object.kind === 'diff' ? record.object.files[0]!.path : first}  (${record.object.digest.slice(0, 19)}…)`,
    `  in        ${record.object.cwd}`,
    ...record.refusals.map((each) => `  refused   ${each.rule}: ${each.boundary}`),
    `  recovery  ${record.recovery}`,
    'The owner decides about it in a terminal of their own; an agent cannot. Until then the call stays refused, and asking again changes',
    'nothing: go on with other work, and name this request in your report. When it is granted, the same call is judged anew.',
  ];
  say(visible(lines.join('\n')));
}
