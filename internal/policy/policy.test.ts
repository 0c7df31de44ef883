import { chmodSync, chownSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnyRule } from '../rule/rule.ts';
import { compilePolicyFile, compileRoot } from './compiler.ts';
import { renderError } from './errors.ts';
import { type Ground, ground, RULES } from './fixture.ts';
import { inForce, untrustedNote } from './in-force.ts';
import { matches } from './match.ts';
import type { Policy } from './policy.ts';
import { addTrust } from './trust.ts';

let at: Ground;
beforeEach(() => {
  at = ground();
});
afterEach(() => at.remove());

const rule = (name: string): AnyRule => RULES.find((each) => each.name === name)!;
const compile = (): Policy => compileRoot(at.root, { rules: RULES, places: at.places, write: false });
const level = (policy: Policy, name: string) => inForce(rule(name), policy).level;
const messages = (policy: Policy) => policy.errors.map((error) => error.message);

describe('what a file may say', () => {
  const cases: readonly [string, string, (policy: Policy) => unknown, unknown][] = [
    ['an empty file', '', (p) => p.revision, 'sha256:default'],
    ['only a version', 'version: 1\n', (p) => p.revision, 'sha256:default'],
    ['a raised rule', 'rules: { busy-wait: deny }', (p) => level(p, 'busy-wait'), 'deny'],
    ['a raised rule by an alias', 'rules:\n  sed-i: { verdict: deny, reason: x }', (p) => level(p, 'sed-in-place'), 'deny'],
    ['a louder notice', 'rules: { test-skip: advise }', (p) => level(p, 'test-skip'), 'advise'],
    ['a tighter option', 'rules: { read-navigation: { lines: 120 } }', (p) => inForce(rule('read-navigation'), p).options['lines'], 120],
    ['another branch to protect', 'protected: { branches: [develop] }', (p) => p.protected.branches, ['develop']],
    ['hosts', 'network: { allow: [example.com] }', (p) => p.network, { allow: ['example.com'] }],
    ['no hosts', 'network: { allow: [] }', (p) => p.network, { allow: [] }],
    ['a budget', 'budgets: { push: 5 }', (p) => p.budgets, { push: 5 }],
    ['costs', 'cost: tight', (p) => p.cost, 'tight'],
  ];
  it.each(cases)('%s', (_name, text, read, expected) => {
    at.put('waygate.yaml', text);
    const policy = compile();
    expect(policy.errors).toEqual([]);
    expect(policy.untrusted).toEqual([]);
    expect(read(policy)).toEqual(expected);
  });
});

