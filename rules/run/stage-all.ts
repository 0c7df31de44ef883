import { argument, count, defineRule, type EffectOf, type Facts, names, quoteLine, type Remedy, ways } from '../../internal/rule/rule.ts';

/** More paths than this are not written into a remedy: the listing shows them. */
const MAX_PATHS = 15;

export default defineRule({
  name: 'stage-all',
  group: 'run',
  level: 'deny',
  summary: 'Stage by name what belongs to the change.',
  why: `
    \`git add -A\`, \`git add .\` and \`git commit -a\` take whatever is dirty. Builds and tests write their output as they run, other
    sessions leave their own edits, so files nobody meant end up in an unrelated commit.
  `,
  evidence:
    'Measured once in the project this comes from: 69 unrelated files in one commit. Costs a turn each time, so it keeps quiet where there is nothing to sweep up. Reopen if the rate of needless refusals passes 1 in 200 calls.',
  on: 'git.stage',
  needs: ['repo', 'lost', 'show'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'a clean tree',
    'a repository without a commit',
    'named paths and folders',
    'a dry run, `-p`, `-N`',
    'a merge or rebase in progress',
  ],

  judge(effect, { facts }) {
    if (effect.remote) return undefined;
    const repo = facts.repo(effect.repo);
    if (!repo || repo.head === undefined || repo.operation !== undefined) return undefined;
    if (!effect.all && !effect.paths.some((path) => path.path === repo.top || path.path === `${repo.top}/*`)) return undefined;
    const dirty = dirtyPaths(effect, facts, repo.top ?? effect.repo.dir);
    if (dirty.length === 0) return undefined;
    const own = dirty.filter((path) => path !== repo.top && path !== effect.repo.dir);
    const add = quoteLine(['git', 'add', '--', ...own.map((path) => argument(path, facts.show))]);
    const named: Remedy | undefined =
      own.length === 0 || own.length > MAX_PATHS
        ? undefined
        : effect.how !== 'commit -a'
          ? { kind: 'run', run: add, because: 'leave out what does not belong to the change' }
          : effect.rest === undefined
            ? undefined
            : { kind: 'run', run: `${add} && ${effect.rest}`, because: 'leave out what does not belong to the change' };
    return {
      says: `\`${short(effect)}\` would stage everything that is dirty${own.length > 0 ? `: ${names(own.map(facts.show), 5)}, ${count(own.length, 'file')}` : ''}.`,
      remedies: ways(named, { kind: 'run', run: 'git status --short', because: 'shows what is dirty; then name the files' }),
      boundary: `git.stage all ${repo.top ?? '?'}`,
    };
  },

  examples: {
    catches: [
      { run: 'git add -A && git commit -m x', given: ["echo 'export const draft = 1;' >> src/app.ts", "echo 'note' > note.txt"] },
      { run: 'git add .', given: ["echo 'note' > note.txt"] },
      { run: 'git commit -am x', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      { run: 'git add -u', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      { run: 'git add --al', given: ["echo 'note' > note.txt"], why: 'git reads a cut option as the whole one' },
    ],
    allows: [
      { run: 'git add src/app.ts', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      { run: 'git add -A src', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      { run: 'git add .', why: 'nothing is dirty' },
      { run: 'git add -n .', given: ["echo 'note' > note.txt"], why: 'a dry run' },
      { run: 'git add .', given: ["echo 'export const draft = 1;' >> src/app.ts"], cwd: 'src', why: 'a folder is a name' },
      { run: 'git commit -m "about git add -A" --allow-empty' },
    ],
  },
});

const short = (effect: EffectOf<'git.stage'>): string =>
  effect.how === 'commit -a' ? 'git commit -a' : effect.update ? 'git add -u' : 'git add -A';

/** Modified and untracked files, absolute. Those that are only deleted lose nothing and are not among them. */
function dirtyPaths(effect: EffectOf<'git.stage'>, facts: Pick<Facts, 'lost'>, top: string | undefined): string[] {
  const repo = { ...effect.repo, dir: top };
  const tracked = facts.lost({ about: 'worktree', repo, paths: undefined, loses: 'both', from: 'HEAD', overUntracked: false });
  const fresh = effect.update
    ? []
    : facts.lost({ about: 'clean', repo, paths: [], directories: true, ignored: 'no', nested: false, excludes: [] }).items;
  const paths = [...tracked.items, ...fresh].map((item) => item.path).filter((path) => path !== undefined);
  return [...new Set(paths)];
}
