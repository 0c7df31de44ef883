/** Real repositories for the tests of this folder, each in a directory of its own. Only tests import it. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Action } from '../action/action.ts';
import { shellAction } from '../action/fixture.ts';
import type { Target } from '../effect/effect.ts';
import { pathTarget } from '../effect/family.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import type { Facts } from './facts.ts';
import { realFacts } from './real.ts';

const DATES = { GIT_AUTHOR_DATE: '2026-01-05T10:00:00Z', GIT_COMMITTER_DATE: '2026-01-05T10:00:00Z' };

const TEMPLATE = `
mkdir -p work/repo/src home/Documents tmp state
echo 'export PATH' > home/.profile
echo 'Dear reader' > home/Documents/letter.txt
git init -q --bare --template= work/origin.git
cd work/repo
git init -q --template=
mkdir .git/hooks .git/info
printf '%s\\n' node_modules dist build .env > .gitignore
echo '# repo' > README.md
echo 'export const app = 1;' > src/app.ts
echo 'export const util = 1;' > src/util.ts
echo '{"name":"repo"}' > package.json
git add .
git commit -q -m 'first version'
git switch -q -c feat/x
git remote add origin ../origin.git
git push -q -u origin main feat/x
git remote set-head origin main
`;

export interface Sandbox {
  root: string;
  repo: string;
  home: string;
  tmp: string;
  env: NodeJS.ProcessEnv;
  /** Runs bash lines in the repository. */
  run(script: string, cwd?: string): string;
  facts(cwd?: string, options?: { policy?: typeof DEFAULT_POLICY }): Facts;
  /** Targets below the repository, or absolute. */
  at(...paths: string[]): Target[];
  remove(): void;
}

let template: string | undefined;
let base: string | undefined;
let made = 0;

/** The folder of all sandboxes of this process; removed when the process ends. */
function baseFolder(): string {
  if (base) return base;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waygate-fact-')));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  base = folder;
  return folder;
}

/** A fresh sandbox; the template is made once for a process. */
export function sandbox(): Sandbox {
  const folder = baseFolder();
  const make = (root: string) => {
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, 'gitconfig'), '[user]\n\tname = Dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n');
  };
  const envOf = (root: string): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    HOME: join(root, 'home'),
    TMPDIR: join(root, 'tmp'),
    XDG_STATE_HOME: join(root, 'state'),
    GIT_CONFIG_GLOBAL: join(root, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C.UTF-8',
  });
  const bash = (script: string, cwd: string, root: string) =>
    execFileSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd,
      env: { ...envOf(root), ...DATES },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  if (template === undefined || !existsSync(template)) {
    template = join(folder, 'template');
    make(template);
    bash(TEMPLATE, template, template);
  }
  const root = join(folder, `box-${++made}`);
  cpSync(template, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const repo = join(root, 'work', 'repo');
  bash(`git config remote.origin.url ${join(root, 'work', 'origin.git')}; git update-index -q --refresh`, repo, root);
  return {
    root,
    repo,
    home: join(root, 'home'),
    tmp: join(root, 'tmp'),
    env: envOf(root),
    run: (script, cwd = repo) => bash(script, cwd, root),
    facts: (cwd = repo, options = {}) =>
      realFacts({ cwd, workspace: repo }, options.policy ?? DEFAULT_POLICY, { env: envOf(root), budgetMs: 10_000 }),
    at: (...paths) => paths.map((path) => pathTarget(path, repo)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A shell line of the agent in a sandbox. */
export const actionIn = (box: Sandbox, line: string): Action => shellAction(line, box.repo);
