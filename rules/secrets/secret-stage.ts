import {
  defineRule,
  type EffectOf,
  type Facts,
  type Finding,
  names,
  quote,
  quoteLine,
  type Remedy,
  type Target,
} from '../../internal/rule/rule.ts';

type Asks = Pick<Facts, 'secret' | 'credential' | 'lost' | 'file' | 'show' | 'dirty'>;
interface Held {
  path: string;
  what: string;
  tracked: boolean;
}

/** Credential files that a directory may hold; a directory is looked at by these names. */
const USUAL = [
  '.env',
  '.env.local',
  '.env.production',
  '.env.development',
  '.env.staging',
  '.npmrc',
  '.dev.vars',
  'credentials.json',
  'id_rsa',
  'id_ed25519',
  'server.key',
  'key.pem',
  'private.pem',
  'secrets.yml',
  'secrets.yaml',
];

/** Untracked files that `git add` would take, below some paths or in the whole tree. */
const fresh = (effect: EffectOf<'git.stage'>, paths: readonly Target[], facts: Asks): string[] =>
  facts
    .lost({
      about: 'clean',
      repo: effect.repo,
      paths,
      directories: true,
      ignored: effect.force ? 'also' : 'no',
      nested: false,
      excludes: [],
    })
    .items.flatMap((item) => (item.path ? [item.path] : []));

/** Tracked files that are not as HEAD has them, or staged ones that HEAD has not at all. More than that many are not looked into. */
const changed = (
  repo: EffectOf<'git.stage'>['repo'],
  paths: readonly Target[] | undefined,
  which: 'modified' | 'new',
  facts: Asks,
): string[] =>
  facts
    .dirty(repo, paths)
    .files.filter((file) => (which === 'new' ? file.added === true && file.state !== 'deleted' : file.state === 'modified'))
    .slice(0, FILES)
    .map((file) => file.path);
const FILES = 100;

/** What would be staged: the named files, and for directories and the whole tree the new files git knows of. */
function candidates(effect: EffectOf<'git.stage'>, facts: Asks): { paths: string[]; wide: boolean } {
  const single = (target: Target) => target.path !== undefined && !target.glob && facts.file(target.path).kind !== 'dir';
  const named = effect.paths.filter(single).flatMap((target) => target.path ?? []);
  const wide = effect.all || effect.paths.length === 0 || named.length < effect.paths.length;
  if (!wide) return { paths: named, wide };
  if (effect.update)
    return { paths: [...new Set([...named, ...changed(effect.repo, effect.all ? undefined : effect.paths, 'modified', facts)])], wide };
  return {
    paths: [...new Set([...named, ...fresh(effect, effect.all ? [] : effect.paths.filter((target) => !single(target)), facts)])],
    wide,
  };
}

function heldIn(path: string, effect: EffectOf<'git.stage'> | undefined, facts: Asks): Held | undefined {
  const folder = facts.file(path).kind === 'dir' ? path.replace(/\/$/, '') : undefined;
  const inside =
    folder === undefined || effect === undefined
      ? [path]
      : USUAL.map((name) => `${folder}/${name}`).filter(
          (each) => facts.file(each).kind === 'file' && fresh(effect, [{ path: each, prefix: each, raw: each }], facts).length > 0,
        );
  for (const each of inside) {
    const secret = facts.secret(each);
    if (secret && secret.holds !== false) return { path: each, what: secret.what, tracked: facts.file(each).tracked === true };
    const credential = secret ? undefined : facts.credential(each);
    if (credential) return { path: each, what: `a file with ${credential.what} in line ${credential.line}`, tracked: false };
  }
  return undefined;
}

/** What is staged already, by whomever, and goes into this commit. */
function committed(effect: EffectOf<'git.commit'>, facts: Asks): Finding | undefined {
  const staged = changed(effect.repo, effect.paths.length > 0 ? effect.paths : undefined, 'new', facts);
  const held = staged.flatMap((path) => heldIn(path, undefined, facts) ?? []);
  const [first] = held;
  if (!first) return undefined;
  const shown = held.map((each) => facts.show(each.path));
  return {
    says: `This would commit ${names(shown)}, which ${held.length === 1 ? 'is' : 'are'} staged already: ${first.what}.`,
    boundary: `git.stage ${first.path} secret`,
    remedies: [
      {
        kind: 'run',
        run: quoteLine(['git', 'restore', '--staged', '--', ...shown]),
        because: 'takes it out of the commit, the file stays; then the same call passes',
        then: 'again',
      },
      {
        kind: 'ask',
        ask: `May I commit ${facts.show(first.path)}? It holds a credential.`,
        because: 'a pushed credential has to be replaced',
      },
    ],
  };
}

