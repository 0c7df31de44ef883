/** Judging a push outside a tool call: for git's pre-push hook and for `waygate push-check`. The same engine, with more time. */
import type { Action } from '../../internal/action/action.ts';
import type { Decision } from '../../internal/decision/record.ts';
import type { Effect } from '../../internal/effect/effect.ts';
import { effectsOf } from '../../internal/effect/effects.ts';
import { discoverAt, realOf } from '../../internal/fact/discover.ts';
import type { Facts } from '../../internal/fact/facts.ts';
import { git, newBudget } from '../../internal/fact/git.ts';
import { realFacts } from '../../internal/fact/real.ts';
import { recipesOf } from '../../internal/gate/session.ts';
import type { Decided } from '../../internal/grant/records.ts';
import { decidedFor } from '../../internal/grant/store.ts';
import type { Bench } from '../../internal/judge/judge.ts';
import { judge } from '../../internal/judge/judge.ts';
import { unavailable } from '../../internal/judge/refuse.ts';
import { Overdue, within } from '../../internal/judge/within.ts';
import { type OpenCall, openCall } from '../../internal/ledger/open-call.ts';
import { EMPTY_VIEW } from '../../internal/ledger/records.ts';
import { openSession, type Session } from '../../internal/ledger/session.ts';
import { agentMarker } from '../../internal/person/agents.ts';
import type { Policy } from '../../internal/policy/policy.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import { isExecutable, placesOf } from '../../internal/runlog/program.ts';
import type { PushedRef } from '../../internal/view/push.ts';
import { sources } from './compose.ts';
import { recorded } from './record.ts';

/** No host waits for git's hook, a person does: how long judging may take, in milliseconds. */
const DEADLINE_MS = 20_000;
/** How long git may take for a question that needs nothing. Slower than that it answers no other in time. */
const PROBE_MS = 5000;
/** The session that pushes of a person are recorded in. */
export const PERSONS_SESSION = 'git';

/** Who pushes, as far as it can be told (design.md section 6). */
export interface Pusher {
  by: 'agent' | 'person';
  /** The call that may have started it. */
  call?: OpenCall;
}

/** An agent: its host's marker in the environment, or a call of a session in this repository that is still open. */
export function pusherHere(cwd: string, env: NodeJS.ProcessEnv = process.env, now = new Date()): Pusher {
  const common = discoverAt(cwd)?.commonDir;
  const root = rootOf(cwd);
  const isHere = (workspace: string): boolean => workspace === root || (common !== undefined && commonOf(workspace) === common);
  const call = openCall(isHere, now, env);
  return agentMarker(env) !== undefined || call !== undefined ? { by: 'agent', ...(call ? { call } : {}) } : { by: 'person' };
}

const commonOf = (workspace: string): string | undefined => discoverAt(realOf(workspace))?.commonDir;

/** The action that a push is. `raw`: what git told, or the words of a person's line. */
export function pushAction(cwd: string, pusher: Pusher, what: Pick<Action, 'raw' | 'input'> & { surface?: Action['surface'] }): Action {
  const agent = pusher.call?.agent;
  return {
    host: 'git',
    moment: 'before',
    event: 'pre-push',
    surface: what.surface ?? 'push',
    tool: 'git push',
    input: what.input,
    raw: what.raw,
    cwd,
    workspace: rootOf(cwd) ?? cwd,
    // A person's push has no session whose policy it started with.
    caller: { session: pusher.call?.session ?? '', ...(agent ? { agent: { id: agent } } : {}) },
    pusher: pusher.by,
  };
}

/** A judged push. */
export interface JudgedPush {
  decision: Decision;
  policy: Policy | undefined;
  /** The refs with what covers them; empty when that could not be told. */
  refs: readonly PushedRef[];
}

