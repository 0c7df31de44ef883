import { argument, defineRule, quote, type Remedy, targetRuns, ways } from '../../internal/rule/rule.ts';

/** The form of each manager that applies the lock file as it is, and that lock file. */
const FROZEN: Readonly<Record<string, readonly [lock: string, run: string]>> = {
  npm: ['package-lock.json', 'npm ci'],
  pnpm: ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
  bun: ['bun.lock', 'bun install --frozen-lockfile'],
  uv: ['uv.lock', 'uv sync --locked'],
};

export default defineRule({
  name: 'dependency-install',
  group: 'run',
  level: 'deny',
  summary: "Install dependencies through the workspace's own target.",
  why: `
    The target that installs knows the order, the right manager and its options, and it may do more than one thing. A raw install resolves
    anew where it should apply the lock file, and the changed lock file ends up in a commit nobody meant.
  `,
  evidence:
    'The project this comes from had it as advice and made it a refusal (ADR 0013, no count given). Speaks only where the workspace has an install target that runs this manager. Would reopen it: targets that install more than the call needed.',
  on: 'package.resolve',
  needs: ['profile', 'file', 'place', 'show'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'no install target, or one that does not run this manager',
    'forms that apply the lock file: `npm ci`, `--frozen-lockfile`, `--locked`',
    'named packages: dependency-update',
    'outside the workspace, global tools',
    'a runner that is itself among the dependencies, before they are there',
    'the recipe of the target itself',
  ],

  judge(effect, { facts }) {
    if (effect.op !== 'install' || effect.frozen || effect.remote || effect.script !== undefined || effect.cwd === undefined) return;
    const place = facts.place(effect.cwd);
    if (place !== 'workspace' && place !== 'repository') return;
    const profile = facts.profile(effect.cwd);
    const target = profile?.install;
    const runs = profile && target && targetRuns(profile, target, effect.by);
    if (!runs?.calls) return;
    const { runner } = runs;
    if (!profile || !target || (/\b(?:nx|turbo|lerna)\b/.test(target.command) && facts.file(`${profile.root}/node_modules`).kind !== 'dir'))
      return;
    const at = (dir: string, run: string) => (facts.show(dir) === '.' ? run : `(cd ${quote(argument(dir, facts.show))} && ${run})`);
    const [lock, frozen] = FROZEN[effect.by] ?? [];
    const applies: Remedy | undefined =
      lock !== undefined && frozen !== undefined && facts.file(`${effect.cwd}/${lock}`).kind === 'file'
        ? { kind: 'run', run: at(effect.cwd, frozen), because: `applies ${lock} as it is` }
        : undefined;
    const install: Remedy = {
      kind: 'run',
      run: at(runner.dir, target.command),
      because: `installs as the workspace does it (${target.name})`,
    };
    return {
      says: `\`${effect.source}\` goes past \`${target.command}\`, which installs the dependencies here, and may resolve them anew.`,
      boundary: `package.resolve ${effect.cwd} install`,
      remedies: applies ? [install, applies] : ways(install),
    };
  },

  examples: {
    catches: [
      { run: 'npm install', given: ["printf 'setup:\\n\\tnpm ci\\n' > Makefile"] },
      {
        run: 'pip install -r requirements.txt',
        given: ["printf 'deps:\\n\\tpip install --require-hashes -r requirements.txt\\n' > Makefile && echo requests > requirements.txt"],
      },
      { run: 'cd src && npm install --prefix ..', given: ["printf 'setup:\\n\\tnpm ci\\n' > Makefile"] },
    ],
    allows: [
      { run: 'npm install', why: 'no target installs' },
      { run: 'npm ci', given: ["printf 'setup:\\n\\tnpm ci\\n' > Makefile"], why: 'applies the lock file' },
      { run: 'make setup', given: ["printf 'setup:\\n\\tnpm install\\n' > Makefile"], why: 'the target itself' },
      { run: 'npm install -g serve', given: ["printf 'setup:\\n\\tnpm ci\\n' > Makefile"], why: 'a global tool' },
      { run: 'cd /tmp && npm install', given: ["printf 'setup:\\n\\tnpm ci\\n' > Makefile"], why: 'elsewhere' },
    ],
  },
});
