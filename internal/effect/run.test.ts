import { describe, expect, it } from 'vitest';
import { effectsIn, firstIn } from './process-fixture.ts';

const target = (line: string) => firstIn(line, 'run.target');

describe('calls of runners', () => {
  it.each<[string, string]>([
    ['npm test', 'npm test'],
    ['npm t -- a.test.ts', 'npm test | a.test.ts'],
    ['npm run lint -w web --if-present', 'npm lint @web'],
    ['npm --prefix web run-script build', 'npm build in /code/repo/web'],
    ['npm run', 'npm ? list'],
    ['npm test -- --help', 'npm test | --help ? help'],
    ['pnpm -r --filter web check', 'pnpm check @web'],
    ['yarn workspace web test', 'yarn test @web'],
    ['bun run build', 'bun build'],
    ['make', 'make'],
    ['make -C sub -j4 lint test CC=gcc', 'make lint test | CC=gcc in /code/repo/sub'],
    ['gmake -f x.mk ci', 'make ci'],
    ['make -n ci', 'make ci ? dry-run'],
    ['just -d sub test a b', 'just test | a b in /code/repo/sub'],
    ['just --list', 'just ? list'],
    ['task lint test -- --fix', 'task lint test | --fix'],
    ['nx run web:test', 'nx test @web'],
    ['nx run-many -t lint test -p a,b', 'nx lint test @a @b'],
    ['npx nx test web', 'nx test @web'],
    ['turbo run build test --filter=web', 'turbo build test @web'],
    ['cargo +nightly t -p core', 'cargo test @core'],
    ['cargo nextest run', 'cargo nextest'],
    ['go test ./... -run TestX', 'go test @./...'],
    ['go vet ./a ./b', 'go vet @./a @./b'],
    ['./gradlew :app:test --info', 'gradle test @:app'],
    ['mvn -q -pl core verify', 'maven verify @core'],
    ['bazel test //a:b', 'bazel test @//a:b'],
    ['mise run lint ::: test', 'mise lint test'],
    ['tox -e py312,lint', 'tox py312 lint'],
    ['nox -s tests', 'nox tests'],
    ['uv run --frozen pytest -q', 'uv pytest | -q'],
    ['poetry run pytest', 'poetry pytest'],
    ['pre-commit run --all-files', 'pre-commit'],
  ])('%s', (line, expected) => {
    const effect = target(line)!;
    const { runner, targets, projects, extra, dir, looks } = effect.call;
    const told = [runner, ...targets, ...projects.map((project) => `@${project}`), ...(extra.length > 0 ? ['|', ...extra] : [])].join(' ');
    expect(`${told}${looks ? ` ? ${looks}` : ''}${dir === '/code/repo' ? '' : ` in ${dir}`}`).toBe(expected);
  });

  it.each([
    'npm install',
    'npm ci',
    'npm view x',
    'pnpm add x',
    'yarn add x',
    'bun install',
    'bun -e 1',
    'bun a.ts',
    'go mod tidy',
    'cargo add x',
    'mise use node',
    'uv sync',
    'nx graph',
    'turbo login',
    'bazel query x',
  ])('%s runs no target', (line) => expect(target(line)).toBeUndefined());
});

/** Where the output goes, in short: the stages, then the files with their streams. */
function flow(line: string): string {
  const { pipe, files, captured, pipefail } = target(line)!.output;
  const stages = pipe.map((stage) => `${stage.fds.join('')}|${stage.program}${stage.into.map((file) => `>${file.raw}`).join('')}`);
  const ends = files.map((file) => `${file.fds.join('')}>${file.append ? '>' : ''}${file.target.raw}`);
  return [...stages, ...ends, ...(captured ? ['captured'] : []), ...(pipefail ? ['pipefail'] : [])].join(' ');
}

describe('where output goes', () => {
  it.each<[string, string]>([
    ['make', ''],
    ['make 2>&1', ''],
    ['make | tail', '1|tail'],
    ['make 2>&1 | tail', '12|tail'],
    ['make |& tail | head', '12|tail 1|head'],
    ['make 2>&1 >out | tail', '2|tail 1>out'],
    ['make >out 2>&1', '12>out'],
    ['make 2>&1 >out', '1>out'],
    ['make &>> out', '12>>out'],
    ['make 3>&1 1>&2 2>&3 | tail', '2|tail'],
    ['make >/dev/stderr | tail', ''],
    ['{ make; } > out', '1>out'],
    ['( make ) 2>&1 | tail', '12|tail'],
    ["bash -c 'make' | tail > out", '1|tail>out'],
    ["bash -c 'make' > out", '1>out'],
    ['x=$(make)', 'captured'],
    ['x=$(make | tail)', '1|tail captured'],
    ['make > >(tee out)', '1|tee'],
    ['exec > out; make', '1>out'],
    ['set -o pipefail; make | tail', '1|tail pipefail'],
    ['set -euo pipefail; make | tail', '1|tail pipefail'],
    ['set -o pipefail; set +o pipefail; make | tail', '1|tail'],
    ["bash -o pipefail -c 'make | tail'", '1|tail pipefail'],
    ["set -o pipefail; bash -c 'make | tail'", '1|tail'],
    ['(set -o pipefail); make | tail', '1|tail'],
    ['for i in 1; do make; done | tail', '1|tail'],
    ['make | while read -r x; do echo "$x"; done', '1|'],
    ['f() { make; }; f | tail', '1|tail'],
  ])('%s', (line, expected) => expect(flow(line)).toBe(expected));
});

