import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readRecipe } from './commands.ts';
import { world } from './fixture.ts';
import { readMakefile } from './makefile.ts';
import { readJson } from './shape.ts';
import { readToml } from './toml.ts';
import { readYaml } from './yaml.ts';

describe('YAML, as the library reads it', () => {
  it.each([
    'a: 1\nb: two\nc: [x, "y, z", {k: v}]\nd: {e: [1,\n  2], f: null}\n',
    '- a\n- - b\n  - c\n-\n  d: e\n- "x: y"\n- f: 1\n  g: 2\n',
    'tasks:\n  build:\n    cmds:\n    - go build ./...\n    - cmd: echo "x"\n      silent: true\n    - |\n      a\n        b\n\n      c\n    - >-\n      folded\n      text\n  empty:\n  last: plain text\n    goes on\n',
    'base: &b\n  x: 1\nother:\n  <<: *b\n  y: 3\nz: *b\n',
    '\'quoted:key\': it\'\'s\n"k": "a\\n\\u0041"\nurl: http://x.y/z#frag\nflag: true # comment\n',
    '---\n# comment\nrepos:\n-   repo: local\n    hooks:\n    -   id: x\n        args: [--check, "-l 100"]\n        exclude: |\n            (?x)^(\n              a\n            )$\n',
    '',
  ])('%j', (text) => {
    expect(readYaml(text)?.value).toEqual(parse(text, { merge: true }));
  });

  it.each(['a: b\n c: d\n', '? complex\n: key\n', 'a: [1, 2\n', 'a: "x\n'])('gives nothing for %j', (text) => {
    expect(readYaml(text)).toBeUndefined();
  });

  it('knows the lines of keys', () => {
    const document = readYaml('a: 1\n\nb:\n  - x\n  - c: 2\n    d: 3\n');
    expect([document?.line('b'), document?.line('b', 1), document?.line('b', 1, 'd'), document?.line('no')]).toEqual([3, 5, 6, undefined]);
  });

  it('keeps a key that is named like a property of every object', () => {
    expect(Object.keys(readYaml('__proto__: 1\nconstructor: 2\n')?.value as object)).toEqual(['__proto__', 'constructor']);
  });

  it('ends on deep nesting', () => {
    expect(readYaml('['.repeat(5000))).toBeUndefined();
    expect(readYaml(Array.from({ length: 100 }, (_, i) => `${' '.repeat(i)}k:`).join('\n'))).toBeUndefined();
  });
});

describe('TOML', () => {
  it('reads tables, lists of tables, dotted keys and all strings', () => {
    const text = `title = "a\\tb" # c
[a.b]
"q k" = 'lit\\n'
list = [ "x", 'y', # c
  [1, 2], ]
it = { cmd = "x", n.y = true }
long = """
a \\
   b
c"""
[[p]]
n = 1_000
[[p]]
when = 1979-05-27 07:32:00
`;
    expect(readToml(text)?.value).toEqual({
      title: 'a\tb',
      a: { b: { 'q k': 'lit\\n', list: ['x', 'y', [1, 2]], it: { cmd: 'x', n: { y: true } }, long: 'a b\nc' } },
      p: [{ n: 1000 }, { when: '1979-05-27 07:32:00' }],
    });
    expect(readToml(text)?.line('a', 'b', 'list')).toBe(4);
  });
  it.each(['[a', 'a = ', 'a = "x', 'a', '= 1', 'a = [1', `a = ${'['.repeat(500)}`])('gives nothing for %j', (text) => {
    expect(readToml(text)).toBeUndefined();
  });
});

describe('JSON with comments', () => {
  it.each([
    ['{"a": "// no", /* c */ "b": [1, 2,], }', { a: '// no', b: [1, 2] }],
    ['{', undefined],
  ])('%s', (text, expected) => {
    expect(readJson(text)).toEqual(expected);
  });
});

