/** What the declared gate stands for: its recipe with a digest, and how its command is started. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Env } from '../fact/grounds.ts';
import { realLook } from '../fact/look.ts';
import { expansionOf } from '../profile/recipe.ts';
import { isExecutable, placesOf } from '../runlog/program.ts';

export interface Recipe {
  /** `sha256:` over the command and everything it expands to. */
  recipe: string;
  /** The commands behind it, for a text; the digest is over all of them. */
  expansion: readonly string[];
}

/** Entries of the expansion that a record keeps, and characters of one. */
const KEPT = 40;
const LONGEST = 300;

/** The recipe of a gate's command at the top of a repository. */
export function recipeOf(command: string, top: string, env: Env = process.env): Recipe {
  const expansion = expansionOf(command, top, realLook(env as NodeJS.ProcessEnv));
  return {
    recipe: `sha256:${createHash('sha256')
      .update(JSON.stringify([command, expansion]))
      .digest('hex')}`,
    expansion: expansion.slice(0, KEPT).map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line)),
  };
}

/** A gate's command as argv: its words where it is one plain command, else the shell that reads it. */
export function argvOf(command: string): readonly string[] {
  return plainArgv(command) ?? ['sh', '-c', command];
}

/** What only a shell can do. */
const BUILTINS = new Set([':', '.', 'cd', 'eval', 'exec', 'exit', 'export', 'set', 'source', 'ulimit', 'unset']);

/** The words of a command that no shell is needed for; undefined when one is. */
export function plainArgv(command: string): readonly string[] | undefined {
  // Anything but plain words means something to a shell, an assignment in front too.
  if (/[^\w\s./:@%+,=-]/.test(command) || command.includes('\n')) return undefined;
  const words = command.split(/\s+/).filter(Boolean);
  const [program] = words;
  return program === undefined || program.includes('=') || BUILTINS.has(program) ? undefined : words;
}

/** Why a gate's command cannot be started; undefined when nothing speaks against it. Only a plain command is looked at. */
export function gateProblem(command: string, top: string, env: Env = process.env): string | undefined {
  const name = plainArgv(command)?.[0];
  if (name === undefined) return undefined;
  const candidates = placesOf(name, top, env);
  if (candidates.some(isExecutable)) return undefined;
  const there = candidates.find((file) => statSync(file, { throwIfNoEntry: false }));
  return there === undefined
    ? `there is no program ${JSON.stringify(name)}${name.includes('/') ? ` in ${top}` : ' on PATH'}`
    : `${there} cannot be executed: run chmod +x ${there}`;
}
