/** `waygate gate run`: the declared gate through the run log, from the top of the repository. */
import { callerHere } from '../../internal/gate/caller.ts';
import { argvOf, gateProblem, recipeOf } from '../../internal/gate/recipe.ts';
import { project } from '../../internal/runlog/project.ts';
import type { RunRecord } from '../../internal/runlog/record.ts';
import { RunLogError } from '../../internal/runlog/run.ts';
import { visible } from '../../internal/view/visible.ts';
import { type GateHere, gateOrEnd, signer } from './gate-here.ts';
import { runHere } from './run-here.ts';
import { lineCount, showing, textOf, timeoutOf } from './run-show.ts';
import { Failure, sayJson, tell, UsageError } from './terminal.ts';

export interface GateRunFlags {
  again?: string;
  timeout?: string;
  tail?: string;
  grep?: string;
  failure?: boolean;
  quiet?: boolean;
  json?: boolean;
}

/** Runs the gate. The exit status is the gate's own; 1 where it passed and says nothing, since the files changed meanwhile. */
export async function gateRun(flags: GateRunFlags): Promise<number> {
  const here = await gateOrEnd();
  const { top, gate } = here;
  const again = flags.again?.trim();
  if (flags.again !== undefined && !again) throw new UsageError("gate run: --again says why, e.g. --again 'looking for a flaky test'");
  const timeoutMs = timeoutOf(flags.timeout);
  const problem = gateProblem(gate.command, top);
  if (problem) throw new Failure(`gate: \`${visible(gate.command)}\` cannot be started: ${problem}. It stands in ${here.origin}`);
  const asked = {
    ...(flags.failure ? { failure: true } : {}),
    ...(flags.grep === undefined ? {} : { grep: flags.grep }),
    ...(flags.tail === undefined ? {} : { tail: lineCount(flags.tail) }),
  };
  const shown = showing({ ...asked, ...(flags.quiet ? { quiet: true } : {}), ...(flags.json ? { json: true } : {}) });
  const { record, exit } = await gateLogged(here, { shown, timeoutMs, again });
  shown.end(record, exit);
  const { coverage, standing } = afterwards(here, record);
  const passed = record.status === 'passed' && coverage.run?.id === record.id && coverage.state === 'passed';
  if (flags.json) sayJson({ run: record, exit, coverage, output: project(textOf(record), asked, record.status !== 'passed').join('\n') });
  else tell(`waygate: ${verdict(record, passed, coverage.why, standing)}`);
  return record.status === 'passed' && !passed ? 1 : exit;
}

/** The gate as a run on record; also for `waygate run -- ` with the gate's own words. */
export async function gateLogged(
  here: GateHere,
  how: { shown: ReturnType<typeof showing>; timeoutMs?: number | undefined; again?: string | undefined },
): Promise<{ record: RunRecord; exit: number }> {
  const { top, gate } = here;
  try {
    return await runHere({
      argv: argvOf(gate.command),
      cwd: top,
      timeoutMs: how.timeoutMs,
      caller: callerHere(),
      shown: how.shown,
      gate: { command: gate.command, ...recipeOf(gate.command, top), by: 'run', ...(how.again ? { again: how.again } : {}) },
      sign: signer(),
    });
  } catch (error) {
    if (error instanceof RunLogError) throw new Failure(`gate: ${error.message}`);
    throw error;
  }
}

/** What the run covers now: the work tree as it stands, by the same question that a push asks. */
function afterwards(here: GateHere, record: RunRecord) {
  const look = here.look();
  const standing = look.standing();
  const head = standing.digest?.head;
  return {
    coverage: look.coverage(undefined),
    standing: {
      head,
      clean: record.after !== undefined && head !== undefined && look.coverage('HEAD').run?.id === record.id,
    },
  };
}

function verdict(record: RunRecord, passed: boolean, why: string, standing: { head: string | undefined; clean: boolean }): string {
  if (record.status === 'passed' && !passed) return why;
  if (record.status !== 'passed') return `the gate did not pass: ${visible(record.gate?.command ?? '')}`;
  if (standing.clean && standing.head) return `the gate passed and covers ${standing.head.slice(0, 7)}`;
  return `the gate passed on the files as they stand: a commit of exactly these is covered, ${standing.head ? `${standing.head.slice(0, 7)} alone is not` : 'there is none yet'}`;
}