describe('loosening waits for trust', () => {
  const cases: readonly [string, string, string, (policy: Policy) => unknown, unknown, unknown][] = [
    ['a lower verdict', 'rules: { file-delete: advise }', 'rules.file-delete', (p) => level(p, 'file-delete'), 'deny', 'advise'],
    ['off', 'rules: { file-delete: "off" }', 'rules.file-delete', (p) => level(p, 'file-delete'), 'deny', 'off'],
    ['a silent notice', 'rules: { test-skip: off }', 'rules.test-skip', (p) => level(p, 'test-skip'), 'notice', 'off'],
    ['the preset', 'preset: safety', 'preset', (p) => level(p, 'sed-in-place'), 'deny', 'advise'],
    [
      'a larger limit',
      'rules: { read-navigation: { lines: 900 } }',
      'rules.read-navigation.lines',
      (p) => inForce(rule('read-navigation'), p).options['lines'],
      300,
      900,
    ],
    [
      'a switch',
      'rules: { read-navigation: { strict: false } }',
      'rules.read-navigation.strict',
      (p) => inForce(rule('read-navigation'), p).options['strict'],
      true,
      false,
    ],
    [
      'a word',
      'rules: { read-navigation: { marker: X } }',
      'rules.read-navigation.marker',
      (p) => inForce(rule('read-navigation'), p).options['marker'],
      'TODO',
      'X',
    ],
    ['regenerable', 'regenerable: [".cache/**"]', 'regenerable', (p) => p.regenerable.length, 0, 1],
    [
      'generated files, as regenerable',
      'generated: [{ files: "docs/**", by: npm run docs }]',
      'generated',
      (p) => p.generated.filter((each) => !each.claimed).length,
      0,
      1,
    ],
    [
      'the runner',
      'runner: { targets: { test: { covers: [vitest] } } }',
      'runner',
      (p) => p.runner?.targets['test'],
      undefined,
      { covers: ['vitest'] },
    ],
    [
      'what a target writes, from the root of its file',
      'runner: { targets: { build: { writes: ["dist/**"] } } }',
      'runner',
      (p) => p.runner?.targets['build']?.writes?.map((glob) => glob.replace(/^.*\/(?=dist)/, '')),
      undefined,
      ['dist/**'],
    ],
    ['the owner', 'owner: ask', 'owner', (p) => p.owner, 'request', 'ask'],
    ['the deadline', 'deadline: 9000', 'deadline', (p) => p.deadlineMs, 2000, 9000],
  ];
  it.each(cases)('%s', (_name, text, key, read, before, after) => {
    at.put('waygate.yaml', text);
    const policy = compile();
    expect(policy.untrusted.map((each) => each.key)).toEqual([key]);
    expect(read(policy)).toEqual(before);
    expect(addTrust(at.places, policy.untrusted, new Date(0))).toBe(true);
    const trusted = compile();
    expect(trusted.untrusted).toEqual([]);
    expect(read(trusted)).toEqual(after);
  });

  it('a first gate counts at once, one in the place of another waits for trust', () => {
    at.put('waygate.yaml', 'gate: { command: "true" }');
    expect(compile()).toMatchObject({ gate: { command: 'true', branches: ['**'] }, untrusted: [] });
    at.put('~/.config/waygate/waygate.yaml', 'gate: { command: npm test }');
    const policy = compile();
    expect(policy.gate?.command).toBe('npm test');
    expect(policy.untrusted.map((each) => each.key)).toEqual(['gate']);
    expect(addTrust(at.places, policy.untrusted, new Date(0))).toBe(true);
    expect(compile().gate?.command).toBe('true');
  });

  it.each([
    'runner: { command: npm run {target}, pass: -- {args}, targets: { test: { covers: [vitest], gate: false } } }',
    'runner: { command: "npm run {target}", pass: "-- {args}", targets: { test: { covers: [vitest], gate: false } } }',
    'runner:\n  command: npm run {target}\n  pass: -- {args}\n  targets:\n    test: { covers: [vitest], gate: false }',
  ])('a call is written with braces: %s', (text) => {
    at.put('waygate.yaml', text);
    expect(compile().errors).toEqual([]);
    addTrust(at.places, compile().untrusted, new Date(0));
    expect(compile().runner).toEqual({
      command: 'npm run {target}',
      pass: '-- {args}',
      targets: { test: { covers: ['vitest'], gate: false } },
    });
  });

  it('variables of a prefix count at once, other ones for the same prefix wait for trust', () => {
    at.put('waygate.yaml', 'environment: { ACME_: { names: [ACME_A], from: .env.example } }');
    const own = compile();
    expect(own.untrusted).toEqual([]);
    expect(own.environment['ACME_']).toMatchObject({ names: ['ACME_A'], from: expect.stringMatching(/^\/.*\/\.env\.example$/) });
    at.put('~/.config/waygate/waygate.yaml', 'environment: { ACME_: { names: [ACME_B] } }');
    const policy = compile();
    expect(policy.environment['ACME_']).toEqual({ names: ['ACME_B'] });
    expect(policy.untrusted.map((each) => each.key)).toEqual(['environment.ACME_']);
  });

  it('generated files are protected at once, whoever trusts it', () => {
    at.put('waygate.yaml', 'generated: [{ files: "docs/**", by: npm run docs, from: ["rules/**", tmpl.md] }]');
    const [entry] = compile().generated;
    expect(entry).toMatchObject({ claimed: true, by: 'npm run docs' });
    expect(entry?.from?.map((each) => each.replace(/^.*\/(?=rules|tmpl)/, ''))).toEqual(['rules/**', 'tmpl.md']);
  });

  it('says where it waits', () => {
    at.put('waygate.yaml', 'version: 1\nrules:\n  busy-wait: deny\n  file-delete: off\n');
    expect(untrustedNote(compile(), 'file-delete')).toBe('lowered in waygate.yaml:4, not yet trusted');
  });

  it('trust is for one value in one place', () => {
    at.put('waygate.yaml', 'rules: { file-delete: advise }');
    addTrust(at.places, compile().untrusted, new Date(0));
    at.put('waygate.yaml', 'rules: { file-delete: off }');
    expect(level(compile(), 'file-delete')).toBe('deny');
    const other = ground();
    other.put('waygate.yaml', 'rules: { file-delete: advise }');
    const policy = compileRoot(other.root, { rules: RULES, places: at.places, write: false });
    expect(level(policy, 'file-delete')).toBe('deny');
    other.remove();
  });

  it('a trust file that others may write counts as empty', () => {
    at.put('waygate.yaml', 'rules: { file-delete: advise }');
    addTrust(at.places, compile().untrusted, new Date(0));
    chmodSync(`${at.places.state}/trust.json`, 0o666);
    expect(level(compile(), 'file-delete')).toBe('deny');
  });

  it("the user's own file needs trust too, a root-owned one under /etc does not", () => {
    at.put('~/.config/waygate/waygate.yaml', 'rules: { file-delete: advise }');
    expect(compile().untrusted).toHaveLength(1);
    const file = at.put(at.places.organization, 'rules: { sed-in-place: advise }');
    const asRoot = process.getuid?.() === 0;
    if (asRoot) chownSync(file, 0, 0);
    expect(level(compile(), 'sed-in-place')).toBe(asRoot ? 'advise' : 'deny');
    chmodSync(file, 0o666);
    expect(level(compile(), 'sed-in-place')).toBe('deny');
  });

  it('the strict half of a mixed list counts at once', () => {
    at.put(at.places.user, 'protected: { branches: [develop] }\nregenerable: [cache/**]');
    at.put('waygate.yaml', 'protected: { branches: [stable] }');
    expect(compile().protected.branches).toEqual(['develop', 'stable']);
  });
});

