/**
 * The requirements of the first three seeds, and the test that proves each one here. `docs/requirements.md` is made from this table;
 * requirements.test.ts sees that every named test exists. What is not proved says so, with the reason.
 */

/** A test by file and a part of its title. */
export type Proof = readonly [file: string, title: string];

export interface Requirement {
  id: string;
  /** guard: this program owns it. host: it needs the agent loop. both: a part each. */
  who: 'guard' | 'both' | 'host';
  /** In a few words. */
  what: string;
  proofs?: readonly Proof[];
  /** For the host's part: the verb or record it can use. */
  offered?: string;
  /** Not proved (yet), and why. */
  open?: string;
}

const ACCOUNT = 'test/e2e/account.test.ts';
const AGENT = 'internal/view/agent.test.ts';
const BUDGET = 'internal/budget/budget.test.ts';
const CURRENT = 'internal/policy/current.test.ts';
const FOLD = 'internal/ledger/fold.test.ts';
const GRANT = 'internal/grant/grant.test.ts';
const HISTORY = 'test/e2e/history.test.ts';
const HOST_REPLY = 'test/table/host-reply.test.ts';
const HOOK = 'test/e2e/hook.test.ts';
const HOST = 'internal/host/claude-code.test.ts';
const INTENT = 'internal/intent/intent.test.ts';
const JUDGE = 'internal/judge/judge.test.ts';
const LIMITS = 'internal/view/limits.test.ts';
const LOG = 'test/e2e/log.test.ts';
const LOOPS = 'test/e2e/loops.test.ts';
const MIGRATE = 'internal/decision/migrate.test.ts';
const OWNER = 'test/e2e/owner.test.ts';
const REAL = 'test/table/real-remedies.test.ts';
const REMEDIES = 'test/table/remedies.test.ts';
const SCENARIOS = 'test/e2e/scenarios/scenarios.test.ts';
const UNSEEN = 'test/e2e/unseen.test.ts';
const WORDING = 'test/table/wording.test.ts';
const SECRETS = 'test/property-secrets.test.ts';

const WALK = '%s is made over the rest, which is named without the hidden one';
const HANDLE = 'of a checkpoint means nothing in another repository, in the words for one that never was';
const SAME_REPLY = 'reads the same on every host, and its reply changes nothing about the call';
const REFUSED = 'is refused, with its category and what could change it, and nothing ran';
const NEXT = 'names the right next step, and discloses no more than the agent may know';
const UNSAFE = 'the unsafe continuation meets the same boundary and refers to the first refusal';
const COMPACTED = 'stands after a compaction';
const SAFE = 'the safe continuation passes, and the boundary stays';
const HANDOFF = 'handoff: consequence, category, what was tried and came of it';
const REPORT = 'report: containment beside adaptation, no single score';
const KINDS = 'policy, validation, unavailable: in the record, the text and the exit code';
const VIEWS = 'shows the three views of one record';

