import {
  argument,
  defineRule,
  names,
  pathsOf,
  quoteLine,
  type Remedy,
  shownTargets,
  type Target,
  wholeOf,
} from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'permission-sweep',
  aliases: ['chmod-recursive', 'chown-system'],
  group: 'work',
  summary: 'Do not change rights or owners of whole systems, homes or trees for everybody.',
  why: `
    A recursive chmod or chown over /usr clears setuid bits and owners that no command puts back; over a home it opens keys or locks
    programs out. Nothing is deleted, and still the machine has to be set up again. World-writable trees are the same mistake in small.
  `,
  evidence:
    'The collected incidents have `sudo chown -R $USER /usr` and `find / -exec chmod` (cases/open.jsonl). Making one script executable, the commonest use in real calls, is never touched. Would reopen it: a measured need for world-writable trees in a workspace.',
  on: 'file.mode',
  needs: ['place', 'show'],
  level: 'deny',
  category: 'outside-workspace',
  persistence: 'narrower-scope',
  quiet: [
    'files and folders of the workspace, unless everybody may write a whole tree',
    'one named file of the system',
    'scratch directories',
  ],

  judge(effect, { facts }) {
    const swept = effect.targets.filter((target) => isSwept(target));
    const boundary = `file.mode ${pathsOf(effect.targets)} ${effect.change}`;
    if (swept.length > 0) {
      const shown = names(shownTargets(swept, facts.show));
      return {
        says: `\`${effect.by} ${effect.value}\` would change ${effect.change === 'owner' ? 'the owner' : 'the rights'} of ${effect.recursive ? 'everything in ' : ''}${shown}, and no command puts the old ones back.`,
        person: `The agent wanted to change ${effect.change === 'owner' ? 'owners' : 'rights'} in ${shown}.`,
        boundary,
        persistence: 'owner-action',
        remedies: [
          {
            kind: 'run',
            run: quoteLine(['ls', '-ld', ...swept.map((target) => wholeOf(target) ?? '/')]),
            because: 'shows the rights as they are',
          },
          {
            kind: 'ask',
            ask: `May I change ${effect.change} in ${swept.map((target) => target.path ?? target.raw).join(' ')} (${effect.value})?`,
            because: 'the old rights are recorded nowhere',
          },
        ],
      };
    }
    if (effect.remote || effect.change !== 'mode' || !opensToAll(effect.value)) return;
    const open = effect.targets.filter(
      (target) => target.path !== undefined && !['temp', 'regenerable'].includes(facts.place(target.path)),
    );
    const [first] = open;
    if (!first) return;
    return {
      category: 'external-effect',
      ...(effect.recursive ? {} : { level: 'advise' as const }),
      says: `\`${effect.by} ${effect.value}\` would let every user of this machine write ${effect.recursive ? 'everything in ' : ''}${names(shownTargets(open, facts.show))}.`,
      boundary,
      remedies: [narrower(effect.recursive, open)],
    };

    /** Root, a home, a system folder as a whole; a single system path only where it is opened to all or closed to all. */
    function isSwept(target: Target): boolean {
      const path = wholeOf(target);
      if (path === undefined) return effect.recursive && target.unset === true;
      const place = facts.place(path);
      if (place !== 'root' && place !== 'home' && place !== 'system') return false;
      if (effect.recursive) return true;
      return effect.change === 'mode' && path.split('/').length <= 3 && (opensToAll(effect.value) || /^0*$/.test(effect.value));
    }

    function narrower(recursive: boolean, targets: readonly Target[]): Remedy {
      const paths = targets.map((target) => argument(target.path!, facts.show));
      const mode = recursive ? 'u+rwX,go-w' : 'u+rwx,go-w';
      return {
        kind: 'run',
        run: quoteLine([effect.by, ...(recursive ? ['-R'] : []), mode, '--', ...paths]),
        because: 'the owner may write, nobody else',
      };
    }
  },

  examples: {
    catches: [
      { run: 'sudo chown -R $USER:$(id -gn) /usr', why: 'clears owners and setuid bits of the system' },
      { run: 'find / -type f -exec chmod 666 {} \\;', why: 'the walk starts at the root' },
      { run: 'chmod -R 700 ~' },
      { run: 'chmod --recursive 000 /etc' },
      { run: 'chmod -R 777 src', why: 'a whole tree for everybody' },
      { run: 'chmod 777 src', gets: 'advise' },
    ],
    allows: [
      { run: 'chmod +x src/app.ts' },
      { run: 'chmod 755 src/app.ts' },
      { run: 'chmod -R u+rwX src' },
      { run: 'chmod -R 777 "$TMPDIR"' },
      { run: 'chmod --help' },
      { run: 'chmod o-w src/app.ts' },
      { run: 'sudo chmod 644 /etc/hosts', why: 'one named file' },
    ],
  },
});

/** Write for others: octal with 2 in the last digit, or `o+w`, `a+rwx`, `ugo=rwx`. */
function opensToAll(value: string): boolean {
  if (/^0*[0-7]{3,5}$/.test(value)) return (Number(value.at(-1)) & 2) !== 0;
  return value.split(',').some((clause) => /^[ug]*(?:a|o)[ugoa]*[+=][rwxXst]*w/.test(clause));
}
