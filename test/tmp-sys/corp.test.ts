import { it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { CORPORA, judgeRow, rowsOf } from '/work/main/test/support/rows.ts';
it('x', async () => {
  process.env['HOME'] = '/home/dev';
  const out:string[]=[]; const c:Record<string,[number,number]>={};
  for (const corpus of CORPORA) for (const row of rowsOf(corpus)) {
    const d = await judgeRow(row) as any; const k=corpus+' '+row.expected; c[k]??=[0,0]; c[k][0]++;
    if ((row.expected === 'deny') !== (d.verdict === 'deny')) { c[k][1]++; out.push(`${k}\t${d.verdict} ${(d.findings??[]).map((f:any)=>f.rule+':'+f.verdict).join(',')}\t${row.command.replace(/\n/g,'\\n')}`); }
  }
  writeFileSync('/tmp/wg/sys/corp.txt', JSON.stringify(c)+'\n'+out.join('\n'));
}, 300000);
