import { describe, expect, it } from 'vitest';
import type { Command } from '../shell/command.ts';
import { literal, textOf } from '../shell/word.ts';
import { innerCommands } from './runners.ts';

const command = (line: string): Command => {
  const words = line.split(' ').map((text) => literal(text));
  const name = textOf(words[0])!;
  return {
    step: 0,
    given: [],
    name: name.slice(name.lastIndexOf('/') + 1),
    argv: words,
    args: words.slice(1),
    env: new Map(),
    redirects: [],
    stdin: { from: 'inherit' },
    cwd: '/repo',
    via: [],
    remote: false,
    root: false,
    looped: false,
    background: false,
    certain: true,
    captured: false,
    source: line,
  };
};
const inner = (line: string) => innerCommands(command(line)).map((each) => [each.name, ...each.args.map((word) => textOf(word))].join(' '));

describe('runners', () => {
  it.each([
    ['npx prisma db push', ['prisma db push']],
    ['npx -y prisma@5.1.0 migrate reset', ['prisma migrate reset']],
    ['npx --package x -- prisma validate', ['prisma validate']],
    ['npm exec -- prisma generate', ['prisma generate']],
    ['pnpm --filter api exec prisma db push', ['prisma db push']],
    ['pnpm prisma db push', ['prisma db push']],
    ['yarn workspace api prisma db push', ['prisma db push']],
    ['bunx --bun drizzle-kit push', ['drizzle-kit push']],
    ['bundle exec rake db:drop', ['rake db:drop']],
    ['poetry run python manage.py flush', ['python manage.py flush', 'manage.py flush']],
    ['uv run --with x alembic downgrade base', ['alembic downgrade base']],
    ['dotenv -e .env -- npx prisma db push', ['npx prisma db push', 'prisma db push']],
    ['cross-env A=1 B=2 knex migrate:rollback', ['knex migrate:rollback']],
    ['php artisan migrate', ['artisan migrate']],
    ['php -d memory_limit=1G bin/console cache:clear', ['console cache:clear']],
    ['python3 -m alembic current', ['alembic current']],
    ['doppler run -p x -- rails db:drop', ['rails db:drop']],
    ['aws-vault exec prod -- terraform destroy', ['terraform destroy']],
    ['node ace db:wipe', ['ace db:wipe']],
    ['heroku run -a x rails db:drop', ['rails db:drop']],
  ])('%s', (line, expected) => expect(inner(line)).toEqual(expected));

  it.each([
    'npm install prisma',
    'pnpm install',
    'yarn add prisma',
    'poetry add x',
    'python script.py',
    'node server.js',
    'php index.php',
    'npx',
    'constructor x',
    'doppler run',
    'bundle install',
  ])('nothing in %s', (line) => expect(inner(line)).toEqual([]));
});
