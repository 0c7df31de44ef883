import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from './folder.ts';

const root = mkdtempSync(join(tmpdir(), 'waygate-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('makeFolder', () => {
  it('makes all levels, also a second time', () => {
    const path = join(root, 'a/b/c');
    makeFolder(path);
    makeFolder(path);
    expect(statSync(path).isDirectory()).toBe(true);
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700);
  });
  it('fails below a file', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => makeFolder(join(root, 'file/x/y'))).toThrow();
  });
  it.runIf(process.platform === 'linux')('fails, and ends, where no folder can be made', () => {
    expect(() => makeFolder('/proc/nope/waygate/sessions')).toThrow();
  });
});
