/** One judgement: an action in, a decision out. Composes effects, facts, rules and remedies; does no I/O of its own. */
import type { Action } from '../action/action.ts';
import { type Decision, REASON_REVISION, SCHEMA, type Verdict } from '../decision/record.ts';
import { credentialsIn, redact, redactDeep, withoutCredentials } from '../decision/redact.ts';
import { callEffects } from '../effect/calls.ts';
import type { Effect } from '../effect/effect.ts';
import { effectsOf } from '../effect/effects.ts';
import { declaredEffects, wantsDeclared } from '../effect/run-declared.ts';
import { type Asking, type Evaluation, evaluate, type InForce, type Spoken } from '../engine/evaluate.ts';
import { guardsForGood, type JudgeRemedy, type Settled, settle } from '../engine/settle.ts';
import type { Facts } from '../fact/facts.ts';
import { afterRejection, applyGrants, decidedAbout, isGrantable } from '../grant/apply.ts';
import { NOTHING_DECIDED } from '../grant/records.ts';
import { requestRemedy, withRequest } from '../grant/remedy.ts';
import type { Intent } from '../intent/intent.ts';
import { rulesUnder, wantsCalls } from '../policy/custom.ts';
import { inForce, untrustedNote } from '../policy/in-force.ts';
import type { Policy } from '../policy/policy.ts';
import type { AnyRule, Asked, Finding, Remedy } from '../rule/rule.ts';
import type { Look } from '../shell/command.ts';
import { digestOf, isoOf, newId, registryOf, summaryOf } from './identity.ts';
import { findingsOfPast, intentsIn } from './of-the-past.ts';
import { wroteOf } from './own.ts';
import type { Past } from './past.ts';
import { withoutSecrets } from './plain-remedies.ts';
import { lookedOf, lookingOf, notYetTold, withPast } from './with-past.ts';

/** Everything a judgement needs, given once. */
export interface Bench {
  rules: ReadonlyMap<string, readonly AnyRule[]>;
  policy: Policy;
  look: Look;
  /** Facts for an action; a fresh memo each time. */
  facts(action: Action): Facts;
  waygate: string;
  now(): Date;
  /** The session and the owner; absent for a what-if, which knows of neither. */
  past?(action: Action): Past;
}

/** A rule that guards against a loss for good could not be asked. */
export class RuleBroken extends Error {}

/** A remedy may lead to another, at most this far (design.md section 5). */
const MAX_DEPTH = 3;

/** Judges an action. Throws only when a rule that guards against a loss for good broke; the caller turns that into `unavailable`. */
export function judge(action: Action, bench: Bench, read: readonly Effect[] = effectsOf(action, bench.look)): Decision {
  const started = performance.now();
  const past = bench.past?.(action);
  const facts = withPast(bench.facts(action), action, past);
  const looks = lookingOf(action, read, bench.look, past);
  const effects = withCalls(read, action, bench);
  const whole = evaluateAll(action, looks ? [...effects, ...looks] : effects, facts, bench, past);
  const evaluation = { ...whole, spoken: notYetTold(whole.spoken, action, past) };
  // Asked only when a call is about to be refused.
  const decided = past && evaluation.spoken.some((each) => each.verdict === 'deny') ? past.decided() : NOTHING_DECIDED;
  const { spoken, covered } = applyGrants(evaluation.spoken, decided);
  const ofRemedy = onceEach((remedy) => judgeRemedy(remedy, action, bench));
  const settled = settle(spoken, ofRemedy);
  const about = settled.lead && settled.verdict === 'deny' ? decidedAbout(settled.lead, decided) : undefined;
  const owned = isOwners(settled);

  const broken = evaluation.faults.find((fault) => fault.level === 'deny' && guardsForGood(fault.group));
  // A rule that broke has not said that nothing is lost.
  if (broken && settled.verdict !== 'deny') throw new RuleBroken(`the rule ${broken.rule} broke: ${broken.error}`);

  const lead = settled.lead;
  const finding = lead?.finding as Finding | undefined;
  const lowered = lead && untrustedNote(bench.policy, lead.rule.name);
  const found = credentialsIn(action.raw);
  const now = bench.now();
  const decision: Decision = {
    schema: SCHEMA,
    id: newId(now),
    at: isoOf(now),
    host: action.host,
    session: action.caller.session,
    ...(action.caller.agent ? { agent: action.caller.agent } : {}),
    policy: bench.policy.revision,
    action: {
      surface: action.surface,
      tool: action.tool,
      digest: digestOf(action),
      summary: redact(summaryOf(action)),
      ...registryOf(action),
    },
    verdict: settled.verdict,
    kind: 'policy',
    ...(lead
      ? {
          capability: lead.effect.kind,
          rule: lead.rule.name,
          category: settled.category,
          persistence: about?.rejected === undefined ? settled.persistence : 'not-in-this-run',
          boundary: finding && redact(finding.boundary),
        }
      : {}),
    effects: traceOf(effects),
    findings: evaluation.spoken.map((each) => ({
      rule: each.rule.name,
      verdict: each.verdict,
      says: redact(each.finding.says),
      boundary: redact(each.finding.boundary),
      facts: {},
    })),
    ...(finding ? { says: redact(finding.says), person: redact(finding.person ?? finding.says) } : {}),
    ...(finding?.atStake?.length ? { atStake: finding.atStake.map((item) => redact(item.name)) } : {}),
    ...heldOf(settled.verdict, facts),
    remedies: withoutSecrets(
      about?.rejected === undefined ? remediesOf(settled, owned, action, bench, ofRemedy) : afterRejection(settled.remedies),
      found,
    ),
    ...(covered.length > 0 ? { granted: { id: covered[0]!.grant, by: covered } } : {}),
    ...(about?.version === undefined ? {} : { grantsVersion: about.version }),
    ...(owned && about?.rejected === undefined && promptable(spoken, action, bench.policy) ? { prompt: true as const } : {}),
    ...lookedOf(looks, facts),
    ...(past && settled.verdict !== 'deny' ? wroteOf(effects, facts, () => past.session().own) : {}),
    ...(past && settled.verdict !== 'deny' ? intentsLeft(evaluation.intents) : {}),
    notices: [
      ...settled.notices.map((notice) => ({ ...notice, says: redact(notice.says) })),
      ...(about?.notices ?? []).map((notice) => ({ ...notice, says: redact(notice.says) })),
      ...(lead && lowered ? [{ rule: lead.rule.name, says: `This rule is ${lowered}.` }] : []),
      ...(evaluation.faults.length > 0
        ? [{ rule: 'guard-unfinished', says: `not judged by ${evaluation.faults.map((fault) => fault.rule).join(', ')}` }]
        : []),
    ],
    reasonRevision: REASON_REVISION,
    took: { ms: Math.round((performance.now() - started) * 100) / 100, git: facts.cost.git },
  };
  return withoutCredentials(decision, found);
}

