/**
 * The two assumed worlds of `--assume`: nothing is read, neither git nor files (contract.md).
 * worst: every named path holds content that exists nowhere else, and everything else is as bad as it can be.
 * clean: nothing is at stake. Root, home and system folders stay what they are in both.
 */
import type { Action } from '../action/action.ts';
import type { Effect, Target } from '../effect/effect.ts';
import type { GitPlace, PushRef } from '../effect/types-git.ts';
import type { Coverage } from '../gate/coverage.ts';
import { policyChange } from '../policy/change.ts';
import { isGated } from '../policy/gates.ts';
import { matches } from '../policy/match.ts';
import type { Policy } from '../policy/policy.ts';
import { withPolicy } from '../profile/declared.ts';
import { secretByName, secretVariableName } from '../secret/names.ts';
import type { Look } from '../shell/command.ts';
import { madeOnTheLine } from './checkout.ts';
import { isHidden, protectedPath, reachable } from './declared.ts';
import { changingBefore } from './earlier.ts';
import type { AtStake, CheckoutFact, DirtyFile, Facts, FileFact, LossQuestion, PushFact, Repo, Stake } from './facts.ts';
import { declaredBy } from './generated-declared.ts';
import { type Env, groundsOf } from './grounds.ts';
import { type Grounds, placeOf, showPath, within } from './places.ts';
import { isDeclaredRegenerable, regenerableAssumed } from './regenerable.ts';
import { wiringByName } from './wiring-names.ts';

export type Assumption = 'worst' | 'clean';

/** A look that sees the environment and nothing else: no file exists, no configuration is set. */
export function assumedLook(_kind: Assumption, action: Pick<Action, 'cwd' | 'workspace'>, env: Env = process.env): Look {
  const { home, temps } = groundsOf(action, env);
  return {
    env: (name) => env[name],
    home,
    tmp: temps[0] ?? '/tmp',
    stat: NOTHING_THERE,
    read: NOTHING_THERE,
    list: NOTHING_THERE,
    gitConfig: () => [],
  };
}

const NOTHING_THERE = () => undefined;

/** Facts that are assumed, not read. */
export function assumedFacts(kind: Assumption, action: Pick<Action, 'cwd' | 'workspace'>, policy: Policy, env: Env = process.env): Facts {
  const { cwd, workspace } = action;
  const { world } = latest;
  // Nothing is remembered in them: a call and its ways on are asked in the same world.
  if (
    world?.kind === kind &&
    world.action.cwd === cwd &&
    world.action.workspace === workspace &&
    world.policy === policy &&
    world.env === env &&
    env !== process.env
  )
    return latest.facts as Facts;
  const base = groundsOf(action, env);
  const inRepository = workspace !== '/' && workspace !== base.home ? workspace : undefined;
  const grounds: Grounds = {
    regenerable: (path) => isDeclaredRegenerable(path, policy) || regenerableAssumed(path, base.home, workspace),
    repository: (path) => (inRepository && within(path, inRepository) ? { top: inRepository, gitDir: `${inRepository}/.git` } : undefined),
    ...base,
  };
  latest.world = { kind, action: { cwd, workspace }, policy, env, grounds, gone: new Set(), made: new Set(), earlier: undefined };
  latest.facts = factsIn(latest.world);
  return latest.facts;
}

/** The world that was asked for last. */
const latest: { world?: Assumed; facts?: Facts } = {};

/** What one assumed world knows. `made`: paths the line itself creates before. `gone`: paths whose content the line saved before. */
interface Assumed {
  kind: Assumption;
  action: Pick<Action, 'cwd' | 'workspace'>;
  policy: Policy;
  env: Env;
  grounds: Grounds;
  made: ReadonlySet<string>;
  gone: ReadonlySet<string>;
  /** The effects of the line before. */
  earlier?: readonly Effect[];
}

const NOTHING: Stake = { items: [], more: 0, held: [] };

