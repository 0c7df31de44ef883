/** `init --git`, `doctor` and `uninstall` with every kind of hook that may be there, with real git and a bare remote. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { waygate } from '../support/cli.ts';
import { HUSKY, LEFTHOOK, machine, PLAIN, SECRET, snapshot, takenOut, typed, wired } from '../support/pushing.ts';
import type { Sandbox } from '../support/sandbox.ts';

const hookOf = (box: Sandbox) => join(box.repo, '.git', 'hooks', 'pre-push');

/** Writes an executable hook and gives the box back. */
function withHook(text: string, mode = 0o755): Sandbox {
  const box = machine();
  mkdirSync(join(box.repo, '.git', 'hooks'), { recursive: true });
  writeFileSync(hookOf(box), text, { mode });
  chmodSync(hookOf(box), mode);
  return box;
}

/** Every kind of hook: its text, and what it prints of the refs that it gets. */
const OWN_HOOKS: readonly { name: string; text: string; wrapped?: true }[] = [
  { name: 'a shell script', text: '#!/bin/sh\nwhile read -r a b c d; do echo "own:$1:$a:$c"; done\n' },
  { name: 'a shell script without a first line that says so', text: 'while read -r a b c d; do echo "own:$1:$a:$c"; done\n' },
  {
    name: 'bash through env, no line feed at the end',
    text: '#!/usr/bin/env bash\nset -euo pipefail\nwhile read -r a b c d; do echo "own:$1:$a:$c"; done',
  },
  {
    name: 'a shell script with letters of another encoding',
    text: '#!/bin/sh -e\n# \u00e9t\u00e9\nread -r a b c d; echo "own:$1:$a:$c"\n',
  },
  {
    name: 'a program of node',
    text: `#!/usr/bin/env node\nconst [a, , c] = require('fs').readFileSync(0, 'utf8').split(' ');\nconsole.log('own:' + process.argv[2] + ':' + a + ':' + c);\n`,
    wrapped: true,
  },
];

describe('a hook that is there', () => {
  it.each(OWN_HOOKS)('$name runs after waygate, with the refs, and comes back byte for byte', async ({ text, wrapped }) => {
    const box = withHook(text);
    const before = snapshot(join(box.repo, '.git', 'hooks'));
    expect(waygate(box, ['init', '--git']).code).toBe(0);
    expect(existsSync(`${hookOf(box)}.waygate-original`)).toBe(wrapped === true);

    typed(box, PLAIN.join(' && '));
    const passed = typed(box, 'git push origin feat/x');
    expect(passed.code, passed.output).toBe(0);
    expect(passed.output).toContain('own:origin:refs/heads/feat/x:refs/heads/feat/x');

    typed(box, SECRET.join(' && '));
    const refused = typed(box, 'git push origin feat/x');
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('waygate: nothing was pushed.');
    expect(refused.output).not.toContain('own:');

    await takenOut(box);
    expect(snapshot(join(box.repo, '.git', 'hooks'))).toEqual(before);
  });

  it('that refuses still refuses', () => {
    const box = withHook('#!/bin/sh\necho "not today" >&2\nexit 3\n');
    waygate(box, ['init', '--git']);
    typed(box, PLAIN.join(' && '));
    const { code, output } = typed(box, 'git push origin feat/x');
    expect(code).toBe(1);
    expect(output).toContain('not today');
  });

  it('a hook gets an empty list as one', () => {
    const box = withHook('#!/bin/sh\necho "lines:$(wc -l | tr -d " ")"\n');
    waygate(box, ['init', '--git']);
    expect(typed(box, 'git push origin feat/x').output).toContain('lines:0');
  });

  it('a link leads to a file of the project: that file stays as it is', async () => {
    const box = machine(['mkdir scripts', "printf '#!/bin/sh\\necho linked\\n' > scripts/pre-push", 'chmod +x scripts/pre-push']);
    mkdirSync(join(box.repo, '.git', 'hooks'), { recursive: true });
    symlinkSync('../../scripts/pre-push', hookOf(box));
    const before = snapshot(join(box.repo, '.git', 'hooks'));
    const text = readFileSync(join(box.repo, 'scripts/pre-push'), 'utf8');
    waygate(box, ['init', '--git']);
    expect(readFileSync(join(box.repo, 'scripts/pre-push'), 'utf8')).toBe(text);
    typed(box, PLAIN.join(' && '));
    expect(typed(box, 'git push origin feat/x').output).toContain('linked');
    await takenOut(box);
    expect(snapshot(join(box.repo, '.git', 'hooks'))).toEqual(before);
  });

  it('a hook that git did not run does not begin to run', async () => {
    const box = withHook('#!/bin/sh\necho own; exit 1\n', 0o644);
    const before = snapshot(join(box.repo, '.git', 'hooks'));
    waygate(box, ['init', '--git']);
    typed(box, PLAIN.join(' && '));
    const { code, output } = typed(box, 'git push origin feat/x');
    expect(code, output).toBe(0);
    expect(output).not.toContain('own');
    await takenOut(box);
    expect(snapshot(join(box.repo, '.git', 'hooks'))).toEqual(before);
  });

  it('lines that others add meanwhile stay', async () => {
    const box = withHook('#!/bin/sh\necho own\n');
    waygate(box, ['init', '--git']);
    writeFileSync(hookOf(box), `${readFileSync(hookOf(box), 'utf8')}echo later\n`);
    await takenOut(box);
    expect(readFileSync(hookOf(box), 'utf8')).toBe('#!/bin/sh\necho own\necho later\n');
  });
});

