import { describe, expect, it } from 'vitest';
import { findCredential, findCredentials, isPlaceholder } from './credentials.ts';
import { secretByName, secretVariableName } from './names.ts';

describe('credential files by name', () => {
  it.each([
    '.env', '.env.local', '.env.production', 'config/prod.env', '.envrc', '.dev.vars', '/home/dev/.ssh/id_ed25519', 'id_rsa', 'server.pem', 'tls.key', '.npmrc', '.pypirc', '.netrc', '.git-credentials',
    '/home/dev/.aws/credentials', '/home/dev/.config/gcloud/application_default_credentials.json', '/home/dev/.kube/config', '/home/dev/.docker/config.json', 'service-account-prod.json', 'cert.p12', 'app.jks',
    'release.keystore', '/home/dev/.ssh/work_key', 'config/secrets.yml', 'secrets.json', 'terraform.tfstate', 'prod.tfvars', 'credentials.json', '.bash_history', '/etc/shadow', '/proc/self/environ', '/home/dev/.ssh',
    '/home/dev/.config/gh/hosts.yml', 'C:\\Users\\dev\\.ssh\\id_rsa', '.env-backup', '/home/dev/.gnupg/private-keys-v1.d/x.key', '/Users/dev/Library/Keychains/login.keychain-db', 'config/master.key',
  ])('%s', (path) => expect(secretByName(path)).toBeTypeOf('string')); // biome-ignore format: a list

  it.each([
    '.env.example', '.env.sample', '.env.template', '.env.dist', '.env.defaults', '.env.local.example', 'env.d.ts', '.env.ts', 'id_rsa.pub', '/home/dev/.ssh/known_hosts', '/home/dev/.ssh/config', '/home/dev/.ssh/authorized_keys',
    'README.md', 'src/environment.ts', 'package.json', 'tokenizer.ts', 'secrets.ts', 'src/credentials.test.ts', 'fullchain.pem', 'ca.pem', 'keys.ts', 'config', 'credentials.example.json', 'terraform.tfvars.example', '/home/dev/.ssh/id.pub',
    '.git/config', 'monkey', 'donkey.key.ts',
  ])('not %s', (path) => expect(secretByName(path)).toBeUndefined()); // biome-ignore format: a list
});

describe('credential variables by name', () => {
  it.each([
    'GITHUB_TOKEN',
    'ANTHROPIC_API_KEY',
    'DB_PASSWORD',
    'AWS_SECRET_ACCESS_KEY',
    'NPM_TOKEN',
    'DATABASE_URL',
    'JWT_SECRET',
    'SSH_PRIVATE_KEY',
    'LLM_API_KEY',
    'SIGNING_KEY',
    'PGPASSWORD',
    'api_key',
  ])('%s', (name) => expect(secretVariableName(name)).toBe(true));
  it.each([
    'PATH',
    'HOME',
    'PWD',
    'OLDPWD',
    'SSH_AUTH_SOCK',
    'MAX_TOKENS',
    'TOKEN_LIMIT',
    'PUBLIC_KEY',
    'KEYBOARD',
    'TOKEN_URL',
    'SECRET_NAME',
    'PASSWORD_FILE',
    'NODE_ENV',
    'KEY',
    'AUTHOR',
  ])('not %s', (name) => expect(secretVariableName(name)).toBe(false));
});

describe('credentials in texts', () => {
  it.each([
    ['AKIAIOSFODNN7EXAMPLF', 'an AWS access key'],
    ['token: ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'a GitHub token'],
    ['sk-ant-api03-abcdefghijklmnop', 'an Anthropic key'],
    ['OPENAI=sk-proj-abcdefghijklmnopqrst', 'an API key'],
    ['"Bash(API_KEY=sk-live-4f1d9c0b7a2e66d1 node x)"', 'an API key'],
    ['-----BEGIN OPENSSH PRIVATE KEY-----', 'a private key'],
    ['-----BEGIN RSA PRIVATE KEY-----', 'a private key'],
    ['xoxb-123456789012-abcdefghij', 'a Slack token'],
    ['DB_PASSWORD=fake-hunter2-9c0b7a2e', 'a password'],
    ['API_KEY=fake-4f1d9c0b7a2e', 'a key'],
    ['"client_secret": "q8Zk29_Lpwx7"', 'a secret'],
    ['postgres://app:fake-hunter2@db.hosted.example:5432/app', 'a login in an address'],
    ["password: 'Tr0ub4dor&3'", 'a password'],
    ['//registry.npmjs.org/:_authToken=abcdef0123456789', 'a registry token'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N', 'a signed token'],
  ])('%s', (text, what) => expect(findCredential(text)?.what).toBe(what));

  it.each([
    'SESSION_SECRET=changeme',
    'API_KEY=your-key-here',
    'SESSION_SECRET=local',
    'PORT=3000',
    'password=$DB_PASSWORD',
    'token = process.env.GITHUB_TOKEN',
    'const password = getPassword()',
    'api_key: ${{ secrets.API_KEY }}',
    'postgres://postgres:postgres@localhost:5432/app',
    'postgres://user:$PASSWORD@host/db',
    'password: string;',
    'secret: true',
    '"token": "<your token>"',
    'tokenUrl = "https://example.com/oauth"',
    'next_token = lexer.next()',
    'keyPath: "./certs/dev.key"',
    'passwordField: "passwordConfirmation"',
    'ACCESS_TOKEN=xxxxxxxxxxxxxxxx',
    'sk-',
    'password = None',
    'PASSWORD_MIN_LENGTH=12345678',
  ])('not %s', (text) => expect(findCredential(text)).toBeUndefined());

  it('says where, without the value', () => {
    const text = 'PORT=1\nDB_PASSWORD=fake-hunter2-9c\n';
    const found = findCredential(text);
    expect(found).toMatchObject({ field: 'DB_PASSWORD', line: 2 });
    expect(text.slice(found?.start, found?.end)).toBe('fake-hunter2-9c');
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('finds each once and stays linear', () => {
    expect(findCredentials('A_TOKEN=abc123def456\nB_TOKEN=xyz789uvw012\n')).toHaveLength(2);
    const started = performance.now();
    findCredential('password_'.repeat(100_000));
    findCredential(`${'a'.repeat(500_000)}:${'b'.repeat(400_000)}`);
    findCredential('-'.repeat(900_000));
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it.each(['changeme', 'xxxx', '<token>', 'your-key', '********', 'example'])('placeholder %s', (value) =>
    expect(isPlaceholder(value)).toBe(true),
  );
});
