import { defineRule, type EffectOf, type Finding, names, ordinal, quoteLine } from '../../internal/rule/rule.ts';

/** One look too many in a row. */
function polled(look: EffectOf<'line.look'>, times: number, show: (path: string) => string): Finding {
  const shown = look.at === 'file' ? show(look.what) : look.what.slice(0, 120);
  const what = look.at === 'task' ? `the background task ${names([shown])}` : names([shown]);
  const waits: Finding['remedies'][number] = {
    kind: 'wait',
    because: 'go on with other work or end the turn: work in the background announces its end by itself, and one look is enough then',
  };
  const run = look.at === 'file' ? quoteLine(['timeout', '100', 'tail', '-n', '5', '-f', look.what]) : look.wait;
  return {
    level: 'advise',
    says: `This is the ${ordinal(times)} look in a row at ${what}, with nothing else done in between.`,
    person: `The agent looks at ${what} again and again instead of waiting.`,
    remedies: run === undefined ? [waits] : [{ kind: 'run', run, because: 'one call that waits and shows what comes' }, waits],
    boundary: `line poll ${look.at} ${look.what}`,
  };
}

export default defineRule({
  name: 'busy-wait',
  group: 'run',
  level: 'deny',
  summary: 'Wait with a bound, or let the thing waited for announce itself.',
  why: `
    A loop that only sleeps and asks again has no end of its own when the awaited thing never comes, and a long
    sleep spends the turn on nothing. Work started in the background tells its end by itself. Looking at its output again and again
    is the same wait, paid for with a call each time.
  `,
  evidence:
    '34 sleeps and one waiting loop among 6,086 recorded calls; most sleeps are under 60 seconds and stay silent. Single blind waits of 300 and 7,200 seconds are on public record, and output files of background tasks that were read again and again. Reopen with measured wait times per session.',
  on: ['line.shape', 'line.look'],
  needs: ['looked', 'show'],
  category: 'hidden-result',
  persistence: 'narrower-scope',
  quiet: [
    'loops with a count or under `timeout`',
    'sleeps below `seconds`',
    'loops that do work of their own',
    'loops about processes, which process-poll judges',
    'looks at a file that has not changed, and at one the agent changed itself',
    'looks with any other work of the agent, or a prompt of the person, in between',
  ],
  options: {
    seconds: { what: 'sleeps of this length and longer are spoken about', default: 120, loosens: 'up' },
    looks: { what: 'looks in a row at the same thing from which on they are spoken about', default: 5, loosens: 'up' },
  },

  judge(effect, { facts, options }) {
    if (effect.kind === 'line.look') {
      const times = facts.looked(effect);
      return times < Number(options['looks'] ?? 5) ? undefined : polled(effect, times, facts.show);
    }
    const { shape } = effect;
    if (shape.shape === 'wait-loop' && shape.until !== 'process') {
      const bounded = `timeout 300 bash -c '${shape.source.replaceAll("'", "'\\''")}'`;
      return {
        // Other words of the line may set what the loop needs: bounding it is then more than wrapping it.
        ...(shape.alone ? {} : { level: 'advise' as const }),
        says: 'This loop only sleeps and asks again, and ends only when the awaited thing comes.',
        person: 'The command would have waited in a loop without a bound.',
        remedies: [{ kind: 'run', run: bounded, because: 'the same wait, at most five minutes' }],
        boundary: 'line wait-loop',
      };
    }
    if (shape.shape !== 'long-sleep' || shape.seconds < Number(options['seconds'] ?? 120)) return undefined;
    return {
      level: 'advise',
      says: `\`${shape.source}\` waits ${shape.seconds} seconds for nothing in particular.`,
      person: `The agent is about to sleep ${shape.seconds} seconds.`,
      remedies: [
        { kind: 'wait', because: 'start the work in the background: its end is announced; `wait $PID` waits exactly as long as needed' },
      ],
      boundary: 'line long-sleep',
    };
  },

  examples: {
    catches: [
      { run: 'until [ -f a.done ] && [ -f b.done ]; do sleep 15; done' },
      { run: 'while ! curl -sf http://localhost:3000/health; do sleep 1; done' },
      { run: 'docker compose up -d db; until pg_isready -q; do sleep 1; done; npm test', gets: 'advise', why: 'the loop is a part of it' },
      { run: 'sleep 7200', gets: 'advise' },
      { run: 'sleep 300; cat build.status', gets: 'advise' },
      { tool: 'PowerShell', input: { command: 'Start-Sleep -Seconds 600; Get-Content out.log' }, gets: 'advise' },
    ],
    allows: [
      { run: 'sleep 2 && curl -s http://localhost:3000/health' },
      { run: "timeout 60 bash -c 'until [ -f a.done ]; do sleep 1; done'" },
      { run: 'for i in 1 2 3; do curl -sf http://localhost:3000 && break; sleep 1; done', why: 'bounded' },
      { run: 'i=0; while [ $i -lt 30 ]; do sleep 1; i=$((i+1)); done', why: 'bounded' },
      { run: 'while read -r name; do echo "$name"; sleep 1; done < README.md', why: 'work of its own' },
    ],
  },

  wrappings: {
    'bash-c': 'only the line as the agent wrote it is judged for its shape',
    background: 'a loop in the background holds no turn',
    xargs: 'not a command that xargs can run',
    substitution: 'judged as part of what uses its output',
    time: 'the keyword does not change the loop',
    env: 'a loop takes no prefix',
    loop: 'a loop around a loop',
    quoting: 'keywords cannot be quoted',
    subshell: 'the shape is found in the subshell as well',
  },
});
