/** `waygate gate record`: a person takes in what CI or they themselves saw the gate do. Signed here, with this machine's key. */
import { readFileSync } from 'node:fs';
import { commitOf, treeOf } from '../../internal/fact/tree-digest.ts';
import { checkImport, type GateImport } from '../../internal/gate/import.ts';
import { recipeOf } from '../../internal/gate/recipe.ts';
import { openTop } from '../../internal/gate/scene.ts';
import { appendRun, prepare } from '../../internal/runlog/append.ts';
import { runPlace } from '../../internal/runlog/places.ts';
import type { RunRecord } from '../../internal/runlog/record.ts';
import { newRunId } from '../../internal/runlog/run.ts';
import { visible } from '../../internal/view/visible.ts';
import { type GateHere, gateOrEnd, signer } from './gate-here.ts';
import { assurePerson } from './person.ts';
import { readAll } from './streams.ts';
import { Failure, paint, say, sayJson, UsageError } from './terminal.ts';

export interface RecordFlags {
  file?: string;
  json?: boolean;
}

/** An import is a few lines: 64 KB. */
const MAX_BYTES = 64 * 1024;

export async function gateRecord(flags: RecordFlags): Promise<0> {
  if (flags.file === undefined) throw new UsageError('gate record needs --file FILE with the result as JSON, or --file - for stdin');
  const here = await gateOrEnd();
  const result = read(flags.file, here);
  const record = recordOf(result, here);
  await assurePerson('gate record', question(result, record), { record });
  const sign = signer();
  const signed: RunRecord = { ...record, signature: sign(record) };
  const place = runPlace(here.top);
  try {
    prepare(place);
    appendRun(place, signed);
  } catch (error) {
    throw new Failure(`gate record: ${place.file} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
  const coverage = here.look().coverage(record.before?.head);
  if (flags.json) sayJson({ run: signed, coverage });
  else
    say(`${paint('green', 'recorded')}  ${record.id}  ${record.status} on ${record.before?.head?.slice(0, 7)}: ${visible(coverage.why)}`);
  return 0;
}

function read(file: string, here: GateHere): GateImport {
  let text: string;
  try {
    text = file === '-' ? Buffer.from(readAll(0, MAX_BYTES)).toString('utf8') : readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`gate record: ${visible(file)} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
  if (text.length > MAX_BYTES) throw new Failure(`gate record: ${visible(file)} is larger than ${MAX_BYTES / 1024} KB: that is no result`);
  const checked = checkImport(text, here.gate.command);
  if ('problem' in checked) throw new Failure(`gate record: ${file === '-' ? 'stdin' : visible(file)}: ${visible(checked.problem)}`);
  return checked.result;
}

function recordOf(result: GateImport, { top, gate }: GateHere): RunRecord {
  const repository = openTop(top);
  const commit = repository && commitOf(repository, result.commit);
  const tree = repository && commit && treeOf(repository, commit);
  if (!commit || !tree)
    throw new Failure(`gate record: commit: ${JSON.stringify(result.commit)} is no commit that git knows in ${visible(top)}`);
  const digest = { head: commit, tracked: tree, all: tree };
  const now = new Date().toISOString();
  return {
    schema: 1,
    id: newRunId(),
    argv: [],
    cwd: top,
    startedAt: result.startedAt ?? result.endedAt ?? now,
    endedAt: result.endedAt ?? now,
    status: result.status,
    pid: process.pid,
    caller: 'person',
    before: digest,
    after: digest,
    environment: '',
    log: '',
    gate: {
      command: gate.command,
      ...recipeOf(gate.command, top),
      by: result.by,
      ...(result.source === undefined ? {} : { source: result.source }),
    },
  };
}

const question = (result: GateImport, record: RunRecord): string =>
  visible(
    [
      `take in that \`${record.gate?.command}\` ${result.status} on ${record.before?.head}`,
      `  from      ${result.by === 'ci' ? 'CI' : 'a person'}${result.source === undefined ? '' : `, ${result.source}`}`,
      `  at        ${record.endedAt}`,
      ...(result.status === 'passed' ? ['  Pushes of this commit, and of the same files, pass the gate then.'] : []),
    ].join('\n'),
  );
