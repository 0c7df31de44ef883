import { defineRule, type Effect, type EffectOf, effectsOn, quote, type Remedy, type Target } from '../../internal/rule/rule.ts';

type Ask = { secret(path: string): { what: string; holds: boolean | undefined } | undefined; show(path: string): string };

/** The first target that is a credential file with something in it. What cannot be looked at counts by its name. */
function secretAmong(targets: readonly Target[], remote: boolean, facts: Ask): { path: string; what: string; known: boolean } | undefined {
  for (const target of targets) {
    const known = target.path !== undefined && !target.glob;
    for (const path of known ? [target.path as string] : guesses(target)) {
      const secret = facts.secret(path);
      if (!secret || (known && !remote && secret.holds === false)) continue;
      // In an assumed clean world a name is all there is, and it holds nothing.
      if (!known && target.glob && secret.holds === false && target.path !== undefined && !path.includes('*')) return undefined;
      return { path: target.path ?? target.raw, what: secret.what, known: known && !remote };
    }
  }
  return undefined;
}

/** What the line itself made of a credential file before: a link, a copy or a rename of it under another name. */
function origin(path: string, effects: readonly Effect[]): Target | undefined {
  const [link] = effectsOn('file.link', path, effects);
  if (link) return link.target;
  return (['file.copy', 'file.move'] as const)
    .map(
      (kind) =>
        effectsOn(kind, path, effects)
          .slice(0, ARRIVALS)
          .find((each) => each.dest.path === path)?.sources[0],
    )
    .find((source) => source !== undefined);
}

/** Copies onto one path that are looked at. */
const ARRIVALS = 32;

/** Words of names that may hold a credential, or start such a name. */
const SUSPECT = /key|secret|token|pass|pwd|auth|cred|private|sign|dsn|url|uri|db|database|sql|redis|mongo|mail|smtp|aws|api|_$/i;

/** Programs that pack what they read into one file. */
const PACKERS = new Set(['tar', 'zip', '7z', '7za', 'rar', 'gtar', 'bsdtar']);

