/** The command line's conventions: help with examples on every verb, usage errors that name the flag, exit codes, colour, directories. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { VERBS } from '../../cmd/waygate/verbs.ts';
import { waygate } from '../support/cli.ts';
import { type Sandbox, sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeAll(() => {
  box = sandbox(['echo edited >> src/app.ts']);
});
const run = (...args: string[]) => waygate(box, args);
const ESCAPE = String.fromCharCode(27);

describe('help', () => {
  it('the overview names every verb', () => {
    const { code, stdout } = run('--help');
    expect(code).toBe(0);
    for (const verb of VERBS) expect(stdout).toContain(`  ${verb.name} `);
  });
  it.each(VERBS.map((verb) => verb.name))('%s has help with examples', (verb) => {
    for (const args of [
      [verb, '--help'],
      ['help', verb],
    ]) {
      const { code, stdout, stderr } = run(...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/Usage: waygate/);
      expect(stdout).toMatch(/Examples:/);
    }
  });
  it('the version is that of the package', () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('bad use ends with 2, says what is wrong on stderr, and nothing on stdout', () => {
  it.each<[string[], RegExp]>([
    [[], /Usage: waygate/],
    [['chekpoint'], /no verb "chekpoint"; did you mean checkpoint\?/],
    [['xyzzy'], /no verb "xyzzy"; all verbs/],
    [['--bogus'], /unknown option --bogus/],
    [['judge', '--asume', 'worst'], /unknown option '--asume'[\s\S]*--assume/],
    [['judge', '--assume', 'best'], /--assume: "best" is not one of worst, clean/],
    [['judge', '--assume'], /--assume/],
    [['judge', '--preset', 'lax'], /--preset: "lax" is not one of strict, safety/],
    [['judge', '--host', 'vim'], /--host: "vim" is not one of claude-code/],
    [['judge', '--policy', 'missing.yaml'], /--policy: .*missing\.yaml/],
    [['judge', 'surplus'], /too many arguments/],
    [['explain'], /explain needs a command in quotes, or --tool/],
    [['explain', 'ls', '--tool', 'Write'], /a command or --tool, not both/],
    [['explain', '--tool', 'Write'], /--tool needs --input/],
    [['explain', '--tool', 'Write', '--input', '{'], /--input is not JSON/],
    [['explain', '--tool', 'Write', '--input', '{"file_path":"/a","content":1}'], /`content` is a number; expected a string/],
    [['init', '--host', 'vim'], /--host: "vim" is not one of claude-code/],
    [['init', '--user', '--project'], /--user and --project exclude each other/],
    [['init'], /give --preset strict, --preset safety or --yes/],
    [['doctor', '--host', 'vim'], /--host/],
    [['-C'], /-C needs a directory/],
    [['-C', '/does/not/exist', 'doctor'], /-C: \/does\/not\/exist/],
  ])('waygate %s', (args, message) => {
    const { code, stdout, stderr } = run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('-C', () => {
  it.each([[['-C', 'src', 'explain', 'ls']], [['explain', '-C', 'src', 'ls']]])('%s', (args) => {
    expect(run(...args).stdout).toContain(`in ${join(box.repo, 'src')}`);
  });
});

describe('explain', () => {
  it('shows the parse, the effects, what is at stake, the rules, the verdict and both texts', () => {
    const { code, stdout } = run('explain', 'cd src && git reset --hard');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Read as\n {2}cd src\n {2}git reset --hard {3}\(in .*\/src\)/);
    expect(stdout).toMatch(/Would do\n(?: {2}.*\n)*? {2}git\.discard/);
    expect(stdout).toMatch(/At stake\n {2}.*app\.ts/);
    expect(stdout).toMatch(/Rules that spoke\n {2}deny +discard-changes/);
    expect(stdout).toMatch(/Verdict\n {2}deny/);
    expect(stdout).toMatch(/The agent reads\n {2}\[discard-changes\] Nothing ran/);
    expect(stdout).toMatch(/The person reads\n {2}waygate stopped a call:/);
    expect(stdout).not.toContain(ESCAPE);
  });
  it('says so when nothing speaks', () => {
    const { stdout } = run('explain', 'ls');
    expect(stdout).toMatch(/Rules that spoke\n {2}none/);
    expect(stdout).toMatch(/Verdict\n {2}pass/);
    expect(stdout).not.toMatch(/The agent reads/);
  });
  it('gives one JSON document', () => {
    const answer = JSON.parse(run('explain', '--json', 'git reset --hard').stdout);
    expect(answer).toMatchObject({ schema: 1, decision: { verdict: 'deny', rule: 'discard-changes' }, commands: [{ name: 'git' }] });
    expect(answer.agent).toMatch(/^\[discard-changes\]/);
  });
  it('takes other tools', () => {
    const input = JSON.stringify({ file_path: join(box.repo, '.claude/settings.json'), content: '{"disableAllHooks":true}' });
    expect(JSON.parse(run('explain', '--json', '--tool', 'Write', '--input', input).stdout).decision.verdict).toBe('deny');
  });
  it('assumes a world', () => {
    expect(run('explain', '--assume', 'clean', 'git reset --hard').stdout).toMatch(/assuming the clean case[\s\S]*Verdict\n {2}pass/);
  });
  it('shows hidden characters', () => {
    const hidden = `echo ${String.fromCodePoint(0x202e, 0x200b, 0xe0061)}`;
    expect(run('explain', hidden).stdout).toContain('\\u{202e}\\u{200b}\\u{e0061}');
  });
  it('records nothing', () => {
    const own = sandbox();
    waygate(own, ['explain', 'rm -rf /']);
    expect(waygate(own, ['explain', 'ls']).code).toBe(0);
    expect(() => readFileSync(join(own.state, 'waygate', 'sessions', 'explain', 'ledger.jsonl'))).toThrow();
  });
});
