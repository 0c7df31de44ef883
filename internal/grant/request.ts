/** A request as it is recorded: what the agent needs and why, the exact object, and what the guard refuses it with. */
import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Action } from '../action/action.ts';
import type { Decision } from '../decision/record.ts';
import { redact, redactArgv } from '../decision/redact.ts';
import type { Prepared, RequestRecord } from './records.ts';
import { digestOfBytes, fileDigest } from './store.ts';

/** Files of a call that are digested: the first 16. */
const MAX_FILES = 16;
/** Characters of an object that are kept for the owner to read. */
const MAX_TEXT = 20_000;

/** The object of a call: its text without secrets, and digests over what it really is. `words`: its words, to find files among them. */
export function preparedCall(action: Action, words: readonly string[], decision: Decision): Prepared {
  const exact = action.surface === 'shell' ? (action.input.command ?? '') : JSON.stringify({ tool: action.tool, input: action.raw });
  return {
    kind: action.surface === 'shell' ? 'command' : 'call',
    text: cut(redact(exact)),
    ...(action.surface === 'shell' ? { argv: redactArgv(words) } : { tool: action.tool }),
    digest: digestOfBytes(exact),
    cwd: action.cwd,
    files: filesAmong(words, action.cwd),
    targets: targetsOf(decision),
  };
}

/** A diff or an artifact in a file: its bytes are the object. undefined: it cannot be read. */
export function preparedFile(path: string, cwd: string): Prepared | undefined {
  const full = isAbsolute(path) ? path : resolve(cwd, path);
  const digest = fileDigest(full);
  if (digest === undefined) return undefined;
  const bytes = readFileSync(full);
  const text = bytes.includes(0) ? `${bytes.length} bytes of ${path}` : bytes.toString('utf8');
  return { kind: 'diff', text: cut(redact(text)), digest, cwd, files: [{ path: full, digest }], targets: [full] };
}

function filesAmong(words: readonly string[], cwd: string): Prepared['files'] {
  return words
    .slice(1)
    .flatMap((word) => {
      const path = resolve(cwd, word);
      const digest = word === '' || word.startsWith('-') ? undefined : fileDigest(path);
      return digest === undefined ? [] : [{ path, digest }];
    })
    .slice(0, MAX_FILES);
}

/** The places its effects name, as the trace of the decision has them. */
function targetsOf(decision: Decision): readonly string[] {
  const found = new Set<string>();
  for (const effect of decision.effects) {
    for (const value of Object.values(effect)) for (const each of Array.isArray(value) ? value : [value]) add(each);
  }
  for (const finding of decision.findings) found.add(finding.boundary);
  return [...found].slice(0, 30);
  function add(value: unknown): void {
    const { path, prefix, raw } = (value ?? {}) as Record<string, unknown>;
    if (typeof raw !== 'string') return;
    if (typeof path === 'string') found.add(path);
    else if (typeof prefix === 'string' && prefix !== '') found.add(`${prefix} …`);
  }
}

/** What could not be taken back, in a sentence. */
export function recoveryOf(decision: Decision): string {
  const stake = decision.atStake ?? [];
  if (stake.length > 0) {
    const checkpoint = decision.remedies.some((remedy) => remedy.kind === 'run' && / checkpoint /.test(remedy.run));
    return `${list(stake)} would exist nowhere else afterwards${checkpoint ? '; a checkpoint can hold it' : ' and no checkpoint can hold all of it'}.`;
  }
  switch (decision.category) {
    case 'external-effect':
    case 'approval-required':
      return 'It acts outside this workspace: nothing here can take it back.';
    case 'sensitive-data':
      return 'What is read or sent cannot be made unread; a credential would have to be changed.';
    case 'budget-exhausted':
      return 'It costs more of the budget; what is spent stays spent.';
    case 'outside-workspace':
      return 'It changes what lies outside the workspace, where no checkpoint reaches.';
    default:
      return decision.verdict === 'deny' ? 'No way to undo it is known here.' : 'The guard does not refuse it.';
  }
}

const list = (items: readonly string[]): string =>
  items.length > 5 ? `${items.slice(0, 5).join(', ')} and ${items.length - 5} more` : items.join(', ');
const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** Every refusal of a decision, each boundary once. */
export function refusalsOf(decision: Decision): RequestRecord['refusals'] {
  const seen = new Map<string, RequestRecord['refusals'][number]>();
  for (const { rule, verdict, boundary, says } of decision.findings)
    if (verdict === 'deny' && !seen.has(boundary)) seen.set(boundary, { rule, boundary, says });
  return [...seen.values()];
}