describe('three files', () => {
  it('merges per rule and per key and keeps the origin', () => {
    at.put(at.places.organization, 'rules: { busy-wait: deny }');
    at.put(at.places.user, 'rules: { test-skip: advise }\nbudgets: { push: 9 }');
    at.put('waygate.yaml', 'budgets:\n  push: 5\n  spawn: 2\n');
    const policy = compile();
    expect(level(policy, 'busy-wait')).toBe('deny');
    expect(level(policy, 'test-skip')).toBe('advise');
    expect(policy.budgets).toEqual({ push: 5, spawn: 2 });
    expect(policy.origins['budgets.push']).toEqual({ file: 'waygate.yaml', line: 2 });
    expect(policy.rules['busy-wait']?.origin.line).toBe(1);
  });

  it('extends data files, relative and from a package, its own file last', () => {
    at.put('team.yaml', 'rules: { busy-wait: deny, test-skip: advise }');
    at.put('node_modules/@team/policy/waygate.yaml', 'budgets: { push: 3 }');
    at.put('node_modules/plain/strict.json', '{ "cost": "tight" }');
    at.put('waygate.yaml', 'extends: [./team.yaml, "@team/policy", plain/strict.json]\nbudgets: { push: 2 }');
    const policy = compile();
    expect(policy.errors).toEqual([]);
    expect([level(policy, 'busy-wait'), policy.budgets['push'], policy.cost]).toEqual(['deny', 2, 'tight']);
    expect(policy.rules['busy-wait']?.origin).toEqual({ file: 'team.yaml', line: 1 });
    expect(policy.sources.map((source) => source.path)).toContain(`${at.root}/team.yaml`);
  });

  it.each([
    ['./missing.yaml', /no such file/],
    ['./waygate.yaml', /leads back/],
    ['./policy.js', /only data files/],
    ['absent-package', /installed package/],
  ])('refuses to extend %s', (spec, message) => {
    at.put('policy.js', 'process.exit(0)');
    at.put('waygate.yaml', `extends: [${spec}]\nrules: { busy-wait: deny }`);
    const policy = compile();
    expect(messages(policy).join()).toMatch(message);
    expect(level(policy, 'busy-wait')).toBe('deny');
  });

  it('finds a cycle over several files', () => {
    at.put('a.yaml', 'extends: [./b.yaml]');
    at.put('b.yaml', 'extends: [./a.yaml]');
    at.put('waygate.yaml', 'extends: [./a.yaml]');
    expect(messages(compile()).join()).toMatch(/a\.yaml -> b\.yaml -> a\.yaml/);
  });

  it('a loosening that an extended file brings waits for trust as well', () => {
    at.put('team.yaml', 'rules: { file-delete: off }');
    at.put('waygate.yaml', 'extends: [./team.yaml]');
    expect(compile().untrusted.map((each) => [each.key, each.origin.file])).toEqual([['rules.file-delete', 'team.yaml']]);
  });
});

