import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const BUNDLE = resolve(import.meta.dirname, '../../dist/waygate.cjs');

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'waygate-verbs-')));
  mkdirSync(join(base, 'repo/.git'), { recursive: true });
  mkdirSync(join(base, 'home'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const put = (text: string) => writeFileSync(join(base, 'repo/waygate.yaml'), text);

/** A session of its own, so without a terminal; the types do not know that spawnSync takes it. */
const DETACHED = { detached: true } as object;

/** Without a controlling terminal, as an agent's shell runs it. */
function waygate(args: readonly string[], env: Record<string, string> = {}): { code: number | null; out: string; err: string } {
  const done = spawnSync(process.execPath, [BUNDLE, ...args], {
    cwd: join(base, 'repo'),
    encoding: 'utf8',
    ...DETACHED,
    env: { PATH: process.env['PATH'], HOME: join(base, 'home'), NO_COLOR: '1', ...env },
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

describe('waygate test', () => {
  it('is fine without a file, and with a right one', () => {
    expect(waygate(['test'])).toMatchObject({ code: 0, out: expect.stringContaining('no policy file') });
    put('version: 1\nprotected: { branches: [develop] }\n');
    expect(waygate(['test'])).toMatchObject({ code: 0, out: expect.stringContaining('1 policy file checked') });
  });

  it('names each mistake with its place, the nearest name and what stays', () => {
    put('version: 1\nrules:\n  file-delet: { verdict: advise }\n  discard-changes: denny\n');
    const { code, out } = waygate(['test']);
    expect(code).toBe(1);
    expect(out).toContain(
      'waygate.yaml:3:3  unknown rule "file-delet"\n    3 |   file-delet: { verdict: advise }\n    did you mean "file-delete"?\n    The rule file-delete stays at deny.',
    );
    expect(out).toContain('waygate.yaml:4:20  unknown verdict "denny"');
    const json = JSON.parse(waygate(['test', '--json']).out);
    expect(json).toMatchObject({ schema: 1, errors: [{ line: 3 }, { line: 4 }] });
  });

  it('runs the examples of own rules, and finds a remedy that is denied', () => {
    put(`custom:
  - rule: no-deploy
    verdict: deny
    on: { run: "make deploy *" }
    says: Deploys go through the release job.
    remedy: { run: "git push --force origin main" }
    examples: { catches: ["make deploy prod", "make build"], allows: ["make deploy-docs"] }
`);
    const { code, out } = waygate(['test']);
    expect(code).toBe(1);
    expect(out).toContain('custom rule "no-deploy": the example "make build" is not caught');
    expect(out).toContain('its remedy "git push --force origin main" is itself denied');
    expect(out).not.toContain('make deploy-docs');
  });

  it('tells what waits for trust; that is no error', () => {
    put('rules:\n  file-delete: off\nregenerable: ["out/**"]\n');
    const { code, out } = waygate(['test']);
    expect(code).toBe(0);
    expect(out).toContain('file-delete: lowered in waygate.yaml:2, not yet trusted');
    expect(out).toContain('regenerable: set in waygate.yaml:3, not yet trusted');
  });
});

describe('waygate trust', () => {
  it('asks nobody without a terminal, and writes that down', () => {
    put('rules: { file-delete: off }');
    expect(waygate(['trust'])).toMatchObject({ code: 1, err: expect.stringMatching(/no terminal|an agent runs this/) });
    const state = join(base, 'home/.local/state/waygate');
    expect(existsSync(join(state, 'trust.json'))).toBe(false);
    expect(JSON.parse(readFileSync(join(state, 'audit.jsonl'), 'utf8'))).toMatchObject({ verb: 'trust', answer: 'refused' });
  });

  it('asks nobody below an agent', () => {
    put('rules: { file-delete: off }');
    expect(waygate(['trust'], { CLAUDECODE: '1' })).toMatchObject({ code: 1, err: expect.stringContaining('CLAUDECODE is set') });
  });

  it('lists, and has nothing to do without a loosening', () => {
    expect(waygate(['trust'])).toMatchObject({ code: 0, out: expect.stringContaining('nothing waits') });
    put('preset: safety');
    expect(waygate(['trust', '--list']).out).toContain('waygate.yaml:1  preset  strict -> safety');
    expect(JSON.parse(waygate(['trust', '--list', '--json']).out)).toMatchObject({ schema: 1, trusted: [], waiting: [{ key: 'preset' }] });
    expect(waygate(['trust', '--revoke', 'preset'])).toMatchObject({ code: 1, err: expect.stringContaining('is not trusted here') });
    expect(waygate(['trust', '--list', '--revoke'])).toMatchObject({ code: 2 });
  });
});

describe('waygate describe', () => {
  it('rules as JSON, with who set what', () => {
    put('rules:\n  file-delete: { verdict: deny, reason: because }\n');
    const { rules, schema } = JSON.parse(waygate(['describe', 'rules', '--json']).out);
    expect(schema).toBe(1);
    const row = rules.find((each: { name: string }) => each.name === 'file-delete');
    expect(row).toMatchObject({
      group: 'work',
      default: 'deny',
      inForce: 'deny',
      setBy: 'waygate.yaml:2',
      allowed: ['deny', 'advise', 'off'],
      whyNotice: null,
    });
    expect(row.summary).toBeTruthy();
  });

  it('one rule as its page, by name and by alias', () => {
    const { out, code } = waygate(['describe', 'rules', 'owner-verb']);
    expect(code).toBe(0);
    for (const part of [
      '# owner-verb',
      '## Caught',
      '## What the agent reads',
      '[owner-verb] Nothing ran.',
      '## Here',
      'deny, set by default.',
    ])
      expect(out).toContain(part);
    expect(waygate(['describe', 'rules', 'credential-verb']).out).toContain('# owner-verb');
  });

  it.each([
    [['describe', 'rules', 'owner-verbs'], 'did you mean owner-verb?'],
    [['describe', 'ruls'], 'did you mean rules?'],
    [['describe', 'file'], 'needs a path'],
  ])('%j is a usage error', (args, message) => {
    expect(waygate(args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  it.each([
    ['tools', 'Bash'],
    ['hosts', 'claude-code'],
    ['limits', 'payload'],
  ])('%s', (topic, word) => {
    expect(waygate(['describe', topic]).out).toContain(word);
    expect(JSON.parse(waygate(['describe', topic, '--json']).out).schema).toBe(1);
  });

  it('a file', () => {
    put('version: 1');
    expect(JSON.parse(waygate(['describe', 'file', 'waygate.yaml', '--json']).out)).toMatchObject({ kind: 'file', wiring: 'policy' });
  });
});

describe('waygate docs', () => {
  it('writes pages, finds drift and stale pages, and says how to repair', () => {
    expect(waygate(['docs', '--out', 'ref'])).toMatchObject({ code: 0 });
    expect(waygate(['docs', '--out', 'ref', '--check'])).toMatchObject({ code: 0, err: '' });
    const page = join(base, 'repo/ref/owner-verb.md');
    writeFileSync(page, readFileSync(page, 'utf8').replace('Caught', 'Cought'));
    writeFileSync(join(base, 'repo/ref/gone.md'), '<!-- Generated from rules/x.ts. -->');
    writeFileSync(join(base, 'repo/ref/notes.md'), 'mine');
    const checked = waygate(['docs', '--out', 'ref', '--check']);
    expect(checked).toMatchObject({ code: 1, err: expect.stringContaining('gone.md, owner-verb.md\nRepair it with: npm run generate') });
    waygate(['docs', '--out', 'ref']);
    expect(existsSync(join(base, 'repo/ref/gone.md'))).toBe(false);
    expect(existsSync(join(base, 'repo/ref/notes.md'))).toBe(true);
    expect(readFileSync(page, 'utf8')).toContain('## Caught');
  });
});

describe('waygate schema', () => {
  it('is JSON with every rule by name', () => {
    const schema = JSON.parse(waygate(['schema']).out);
    expect(schema.properties.rules.properties['file-delete'].anyOf[0].enum).toEqual(['deny', 'advise', 'off']);
    expect(schema.properties.rules.properties['owner-verb']).toBeUndefined();
  });
});