describe('init --git', () => {
  it('shows the change and makes none with --dry-run', () => {
    const box = withHook('#!/bin/sh\necho own\n');
    const before = snapshot(join(box.repo, '.git'));
    const { code, stdout } = waygate(box, ['init', '--git', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain(`--- ${hookOf(box)}`);
    expect(stdout).toMatch(/^\+# >>> waygate/m);
    expect(stdout).toMatch(/^ echo own$/m);
    expect(snapshot(join(box.repo, '.git'))).toEqual(before);
    expect(waygate(box, ['init', '--git']).stdout).toMatch(/^\+# >>> waygate/m);
  });

  it('says that nothing changes the second time', () => {
    const box = wired();
    const text = readFileSync(hookOf(box), 'utf8');
    expect(waygate(box, ['init', '--git']).stdout).toContain('wired already');
    expect(readFileSync(hookOf(box), 'utf8')).toBe(text);
  });

  it('takes a new hook out again whole, and its folder', async () => {
    const box = wired();
    expect(existsSync(hookOf(box))).toBe(true);
    await takenOut(box);
    expect(existsSync(join(box.repo, '.git', 'hooks'))).toBe(false);
  });

  it('uninstall finds the hooks of every repository, uninstall --git those of this one', async () => {
    const box = wired(['git init -q ../second']);
    const second = join(box.work, 'second');
    waygate(box, ['init', '--git'], { cwd: second });
    await takenOut(box);
    expect(existsSync(hookOf(box))).toBe(false);
    expect(existsSync(join(second, '.git/hooks/pre-push'))).toBe(true);
    await takenOut(box, { everywhere: true });
    expect(existsSync(join(second, '.git/hooks/pre-push'))).toBe(false);
  });

  it('names nothing of this machine in a hook that is committed', async () => {
    const box = machine([
      'mkdir .githooks',
      "printf '#!/bin/sh\\necho team\\n' > .githooks/pre-push",
      'chmod +x .githooks/pre-push',
      'git add .',
      'git commit -qm hooks',
      'git config core.hooksPath .githooks',
    ]);
    const before = snapshot(join(box.repo, '.githooks'));
    waygate(box, ['init', '--git']);
    const text = readFileSync(join(box.repo, '.githooks/pre-push'), 'utf8');
    expect(text).toContain('# >>> waygate');
    expect(text).not.toContain(box.home);
    expect(text).not.toContain(process.execPath);
    typed(box, SECRET.join(' && '));
    expect(typed(box, 'git push').code).toBe(1);
    // A clone of somebody who has no waygate pushes as before.
    typed(
      box,
      'git commit -q -a -m hooks --no-verify; git push -q --no-verify; git clone -q ../origin.git ../theirs -b feat/x && cd ../theirs && git config core.hooksPath .githooks && git commit -q --allow-empty -m theirs',
    );
    const theirs = typed(box, 'git push', { cwd: join(box.work, 'theirs') });
    expect(theirs.code, theirs.output).toBe(0);
    expect(theirs.output).toContain('team');
    await takenOut(box);
    expect(snapshot(join(box.repo, '.githooks'))).toEqual(before);
    expect(existsSync(join(box.repo, '.git', 'waygate'))).toBe(false);
  });

  it('a folder for the hooks of all repositories is named as one', () => {
    const box = machine();
    const hooks = join(box.home, 'hooks');
    typed(box, `git config --global core.hooksPath ${hooks}`);
    const { code, stdout } = waygate(box, ['init', '--git']);
    expect(code).toBe(0);
    expect(stdout).toContain('all your repositories');
    expect(existsSync(join(hooks, 'pre-push'))).toBe(true);
    typed(box, SECRET.join(' && '));
    expect(typed(box, 'git push origin feat/x').code).toBe(1);
  });

  it('there is no repository', () => {
    const box = machine();
    const { code, stderr } = waygate(box, ['init', '--git'], { cwd: box.tmp });
    expect(code).toBe(1);
    expect(stderr).toContain('no git repository');
  });
});

describe('doctor', () => {
  const hookLine = (box: Sandbox) =>
    waygate(box, ['doctor'])
      .stdout.split('\n')
      .filter((line) => line.includes('git hook'));

  it('tries the hook and tells the order', () => {
    const box = withHook('#!/bin/sh\necho own\n');
    waygate(box, ['init', '--git']);
    expect(hookLine(box)).toEqual([expect.stringMatching(/^ok .*refused a canary in \d+ ms, then the rest of the hook runs$/)]);
  });

  it('a declared gate that git does not ask for', () => {
    const box = machine(["printf 'version: 1\\ngate: { command: npm test }\\n' > waygate.yaml"]);
    expect(hookLine(box)).toEqual([expect.stringMatching(/^warn .*git does not ask for it/)]);
  });

  it('a program that is gone', () => {
    const box = wired();
    rmSync(join(box.home, '.local/share/waygate'), { recursive: true });
    expect(hookLine(box)).toEqual([expect.stringMatching(/^fail .*refuses every push: .* is gone/)]);
  });

  it('a hook that is not executable, lines before the block, a hook that is gone', () => {
    const box = wired();
    const text = readFileSync(hookOf(box), 'utf8');
    chmodSync(hookOf(box), 0o644);
    expect(hookLine(box)[0]).toMatch(/^fail .*not executable/);
    chmodSync(hookOf(box), 0o755);
    writeFileSync(hookOf(box), text.replace('#!/bin/sh\n', '#!/bin/sh\ncat > /dev/null\n'));
    expect(hookLine(box)[0]).toMatch(/^warn .*other lines run before/);
    rmSync(hookOf(box));
    expect(hookLine(box)[0]).toMatch(/^fail .*is gone/);
  });
});

describe.skipIf(HUSKY === undefined)('with husky 9', () => {
  const husky = () => {
    const box = machine(["printf 'echo own; cat\\n' > pre-push.txt"]);
    const ran = typed(
      box,
      `${process.execPath} ${HUSKY} && mv pre-push.txt .husky/pre-push && git add .husky && git commit -qm husky && git push -q origin feat/x`,
    );
    expect(ran.code, ran.output).toBe(0);
    return box;
  };

  it('both ask, in order, each once; uninstall leaves what husky made', async () => {
    const box = husky();
    const before = snapshot(join(box.repo, '.husky'));
    waygate(box, ['init', '--git']);
    expect(readFileSync(join(box.repo, '.husky/pre-push'), 'utf8')).not.toContain(box.home);
    typed(box, PLAIN.join(' && '));
    const passed = typed(box, 'git push origin feat/x');
    expect(passed.code, passed.output).toBe(0);
    expect(passed.output).toMatch(/own\n.*refs\/heads\/feat\/x [0-9a-f]{40} refs\/heads\/feat\/x [0-9a-f]{40}\n/);
    expect(JSON.parse(waygate(box, ['log', '--json']).stdout).decisions).toHaveLength(1);
    typed(box, SECRET.join(' && '));
    expect(typed(box, 'HUSKY=0 git push origin feat/x').code, 'husky switched off').toBe(1);
    await takenOut(box);
    expect(snapshot(join(box.repo, '.husky'))).toEqual(before);
  });

  it('an install that writes its hooks anew leaves the committed one asking, and doctor tells', () => {
    const box = husky();
    waygate(box, ['init', '--git']);
    typed(box, `${process.execPath} ${HUSKY}`);
    expect(readFileSync(join(box.repo, '.husky/_/pre-push'), 'utf8')).not.toContain('waygate');
    typed(box, SECRET.join(' && '));
    const { code, output } = typed(box, 'git push origin feat/x');
    expect(code).toBe(1);
    expect(output).toContain('waygate: nothing was pushed.');
    expect(waygate(box, ['doctor']).stdout).toMatch(/warn {2}git hook .*husky has written .* anew.*\n.*Do: waygate init --git/);
  });
});

describe.skipIf(LEFTHOOK === undefined)('with lefthook', () => {
  const lefthook = () => {
    const box = machine([
      "printf 'pre-push:\\n  commands:\\n    own:\\n      run: cat\\n      use_stdin: true\\n' > lefthook.yml",
      'git add .',
      'git commit -qm lefthook',
    ]);
    box.env['LEFTHOOK_BIN'] = LEFTHOOK!;
    const ran = typed(box, 'chmod +x "$LEFTHOOK_BIN"; "$LEFTHOOK_BIN" install && git push -q origin feat/x');
    expect(ran.code, ran.output).toBe(0);
    return box;
  };

  it('both ask, in order; uninstall leaves what lefthook made', async () => {
    const box = lefthook();
    const before = snapshot(join(box.repo, '.git/hooks'));
    waygate(box, ['init', '--git']);
    typed(box, PLAIN.join(' && '));
    const passed = typed(box, 'git push origin feat/x');
    expect(passed.code, passed.output).toBe(0);
    expect(passed.output).toContain('refs/heads/feat/x');
    typed(box, SECRET.join(' && '));
    const refused = typed(box, 'git push origin feat/x');
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('waygate: nothing was pushed.');
    await takenOut(box);
    expect(snapshot(join(box.repo, '.git/hooks'))).toEqual(before);
  });

  it('an install that writes the hook anew is told by doctor and at the start of a session', () => {
    const box = lefthook();
    waygate(box, ['init', '--git']);
    typed(box, '"$LEFTHOOK_BIN" install -f');
    expect(waygate(box, ['doctor']).stdout).toMatch(/fail {2}git hook .*written anew by lefthook.*\n.*Do: waygate init --git/);
    const start = { session_id: 's', cwd: box.repo, hook_event_name: 'SessionStart', source: 'startup' };
    const { stdout } = waygate(box, ['hook', '--host', 'claude-code'], { input: JSON.stringify(start) });
    expect(stdout).toContain('written anew by lefthook');
    expect(stdout).toContain('waygate init --git');
    waygate(box, ['init', '--git']);
    typed(box, SECRET.join(' && '));
    expect(typed(box, 'git push origin feat/x').code).toBe(1);
  });
});
