import {
  type AtStake,
  argument,
  atRisk,
  count,
  defineRule,
  pathsOf,
  quoteLine,
  type Remedy,
  savingTargets,
  shownTargets,
  wholeOf,
} from '../../internal/rule/rule.ts';

/** Deletions that name one ignored file plainly are housekeeping; above this size the file is data. */
const SMALL = 256 * 1024;

/** Databases and dumps hold what somebody entered, however small they are. */
const DATA = /\.(?:db|db3|sqlite3?|mdb|accdb|rdb|kdbx|sql|dump|bak)$/i;

export default defineRule({
  name: 'file-delete',
  aliases: ['rm-recursive', 'unlink-work'],
  group: 'work',
  summary: 'Do not delete files that exist nowhere else.',
  why: `
    What git has committed comes back with one command. Untracked files, ignored files that no build makes again and uncommitted
    edits do not: after \`rm\` nobody has them. The same holds for \`find -delete\`, \`shred\`, \`zip -m\`, a program that unlinks, and a
    tool whose name says delete.
  `,
  evidence:
    'The worst losses in the collected incidents (cases/lessons.md, lesson 3) were untracked and ignored files: rm of a "stale" folder, of a checkout to clone it again, of a folder with unmoved documents. ' +
    'In real sessions (real/calls.jsonl) about 1 call in 400 deletes a file, most of them tracked or build output, which pass. About a third of those that name files name a scratch script the same session made; such a file passes. Would reopen it: a measured share of refusals for folders the same session made.',
  on: 'file.delete',
  needs: ['lost', 'show', 'secret', 'file', 'place'],
  level: 'deny',
  category: 'work-loss',
  persistence: 'state-change',
  quiet: [
    'tracked and clean files, build output, dependency folders, scratch directories, empty files',
    'a checkpoint holds the present bytes',
    'a few files, named one by one, that this session made and nobody else has touched',
    'one plainly named small ignored file that is no secret and no database, not recursive',
    'files outside every repository: outside-delete',
  ],

  judge(effect, { facts, waygate }) {
    // Without force git itself refuses; with it, discard-changes judges what goes.
    if (effect.remote || effect.how === 'git rm') return;
    // The root, homes and system folders are outside-delete's, and far too large to be looked through.
    const targets = effect.targets.filter((target) => {
      const whole = wholeOf(target);
      return whole === undefined || !effect.recursive || !['root', 'home', 'system'].includes(facts.place(whole));
    });
    if (targets.length === 0) return;
    const stake = facts.lost({ about: 'paths', targets, tree: effect.recursive, cwd: effect.cwd });
    const items = stake.items.filter((item) => item.kind !== 'outside' && item.kind !== 'unknown');
    const [first] = items;
    if (!first) return;
    const one = effect.targets.length === 1 && items.length === 1 && stake.more === 0 && !effect.recursive && !effect.targets[0]!.glob;
    if (
      one &&
      first.kind === 'ignored' &&
      first.path &&
      !facts.secret(first.path) &&
      !DATA.test(first.path) &&
      facts.file(first.path).size <= SMALL
    )
      return;
    const mine = { ...stake, items };
    const total = items.length + stake.more;
    return {
      says: `\`${effect.how}\` would delete ${count(total, 'file')} that ${total === 1 ? 'exists' : 'exist'} nowhere else: ${atRisk(mine)} (${kinds(items)}).`,
      person: `The agent wanted to delete ${atRisk(mine)}, which no commit and no checkpoint holds.`,
      boundary: `file.delete ${pathsOf(effect.targets)}`,
      atStake: items,
      remedies: remediesFor(),
    };

    function remediesFor(): [Remedy, ...Remedy[]] {
      const saved = savingTargets(mine, effect.targets, waygate, facts.show, effect.recursive);
      const paths = effect.targets.flatMap((target) => (target.path && !target.glob ? [argument(target.path, facts.show)] : []));
      const look: Remedy = {
        kind: 'run',
        run: quoteLine(['git', 'status', '--short', '--ignored', '--', ...paths]),
        because: 'lists what would be lost',
      };
      const ask: Remedy = {
        kind: 'ask',
        ask: `May I delete ${shownTargets(effect.targets, facts.show).join(', ')} for good? ${count(total, 'file')} in it exist nowhere else.`,
        because: 'a checkpoint cannot hold all of it',
      };
      return saved ? [saved] : paths.length > 0 ? [look, ask] : [ask];
    }
  },

  examples: {
    catches: [
      {
        run: 'rm -rf docs/journeys',
        given: ['mkdir -p docs/journeys', 'echo one > docs/journeys/one.md', 'echo two > docs/journeys/two.md'],
        why: 'untracked files',
      },
      { run: 'rm src/app.ts', given: ["echo 'export const draft = 1;' >> src/app.ts"], why: 'the edits are not committed' },
      { run: 'rm -f .env', given: ['echo KEY=value > .env'], why: 'ignored, but no build makes it again' },
      { run: "find . -name '*.draft' -delete", given: ['echo idea > a.draft'], why: 'the same effect by another verb' },
      { run: 'find notes -type f -exec rm {} +', given: ['mkdir notes', 'echo plan > notes/plan.md'] },
      { run: 'shred -u plan.md', given: ['echo plan > plan.md'] },
      { run: 'cp plan.md old.md && rm plan.md && rm old.md', given: ['echo plan > plan.md'], why: 'the copy goes too' },
      { run: "bash -c 'rm -r notes'", given: ['mkdir notes', 'echo plan > notes/plan.md'] },
      {
        run: 'rm -f dev.sqlite3',
        given: ["echo '*.sqlite3' >> .gitignore", 'git commit -qam ignore', 'echo rows > dev.sqlite3'],
        why: 'ignored and small, and still the only copy of what is in it',
      },
      {
        run: 'find notes -type f | while read -r f; do rm "$f"; done',
        given: ['mkdir notes', 'echo plan > notes/plan.md'],
        why: 'each file of a listing is one of its files',
      },
      { tool: 'mcp__fs__delete_file', input: { path: 'plan.md' }, given: ['echo plan > plan.md'], why: 'the channel is not the effect' },
    ],
    allows: [
      { run: 'rm src/util.ts', why: 'tracked and clean: git has it' },
      {
        run: 'cp plan.md "$TMPDIR/p" && rm plan.md && cp "$TMPDIR/p" plan.md && rm "$TMPDIR/p"',
        given: ['echo plan > plan.md'],
        why: 'the copy came back first',
      },
      {
        run: 'rm -rf node_modules dist',
        given: ['mkdir node_modules dist', 'echo x > node_modules/a.js', 'echo x > dist/b.js'],
        why: 'made again by a command',
      },
      { run: 'rm -f missing.txt' },
      {
        run: 'rm .agent/entry.json',
        given: ['echo .agent >> .gitignore', 'git commit -qam ignore', 'mkdir .agent', 'echo x > .agent/entry.json'],
        why: 'one ignored file, named plainly',
      },
      { run: 'echo hi > new.txt && rm new.txt', why: 'the line made it itself' },
      { run: 'rm --help' },
      {
        run: "find . \\( -name '*.pyc' -o -name '*.orig' \\) -delete",
        given: ['echo x > a.pyc', 'echo plan > plan.md'],
        why: 'only these names go',
      },
      {
        run: 'tar czf notes.tgz notes && rm -rf notes',
        given: ['mkdir notes', 'echo plan > notes/plan.md'],
        why: 'the archive holds them',
      },
      { run: 'tmp=$(mktemp -d) && rm -rf "$tmp"', why: 'a fresh directory of the same line' },
    ],
  },
});

/** `2 untracked, 1 modified`. */
function kinds(items: readonly AtStake[]): string {
  const byKind = new Map<string, number>();
  for (const item of items) byKind.set(item.kind, (byKind.get(item.kind) ?? 0) + 1);
  return [...byKind].map(([kind, number]) => `${number} ${kind.replace('-', ' ')}`).join(', ');
}
