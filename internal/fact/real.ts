/** The real facts: git and files, lazy, memoized for one judgement. */
import { lstatSync, readFileSync, statSync } from 'node:fs';
import type { Action } from '../action/action.ts';
import type { Effect } from '../effect/effect.ts';
import { policyChange } from '../policy/change.ts';
import type { Policy } from '../policy/policy.ts';
import { runPlace } from '../runlog/places.ts';
import { readRuns } from '../runlog/read.ts';
import { findCredential, findCredentials, isPlaceholder } from '../secret/credentials.ts';
import { secretByName, secretVariableName } from '../secret/names.ts';
import { protectedByName } from './assume.ts';
import { checkoutOf } from './checkout.ts';
import { blobIds } from './content.ts';
import { coverageFact, gateFact } from './coverage.ts';
import { isHidden, protectedPath, reachable } from './declared.ts';
import { dirtyFiles } from './dirty.ts';
import { realOf, realParentOf } from './discover.ts';
import type { Facts, FileFact, LossQuestion, SecretFact, Stake } from './facts.ts';
import { generatedOf } from './generated.ts';
import { hiddenBelow } from './hidden-below.ts';
import { latelyFact } from './lately.ts';
import { statOf, textOf } from './look.ts';
import { lost } from './lost.ts';
import { NO_OVERLAY, type Overlay, overlayOf } from './overlay.ts';
import { unknownPackages } from './packages.ts';
import { within } from './places.ts';
import { chainOf, type Process, processes, sweepOf } from './processes.ts';
import { profileAt } from './profile.ts';
import { pushFacts, remoteHead } from './push.ts';
import { pushedContent } from './pushed.ts';
import type { Repository } from './repository.ts';
import { type Scene, type SceneOptions, sceneOf } from './scene.ts';
import { wiringOf } from './wiring.ts';

/** Texts that a rule may read: 1 MB. */
const MAX_TEXT = 1024 * 1024;
/** Files whose lines are counted: 4 MB. */
const MAX_COUNTED = 4 * 1024 * 1024;

/** What is true here, for one action. `options.budgetMs`: time for all git questions together. */
export function realFacts(action: Pick<Action, 'cwd' | 'workspace'>, policy: Policy, options: SceneOptions = {}): Facts {
  return factsIn(sceneOf(action, policy, options));
}

/** The same over a scene that the caller has made, for verbs that ask it themselves too. */
export const factsIn = (scene: Scene): Facts => factsOf(scene, NO_OVERLAY, new Map());

/** Answers that do not depend on the overlay, kept for the whole judgement. */
type Memo = Map<string, unknown>;

