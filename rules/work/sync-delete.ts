import {
  argument,
  atRisk,
  count,
  defineRule,
  names,
  pathsOf,
  quoteLine,
  type Remedy,
  savingTargets,
  shownTargets,
  wholeOf,
} from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'sync-delete',
  aliases: ['rsync-delete'],
  group: 'work',
  summary: 'Do not mirror a folder over content that exists nowhere else.',
  why: `
    \`rsync --delete\` removes at the destination whatever the source does not have. Given the wrong way round, with a missing slash, or
    in a loop over many folders, it deletes databases, uploads and keys that never were in the source.
  `,
  evidence:
    'A fan-out loop with `rsync --delete` over instance folders and a mirror of one key file over ~/.ssh are in the collected incidents (cases/open.jsonl). A destination whose content is committed, generated or absent passes. ' +
    'Would reopen it: a deployment habit that mirrors into folders with data of their own on purpose.',
  on: 'file.sync',
  needs: ['lost', 'show', 'place'],
  level: 'deny',
  category: 'work-loss',
  persistence: 'state-change',
  quiet: [
    '--dry-run, --list-only',
    'without --delete: file-overwrite looks at the files of the same name',
    'destinations with nothing at stake',
  ],

  judge(effect, { facts, waygate }) {
    if (!effect.deletes) return;
    const look: readonly Remedy[] = effect.dryRunCommand
      ? [{ kind: 'run', run: effect.dryRunCommand, because: 'lists what would be deleted and changed, without doing it' }]
      : [];
    const ask: Remedy = {
      kind: 'ask',
      ask: `May I mirror ${effect.from.raw} over ${effect.dest.raw} and delete what is only there?`,
      because: 'only the owner knows what of it is needed',
    };
    const [seen] = look;
    if (effect.remoteDest || effect.remote) {
      return {
        level: 'advise',
        says: `\`--delete\` removes at \`${effect.dest.raw}\` whatever \`${effect.from.raw}\` does not have, on a machine nobody can look at from here.`,
        boundary: `file.sync ${effect.dest.raw} delete`,
        remedies: seen ? [seen, ask] : [ask],
      };
    }
    const whole = wholeOf(effect.dest);
    const place = whole === undefined ? undefined : facts.place(whole);
    const boundary = `file.delete ${pathsOf([effect.dest])}`;
    if (place === 'root' || place === 'home' || place === 'system') {
      const shown = names(shownTargets([effect.dest], facts.show));
      return {
        says: `\`${effect.by} --delete\` would make ${shown} a copy of \`${effect.from.raw}\` and delete everything else in it.`,
        category: 'outside-workspace',
        persistence: 'owner-action',
        boundary,
        remedies: seen ? [seen, ask] : [ask],
      };
    }
    const stake = facts.lost({ about: 'paths', targets: [effect.dest], tree: true, cwd: effect.cwd });
    if (stake.items.length === 0) return;
    const total = stake.items.length + stake.more;
    const saved = savingTargets(stake, [effect.dest], waygate, facts.show);
    const listing: Remedy = {
      kind: 'run',
      run: quoteLine(['ls', '-la', argument(whole ?? '.', facts.show)]),
      because: 'shows what is there',
    };
    const rest = [...look, ...(saved || seen || whole === undefined ? [] : [listing]), ask];
    return {
      says: `\`${effect.by} --delete\` would delete or replace ${count(total, 'file')} in \`${effect.dest.raw}\` that ${total === 1 ? 'exists' : 'exist'} nowhere else: ${atRisk(stake)}.`,
      person: `The agent wanted to mirror a folder over ${atRisk(stake)}.`,
      boundary,
      atStake: stake.items,
      remedies: saved ? [saved, ...look] : [rest[0]!, ...rest.slice(1)],
    };
  },

  examples: {
    catches: [
      { run: 'rsync -a --delete src/ ../copy/', given: ['mkdir ../copy', 'echo data > ../copy/users.db'] },
      { run: 'rsync -a --del src/ notes/', given: ['mkdir notes', 'echo plan > notes/plan.md'], why: 'the short name of the same option' },
      {
        run: 'for i in ../instances/*/; do rsync -a --delete src/ "$i"; done',
        given: ['mkdir -p ../instances/a ../instances/b', 'echo a > ../instances/a/users.db'],
        why: 'many trees in one line',
      },
      { run: 'rsync -a --delete src/ ~/', why: 'the home itself' },
      { run: 'rsync -a --delete dist/ web@host.example:/srv/www/', gets: 'advise', why: 'nobody can see what is there' },
    ],
    allows: [
      { run: 'rsync -an --delete src/ ../copy/', given: ['mkdir ../copy', 'echo data > ../copy/users.db'] },
      { run: 'rsync -a --delete src/ dist/', given: ['mkdir dist', 'echo old > dist/app.js'], why: 'build output' },
      { run: 'rsync -a src/ ../copy/', given: ['mkdir ../copy', 'echo data > ../copy/users.db'], why: 'deletes nothing' },
      { run: 'rsync -a --delete src/ ../new-copy/', why: 'nothing is there' },
    ],
  },
});
