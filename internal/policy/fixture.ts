/** For the tests of this folder: a small table of rules, and a workspace with a home of its own in a temporary folder. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Action } from '../action/action.ts';
import type { AnyRule, Level } from '../rule/rule.ts';
import type { Places } from './places.ts';

/** A rule that never speaks. */
export const quietRule = (name: string, level: Level, group: AnyRule['group'], more: Partial<AnyRule> = {}): AnyRule => ({
  name,
  group,
  level,
  summary: `Say what ${name} guards.`,
  why: 'A reason.',
  evidence: 'None, this is a test.',
  on: 'file.delete',
  needs: [],
  category: 'work-loss',
  persistence: 'state-change',
  examples: { catches: [{ run: 'rm a' }, { run: 'rm b' }], allows: [{ run: 'ls' }, { run: 'pwd' }] },
  judge: () => undefined,
  ...(level === 'notice' ? { whyNotice: 'it cannot tell a mistake from a wish.' } : {}),
  ...more,
});

/** A deny of each kind of group, a notice, a fixed rule and one with options. */
export const RULES: readonly AnyRule[] = [
  quietRule('file-delete', 'deny', 'work'),
  quietRule('sed-in-place', 'deny', 'write', { aliases: ['sed-i'] }),
  quietRule('busy-wait', 'advise', 'run'),
  quietRule('test-skip', 'notice', 'write'),
  quietRule('owner-verb', 'deny', 'guard', { fixed: true }),
  quietRule('read-navigation', 'deny', 'read', {
    options: {
      lines: { what: 'Lines a read may have.', default: 300, loosens: 'up' },
      strict: { what: 'Also judge short files.', default: true, loosens: 'down' },
      marker: { what: 'A word.', default: 'TODO', loosens: 'change' },
    },
  }),
];

export interface Ground {
  root: string;
  places: Places;
  /** Writes a file of the workspace, the home (`~/…`) or at an absolute path. */
  put(path: string, text: string): string;
  action(more?: Partial<Action>): Action;
  remove(): void;
}

/** A workspace that git would call a repository, and places of its own. */
export function ground(): Ground {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'waygate-policy-')));
  const root = join(base, 'repo');
  const home = join(base, 'home');
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(home);
  const places: Places = {
    state: join(home, '.local/state/waygate'),
    user: join(home, '.config/waygate/waygate.yaml'),
    organization: join(base, 'etc/waygate/waygate.yaml'),
    home,
  };
  const place = (path: string) => (path.startsWith('/') ? path : path.startsWith('~/') ? join(home, path.slice(2)) : join(root, path));
  return {
    root,
    places,
    put: (path, text) => {
      const full = place(path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
      return full;
    },
    action: (more = {}) => ({
      host: 'claude-code',
      moment: 'before',
      event: 'PreToolUse',
      surface: 'shell',
      tool: 'Bash',
      input: { command: 'ls', dialect: 'posix' },
      raw: { command: 'ls' },
      cwd: root,
      workspace: root,
      caller: { session: 's1' },
      ...more,
    }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