export default defineRule({
  name: 'secret-stage',
  group: 'secrets',
  level: 'deny',
  summary: 'Do not stage files that hold credentials.',
  why: `
    A commit is copied by every clone and push, and taking it out again means rewriting history. \`git add .\` takes along
    what nobody listed in .gitignore, and \`git add -f\` what somebody did.
  `,
  evidence:
    'Public reports: a force-added ignored file with real passwords, local agent settings with a live key committed (cases, kind secret). In about 6,000 real agent calls it does not speak. ' +
    'Content counts only for tokens with a published form outside tests and documents. Reopen it when the push gate scans commits.',
  on: ['git.stage', 'git.commit'],
  needs: ['secret', 'credential', 'lost', 'file', 'show', 'dirty'],
  category: 'sensitive-data',
  persistence: 'state-change',
  quiet: ['templates, public keys, files without a credential in them', 'ignored files that are not forced', 'test data and documents'],

  judge(effect, { facts }) {
    if (effect.kind === 'git.commit') return committed(effect, facts);
    const { paths, wide } = candidates(effect, facts);
    const held = paths.flatMap((path) => heldIn(path, effect, facts) ?? []);
    const [first] = held;
    if (!first) return;
    const bad = new Set(held.map((each) => each.path));
    const others = paths.filter((path) => !bad.has(path) && !heldIn(path, effect, facts) && facts.file(path).kind !== 'absent');
    // Ignoring does nothing for a file that git has already.
    const ignore = held.filter((each) => facts.file(each.path).tracked !== true).map((each) => facts.show(each.path));
    const remedies: Remedy[] = [];
    if (
      wide &&
      !effect.force &&
      ignore.length > 0 &&
      ignore.every((name) => !name.startsWith('/') && !name.startsWith('~') && !name.startsWith('..'))
    )
      remedies.push({
        kind: 'run',
        run: `printf '%s\\n' ${ignore.map(quote).join(' ')} >> .gitignore`,
        because: 'keeps it out of git; then the same call passes',
        then: 'again',
      });
    if (others.length > 0 && others.length <= 20 && (!wide || remedies.length === 0))
      remedies.push({
        kind: 'run',
        run: quoteLine(['git', 'add', '--', ...others.map((path) => facts.show(path))]),
        because: 'the other files by name',
      });
    if (remedies.length === 0)
      remedies.push({ kind: 'run', run: 'git status --short', because: 'shows what else there is to stage, file by file' });
    const ask: Remedy = {
      kind: 'ask',
      ask: `May I commit ${facts.show(first.path)}? It holds a credential.`,
      because: 'a pushed credential has to be replaced',
    };
    return {
      says: `This would stage ${names(held.map((each) => facts.show(each.path)))}: ${first.what}.`,
      ...(held.every((each) => each.tracked) ? { level: 'advise' as const } : {}),
      boundary: `git.stage ${first.path} secret`,
      remedies: [remedies[0] as Remedy, ...remedies.slice(1), ask],
    };
  },

  examples: {
    catches: [
      { run: 'git add -f .env', given: ["echo 'DB_PASSWORD=fake-hunter2-9c0b7a2e' > .env"], why: 'the ignore rule is overridden' },
      { run: 'git add .env.local src/app.ts', given: ["echo 'API_KEY=fake-4f1d9c0b7a2e' > .env.local", 'echo 1 >> src/app.ts'] },
      { run: 'git add .', given: ["echo 'API_KEY=fake-4f1d9c0b7a2e' > .env.production"], why: 'nothing ignores it' },
      {
        run: 'git commit -m config',
        given: ["echo 'API_KEY=fake-4f1d9c0b7a2e' > .env.production", 'git add .env.production'],
        why: 'it is staged already',
      },
      {
        run: 'git add -u',
        given: ['echo "export const k = \'ghp_FAKE4f1d9c0b7a2e66d1aa02\';" >> src/app.ts'],
        why: 'a token in a changed file',
      },
      {
        run: 'git add -A && git commit -m x',
        given: ["printf '%s\\n' '-----BEGIN PRIVATE KEY-----' 'MIIEvQIBADANBg' '-----END PRIVATE KEY-----' > server.key"],
      },
      {
        run: 'git add settings.json',
        given: [`echo '{"run":"API_KEY=sk-live-4f1d9c0b7a2e66d1 node x"}' > settings.json`],
        why: 'by content',
      },
    ],
    allows: [
      { run: 'git add .env.example', given: ["echo 'API_KEY=your-key-here' > .env.example"] },
      { run: 'git add .', given: ["echo 'API_KEY=fake-4f1d9c0b7a2e' > .env"], why: 'it is ignored' },
      { run: 'git add src/app.ts', given: ['echo 1 >> src/app.ts', "echo 'API_KEY=fake-4f1d9c0b7a2e' > .env.local"] },
      { run: 'git commit -m x', given: ["echo 'API_KEY=your-key-here' > .env.example", 'git add .env.example'] },
      { run: 'git add .env.local', given: ["echo 'PORT=3000' > .env.local"], why: 'nothing secret in it' },
      { run: 'git add keys/id_ed25519.pub', given: ['mkdir keys', "echo 'ssh-ed25519 AAAAC3Nz me' > keys/id_ed25519.pub"] },
    ],
  },
});
