/** What `waygate gate record` takes in: checked field by field, so that a wrong one is named with what belongs there. Pure. */

export interface GateImport {
  commit: string;
  status: 'passed' | 'failed';
  by: 'person' | 'ci';
  startedAt?: string;
  endedAt?: string;
  /** Where it can be looked up: the address of a build, a name. */
  source?: string;
}

/** The shape, for a text. */
export const IMPORT_SHAPE =
  '{"commit": "<commit>", "status": "passed" | "failed", "by": "ci" | "person", "command": "<the gate>", "startedAt": "<ISO 8601>", "endedAt": "<ISO 8601>", "source": "<address or name>"}, where commit and status are required';

const FIELDS = ['commit', 'status', 'by', 'command', 'startedAt', 'endedAt', 'source'];
const LONGEST = 500;

/** Reads a text as a result of the gate. `command`: the declared gate; a result of another one is none of it. */
export function checkImport(text: string, command: string): { result: GateImport } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `no JSON (${(error as Error).message}); expected ${IMPORT_SHAPE}` };
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return { problem: `${Array.isArray(value) ? 'a list' : String(value)} is no object; expected ${IMPORT_SHAPE}` };
  const fields = value as Record<string, unknown>;
  const wrong = (field: string, expected: string) => ({
    problem: `${field}: expected ${expected}, found ${JSON.stringify(fields[field])?.slice(0, 80) ?? 'nothing'}`,
  });
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return { problem: `${JSON.stringify(unknown)} is no field of a result; expected ${IMPORT_SHAPE}` };
  const { commit, status, by = 'person', startedAt, endedAt, source } = fields;
  if (typeof commit !== 'string' || !/^[^\s-][^\s]{0,199}$/.test(commit)) return wrong('commit', 'the name of a commit, e.g. "4f1c2d…"');
  if (status !== 'passed' && status !== 'failed') return wrong('status', '"passed" or "failed"');
  if (by !== 'person' && by !== 'ci') return wrong('by', '"ci" or "person"');
  if (fields['command'] !== undefined && fields['command'] !== command)
    return wrong('command', `the declared gate ${JSON.stringify(command)}`);
  for (const field of ['startedAt', 'endedAt']) {
    const at = fields[field];
    if (at !== undefined && (typeof at !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(at) || Number.isNaN(Date.parse(at))))
      return wrong(field, 'a time like "2026-01-31T09:00:00Z"');
  }
  if (source !== undefined && (typeof source !== 'string' || source.length > LONGEST))
    return wrong('source', `a text of at most ${LONGEST} characters`);
  return {
    result: {
      commit,
      status,
      by,
      ...(typeof startedAt === 'string' ? { startedAt } : {}),
      ...(typeof endedAt === 'string' ? { endedAt } : {}),
      ...(typeof source === 'string' ? { source } : {}),
    },
  };
}
