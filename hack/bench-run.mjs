// Run by bench.mjs with bun, which tells the processor time of each process it has run: on a busy machine the time on the clock says
// little. Programs in turn, the first round not counted. On stdin {rounds, cwd, env, programs: [{argvs, input, remove}]}, on stdout the
// samples of each program, in milliseconds. Several argvs are copies of one program, taken in turn.
import { rmSync } from 'node:fs';

const { rounds, cwd, env, programs } = JSON.parse(await Bun.stdin.text());
const samples = programs.map(() => ({ wall: [], cpu: [] }));

for (let round = 0; round <= rounds; round++) {
  // Who runs after whom is drawn anew: a large program leaves the next one a cold cache.
  for (const at of shuffled(programs.keys())) {
    const { wall, cpu } = once(programs[at], round);
    if (round === 0) continue;
    samples[at].wall.push(wall);
    samples[at].cpu.push(cpu);
  }
}
console.log(JSON.stringify(samples));

function once({ argvs, input, remove }, round) {
  if (remove) rmSync(remove, { recursive: true, force: true });
  const cmd = argvs[round % argvs.length];
  const started = Bun.nanoseconds();
  const ran = Bun.spawnSync({ cmd, stdin: Buffer.from(input ?? ''), stdout: 'pipe', stderr: 'pipe', env, cwd });
  const wall = (Bun.nanoseconds() - started) / 1e6;
  if (ran.exitCode !== 0 && ran.exitCode !== 2) throw new Error(`${cmd.join(' ')}: exit code ${ran.exitCode}\n${ran.stderr}`);
  return { wall, cpu: Number(ran.resourceUsage.cpuTime.total) / 1e3 };
}

function shuffled(keys) {
  return [...keys]
    .map((key) => [Math.random(), key])
    .sort(([a], [b]) => a - b)
    .map(([, key]) => key);
}
