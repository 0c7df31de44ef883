import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentialsIn, redact, redactArgv, redactDeep, withoutCredentials } from './redact.ts';

describe('redact', () => {
  it.each([
    ['API_KEY=fake-4f1d9c0b7a2e npm test', 'API_KEY=[redacted key] npm test'],
    ['export DB_PASSWORD="two words 1"; ls', 'export DB_PASSWORD="[redacted password]"; ls'],
    ['curl -H "Authorization: Bearer abcdef0123456789" x', 'curl -H "Authorization: Bearer [redacted token]" x'],
    ['postgres://app:hunter2@db:5432/x', 'postgres://app:[redacted password]@db:5432/x'],
    ['{"apiKey":"abc","n":1}', '{"apiKey":"[redacted key]","n":1}'],
    ['{"password":123456}', '{"password":"[redacted password]"}'],
    ['mysql --password hunter2 -e x', 'mysql --password [redacted password] -e x'],
    ['curl -u bob:hunter2 https://x', 'curl -u bob:[redacted password] https://x'],
    ['git push https://ghp_0123456789abcdefghijABCDEFGHIJ0123@github.com/x', 'git push https://[redacted token]@github.com/x'],
    ["mysql -u root -phunter2 -e 'drop database app'", "mysql -u root -p[redacted password] -e 'drop database app'"],
    ['sshpass -p hunter2 ssh root@prod ls', 'sshpass -p [redacted password] ssh root@prod ls'],
    ["sshpass -p 'two words' scp a b", "sshpass -p '[redacted password]' scp a b"],
    ['docker login -u me -p hunter2 ghcr.io && ls', 'docker login -u me -p [redacted password] ghcr.io && ls'],
    ['redis-cli -h db -a hunter2 flushall', 'redis-cli -h db -a [redacted password] flushall'],
    ['openssl enc -aes256 -pass pass:hunter2 -in x', 'openssl enc -aes256 -pass [redacted password] -in x'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY----- tail', '[redacted private key] tail'],
  ])('%s', (text, expected) => expect(redact(text)).toBe(expected));

  it.each([
    'TOKEN=$TOKEN npm run x',
    'git commit -m "fix: password reset"',
    '`.env` holds a secret: `API_KEY`, `DB_PASSWORD`',
    'commit 0123456789abcdef0123456789abcdef01234567',
    'cut -d= -f1 .env',
    'the token is refreshed, the key: value pairs stay',
    'git reset --hard HEAD~1 && npm run sk-helper',
    'MAX_TOKENS=100 node x',
    'mysql -u root -p -e "show tables" && mkdir -p dist/assets',
    'docker login ghcr.io && docker run -p 80:80 x',
    'mongosh && mkdir -p out',
    'unzip -o -P',
  ])('leaves %s', (text) => expect(redact(text)).toBe(text));

  const secret = fc.stringMatching(/^[A-Za-z0-9]{4}[0-9][A-Za-z0-9_/+-]{12,40}[a-z]$/);
  const views: ((value: string) => string)[] = [
    (v) => `API_KEY=${v} npm test`,
    (v) => `export GITHUB_TOKEN='${v}'`,
    (v) => `export PASSWORD="${v} and more"`,
    (v) => `{"client_secret": "${v}"}`,
    (v) => JSON.stringify({ command: `export DB_PASSWORD="${v}"\ncurl x` }),
    (v) => JSON.stringify({ command: JSON.stringify({ auth: { token: v } }) }),
    (v) => `curl -H 'Authorization: Bearer ${v}' https://x`,
    (v) => `curl -H 'X-Api-Key: ${v}' https://x`,
    (v) => `https://user:${v.replaceAll('/', '_')}@host/path`,
    (v) => `tool --api-key ${v} --verbose`,
    (v) => `tool --token=${v}`,
    (v) => `//registry.npmjs.org/:_authToken=${v}`,
    (v) => `ghp_${v.replace(/[^A-Za-z0-9]/g, 'a')}`,
    (v) => `password: ${v}`,
    (v) => `https://x/?access_token=${v}&b=1`,
  ];

  it('lets no secret through in any view', () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...views), (value, view) => {
        const text = view(value);
        const kept = text.includes('://user')
          ? value.replaceAll('/', '_')
          : text.startsWith('ghp_')
            ? value.replace(/[^A-Za-z0-9]/g, 'a')
            : value;
        expect(redact(text)).not.toContain(kept);
      }),
      { numRuns: 600 },
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), secret, fc.constantFrom('password', '=', ': ', '"', "'", '\\', ' ', '--token', 'Bearer ', 'KEY'))),
        (parts) => {
          const once = redact(parts.join(''));
          expect(redact(once)).toBe(once);
        },
      ),
      { numRuns: 600 },
    );
  });

  it('keeps the shape of plain data', () => {
    const given = { token: 'abcd1234efgh', n: 1, list: ['API_KEY=fake-4f1d9c0b7a2e'], what: 'token', by: null };
    expect(redactDeep(given)).toEqual({ token: '[redacted token]', n: 1, list: ['API_KEY=[redacted key]'], what: 'token', by: null });
  });

  it('is linear', () => {
    for (const unit of ['a_', 'eyJ-', '//:', 'password=', '-----BEGIN ', '\\"', 'key: "']) {
      const started = performance.now();
      redact(unit.repeat(400_000 / unit.length));
      expect(performance.now() - started).toBeLessThan(2000);
    }
  });
});

describe('the credentials of a call', () => {
  it('are taken out where they stand without the words that gave them away', () => {
    const found = credentialsIn({ command: 'deploy --password hunter2hunter2 https://x' });
    expect(withoutCredentials({ url: 'hunter2hunter2', deep: [{ boundary: 'send hunter2hunter2' }], n: 1 }, found)).toEqual({
      url: '[redacted password]',
      deep: [{ boundary: 'send [redacted password]' }],
      n: 1,
    });
  });

  it('a value under a key that names it', () =>
    expect(credentialsIn({ api_token: 'aB3dE5gH7jK9mN1p' })).toEqual([{ value: 'aB3dE5gH7jK9mN1p', marker: '[redacted token]' }]));

  it.each(['--password x', 'KEY=~/.ssh/id_ed25519', 'API_KEY=/run/secrets/key1', 'ls -la src', 'TOKEN=$TOKEN'])(
    'none in %s: too short, a path, or a reference',
    (command) => expect(credentialsIn({ command })).toEqual([]),
  );

  it('an option and its value in two words', () => {
    expect(redactArgv(['mysql', '--password', 'hunter2', '-e', 'a b'])).toEqual([
      'mysql',
      '--password',
      '[redacted password]',
      '-e',
      'a b',
    ]);
    expect(redactArgv(['ls', '-la'])).toEqual(['ls', '-la']);
  });
});