describe('the call as it can be pasted', () => {
  it.each<[string, string | undefined]>([
    ['A=1 timeout 60 make ci', 'A=1 make ci'],
    ['env -u B A=1 make', 'env -u B A=1 make'],
    ['export CI=1; make', 'CI=1 make'],
    ['time nice make', 'make'],
    ['pnpm exec nx test', 'pnpm exec nx test'],
    ["npm test -- 'a b'", "npm test -- 'a b'"],
    ['npm test -- $X', undefined],
    ['sudo make', undefined],
    ['echo y | make', undefined],
    ['ssh host make', undefined],
  ])('%s', (line, expected) => {
    const bare = target(line)?.bare;
    expect(bare && `${bare.prefix}${bare.words}`).toBe(expected);
  });

  it.each<[string, string | undefined]>([
    ['cd a && make | tail; echo x', 'cd a && [make | tail]; echo x'],
    ['x="$(make | tail)"', 'x="$([make | tail])"'],
    ['! make | tail', '! [make | tail]'],
    ['if make > out; then echo x; fi', 'if [make > out]; then echo x; fi'],
    ['{ make; echo x; } | tail', undefined],
  ])('its place: %s', (line, expected) => {
    const around = target(line)?.around;
    expect(around && `${around.before}[${around.own}]${around.after}`).toBe(expected);
  });

  it('limits, stopwatches and the run log around it', () => {
    expect(target('timeout -k 5 -s QUIT 1.5m make')).toMatchObject({ bound: { program: 'timeout', ms: 90_000, signal: 'QUIT' } });
    expect(target('time make')).toMatchObject({ timed: true, logged: false });
    expect(target('waygate run -C sub --tail 5 -- make ci')).toMatchObject({
      logged: true,
      cwd: '/code/repo/sub',
      call: { targets: ['ci'] },
    });
    expect(target('node /opt/waygate.cjs run -- make')).toMatchObject({ logged: true });
    expect(target('make && echo done')).toMatchObject({ restated: 'echo done' });
    expect(target('make && echo "$X"')).not.toHaveProperty('restated');
  });
});

describe('tools called directly', () => {
  it.each<[string, string]>([
    ['vitest run a.ts', 'vitest run'],
    ['npx vitest', 'vitest run npx'],
    ['pnpm exec eslint --fix .', 'eslint run pnpm'],
    ['./node_modules/.bin/tsc -p .', 'tsc run'],
    ['python3 -m pytest -q', 'pytest run python3 -m'],
    ['uv run mypy src', 'mypy run uv'],
    ['bun test', 'bun run'],
    ['eslint --version', 'eslint help'],
    ['prettier --check .', 'prettier check'],
    ['gofmt -l .', 'gofmt check'],
    ['gofmt -l -w .', 'gofmt run'],
    ['ruff rule E501', 'ruff help'],
    ['go build ./...', 'go run'],
  ])('%s', (line, expected) => {
    const { program, mode, launcher } = firstIn(line, 'run.tool')!;
    expect([program, mode, ...(launcher ? [launcher] : [])].join(' ')).toBe(expected);
  });

  it.each(['go mod tidy', 'cargo add x', 'echo vitest', 'prisma migrate dev'])('%s is none', (line) => {
    expect(firstIn(line, 'run.tool')).toBeUndefined();
  });
});

describe('what is kept and what is given', () => {
  it.each<[string, string | undefined]>([
    ['grep x /r/.git/waygate/runs/a1.log', 'a1 grep'],
    ['cat /tmp/tasks/b2.output | tail -5', 'b2 tail'],
    ['head < /tmp/tasks/b2.output', 'b2 head'],
    ['cat /tmp/tasks/b2.output', undefined],
    ['tail -f /tmp/tasks/b2.output', undefined],
    ['grep tasks/b2.output /tmp/x.txt', undefined],
    ['grep x build.log', undefined],
  ])('captures: %s', (line, expected) => {
    const effect = firstIn(line, 'run.capture');
    expect(effect && `${effect.ref} ${effect.program}`).toBe(expected);
  });

  it.each<[string, string]>([
    ['A=1 make', 'make A'],
    ['env A=1 B=2 node x.js', 'node A B'],
    ['export A=1', ' A'],
    ['unset A B', ' A B'],
    ["A=1 bash -c 'make'", 'bash A'],
  ])('environment: %s', (line, expected) => {
    const [effect, ...more] = effectsIn(line, 'line.environment').filter((each) => each.kind === 'line.environment');
    expect(`${effect?.program ?? ''} ${effect?.names.join(' ')}`).toBe(expected);
    expect(more).toEqual([]);
  });

  it('the place of a name', () => {
    expect(firstIn("A='x y' make && echo", 'line.environment')?.spots).toEqual([
      { name: 'A', before: '', word: "A='x y'", after: ' make && echo' },
    ]);
    expect(firstIn('A=1 make $A', 'line.environment')?.spots).toEqual([{ name: 'A', before: '', word: 'A=1', after: ' make $A' }]);
    expect(firstIn('A=1 make; A=2 make', 'line.environment')?.spots).toEqual([]);
  });

  it('the gate, and readers piped', () => {
    expect(firstIn("waygate -C sub gate run --again 'flaky'", 'run.gate')).toMatchObject({
      repo: { dir: '/code/repo/sub' },
      again: 'flaky',
    });
    expect(firstIn('waygate runs | head', 'guard.verb')).toMatchObject({ verb: 'runs', argv: [], output: { pipe: [{ program: 'head' }] } });
    expect(firstIn('waygate run --tee src/a.ts -- make', 'file.write')).toMatchObject({ targets: [{ path: '/code/repo/src/a.ts' }] });
  });
});
