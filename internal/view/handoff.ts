/**
 * The account of a blocked run, for whoever takes it over: what was asked for and refused, what was tried, what is kept, what the owner
 * would have to do. It claims nothing that the record does not hold. Pure.
 */
import type { Account, Ending, Refusal, Way } from '../report/account.ts';
import { unresolved } from '../report/account.ts';
import { CHANGES } from './agent.ts';
import { line, visible } from './visible.ts';

/** What the account is completed with from other stores. */
export interface Beside {
  /** Requests that were put to the owner in this session. */
  requests: readonly { id: string; need: string; boundaries: readonly string[]; state: string }[];
  /** Checkpoints that were made while the session ran. */
  checkpoints: readonly { id: string; files: readonly string[] }[];
  /** Rules that no grant reaches. */
  fixed: ReadonlySet<string>;
  show(path: string): string;
}

const NOTHING: Beside = { requests: [], checkpoints: [], fixed: new Set(), show: (path) => path };

/** Refusals, ways and files that are named one by one. */
const MOST = { refusals: 20, ways: 6, files: 15 };

/** A handoff as data. */
export interface Handoff {
  session: string;
  from: string | null;
  to: string | null;
  calls: number;
  refused: number;
  unresolved: readonly HandoffItem[];
  settled: readonly HandoffItem[];
  openOutcomes: Account['open'];
  kept: { checkpoints: Beside['checkpoints']; written: readonly string[]; commits: number };
  appendix: {
    policies: readonly string[];
    decisions: readonly { boundary: string; rule: string; reasonRevision: number; ids: readonly string[] }[];
  };
}

export interface HandoffItem {
  requested: string;
  consequence: string;
  category: string;
  persistence: string;
  says: string;
  refusals: number;
  stopped: boolean;
  tried: readonly { way: string; result: string; decision: string | null }[];
  notTried: readonly string[];
  owner: string;
  state: Refusal['state'];
}

export function handoffOf(account: Account, beside: Beside = NOTHING): Handoff {
  const open = unresolved(account);
  return {
    session: account.session,
    from: account.from ?? null,
    to: account.to ?? null,
    calls: account.calls,
    refused: account.refused,
    unresolved: open.map((refusal) => itemOf(refusal, beside)),
    settled: account.refusals.filter((refusal) => !open.includes(refusal)).map((refusal) => itemOf(refusal, beside)),
    openOutcomes: account.open,
    kept: { checkpoints: beside.checkpoints, written: account.written.map(beside.show), commits: account.commits },
    appendix: {
      policies: account.policies,
      decisions: account.refusals.map(({ boundary, rule, reasonRevision, decisions }) => ({
        boundary,
        rule,
        reasonRevision,
        ids: decisions,
      })),
    },
  };
}

const RESULTS: Readonly<Record<Ending, string>> = {
  ok: 'it succeeded',
  failed: 'it was let through and failed',
  refused: "the host's own permissions refused it",
  cancelled: 'the person cancelled it',
  unknown: 'it was let through; how it ended is not recorded',
};

function itemOf(refusal: Refusal, beside: Beside): HandoffItem {
  const tried = refusal.ways.flatMap((way) => {
    const name = nameOf(way);
    if (name === undefined) return [];
    if (way.taken) return [{ way: name, result: RESULTS[way.taken.ending], decision: way.taken.decision }];
    return way.refused ? [{ way: name, result: 'it was refused itself', decision: way.refused }] : [];
  });
  return {
    requested: refusal.requested,
    consequence: refusal.boundary,
    category: refusal.category,
    persistence: refusal.persistence,
    says: refusal.says,
    refusals: refusal.count,
    stopped: refusal.stopped,
    tried,
    notTried: refusal.ways.filter((way) => !way.taken && !way.refused).flatMap((way) => nameOf(way) ?? []),
    owner: ownerAction(refusal, beside),
    state: refusal.state,
  };
}

const nameOf = ({ remedy }: Way): string | undefined =>
  remedy.kind === 'run' ? remedy.run : remedy.kind === 'call' ? `${remedy.tool} ${JSON.stringify(remedy.input)}` : undefined;

/** What exactly the owner would have to do. Never a command that grants: whoever reads this may be the agent. */
function ownerAction(refusal: Refusal, { requests, fixed }: Beside): string {
  const request = requests.find((each) => each.boundaries.includes(refusal.boundary));
  if (refusal.kind === 'unavailable') return 'Run `waygate doctor`: the guard could not judge.';
  if (request) return `Decide request ${request.id} (${request.state}): ${request.need}. \`waygate requests\` shows it.`;
  if (fixed.has(refusal.rule)) return `Make the change yourself, if it is wanted: no grant reaches this. ${refusal.ask ?? ''}`.trim();
  const again = refusal.ways.find((way) => !way.taken && 'then' in way.remedy && way.remedy.then === 'again');
  if (again && refusal.persistence !== 'owner-action') return `None is needed: after \`${nameOf(again)}\` the same call passes.`;
  if (refusal.ask) return `Answer: ${refusal.ask}`;
  if (refusal.persistence === 'owner-action') return `Say whether this is wanted: ${refusal.requested}`;
  return 'None is needed: another way on is open to the agent.';
}