/** What only the policy makes an effect: commands and tools that rules of the workspace's own are about, runs that it declares. */
function withCalls(effects: readonly Effect[], action: Action, { policy, look }: Bench): readonly Effect[] {
  const calls = wantsCalls(policy) ? callEffects(action, look) : [];
  const declares = policy.runner !== undefined || policy.gate !== undefined;
  const runs = declares && wantsDeclared(policy) ? declaredEffects(action, policy, look) : [];
  return calls.length + runs.length === 0 ? effects : [...effects, ...runs, ...calls];
}

/** What the rules say, and what follows from the session: budgets, calls whose earlier end is not known. */
function evaluateAll(
  action: Action,
  effects: readonly Effect[],
  facts: Facts,
  bench: Bench,
  past: Past | undefined,
): Evaluation & { intents: readonly Intent[] } {
  const level = (rule: AnyRule): InForce => forPusher(rule, inForce(rule, bench.policy), action);
  const evaluation = evaluate(effects, facts, rulesUnder(bench.policy, bench.rules), level, askingOf(action, bench));
  if (!past) return { intents: [], ...evaluation };
  const intents = intentsIn(effects, facts);
  const more = findingsOfPast(action, effects, intents, { past, policy: bench.policy, spoken: evaluation.spoken, now: bench.now() });
  return more.length === 0 ? { intents, ...evaluation } : { intents, ...evaluation, spoken: [...evaluation.spoken, ...more] };
}

/** A person's push is judged by the rules that judge everyone; what the others find is a notice. */
const forPusher = (rule: AnyRule, found: InForce, { pusher }: Action): InForce =>
  pusher !== 'person' || rule.everyone || found.level === 'off' ? found : { ...found, level: 'notice' };

/** The refusal waits for the owner and no fixed rule made it. */
const isOwners = ({ verdict, lead, persistence }: Settled): boolean =>
  verdict === 'deny' && persistence === 'owner-action' && lead !== undefined && isGrantable(lead);

/** With the way to the owner in it, when that passes too. */
function remediesOf(settled: Settled, owned: boolean, action: Action, bench: Bench, ofRemedy: JudgeRemedy): readonly Remedy[] {
  if (!owned) return settled.remedies;
  const request = requestRemedy(settled.lead!.finding as Finding, settled.remedies, action, bench.waygate);
  if (!request) return settled.remedies;
  const result = ofRemedy(request);
  return result.verdict === 'deny' || result.unknown ? settled.remedies : withRequest(settled.remedies, request);
}

/** `owner: ask`: the host prompts a person, and nothing else refuses the call. */
const promptable = (spoken: readonly Spoken[], action: Action, policy: Policy): boolean =>
  policy.owner === 'ask' &&
  action.prompts === true &&
  spoken
    .filter((each) => each.verdict === 'deny')
    .every((each) => isGrantable(each) && ((each.finding as Finding).persistence ?? each.rule.persistence) === 'owner-action');