function factsIn(world: Assumed): Facts {
  const { kind, policy, grounds, env } = world;
  const worst = kind === 'worst';
  const show = (path: string) => showPath(path, grounds.cwd, grounds.home);
  return {
    looked: () => 1,
    lost: (question) => (worst ? worstLoss(question, world, show) : NOTHING),
    repo: (place) => repoOf(place, world),
    dirty: (place, paths) => dirtyIn(place, paths, world),
    place: (path) => placeOf(path, grounds),
    file: (path) => fileOf(path, world),
    text: () => undefined,
    textAt: () => undefined,
    secret: (path) => {
      const what = secretByName(path);
      return what === undefined ? undefined : { what, holds: worst };
    },
    credential: () => undefined,
    secretVariable: (name) => secretVariableName(name),
    push: (effect) => pushOf(effect, world),
    protectedBranch: (_repo, name) => protectedByName(name, policy, 'main'),
    protectedPath: (path, tree) => protectedPath(path, tree, policy),
    hidden: (path, tree) => isHidden(path, tree, policy),
    hiddenBelow: (path) => (isHidden(path, true, policy) ? { visible: [], direct: [] } : undefined),
    reachable: (url) => reachable(url, policy),
    unknownPackages: (_manager, names) => (worst ? names : []),
    ancestors: () => [{ pid: process.pid, name: 'waygate' }],
    ownProcesses: () => (worst ? undefined : []),
    sweep: (effect) => (worst ? { session: [], others: effect.what, own: 0 } : { session: [], others: [], own: 1 }),
    wiring: (path) => wiringByName(path, { home: grounds.home, workspace: grounds.workspace, state: grounds.state, guard: grounds.guard }),
    // Nothing is read: in the worst world there is a policy and it cannot be told what a change does to it.
    policyChange: (path, text) => (worst ? { change: 'unread', keys: [] } : policyChange(path, undefined, text)),
    // Nothing is read: only what the policy declares.
    profile: () => withPolicy(undefined, policy, world.action.workspace),
    gate: (_place) => policy.gate && { command: policy.gate.command, top: world.action.workspace },
    coverage: (_place, _revision, branch) => coverageAssumed(world, branch),
    runs: () => [],
    lately: () => [],
    // Nothing is read: only what the policy itself declares.
    generated: (path) => declaredBy(path, policy, world.action.workspace),
    checkout: (dir) => checkoutIn(dir, world),
    pushed: () => ({ credentials: [], large: [], commits: 0 }),
    env: (name) => env[name],
    show,
    after: (earlier, asking) => factsIn(worst ? afterLine(world, earlier, asking) : { ...world, earlier }),
    cost: { git: 0, held: [] },
  };
}

/** Where a gate is declared: in the clean world it has passed, in the worst it never ran. */
function coverageAssumed({ kind, policy }: Assumed, branch: string | undefined): Coverage | undefined {
  const { gate } = policy;
  if (!gate || !isGated(gate, branch, policy)) return undefined;
  const named = { commit: '0'.repeat(40), command: gate.command };
  return kind === 'clean'
    ? { state: 'passed', ...named, why: `\`${gate.command}\` passed on this commit.` }
    : { state: 'absent', ...named, why: `\`${gate.command}\` has not run on these files.` };
}

/** A protected branch: the policy's list adds to the remote's HEAD and the usual names. */
export function protectedByName(
  name: string,
  policy: Pick<Policy, 'protected' | 'patterns'>,
  remoteHead: string | undefined,
): 'declared' | 'default' | undefined {
  if (policy.protected.branches?.some((glob) => matches(policy, glob, name))) return 'declared';
  return name === remoteHead || name === 'main' || name === 'master' || name.startsWith('release/') ? 'default' : undefined;
}

