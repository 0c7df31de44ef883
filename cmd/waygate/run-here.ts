/** A run in this directory: its log, the work tree it sees, and whether it is the declared gate. */
import { openScene } from '../../internal/gate/scene.ts';
import { environmentOf } from '../../internal/runlog/environment.ts';
import { runPlace } from '../../internal/runlog/places.ts';
import { sweepLogs } from '../../internal/runlog/retention.ts';
import { type Ran, type RunAsk, runLogged } from '../../internal/runlog/run.ts';
import type { Shown } from './run-show.ts';

export interface RunHere {
  argv: readonly string[];
  /** Default: the directory the verb was called in. */
  cwd?: string;
  timeoutMs?: number | undefined;
  caller: RunAsk['caller'];
  shown: Shown;
  gate?: RunAsk['gate'];
  sign?: RunAsk['sign'];
}

/** Runs and records. Throws `RunLogError` when that cannot be recorded. */
export async function runHere(asked: RunHere): Promise<Ran> {
  const cwd = asked.cwd ?? process.cwd();
  const place = runPlace(cwd);
  const scene = place.found ? openScene(place.found) : undefined;
  const ran = await runLogged({
    argv: asked.argv,
    cwd,
    env: process.env,
    place,
    timeoutMs: asked.timeoutMs,
    digest: () => scene?.standing(),
    environment: environmentOf(place.found?.top ?? cwd),
    caller: asked.caller,
    ...(asked.gate ? { gate: asked.gate } : {}),
    ...(asked.sign ? { sign: asked.sign } : {}),
    onOutput: asked.shown.onOutput,
    onProblem: asked.shown.onProblem,
  });
  sweepLogs(place);
  return ran;
}
