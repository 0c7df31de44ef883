/** make: the targets of a Makefile. */
import { resolve } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import { readMakefile } from './makefile.ts';
import type { Runner } from './profile.ts';
import { callOf, MAX_TARGETS, targetOf } from './target.ts';

const CALL = 'make {target}';

/** The targets of a directory's Makefile; undefined when there are none. `named`: another file than make looks for. */
export function makeRunner(dir: string, look: Look, named?: string): Runner | undefined {
  const made = readMakefile(dir, look, named);
  const found = made?.targets.filter(
    (target) => !target.name.startsWith('.') && (target.recipe.length > 0 || target.needs.length > 0 || target.phony),
  );
  if (!made || !found || found.length === 0) return undefined;
  const names = new Set(found.map((target) => target.name));
  const isTarget = (name: string) => names.has(name);
  const call = named === undefined ? CALL : `make -f ${named} {target}`;
  return {
    name: 'make',
    dir,
    file: made.file,
    combine: 'args',
    call,
    pass: undefined,
    durations: false,
    ...(made.initial !== undefined && isTarget(made.initial) ? { initial: made.initial } : {}),
    targets: found.slice(0, MAX_TARGETS).map((target) => ({
      ...targetOf(
        {
          name: target.name,
          recipe: target.recipe,
          text: target.text,
          includes: target.needs.filter(isTarget),
          // A target that is no mere name is the file it makes.
          writes: !target.phony && target.recipe.length > 0 && /[./]/.test(target.name) ? [resolve(dir, target.name)] : [],
          command: callOf(call, target.name),
          origin: { file: target.file, line: target.line },
        },
        { runner: 'make', dir, isTarget },
      ),
      ...(target.sets.length > 0 ? { sets: target.sets } : {}),
    })),
  };
}
