/** The shape of the house, read from the syntax trees: one direction, I/O at the edge, small files. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSource, readText } from './support/imports.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Lines of one file. Beyond about 300 a file is to be split (design.md section 4); this is where it must be. */
const MAX_LINES = 560;

const sources = (folder: string): string[] =>
  fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.gen.ts') && !/(?:^|[-/])fixture\.ts$/.test(name),
    )
    .sort();

/** Modules that reach beyond the process. */
const IO = new Set(
  ['fs', 'fs/promises', 'child_process', 'net', 'http', 'https', 'os', 'tty', 'readline', 'worker_threads', 'dns', 'dgram'].flatMap(
    (name) => [name, `node:${name}`],
  ),
);
const doesIo = (name: string) => IO.has(name) || name === 'simple-git';

/** Folders that only compute. The others may read the clock, and `fact`, `ledger`, `checkpoint`, `policy` and `person` do I/O. */
const PURE = ['engine', 'view', 'effect', 'shell', 'rule', 'secret', 'decision', 'action'];
const WITHOUT_IO = [...PURE, 'judge', 'host'];
const within = (folders: readonly string[]) => folders.flatMap((folder) => sources(`internal/${folder}`));

describe('boundaries', () => {
  it.each(sources('rules'))('%s imports only internal/rule', (file) => {
    expect(readSource(file).imports.filter((name) => name !== 'internal/rule/rule.ts')).toEqual([]);
  });

  it.each(within(WITHOUT_IO))('%s does no I/O', (file) => {
    expect(readSource(file).imports.filter(doesIo)).toEqual([]);
  });

  it.each([...within(PURE), ...sources('rules')])('%s touches no clock, process or environment', (file) => {
    expect(readSource(file).touches).toEqual([]);
  });

  it.each(sources('internal'))('%s does not import upwards', (file) => {
    expect(
      readSource(file).imports.filter((name) => name.startsWith('cmd/') || name.startsWith('rules/') || name.startsWith('hack/')),
    ).toEqual([]);
  });

  it('only cmd ends the process', () => {
    expect(
      sources('internal').filter((file) => readSource(file).touches.some((touch) => ['process.exit', 'process.abort'].includes(touch))),
    ).toEqual([]);
  });

  it('only host knows the field names of a vendor', () => {
    const knowing = sources('internal').filter((file) => {
      if (file.startsWith('internal/host/')) return false;
      const { names } = readSource(file);
      return ['hookSpecificOutput', 'permissionDecision', 'hook_event_name', 'tool_input'].some((name) => names.has(name));
    });
    expect(knowing).toEqual([]);
  });

  it('the hook loads no CLI framework, schema library or YAML parser at start', () => {
    const seen = new Set<string>();
    const packages = new Set<string>();
    const visit = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const { imports, lazy } = readSource(file);
      for (const name of imports.filter((each) => !lazy.includes(each))) {
        if (/^(?:internal|rules|cmd)\//.test(name)) visit(name);
        else packages.add(name);
      }
    };
    visit('cmd/waygate/hook.ts');
    expect(seen.size).toBeGreaterThan(20);
    expect([...packages].filter((name) => ['commander', 'zod', 'yaml', 'picomatch', 'simple-git'].includes(name))).toEqual([]);
  });
});

describe('the reading of imports', () => {
  const read = (text: string) => readText('internal/effect/x.ts', text);

  it('sees what is needed at run time, from the root', () => {
    expect(read("import { a } from './a.ts';\nexport * from '../shell/b.ts';\nimport 'node:fs';").imports).toEqual([
      'internal/effect/a.ts',
      'internal/shell/b.ts',
      'node:fs',
    ]);
  });
  it('leaves out types, strings and comments', () => {
    expect(
      read("import type { A } from './a.ts';\nconst text = \"import fs from 'node:fs'; process.exit(1)\";\n// Date.now()\n"),
    ).toMatchObject({ imports: [], touches: [] });
  });
  it('tells what is loaded late', () => {
    expect(read("const yaml = await import('yaml');\nconst fs = require('node:fs');")).toMatchObject({
      imports: ['yaml', 'node:fs'],
      lazy: ['yaml', 'node:fs'],
    });
  });
  it('sees clock, process and environment', () => {
    expect(read("process.exit(1); Date.now(); new Date(); new Date(0); process['x']; process.env['HOME'];").touches).toEqual([
      'process.exit',
      'Date.now',
      'new Date()',
      'process.env',
    ]);
  });
});

describe('small files', () => {
  it.each([...sources('internal'), ...sources('rules'), ...sources('cmd'), ...sources('test/support')])('%s', (file) => {
    expect(fs.readFileSync(path.join(ROOT, file), 'utf8').split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });
});
