import { atRisk, defineRule, gitIn, type Remedy, saving } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'clean-untracked',
  group: 'work',
  level: 'deny',
  summary: 'Do not let git clean remove files that git does not hold.',
  why: `
    \`git clean\` removes just what git has no copy of: new files, notes, and with \`-x\` also the ignored ones, among them
    \`.env\` files and local databases. A plain \`git stash\` before it saves none of them. Output that a build makes again does
    not count.
  `,
  evidence:
    'Untracked and ignored files were the losses that nothing could bring back in the collected reports: `clean -fd` after a plain stash, `-X` on a nested path. Reopen if stash saved untracked files by default.',
  on: 'git.clean',
  needs: ['lost', 'show'],
  category: 'work-loss',
  persistence: 'state-change',
  quiet: ['a dry run', 'nothing but regenerable output would go', 'the files stand in a checkpoint or in a stash of the same line'],

  judge(effect, { facts, waygate }) {
    const { repo, paths, directories, ignored, nested, excludes } = effect;
    if (effect.remote || repo.dir === undefined) {
      const where = effect.remote ? 'on another machine' : 'in a directory that is not known before the run';
      return {
        says: `\`git clean\` would remove files ${where}.`,
        remedies: effect.remote
          ? [{ kind: 'ask', ask: `May I run \`${effect.command}\` there?`, because: 'nothing brings untracked files back' }]
          : [{ kind: 'stop', because: 'write the directory into the call, so that what is in it can be looked at' }],
        persistence: effect.remote ? ('owner-action' as const) : ('narrower-scope' as const),
        boundary: `git.clean ${effect.remote ? effect.via.join(' ') : '?'}`,
      };
    }
    const stake = facts.lost({ about: 'clean', repo, paths, directories, ignored, nested, excludes });
    if (stake.items.length === 0 && stake.unread === undefined) return undefined;
    const flags = `-n${directories ? 'd' : ''}${ignored === 'also' ? 'x' : ignored === 'only' ? 'X' : ''}`;
    // A path beside the directory git starts in has to be named.
    const beside = paths.flatMap(({ path }) => (path !== undefined && !path.startsWith(`${repo.dir}/`) && path !== repo.dir ? [path] : []));
    const preview: Remedy = {
      kind: 'run',
      run: gitIn(repo, ['clean', flags, ...(beside.length > 0 ? ['--', ...beside] : [])], facts.show),
      because: 'lists what would go',
    };
    const ask: Remedy = {
      kind: 'ask',
      ask: `May I run \`${effect.command}\`? It removes files that git does not hold.`,
      because: 'nothing brings them back',
    };
    const boundary = `git.clean ${paths.length > 0 ? paths.map((path) => path.path ?? path.raw).join(' ') : repo.dir}`;
    if (stake.items.length === 0)
      return { says: `What \`git clean\` would remove could not be read: ${stake.unread}.`, remedies: [preview, ask], boundary };
    const save = saving(stake, waygate, facts.show, repo.dir);
    return {
      says: `\`git clean\` would remove files that git does not hold: ${atRisk(stake)}.`,
      person: `The agent was about to delete files that are in no commit: ${atRisk(stake)}.`,
      remedies: save ? [save, preview, ask] : [preview, ask],
      boundary,
      atStake: stake.items,
    };
  },

  examples: {
    catches: [
      { run: 'git clean -fd', given: ['mkdir notes', "echo '# plan' > notes/plan.md"] },
      {
        run: 'git stash && git clean -fd',
        given: ['mkdir notes', "echo '# plan' > notes/plan.md"],
        why: 'a plain stash leaves untracked files where they are',
      },
      { run: 'git clean -fdx', given: ["echo 'API_KEY=fake-1' > .env"], why: '-x takes the ignored files too' },
      { run: 'git clean --forc', given: ["echo 'export const fresh = 1;' > src/new.ts"] },
      { run: 'git -c clean.requireForce=false clean', given: ["echo 'note' > note.txt"] },
    ],
    allows: [
      { run: 'git clean -fd', why: 'nothing is there to remove' },
      { run: 'git clean -nd', given: ["echo 'note' > note.txt"], why: 'a dry run' },
      { run: 'git clean -fdX --dry-run', given: ["echo 'API_KEY=fake-1' > .env"] },
      {
        run: 'git clean -fdX',
        given: ['mkdir -p node_modules/left-pad', "echo '{}' > node_modules/left-pad/package.json"],
        why: 'an install makes it again',
      },
      { run: 'git clean', given: ["echo 'note' > note.txt"], why: 'without force git refuses by itself' },
      { run: 'git stash -u && git clean -fd', given: ["echo 'note' > note.txt"], why: 'the stash holds it' },
    ],
  },
});