function worstLoss(question: LossQuestion, world: Assumed, show: (path: string) => string): Stake {
  const { grounds } = world;
  const item = (kind: AtStake['kind'], name: string, path?: string, savable = true): AtStake => ({
    kind,
    name,
    savable,
    ...(path ? { path } : {}),
  });
  const file = (target: Target, kind: AtStake['kind']): AtStake[] => {
    if (target.path === undefined) return [item('unknown', target.raw, undefined, false)];
    const place = placeOf(target.path, grounds);
    if (place === 'temp' || place === 'regenerable') return [];
    if (place === 'device') return isSink(target.path) ? [] : [item('outside', show(target.path), target.path, false)];
    if ([...world.made, ...world.gone].some((made) => within(target.path as string, made))) return [];
    const outside = place === 'root' || place === 'system' || place === 'home' || place === 'outside' || place === 'guard';
    return [item(outside ? 'outside' : kind, show(target.path), target.path, !['root', 'system', 'home', 'guard'].includes(place))];
  };
  switch (question.about) {
    case 'paths':
      return stakeOf(question.targets.flatMap((target) => file(target, 'untracked')));
    case 'worktree': {
      if (question.switching) return NOTHING;
      if (question.loses === 'index') return NOTHING;
      if (question.repo.dir !== undefined && [...world.made].some((made) => within(question.repo.dir as string, made))) return NOTHING;
      if (question.paths) return stakeOf(question.paths.flatMap((target) => file(target, 'modified')));
      return stakeOf([item('modified', 'every modified file', question.repo.dir)]);
    }
    case 'clean': {
      if (question.paths.length > 0)
        return stakeOf(question.paths.flatMap((target) => file(target, question.ignored === 'only' ? 'ignored' : 'untracked')));
      return stakeOf([
        item(
          question.ignored === 'only' ? 'ignored' : 'untracked',
          question.ignored === 'only' ? 'every ignored file' : 'every untracked file',
          question.repo.dir,
        ),
      ]);
    }
    case 'stash':
      return stakeOf([item('stash', question.entry === 'all' ? 'every stash entry' : `stash@{${question.entry}}`)]);
    case 'branches':
      return stakeOf(question.names.map((name) => item('commit', `the commits of ${name}`)));
    case 'move':
      return stakeOf([item('commit', `the commits of ${question.branch ?? 'this branch'} after ${question.to}`)]);
    case 'worktree-dir':
      // A work tree is somebody's place of work wherever it lies, also among the temporary files.
      return stakeOf([
        question.path.path === undefined
          ? item('unknown', question.path.raw, undefined, false)
          : item('untracked', show(question.path.path), question.path.path),
      ]);
    case 'unreachable':
      return stakeOf([item('commit', 'the commits that only the reflog knows')]);
  }
}

const stakeOf = (items: readonly AtStake[]): Stake => ({ items: items.slice(0, 50), more: Math.max(0, items.length - 50), held: [] });

/** Devices that keep nothing. */
export const isSink = (path: string): boolean =>
  /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd(\/.*)?|pts\/.*|tcp\/.*|udp\/.*|console|ptmx|shm\/.*)$/.test(path);

function repoOf(place: GitPlace, world: Assumed): Repo | undefined {
  const dir = place.workTree ?? place.dir ?? world.action.cwd;
  const top = within(dir, world.action.workspace) ? world.action.workspace : dir;
  const worst = world.kind === 'worst';
  return {
    top,
    gitDir: place.gitDir ?? `${top}/.git`,
    commonDir: place.gitDir ?? `${top}/.git`,
    bare: false,
    branch: worst ? 'main' : 'work',
    head: '0'.repeat(40),
    worktrees: worst ? 2 : 1,
    operation: undefined,
    conflicts: [],
    remotes: ['origin'],
    hooks: worst ? ['pre-commit', 'pre-push'] : [],
  };
}

