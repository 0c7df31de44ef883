/** Coverage as it is asked here and now: the log, the trees and the key are read, each once. */
import { discoverAt, realOf } from '../fact/discover.ts';
import type { Env } from '../fact/grounds.ts';
import { within } from '../fact/places.ts';
import { linkedWorktrees, type Repository } from '../fact/repository.ts';
import { commitOf, type Standing, standingOf, treeOf } from '../fact/tree-digest.ts';
import type { Gate } from '../policy/gates.ts';
import { environmentOf } from '../runlog/environment.ts';
import { runPlaceOf } from '../runlog/places.ts';
import { type RunLog, readRuns } from '../runlog/read.ts';
import { type Coverage, coverageOf, type Terms, type Wanted, type Way } from './coverage.ts';
import { isSigned, readKey } from './key.ts';

/** Where coverage is asked. */
export interface GateScene {
  repository: Repository;
  gate: Gate;
  env: Env;
  /** What the gate stood for when the session began. */
  recipe?: string | undefined;
  /** Opens another work tree of the same repository. */
  open?(top: string): Repository | undefined;
}

export interface GateLook {
  /** Top of the work tree. */
  top: string;
  /** Of a revision; of the work tree as it stands without one. */
  coverage(revision: string | undefined): Coverage;
  /** Of a tree that is not there yet: the one a commit on the same line would make. */
  ofTree(tree: string | undefined): Coverage;
  /** The work tree as it stands. */
  standing(): Standing;
}

/** Opens the question. Nothing is read yet. */
export function gateLook(scene: GateScene): GateLook {
  const { repository, gate, env } = scene;
  let log: RunLog | undefined;
  let key: ReturnType<typeof readKey> | 'none';
  let standing: Standing | undefined;
  const readLog = (): RunLog => (log ??= readRuns(runPlaceOf(repository.found)));
  const stands = (): Standing => (standing ??= standingOf(repository));
  const terms: Terms = {
    command: gate.command,
    isSigned: (run) => {
      key ??= readKey(env) ?? 'none';
      return key !== 'none' && 'key' in key && isSigned(run, key.key);
    },
    recipe: scene.recipe,
    environment: () => environmentOf(repository.found.top ?? repository.dir, env),
  };
  const answers = new Map<string | undefined, Coverage>();
  const ask = (wanted: Wanted): Coverage => coverageOf(wanted, readLog(), terms);
  const ofWorkTree = (): Coverage => {
    const { digest, unread } = stands();
    const found = ask({ commit: digest?.head, tree: digest?.tracked, ...(digest ? { standing: digest } : {}) });
    return digest ? found : { ...found, why: `The work tree cannot be read: ${unread}.` };
  };
  const ofRevision = (revision: string): Coverage => {
    const commit = commitOf(repository, revision);
    if (commit === undefined)
      return { state: 'unknown', commit, command: gate.command, why: `\`${revision}\` is no commit that git knows here.` };
    const tree = treeOf(repository, commit);
    const found = ask({ commit, tree });
    if (found.state === 'passed' || tree === undefined) return found;
    let way: Way | undefined;
    return Object.defineProperty({ ...found }, 'way', {
      enumerable: true,
      get: () => (way ??= found.changed ? { how: 'person' } : wayTo(commit, tree, scene, stands, ofWorkTree)),
    });
  };
  return {
    top: repository.found.top ?? repository.dir,
    coverage(revision) {
      const known = answers.get(revision) ?? (revision === undefined ? ofWorkTree() : ofRevision(revision));
      answers.set(revision, known);
      return known;
    },
    ofTree: (tree) => ask({ commit: undefined, tree }),
    standing: stands,
  };
}

/** Where the commit stands, so that a run of the gate there covers it. */
function wayTo(commit: string, tree: string, scene: GateScene, stands: () => Standing, ofWorkTree: () => Coverage): Way {
  const { repository } = scene;
  const top = repository.found.top;
  if (top !== undefined) {
    const standing = stands();
    const { entries } = standing;
    // Without a change it is what HEAD has: then no tree has to be made.
    const atHead = repository.head().oid === commit;
    if (atHead ? entries.length === 0 : standing.digest?.tracked === tree) return { how: 'run', dir: top };
    if (atHead) {
      let proven: boolean | undefined;
      return {
        how: 'changes',
        dir: top,
        paths: entries.map((entry) => entry.path),
        get proven() {
          proven ??= ofWorkTree().state === 'passed';
          return proven;
        },
      };
    }
  }
  for (const other of otherTops(repository)) {
    const there = scene.open?.(other);
    if (there?.head().oid !== commit) continue;
    const { digest } = standingOf(there);
    if (digest?.tracked === tree) return { how: 'run', dir: other };
  }
  return { how: 'elsewhere', dirty: stands().entries.length > 0 };
}

/** The other work trees of a repository. */
function otherTops(repository: Repository): readonly string[] {
  const { commonDir, top } = repository.found;
  const main = /\/\.git$/.test(commonDir) ? [commonDir.slice(0, -'/.git'.length)] : [];
  return [...main, ...linkedWorktrees(commonDir).map((each) => realOf(each.top))].filter(
    (each) => each !== top && discoverAt(each)?.commonDir === commonDir && !within(each, commonDir),
  );
}
