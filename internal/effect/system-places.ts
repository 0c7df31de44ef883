/**
 * What it means to change a file at certain places, whoever changes it: a shell, an editing tool, a copy.
 * The file families tell what happens to the file; this adds what follows for the machine.
 */
import { posix } from 'node:path';
import { quoteLine } from '../rule/quote.ts';
import type { Look } from '../shell/command.ts';
import type { Base, Effect, Target } from './effect.ts';
import { staysAt } from './system-persistence.ts';
import { isRights, setsUid } from './system-privilege.ts';
import { stateAt } from './system-state.ts';

/** The places an effect leaves something at. */
function placesOf(effect: Effect): readonly Target[] {
  switch (effect.kind) {
    case 'file.write':
      return effect.targets;
    case 'file.copy':
    case 'file.move':
      return [effect.dest, ...effect.sources.flatMap((source) => inside(effect.dest, source))];
    case 'file.sync':
      return effect.remoteDest ? [] : [effect.dest, ...inside(effect.dest, effect.from)];
    case 'file.link':
      return [effect.at];
    default:
      return [];
  }
}

/** Where a source lands when the destination is a directory. */
function inside(dest: Target, source: Target): Target[] {
  if (dest.path === undefined || source.path === undefined) return [];
  const path = posix.join(dest.path, posix.basename(source.path));
  return [{ path, prefix: path, raw: path }];
}

const baseFrom = (effect: Effect): Base => ({
  step: effect.step,
  given: effect.given,
  certain: effect.certain,
  cwd: effect.cwd,
  via: effect.via,
  remote: effect.remote,
  root: effect.root,
  source: effect.source,
  by: effect.by,
});

/** The effects that follow from effects on files. At most one of each kind for one of them. */
export function consequences(effects: readonly Effect[], look: Pick<Look, 'home'>): Effect[] {
  return effects.flatMap((effect) => (effect.remote ? [] : [...ofWrite(effect, look), ...ofMode(effect)]));
}

function ofWrite(effect: Effect, look: Pick<Look, 'home'>): Effect[] {
  for (const target of placesOf(effect)) {
    const path = target.path;
    if (path === undefined) continue;
    const base = baseFrom(effect);
    const command = effect.source;
    if (isRights(path))
      return [{ kind: 'system.privilege', ...base, how: 'rights', detail: path, preview: quoteLine(['ls', '-l', path]), command }];
    const stays = staysAt(path, look.home);
    if (stays)
      return [
        { kind: 'system.persistence', ...base, how: stays.how, what: stays.what, target, preview: quoteLine(['ls', '-l', path]), command },
      ];
    const state = stateAt(path);
    if (state) return [{ kind: 'system.state', ...base, how: state.how, detail: `\`${path}\`: ${state.detail}`, target, command }];
  }
  return [];
}

/** Rights on the files that say who may do what, and setuid set by a program instead of chmod. */
function ofMode(effect: Effect): Effect[] {
  if (effect.kind !== 'file.mode') return [];
  const rights = effect.targets.find((target) => isRights(target.path));
  if (rights?.path !== undefined)
    return [
      {
        kind: 'system.privilege',
        ...baseFrom(effect),
        how: 'rights',
        detail: rights.path,
        preview: quoteLine(['ls', '-l', rights.path]),
        command: effect.source,
      },
    ];
  if (effect.by === 'chmod' || effect.change !== 'mode' || !setsUid(effect.value)) return [];
  return [
    {
      kind: 'system.privilege',
      ...baseFrom(effect),
      how: 'setuid',
      detail: effect.targets.map((target) => target.raw).join(' '),
      command: effect.source,
    },
  ];
}
