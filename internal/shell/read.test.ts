import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, Look } from './command.ts';
import { readLine } from './read.ts';
import { textOf } from './word.ts';

const FILES: Readonly<Record<string, string>> = {
  '/repo/tools/clean.sh': '#!/bin/sh\nrm -rf "$HOME/docs" "$1"\n',
  '/repo/package.json': '{"scripts":{"clean":"rm -rf dist","preclean":"echo before","test":"vitest"}}',
  '/repo/Makefile': 'OUT = build\nclean: stop\n\trm -rf $(OUT)\nstop:\n\t@pkill -f server\n',
  '/repo/b.txt': 'feature/old\n',
};
const DIRECTORIES = new Set(['/repo', '/repo/src', '/repo/.git', '/home/dev', '/tmp']);

const look: Look = {
  env: (name) => (name === 'SET' ? 'value' : undefined),
  home: '/home/dev',
  tmp: '/tmp',
  stat: (path) =>
    DIRECTORIES.has(path) ? { kind: 'dir', size: 0 } : path in FILES ? { kind: 'file', size: FILES[path]!.length } : undefined,
  read: (path) => FILES[path],
  list: () => undefined,
  gitConfig: () => [],
};

const read = (text: string) => readLine(text, { cwd: '/repo', look });
/** A command as one text: holes as <name>, globs as they are. */
const shown = (command: Command) =>
  command.argv
    .map((word) => word.parts.map((part) => (part.kind === 'hole' ? `<${part.name ?? part.why}>` : part.text)).join(''))
    .join(' ');
const commands = (text: string) => read(text).commands.map(shown);

