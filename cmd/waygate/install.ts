/** Where the wired program lies: outside every workspace, so that removing node_modules or a name on PATH opens no door. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { quoteLine } from '../../internal/rule/quote.ts';
import { isCompiled, ownProgram } from './compose.ts';
import { schemaText } from './schema.ts';

declare const WAYGATE_VERSION: string;

export interface Installation {
  /** argv of the program, without the verb. */
  argv: readonly string[];
  /** Files that are copied, source and destination. Empty when the program already lies well. */
  copies: readonly (readonly [from: string, to: string])[];
}

/** `$XDG_DATA_HOME/waygate`, default `~/.local/share/waygate`. */
export function dataDir(env: NodeJS.ProcessEnv = process.env): string {
  const base = env['XDG_DATA_HOME'];
  return join(base && isAbsolute(base) ? base : join(env['HOME'] || homedir(), '.local', 'share'), 'waygate');
}

/** Where this program is to be wired from. Changes nothing. */
export function plannedInstallation(): Installation {
  const target = join(dataDir(), WAYGATE_VERSION);
  if (isCompiled()) {
    const own = process.execPath;
    if (liesWell(own)) return { argv: [own], copies: [] };
    const to = join(target, basename(own));
    return { argv: [to], copies: [[own, to]] };
  }
  const entry = ownProgram()[1]!;
  const from = dirname(entry);
  const to = join(target, basename(entry));
  if (from === target) return { argv: [process.execPath, entry], copies: [] };
  const copies = readdirSync(from)
    .filter((name) => name.endsWith('.cjs') || name.endsWith('.cache'))
    .map((name) => [join(from, name), join(target, name)] as const);
  return { argv: [process.execPath, to], copies };
}

/** Copies the program. Each file is put in place whole: a hook may be starting from there at this moment. */
export function install(plan: Installation): void {
  for (const [from, to] of plan.copies) {
    mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
    const temporary = `${to}.${process.pid}`;
    copyFileSync(from, temporary);
    renameSync(temporary, to);
  }
  mkdirSync(dirname(schemaFile()), { recursive: true, mode: 0o755 });
  writeFileSync(schemaFile(), schemaText());
}

/** The schema of waygate.yaml, beside the program. */
export const schemaFile = (): string => join(dataDir(), WAYGATE_VERSION, 'waygate.schema.json');

/** The command line a host runs. */
export const hookCommand = (plan: Installation, host: string): string => quoteLine([...plan.argv, 'hook', '--host', host]);

/** In no repository, not below node_modules, and not in a directory for temporary files. */
function liesWell(path: string): boolean {
  const place = realpathSync(path);
  if (place.split(/[\\/]/).includes('node_modules') || place.startsWith('/tmp/') || place.startsWith('/var/tmp/')) return false;
  for (let at = dirname(place); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return false;
    if (at === dirname(at)) return true;
  }
}