describe('a recipe', () => {
  it.each([
    ['vitest run', 'vitest run', true],
    ['NODE_ENV=test vitest run', 'vitest run', true],
    ['cross-env A=1 npx vitest run', 'vitest run', true],
    ['pnpm exec eslint src', 'eslint src', true],
    ['python3 -m pytest -q', 'pytest -q', true],
    ['python -m mypy.stubtest x', 'mypy x', true],
    ['bash -c "eslint ."', 'eslint .', true],
    ['tsc 2>&1', 'tsc', true],
    ['dotenv -e .env -- jest', 'jest', true],
    ['poetry run pytest', 'pytest', true],
    ['tsc | tee log', 'tsc, tee log', false],
    ['tsc > log', 'tsc', false],
    ['tsc &', 'tsc', false],
    ['tsc && eslint .', 'tsc, eslint .', false],
    ['if [ -f x ]; then tsc; fi', '[ -f x ], tsc', false],
    ['eslint $DIR', 'eslint ', true],
    ['', '', false],
  ])('%s', (text, calls, single) => {
    const read = readRecipe(text, '/w');
    expect(read.calls.map((call) => [call.program, ...call.argv].join(' ')).join(', ')).toBe(calls);
    expect(read.single).toBe(single);
  });
});

describe('a Makefile', () => {
  const read = (text: string, more: Record<string, string> = {}) =>
    Object.fromEntries((readMakefile('/w', world({ '/w/Makefile': text, ...more }))?.targets ?? []).map((target) => [target.name, target]));

  it.each([
    ['a variable', 'X = go\na:\n\t$(X) test\n', { a: ['go test'] }],
    ['nested variables', 'X = $(Y) -v\nY := go\na:\n\t${X} $$HOME\n', { a: ['go -v $HOME'] }],
    ['the automatic ones', 'bin/a: main.c | bin\n\tcc -o $@ $<\n', { 'bin/a': ['cc -o bin/a main.c'] }],
    ['a variable that is set nowhere', 'a:\n\tgo test $(ARGS) ./...\n', { a: ['go test ./...'] }],
    ['a function', 'a:\n\tgo test $(shell go list ./...)\n', { a: ['go test $' + '{make}'] }],
    ['prefixes', 'a:\n\t@-+go test\n', { a: ['go test'] }],
    ['a recipe behind a semicolon', 'a: b ; go test\n', { a: ['go test'] }],
    ['continued lines', 'a:\n\tgo test \\\n\t  ./...\n', { a: ['go test \\\n  ./...'] }],
    ['append and default', 'F = -v\nF += -race\nF ?= no\na:\n\tgo test $(F)\n', { a: ['go test -v -race'] }],
    ['another prefix', '.RECIPEPREFIX = >\na:\n>go test\n', { a: ['go test'] }],
    ['define', 'define T\nb: c\nendef\na:\n\techo\n', { a: ['echo'] }],
    ['both branches', 'ifdef X\na:\n\tone\nelse\nb:\n\ttwo\nendif\n', { a: ['one'], b: ['two'] }],
    ['no pattern rules', '%.o: %.c\n\tcc $<\na:\n\techo\n', { a: ['echo'] }],
    ['static patterns', 'a.o b.o: %.o: %.c\n\tcc -c x\n', { 'a.o': ['cc -c x'], 'b.o': ['cc -c x'] }],
    ['CRLF', 'a:\r\n\tgo test\r\n', { a: ['go test'] }],
    ['target variables', 'X = no\na: X = 1\na:\n\techo $(X)\nb:\n\techo $(X)\n', { a: ['echo 1'], b: ['echo no'] }],
  ])('%s', (_name, text, expected) => {
    expect(Object.fromEntries(Object.entries(read(text)).map(([name, target]) => [name, target.text]))).toEqual(expected);
  });

  it('follows includes, each once', () => {
    const made = read('include a.mk $(D)/b.mk\n-include no.mk\n', {
      '/w/a.mk': 'include a.mk\nx:\n\techo\n',
      '/w/b.mk': 'y: x z\n',
      '/w/sub/b.mk': '',
    });
    expect(Object.keys(made)).toEqual(['x']);
    expect(Object.keys(read('D = sub\ninclude $(D)/b.mk', { '/w/sub/b.mk': 'y: x z | o\n' }))).toEqual(['y']);
  });

  it('collects prerequisites over several rules', () => {
    expect(read('a: b\na: c $(X)\n\techo\n.PHONY: a\n')['a']).toMatchObject({ needs: ['b', 'c'], phony: true, line: 2 });
  });
});