function factsOf(scene: Scene, overlay: Overlay, shared: Memo, absent?: readonly string[]): Facts {
  const own: Memo = new Map();
  const pushes = new WeakMap<Effect, ReturnType<Facts['push']>>();
  const running = () => once(shared, 'processes', () => processes() ?? []);
  const once = <T>(memo: Memo, key: string, make: () => T): T => {
    if (!memo.has(key)) memo.set(key, make());
    return memo.get(key) as T;
  };
  const held = () => once(shared, 'held', (): Stake['held'][number][] => []);
  const facts: Facts = {
    looked: () => 1,
    lost: (question) =>
      once(own, `lost:${JSON.stringify(question)}`, () => {
        const stake = lost(absent ? withoutAbsent(question, absent, scene) : question, scene, overlay);
        held().push(...stake.held);
        return stake;
      }),
    repo: (place) => {
      const repository = scene.repositoryFor(place);
      if (!repository) return undefined;
      const repo = repository.repo();
      const branch = overlay.branch(repository);
      // Getters stay lazy: a spread would ask for everything.
      return branch === undefined ? repo : Object.create(repo, { branch: { value: branch.name, enumerable: true } });
    },
    dirty: (place, paths) => once(shared, `dirty:${JSON.stringify([place, paths])}`, () => dirtyFiles(place, paths, scene)),
    place: (path) => once(shared, `place:${path}`, () => placeOfReal(path, scene)),
    file: (path) => once(shared, `file:${path}`, () => fileFact(path, scene)),
    text: (path) => once(shared, `text:${path}`, () => textOf(path, MAX_TEXT)),
    textAt: (place, revision, path) =>
      once(shared, `textAt:${JSON.stringify([place, revision, path])}`, () => versionOf(scene.repositoryFor(place), revision, path)),
    secret: (path) => once(shared, `secret:${path}`, () => secretFact(path)),
    credential: (path) => once(shared, `credential:${path}`, () => credentialIn(path)),
    secretVariable: (name) => secretVariableName(name),
    // Half a dozen rules ask of the same push.
    push: (effect) => {
      const known = pushes.get(effect) ?? pushFacts(effect, scene, overlay);
      pushes.set(effect, known);
      return known;
    },
    protectedBranch: (place, name) => {
      const repository = scene.repositoryFor(place);
      const remote = repository ? remoteHead(repository, 'origin') : undefined;
      return protectedByName(name, scene.policy, remote);
    },
    protectedPath: (path, tree) =>
      scene.policy.protected.paths.length === 0
        ? undefined
        : (protectedPath(path, tree, scene.policy) ?? protectedPath(realParentOf(path), tree, scene.policy)),
    hidden: (path, tree) => isHidden(path, tree, scene.policy, realParentOf),
    hiddenBelow: (path) => once(shared, `hidden:${path}`, () => hiddenBelow(path, scene.policy, realParentOf)),
    reachable: (url) => reachable(url, scene.policy),
    unknownPackages: (manager, names, cwd) => unknownPackages(manager, names, cwd),
    ancestors: () => chainOf(process.pid, running()),
    ownProcesses: () => ownProcesses(running()),
    sweep: (effect) => {
      const all = running();
      return all.length === 0 ? undefined : sweepOf(effect, all, process.pid, scene.grounds.workspace, process.getuid?.());
    },
    wiring: (path) => once(shared, `wiring:${path}`, () => wiringOf(path, scene)),
    policyChange: (path, text) => policyChange(path, textOf(path, MAX_TEXT), text),
    profile: (dir) => (dir === undefined ? undefined : once(shared, `profile:${dir}`, () => profileAt(dir, scene))),
    gate: (place) => gateFact(place, scene),
    coverage: (place, revision, branch) => coverageFact(place, revision, branch, scene, overlay),
    runs: (dir) => (dir === undefined ? [] : once(shared, `runs:${dir}`, () => runsAround(dir, scene.env))),
    lately: (dir, minutes) => (dir === undefined ? [] : once(shared, `lately:${minutes}:${dir}`, () => latelyFact(dir, minutes, scene))),
    generated: (path) => once(shared, `generated:${path}`, () => generatedOf(path, scene, (dir) => facts.profile(dir))),
    checkout: (dir) => once(own, `checkout:${dir ?? ''}`, () => checkoutOf(dir, scene, overlay.earlier)),
    pushed: (effect, maxBytes) =>
      once(own, `pushed:${maxBytes}:${JSON.stringify([effect.repo, effect.remoteName, effect.refs, effect.all, effect.mirror])}`, () =>
        pushedContent(effect, maxBytes, { scene, overlay, madeUp: (path) => MADE_UP.test(path) }),
      ),
    env: (name) => scene.env[name],
    show: (path) => scene.show(path),
    after: (earlier: readonly Effect[], asking?: Effect, line?: readonly Effect[]) =>
      factsOf(scene, overlayOf(earlier, asking, scene, line), shared, asking?.absent),
    get cost() {
      return { git: scene.budget.git, held: held() };
    },
  };
  return facts;
}

/** Where a test of the line has shown that no file is there, none is lost. A folder of that name is another thing. */
function withoutAbsent(question: LossQuestion, absent: readonly string[], scene: Scene): LossQuestion {
  if (question.about !== 'paths') return question;
  const stays = (path: string | undefined): boolean => path === undefined || !absent.includes(path) || fileFact(path, scene).kind === 'dir';
  return { ...question, targets: question.targets.filter((target) => target.glob || stays(target.path)) };
}

/** Runs that a rule may look at. */
const MAX_RUNS = 200;

