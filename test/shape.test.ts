/** The shape of the house, read from the import lines: one direction, I/O at the edge. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

const sources = (folder: string): string[] =>
  fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.gen.ts'));

/** What a file imports at run time, relative ones as paths from the root. Types cost nothing and bind nothing. */
function imports(file: string): string[] {
  const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
  const found = [...text.matchAll(/^\s*(?:import|export)\s+(?!type\b)[^'"]*?from\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/gm)];
  return found.map((match) => match[1] ?? match[2] ?? match[3]!).map((name) => (name.startsWith('.') ? path.join(path.dirname(file), name).replaceAll('\\', '/') : name));
}

const IO = new Set(['node:fs', 'node:fs/promises', 'node:child_process', 'node:net', 'node:http', 'node:https', 'node:os', 'node:tty', 'node:readline', 'node:worker_threads']);
const doesIo = (name: string) => IO.has(name) || name === 'simple-git';

describe('boundaries', () => {
  it.each(sources('rules'))('%s imports only internal/rule', (file) => {
    expect(imports(file).filter((name) => name !== 'internal/rule/rule.ts')).toEqual([]);
  });

  it.each(['engine', 'view', 'effect', 'shell', 'action', 'decision', 'rule', 'judge', 'host', 'secret'].flatMap((folder) => sources(`internal/${folder}`)))('%s touches no file, clock, process or environment', (file) => {
    expect(imports(file).filter(doesIo)).toEqual([]);
    if (!/^internal\/(?:engine|view|effect|shell|rule|secret)\//.test(file)) return;
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
    expect(text).not.toMatch(/(?<!['"`.\w])process\.(?:exit|cwd|kill)\(/);
    expect(text).not.toMatch(/\bDate\.now\(|\bnew Date\(\)/);
  });

  it.each(sources('internal'))('%s does not import upwards', (file) => {
    expect(imports(file).filter((name) => name.startsWith('cmd/') || name.startsWith('rules/'))).toEqual([]);
  });

  it('only cmd ends the process', () => {
    const ending = sources('internal').filter((file) => /\bprocess\.exit\(/.test(fs.readFileSync(path.join(ROOT, file), 'utf8')));
    expect(ending).toEqual([]);
  });

  it('only host knows the field names of a vendor', () => {
    const knowing = sources('internal').filter((file) => !file.startsWith('internal/host/') && /hookSpecificOutput|permissionDecision/.test(fs.readFileSync(path.join(ROOT, file), 'utf8')));
    expect(knowing).toEqual([]);
  });

  it('the hook loads no CLI framework, schema library or YAML parser at start', () => {
    const seen = new Set<string>();
    const packages = new Set<string>();
    const visit = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
      const lazy = new Set([...text.matchAll(/(?:await import|require)\(\s*['"]([^'"]+)['"]/g)].map((match) => (match[1]!.startsWith('.') ? path.join(path.dirname(file), match[1]!) : match[1]!)));
      for (const name of imports(file)) {
        if (lazy.has(name)) continue;
        if (name.startsWith('internal/') || name.startsWith('rules/') || name.startsWith('cmd/')) visit(name);
        else packages.add(name);
      }
    };
    visit('cmd/waygate/hook.ts');
    expect([...packages].filter((name) => ['commander', 'zod', 'yaml', 'picomatch', 'simple-git'].includes(name))).toEqual([]);
  });
});

describe('small files', () => {
  it.each([...sources('internal'), ...sources('rules'), ...sources('cmd')])('%s', (file) => {
    expect(fs.readFileSync(path.join(ROOT, file), 'utf8').split('\n').length).toBeLessThan(560);
  });
});