const intentsLeft = (intents: readonly Intent[]): Pick<Decision, 'intents'> =>
  intents.length === 0 ? {} : { intents: intents.map((each) => ({ ...each, what: redact(each.what), boundary: redact(each.boundary) })) };

/** Several findings offer the same way on: it is judged once. */
function onceEach(judgeOne: JudgeRemedy): JudgeRemedy {
  const judged = new Map<string, ReturnType<JudgeRemedy>>();
  return (remedy) => {
    const key = remedy.kind === 'run' ? remedy.run : JSON.stringify(remedy);
    const before = judged.get(key);
    if (before) return before;
    const result = judgeOne(remedy);
    judged.set(key, result);
    return result;
  };
}

/** What a remedy would get as this caller's own next call. */
function judgeRemedy(remedy: Remedy, action: Action, bench: Bench): { verdict: Verdict; rules: readonly string[]; unknown: boolean } {
  const next = remedyAction(remedy, action);
  if (!next) return { verdict: 'pass', rules: [], unknown: false };
  const effects = withCalls(effectsOf(next, bench.look), next, bench);
  const past = bench.past?.(next);
  const evaluation = evaluateAll(next, effects, withPast(bench.facts(next), next, past), bench, past);
  const verdicts = evaluation.spoken.map((each) => each.verdict);
  const verdict: Verdict = verdicts.includes('deny')
    ? 'deny'
    : verdicts.includes('advise')
      ? 'advise'
      : verdicts.length > 0
        ? 'notice'
        : 'pass';
  return {
    verdict,
    rules: evaluation.spoken.map((each) => each.rule.name),
    unknown: effects.some((effect) => effect.kind === 'unknown' && effect.destructive) || evaluation.faults.length > 0,
  };
}

/** What the call destroys and only a checkpoint holds; nothing when the call does not run. */
function heldOf(verdict: Verdict, facts: Facts): Pick<Decision, 'held'> {
  if (verdict === 'deny' || facts.cost.held.length === 0) return {};
  return { held: [...new Map(facts.cost.held.map((each) => [`${each.name}\n${each.checkpoint}`, each])).values()] };
}

/** The action that taking a remedy would be. */
export function remedyAction(remedy: Remedy, action: Action): Action | undefined {
  if (remedy.kind === 'run') {
    return {
      ...action,
      surface: 'shell',
      tool: 'Bash',
      input: { command: remedy.run, dialect: 'posix' },
      raw: { command: remedy.run },
      callId: undefined,
    };
  }
  if (remedy.kind === 'call' && remedy.tool === toolsOf(action).shell) {
    const { command, timeout, run_in_background: background } = remedy.input;
    return {
      ...action,
      surface: 'shell',
      tool: remedy.tool,
      input: {
        command: String(command),
        dialect: 'posix',
        ...(typeof timeout === 'number' ? { timeoutMs: timeout } : {}),
        ...(background === true ? { background: true } : {}),
      },
      raw: remedy.input,
      callId: undefined,
    };
  }
  if (remedy.kind === 'call') {
    const text = (key: string) => (typeof remedy.input[key] === 'string' ? (remedy.input[key] as string) : undefined);
    const path = text('file_path');
    const surface = remedy.tool === 'Edit' ? 'edit' : remedy.tool === 'Write' ? 'write' : remedy.tool === 'Read' ? 'read' : 'unknown';
    const before = text('old_string');
    return {
      ...action,
      surface,
      tool: remedy.tool,
      input: { path, content: text('content'), ...(before !== undefined ? { edits: [{ before, after: text('new_string') ?? '' }] } : {}) },
      raw: remedy.input,
      callId: undefined,
    };
  }
  return undefined;
}

const askingOf = (action: Action, bench: Bench): Asking => ({ guard: bench, tools: toolsOf(action) });

const toolsOf = (action: Action): Asked['tools'] => (action.host === 'claude-code' ? CLAUDE_CODE_TOOLS : {});

const CLAUDE_CODE_TOOLS: Asked['tools'] = { edit: 'Edit', write: 'Write', read: 'Read', shell: 'Bash' };

/** Effects as the trace keeps them: plain JSON, texts of files left out. */
function traceOf(effects: readonly Effect[]): readonly Readonly<Record<string, unknown>>[] {
  // The effects of a line have most of their texts in common: each is redacted once.
  const known = new Map<string, string>();
  return effects.map((effect) => {
    const kept: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(effect)) if (!UNTRACED.has(name)) kept[name] = redactDeep(value, name, known);
    return kept;
  });
}

/** What no record holds: the texts of files, the environment, the steps before. */
const UNTRACED: ReadonlySet<string> = new Set(['given', 'env', 'content', 'edits']);

export { MAX_DEPTH };