/** Names that a glob or an unknown start could stand for. */
function guesses(target: Target): string[] {
  const text = (target.path ?? target.raw).replace(/["']/g, '');
  return [text.replace(/[*?]/g, ''), text.replace(/\?/g, 's').replace(/\*/g, '')];
}

/** A path for the caller's shell: relative where that is the shorter name of the same file. */
function pasteable(path: string, facts: Ask): string {
  const shown = facts.show(path);
  return quote(path.endsWith(`/${shown}`) ? shown : path);
}

/** Shows what is in the file without its values. */
function namesOnly(path: string, what: string, facts: Ask): string {
  if (what === "a process's environment") return 'printenv | cut -d= -f1';
  const file = pasteable(path, facts);
  if (
    /environment file|infrastructure variables|cloud (credentials|configuration)|registry configuration|database login/.test(what) &&
    !path.endsWith('.json')
  )
    return `cut -d= -f1 ${file}`;
  return path.endsWith('.json') ? `jq keys ${file}` : `ls -l ${file}`;
}

function ofVariable(effect: EffectOf<'secret.read'>, variable: string) {
  const remedy: Remedy = {
    kind: 'run',
    run: `test -n "$${variable}" && echo set`,
    because: 'tells whether it is there without showing it',
  };
  return {
    says: `\`${effect.how}\` would print the value of \`${variable}\`.`,
    boundary: `secret.read $${variable}`,
    remedies: [remedy] as const,
  };
}

export default defineRule({
  name: 'secret-read',
  group: 'secrets',
  level: 'deny',
  summary: 'Do not print credentials; look at their names.',
  why: `
    What a command prints goes into the transcript, to the model's provider and into every log of the session, and a
    printed key has to be replaced. Names are nearly always enough: whether a variable is there, what it is called.
    A program may read its own credentials; only showing them is caught.
  `,
  evidence:
    'Public reports: Read was denied and `cat .env` was not; `grep KEY .dev.vars` printed the values; `echo $ANTHROPIC_API_KEY` passed a rule that knew `$API_KEY` only (cases, kind secret). ' +
    'In about 6,000 real agent calls some ten print a real .env; those that cut the values off pass. Reopen it when a host redacts its own tool results.',
  on: ['file.read', 'file.copy', 'secret.read', 'secret.dump'],
  needs: ['secret', 'secretVariable', 'show', 'file'],
  category: 'sensitive-data',
  persistence: 'narrower-scope',
  quiet: [
    'templates (`.env.example`), public keys, client configuration, a file without a credential in it',
    'only names are printed: `cut -d= -f1`, `grep -o "^[A-Z_]*="`, `sed "s/=.*/=/"`, counts, file names',
    'the value goes to another program and is not shown: `source .env`, `cat token | docker login --password-stdin`',
    "printing the whole environment and a store's own `get` verbs are advice",
  ],

  wrappings: { substitution: 'a value that is kept in a variable is not shown' },

  judge(effect, { facts, effects }) {
    if (effect.kind === 'secret.dump') {
      if (!effect.shown) return;
      return {
        level: 'advise',
        says: `\`${effect.how}\` prints ${effect.what}, keys and tokens included.`,
        boundary: 'secret.dump environment',
        remedies: [{ kind: 'run', run: effect.instead ?? 'printenv | cut -d= -f1', because: 'names only' }],
      };
    }
    if (effect.kind === 'secret.read') {
      if (!effect.shown) return;
      if (effect.variable !== undefined) return facts.secretVariable(effect.variable) ? ofVariable(effect, effect.variable) : undefined;
      const ask: Remedy = {
        kind: 'ask',
        ask: `May \`${effect.how}\` print ${effect.what} into this session?`,
        because: 'what is printed stays in the transcript',
      };
      return {
        says: `\`${effect.how}\` prints ${effect.what}${effect.path?.path ? ` (\`${facts.show(effect.path.path)}\`)` : ''}.`,
        ...(effect.mild ? { level: 'advise' as const } : {}),
        boundary: `secret.read ${effect.path?.path ?? effect.how}`,
        remedies: effect.instead ? [{ kind: 'run', run: effect.instead, because: 'shows that it is there, not what it is' }, ask] : [ask],
      };
    }
    if (effect.kind === 'file.copy') {
      const found = secretAmong(effect.sources, effect.remote, facts);
      const to = effect.dest.path;
      if (!found || to === undefined || effect.dest.slash || facts.secret(to) || facts.file(to).kind === 'dir' || /^\/dev\//.test(to))
        return;
      return {
        says: `This would put a copy of \`${facts.show(found.path)}\`, ${found.what}, under a name that nothing protects.`,
        boundary: `secret.read ${found.path}`,
        remedies: [
          { kind: 'run', run: namesOnly(found.path, found.what, facts), because: 'shows what there is without the values' },
          {
            kind: 'ask',
            ask: `May I copy ${facts.show(found.path)} to ${facts.show(to)}?`,
            because: 'the copy is neither ignored by git nor recognized as a credential',
          },
        ],
      };
    }
    const packs = !effect.shown && PACKERS.has(effect.by);
    if (!effect.shown && !packs) return;
    const targets = effect.targets.map((target) => (target.path === undefined ? target : (origin(target.path, effects) ?? target)));
    const found = secretAmong(targets, effect.remote, facts);
    if (!found) return;
    const name = facts.show(found.path);
    const ask: Remedy = {
      kind: 'ask',
      ask: `May I ${packs ? 'pack' : 'read'} the values in ${name}?`,
      because: packs
        ? 'the archive is neither ignored by git nor recognized as a credential'
        : 'they would stand in the transcript from then on',
    };
    return {
      // A few lines of a file that cannot be looked at, chosen by a word that names no credential.
      says: packs
        ? `\`${effect.by}\` would pack \`${name}\`, ${found.what}, into a file that nothing protects.`
        : `\`${effect.by}\` would print the values in \`${name}\`, ${found.what}.`,
      ...(!found.known && effect.selects && !effect.selects.some((word) => SUSPECT.test(word)) ? { level: 'advise' as const } : {}),
      person: `The agent wanted to ${packs ? 'pack' : 'print'} ${name}, ${found.what}.`,
      boundary: `secret.read ${found.path}`,
      remedies: found.known
        ? [{ kind: 'run', run: namesOnly(found.path, found.what, facts), because: 'names without values' }, ask]
        : [ask],
    };
  },

  examples: {
    catches: [
      { run: 'cat .env', given: ["printf '%s\\n' 'API_KEY=fake-4f1d9c0b7a2e' 'PORT=3000' > .env"] },
      { run: 'grep -n KEY .dev.vars', given: ["echo 'SIGNING_KEY=fake-77aa10cc' > .dev.vars"] },
      {
        run: 'head -3 .env.local | base64',
        given: ["echo 'DB_PASSWORD=fake-hunter2-9c0b' > .env.local"],
        why: 'another spelling of the same bytes',
      },
      { tool: 'Read', input: { file_path: '.env' }, given: ["echo 'API_KEY=fake-4f1d9c0b7a2e' > .env"] },
      { run: 'X=$(cat .env); echo "$X"', given: ["echo 'API_KEY=fake-4f1d9c0b7a2e' > .env"], why: 'printed in a second step' },
      { run: 'echo "$ANTHROPIC_API_KEY" | head -c 200', env: { ANTHROPIC_API_KEY: 'fake-4f1d9c0b7a2e' } },
      { run: 'printenv DB_PASSWORD', env: { DB_PASSWORD: 'fake-hunter2' } },
      { run: 'printenv', gets: 'advise' },
      { run: 'gh auth token', gets: 'advise' },
      {
        run: 'cat ~/.ssh/id_ed25519',
        given: [
          'mkdir -p ~/.ssh',
          "printf '%s\\n' '-----BEGIN OPENSSH PRIVATE KEY-----' 'b3BlbnNzaC1rZXk' '-----END OPENSSH PRIVATE KEY-----' > ~/.ssh/id_ed25519",
        ],
      },
    ],
    allows: [
      { run: 'cut -d= -f1 .env', given: ["echo 'API_KEY=fake-4f1d9c0b7a2e' > .env"] },
      { run: "grep -o '^[A-Z_]*=' .env", given: ["echo 'API_KEY=fake-4f1d9c0b7a2e' > .env"] },
      { run: "grep -v '^#' .env | sed 's/=.*/=<set>/'", given: ["echo 'API_KEY=fake-4f1d9c0b7a2e' > .env"] },
      { run: 'cat .env', given: ["echo 'PORT=3000' > .env"], why: 'nothing secret in it' },
      {
        run: 'grep PORT .env',
        given: ["printf '%s\\n' 'API_KEY=fake-4f1d9c0b7a2e' 'PORT=3000' > .env"],
        why: 'the lines it prints hold none',
      },
      { run: 'source .env && node server.js', given: ["echo 'API_KEY=fake-4f1d9c0b7a2e' > .env"] },
      { run: 'cat .env.example', given: ["echo 'API_KEY=your-key-here' > .env.example"] },
      { run: 'test -n "$ANTHROPIC_API_KEY" && echo set', env: { ANTHROPIC_API_KEY: 'fake-4f1d9c0b7a2e' } },
      { run: 'grep -rc "process\\.env" src' },
      { run: 'ls -la .env && wc -l .env', given: ["echo 'API_KEY=fake-4f1d9c0b7a2e' > .env"] },
    ],
  },
});
