#!/usr/bin/env node
// How many calls that agents really made each preset would refuse, by rule.
// node hack/real-calls.mjs CALLS.jsonl [--write] [--show RULE|all] [--preset safety|strict]
// A line: {"tool", "input", "cwd", "session"}. `--write` keeps the figures in docs/reference/real-calls.json, which `waygate init` shows.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, show: { type: 'string' }, preset: { type: 'string' } },
});
const [file] = positionals;
if (!file) {
  console.error('usage: node hack/real-calls.mjs CALLS.jsonl [--write] [--show RULE|all] [--preset safety|strict]');
  process.exit(2);
}
const calls = readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));

/** Refusals and advice of one preset, with nothing at stake. */
function judge(preset) {
  const events = calls.map((call) =>
    JSON.stringify({
      host: 'claude-code',
      event: {
        session_id: call.session ?? 's',
        cwd: call.cwd ?? '/home/dev/project',
        hook_event_name: 'PreToolUse',
        tool_name: call.tool,
        tool_input: call.input,
      },
    }),
  );
  const run = spawnSync(process.execPath, [join(root, 'dist', 'waygate.cjs'), 'judge', '--assume', 'clean', '--preset', preset], {
    input: events.join('\n'),
    maxBuffer: 1024 ** 3,
    encoding: 'utf8',
    env: { ...process.env, HOME: '/home/dev' },
  });
  if (run.status !== 0) throw new Error(run.stderr);
  const decisions = run.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  if (decisions.length !== calls.length) throw new Error(`${calls.length} calls, ${decisions.length} decisions`);
  const byRule = {};
  let denied = 0;
  let advised = 0;
  decisions.forEach((decision, i) => {
    if (decision.verdict === 'deny') denied++;
    if (decision.verdict === 'advise' || decision.verdict === 'notice') advised++;
    if (decision.verdict === 'pass') return;
    byRule[decision.rule] ??= { deny: 0, advise: 0, notice: 0 };
    byRule[decision.rule][decision.verdict]++;
    if (values.show && (values.show === 'all' || values.show === decision.rule) && (!values.preset || values.preset === preset)) {
      console.log(
        `${preset} ${decision.verdict} ${decision.rule}: ${JSON.stringify(calls[i].input).slice(0, 400)}\n    ${decision.says ?? ''}`,
      );
    }
  });
  return { denied, deniedPercent: Math.round((denied / calls.length) * 10_000) / 100, advised, byRule };
}

const figures = { calls: calls.length, presets: { strict: judge('strict'), safety: judge('safety') } };
for (const [preset, each] of Object.entries(figures.presets)) {
  console.log(`${preset}: ${each.denied} of ${figures.calls} calls refused (${each.deniedPercent} %), ${each.advised} advised`);
  for (const [rule, counts] of Object.entries(each.byRule).sort((a, b) => b[1].deny - a[1].deny || b[1].advise - a[1].advise)) {
    console.log(
      `  ${rule.padEnd(26)}${String(counts.deny).padStart(6)} denied${String(counts.advise + counts.notice).padStart(6)} advised   ${((counts.deny / figures.calls) * 1000).toFixed(2)} denied per 1,000`,
    );
  }
}
if (values.write) writeFileSync(join(root, 'docs', 'reference', 'real-calls.json'), `${JSON.stringify(figures, null, 2)}\n`);