export const REQUIREMENTS: readonly Requirement[] = [
  {
    id: '000-01',
    who: 'guard',
    what: 'a denial is a structured event, no exception',
    proofs: [
      [HOST, 'a deny goes to stdout, stderr and the exit code'],
      [HOOK, 'is written as one line for each judged call'],
    ],
  },
  {
    id: '000-02',
    who: 'guard',
    what: 'capability, consequence, policy revision, category, persistence, explanation, alternatives, link to earlier denials',
    proofs: [
      [SCENARIOS, REFUSED],
      [SCENARIOS, UNSAFE],
    ],
  },
  {
    id: '000-03',
    who: 'both',
    what: 'a denied call makes no attempt',
    proofs: [[SCENARIOS, REFUSED]],
    offered: 'exit code 2 and `permissionDecision: deny`; that the host honours them is what `waygate doctor` probes',
  },
  {
    id: '000-04',
    who: 'both',
    what: 'a run stays healthy after a denial',
    proofs: [
      [SCENARIOS, SAFE],
      [LOOPS, 'harmless calls go on, a prompt grants one more attempt, then it stops again'],
    ],
    offered: 'the hook answers later calls as before',
  },
  {
    id: '000-05',
    who: 'guard',
    what: 'the agent never reads policy source, hidden names, credential scopes',
    proofs: [
      [SCENARIOS, NEXT],
      [ACCOUNT, 'read the same whether something lies there or not'],
    ],
  },
  {
    id: '000-06',
    who: 'guard',
    what: 'a closed set of categories',
    proofs: [
      [SCENARIOS, REFUSED],
      [MIGRATE, 'whatever stands in a record'],
    ],
  },
  {
    id: '000-07',
    who: 'guard',
    what: 'a protected trace with rules and state, for authorised eyes',
    proofs: [
      [LOG, '--trace is for a person'],
      [LOG, 'as JSON is one document without the protected trace'],
      [UNSEEN, 'are read through its verbs and by no other way'],
    ],
  },
  {
    id: '000-08',
    who: 'guard',
    what: 'persistence says what could make the request eligible',
    proofs: [
      [SCENARIOS, REFUSED],
      [AGENT, 'on a deny: rule, what did not happen'],
    ],
  },
  { id: '000-09', who: 'guard', what: 'the next step follows the persistence', proofs: [[SCENARIOS, NEXT]] },
  {
    id: '000-10',
    who: 'guard',
    what: 'no promise of a later allow; policy is asked each time',
    proofs: [
      [LOOPS, 'what is at stake has changed: a new question'],
      [OWNER, 'for a file with other bytes by now is stale'],
    ],
  },
  { id: '000-11', who: 'guard', what: 'alternatives come from reviewed rules', proofs: [[REMEDIES, 'every way out passes']] },
  {
    id: '000-12',
    who: 'guard',
    what: 'each alternative is concrete and usable by this caller',
    proofs: [
      [REMEDIES, 'every way out passes'],
      [JUDGE, 'a remedy that is refused itself is not shown'],
    ],
  },
  {
    id: '000-13',
    who: 'guard',
    what: 'an alternative is a new request under normal policy',
    proofs: [
      [ACCOUNT, 'one refusal is answered by its way on'],
      [REMEDIES, 'every way out passes'],
    ],
  },
  {
    id: '000-14',
    who: 'guard',
    what: 'a narrower scope is named; the agent proposes the call',
    proofs: [[LOOPS, 'a narrower call is linked to the refusal it answers']],
  },
  {
    id: '000-15',
    who: 'both',
    what: 'arguments are never trimmed; original and narrowed request keep their own decisions',
    proofs: [
      [LOOPS, 'a narrower call is linked to the refusal it answers'],
      [FOLD, 'a narrower call names the refusal it answers'],
    ],
    offered: 'the hook never answers with a changed input; `narrowedFrom` in the record',
  },
  { id: '000-16', who: 'guard', what: 'shell, script, fetch tool and MCP tool lead to one boundary', proofs: [[SCENARIOS, UNSAFE]] },
  {
    id: '000-17',
    who: 'guard',
    what: 'an equivalent proposal refers to the boundary and counts as a repeat',
    proofs: [[LOOPS, 'through varying tools: the count is of the boundary, not of a tool']],
  },
  {
    id: '000-18',
    who: 'guard',
    what: 'the repeat has the sentence of the boundary',
    proofs: [
      [LOOPS, 'varying wording and path: the second is one line'],
      [SCENARIOS, UNSAFE],
    ],
  },
  { id: '000-19', who: 'guard', what: 'denials and outcomes are reportable; nothing is enabled by it', proofs: [[ACCOUNT, REPORT]] },
  {
    id: '000-20',
    who: 'guard',
    what: 'past denials stay correct under their old policy',
    proofs: [
      [HISTORY, 'leaves the denials of before as they were, under the revision they were made with'],
      [MIGRATE, 'a present record is returned as it is'],
      [REMEDIES, 'every way out passes'],
    ],
  },
  {
    id: '000-21',
    who: 'guard',
    what: 'approval lists what must be prepared',
    proofs: [[OWNER, 'records the exact object, what refuses it and what cannot be undone']],
  },
  {
    id: '000-22',
    who: 'guard',
    what: 'the review object is immutable and comes first',
    proofs: [
      [OWNER, 'records the exact object, what refuses it and what cannot be undone'],
      [OWNER, 'for a file with other bytes by now is stale'],
    ],
  },
  {
    id: '000-23',
    who: 'guard',
    what: 'a rejection closes that object and its rephrasings, with a reason',
    proofs: [[OWNER, 'closes the object and its rephrasings, with the reason']],
  },
  {
    id: '000-24',
    who: 'guard',
    what: 'after an interruption the repetition is denied and the one intent named',
    proofs: [
      [OWNER, 'is not made again before its end is known; the status query tells'],
      [SCENARIOS, UNSAFE],
    ],
  },
  {
    id: '000-25',
    who: 'guard',
    what: 'unknown outcome: query, wait, inspect, stop; never approval',
    proofs: [
      [OWNER, 'is not made again before its end is known; the status query tells'],
      [INTENT, 'an open call'],
    ],
  },
  {
    id: '000-26',
    who: 'both',
    what: 'denial and effect survive checkpoints',
    proofs: [[SCENARIOS, COMPACTED]],
    offered: 'the ledger; SessionStart hands it over again',
  },
  {
    id: '000-27',
    who: 'guard',
    what: 'kinds of budget are told apart',
    proofs: [[BUDGET, 'counts kinds, tool, surface and category of a call']],
    offered: 'turns, tokens, compute and storage are seen by the host alone; `waygate.yaml` takes no budget for what nobody counts',
  },
  {
    id: '000-28',
    who: 'guard',
    what: 'a budget denial lists what remains',
    proofs: [[OWNER, 'a spent one refuses, says what remains and how to ask']],
  },
  {
    id: '000-29',
    who: 'guard',
    what: 'an extension is asked of the owner; another tool resets nothing',
    proofs: [
      [OWNER, 'is extended by the owner, for as many calls as granted'],
      [OWNER, 'another tool or wording draws on the same one'],
    ],
  },
  {
    id: '000-30',
    who: 'guard',
    what: 'a sensitive-data denial never echoes the value',
    proofs: [
      [SECRETS, 'stand in no view and in no record'],
      [SCENARIOS, NEXT],
    ],
  },
  {
    id: '000-31',
    who: 'guard',
    what: 'redaction is deterministic',
    proofs: [
      [SECRETS, 'are taken out the same way each time'],
      ['internal/decision/redact.test.ts', 'is idempotent'],
    ],
  },
  {
    id: '000-32',
    who: 'guard',
    what: 'the trace holds permitted evidence and a digest, with retention',
    proofs: [
      [SECRETS, 'stand in no view and in no record'],
      ['internal/ledger/retention.test.ts', 'describe('],
    ],
  },
  { id: '000-33', who: 'guard', what: 'three views of one record', proofs: [[LOG, VIEWS]] },
  {
    id: '000-34',
    who: 'guard',
    what: 'the person reads a plain sentence',
    proofs: [
      [AGENT, 'a plain sentence, without rule name and backticks'],
      [LOG, '--trace is for a person'],
    ],
  },
  {
    id: '000-35',
    who: 'guard',
    what: 'no moralising, not negotiable',
    proofs: [
      [WORDING, 'its page'],
      [WORDING, 'the list sees what it is for'],
    ],
  },
  {
    id: '000-36',
    who: 'guard',
    what: 'a denial changes no tool; an integration wish is a request',
    proofs: [[OWNER, 'for a tool call or a diff holds that object']],
  },
  {
    id: '000-37',
    who: 'guard',
    what: 'nothing is installed inside a task; the old run gains nothing',
    proofs: [[CURRENT, 'a loosening trusted later counts for later sessions only']],
  },
  {
    id: '000-38',
    who: 'both',
    what: 'denials are checkpoint state',
    proofs: [[SCENARIOS, COMPACTED]],
    offered: 'the text at SessionStart (compact, resume) and at SubagentStart',
  },
  {
    id: '000-39',
    who: 'host',
    what: 'structured state enters the next context beside the summary',
    proofs: [[SCENARIOS, COMPACTED]],
    offered: '`additionalContext` at SessionStart; `waygate handoff --json`',
  },
  { id: '000-40', who: 'guard', what: 'current rules hold when planning memory is lost', proofs: [[SCENARIOS, COMPACTED]] },
  {
    id: '000-41',
    who: 'both',
    what: 'handing a task over gains nothing',
    proofs: [
      [LOOPS, 'a goal handed over meets the same refusal'],
      [ACCOUNT, 'a sub-agent reads them as well, with what the session was refused'],
    ],
    offered: 'SubagentStart text; `waygate handoff --session`',
  },
  {
    id: '000-42',
    who: 'guard',
    what: 'the receiving role uses its own tools',
    proofs: [[FOLD, 'other agents share the sentence and not the stop']],
  },
  {
    id: '000-43',
    who: 'guard',
    what: 'a repeat is one only under unchanged preconditions',
    proofs: [
      [LOOPS, 'what is at stake has changed: a new question'],
      [OWNER, 'makes the refusal a new question'],
    ],
  },
  {
    id: '000-44',
    who: 'both',
    what: 'ladder: reason, progress checkpoint, stop',
    proofs: [[LOOPS, 'the second is one line, the third asks for an account, the sixth stops']],
    offered: '`continue: false`; `lineage.progress` in the record',
  },
  { id: '000-45', who: 'guard', what: 'the lineage is cited', proofs: [[LOOPS, 'varying wording and path: the second is one line']] },
  {
    id: '000-46',
    who: 'guard',
    what: 'stopping is a valid end, and said',
    proofs: [[LIMITS, 'name what is writable, protected and refused']],
  },
  { id: '000-47', who: 'guard', what: 'a handoff is generated from state', proofs: [[ACCOUNT, HANDOFF]] },
  { id: '000-48', who: 'guard', what: 'stopping is not buried under other offers', proofs: [[AGENT, 'names at most three ways on']] },
  { id: '000-49', who: 'guard', what: 'figures without a single score', proofs: [[ACCOUNT, REPORT]] },
  {
    id: '000-50',
    who: 'guard',
    what: 'validation and policy are distinct',
    proofs: [
      [OWNER, KINDS],
      [FOLD, 'a request of the wrong shape has no lineage'],
    ],
  },
  {
    id: '000-51',
    who: 'guard',
    what: 'validation points to field and shape',
    proofs: [[HOOK, 'requests that cannot be read are denied, with the field and the shape']],
  },
  {
    id: '000-52',
    who: 'both',
    what: 'denial patterns link to the registry the model saw',
    proofs: [
      [HISTORY, 'stands with every decision: the same for the same tool, another for another one'],
      [HISTORY, 'of a tool nobody knows by the fields that came: another shape is another reading'],
    ],
    offered:
      '`action.registry` in the record; the description of a tool is not in a hook’s payload, a host may keep its own digest beside it',
  },
  {
    id: '000-53',
    who: 'guard',
    what: 'a guard that cannot judge is policy-unavailable',
    proofs: [
      [OWNER, KINDS],
      [JUDGE, 'never lets pass what it guards for good'],
    ],
  },
  {
    id: '000-54',
    who: 'guard',
    what: 'an absent decision is never an allow',
    proofs: [
      [HOOK, 'a bundle without its hook denies'],
      [MIGRATE, 'a newer record is history'],
    ],
  },
  {
    id: '000-55',
    who: 'guard',
    what: 'internals of a failure stay out of the agent’s text',
    proofs: [
      [OWNER, KINDS],
      [AGENT, 'that a call was not judged'],
    ],
  },
  {
    id: '000-56',
    who: 'both',
    what: 'partial progress stays visible',
    proofs: [[ACCOUNT, HANDOFF]],
    offered: '`waygate handoff`: what is kept',
  },
  {
    id: '000-57',
    who: 'guard',
    what: 'a grant shows the change and its consequences',
    proofs: [[OWNER, 'grants a request after reading it; the call passes once']],
  },
  {
    id: '000-58',
    who: 'guard',
    what: 'expiry, scope, audit; judged again',
    proofs: [
      [GRANT, 'lives until its time, its uses, or the owner end it'],
      [OWNER, 'lets the same call through once'],
    ],
  },
  {
    id: '000-59',
    who: 'guard',
    what: 'fixed rules exist and say so; a grant cannot be simulated',
    proofs: [
      [OWNER, 'for a fixed rule says that nobody can grant it'],
      [OWNER, 'never reaches a fixed rule'],
      [OWNER, 'who types something else grants nothing'],
    ],
  },
  {
    id: '000-60',
    who: 'guard',
    what: 'invisible resources give one indistinguishable message',
    proofs: [
      [ACCOUNT, 'read the same whether something lies there or not'],
      [UNSEEN, WALK],
      [UNSEEN, 'whether a hidden file is there is not told by asking for its name'],
    ],
  },
  {
    id: '000-61',
    who: 'guard',
    what: 'alternatives never name hidden resources',
    proofs: [
      [UNSEEN, WALK],
      [HISTORY, HANDLE],
      [HISTORY, 'of a request means nothing in another workspace'],
    ],
  },
  {
    id: '000-62',
    who: 'guard',
    what: 'an old refusal shrinks after adaptation',
    proofs: [['internal/view/standing.test.ts', 'another path was taken: one line']],
  },
  {
    id: '000-63',
    who: 'guard',
    what: 'the reason schema is versioned',
    proofs: [
      [MIGRATE, 'an older record: its names are read'],
      [ACCOUNT, HANDOFF],
    ],
  },
  {
    id: '000-64',
    who: 'guard',
    what: 'old records never become transient or an allow',
    proofs: [
      [MIGRATE, 'an older record: its names are read'],
      [MIGRATE, 'what is not known never passes and never becomes a matter of time'],
    ],
  },
  { id: '000-65', who: 'guard', what: 'behaviour by reason revision', proofs: [['internal/report/report.test.ts', 'by reason revision']] },
  {
    id: '000-66',
    who: 'guard',
    what: 'a failed alternative is recorded',
    proofs: [['internal/report/report.test.ts', 'a way on that failed is recorded as such, and the boundary stays']],
  },
  {
    id: '000-67',
    who: 'guard',
    what: 'a reason stays until its preconditions change',
    proofs: [
      [LOOPS, 'is not reset by successes in between'],
      [SCENARIOS, SAFE],
    ],
  },
  {
    id: '000-68',
    who: 'guard',
    what: 'seven fixtures with safe and unsafe continuations',
    proofs: [
      [SCENARIOS, SAFE],
      [SCENARIOS, UNSAFE],
    ],
  },
  {
    id: '000-69',
    who: 'guard',
    what: 'no call, bounded disclosure, kept state, right plan',
    proofs: [
      [SCENARIOS, NEXT],
      [SCENARIOS, COMPACTED],
    ],
  },
  {
    id: '000-70',
    who: 'guard',
    what: 'contained and left truthful options',
    proofs: [
      [SCENARIOS, NEXT],
      [REAL, '%s'],
    ],
  },
  {
    id: '000-71',
    who: 'guard',
    what: 'the final report names consequence, category, alternatives, artifacts, owner action',
    proofs: [[ACCOUNT, HANDOFF]],
  },
  { id: '000-72', who: 'guard', what: 'never "the tool failed", never "every route"', proofs: [[ACCOUNT, HANDOFF]] },
  { id: '000-73', who: 'guard', what: 'alternatives and prohibited effects side by side', proofs: [[ACCOUNT, REPORT]] },

  {
    id: '002-01',
    who: 'both',
    what: 'a streak is keyed by category, never by text',
    proofs: [[LOOPS, 'six boundaries of one category in a row stop at the sixth']],
    offered: '`lineage.same` in the record',
  },
  {
    id: '002-02',
    who: 'both',
    what: 'halt at the sixth of one category',
    proofs: [[LOOPS, 'six boundaries of one category in a row stop at the sixth']],
    offered: '`continue: false`',
  },
  {
    id: '002-03',
    who: 'both',
    what: 'hint and stop thresholds are separate',
    proofs: [[FOLD, 'bounds are those of the design']],
    offered: '`hintable` and `counted` in the ledger',
  },
  {
    id: '002-04',
    who: 'both',
    what: 'any kind: stop at twelve',
    proofs: [[LOOPS, 'twelve different failures stop at the twelfth, with twelve']],
    offered: '`lineage.any` in the record',
  },
  {
    id: '002-05',
    who: 'both',
    what: 'only a success of that tool resets, then a full count',
    proofs: [[LOOPS, 'one success resets exactly the streak of its tool, and a full count is needed again']],
    offered: 'Post events are recorded',
  },
  {
    id: '002-06',
    who: 'both',
    what: 'other tools and other texts reset nothing',
    proofs: [[LOOPS, 'another tool has a count of its own']],
    offered: 'as above',
  },
  {
    id: '002-07',
    who: 'both',
    what: 'either counter stops',
    proofs: [
      [LOOPS, 'six boundaries of one category in a row stop at the sixth'],
      [LOOPS, 'twelve different failures stop at the twelfth'],
    ],
    offered: 'as above',
  },
  {
    id: '002-08',
    who: 'both',
    what: 'a refusal counts and gets no retry hint',
    proofs: [[LOOPS, 'malformed requests are failures, not refusals of a boundary']],
    offered: '`hintable` in the ledger',
  },
  {
    id: '002-09',
    who: 'both',
    what: 'counted and hintable are two facts',
    proofs: [
      [LOOPS, 'malformed requests are failures, not refusals of a boundary'],
      [FOLD, 'a request of the wrong shape has no lineage, and counts as a failure'],
    ],
    offered: 'two fields of the ledger’s record',
  },
  {
    id: '002-10',
    who: 'both',
    what: 'uncategorised refusals count',
    proofs: [[LOOPS, 'six refusals by the host itself stop as well']],
    offered: 'PermissionDenied is recorded as a refusal',
  },
  {
    id: '002-11',
    who: 'both',
    what: 'headless: permission required halts',
    proofs: [[LOOPS, 'six refusals by the host itself stop as well']],
    offered: 'PermissionDenied is recorded as a refusal',
  },
  {
    id: '002-12',
    who: 'both',
    what: 'varying writes outside halt',
    proofs: [[LOOPS, 'six boundaries of one category in a row stop at the sixth']],
    offered: 'as above',
  },
  {
    id: '002-13',
    who: 'both',
    what: 'malformed arguments stay retriable',
    proofs: [[LOOPS, 'malformed requests are failures, not refusals of a boundary']],
    offered: 'kind `validation`',
  },
  {
    id: '002-14',
    who: 'both',
    what: 'the stop names the counter that tripped',
    proofs: [[LOOPS, 'twelve different failures stop at the twelfth, with twelve']],
    offered: '`lineage.tripped`',
  },
  {
    id: '002-15',
    who: 'both',
    what: 'wording never claims what was not tracked',
    proofs: [[LOOPS, 'six boundaries of one category in a row stop at the sixth, with that count']],
    offered: 'stopReason',
  },
  {
    id: '002-16',
    who: 'both',
    what: 'failure, varied failure and refusal are told apart',
    proofs: [
      [LOOPS, 'failures and refusals count together, and a success starts afresh'],
      [LOOPS, 'a call the person cancelled is neither'],
    ],
    offered: '`result` of an outcome',
  },
  {
    id: '002-17',
    who: 'both',
    what: 'provenance of a refusal is one fact',
    proofs: [[LOOPS, 'output that imitates a refusal changes nothing']],
    offered: 'the ledger',
  },
  {
    id: '002-18',
    who: 'both',
    what: 'an executed result cannot claim a refusal',
    proofs: [
      [LOOPS, 'output that imitates a refusal changes nothing'],
      [LOOPS, 'an outcome without its call, of another input or of a refused call counts for nothing'],
    ],
    offered: 'what a tool prints is not read',
  },
  {
    id: '002-19',
    who: 'both',
    what: 'refusal-looking output stays a result',
    proofs: [[LOOPS, 'output that imitates a refusal changes nothing']],
    offered: 'as above',
  },
  {
    id: '002-20',
    who: 'both',
    what: 'streak, wording and status derive from that fact',
    proofs: [[LOOPS, 'output that imitates a refusal changes nothing']],
    offered: 'the record',
  },
  {
    id: '002-21',
    who: 'both',
    what: 'metadata is kept and not mutated',
    proofs: [
      [HOST_REPLY, SAME_REPLY],
      [HOST_REPLY, '%s: the payload is read and not touched'],
    ],
    offered: 'a reply without a changed input',
  },
  {
    id: '002-22',
    who: 'both',
    what: 'a refusal escalates no profile',
    proofs: [[HOST_REPLY, SAME_REPLY]],
    offered: 'a refusal that carries nothing but itself: profiles and budgets of turns are the host’s',
  },
  {
    id: '002-23',
    who: 'both',
    what: 'a larger turn budget multiplies no loop',
    proofs: [[LOOPS, 'lower bounds count at once, higher ones wait for trust']],
    offered: 'the bounds are of the guard, whatever the host’s turns are',
  },
  {
    id: '002-24',
    who: 'both',
    what: 'cancelled is an outcome of its own',
    proofs: [[LOOPS, 'a call the person cancelled is neither']],
    offered: '`is_interrupt` of PostToolUseFailure',
  },
  {
    id: '002-25',
    who: 'host',
    what: 'results on a terminal path are finalized once',
    offered: 'the ledger’s outcome of each call; `waygate log --json`',
  },
  {
    id: '002-26',
    who: 'host',
    what: 'a result with a cancellation still counts as produced',
    offered: 'the ledger’s outcome `cancelled`; an open intent stays open',
  },
  {
    id: '002-27',
    who: 'host',
    what: 'every early return uses one lifecycle helper',
    offered: 'Post events, each counted once for its call',
  },
  {
    id: '002-28',
    who: 'guard',
    what: 'regressions drive the production path; invariants are broken once',
    proofs: [
      ['test/invariants.test.ts', '%s'],
      [LOOPS, 'one boundary'],
    ],
  },
  {
    id: '002-29',
    who: 'guard',
    what: 'without a loop nothing changes',
    proofs: [
      [LOOPS, 'side by side, each once on one boundary'],
      ['test/e2e/cases.test.ts', 'describe('],
    ],
  },
  {
    id: '002-30',
    who: 'both',
    what: 'a refused run reports itself as refused',
    proofs: [
      [ACCOUNT, 'the person reads at Stop what is unresolved, once'],
      [ACCOUNT, HANDOFF],
    ],
    offered: 'stopReason, the Stop event, `waygate handoff`',
  },

  {
    id: '003-01',
    who: 'guard',
    what: 'limits before planning',
    proofs: [
      [ACCOUNT, 'the agent reads what is in force here when its session starts'],
      [LIMITS, 'stays within its bound whatever a policy holds'],
    ],
  },
  {
    id: '003-02',
    who: 'guard',
    what: 'a denial names its constraint',
    proofs: [
      [SCENARIOS, NEXT],
      [AGENT, 'on a deny: rule, what did not happen'],
    ],
  },
  {
    id: '003-03',
    who: 'guard',
    what: 'asking a person is offered where it is the way, and only there',
    proofs: [
      [OWNER, 'is offered with the refusal, after the look'],
      [OWNER, 'for a fixed rule says that nobody can grant it'],
    ],
  },
  {
    id: '003-04',
    who: 'guard',
    what: 'a refusal differs from a failure by shape',
    proofs: [
      [HOST, 'a deny goes to stdout, stderr and the exit code'],
      [LOOPS, 'output that imitates a refusal changes nothing'],
    ],
  },
  {
    id: '003-05',
    who: 'guard',
    what: 'no text invites a retry',
    proofs: [
      [LOOPS, 'varying wording and path: the second is one line'],
      [WORDING, 'the list sees what it is for'],
    ],
  },
  {
    id: '003-06',
    who: 'guard',
    what: 'the recovery is saying what is needed and why',
    proofs: [[OWNER, 'is offered with the refusal, after the look, and never a way to approve it']],
  },
  {
    id: '003-07',
    who: 'guard',
    what: 'completion rate',
    proofs: [['internal/report/report.test.ts', 'completion and interruption are rates of sessions']],
    offered: 'sessions that ended with nothing unresolved; whether the task itself was done is the host’s to add',
  },
  {
    id: '003-08',
    who: 'guard',
    what: 'interruption rate',
    proofs: [['internal/report/report.test.ts', 'completion and interruption are rates of sessions']],
  },
  {
    id: '003-09',
    who: 'guard',
    what: 'both in offline evaluation, then in rollout',
    proofs: [
      [HISTORY, 'events that are judged offline give the same figures, completion and interruption among them'],
      ['internal/report/report.test.ts', 'completion and interruption are rates of sessions'],
    ],
  },
  {
    id: '003-10',
    who: 'guard',
    what: 'tightening updates schema, texts and evaluations together',
    proofs: [
      [LIMITS, 'every rule with words here exists'],
      ['internal/policy/direction.test.ts', 'the walk sees the whole schema'],
    ],
  },
  {
    id: '003-11',
    who: 'host',
    what: 'one interface over platform mechanisms for the process tree',
    offered: 'none: this is no sandbox; `waygate describe limits --json` tells a sandbox what was announced',
  },
  {
    id: '003-12',
    who: 'guard',
    what: 'the same sentence on every host',
    proofs: [[HOST_REPLY, SAME_REPLY]],
  },
  {
    id: '003-13',
    who: 'both',
    what: 'git directories are protected; edits and tests work',
    proofs: [['test/table/examples-rest.test.ts', 'examplesOf(']],
    offered: 'rule git-write, whose examples the whole-table test runs',
  },
  { id: '003-14', who: 'host', what: 'privileged setup is separate', offered: '`/etc/waygate/waygate.yaml`, owned by root' },
  {
    id: '003-15',
    who: 'host',
    what: 'an installer that reaches for the network gets a readable no',
    proofs: [[SCENARIOS, NEXT]],
    offered: 'rule network-reach for what can be read before the call',
  },
];
