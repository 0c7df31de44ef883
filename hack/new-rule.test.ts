/** The scaffold, tried by running it: what it writes compiles, is in the index, and its examples hold in the real engine. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyRule } from '../internal/rule/rule.ts';
import { decide, said } from '../test/support/judge.ts';
import { type Sandbox, sandbox } from '../test/support/sandbox.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const NAME = 'scaffolded-rule';
let root: string;
let box: Sandbox;

/** The scaffold in a root of its own: rules copied, the engine linked. */
function newRule(...args: readonly string[]): { code: number | null; out: string; err: string } {
  const run = spawnSync(process.execPath, [path.join(ROOT, 'hack', 'new-rule.mjs'), ...args], {
    env: { ...process.env, WAYGATE_ROOT: root },
    encoding: 'utf8',
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

const rulesNow = (): readonly string[] => fs.readdirSync(path.join(root, 'rules'), { recursive: true, encoding: 'utf8' }).sort();

beforeAll(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'waygate-new-rule-')));
  fs.cpSync(path.join(ROOT, 'rules'), path.join(root, 'rules'), { recursive: true });
  fs.symlinkSync(path.join(ROOT, 'internal'), path.join(root, 'internal'), 'dir');
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'), 'dir');
  box = sandbox();
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

describe('npm run new-rule', () => {
  it('writes the rule and puts it into the index', () => {
    const ran = newRule(`run/${NAME}`);
    expect(ran, ran.err).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toContain(`rules/run/${NAME}.ts`);
    expect(fs.readFileSync(path.join(root, 'rules', 'index.gen.ts'), 'utf8')).toContain(`import scaffoldedRule from './run/${NAME}.ts';`);
  });

  it('writes a rule that compiles', () => {
    const options = { ...compilerOptions(), noEmit: true, typeRoots: [path.join(ROOT, 'node_modules', '@types')] };
    const program = ts.createProgram([path.join(root, 'rules', 'run', `${NAME}.ts`)], options);
    const found = ts.getPreEmitDiagnostics(program).filter((each) => each.file?.fileName.includes(NAME));
    expect(found.map((each) => ts.flattenDiagnosticMessageText(each.messageText, '\n'))).toEqual([]);
  });

  it('writes examples that hold', async () => {
    const file = path.join(root, 'rules', 'run', `${NAME}.ts`);
    const { default: rule } = (await import(/* @vite-ignore */ file)) as { default: AnyRule };
    expect(rule).toMatchObject({ name: NAME, group: 'run' });
    for (const example of rule.examples.catches) {
      const decision = await decide(example, box, { rules: [rule] });
      expect(said(decision, NAME), JSON.stringify(example)).toBe(example.gets ?? rule.level);
    }
    for (const example of rule.examples.allows) {
      const decision = await decide(example, box, { rules: [rule] });
      expect(said(decision, NAME), JSON.stringify(example)).toBeUndefined();
    }
  });

  it.each([
    ['no name', [], 'no group'],
    ['an unknown group', ['nowhere/x'], 'no group `nowhere`'],
    ['a group alone', ['work'], 'lower case with dashes'],
    ['a name in capitals', ['work/MyRule'], 'lower case with dashes'],
    ['a way out of the folder', ['work/../../x'], 'lower case with dashes'],
    ['a name that is taken', ['run/file-delete'], 'there is a rule of that name: rules/work/file-delete.ts'],
    ['two names', ['run/one', 'run/two'], 'one rule at a time'],
    ['an unknown option', ['--force'], 'no group'],
  ])('%s is a usage error', (_what, args, says) => {
    const before = rulesNow();
    const ran = newRule(...args);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(says);
    expect(ran.err).toContain('usage: npm run new-rule -- GROUP/NAME');
    expect(rulesNow()).toEqual(before);
  });
});

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  return ts.convertCompilerOptionsFromJson((config as { compilerOptions: object }).compilerOptions, ROOT).options;
}
