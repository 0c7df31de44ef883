import { it } from 'vitest';
import { decide } from './support/judge.ts';
import { sandbox } from './support/sandbox.ts';
import fs from 'node:fs';
it('dump', async () => {
  const { given, runs } = JSON.parse(fs.readFileSync('/tmp/wg/git/dump.json', 'utf8'));
  const box = sandbox(given);
  for (const run of runs) {
    const d = await decide({ run }, box);
    console.log(`$ ${run}\n  => ${d.verdict} [${d.rule ?? ''}]\n` + d.findings.map((f) => `   ${f.rule} ${f.verdict}: ${f.says}`).join('\n') + '\n' + d.remedies.map((r) => '   > ' + JSON.stringify(r)).join('\n') + (process.env.FX ? '\n' + JSON.stringify(d.effects) : ''));
  }
});
