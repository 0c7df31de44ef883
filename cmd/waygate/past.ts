/** The past of a call as the hook reads and writes it: the session, the owner's decisions, calls outside whose end is open. */
import type { Action } from '../../internal/action/action.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { claim, decidedFor } from '../../internal/grant/store.ts';
import { askedAbout, interruptedOn, isSilent } from '../../internal/intent/open.ts';
import { appendIntent, type Caller, hasIntents, intentId, type KnownIntent, readIntents } from '../../internal/intent/store.ts';
import { newId } from '../../internal/judge/identity.ts';
import type { Past } from '../../internal/judge/past.ts';
import { callKey } from '../../internal/ledger/fold.ts';
import type { SessionView } from '../../internal/ledger/records.ts';
import type { Session } from '../../internal/ledger/session.ts';
import type { Look } from '../../internal/shell/command.ts';
import { readLine } from '../../internal/shell/read.ts';
import { textOf } from '../../internal/shell/word.ts';
import { callerOf, workspaceOf } from './outcome.ts';

/** What a judgement may ask; each piece is read once, when it is asked for. */
export function pastOf(action: Action, view: () => SessionView, now: Date = new Date()): Past {
  const workspace = workspaceOf(action);
  let decided: ReturnType<typeof decidedFor> | undefined;
  let intents: readonly KnownIntent[] | undefined;
  return {
    session: view,
    decided: () => (decided ??= decidedFor({ workspace, session: action.caller.session, now })),
    interrupted(boundary) {
      intents ??= readIntents(workspace);
      if (intents.length === 0) return undefined;
      const { passed, outcomes } = view();
      return interruptedOn(boundary, intents, { ...callerOf(action), now, passed, outcomes });
    },
  };
}

/** The grants that a decision rests on, each with one use taken. undefined: one was used up meanwhile, the call has to be judged anew. */
export function claimed(decision: Decision, action: Action, now: Date = new Date()): Decision | undefined {
  const { granted } = decision;
  if (!granted || decision.verdict === 'deny') return decision;
  const { session, agent, call } = callerOf(action);
  const key = [session, agent, call ?? newId(now)].join('\n');
  const decided = decidedFor({ workspace: workspaceOf(action), session, now });
  let first = false;
  for (const id of new Set(granted.by.map((each) => each.grant))) {
    const grant = decided.grants.find((each) => each.id === id);
    const taken = grant ? claim(grant, key, now) : { ok: false, first: false };
    if (!taken.ok) return undefined;
    first ||= taken.first;
  }
  return { ...decision, granted: { ...granted, ...(first ? { first: true as const } : {}) } };
}

/** Writes down what a passed call leaves open, and which open call it asks about. One call leaves it open once, however many hooks are wired. */
export function leaveOpen(decision: Decision, action: Action, session: Session, look: () => Look, now: Date = new Date()): void {
  if (decision.verdict === 'deny') return;
  const workspace = workspaceOf(action);
  const caller = callerOf(action);
  // Another hook has refused this very call: it does not run.
  if (session.view().recent[callKey(caller.agent, caller.call, caller.digest)]?.verdict === 'deny' && caller.call !== undefined) return;
  const at = now.toISOString();
  if (decision.intents && decision.intents.length > 0) {
    const known = readIntents(workspace);
    const silent = isSilent(session.view()) ? { silent: true as const } : {};
    for (const { boundary, status } of decision.intents) {
      const id = intentId(caller, boundary) ?? newId(now);
      if (known.some((each) => each.id === id || (!each.resolved && each.boundary === boundary && isSame(each, caller)))) continue;
      const record = {
        t: 'intent' as const,
        at,
        id,
        boundary,
        ...(caller.call === undefined ? {} : { call: caller.call }),
        agent: caller.agent,
        tool: action.tool,
        digest: caller.digest,
        summary: decision.action.summary,
        ...(status === undefined ? {} : { status }),
      };
      appendIntent(workspace, { ...record, session: caller.session, ...silent });
      session.append(record);
    }
    return;
  }
  const { command, dialect } = action.input;
  if (action.surface !== 'shell' || command === undefined || dialect !== 'posix' || command.includes('||') || !hasIntents(workspace))
    return;
  const world = look();
  const asked = askedAbout(readLine(command, { cwd: action.cwd, look: world }).commands, readIntents(workspace), (line) =>
    wordsOf(line, world),
  );
  for (const intent of asked) appendIntent(workspace, { t: 'asked', at, intent: intent.id, ...caller });
}

const isSame = (intent: KnownIntent, caller: Caller): boolean =>
  intent.session === caller.session && intent.agent === caller.agent && intent.call === caller.call && intent.digest === caller.digest;

/** The words of a status query. Where it is asked from does not matter. */
function wordsOf(line: string, look: Look): readonly string[] {
  const words = readLine(line, { cwd: '/', look }).commands[0]?.argv.map((word) => textOf(word) ?? '') ?? [];
  return words[1] === '-C' ? [words[0]!, ...words.slice(3)] : words;
}
