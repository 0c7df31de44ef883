/** `waygate log`: the decisions of this workspace, newest last; as text, as JSON, or as they come. */
import { CATEGORIES } from '../../internal/decision/category.ts';
import { decisionsLeft, type Filter, follower, matches } from '../../internal/ledger/history.ts';
import { rootOf } from '../../internal/policy/roots.ts';
import { logLine, logView } from '../../internal/view/log.ts';
import { oneOf, say, sayJson, tell, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

interface Flags {
  session?: string;
  agent?: string;
  rule?: string;
  verdict?: string;
  category?: string;
  since?: string;
  limit?: string;
  all?: boolean;
  follow?: boolean;
  json?: boolean;
}

/** Lines of text that are shown without a limit of one's own. */
const TEXT_LIMIT = 50;
/** How often new decisions are looked for, in milliseconds. */
const FOLLOW_MS = 300;

export const define: VerbModule['define'] = (command) => {
  command
    .option('--session <id>', 'of one session: its id or the beginning of it')
    .option('--agent <agent>', 'of one sub-agent, by id or type; main: the session itself')
    .option('--rule <rule>', 'by one rule')
    .option('--verdict <verdict>', 'pass, notice, advise or deny')
    .option('--category <category>', 'of one category of refusal')
    .option('--since <time>', 'an ISO time, or how long ago: 30m, 12h, 7d')
    .option('--limit <n>', `the latest n (default: ${TEXT_LIMIT} as text, all as JSON)`)
    .option('--all', 'of every workspace')
    .option('--follow', 'show new decisions as they come')
    .option('--json', 'one JSON document; with --follow one record a line')
    .action(async (flags: Flags) => log(flags));
  examples(command, [
    ['waygate log --verdict deny --since 1d', 'what was refused since yesterday'],
    ['waygate log --follow', 'watch the guard at work'],
    ['waygate log --session 5b0c6a1e --json', 'one session, for a program'],
  ]);
};

async function log(flags: Flags): Promise<void> {
  const filter = filterOf(flags, Date.now());
  const limit = limitOf(flags.limit) ?? (flags.json ? Number.POSITIVE_INFINITY : TEXT_LIMIT);
  const look = flags.follow ? follower() : undefined;
  const decisions = decisionsLeft(filter);
  const shown = decisions.slice(Math.max(0, decisions.length - limit));
  if (flags.json && !look) {
    sayJson({ decisions: shown.map(logView) });
    return;
  }
  const show = flags.json ? (decision: (typeof shown)[number]) => JSON.stringify(logView(decision)) : logLine;
  for (const decision of shown) say(show(decision));
  if (look)
    await follow(
      () => look().filter((record) => matches(record, filter)),
      (record) => say(show(record.decision)),
    );
  else if (shown.length === 0) tell('no decisions here; --all shows those of every workspace');
  else if (shown.length < decisions.length) tell(`${decisions.length - shown.length} earlier decisions; --limit shows more`);
}

/** Until the reader goes or the person stops it. */
function follow<T>(look: () => readonly T[], show: (found: T) => void): Promise<never> {
  return new Promise(() => {
    setInterval(() => {
      for (const found of look()) show(found);
    }, FOLLOW_MS);
  });
}

function filterOf(flags: Flags, now: number): Filter {
  return {
    workspace: flags.all || flags.session !== undefined ? undefined : (rootOf(process.cwd()) ?? process.cwd()),
    session: flags.session,
    agent: flags.agent,
    rule: flags.rule,
    verdict: oneOf('--verdict', flags.verdict, ['pass', 'notice', 'advise', 'deny']),
    category: oneOf('--category', flags.category, CATEGORIES),
    since: flags.since === undefined ? undefined : sinceOf(flags.since, now),
  };
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function sinceOf(text: string, now: number): number {
  const ago = /^(\d+)([smhdw])$/.exec(text);
  if (ago) return now - Number(ago[1]) * UNITS[ago[2]!]!;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new UsageError(`--since: ${JSON.stringify(text)} is neither an ISO time nor a span such as 30m, 12h or 7d`);
  return at;
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 0) throw new UsageError(`--limit: ${JSON.stringify(text)} is no number of decisions`);
  return limit;
}