const runsAround = (dir: string, env: Scene['env']): ReturnType<Facts['runs']> =>
  readRuns(runPlace(dir, env))
    .runs.slice(0, MAX_RUNS)
    .map((each) => each.run);

/** A path by its own name; a link in its parents that leads to a worse place counts as that place. */
function placeOfReal(path: string, scene: Scene): ReturnType<Facts['place']> {
  const plain = scene.place(path);
  const real = realParentOf(path);
  if (real === path || ['root', 'system', 'home', 'guard', 'device'].includes(plain)) return plain;
  return scene.place(real);
}

function fileFact(path: string, scene: Scene): FileFact {
  const stat = statOf(path);
  if (!stat) return { kind: 'absent', size: 0 };
  const target = stat.kind === 'link' ? realOf(path) : undefined;
  const fact: FileFact = {
    kind: stat.kind,
    size: stat.size,
    ...(stat.changed === undefined ? {} : { changed: stat.changed }),
    ...(target === undefined ? {} : { target }),
    get lines() {
      return stat.kind === 'file' && stat.size <= MAX_COUNTED ? countLines(path) : undefined;
    },
    get tracked() {
      return gitFact(path, scene).tracked;
    },
    get committed() {
      return stat.kind === 'file' ? gitFact(path, scene).committed : undefined;
    },
  };
  return fact;
}

const gitFacts = new WeakMap<Scene, Map<string, { tracked: boolean | undefined; committed: boolean | undefined }>>();

/** Tracked: it has an entry in the index. Committed: the bytes are those of HEAD or the index, as git compares them. */
function gitFact(path: string, scene: Scene): { tracked: boolean | undefined; committed: boolean | undefined } {
  const memo = gitFacts.get(scene) ?? new Map();
  gitFacts.set(scene, memo);
  const known = memo.get(path);
  if (known) return known;
  const made = askGit(path, scene);
  memo.set(path, made);
  return made;
}

function askGit(path: string, scene: Scene): { tracked: boolean | undefined; committed: boolean | undefined } {
  const real = realParentOf(path);
  const repository = scene.repositoryOf(real);
  const top = repository?.found.top;
  if (!repository || top === undefined || !within(real, top)) return { tracked: false, committed: false };
  const relative = real.slice(top.length + 1);
  const tracked = isTrackedPath(repository, relative);
  const entry = repository.status([`:(top,literal)${relative}`], true).entries.find((each) => each.path === relative);
  if (!entry) return { tracked, committed: tracked };
  if (entry.kind === 'changed' && entry.y === '.') return { tracked, committed: true };
  const ids = blobIds(real, repository.algorithm);
  const committed = ids.some((oid) => oid === entry.head || oid === entry.index || repository.index()?.blobs.has(oid));
  return { tracked, committed };
}

function isTrackedPath(repository: Repository, relative: string): boolean | undefined {
  const scan = repository.index();
  if (scan) return scan.paths.has(relative);
  const answer = repository.ask(['ls-files', '-z', '--', `:(top,literal)${relative}`]);
  return answer.ok ? answer.out !== '' : undefined;
}

function countLines(path: string): number | undefined {
  try {
    const bytes = readFileSync(path);
    if (bytes.includes(0)) return undefined;
    let lines = 0;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
    return lines + (bytes.length > 0 && bytes[bytes.length - 1] !== 10 ? 1 : 0);
  } catch {
    return undefined;
  }
}

const MADE_UP =
  /(^|\/)(tests?|__tests__|spec|specs|fixtures?|mocks?|__mocks__|examples?|samples?|docs?|testdata)\/|\.(test|spec|snap|md|mdx|rst|example|sample|template)(\.[a-z]+)?$|\.lock$|-lock\.(json|yaml)$/i;

/** Only tokens that providers mark as theirs count: a password in a text is too often an example. */
function credentialIn(path: string): { what: string; line: number } | undefined {
  if (MADE_UP.test(path)) return undefined;
  const text = textOf(path, MAX_TEXT);
  const found =
    text === undefined
      ? undefined
      : findCredentials(text).find((each) => each.field === undefined && !/address|signed token/.test(each.what));
  return found && { what: found.what, line: found.line };
}

