import { it } from 'vitest';
import fs from 'node:fs';
import { sources } from '../cmd/waygate/compose.ts';
import { hostNamed } from '../internal/host/hosts.ts';
import { answer } from '../internal/judge/answer.ts';
it('real', async () => {
  const rows = fs.readFileSync('/work/shared/real/calls.jsonl', 'utf8').trim().split('\n').map((l) => JSON.parse(l)).filter((r) => r.tool === 'Bash' && /\b(git|gh)\b/.test(r.input.command ?? ''));
  let out = `rows ${rows.length}\n`;
  for (const [name, opt] of [['clean-safety', { assume: 'clean', preset: 'safety' }], ['clean-strict', { assume: 'clean' }], ['worst-strict', { assume: 'worst' }]] as any) {
    const per: Record<string, number> = {}; const from = sources(opt);
    for (const r of rows) {
      const parsed: any = hostNamed('claude-code')!.parse({ session_id: 'c', cwd: r.cwd, hook_event_name: 'PreToolUse', tool_use_id: 't', tool_name: 'Bash', tool_input: { command: r.input.command } } as any, { cwd: r.cwd, env: () => undefined });
      const d = await answer(parsed.action, from);
      for (const f of d.findings) { const k = `${f.rule} ${f.verdict}`; per[k] = (per[k] ?? 0) + 1; if (f.verdict !== 'notice' && (name !== 'worst-strict')) out += `${name} ${k} | ${f.says.slice(0,100)} | ${JSON.stringify(r.input.command).slice(0, 260)}\n`; }
    }
    out += `${name} ${JSON.stringify(per)}\n`;
  }
  fs.writeFileSync('/tmp/wg/git/real.out', out);
}, 300000);
