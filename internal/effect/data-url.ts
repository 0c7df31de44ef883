/** Which database a framework's command means: DATABASE_URL of the line, of the environment, of the workspace's .env. */
import type { Command } from '../shell/command.ts';
import { textOf } from '../shell/word.ts';
import { isThrowawayUrl } from './data-input.ts';
import type { Target } from './effect.ts';
import { type EffectContext, pathTarget } from './family.ts';
import type { Call } from './infra-words.ts';

/** A database, named without its login. */
export interface Database {
  name: string;
  throwaway: boolean;
  /** It is this file. */
  file?: Target;
}

const ENV_LIMIT = 64_000;

/** The database of a command, undefined when nothing names it. Only host and name are kept, never the login. */
export function databaseOf(call: Call, command: Command, context: EffectContext): Database | undefined {
  const own = command.env.get('DATABASE_URL');
  const url =
    call.text('url', 'database-url') ??
    (own ? textOf(own) : undefined) ??
    fromLoader(command, context) ??
    context.look.env('DATABASE_URL') ??
    fromEnvFile(command, context);
  return url === undefined || url === '' ? undefined : describe(url, call, command, context);
}

const LOADERS = new Set(['dotenv', 'dotenvx', 'env-cmd', 'dotenv-cli']);

/** The file that a loader around the command is told to take: `dotenv -e .env.test -- X`, `env-cmd -f .env.test X`. */
function fromLoader(command: Command, context: EffectContext): string | undefined {
  if (!command.via.some((wrapper) => LOADERS.has(wrapper))) return undefined;
  const loader = context.commands.find((other) => LOADERS.has(other.name) && other.source.includes(command.source));
  const words = loader?.args.map((word) => textOf(word) ?? '') ?? [];
  const at = words.findIndex((word) => word === '-e' || word === '-f' || word === '--env-file');
  return at < 0 ? undefined : fromEnvFile(command, context, words[at + 1]);
}

function fromEnvFile(command: Command, context: EffectContext, file = '.env'): string | undefined {
  if (command.cwd === undefined || command.remote) return undefined;
  const path = pathTarget(file, command.cwd).path;
  const text = path === undefined ? undefined : context.look.read(path, ENV_LIMIT);
  for (const line of text?.split('\n') ?? []) {
    const match = /^\s*(?:export\s+)?DATABASE_URL\s*=\s*["']?([^"'\s]+)/.exec(line);
    if (match) return match[1];
  }
  return undefined;
}

function describe(url: string, call: Call, command: Command, context: EffectContext): Database | undefined {
  const throwaway = isThrowawayUrl(url);
  const file = /^(?:file|sqlite3?):(?:\/\/)?(.+?)(?:\?.*)?$/.exec(url)?.[1];
  if (file !== undefined && !file.includes(':memory:')) {
    // Prisma reads a relative path from the schema's directory, others from where they run: the one that exists counts.
    const bare = file.replace(/^\/\.\//, './');
    const schema = call.text('schema');
    const dirs = schema === undefined ? ['', 'prisma/'] : [schema.replace(/[^/]*\.prisma$/, '').replace(/(?<=[^/])$/, '/'), ''];
    const targets = dirs.map((dir) => pathTarget(bare.startsWith('/') ? bare : `${dir}${bare}`, command.cwd));
    const found = targets.find((target) => target.path !== undefined && context.look.stat(target.path));
    if (found) return { name: `database ${file}`, throwaway, file: found };
    // Where the schema is known the file is known as well: one that is not there holds nothing.
    const base = pathTarget(schema ?? 'prisma/schema.prisma', command.cwd).path;
    const absent = base !== undefined && context.look.stat(base) !== undefined && targets.every((target) => target.path !== undefined);
    return { name: `database ${file}`, throwaway: throwaway || absent };
  }
  const server = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/?#:]+)(?::\d+)?\/?([^?#]*)/i.exec(url);
  if (!server) return throwaway ? { name: 'the database in memory', throwaway } : undefined;
  return { name: `database ${server[2] ? `${server[2]} on ` : ''}${server[1]}`, throwaway };
}
