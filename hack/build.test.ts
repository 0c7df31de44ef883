import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error a build script without types
import { compileWithBun } from './build.mjs';

it('an executable takes nothing from the folder it is started in', () => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'waygate-build-')));
  try {
    const program = path.join(folder, 'program');
    fs.writeFileSync(path.join(folder, 'entry.cjs'), 'console.log(process.env.FROM_FILE ?? "nothing")');
    compileWithBun(path.join(folder, 'entry.cjs'), program);
    fs.writeFileSync(path.join(folder, 'bunfig.toml'), 'preload = ["./before.js"]\n');
    fs.writeFileSync(path.join(folder, 'before.js'), 'console.log("ran"); process.exit(0);');
    fs.writeFileSync(path.join(folder, '.env'), 'FROM_FILE=read\n');
    const ran = spawnSync(program, [], { cwd: folder, encoding: 'utf8' });
    expect({ code: ran.status, stdout: ran.stdout }).toEqual({ code: 0, stdout: 'nothing\n' });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
