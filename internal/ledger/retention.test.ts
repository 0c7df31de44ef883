import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { appendRecord, ledgerFile } from './append.ts';
import { sessionsLeft } from './read.ts';
import { sweepSessions } from './retention.ts';
import { openSession } from './session.ts';

const DAY = 24 * 3600 * 1000;
const NOW = Date.parse('2026-11-30T09:00:00Z');
const root = mkdtempSync(join(tmpdir(), 'waygate-retention-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made = 0;

/** A state folder with sessions of these ages in days. */
function state(ages: readonly number[]): NodeJS.ProcessEnv {
  const env = { XDG_STATE_HOME: join(root, String(++made)) };
  ages.forEach((days, index) => {
    appendRecord(`s${index}`, { t: 'event', at: '', event: 'prompt' }, env);
    const at = new Date(NOW - days * DAY);
    utimesSync(ledgerFile(`s${index}`, env), at, at);
  });
  return env;
}

describe('old sessions', () => {
  it('are taken out after 30 days', () => {
    const env = state([0, 29, 31, 400]);
    expect([...sweepSessions(NOW, env)].sort()).toEqual(['s2', 's3']);
    expect(sessionsLeft(env).map((each) => each.name)).toEqual(['s0', 's1']);
  });

  it('and when there are too many, the oldest first', () => {
    const env = state([0, 1, 2, 3]);
    expect([...sweepSessions(NOW, env, 2)].sort()).toEqual(['s2', 's3']);
  });

  it('it is looked once a day', () => {
    const env = state([40]);
    expect(sweepSessions(NOW, env)).toHaveLength(1);
    appendRecord('s9', { t: 'event', at: '', event: 'prompt' }, env);
    utimesSync(ledgerFile('s9', env), new Date(NOW - 40 * DAY), new Date(NOW - 40 * DAY));
    expect(sweepSessions(NOW + DAY / 2, env)).toEqual([]);
    expect(sweepSessions(NOW + DAY + 1, env)).toEqual(['s9']);
  });

  it('nothing is broken where there is nothing', () => {
    const env = { XDG_STATE_HOME: join(root, 'none') };
    expect(sweepSessions(NOW, env)).toEqual([]);
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(sweepSessions(NOW, { XDG_STATE_HOME: file })).toEqual([]);
  });
});

describe('a session', () => {
  it('is empty without an id, and never mixes with another one', () => {
    const env = { XDG_STATE_HOME: join(root, 'unknown') };
    const session = openSession('unknown', env);
    session.append({ t: 'event', at: '', event: 'prompt' });
    expect(openSession('unknown', env).view().prompts).toBe(0);
  });

  it('sees its own records and those of others, once each', () => {
    const env = { XDG_STATE_HOME: join(root, 'own') };
    const mine = openSession('s', env);
    mine.append({ t: 'event', at: '', event: 'prompt' });
    openSession('s', env).append({ t: 'event', at: '', event: 'prompt' });
    expect(mine.view().prompts).toBe(2);
    mine.append({ t: 'event', at: '', event: 'prompt' });
    expect(mine.view().prompts).toBe(3);
    expect(openSession('s', env).view().prompts).toBe(3);
  });

  it('starts a line of its own behind a torn one', () => {
    const env = { XDG_STATE_HOME: join(root, 'torn') };
    openSession('s', env).append({ t: 'event', at: '', event: 'prompt' });
    appendFileSync(ledgerFile('s', env), '{"t":"event","at":"","ev');
    openSession('s', env).append({ t: 'event', at: '', event: 'stop' });
    expect(readFileSync(ledgerFile('s', env), 'utf8').split('\n').slice(1)).toEqual([
      '{"t":"event","at":"","ev',
      '{"t":"event","at":"","event":"stop"}',
      '',
    ]);
  });

  it('says when it begins, and writes a checkpoint now and then', () => {
    const env = { XDG_STATE_HOME: join(root, 'begins') };
    let first = 0;
    for (let i = 0; i < 40; i++) {
      const session = openSession('s', env, () => {
        first += 1;
      });
      session.view();
      session.append({ t: 'event', at: '', event: 'prompt' });
    }
    expect(first).toBe(1);
    expect(existsSync(join(env.XDG_STATE_HOME, 'waygate', 'sessions', 's', 'view.json'))).toBe(true);
    expect(openSession('s', env).view().prompts).toBe(40);
  });
});
