/** `waygate judge`: JSON lines of hook events in, one decision record a line out. A what-if: it records and changes nothing. */
import type { Decision } from '../../internal/decision/record.ts';
import { HOSTS, hostNamed, hostOf } from '../../internal/host/hosts.ts';
import { parsePayload } from '../../internal/host/payload.ts';
import { answer } from '../../internal/judge/answer.ts';
import { invalidRequest } from '../../internal/judge/refuse.ts';
import { sources, type WhatIf } from './compose.ts';
import { readAll, writeAll } from './streams.ts';
import { UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';
import { type WhatIfFlags, whatIf, withWhatIf } from './what-if.ts';

export const define: VerbModule['define'] = (command) => {
  withWhatIf(command)
    .option('--host <host>', 'whose payloads these are; detected when absent')
    .action(async (flags: WhatIfFlags & { host?: string }) => judgeAll({ ...(await whatIf(flags)), host: knownHost(flags.host) }));
  examples(command, [
    ['waygate judge < events.jsonl', 'what would be decided here and now'],
    ['waygate judge --assume worst --preset safety < events.jsonl', 'the same with everything at stake'],
  ]);
};

function knownHost(name: string | undefined): string | undefined {
  if (name !== undefined && !hostNamed(name))
    throw new UsageError(`--host: ${JSON.stringify(name)} is not one of ${HOSTS.map((host) => host.name).join(', ')}`);
  return name;
}

export interface JudgeOptions extends WhatIf {
  /** The host of payloads that do not name theirs; else detected. */
  host?: string;
}

/** Judges all of stdin. */
export async function judgeAll(options: JudgeOptions): Promise<void> {
  const judgeOne = judgeWith(options);
  const text = Buffer.from(readAll(0, Number.POSITIVE_INFINITY)).toString('utf8');
  let out = '';
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    out += `${JSON.stringify(await judgeOne(line))}\n`;
    if (out.length > 1 << 20) {
      writeAll(1, out);
      out = '';
    }
  }
  writeAll(1, out);
}

/** A judge of single lines. A line that is no event gets a record of kind `validation`. */
export function judgeWith(options: JudgeOptions): (line: string) => Promise<Decision> {
  const from = sources(options);
  // A copy: each look into the real environment costs more than finding out what the payload says.
  const env = { ...process.env };
  const around = { cwd: process.cwd(), env: (name: string) => env[name] };
  return async (line) => {
    const payload = parsePayload(line);
    const unseen = { host: options.host ?? 'unknown', session: 'unknown', tool: '' };
    if ('empty' in payload) return invalidRequest(unseen, { field: 'payload', expected: 'one JSON object', got: 'nothing' }, new Date());
    if ('problem' in payload) return invalidRequest(unseen, payload.problem, new Date());
    const wrapped = unwrap(payload.value);
    const named = wrapped.host ?? options.host;
    const host = named === undefined ? hostOf(wrapped.event) : hostNamed(named);
    if (!host) return invalidRequest(unseen, { field: 'host', expected: 'the name of a host', got: `\`${named}\`` }, new Date());
    const parsed = host.parse(wrapped.event, around);
    if (parsed.kind === 'action') return answer(parsed.action, from);
    const problem = parsed.kind === 'invalid' ? parsed.problem : { field: 'event', expected: 'an event', got: 'nothing' };
    return invalidRequest(parsed.kind === 'invalid' ? parsed.seen : unseen, problem, new Date());
  };
}

/** `{"host":…, "event":{…}}` or the host's own payload. */
function unwrap(value: Readonly<Record<string, unknown>>): { host?: string; event: Readonly<Record<string, unknown>> } {
  const event = value['event'];
  if (typeof value['host'] !== 'string' || event === null || typeof event !== 'object') return { event: value };
  return { host: value['host'], event: event as Record<string, unknown> };
}
