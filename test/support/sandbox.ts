/** Sandboxes: a fresh copy of one template repository with its own home, temporary folder, state and bare remote. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The built program. The generator runs this file from a bundle of its own below node_modules, so the root is looked for. */
const BUNDLE = path.join(rootAbove(import.meta.dirname), 'dist', 'waygate.cjs');

/** Where all files of one run of the tests find the compiled executable; made by build.ts. */
const EXECUTABLE = 'EXECUTABLE_OF_TESTS';

/** What starts the built program: the executable, which takes a third of the time of the bundle on Node. Both have the same code. */
const PROGRAM: readonly string[] = process.env[EXECUTABLE] ? [process.env[EXECUTABLE]] : [process.execPath, BUNDLE];

function rootAbove(dir: string): string {
  if (fs.existsSync(path.join(dir, 'hack', 'build.mjs'))) return dir;
  const parent = path.dirname(dir);
  return parent === dir ? dir : rootAbove(parent);
}

/** Fixed dates, so that commit ids are the same in each run and may stand in a generated page. */
const DATES = { GIT_AUTHOR_DATE: '2026-01-05T09:00:00Z', GIT_COMMITTER_DATE: '2026-01-05T09:00:00Z' };

const GIT_CONFIG = '[user]\n\tname = Dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n';

const MAKE_REPOSITORY = `
mkdir -p work/repo home/dev/Documents tmp state bin
echo 'Dear Sam' > home/dev/Documents/letter.txt
echo 'export PATH="$HOME/bin:$PATH"' > home/dev/.profile
git init -q --bare --template= work/origin.git
cd work/repo
git init -q --template=
mkdir src
echo 'export const app = 1;' > src/app.ts
echo 'export const util = 1;' > src/util.ts
echo '# repo' > README.md
printf '%s\\n' node_modules dist build .env .staging-out > .gitignore
printf '%s\\n' '{' '  "name": "repo",' '  "version": "1.0.0",' '  "scripts": {' '    "test": "echo test",' '    "lint": "echo lint",' '    "build": "echo build"' '  }' '}' > package.json
git add .
git commit -q -m 'first version'
git switch -q -c feat/x
git remote add origin ../origin.git
git push -q -u origin main feat/x
git remote set-head origin main
`;

/** One sandbox. All paths are absolute and real. */
export interface Sandbox {
  root: string;
  work: string;
  repo: string;
  home: string;
  tmp: string;
  state: string;
  env: Record<string, string>;
}

const placesIn = (root: string): Sandbox => {
  const home = path.join(root, 'home', 'dev');
  const tmp = path.join(root, 'tmp');
  const state = path.join(root, 'state');
  return {
    root,
    work: path.join(root, 'work'),
    repo: path.join(root, 'work', 'repo'),
    home,
    tmp,
    state,
    env: {
      PATH: `${path.join(root, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
      HOME: home,
      TMPDIR: tmp,
      XDG_STATE_HOME: state,
      XDG_CONFIG_HOME: path.join(home, '.config'),
      GIT_CONFIG_GLOBAL: path.join(root, 'gitconfig'),
      GIT_CONFIG_NOSYSTEM: '1',
      LC_ALL: 'C.UTF-8',
    },
  };
};

let base: string | undefined;
let made = 0;

/** Where all files of one run of the tests find the template and the sandboxes that none of them changes; made by build.ts. */
const SHARED = 'SANDBOXES_OF_TESTS';

/** A folder for one run of the tests, with the template in it. `compile` makes the executable, unless it cannot here. Who calls it removes it. */
export async function sharedFolder(compile: (outfile: string) => Promise<boolean>): Promise<string> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'waygate-tests-')));
  const executable = path.join(folder, 'program', process.platform === 'win32' ? 'waygate.exe' : 'waygate');
  fs.mkdirSync(path.dirname(executable));
  const compiled = await compile(executable);
  if (compiled) process.env[EXECUTABLE] = executable;
  makeTemplate(folder, compiled ? [executable] : PROGRAM);
  process.env[SHARED] = folder;
  return folder;
}

/** The folder of all sandboxes of this process; removed when the process ends. */
function baseFolder(): string {
  if (base) return base;
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'waygate-test-')));
  const folder = base;
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  if (process.env[SHARED] === undefined) makeTemplate(folder, PROGRAM);
  return base;
}

const templateFolder = (): string => path.join(process.env[SHARED] ?? baseFolder(), 'template');

function makeTemplate(folder: string, program: readonly string[]): void {
  const template = placesIn(path.join(folder, 'template'));
  fs.mkdirSync(template.root);
  fs.writeFileSync(path.join(template.root, 'gitconfig'), GIT_CONFIG);
  shell(MAKE_REPOSITORY, template.root, template.env);
  fs.writeFileSync(path.join(template.root, 'bin', 'waygate'), `#!/bin/sh\nexec ${program.join(' ')} "$@"\n`, { mode: 0o755 });
}

function shell(script: string, cwd: string, env: Record<string, string>): string {
  return execFileSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd,
    env: { ...env, ...DATES },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A fresh sandbox with these bash lines run in its repository. `instead`: one that is taken away, its place is used again. */
export function sandbox(given: readonly string[] = [], instead?: Sandbox): Sandbox {
  const root = instead?.root ?? path.join(baseFolder(), `box-${++made}`);
  if (instead) remove(instead);
  return filledBox(root, given);
}

/**
 * A sandbox that no test changes, made once for all files of the run. undefined: another file is just making it, or each file is by itself.
 */
export function sharedSandbox(given: readonly string[]): Sandbox | undefined {
  const shared = process.env[SHARED];
  if (shared === undefined) return undefined;
  const root = path.join(shared, createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 20));
  const done = `${root}.done`;
  if (fs.existsSync(done)) return placesIn(root);
  try {
    fs.mkdirSync(`${root}.making`);
  } catch {
    return undefined;
  }
  const box = filledBox(root, given);
  fs.writeFileSync(done, '');
  return box;
}

function filledBox(root: string, given: readonly string[]): Sandbox {
  execFileSync('cp', ['-a', templateFolder(), root]);
  const box = placesIn(root);
  // The copies are new files to git: without a refresh its plumbing would take each of them for modified.
  shell(['git update-index -q --refresh', ...given].join('\n'), box.repo, box.env);
  return box;
}

export const remove = (box: Sandbox): void => fs.rmSync(box.root, { recursive: true, force: true, maxRetries: 3 });

/** Runs a line in a sandbox as the agent's shell would. */
export function runLine(line: string, box: Sandbox, cwd = box.repo): { code: number; output: string } {
  try {
    return {
      code: 0,
      output: execFileSync('bash', ['-c', line], {
        cwd,
        env: { ...box.env, ...DATES },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 20_000,
      }),
    };
  } catch (error) {
    const failed = error as { status: number | null; stdout?: string; stderr?: string };
    return { code: failed.status ?? -1, output: `${failed.stdout ?? ''}${failed.stderr ?? ''}` };
  }
}

/** Puts `{{repo}}`, `{{home}}`, `{{tmp}}`, `{{work}}`, `{{state}}` into a text. */
export const filled = (text: string, box: Sandbox): string =>
  text.replace(/\{\{(repo|home|tmp|work|state)\}\}/g, (_all, name: 'repo' | 'home' | 'tmp' | 'work' | 'state') => box[name]);

export { BUNDLE, PROGRAM };
