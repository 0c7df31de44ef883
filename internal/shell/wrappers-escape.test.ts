/** Escapes of editors, debuggers, database shells and pagers lead to the command they run; the languages themselves do not. */
import { describe, expect, it } from 'vitest';
import { EMPTY_LOOK } from './fixture.ts';
import { readLine } from './read.ts';

const look = EMPTY_LOOK;

const names = (text: string): readonly string[] => readLine(text, { cwd: '/repo', look }).commands.map((command) => command.name);

describe('package managers and environment tools', () => {
  it.each([
    "npx bash -c 'rm -rf src'",
    "npx -y -p some-tool sh -c 'rm -rf src'",
    "npx -c 'rm -rf src'",
    "npm exec -c 'rm -rf src'",
    "npm exec -- bash -c 'rm -rf src'",
    "pnpm exec -c 'rm -rf src'",
    "pnpm --filter web exec bash -c 'rm -rf src'",
    "yarn exec 'rm -rf src'",
    "bunx bash -c 'rm -rf src'",
    "uv run --with requests bash -c 'rm -rf src'",
    "poetry run sh -c 'rm -rf src'",
    "bundle exec bash -lc 'rm -rf src'",
    "conda run -n lab bash -c 'rm -rf src'",
    "nix develop -c bash -c 'rm -rf src'",
    "concurrently -n a,b 'npm test' 'rm -rf src'",
    'npx concurrently "rm -rf src"',
    "nodemon --watch src --exec 'rm -rf src'",
  ])('%s', (text) => {
    expect(names(text)).toContain('rm');
  });

  it.each([
    "npx cowsay 'rm -rf src'",
    "npx bash -n 'rm -rf src'",
    'npm exec -- prettier -c rm',
    "poetry run pytest -k 'rm -rf src'",
    "uv run python -c 'rm -rf src'",
    "npm install bash -c 'rm -rf src'",
    "conda install bash -c 'rm -rf src'",
    "concurrently -n 'rm -rf src' 'npm test'",
    'nodemon --watch rm app.js',
  ])('not: %s', (text) => {
    expect(names(text)).not.toContain('rm');
  });
});

describe('escapes', () => {
  it.each([
    "vim -c ':!rm -rf src' -c ':q'",
    "vim -es +'!rm -rf src' +q",
    "vim -c 'silent! !rm -rf src' -c q README.md",
    "vim -c 'r !rm -rf src' -c q",
    `nvim --headless -c "call system('rm -rf src')" -c q`,
    `nvim --headless -c "lua os.execute('rm -rf src')" -c q`,
    "ex -sc '%!rm -rf src' README.md",
    "ed README.md <<< '!rm -rf src'",
    'ed README.md <<EOF\np\n!rm -rf src\nq\nEOF',
    `emacs --batch --eval '(shell-command "rm -rf src")'`,
    "gdb -nx -ex '!rm -rf src' -ex quit",
    "gdb -batch -ex 'shell rm -rf src'",
    "lldb -b -o 'platform shell rm -rf src'",
    "sqlite3 /dev/null '.shell rm -rf src'",
    "sqlite3 x.db <<< '.system rm -rf src'",
    "psql -c '\\! rm -rf src'",
    "echo '\\! rm -rf src' | psql -d app",
    "mysql -e 'system rm -rf src'",
    "expect -c 'spawn rm -rf src; expect eof'",
    "man -P 'rm -rf src' ls",
    "less +'!rm -rf src' README.md",
    "zip x.zip README.md -T -TT 'rm -rf src #'",
    "capsh --print -- -c 'rm -rf src'",
    'cmake -E rm -rf src',
    'cmake -E remove_directory src',
    'npm explore left-pad -- rm -rf src',
  ])('%s', (text) => {
    expect(names(text)).toContain('rm');
  });

  it.each([
    "vim -c 'set ft=sh' README.md",
    'vim +12 src/app.ts',
    "vim -c '%s/rm -rf/remove/g' -c wq notes.txt",
    "gdb -ex 'print rm' -ex run ./app",
    "sqlite3 x.db 'select * from rm'",
    'psql -c "select \'rm -rf src\'"',
    "mysql -e 'show tables'",
    'expect -c \'send "rm -rf src"\'',
    'man rm',
    'less +/rm README.md',
    'cmake -E echo rm -rf src',
    'cmake -S . -B build',
    'npm explore left-pad',
  ])('not: %s', (text) => {
    expect(names(text)).not.toContain('rm');
  });
});
