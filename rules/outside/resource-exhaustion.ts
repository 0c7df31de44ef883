import { defineRule } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'resource-exhaustion',
  group: 'outside',
  level: 'deny',
  summary: 'Do not start what only the end of the machine would stop.',
  why: `
    A function that starts itself twice, a loop that starts a job on every turn and a file fed from a source that never
    ends take the machine from everybody on it, the agent included. There is no later call in which it could be undone.
  `,
  evidence:
    'Every guard of the corpora denies the classic fork bomb; nah lists twenty variants, endless loops that start jobs among them. None of about 6,000 real agent calls has any of these shapes. ' +
    'Reopen it for load tests that a workspace declares.',
  on: ['system.exhaustion', 'line.shape'],
  needs: [],
  category: 'outside-workspace',
  persistence: 'narrower-scope',
  quiet: [
    'a source that never ends behind `head -c`, `dd count=` or `timeout`',
    'a loop that waits for its jobs',
    'text that only shows such a line',
  ],

  judge(effect) {
    if (effect.kind === 'line.shape') {
      const { shape } = effect;
      if (shape.shape === 'fork-bomb') {
        return {
          says: `\`${shape.source}\` starts itself again and again until no process can be started any more.`,
          person: "The agent's command would have filled the process table.",
          remedies: [{ kind: 'stop', because: 'write a loop with a fixed number of turns that waits for its jobs' }],
          boundary: `system.exhaustion ${shape.shape}`,
        };
      }
      if (shape.shape === 'spawn-loop') {
        return {
          says: `The loop starts \`${shape.source}\` in the background on every turn and never waits for it.`,
          person: "The agent's command would have filled the process table.",
          remedies: [{ kind: 'stop', because: 'give the loop an end, or `wait` for the jobs inside it' }],
          boundary: `system.exhaustion ${shape.shape}`,
        };
      }
      if (shape.shape === 'spawn-burst') {
        const often = shape.turns === undefined ? 'once for everything in a list of unknown length' : `${shape.turns} times`;
        return {
          says: `The loop starts \`${shape.source}\` ${often}, all at once.`,
          person: 'The agent starts many processes at once.',
          level: 'advise' as const,
          remedies: [{ kind: 'wait', because: 'run a few at a time: `xargs -P 4`, or `wait -n` in the loop once four are running' }],
          boundary: `system.exhaustion ${shape.shape}`,
        };
      }
      return;
    }
    return {
      says: `Nothing stops this: ${effect.how}.`,
      person: `The agent's command would have gone on without end: ${effect.how}.`,
      remedies: [
        { kind: 'run', run: 'df -h .', because: 'shows how much space there is; give the command a size or a time limit' },
        {
          kind: 'ask',
          ask: `May I run \`${effect.source}\`? It goes on until something is full.`,
          because: 'it takes the machine from everybody on it',
        },
      ],
      boundary: `system.exhaustion ${effect.how}`,
    };
  },

  examples: {
    catches: [
      { run: ':(){ :|:& };:' },
      { run: 'bomb(){ bomb|bomb& }; bomb' },
      { run: 'while true; do ./job.sh & done' },
      { run: 'yes > fill.txt' },
      { run: 'dd if=/dev/zero of=fill.bin' },
      { run: 'cat /dev/urandom > noise.bin' },
      { run: 'fallocate -l 900G fill.bin' },
      { run: 'stress --cpu 8' },
      { run: 'for i in $(seq 1 200); do node worker.js & done', gets: 'advise' },
      { run: 'for i in {1..30}; do claude -p "fix issue $i" & done; wait', gets: 'advise', why: 'each of them is an agent' },
      { run: 'for f in $(git ls-files "*.test.ts"); do npx vitest run "$f" & done; wait', gets: 'advise' },
    ],
    allows: [
      { run: 'yes | head -n 3' },
      { run: 'dd if=/dev/zero of=small.bin bs=1M count=10' },
      { run: 'head -c 1M /dev/urandom > seed.bin' },
      { run: 'for i in 1 2 3; do sleep 1 & done; wait' },
      { run: 'for i in {1..20}; do curl -s localhost:3000 & done; wait' },
      { run: 'for f in $(cat list); do node a.js "$f" & [ $(jobs -r | wc -l) -ge 4 ] && wait -n; done; wait' },
      { run: 'while true; do sleep 1 & wait; done' },
      { run: "echo 'while true; do work & done'" },
    ],
  },
});
