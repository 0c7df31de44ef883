import { it } from 'vitest';
import fs from 'node:fs';
import { judgeRow } from './support/rows.ts';
it('corp', async () => {
  const dir = '/work/shared/corpora/';
  const read = (f: string) => fs.readFileSync(dir + f, 'utf8').trim().split('\n').map((l) => JSON.parse(l));
  const out = new Set(read('scope.jsonl').map((r: any) => `${r.corpus}|${r.command}|${r.expected}`));
  let n = 0, bad = 0; const filter = new RegExp(process.env.F ?? '\\b(git|gh|glab|hub)\\b|HUSKY|LEFTHOOK');
  for (const f of fs.readdirSync(dir).filter((f) => f.endsWith('.jsonl') && f !== 'scope.jsonl')) {
    const corpus = f.replace('.jsonl', '');
    for (const r of read(f) as any[]) {
      if (r.expected === 'ask' || out.has(`${corpus}|${r.command}|${r.expected}`)) continue;
      if (corpus === 'dcg-packs' && process.env.NOPACKS) continue;
      if (typeof r.command !== 'string' || !filter.test(r.command)) continue;
      n++;
      let d: any; try { d = await judgeRow(r); } catch (e) { console.log('ERR', r.command, String(e)); continue; }
      const ok = r.expected === 'deny' ? d.verdict === 'deny' : d.verdict !== 'deny';
      if (!ok) { bad++; fs.appendFileSync('/tmp/wg/git/corp.out', `${corpus} want ${r.expected} got ${d.verdict} [${d.rule ?? ''}] ${JSON.stringify(r.command).slice(0, 200)} ${r.mode ?? r.pack ?? r.observation_fixture ?? ''}\n`); }
    }
  }
  fs.appendFileSync('/tmp/wg/git/corp.out', `rows ${n} bad ${bad}\n`);
}, 300000);
