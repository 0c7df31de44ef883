import { it } from 'vitest';
import { readFileSync, writeFileSync } from 'node:fs';
import { sources } from '/work/main/cmd/waygate/compose.ts';
import { hostNamed } from '/work/main/internal/host/hosts.ts';
import { answer } from '/work/main/internal/judge/answer.ts';
it('x', async () => {
  process.env['HOME'] = '/home/dev';
  const out:string[]=[]; let n=0, deny=0;
  const mine=/^(process-sweep|privilege-change|persistence|system-state|resource-exhaustion|remote-execution|decoded-execution|unknown-package|package-publish|secret-send)$/;
  for (const mode of [{assume:'clean'},{assume:'worst'}] as const)
  for (const l of readFileSync('/work/shared/real/calls.jsonl','utf8').split('\n').filter(Boolean)) {
    const r=JSON.parse(l); const input=r.input; n++;
    const payload={session_id:'c',cwd:r.cwd||'/home/dev/project',hook_event_name:'PreToolUse',tool_use_id:'t',tool_name:r.tool,tool_input:input};
    const parsed = hostNamed('claude-code')!.parse(payload as any, { cwd: '/home/dev/project', env: () => undefined }) as any;
    if (parsed.kind!=='action') continue;
    const d = await answer(parsed.action, sources(mode as any)) as any;
    const fs=d.findings.filter((f:any)=>mine.test(f.rule));
    if (fs.length) out.push(`${mode.assume}\t${fs.map((f:any)=>f.rule+':'+f.verdict).join(',')}\t${JSON.stringify(input.command??input).slice(0,260)}`);
  }
  writeFileSync('/tmp/wg/sys/real.txt', out.join('\n'));
}, 600000);
