/** The corpora: rows, and judging them without files or git. */
import fs from 'node:fs';
import path from 'node:path';
import { sources } from '../../cmd/waygate/compose.ts';
import type { Decision } from '../../internal/decision/record.ts';
import { hostNamed } from '../../internal/host/hosts.ts';
import { answer } from '../../internal/judge/answer.ts';

export interface Row {
  command: string;
  expected: 'allow' | 'deny';
  source: string;
  tool?: string;
}

export const CORPORA = [
  'consensus',
  'nah',
  'dcg',
  'dcg-packs',
  'cc-safety-net',
  'agent-command-guard',
  'rampart',
  'dippy',
  'codex',
  'issues-regressions',
] as const;

export const rowsOf = (corpus: string): readonly Row[] =>
  fs
    .readFileSync(path.join(import.meta.dirname, '../corpora', `${corpus}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);

const fieldsOf = (text: string): Record<string, string> =>
  text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : { path: text };
const pathIn = (text: string): string => (fieldsOf(text)['path'] ?? '').replace(/^~/, '/home/dev');

const TOOLS: Readonly<Record<string, (text: string) => { tool_name: string; tool_input: Record<string, unknown> }>> = {
  read: (text) => ({ tool_name: 'Read', tool_input: { file_path: pathIn(text) } }),
  write: (text) => ({ tool_name: 'Write', tool_input: { file_path: pathIn(text), content: fieldsOf(text)['content'] ?? 'x\n' } }),
  edit: (text) => ({ tool_name: 'Edit', tool_input: { file_path: pathIn(text), old_string: 'a', new_string: 'b' } }),
};

/** Judges a row: deny rows with everything at stake, allow rows with nothing at stake and the safety preset. */
export async function judgeRow(row: Row, as: 'allow' | 'deny' = row.expected): Promise<Decision> {
  const call = row.tool && TOOLS[row.tool] ? TOOLS[row.tool]!(row.command) : { tool_name: 'Bash', tool_input: { command: row.command } };
  const payload = { session_id: 'corpus', cwd: '/home/dev/project', hook_event_name: 'PreToolUse', tool_use_id: 'toolu_corpus', ...call };
  const parsed = hostNamed('claude-code')!.parse(payload, { cwd: '/home/dev/project', env: () => undefined });
  if (parsed.kind !== 'action') throw new Error(JSON.stringify(parsed));
  const from = sources(as === 'deny' ? { assume: 'worst' } : { assume: 'clean', preset: 'safety' });
  return answer(parsed.action, from);
}