describe('which commands a line would run', () => {
  const cases: [string, string, string[]][] = [
    ['lists and groups', 'a; b && c || d & { e; } ; (f)', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['quoting inside a word', `r''m -\\rf "/x"`, ['rm -rf /x']],
    ['ANSI quoting', `$'\\x72m' -rf x`, ['rm -rf x']],
    ['a NUL ends an argument', `echo $'a\\x00b'`, ['echo a']],
    ['IFS', 'rm${IFS}-rf${IFS}/home/x', ['rm -rf /home/x']],
    ['brace expansion', '{rm,-rf,/x/{a,b}}', ['rm -rf /x/a /x/b']],
    ['variables of the line', 'F=-rf; D=~/docs; rm $F "$D"', ['rm -rf /home/dev/docs']],
    ['a prefix assignment is for its command only', 'HOME=/x ./run; rm "$HOME"', ['./run', 'rm /home/dev']],
    ['the environment', 'echo "$SET$UNSET"', ['echo value<UNSET>']],
    ['defaults', 'rm -rf "${OUT:-build}"', ['rm -rf build']],
    ['affixes', 'f=a/b.txt; echo ${f##*/} ${f%.*} ${f/a/c} ${f^^} ${f:2:1}', ['echo b.txt a/b c/b.txt A/B.TXT b']],
    ['printf -v rebinds', 'printf -v x "%s" /home; rm -rf "$x"', ['printf -v x %s /home', 'rm -rf /home']],
    ['read makes unknown', 'x=a; read x; rm "$x"', ['read x', 'rm <x>']],
    ['eval', 's="rm -rf /x"; eval "$s"', ['eval rm -rf /x', 'rm -rf /x']],
    ['bash -c with arguments', `bash -xc 'rm "$1"' _ a`, [`bash -xc rm "$1" _ a`, 'rm a']],
    ['here-string', `bash <<< 'rm x'`, ['bash', 'rm x']],
    ['here-document for a shell', 'sh <<EOF\nrm x\nEOF', ['sh', 'rm x']],
    ['here-document for cat is data', "cat <<'EOF'\nrm x\nEOF", ['cat']],
    ['substitution in an unquoted here-document', 'cat <<EOF\n$(rm x)\nEOF', ['rm x', 'cat']],
    ['known output piped into a shell', 'echo "rm x" | sh', ['echo rm x', 'sh', 'rm x']],
    ['decoded text piped into a shell', 'echo cm0geA== | base64 -d | sh', ['echo cm0geA==', 'base64 -d', 'sh', 'rm x']],
    ['a script the line writes', 'echo "rm x" > s.sh; sh s.sh', ['echo rm x', 'sh s.sh', 'rm x']],
    ['a script of the workspace', '. ./tools/clean.sh', ['. ./tools/clean.sh', 'rm -rf /home/dev/docs <1>']],
    ['a script with arguments', './tools/clean.sh src', ['./tools/clean.sh src', 'rm -rf /home/dev/docs src']],
    ['a case that the line decides', 'a=two; case $a in one|1) rm x ;; t*) ls ;; *) rm y ;; esac', ['ls']],
    ['a case that it does not', 'case $a in one) rm x ;; *) ls ;; esac', ['rm x', 'ls']],
    ['npm scripts', 'npm run clean', ['npm run clean', 'echo before', 'rm -rf dist']],
    ['make targets with prerequisites', 'make clean', ['make clean', 'pkill -f server', 'rm -rf build']],
    ['wrappers vanish', 'nohup nice -n 5 timeout -k 1 10 env A=1 command rm x', ['rm x']],
    ['any word with = is an assignment to env', "env a-b=1 '=x' BASH_FUNC_f%%='() { :; }' rm x", ['rm x']],
    ['wrappers that are judged too', 'sudo -u bob rm x', ['sudo -u bob rm x', 'rm x']],
    ['read into a list', 'read -ra c <<< "rm -rf x"; "${c[@]}"', ['read -ra c', 'rm -rf x']],
    ['read from a process', 'read -r l < <(echo rm x); eval "$l"', ['echo rm x', 'read -r l', 'eval rm x', 'rm x']],
    ['a declared list', 'declare -a c=(rm -rf x); "${c[@]}"', ['declare -a c=', 'rm -rf x']],
    ['standard input by its path', 'bash /dev/stdin <<EOF\nrm x\nEOF', ['bash /dev/stdin', 'rm x']],
    ['a program whose folder is a pattern', '/???/rm x', ['/???/rm x']],
    ['a program linked under another name', 'ln -s /bin/rm /tmp/list; /tmp/list -rf x', ['ln -s /bin/rm /tmp/list', '/bin/rm -rf x']],
    ['a link to something else', 'ln -s ../rm list; list x', ['ln -s ../rm list', 'list x']],
    ['a check that ends the shell', ': "${NONE:?not set}"\nrm -rf "$NONE"/*', []],
    ['set -u ends the shell', 'set -u\nrm "$NONE"', ['set -u']],
    ['set +u takes that back', 'set -u; set +u; rm "$NONE"', ['set -u', 'set +u', 'rm <NONE>']],
    ['a test that leaves', '[ -n "$NONE" ] || exit 1\nrm "$NONE"/*', ['[ -n <NONE> ]', 'exit 1']],
    ['a test that leaves, in a group', '[[ -z "${NONE:-}" ]] && { echo no; exit 1; }\nrm "$NONE"', ['echo no', 'exit 1']],
    ['a test with a return outside a function', '[ -n "$NONE" ] || return; rm "$NONE"', ['[ -n <NONE> ]', 'return', 'rm <NONE>']],
    ['a test whose exit is a function', 'exit() { :; }; [ -n "$NONE" ] || exit; rm "$NONE"', ['[ -n <NONE> ]', ':', 'rm <NONE>']],
    ['a test that leaves only its subshell', '([ -n "$NONE" ] || exit 1); rm "$NONE"', ['[ -n <NONE> ]', 'exit 1', 'rm <NONE>']],
    ['a test that does not leave', '[ -n "$NONE" ] || echo no; rm "$NONE"', ['[ -n <NONE> ]', 'echo no', 'rm <NONE>']],
    ['a branch for what is filled', 'if [ -n "$NONE" ]; then rm "$NONE"; fi; rm b "$NONE"', ['[ -n <NONE> ]', 'rm b <NONE>']],
    ['a test without quotes', '[ -n $NONE ] && rm "$NONE"', ['[ -n <NONE> ]', 'rm <NONE>']],
    ['a check in a subshell ends only that', '(: "${NONE:?}"); rm "$NONE"', ['rm <NONE>']],
    [
      'find -exec of a shell',
      'find src -type f -exec sh -c \': > "$1"\' _ {} +',
      ['find src -type f -exec sh -c : > "$1" _ {} +', 'sh -c : > "$1" _ src/**/*', ':'],
    ],
    [
      'NUL between the arguments of xargs',
      "printf '%s\\0' 'a b' c | xargs -0 rm --",
      ['printf %s\\0 a b c', 'xargs -0 rm --', 'rm -- a b c'],
    ],
    ['xargs with known input', 'echo a b | xargs rm', ['echo a b', 'xargs rm', 'rm a b']],
    [
      'xargs after find',
      `find src -name '*.o' | sort | xargs -I{} rm {}`,
      ['find src -name *.o', 'sort', 'xargs -I{} rm {}', 'rm src/**/*.o'],
    ],
    ['find -exec', 'find src -exec rm {} +', ['find src -exec rm {} +', 'rm src']],
    ['flock', 'flock /tmp/l rm x', ['rm x']],
    ['process substitution', 'source <(echo rm x)', ['echo rm x', 'source <process>', 'rm x']],
    ['a function', 'f() { rm "$1"; }; f a', ['rm a']],
    ['a function never called', 'f() { rm a; }', []],
    ['a trap', `trap 'rm x' EXIT`, ['trap rm x EXIT', 'rm x']],
    ['a loop over words', 'for d in a b; do rm $d; done', ['rm a', 'rm b']],
    ['a loop over a glob', 'for f in *.md; do mv "$f" ../x; done', ['mv *.md ../x']],
    ['a case arm', 'case x in x) rm -rf a;; esac', ['rm -rf a']],
    ['substitution as a redirection target', 'echo hi > "$(rm x; echo o)"', ['rm x', 'echo o', 'echo hi']],
    ['declare', 'declare r=$(rm x)', ['rm x', 'declare r=<command>']],
    ['known output', 'git -C "$(mktemp -d)" reset', ['mktemp -d', 'git -C /tmp/tmp.waygate1 reset']],
    ['a small file read', 'b=$(cat b.txt); git branch -D "$b"', ['cat b.txt', 'git branch -D feature/old']],
    ['comments', 'rm a # b\n# rm c', ['rm a']],
    ['carriage returns', 'ls\r\nrm x\r\n', ['ls', 'rm x']],
    ['a line continuation', 'rm \\\n x', ['rm x']],
    ['text is no command', 'git commit -m "never rm -rf x"', ['git commit -m never rm -rf x']],
    ['ssh', 'ssh host "rm -rf /x"', ['ssh host rm -rf /x', 'rm -rf /x']],
    ['an alias of the line', "alias z='rm -rf'\nz x", ['alias z=rm -rf', 'rm -rf x']],
  ];
  it.each(cases)('%s', (_name, text, expected) => {
    expect(commands(text)).toEqual(expected);
  });
});

describe('what surrounds a command', () => {
  const of = (text: string, name: string) => read(text).commands.find((command) => command.name === name)!;

  it('knows the directory', () => {
    expect(of('cd src && rm x', 'rm').cwd).toBe('/repo/src');
    expect(of('(cd src); rm x', 'rm').cwd).toBe('/repo');
    expect(of('cd "$X"; rm x', 'rm').cwd).toBeUndefined();
    expect(of('env -C src rm x', 'rm').cwd).toBe('/repo/src');
  });
  it('keeps both directories after a cd that may fail', () => {
    expect(
      read('cd missing; rm -rf *')
        .commands.filter((command) => command.name === 'rm')
        .map((command) => command.cwd),
    ).toEqual(['/repo/missing', '/repo']);
    expect(
      read('cd missing && rm -rf *')
        .commands.filter((command) => command.name === 'rm')
        .map((command) => command.cwd),
    ).toEqual(['/repo/missing']);
  });
  it.each([
    ['[ -f x ] || cd src; rm x', ['/repo/src', '/repo']],
    ['[ -d src ] && cd src && rm x', ['/repo/src']],
    ['[ -d src ] && { cd src; rm x; }', ['/repo/src']],
    ['if [ -d src ]; then cd src; rm x; fi', ['/repo/src']],
  ])('keeps both after a cd that may not have run: %s', (line, folders) =>
    expect(
      read(line)
        .commands.filter((command) => command.name === 'rm')
        .map((command) => command.cwd),
    ).toEqual(folders),
  );
  it('tells what has certainly succeeded', () => {
    expect(of('a && rm x', 'rm').given).toEqual([0]);
    expect(of('a; rm x', 'rm').given).toEqual([]);
    expect(of('a || rm x', 'rm').given).toEqual([]);
    expect(of('set -e; a; rm x', 'rm').given).toEqual([0, 1]);
    expect(of('a && (b; rm x)', 'rm').given).toEqual([0]);
  });
  it('tells where output goes', () => {
    expect(of('rm x | cat', 'rm').captured).toBe(true);
    expect(of('rm x', 'rm').captured).toBe(false);
    expect(of('a=$(cat x)', 'cat').captured).toBe(true);
    expect(of('cat x | sh', 'cat').pipedInto).toEqual([1]);
  });
  it('tells what is remote, root, looped', () => {
    expect(of('docker run -v /:/h alpine rm -rf /h', 'rm').remote).toBe(true);
    expect(of('sudo rm x', 'rm').root).toBe(true);
    expect(of('while a; do rm x; done', 'rm').looped).toBe(true);
  });
});

describe('what cannot be read', () => {
  it('gives the recovered commands and the reason', () => {
    const line = read('rm -rf /\n)');
    expect(line.commands.map(shown)).toEqual(['rm -rf /']);
    expect(line.unread[0]?.why).toBe('syntax');
  });
  it.each([['"$(a '.repeat(2000)], ['$('.repeat(10_000)], ['('.repeat(10_000)], [`${'eval '.repeat(50)}x`]])(
    'a limit is a limit: %#',
    (text) => {
      expect(read(text).unread.some((each) => each.why === 'limit')).toBe(true);
    },
  );
  it('a variable that doubles does not hang', () => {
    expect(read(`x=aaaa; ${'x=$x$x; '.repeat(40)}rm $x`).commands.length).toBeLessThan(3);
  });
});

describe('the corpus of shell snippets', () => {
  const rows = fs
    .readFileSync(new URL('../../test/corpora/shell.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(
      (row) => JSON.parse(row) as { src: string; valid: boolean; valid_extglob: boolean; commands: unknown[][]; effective?: unknown[][] },
    );

  it('has the names right on at least 99 %', () => {
    const wrong = rows.filter((row) => {
      const line = readLine(row.src, { cwd: '/repo', look: { ...look, read: () => undefined } });
      if (!row.valid && !row.valid_extglob) return !line.unread.some((each) => each.why !== 'dynamic');
      const all = [...line.commands, ...(line.dormant ?? [])];
      const functions = /([\w.:-]+) *\(\)|function ([\w.:-]+)/g;
      const called = new Set([...row.src.matchAll(functions)].map((match) => match[1] ?? match[2]));
      const names = new Set<unknown>(all.flatMap((command) => [textOf(command.argv[0]), ...command.via.map((via) => via.split(' ')[0])]));
      const transparent = new Set(['command', 'builtin', 'exec']);
      // Carriage returns are dropped on purpose: `rm\r` must not hide from a rule about `rm`.
      return [...row.commands, ...(row.effective ?? [])].some(
        ([name]) => typeof name === 'string' && !names.has(name.replaceAll('\r', '')) && !called.has(name) && !transparent.has(name),
      );
    });
    expect(wrong.map((row) => row.src)).toHaveLength(wrong.length);
    expect(wrong.length / rows.length).toBeLessThanOrEqual(0.01);
  });
});

describe('any text', () => {
  const shellish = fc.array(
    fc.constantFrom(
      'rm',
      ' ',
      '-rf',
      '"',
      "'",
      '$(',
      ')',
      '`',
      ';',
      '\n',
      '&&',
      '|',
      '{',
      '}',
      'a',
      '$X',
      '${X:-',
      '<<EOF\n',
      'EOF\n',
      '>',
      'if ',
      'then ',
      'fi',
      '\\',
      '*',
      '~',
      '\u0000',
      '\r',
      '(',
    ),
    { maxLength: 60 },
  );
  it('never throws', () => {
    fc.assert(
      fc.property(shellish, (pieces) => {
        expect(Array.isArray(read(pieces.join('')).commands)).toBe(true);
      }),
      { numRuns: 1500 },
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => Array.isArray(read(text).commands)),
      { numRuns: 500 },
    );
  });
});