describe('mistakes', () => {
  const cases: readonly [string, string, string, string | undefined][] = [
    ['an unknown rule', 'rules:\n  file-delet: advise', 'waygate.yaml:2:3  unknown rule "file-delet"', 'file-delete'],
    ['an unknown verdict', 'rules:\n  file-delete: deni', 'waygate.yaml:2:16  unknown verdict "deni"', 'deny'],
    [
      'a notice set to deny',
      'rules:\n  test-skip: deny',
      'waygate.yaml:2:14  rule "test-skip" is a notice and cannot deny: it cannot tell a mistake from a wish.',
      undefined,
    ],
    ['a fixed rule', 'rules:\n  owner-verb: off', 'waygate.yaml:2:3  rule "owner-verb" is fixed', undefined],
    [
      'an option of a rule without any',
      'rules:\n  file-delete: { verdict: deny, lines: 3 }',
      'waygate.yaml:2:33  rule "file-delete" takes no option "lines"',
      undefined,
    ],
    [
      'an unknown option',
      'rules:\n  read-navigation: { line: 3 }',
      'waygate.yaml:2:22  rule "read-navigation" takes no option "line"',
      'lines',
    ],
    [
      'a limit below 1',
      'rules:\n  read-navigation: { lines: 0 }',
      'waygate.yaml:2:29  option "lines" of rule "read-navigation" must be at least 1',
      undefined,
    ],
    [
      'an option of another type',
      'rules:\n  read-navigation: { lines: many }',
      'waygate.yaml:2:29  option "lines" of rule "read-navigation" is a number',
      undefined,
    ],
    ['a rule set twice', 'rules:\n  sed-i: deny\n  sed-in-place: deny', 'waygate.yaml:3:3  rule "sed-in-place" is set twice', undefined],
    [
      'the word of another tool',
      'rules:\n  file-delete: { level: advise }',
      'waygate.yaml:2:18  rule "file-delete" takes no option "level"',
      'verdict',
    ],
    ['an unknown key', 'regenerabel: [a]', 'waygate.yaml:1:1  unknown key "regenerabel"', 'regenerable'],
    ['a nested unknown key', 'protected: { branchs: [a] }', 'waygate.yaml:1:14  unknown key "branchs"', 'branches'],
    [
      'an unknown key of a target',
      'runner: { targets: { test: { cover: [vitest] } } }',
      'waygate.yaml:1:30  unknown key "cover"',
      'covers',
    ],
    [
      'a role that is none',
      'runner: { targets: { a: { role: tests } } }',
      'waygate.yaml:1:33  runner.targets.a.role: "tests" is not known: gate, test,',
      'test',
    ],
    ['a call without its target', 'runner: { command: make }', 'waygate.yaml:1:20  runner.command: needs {target} where', undefined],
    ['an unknown key of variables', 'environment: { A_: { name: [A_B] } }', 'waygate.yaml:1:22  unknown key "name"', 'names'],
    [
      'a prefix in lower case',
      'environment: { acme: {} }',
      'waygate.yaml:1:16  environment.acme: a prefix is upper case and ends with _',
      undefined,
    ],
    ['an unknown word', 'preset: safty', 'waygate.yaml:1:9  preset: "safty" is not known: strict, safety are', 'safety'],
    ['a budget below 1', 'budgets: { push: 0 }', 'waygate.yaml:1:18  budgets.push: must be at least 1', undefined],
    ['a wrong type', 'regenerable: yes', 'waygate.yaml:1:14  regenerable: expected array', undefined],
    ['a glob that leaves the workspace', 'regenerable: ["../**"]', 'waygate.yaml:1:15  "../**": a glob may not leave', undefined],
    ['a broken file', 'version: 1\nrules: [unclosed\n', 'waygate.yaml:', undefined],
    ['a list', '- a\n', 'waygate.yaml:1:1  a policy file holds keys', undefined],
    ['a key twice', 'rules: {}\nrules: {}\n', 'waygate.yaml:2:1  map keys must be unique', undefined],
    ['a newer version', 'version: 2\n', 'waygate.yaml:1:10  version 2 is not known', undefined],
    [
      'a custom rule named like a built-in',
      'custom: [{ rule: file-delete, verdict: deny, on: { run: a }, says: b }]',
      'waygate.yaml:1:18  custom rule "file-delete" has the name',
      undefined,
    ],
    [
      'a custom rule without a condition',
      'custom: [{ rule: own, verdict: deny, on: {}, says: b }]',
      'waygate.yaml:1:42  custom[0].on: one of run, effect, path, tool is needed',
      undefined,
    ],
  ];
  it.each(cases)('%s', (_name, text, start, near) => {
    at.put('waygate.yaml', text);
    const policy = compile();
    const error = policy.errors[0]!;
    expect(renderError(error).startsWith(start), renderError(error)).toBe(true);
    expect(error.nearest).toBe(near);
    expect(error.stays).not.toBe('');
    expect(policy.revision).toBe('sha256:default');
  });

  it('reports all of them at once, in order', () => {
    at.put('waygate.yaml', 'preset: x\nrules:\n  nope-nope: deny\n  test-skip: deny\nowner: me\n');
    expect(compile().errors.map((error) => error.line)).toEqual([1, 3, 4, 5]);
  });

  it('never weakens: a wrong entry keeps the stricter of its default and the other files', () => {
    at.put(at.places.user, 'rules: { file-delete: off, busy-wait: deny }');
    addTrust(at.places, compile().untrusted, new Date(0));
    expect(level(compile(), 'file-delete')).toBe('off');
    at.put('waygate.yaml', 'rules:\n  file-delete: denny\n  busy-wait: advice\n');
    const policy = compile();
    expect(level(policy, 'file-delete')).toBe('deny');
    expect(level(policy, 'busy-wait')).toBe('deny');
    expect(policy.errors.map((error) => error.stays)).toEqual(['The rule file-delete stays at deny.', 'The rule busy-wait stays at deny.']);
  });

  it('a broken file puts everything at least at its default, tightening of other files stays', () => {
    at.put(at.places.user, 'preset: safety\nrules: { file-delete: off, busy-wait: deny }');
    addTrust(at.places, compile().untrusted, new Date(0));
    at.put('waygate.yaml', 'rules: [unclosed');
    const policy = compile();
    expect([policy.preset, level(policy, 'file-delete'), level(policy, 'busy-wait'), level(policy, 'sed-in-place')]).toEqual([
      'strict',
      'deny',
      'deny',
      'deny',
    ]);
  });

  it('a custom rule with a mistake denies until it is repaired', () => {
    at.put('waygate.yaml', 'custom: [{ rule: own, verdict: refuse, on: { run: make deploy }, says: "" }]');
    expect(compile().custom[0]).toMatchObject({ rule: 'own', verdict: 'deny' });
  });
});

