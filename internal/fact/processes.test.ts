import { describe, expect, it } from 'vitest';
import type { Effect } from '../effect/effect.ts';
import { type Process, sweepOf } from './processes.ts';

const process = (pid: number, parent: number, line: string, more: Partial<Process> = {}): Process => ({
  pid,
  parent,
  user: 1000,
  terminal: false,
  name: line.split(' ')[0]!.split('/').at(-1)!,
  line,
  head: line.split(' ').slice(0, 2).join(' '),
  cwd: '/home/dev',
  ...more,
});

/** The guard is 50: terminal 10 > agent 20 > shell 40 > guard 50. The agent also started a dev server, 60. */
const ALL = [
  process(1, 0, '/sbin/init', { user: 0, cwd: '/' }),
  process(10, 1, 'bash', { terminal: true }),
  process(20, 10, 'node /usr/bin/agent --prompt pkill-next-dev', { terminal: true, cwd: '/code/repo' }),
  process(40, 20, 'sh -c waygate hook'),
  process(50, 40, 'node waygate hook'),
  process(60, 20, 'node dist/main.js', { cwd: '/code/repo' }),
  process(70, 1, 'node server.js', { cwd: '/code/repo' }),
  process(80, 10, 'vim notes.txt', { terminal: true }),
  process(90, 1, 'java -jar tool.jar', { user: 0, cwd: undefined }),
];

const kill = (by: 'name' | 'pattern' | 'user', what: string, wholeLine = false) =>
  ({ kind: 'process.kill', by, what: [what], root: false, ...(wholeLine ? { wholeLine } : {}) }) as unknown as Extract<
    Effect,
    { kind: 'process.kill' }
  >;
const sweep = (effect: ReturnType<typeof kill>) => sweepOf(effect, ALL, 50, '/code/repo', 1000);

describe('sweepOf', () => {
  it('sees the agent itself among what a shared name hits', () => {
    expect(sweep(kill('pattern', 'node', true))).toEqual({ session: ['node'], others: [], own: 2 });
    expect(sweep(kill('name', 'node.exe'))).toMatchObject({ session: ['node'] });
  });
  it('counts what the agent started, and what runs in the workspace without a terminal, as its own', () => {
    expect(sweep(kill('pattern', 'dist/main', true))).toEqual({ session: [], others: [], own: 1 });
    expect(sweep(kill('pattern', 'server.js', true))).toEqual({ session: [], others: [], own: 1 });
  });
  it('names what belongs to somebody else', () => {
    expect(sweep(kill('name', 'vim'))).toEqual({ session: [], others: ['vim'], own: 0 });
  });
  it('does not take what an ancestor was told for what it is', () => {
    expect(sweep(kill('pattern', 'pkill-next-dev', true))).toEqual({ session: [], others: [], own: 0 });
  });
  it('leaves out what the user may not end', () => {
    expect(sweep(kill('name', 'java'))).toEqual({ session: [], others: [], own: 0 });
  });
  it('survives a pattern that is no regular expression', () => {
    expect(sweep(kill('pattern', 'vim(', true))).toEqual({ session: [], others: [], own: 0 });
  });
});
