/** `waygate report`: figures over the ledgers of this workspace's sessions, or over decisions that `waygate judge` made offline. */
import { readFileSync } from 'node:fs';

import { figuresOf } from '../../internal/report/figures.ts';
import { askedIn, sessionsIn, sessionsOf } from '../../internal/report/sessions.ts';
import { reportView } from '../../internal/view/report.ts';
import { Failure, say, sayJson, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';
import { workspaceHere } from './workspace.ts';

export const define: VerbModule['define'] = (command) => {
  command
    .option('--since <when>', 'a date (2026-11-01) or an age: 12h, 7d, 4w')
    .option('--from <file>', 'decisions, one a line, as `waygate judge` writes them, instead of what was recorded here; - for stdin')
    .option('--json', 'one JSON document')
    .action(async (flags: { since?: string; from?: string; json?: boolean }) => {
      if (flags.from !== undefined) {
        const offline = figuresOf(sessionsIn(textOf(flags.from)), []);
        if (flags.json) sayJson({ report: offline });
        else say(reportView(offline));
        return;
      }
      const { root } = await workspaceHere();
      const since = flags.since === undefined ? undefined : sinceOf(flags.since, new Date());
      const sessions = [...sessionsOf(root, since ? { since } : {})].map((told) => ({
        ...told,
        records: told.records.filter((record) => isSince(record, since)),
      }));
      const asked = askedIn(root, new Date()).filter((each) => !since || Date.parse(each.at) >= since.getTime());
      const figures = figuresOf(
        sessions.filter((told) => told.records.length > 0),
        asked,
      );
      if (flags.json) sayJson({ report: figures });
      else say(reportView(figures));
    });
  examples(command, [
    ['waygate report', 'what was refused here, what came of it, and what it cost'],
    ['waygate report --since 7d --json', 'the last seven days, as data'],
    ['waygate judge --assume worst < events.jsonl | waygate report --from -', 'the same figures before a rollout'],
  ]);
};

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The moment an age or a date stands for. */
export function sinceOf(text: string, now: Date): Date {
  const age = /^(\d{1,5})([mhdw])$/.exec(text);
  const at = age ? now.getTime() - Number(age[1]) * UNITS[age[2]!]! : Date.parse(text);
  if (Number.isNaN(at)) throw new UsageError(`--since: ${JSON.stringify(text)} is neither a date nor an age; e.g. 2026-11-01, 12h, 7d`);
  return new Date(at);
}

function isSince(record: object, since: Date | undefined): boolean {
  if (!since) return true;
  const at = 'decision' in record ? (record.decision as { at?: unknown }).at : (record as { at?: unknown }).at;
  return typeof at !== 'string' || Date.parse(at) >= since.getTime();
}
