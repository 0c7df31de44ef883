import { defineRule, type EffectOf, quote, type Remedy } from '../../internal/rule/rule.ts';

const DOES: Readonly<Record<string, string>> = {
  drop: 'drop',
  'drop-column': 'drop',
  'drop-partition': 'drop',
  truncate: 'empty',
  'delete-all': 'delete everything in',
  'update-all': 'overwrite every row of',
  flush: 'flush',
  reset: 'drop and build anew',
  overwrite: 'replace',
};

/** The owner's sentence, and before it a look that changes nothing. */
function remedies(effect: EffectOf<'data.destroy'>, does: string): [Remedy, ...Remedy[]] {
  const ask: Remedy = {
    kind: 'ask',
    ask: `May I let \`${effect.by}\` ${does} ${effect.what}? What is in it does not come back without a backup.`,
    because: 'only the owner knows whether this data is needed',
  };
  if (!effect.preview) return [ask];
  return [{ kind: 'run', run: effect.preview, because: 'shows what is there and changes nothing' }, ask];
}

export default defineRule({
  name: 'database-drop',
  group: 'outside',
  level: 'deny',
  summary: 'Do not drop, empty or rebuild a database on your own.',
  why: `
    A database has no undo. Migration tools make the loss look like housekeeping: a reset drops every table of
    whatever DATABASE_URL names, and a flag or a piped \`yes\` removes the one question that would have stopped it.
    A DELETE without WHERE empties the table.
  `,
  evidence:
    'Public reports of resets that hit live or curated data: prisma migrate reset and db push --force-reset, supabase db reset, artisan migrate:fresh (cases, kind destroys). ' +
    'In about 6,000 real agent calls it speaks once or twice, on `rails db:drop`. Reopen it when workspaces declare their disposable databases.',
  on: 'data.destroy',
  needs: ['lost'],
  category: 'external-effect',
  persistence: 'owner-action',
  quiet: [
    'the database is in memory, or its name or environment says test, tmp or ci',
    'a SQLite file that does not exist, or whose bytes a commit or a checkpoint holds',
    'read-only and dry-run forms, SQL in strings and comments, a transaction that is rolled back',
    'one migration step back, DELETE and UPDATE with a WHERE',
  ],

  judge(effect, { facts, waygate }) {
    if (effect.throwaway) return;
    const does = DOES[effect.how] ?? effect.how;
    const own = remedies(effect, does);
    const finding = {
      says: `\`${effect.by}\` would ${does} ${effect.what}.`,
      person: `The agent wanted to ${does} ${effect.what} (${effect.engine}).`,
      boundary: `data.destroy ${effect.what}`,
      remedies: own,
    };
    if (!effect.file) return finding;
    const stake = facts.lost({ about: 'paths', targets: [effect.file], tree: false, cwd: effect.cwd });
    if (stake.items.length === 0 && !stake.unread) return;
    const path = effect.file.path;
    if (path === undefined || stake.items.some((item) => !item.savable)) return { atStake: stake.items, ...finding };
    const save: Remedy = {
      kind: 'run',
      run: `${waygate} checkpoint -- ${quote(path)}`,
      because: 'keeps the database file as it is now; then the same call passes',
      then: 'again',
    };
    return { atStake: stake.items, ...finding, remedies: [save, ...own] };
  },

  examples: {
    catches: [
      { run: 'npx prisma migrate reset --force' },
      { run: 'NODE_ENV=test npx prisma migrate reset --force', why: 'prisma does not look at NODE_ENV' },
      { run: 'npx prisma db push --accept-data-loss' },
      { run: 'yes | npx prisma db push', why: 'the question is answered before it is asked' },
      { run: 'php artisan migrate:fresh --seed' },
      { run: 'python manage.py flush --no-input' },
      { run: 'bundle exec rails db:drop db:create' },
      { run: "psql -h db.internal app -c 'DROP TABLE users'" },
      { run: "mysql shop <<'SQL'\nDELETE FROM orders;\nSQL", why: 'no WHERE: every row' },
      { run: 'redis-cli -n 0 FLUSHALL' },
      { run: "mongosh shop --eval 'db.dropDatabase()'" },
      { run: 'sqlite3 notes.db "DROP TABLE notes"', given: ['echo data > notes.db'], why: 'the file is tracked by nothing' },
      { run: 'npx supabase db reset' },
    ],
    allows: [
      { run: "psql app -c 'SELECT count(*) FROM users'" },
      { run: "psql app -c 'DELETE FROM sessions WHERE expires < now()'" },
      { run: 'psql app -c "SELECT \'DROP TABLE users\'"', why: 'text, not a statement' },
      { run: 'RAILS_ENV=test bin/rails db:reset' },
      { run: 'dropdb --if-exists app_test' },
      { run: 'npx prisma migrate status' },
      { run: 'npx prisma db push' },
      { run: "sqlite3 :memory: 'CREATE TABLE t(x); DROP TABLE t'" },
      { run: 'php artisan migrate:fresh --pretend' },
    ],
  },
});
