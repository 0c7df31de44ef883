/** One session's ledger as a hook uses it: the view, read when it is first asked for, and appending. */
import { appendRecord } from './append.ts';
import { type Folded, readView, writeCheckpoint } from './checkpoint.ts';
import { foldAll } from './fold.ts';
import { EMPTY_VIEW, type LedgerRecord, type SessionView } from './records.ts';

export interface Session {
  readonly id: string;
  /** What is known now, with what this process has appended. */
  view(): SessionView;
  /** Appends a record. Returns what went wrong, if anything did. */
  append(record: LedgerRecord): string | undefined;
}

/** No session to remember anything for: what a payload without an id gets. */
const isNone = (id: string): boolean => id === '' || id === 'unknown';

/** Opens a session; nothing is read or written yet. `onFirst`: called when its first record is appended. */
export function openSession(id: string, env: NodeJS.ProcessEnv = process.env, onFirst?: () => void): Session {
  let read: Folded | undefined;
  let view: SessionView | undefined;
  let own: LedgerRecord[] = [];
  return {
    id,
    view() {
      if (isNone(id)) return EMPTY_VIEW;
      // Read after the own records were written, it holds them already.
      if (!view) {
        read = readView(id, env);
        view = read.view;
        own = [];
      }
      if (own.length > 0) {
        view = foldAll(view, own);
        own = [];
      }
      return view;
    },
    append(record) {
      const problem = appendRecord(id || 'unknown', record, env, onFirst);
      own.push(record);
      if (read?.due) {
        writeCheckpoint(id, read, env);
        read.due = false;
      }
      return problem;
    },
  };
}
