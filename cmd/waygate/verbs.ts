/** The verbs, in the order of the overview. */
import type { Verb } from './verb.ts';

export const VERBS: readonly Verb[] = [
  {
    name: 'explain',
    summary: 'show how a command is read, what it would do, what is at stake and what the agent would be told',
    load: () => import('./explain.ts'),
  },
  { name: 'judge', summary: 'judge hook events from stdin, one decision record a line; changes nothing', load: () => import('./judge.ts') },
  { name: 'init', summary: 'wire a host, after showing what changes', load: () => import('./init.ts') },
  { name: 'doctor', summary: 'check that the wiring really denies', load: () => import('./doctor.ts') },
  { name: 'uninstall', summary: 'take the wiring out again', load: () => import('./uninstall.ts') },
];