/** A file in a revision or in the index. */
function versionOf(repository: Repository | undefined, revision: string, path: string): string | undefined {
  const top = repository?.found.top;
  if (!repository || top === undefined || !path.startsWith(`${top}/`) || revision.startsWith('-')) return undefined;
  const answer = repository.ask(['cat-file', 'blob', `${revision === 'index' ? '' : revision}:${path.slice(top.length + 1)}`]);
  return answer.ok ? answer.out : undefined;
}

/** A credential file by its name or by the name its link leads to; its content is read when it is asked for. */
function secretFact(path: string): SecretFact | undefined {
  const what = secretByName(path) ?? secretByName(realOf(path));
  if (what === undefined) return undefined;
  return {
    what,
    get holds() {
      return holdsCredential(path, what);
    },
  };
}

/** Folders of made-up data, whatever lies above them. */
const FIXTURES = /\/(?:fixtures?|__fixtures__|testdata|test-data|__mocks__|mocks)\//i;

function holdsCredential(path: string, what: string): boolean | undefined {
  if (what === "a process's environment") return environmentHolds(path);
  const text = textOf(path, MAX_TEXT);
  if (text === undefined) {
    try {
      // Binary stores and directories hold what their name says; an absent file holds nothing.
      return statSync(path).isDirectory() ? undefined : lstatSync(path).size > 0;
    } catch {
      return false;
    }
  }
  if (text.trim() === '') return false;
  if (FIXTURES.test(path) && /environment file|secrets file/.test(what))
    return findCredentials(text).some((each) => each.field === undefined && !/address|signed token/.test(each.what));
  if (findCredential(text) !== undefined) return true;
  if (what === 'infrastructure state') return STATE_SECRET.test(text);
  // Of these the content decides; everything else is a secret in a form that no pattern knows.
  if (/environment file|secrets file/.test(what)) return hasSecretField(text);
  return !/^(registry configuration|infrastructure|a key file|a VPN profile|cloud configuration)/.test(what);
}

/** An output or attribute with the name of a credential, or one that is marked sensitive. */
const STATE_SECRET =
  /"\w{0,60}(?:password|passwd|secret|token|private_key|access_key|api_key)\w{0,60}"\s*:\s*(?:\{\s*"value"\s*:\s*)?"[^"]{3}|"sensitive"\s*:\s*true/i;

/** The variables of a process, one after the other with a NUL between them. */
function environmentHolds(path: string): boolean | undefined {
  try {
    return readFileSync(path, 'utf8')
      .split('\0')
      .some((each) => secretVariableName(each.slice(0, each.indexOf('='))) && !each.endsWith('='));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? false : undefined;
  }
}

/** An assignment to a name with the words of a credential, with any value that is no placeholder. */
function hasSecretField(text: string): boolean {
  return text.split('\n').some((line) => {
    const match = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*[=:]\s*["']?([^\s"'#]+)/.exec(line);
    return (
      match?.[1] !== undefined &&
      match[2] !== undefined &&
      secretVariableName(match[1]) &&
      !isPlaceholder(match[2]) &&
      !/^(your|changeme|change-me|<|xxx|example|placeholder|todo|replace|\$)/i.test(match[2])
    );
  });
}

/** Names of programs that are an agent's session or the shell of a person. */
const SESSIONS =
  /^(claude|codex|gemini|cursor|cursor-agent|copilot|opencode|windsurf|cline|kiro|kiro-cli|droid|qwen|cn|continue|crush|pi|amp|node|bun|deno|electron)(\.exe)?$/i;

/** What the session has started: everything below the nearest ancestor that is an agent, but the guard's own chain. */
function ownProcesses(all: readonly Process[]): readonly Process[] | undefined {
  const chain = chainOf(process.pid, all);
  const session = chain.slice(1).find((each) => SESSIONS.test(each.name));
  if (!session) return undefined;
  return all.filter((each) => !chain.includes(each) && chainOf(each.pid, all).some((up) => up.pid === session.pid));
}
