/** `waygate runs`: what was run here, newest first. */

import { quoteLine } from '../../internal/rule/quote.ts';
import { secondsOf } from '../../internal/runlog/read.ts';
import type { RunRecord } from '../../internal/runlog/record.ts';
import { line } from '../../internal/view/visible.ts';
import { secondsText } from './run-show.ts';
import { logHere } from './runs-here.ts';
import { type Exit, paint, say, sayJson, tell, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

interface Flags {
  json?: boolean;
  failed?: boolean;
  gate?: boolean;
  n?: string;
}

/** Shown when nothing else is said. */
const SHOWN = 20;

export const define: VerbModule['define'] = (command, exit) => {
  command
    .option('--failed', 'only runs that did not pass')
    .option('--gate', 'only runs of the declared gate')
    .option('-n <n>', `at most so many, ${SHOWN} when not given`)
    .option('--json', 'one JSON document')
    .action((flags: Flags) => exit(runs(flags)));
  examples(command, [
    ['waygate runs', 'the latest runs with how they ended and how long they took'],
    ['waygate runs --failed -n 5', 'the latest that did not pass'],
    ['waygate output last-failed --failure', 'why the latest of them failed'],
  ]);
};

function runs(flags: Flags): Exit {
  if (flags.n !== undefined && !/^[1-9]\d{0,4}$/.test(flags.n))
    throw new UsageError(`-n: ${JSON.stringify(flags.n)} is not a number from 1`);
  const { log, place } = logHere();
  const wanted = log.runs
    .map((each) => each.run)
    .filter((run) => (!flags.failed || ['failed', 'killed', 'unfinished'].includes(run.status)) && (!flags.gate || run.gate));
  const shown = wanted.slice(0, flags.n === undefined ? SHOWN : Number(flags.n));
  if (flags.json) {
    sayJson({ file: place.file, runs: shown, torn: log.torn, damaged: log.damaged.map((each) => each.at) });
    return 0;
  }
  if (shown.length === 0) tell('waygate: no such run is on record here; waygate run -- PROGRAM records one');
  for (const run of shown) say(row(run));
  if (wanted.length > shown.length) tell(`waygate: ${wanted.length - shown.length} more; -n ${wanted.length} shows them`);
  for (const { at } of log.damaged) tell(`waygate: ${at} is no record and was left out`);
  return 0;
}

const COLOURS = { passed: 'green', failed: 'red', killed: 'red', unfinished: 'yellow', running: 'cyan' } as const;

function row(run: RunRecord): string {
  const seconds = secondsOf(run);
  const exit = run.exit === undefined ? '' : `exit ${run.exit}`;
  const what = run.argv.length > 0 ? quoteLine(run.argv) : `${run.gate?.by === 'ci' ? 'CI' : 'a person'}: ${run.gate?.command ?? ''}`;
  return [
    run.id,
    paint(COLOURS[run.status], run.status.padEnd(10)),
    run.startedAt.slice(0, 16).replace('T', ' '),
    (seconds === undefined ? '' : secondsText(seconds)).padStart(9),
    exit.padEnd(8),
    `${run.gate ? 'gate  ' : ''}${line(what, 100)}`,
  ].join('  ');
}
