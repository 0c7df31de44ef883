import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './fixture.ts';
import { realLook } from './look.ts';

let box: Sandbox;
afterEach(() => box?.remove());

describe('a file', () => {
  it.each([
    ['src/app.ts', { kind: 'file', tracked: true, committed: true, lines: 1 }],
    ['src/util.ts', { kind: 'file', tracked: true, committed: false, lines: 2 }],
    ['new.txt', { kind: 'file', tracked: false, committed: false, size: 4, lines: 1 }],
    ['copy.ts', { kind: 'file', tracked: false, committed: true }],
    ['staged.ts', { kind: 'file', tracked: true, committed: true }],
    ['.env', { kind: 'file', tracked: false, committed: false }],
    ['absent', { kind: 'absent', size: 0 }],
    ['src', { kind: 'dir' }],
    ['link', { kind: 'link' }],
    ['binary', { kind: 'file', lines: undefined }],
    ['/nowhere/at/all', { kind: 'absent' }],
  ])('%s', (path, expected) => {
    box = sandbox();
    box.run(
      "echo more >> src/util.ts; echo new > new.txt; cp src/app.ts copy.ts; echo s > staged.ts; git add staged.ts; echo A=1 > .env; ln -s src/app.ts link; printf 'a\\0b\\n' > binary",
    );
    const fact = box.facts().file(path.startsWith('/') ? path : `${box.repo}/${path}`);
    for (const [name, value] of Object.entries(expected)) expect(fact[name as keyof typeof fact], name).toBe(value);
    if (path === 'link') expect(fact.target).toBe(`${box.repo}/src/app.ts`);
  });
});

describe('a secret', () => {
  it.each([
    ['.env', 'DB_PASSWORD=fake-hunter2-9c', true],
    ['.env', 'PORT=3000', false],
    ['.env', 'API_KEY=your-key-here', false],
    ['.env', 'SESSION_SECRET=abc', true],
    ['.npmrc', 'save-exact=true', false],
    ['.npmrc', '//registry.npmjs.org/:_authToken=abcdef0123456789', true],
    ['server.pem', '-----BEGIN CERTIFICATE-----', false],
    ['server.pem', '-----BEGIN PRIVATE KEY-----', true],
    ['id_ed25519', 'not a real key', true],
    ['.env', '', false],
    ['.env', 'DB_PASSWORD=postgres', false],
    ['fixtures/.env.test', 'API_KEY=abc-123-test', false],
    ['fixtures/.env.test', 'API_KEY=ghp_FAKE4f1d9c0b7a2e66d1aa02bb03cc04dd05', true],
    ['terraform.tfstate', '{"outputs":{"db_password":{"value":"fake-hunter2"}}}', true],
    ['terraform.tfstate', '{"outputs":{"region":{"value":"eu-west-1"}}}', false],
  ])('%s with %j: %s', (path, text, holds) => {
    box = sandbox();
    box.run(`mkdir -p "$(dirname ${path})"; printf '%s\\n' '${text}' > ${path}`);
    expect(box.facts().secret(`${box.repo}/${path}`)?.holds).toBe(holds);
  });

  it('is found through a link, and is none when it is a template', () => {
    box = sandbox();
    box.run('echo DB_PASSWORD=fake-hunter2-9c > .env; ln -s .env config.txt; echo A_TOKEN=changeme > .env.example');
    const facts = box.facts();
    expect(facts.secret(`${box.repo}/config.txt`)?.holds).toBe(true);
    expect(facts.secret(`${box.repo}/.env.example`)).toBeUndefined();
    expect(facts.secret(`${box.repo}/src/app.ts`)).toBeUndefined();
    expect(facts.secret(`${box.repo}/absent/.env`)?.holds).toBe(false);
  });
});

it('shows paths short and safe', () => {
  box = sandbox();
  const { show } = box.facts();
  expect([show(`${box.repo}/src/app.ts`), show(box.repo), show(`${box.home}/x`), show('/etc/x'), show(`${box.repo}/a\nb`)]).toEqual([
    'src/app.ts',
    '.',
    '~/x',
    '/etc/x',
    'a\\x0ab',
  ]);
});

it('knows its own processes', () => {
  box = sandbox();
  expect(box.facts().ancestors()[0]?.pid).toBe(process.pid);
});

it('never waits for a pipe or a device', () => {
  box = sandbox();
  box.run('mkfifo pipe');
  const facts = box.facts();
  expect(facts.text(`${box.repo}/pipe`)).toBeUndefined();
  expect(facts.lost({ about: 'paths', targets: box.at('pipe', '/dev/zero'), tree: false, cwd: box.repo, writes: true }).items).toEqual([]);
  expect(realLook(box.env).read('/dev/zero', 1000)).toBeUndefined();
});

describe('the look', () => {
  it('reads, lists and asks git for its configuration', () => {
    box = sandbox();
    box.run("git config alias.co checkout; git config --add url.x.insteadOf y; ln -s src/app.ts link; printf 'a\\0' > binary");
    const look = realLook(box.env);
    expect(look.home).toBe(box.home);
    expect(look.stat(`${box.repo}/link`)).toMatchObject({ kind: 'link', target: `${box.repo}/src/app.ts` });
    expect(look.stat(`${box.repo}/absent`)).toBeUndefined();
    expect(look.read(`${box.repo}/src/app.ts`, 1000)).toBe('export const app = 1;\n');
    expect(look.read(`${box.repo}/src/app.ts`, 5)).toBeUndefined();
    expect(look.read(`${box.repo}/binary`, 1000)).toBeUndefined();
    expect(look.list(`${box.repo}/src`)?.slice().sort()).toEqual(['app.ts', 'util.ts']);
    expect(look.list(`${box.repo}/src/app.ts`)).toBeUndefined();
    expect(look.gitConfig(box.repo, 'Alias.CO')).toEqual(['checkout']);
    expect(look.gitConfig(box.repo, 'alias.none')).toEqual([]);
    // The settings the guard gives git itself are not the user's.
    expect(look.gitConfig(box.repo, 'core.hooksPath')).toEqual([]);
  });

  it('outside every repository the global configuration counts', () => {
    box = sandbox();
    expect(realLook(box.env).gitConfig(box.tmp, 'user.name')).toEqual(['Dev']);
  });
});