function fileOf(path: string, world: Assumed): FileFact {
  const place = placeOf(path, world.grounds);
  if (place === 'root' || place === 'home' || place === 'system') return { kind: 'dir', size: 4096 };
  if (place === 'device') return { kind: 'other', size: 0 };
  if (world.kind === 'clean') return { kind: 'absent', size: 0 };
  // Named files that are neither scratch nor output are taken for tracked work with changes.
  return { kind: 'file', size: 4096, tracked: place === 'workspace' || place === 'repository', committed: false };
}

function pushOf(effect: Extract<Effect, { kind: 'git.push' }>, world: Assumed): readonly PushFact[] {
  const worst = world.kind === 'worst';
  const current = worst ? 'main' : 'work';
  const strongest = (ref: PushRef) => (ref.force === 'none' ? effect.force : ref.force);
  const refs: readonly PushRef[] =
    effect.refs.length > 0
      ? effect.refs
      : [{ src: current, dst: effect.mirror || effect.all ? undefined : `refs/heads/${current}`, force: effect.force, delete: false }];
  return refs.map((ref): PushFact => {
    const full = ref.dst ?? (ref.src === 'HEAD' || ref.src === '@' || ref.src === undefined ? `refs/heads/${current}` : ref.src);
    const tag = full.startsWith('refs/tags/');
    const name = full.replace(/^refs\/(heads|tags)\//, '');
    const force = effect.mirror ? 'blind' : strongest(ref);
    const local = ref.src === 'HEAD' || ref.src === '@' ? current : ref.src?.replace(/^refs\/heads\//, '');
    return {
      name,
      tag,
      drops: worst && force !== 'none' ? [{ id: '0000000', subject: 'work of a colleague', own: false }] : [],
      dropsMore: 0,
      unrelated: false,
      unknown: worst,
      creates: false,
      delete: ref.delete,
      protected: tag ? undefined : protectedByName(name, world.policy, 'main'),
      force,
      leaseSpent: false,
      renamed: local !== undefined && local !== name,
      review: undefined,
      local,
      oid: ref.oid,
      nothingNew: false,
      shared: worst,
    };
  });
}

/** The line's own steps count in the worst world too: what it makes or saves before is not at stake later. */
function afterLine(world: Assumed, earlier: readonly Effect[], asking: Effect | undefined): Assumed {
  const made = new Set(world.made);
  const gone = new Set(world.gone);
  for (const effect of changingBefore(earlier, earlier.length)) {
    if (asking && !asking.given.includes(effect.step) && effect.step !== asking.step) continue;
    const paths = (targets: readonly Target[]) =>
      targets.flatMap((target) => (target.path !== undefined && !target.glob ? [target.path] : []));
    if (effect.kind === 'git.init' || effect.kind === 'git.clone')
      for (const path of effect.path ? paths([effect.path]) : []) made.add(path);
    if (effect.kind === 'guard.checkpoint')
      for (const path of effect.paths ? paths(effect.paths) : [world.action.workspace]) gone.add(path);
  }
  return { ...world, made, gone, earlier };
}

/** In the worst world every named path is dirty, and the tree as a whole. */
function dirtyIn(place: GitPlace, paths: readonly Target[] | undefined, world: Assumed): { files: readonly DirtyFile[]; more: number } {
  if (world.kind === 'clean') return { files: [], more: 0 };
  const named = paths ?? [{ path: place.workTree ?? place.dir ?? world.action.cwd }];
  return { files: named.flatMap(({ path }) => (path === undefined ? [] : [{ path, state: 'modified' as const }])), more: 0 };
}

/** Only what the line itself says: a copy it makes, a directory of the session's own. */
function checkoutIn(dir: string | undefined, world: Assumed): CheckoutFact | undefined {
  if (dir === undefined) return undefined;
  const own = world.action.workspace;
  const made = madeOnTheLine(dir, world.earlier ?? [], [own]);
  if (made) return { own, ...made };
  return within(dir, own) ? { is: 'same', top: own, own } : undefined;
}
