/** What is generated is the same on every machine, and the built program makes the same pages. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { driftOf, referencePages, writePages } from '../cmd/waygate/docs.ts';
import { RULES } from '../rules/index.gen.ts';
import TEXTS from '../rules/texts.gen.json' with { type: 'json' };
import { BUNDLE } from '../test/support/sandbox.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const texts = TEXTS as Readonly<Record<string, string>>;

describe('what the agent reads', () => {
  it.each(RULES.map((rule) => rule.name))('%s has a text', (name) => {
    expect(texts[name]).toContain(`[${name}]`);
  });
  it('names no rule that is gone', () => {
    const names = new Set(RULES.map((rule) => rule.name));
    expect(Object.keys(texts).filter((name) => !names.has(name))).toEqual([]);
  });
  it('holds nothing of this machine', () => {
    const machine = [os.tmpdir(), os.homedir(), ROOT, 'waygate-test-'].filter((each) => each.length > 5);
    for (const [name, text] of Object.entries(texts)) for (const each of machine) expect(text, name).not.toContain(each);
  });
});

describe('the pages', () => {
  const temporary = () => fs.mkdtempSync(path.join(os.tmpdir(), 'waygate-pages-'));

  it('are what the built program makes', () => {
    const ran = spawnSync(process.execPath, [BUNDLE, 'docs', '--check'], { cwd: ROOT, encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    expect(ran.status).toBe(0);
  });

  it('a page of a rule that is gone is stale, a page by hand stays', async () => {
    const out = temporary();
    const pages = await referencePages(RULES);
    writePages(out, pages);
    expect(driftOf(out, pages)).toEqual([]);
    fs.copyFileSync(path.join(out, 'file-delete.md'), path.join(out, 'old-rule.md'));
    fs.writeFileSync(path.join(out, 'by-hand.md'), '# Notes\n');
    fs.appendFileSync(path.join(out, 'stash-drop.md'), 'changed\n');
    expect(driftOf(out, pages)).toEqual(['old-rule.md', 'stash-drop.md']);
    writePages(out, pages);
    expect(driftOf(out, pages)).toEqual([]);
    expect(fs.existsSync(path.join(out, 'old-rule.md'))).toBe(false);
    expect(fs.existsSync(path.join(out, 'by-hand.md'))).toBe(true);
    fs.rmSync(out, { recursive: true });
  });

  it('an unknown argument is a usage error', () => {
    const ran = spawnSync(process.execPath, [path.join(ROOT, 'hack', 'generate.mjs'), '--chek'], { encoding: 'utf8' });
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain('--chek');
  });
});
