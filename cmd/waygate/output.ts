/** `waygate output REF`: what a run printed, whole or the part that is asked for. */
import { readFileSync, realpathSync } from 'node:fs';
import { captureOf } from '../../internal/effect/run-capture.ts';
import { isProjected, type Projection, project } from '../../internal/runlog/project.ts';
import { runNamed } from '../../internal/runlog/read.ts';
import type { RunRecord } from '../../internal/runlog/record.ts';
import { visible } from '../../internal/view/visible.ts';
import { argvText, endLine, lineCount, textOf } from './run-show.ts';
import { logHere } from './runs-here.ts';
import { type Exit, Failure, sayJson, tell } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

interface Flags {
  failure?: boolean;
  grep?: string;
  tail?: string;
  json?: boolean;
}

export const define: VerbModule['define'] = (command, exit) => {
  command
    .argument(
      '[ref]',
      'the run: its id or the start of it, last, last-failed, gate; or the file in which a host keeps the output of a task',
      'last',
    )
    .option('--failure', 'only what says why it failed')
    .option('--grep <text>', 'only lines with the text, with a few around')
    .option('--tail <n>', 'only the last lines')
    .option('--json', 'one JSON document with the record')
    .action((ref: string, flags: Flags) => exit(output(ref, flags)));
  examples(command, [
    ['waygate output last --failure', 'why the latest run failed'],
    ["waygate output gate --grep 'not found'", 'lines of the latest run of the gate'],
    ['waygate output mij8z3k1 --tail 50', 'the end of one run; see waygate runs'],
  ]);
};

function output(ref: string, flags: Flags): Exit {
  const asked = {
    ...(flags.failure ? { failure: true } : {}),
    ...(flags.grep === undefined ? {} : { grep: flags.grep }),
    ...(flags.tail === undefined ? {} : { tail: lineCount(flags.tail) }),
  };
  const task = captureAt(ref);
  if (task !== undefined) return ofTask(task, asked, flags);
  const run = named(ref);
  const text = textOf(run);
  const failed = run.status !== 'passed';
  const whole = Object.keys(asked).length === 0;
  if (flags.json) {
    sayJson({ run, output: whole ? text : project(text, asked, failed).join('\n') });
    return 0;
  }
  if (run.log === '') tell(`waygate: ${run.id} was taken in from ${run.gate?.by === 'ci' ? 'CI' : 'a person'} and has no output here`);
  if (whole) {
    process.stdout.write(text);
    return 0;
  }
  const lines = project(text, asked, failed);
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
  if (flags.failure && !failed) tell(`waygate: ${run.id} passed: ${argvText(run)}`);
  else if (lines.length === 0 && flags.grep !== undefined) {
    tell(`waygate: no line of ${run.id} holds ${JSON.stringify(visible(flags.grep))}`);
    return 1;
  } else if (flags.failure) tell(`${argvText(run)}\n${endLine(run, run.exit ?? 1)}`);
  return 0;
}

/** The text of the file in which a host keeps the output of a task in the background, when that is what is named. */
function captureAt(ref: string): string | undefined {
  if (!ref.includes('/')) return undefined;
  let path: string;
  try {
    path = realpathSync(ref);
  } catch {
    throw new Failure(`${visible(ref)} is not there; waygate runs lists what the run log holds`);
  }
  // Any other file is for the programs that read files.
  if (captureOf(path) === undefined) throw new Failure(`${visible(ref)} is no stored output of a run or task`);
  return readFileSync(path, 'utf8');
}

/** How it ended is not known here: what looks like the reason of a failure is shown. */
function ofTask(text: string, asked: Projection, flags: Flags): Exit {
  const lines = isProjected(asked) ? project(text, asked, true) : undefined;
  if (flags.json) sayJson({ output: lines ? lines.join('\n') : text });
  else process.stdout.write(lines ? (lines.length > 0 ? `${lines.join('\n')}\n` : '') : text);
  return lines?.length === 0 && flags.grep !== undefined ? 1 : 0;
}

function named(ref: string): RunRecord {
  const found = runNamed(
    ref,
    logHere().log.runs.map((each) => each.run),
  );
  if ('run' in found) return found.run;
  if ('several' in found)
    throw new Failure(`${JSON.stringify(ref)} is the start of several runs: ${found.several.map((run) => run.id).join(', ')}`);
  throw new Failure(`${found.none}; see waygate runs`);
}