/** The handoff as text, the same for person and agent. */
export function handoffView(handoff: Handoff): string {
  const lines = [
    `# Handoff of session ${handoff.session}`,
    '',
    `${handoff.calls} calls judged, ${handoff.refused} refused${handoff.from ? `, ${handoff.from} to ${handoff.to}` : ''}.`,
  ];
  if (handoff.unresolved.length === 0) lines.push('', 'No refusal is unresolved.');
  for (const item of handoff.unresolved.slice(0, MOST.refusals)) lines.push('', ...itemLines(item));
  if (handoff.unresolved.length > MOST.refusals)
    lines.push('', `${handoff.unresolved.length - MOST.refusals} more unresolved refusals stand in the appendix.`);
  if (handoff.openOutcomes.length > 0) {
    lines.push('', '## Let through, end unknown');
    for (const open of handoff.openOutcomes)
      lines.push(`- ${line(open.summary, 200)} (${open.id})${open.status ? `; tells how it ended: ${open.status}` : ''}`);
  }
  lines.push('', '## Kept', ...keptLines(handoff));
  if (handoff.settled.length > 0) {
    lines.push('', '## Refused and settled');
    for (const item of handoff.settled.slice(0, MOST.refusals))
      lines.push(`- ${item.category}: ${line(item.consequence, 160)}: ${STATES[item.state]}`);
  }
  lines.push('', '## Appendix', `policy: ${handoff.appendix.policies.join(', ') || 'none'}`);
  for (const each of handoff.appendix.decisions)
    lines.push(
      `- ${line(each.boundary, 160)} [${each.rule}, reason ${each.reasonRevision}]: ${each.ids.slice(0, 12).join(' ')}${each.ids.length > 12 ? ` and ${each.ids.length - 12} more` : ''}`,
    );
  return visible(lines.join('\n'));
}

const STATES: Readonly<Record<Refusal['state'], string>> = {
  open: 'open',
  passed: 'the same call passed later',
  remedied: 'another way was taken and succeeded',
  'went-on': 'the run went on with other calls',
};

function itemLines(item: HandoffItem): readonly string[] {
  return [
    `## ${item.category}: ${line(item.consequence, 200)}`,
    `- Asked for: ${line(item.requested, 220)}`,
    `- Refused ${item.refusals === 1 ? 'once' : `${item.refusals} times`}${item.stopped ? ', then the run was stopped' : ''}; nothing of it ran. ${line(item.says, 400)}`,
    `- What could change it: ${CHANGES[item.persistence] ?? item.persistence}`,
    ...(item.tried.length === 0
      ? ['- Offered ways taken: none on record']
      : item.tried.slice(0, MOST.ways).map((each) => `- Tried: ${each.way}; ${each.result}`)),
    ...item.notTried.slice(0, MOST.ways).map((way) => `- Offered, not taken: ${way}`),
    `- Owner: ${line(item.owner, 500)}`,
  ];
}

function keptLines({ kept }: Handoff): readonly string[] {
  const lines = [
    ...kept.checkpoints.map(
      ({ id, files }) =>
        `- checkpoint ${id}: ${line(files.slice(0, 5).join(', '), 200)}${files.length > 5 ? ` and ${files.length - 5} more` : ''}`,
    ),
    ...(kept.written.length > 0
      ? [
          `- files written: ${line(kept.written.slice(0, MOST.files).join(', '), 600)}${kept.written.length > MOST.files ? ` and ${kept.written.length - MOST.files} more` : ''}`,
        ]
      : []),
    ...(kept.commits > 0 ? [`- ${kept.commits} ${kept.commits === 1 ? 'call' : 'calls'} that commit`] : []),
  ];
  return lines.length > 0 ? lines : ['- nothing is on record'];
}

/** The person's line at the end of a turn; '' when nothing is unresolved. */
export function handoffSummary(handoff: Handoff): string {
  const [first] = handoff.unresolved;
  const open = handoff.openOutcomes.length;
  if (!first && open === 0) return '';
  const parts = [
    ...(first
      ? [
          `${handoff.unresolved.length === 1 ? 'one refusal is' : `${handoff.unresolved.length} refusals are`} unresolved: ${line(first.consequence, 120)} (${first.category})`,
          `Owner: ${line(first.owner, 200)}`,
        ]
      : []),
    ...(open > 0 ? [`${open} ${open === 1 ? 'call' : 'calls'} outside ended unseen`] : []),
  ];
  return visible(
    line(
      `waygate: ${parts.map((part) => (/[.?!]$/.test(part) ? part : `${part}.`)).join(' ')} All of it: waygate handoff`.replaceAll('`', ''),
      600,
    ),
  );
}
