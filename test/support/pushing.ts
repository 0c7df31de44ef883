/** Sandboxes whose git asks waygate before it pushes, and pushing in them as a person or an agent does. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { uninstall } from '../../cmd/waygate/uninstall.ts';
import { waygate } from './cli.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

/** A commit with a token in a file: what no push may send, whoever pushes. */
export const SECRET = [
  `mkdir -p src && printf "export const key = '%s%s';\\n" AKIA Q7RT5WX2N4KP8LM3 > src/client.ts`,
  'git add -f src/client.ts',
  "git commit -q -m 'client'",
];

/** A commit that may go out. */
export const PLAIN = ['echo more >> README.md', "git commit -q -a -m 'more'"];

const ROOT = resolve(import.meta.dirname, '../..');

/** Programs of node_modules that tests run beside waygate; undefined where they are not installed. */
export const HUSKY = found(join(ROOT, 'node_modules', 'husky', 'bin.js'));
export const LEFTHOOK = found(join(ROOT, 'test', 'tools', 'node_modules', 'lefthook', 'bin', 'index.js'));

function found(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

/** A sandbox with a data folder of its own. */
export function machine(given: readonly string[] = []): Sandbox {
  const box = sandbox(given);
  box.env['XDG_DATA_HOME'] = join(box.home, '.local', 'share');
  return box;
}

/** The same with git's hook wired. `before`: what is there by then. */
export function wired(before: readonly string[] = [], options: readonly string[] = []): Sandbox {
  const box = machine(before);
  const { code, stderr } = waygate(box, ['init', '--git', ...options]);
  if (code !== 0) throw new Error(`init --git ended with ${code}: ${stderr}`);
  return box;
}

/** What a line in bash came to. Its output is what a person saw. */
export interface Seen {
  code: number | null;
  output: string;
}

/** Runs bash lines as a person in a terminal: `cwd` and `env` as given. */
export function typed(box: Sandbox, line: string, { cwd = box.repo, env = {} }: { cwd?: string; env?: Record<string, string> } = {}): Seen {
  const result = spawnSync('bash', ['-c', line], {
    cwd,
    env: { ...box.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  return { code: result.status, output: `${result.stdout}${result.stderr}` };
}

/** The environment that an agent's host gives its shell. */
export const AGENT = { CLAUDECODE: '1' };

/** Takes the wiring out in this process: the built verb asks a person on a terminal. */
export async function takenOut(box: Sandbox, { everywhere = false } = {}): Promise<void> {
  const saved = { ...process.env };
  const was = process.cwd();
  Object.assign(process.env, box.env);
  process.chdir(box.repo);
  const { write } = process.stdout;
  const { write: writeError } = process.stderr;
  process.stdout.write = () => true;
  process.stderr.write = () => true;
  try {
    await uninstall({ host: 'claude-code', git: !everywhere }, async () => {});
  } finally {
    process.stdout.write = write;
    process.stderr.write = writeError;
    process.chdir(was);
    process.env = saved;
  }
}

/** Every entry of a directory: name, mode, and bytes or where a link leads. */
export function snapshot(dir: string): Readonly<Record<string, string>> {
  if (!existsSync(dir)) return {};
  const entries: Record<string, string> = {};
  for (const name of readdirSync(dir).sort()) {
    const path = join(dir, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) Object.assign(entries, prefixed(name, snapshot(path)));
    else
      entries[name] = stat.isSymbolicLink()
        ? `-> ${readlinkSync(path)}`
        : `${(stat.mode & 0o777).toString(8)} ${readFileSync(path, 'base64')}`;
  }
  return entries;
}

const prefixed = (folder: string, entries: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [`${folder}/${name}`, value]));

/** What a ref of the bare remote stands at; '' when it is not there. */
export const remoteTip = (box: Sandbox, ref: string): string =>
  typed(box, `git --git-dir=${join(box.work, 'origin.git')} rev-parse -q --verify ${ref} || true`).output.trim();
