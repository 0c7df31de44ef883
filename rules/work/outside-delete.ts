import {
  type AtStake,
  argument,
  count,
  defineRule,
  type Finding,
  names,
  pathsOf,
  quote,
  quoteLine,
  type Remedy,
  type Stake,
  savingTargets,
  shownTargets,
  type Target,
  wholeOf,
} from '../../internal/rule/rule.ts';

/** Directories that all programs of the machine share for their scratch files. */
const SHARED_TEMP = new Set(['/tmp', '/var/tmp', '/private/tmp', '/dev/shm']);

export default defineRule({
  name: 'outside-delete',
  aliases: ['rm-root', 'rm-home'],
  group: 'work',
  summary: 'Do not delete what lies outside the repository.',
  why: `
    Outside a repository there is no history: a home, a system folder, another person's documents are gone when they are deleted. Most of
    these accidents were no intent at all: a stray space (\`rm -rf ./out / build\`), a variable that was empty, an unquoted \`~\`, a
    \`cd\` that failed.
  `,
  evidence:
    'Recursive deletes of home and root through unset variables, tildes and stray operands are the most expensive incidents in cases/lessons.md; each was one command. ' +
    'Paths that are absent, scratch or caches pass, so the cost is small: 2 of about 6,000 real calls. Would reopen it: a measured cleanup habit outside repositories that a checkpoint does not serve.',
  on: ['file.delete', 'file.move', 'package.wipe'],
  needs: ['lost', 'show', 'place', 'file', 'env'],
  level: 'deny',
  category: 'outside-workspace',
  persistence: 'owner-action',
  quiet: [
    'scratch directories, caches, files that are not there',
    'a link outside that points somewhere: only the link goes',
    'one unknown file, not recursive',
  ],

  judge(effect, { facts, waygate }) {
    if (effect.kind === 'package.wipe') return throughLink(effect.dir);
    const moves = effect.kind === 'file.move';
    const targets = moves ? effect.sources : effect.targets;
    const tree = moves || effect.recursive;
    const verb = moves ? 'move away' : 'delete';
    const boundary = `file.delete ${pathsOf(targets)}`;
    const whole = targets.filter((target) => tree && isWhole(target));
    if (
      moves &&
      (effect.noClobber ||
        (targets.every((target) => target.glob) && effect.dest.path !== undefined && facts.file(effect.dest.path).kind !== 'dir'))
    )
      return;
    if (whole.length > 0) {
      const shown = names(shownTargets(whole, facts.show));
      const rest = targets.filter((target) => !whole.includes(target) && target.path !== undefined && !target.glob);
      const without =
        rest.length > 0 && effect.by === 'rm'
          ? [preview(['rm', '-rf', '--', ...rest.map((target) => argument(target.path!, facts.show))], 'without it')]
          : [];
      return {
        says: `\`${effect.by}\` would ${verb} everything in ${shown}.`,
        person: `The agent wanted to ${verb} ${shown}.`,
        boundary,
        remedies: atLeastOne(
          [...without, preview(['ls', '-la', wholeOf(whole[0]!) ?? '/'], 'shows what it would hit')],
          asking(whole, verb),
        ),
      };
    }
    if (moves) return;
    if (effect.remote) {
      const system = targets.some((target) => target.path !== undefined && facts.place(target.path) === 'system');
      if (
        !(tree || system) ||
        !effect.via.some((step) => /^(?:ssh|kubectl|oc|fly|flyctl|gcloud|aws|az|doctl|eb|railway|ansible)\b/.test(step))
      )
        return;
      return {
        says: `This would delete ${names(targets.map((target) => target.raw))} on another machine, where nobody can see what is lost.`,
        boundary: `file.delete ${effect.via.join(' ')} ${pathsOf(targets)}`,
        remedies: [asking(targets, 'delete', effect.via.join(' '))],
      };
    }
    const known = targets.filter((target) => target.path !== undefined);
    const stake = facts.lost({ about: 'paths', targets: known, tree, cwd: effect.cwd });
    const outside = stake.items.filter((item) => item.kind === 'outside');
    if (outside.length > 0) return outsideFinding({ ...stake, items: outside });
    return unknownFinding(targets.filter((target) => target.path === undefined || isForeign(target)));

    /** A clean install empties the folder first, and goes through a link into somebody else's. */
    function throughLink(dir: Target): Finding | undefined {
      const link = dir.path === undefined ? undefined : facts.file(dir.path);
      if (dir.path === undefined || link?.kind !== 'link' || link.target === undefined) return;
      const shown = facts.show(dir.path);
      return {
        says: `\`${effect.source}\` empties \`${shown}\` first, and that is a link to \`${facts.show(link.target)}\`: the packages there go.`,
        person: `The agent's install would have emptied ${facts.show(link.target)}, through a link.`,
        level: 'advise',
        boundary: `file.delete ${link.target}`,
        remedies: [preview(['rm', argument(dir.path, facts.show)], 'removes the link alone; the install then makes a folder of its own')],
      };
    }

    /** The root, a home, a system folder near the top, the shared scratch directory itself. */
    function isWhole(target: Target): boolean {
      const path = wholeOf(target);
      if (path === undefined || (target.glob && path === target.path)) return false;
      if (SHARED_TEMP.has(path))
        return !target.glob && !(effect.kind === 'file.delete' && effect.filtered) && facts.file(path).kind !== 'absent';
      const place = facts.place(path);
      return place === 'root' || place === 'home' || (place === 'system' && path.split('/').length <= 3 && facts.file(path).kind === 'dir');
    }

    /** A drive of Windows, seen from another system. */
    function isForeign(target: Target): boolean {
      return target.path !== undefined && /^[A-Za-z]:\//.test(target.path) && facts.env('OS') !== 'Windows_NT';
    }

    function outsideFinding(mine: Stake): Finding {
      const total = mine.items.length + mine.more;
      const saved = savingTargets(mine, known, waygate, facts.show);
      const look = known.find((target) => target.path && !target.glob);
      const looks = look ? [preview(['ls', '-la', argument(look.path!, facts.show)], 'shows what it would hit')] : [];
      return {
        says: `\`${effect.by}\` would delete ${count(total, 'file')} outside every repository, where no history keeps ${total === 1 ? 'it' : 'them'}: ${names(
          mine.items.map((item: AtStake) => item.name),
          3,
          mine.more,
        )}.`,
        person: `The agent wanted to delete ${names(
          mine.items.map((item: AtStake) => item.name),
          3,
          mine.more,
        )}, outside the repository.`,
        boundary,
        atStake: mine.items,
        remedies: saved ? [saved] : atLeastOne(looks, asking(known, verb)),
      };
    }

    /** What is not known before the run is refused only where the shape takes much: recursive, a glob, a list from elsewhere. */
    function unknownFinding(unknown: readonly Target[]): Finding | undefined {
      const bulk = unknown.filter((target) => tree || target.glob || target.unknown === 'the input');
      const open = bulk.filter((target) => isOpen(target));
      const [first] = open;
      if (!first) return;
      const why = isForeign(first)
        ? 'its drive cannot be looked at from here'
        : first.unset
          ? `\`${first.unknown}\` is set nowhere, so it is probably empty`
          : `what \`${first.raw}\` stands for is not known before the run`;
      return {
        says: `\`${effect.by}\` would delete ${names(open.map((target) => target.raw))}, and ${why}.`,
        person: `The agent wanted to delete ${names(open.map((target) => target.raw))} without knowing what that is.`,
        boundary: `file.delete ${pathsOf(open)}`,
        remedies: atLeastOne(isForeign(first) ? [] : shows(first), asking(open, 'delete')),
      };
    }

    /** Could it hit something that is at stake? Below a certain folder with nothing at stake it cannot. */
    function isOpen(target: Target): boolean {
      if (isForeign(target)) return true;
      const asked = facts.lost({ about: 'paths', targets: [target], tree: true, cwd: effect.cwd });
      if (asked.items.length === 0 && !asked.unread) return false;
      const place = target.prefix === '' ? 'root' : facts.place(target.prefix);
      const input = target.unknown === 'the input' && effect.cwd !== undefined;
      if (!input && (target.unset || (place !== 'workspace' && place !== 'repository'))) return true;
      const folder = input ? effect.cwd! : target.prefix;
      const below = facts.lost({ about: 'paths', targets: [{ path: folder, prefix: folder, raw: folder }], tree: true, cwd: effect.cwd });
      return below.items.length > 0 || below.unread !== undefined;
    }
  },

  examples: {
    catches: [
      { run: 'rm -rf ./out / build', why: 'one operand is the root' },
      { run: 'rm -rf ~', why: 'the home itself' },
      { run: 'rm -rf "$HOME/Documents"', why: 'files that no repository holds' },
      { run: 'rm -rf "$STAGE_ROOT"/*', why: 'a variable that is set nowhere' },
      { run: 'cd ~ && rm -rf .', why: 'the directory counts, not the spelling' },
      { run: 'find ~/Documents -delete' },
      { run: 'sudo rm -rf /etc' },
      { run: 'rm -rf node_modules/', given: ['ln -s ~/Documents node_modules'], why: 'with the slash rm goes into the link' },
      {
        run: 'npm ci',
        given: ['mkdir -p ../other/node_modules/left-pad', 'ln -s "$PWD/../other/node_modules" node_modules'],
        gets: 'advise',
        why: "it would empty the other checkout's packages",
      },
      { run: 'find ~/Documents -type f | while read -r f; do rm "$f"; done', why: 'one after the other, and all of them in the end' },
      { run: 'rm -rf /c/Users/me/Documents', why: 'a drive of Windows as Git Bash writes it' },
      { run: 'mv /* /tmp', why: 'moving the system away breaks it like deleting it' },
    ],
    allows: [
      { run: 'rm -rf ~/Documents/old-build', why: 'nothing is there' },
      { run: 'rm node_modules', given: ['ln -s ~/Documents node_modules'], why: 'only the link goes' },
      { run: "rm -rf './~'", given: ["mkdir './~'"], why: 'a folder of that name in the repository' },
      { run: 'rm -rf "$target"', why: 'an unset variable alone deletes nothing' },
      { run: 'd=$(mktemp -d) && rm -rf "$d"' },
      { run: 'rm -rf / --help' },
      { run: 'npm ci', given: ['mkdir -p node_modules/left-pad'], why: 'its own packages come back' },
      { run: 'rm -rf ~/.npm/_cacache', given: ['mkdir -p ~/.npm/_cacache', 'echo x > ~/.npm/_cacache/x'], why: 'a store of downloads' },
      { run: 'rm -rf "${OUT_DIR:?}"/*', why: 'with nothing in it the shell stops before rm starts' },
      { run: ': "${OUT_DIR:?not set}"\nrm -rf "$OUT_DIR"/*', why: 'the line before ends the shell' },
    ],
  },
});

/** The remedies in order, the last one always there. */
const atLeastOne = (some: readonly Remedy[], last: Remedy): [Remedy, ...Remedy[]] =>
  some.length > 0 ? [some[0]!, ...some.slice(1), last] : [last];

const preview = (argv: readonly string[], because: string): Remedy => ({ kind: 'run', run: quoteLine(argv), because });

/** Prints what an unknown word stands for, when it can be printed as a line of its own. */
function shows(target: Target): Remedy[] {
  if (
    target.raw === '' ||
    /%\w+%/.test(target.raw) ||
    target.unknown === 'the input' ||
    target.unknown === 'the directory' ||
    /[\n;&|<>]/.test(target.raw)
  )
    return [];
  return [{ kind: 'run', run: `printf '%s\\n' ${target.raw}`, because: 'shows what it stands for; then name the paths themselves' }];
}

function asking(targets: readonly Target[], verb: string, where?: string): Remedy {
  const what = targets
    .map((target) => quote(target.path ?? target.raw))
    .slice(0, 5)
    .join(' ');
  return { kind: 'ask', ask: `May I ${verb} ${what}${where ? ` (${where})` : ''}?`, because: 'only the owner knows what of it is needed' };
}
