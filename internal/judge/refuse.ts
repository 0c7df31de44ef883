/** Decisions that no rule makes: the request was not readable, the guard could not judge, or there is nothing to judge. */
import type { Action } from '../action/action.ts';
import type { Problem } from '../action/tools.ts';
import { type Decision, REASON_REVISION, SCHEMA } from '../decision/record.ts';
import { redact } from '../decision/redact.ts';
import type { Effect } from '../effect/effect.ts';
import { digestOf, newId, summaryOf } from './identity.ts';

const UNKNOWN = 'sha256:unknown';

/** A request of the wrong shape: refused, with the field and the shape that was expected. */
export function invalidRequest(seen: { host: string; session: string; tool: string }, problem: Problem, now: Date): Decision {
  const where = problem.field === 'payload' ? 'The hook got' : `\`${problem.field}\` is`;
  const says = `${where} ${problem.got}; expected ${problem.expected}.`;
  return {
    ...skeleton(seen, now),
    verdict: 'deny',
    kind: 'validation',
    rule: 'invalid-request',
    category: 'invalid-request',
    persistence: 'state-change',
    boundary: `request ${problem.field}`,
    says,
    person: `a tool call could not be read: ${says}`,
    remedies:
      problem.field === 'payload'
        ? [
            {
              kind: 'ask',
              ask: 'The guard gets tool calls it cannot read. Could you run `waygate doctor`?',
              because: 'the host sends them, no other call changes that',
            },
          ]
        : [{ kind: 'wait', because: `send the call again with ${problem.expected} in \`${problem.field}\`` }],
  };
}

/** The call is longer or deeper than the guard reads. */
export function overLimit(action: Action, what: string, now: Date): Decision {
  return {
    ...of(action, now),
    verdict: 'deny',
    kind: 'validation',
    rule: 'invalid-request',
    category: 'invalid-request',
    persistence: 'narrower-scope',
    boundary: 'request limit',
    says: `${what}, so what it would do could not be judged.`,
    person: `a tool call could not be judged: ${what}.`,
    remedies: [{ kind: 'wait', because: 'split it into several smaller calls' }],
  };
}

/** The guard could not judge: no execution for what can lose or send something, a notice for the rest. */
export function unavailable(action: Action, why: string, effects: readonly Effect[] | undefined, now: Date): Decision {
  const serious = effects ? effects.some(isConsequential) : CONSEQUENTIAL_SURFACES.has(action.surface);
  if (!serious) {
    return {
      ...of(action, now),
      verdict: 'notice',
      kind: 'unavailable',
      notices: [{ rule: 'guard-unfinished', says: `this call was not judged: ${why}` }],
    };
  }
  return {
    ...of(action, now),
    verdict: 'deny',
    kind: 'unavailable',
    rule: 'policy-unavailable',
    category: 'policy-unavailable',
    persistence: 'state-change',
    boundary: 'guard unavailable',
    says: 'The guard could not judge this call, and it can lose or send something.',
    person: `the guard could not judge a call and stopped it: ${why}`,
    remedies: [
      {
        kind: 'ask',
        ask: 'The guard could not judge my call. Could you run `waygate doctor`?',
        because: 'reading and editing calls that lose nothing go on meanwhile',
      },
    ],
  };
}

/** Surfaces that can lose or send something, for when not even the effects are known. */
const CONSEQUENTIAL_SURFACES: ReadonlySet<string> = new Set(['shell', 'write', 'edit', 'mcp', 'unknown', 'push']);

/** Effects that only look, wait or are the guard's own; everything else may lose or send something. */
const CALM: ReadonlySet<string> = new Set([
  'file.read',
  'file.mkdir',
  'git.fetch',
  'git.stage',
  'git.commit',
  'git.branch-create',
  'git.clone',
  'git.init',
  'process.wait',
  'net.fetch',
  'line.shape',
  'guard.verb',
  'run.target',
  'run.tool',
  'run.gate',
  'run.capture',
  'line.environment',
  'guard.checkpoint',
]);

function isConsequential(effect: Effect): boolean {
  if (CALM.has(effect.kind)) return false;
  if (effect.kind === 'unknown') return effect.destructive;
  if (effect.kind === 'unknown.tool') return effect.shape !== 'none';
  if (effect.kind === 'process.kill') return !effect.probe;
  if (effect.kind === 'file.write') return effect.mode !== 'append' && effect.mode !== 'create';
  return true;
}

function of(action: Action, now: Date): Decision {
  const base = skeleton({ host: action.host, session: action.caller.session, tool: action.tool }, now);
  return {
    ...base,
    ...(action.caller.agent ? { agent: action.caller.agent } : {}),
    action: { surface: action.surface, tool: action.tool, digest: digestIfReadable(action), summary: redact(summaryOf(action)) },
  };
}

/** An input that is nested too deep to be judged is too deep for its digest as well. */
function digestIfReadable(action: Action): string {
  try {
    return digestOf(action);
  } catch {
    return UNKNOWN;
  }
}

/** A call that can do nothing any rule is about. */
export function passed(action: Action, policy: string, now: Date): Decision {
  return { ...of(action, now), policy };
}

function skeleton(seen: { host: string; session: string; tool: string }, now: Date): Decision {
  return {
    schema: SCHEMA,
    id: newId(now),
    at: now.toISOString(),
    host: seen.host,
    session: seen.session,
    policy: UNKNOWN,
    action: { surface: 'unknown', tool: seen.tool, digest: UNKNOWN, summary: seen.tool },
    verdict: 'pass',
    kind: 'policy',
    effects: [],
    findings: [],
    remedies: [],
    notices: [],
    reasonRevision: REASON_REVISION,
    took: { ms: 0, git: 0 },
  };
}
