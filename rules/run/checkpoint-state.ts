import { atRisk, count, defineRule, type Effect, isOwnProgram, onceFor } from '../../internal/rule/rule.ts';

/** What of an earlier command makes the answer one about a commit of the line itself. */
const MOVES: ReadonlySet<Effect['kind']> = new Set<Effect['kind']>([
  'git.commit',
  'git.merge',
  'git.history-rewrite',
  'git.branch-move',
  'git.switch',
  'git.init',
  'git.clone',
]);

export default defineRule({
  name: 'checkpoint-state',
  group: 'run',
  level: 'deny',
  summary: 'Name a tree with edits by a checkpoint, not by its last commit.',
  why: `
    HEAD does not stand for a tree with edits: a report, a comparison or a test result under its name is about other content. A checkpoint
    records the revision and a digest of the edits, and keeps them.
  `,
  evidence:
    'The project this comes from had it as advice and made it a refusal (ADR 0013, no count given). Here only a tree with edits that stand nowhere else counts, so that a clean one and one with a checkpoint pass. Would reopen it: refusals of calls that ask about the commit and not about the tree.',
  on: 'git.identity',
  needs: ['repo', 'lost', 'file'],
  category: 'stale-target',
  persistence: 'state-change',
  quiet: [
    'a clean tree, or one whose edits a checkpoint holds',
    'questions about the layout: `--show-toplevel`, `--abbrev-ref`',
    'other revisions: `HEAD~1`, `HEAD:path`, a branch',
    'an answer that git, gh or a comparison takes, or that is thrown away',
    'after a commit or a switch on the same line',
    '`git describe --dirty`',
    'scripts the repository tracks',
  ],

  judge(effect, { facts, effects, waygate }) {
    if (effect.remote || isOwnProgram(effect.script, facts)) return;
    if (effect.output.files.some((file) => file.discards && file.fds.includes(1))) return;
    const moved = onceFor(effects, 'moves a commit', () => effects.find((other) => MOVES.has(other.kind)));
    if (moved && moved.step < effect.step) return;
    const repo = facts.repo(effect.repo);
    if (!repo || repo.head === undefined || repo.operation !== undefined) return;
    const place = { ...effect.repo, dir: repo.top ?? effect.repo.dir };
    // A line that asks a thousand times is answered from one look.
    const stake = onceFor(effects, `edits ${place.dir}`, () => {
      const edited = facts.lost({ about: 'worktree', repo: place, paths: undefined, loses: 'both', from: 'HEAD', overUntracked: false });
      const fresh = facts.lost({ about: 'clean', repo: place, paths: [], directories: true, ignored: 'no', nested: false, excludes: [] });
      return { items: [...edited.items, ...fresh.items], more: edited.more + fresh.more, held: [] };
    });
    const number = stake.items.length + stake.more;
    if (number === 0) return;
    return {
      says: `\`git ${effect.how}\` does not name this tree: ${atRisk(stake)} ${number === 1 ? 'differs' : 'differ'} from HEAD (${count(number, 'file')}).`,
      boundary: `git.identity ${repo.top ?? repo.gitDir}`,
      remedies: [
        {
          kind: 'run',
          run: `${waygate} checkpoint`,
          because: 'prints an id, the revision and a digest of the edits, and keeps them; then the same call passes',
          then: 'again',
        },
      ],
    };
  },

  examples: {
    catches: [
      { run: 'git rev-parse HEAD', given: ["echo '//' >> src/app.ts"] },
      { run: 'git rev-parse --short @', given: ["echo 'note' > note.txt"], why: 'a new file is no part of HEAD' },
      { run: 'git describe --tags --always', given: ["echo '//' >> src/app.ts && git add src/app.ts"] },
      { run: 'git stash create', given: ["echo '//' >> src/app.ts"] },
      { run: 'git write-tree', given: ["echo '//' >> src/app.ts"] },
      { run: 'echo "tested $(git rev-parse HEAD)" >> report.txt', given: ["echo '//' >> src/app.ts"] },
    ],
    allows: [
      { run: 'git rev-parse HEAD', why: 'a clean tree' },
      { run: 'git rev-parse --show-toplevel', given: ["echo '//' >> src/app.ts"] },
      { run: 'git rev-parse --abbrev-ref HEAD', given: ["echo '//' >> src/app.ts"] },
      { run: 'git rev-parse HEAD~1 HEAD:src/app.ts', given: ["echo '//' >> src/app.ts"] },
      { run: 'git show --stat "$(git rev-parse HEAD)"', given: ["echo '//' >> src/app.ts"], why: 'an argument of git' },
      { run: 'git rev-parse -q --verify HEAD > /dev/null', given: ["echo '//' >> src/app.ts"], why: 'asks whether there is one' },
      { run: 'git commit -qm x src/app.ts && git rev-parse HEAD', given: ["echo '//' >> src/app.ts && echo n > n.txt"] },
      { run: 'git rev-parse HEAD && git rev-parse origin/main', given: ["echo '//' >> src/app.ts"], why: 'compares commits' },
      { run: 'git describe --dirty --always', given: ["echo '//' >> src/app.ts"] },
    ],
  },
});