/** The decision on a push, whatever happens: what cannot be judged is refused. */
export async function judgePush(action: Action, pusher: Pusher, effects?: readonly Effect[]): Promise<JudgedPush> {
  const from = sources();
  const endsAt = performance.now() + DEADLINE_MS;
  const left = () => Math.max(1, endsAt - performance.now());
  let read = effects;
  let policy: Policy | undefined;
  try {
    const look = from.look(action);
    read ??= effectsOf(action, look);
    policy = await from.policy(action, read);
    if (read.length === 0) return { decision: judge(action, from.bench(policy, look), read), policy, refs: [] };
    const problem = gitProblem(action.cwd);
    if (problem !== undefined) throw new Overdue(problem);
    const inForce = policy;
    const bench: Bench = {
      ...benchOf(from.bench(policy, look), pusher),
      facts: (asked) => realFacts(asked, inForce, { budgetMs: left(), recipes: recipesOf(asked.caller.session) }),
      past: () => pastOf(action, pusher),
    };
    const known = read;
    const decision = within(left(), () => judge(action, bench, known));
    return { decision, policy, refs: quietly(() => pushedRefs(known, bench.facts(action)), []) };
  } catch (error) {
    const why = error instanceof Overdue ? error.message : 'the guard itself broke';
    return { decision: unavailable(action, why, read, new Date()), policy, refs: [] };
  }
}

/** `waygate` stays a question: a spread would ask it. A person types the name, where there is one on PATH. */
function benchOf(bench: Bench, pusher: Pusher): Bench {
  const own = Object.getOwnPropertyDescriptors(bench);
  if (pusher.by === 'person' && isOnPath('waygate')) own.waygate = { value: 'waygate', enumerable: true };
  return Object.defineProperties({}, own) as Bench;
}

const isOnPath = (program: string): boolean => placesOf(program, '.', process.env).some(isExecutable);

/** Why git cannot be asked; undefined when it can. */
function gitProblem(cwd: string): string | undefined {
  const answer = git({ dir: cwd }, ['version'], newBudget(PROBE_MS));
  return answer.ok ? undefined : (answer.unread ?? 'git did not answer');
}

/** Budgets and open ends belong to the tool call. What the owner granted for that call holds for the push that it is. */
function pastOf(action: Action, { call }: Pusher): NonNullable<ReturnType<NonNullable<Bench['past']>>> {
  return {
    session: () => EMPTY_VIEW,
    interrupted: () => undefined,
    decided: () => {
      const decided = decidedFor({ workspace: action.workspace, session: action.caller.session, now: new Date() });
      const used = new Set(call?.decision.granted?.by.map((each) => each.grant));
      return { ...decided, grants: decided.grants.map((grant) => (grant.dead === 'used up' && used.has(grant.id) ? alive(grant) : grant)) };
    },
  };
}

function alive({ dead: _dead, ...grant }: Decided['grants'][number]): Decided['grants'][number] {
  return grant;
}

/** The refs of all pushes, each with what covers it. */
function pushedRefs(effects: readonly Effect[], facts: Facts): readonly PushedRef[] {
  return effects.flatMap((effect) =>
    effect.kind !== 'git.push'
      ? []
      : facts.push(effect).map((fact): PushedRef => {
          const coverage =
            fact.oid === undefined || fact.delete || fact.nothingNew
              ? undefined
              : facts.coverage(effect.repo, fact.oid, fact.tag ? undefined : fact.name);
          return {
            name: fact.name,
            oid: fact.oid,
            does: fact.delete ? 'deletes' : fact.tag ? 'tag' : fact.creates ? 'creates' : fact.force === 'none' ? 'updates' : 'overwrites',
            ...(fact.nothingNew ? { isThere: true } : {}),
            ...(coverage ? { coverage } : {}),
          };
        }),
  );
}

function quietly<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** Writes the decision down: in the session of the agent, or among those of persons, where nothing is counted. */
export function recordPush(judged: JudgedPush, action: Action, pusher: Pusher): Decision {
  const { decision } = judged;
  const session: Session = openSession(pusher.call?.session ?? PERSONS_SESSION);
  const named: Decision = { ...decision, session: session.id };
  const { workspace } = action;
  if (pusher.by === 'agent') return recorded(named, session, { workspace, halting: judged.policy?.halting }).decision;
  session.append({ t: 'decision', decision: named, preconditions: '', workspace });
  return named;
}