describe('globs', () => {
  const cases: readonly [string, string, boolean][] = [
    ['.cache/**', '.cache/a/b', true],
    ['.cache/**', '.cache', true],
    ['.cache/**', 'src/.cache/a', false],
    ['**/*.snap', 'src/.deep/a.snap', true],
    ['*.log', 'a.log', true],
    ['*.log', 'sub/a.log', false],
    ['out/', 'out/x', true],
    ['{a,b}/*', 'b/x', true],
    ['a+(b)', 'ab', false],
  ];
  it.each(cases)('%s on %s', (glob, path, expected) => {
    const file = at.put('what-if.yaml', `regenerable: [${JSON.stringify(glob)}]`);
    const policy = compilePolicyFile(file, RULES);
    expect(policy.regenerable.some((each) => matches(policy, each, `${at.root}/${path}`))).toBe(expected);
  });

  it('a folder with glob characters stands for itself', () => {
    const file = at.put('we[ird]/what-if.yaml', 'regenerable: [a/**]');
    const policy = compilePolicyFile(file, RULES);
    expect(matches(policy, policy.regenerable[0]!, `${at.root}/we[ird]/a/b`)).toBe(true);
    expect(matches(policy, policy.regenerable[0]!, `${at.root}/wei/a/b`)).toBe(false);
  });

  it('a what-if needs no trust', () => {
    const file = at.put('what-if.yaml', 'rules: { file-delete: off }');
    expect(level(compilePolicyFile(file, RULES), 'file-delete')).toBe('off');
    expect(compilePolicyFile(`${at.root}/absent.yaml`, RULES).errors).toHaveLength(1);
  });
});
