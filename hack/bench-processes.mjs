// Processes of the bench, run in turn by bench-run.mjs.
import { spawnSync } from 'node:child_process';
import { dirname, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bunProgram } from './build.mjs';

const hack = dirname(fileURLToPath(import.meta.url));

/** Where processes start: bun looks through each folder above, and a crowded one would be measured instead. */
const START = parse(hack).root;

export const quantile = (times, share) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
export const round = (value, digits = 2) => Number(value.toFixed(digits));

/** Of two summaries: by processor time, since the clock counts what other programs take as well. */
export const ratio = (a, b) => round(a.cpu / b.cpu, 3);

const summary = ({ wall, cpu }) => ({
  min: round(quantile(wall, 0)),
  q1: round(quantile(wall, 0.25)),
  median: round(quantile(wall, 0.5)),
  cpu: round(quantile(cpu, 0.25)),
});

/** Runs programs under an environment. `rounds`: how often each is measured; one round more goes before. */
export function processes(rounds, env) {
  const bunRun = (times, programs) => {
    const input = JSON.stringify({ rounds: times, cwd: START, env, programs });
    const ran = spawnSync(bunProgram(), [join(hack, 'bench-run.mjs')], { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    if (ran.status !== 0) throw new Error(ran.stderr || ran.error?.message);
    return JSON.parse(ran.stdout);
  };
  /** Several programs in turn, by name; their summaries by the same names. */
  const interleaved = (programs) => {
    const rows = Object.values(programs).map(({ argv, argvs = [argv], input, remove }) => ({ argvs, input, remove }));
    const samples = bunRun(rounds, rows);
    return Object.fromEntries(Object.keys(programs).map((name, i) => [name, summary(samples[i])]));
  };
  return { bunRun, interleaved };
}
