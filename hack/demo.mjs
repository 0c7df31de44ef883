#!/usr/bin/env node
// npm start: a short session of Claude Code events through the built hook, in a temporary repository. Shows for each call what the
// agent and the person would see; a refusal's remedy is really run, and the same call asked again. No judged command is ever run.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const hook = [process.execPath, join(root, 'dist', 'waygate.cjs')];

const GIT = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', '-c', 'init.defaultBranch=main', '-c', 'advice.detachedHead=false'];

/** A repository with a remote, on its own branch, with work that is nowhere else. */
function makeWorld() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'waygate-demo-')));
  const env = {
    PATH: `${join(base, 'bin')}:${process.env.PATH}`,
    HOME: join(base, 'home'),
    TMPDIR: join(base, 'tmp'),
    XDG_STATE_HOME: join(base, 'state'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(base, 'gitconfig'),
  };
  const script = `
    mkdir -p bin home/Documents tmp state work/app/src work/app/build
    ln -s '${hook[1]}' bin/waygate
    printf '[user]\\n\\tname = Dev\\n\\temail = dev@example.com\\n' > gitconfig
    echo 'a letter' > home/Documents/letter.txt
    git ${GIT.join(' ')} init -q --bare work/origin.git
    cd work/app
    git ${GIT.join(' ')} init -q
    printf 'build\\n.env\\n' > .gitignore
    echo 'export const parse = () => 1;' > src/parser.ts
    echo 'TOKEN=3f9a7c1e5b8d2046' > .env
    git add . && git commit -qm 'first version'
    git remote add origin ../origin.git && git push -q origin main
    echo theirs > theirs.txt && git add . && git commit -qm 'work of a colleague' --author 'Sam <sam@example.com>' && git push -q origin main
    git reset -q --hard HEAD~1 && git switch -qc feat/parser
    echo 'export const parse = () => 2; // two hours of work' > src/parser.ts
    echo 'ideas' > notes.md
    echo compiled > build/out.js
  `;
  execFileSync('bash', ['-ec', script], { cwd: base, env, stdio: ['ignore', 'ignore', 'inherit'] });
  return { base, env, repo: join(base, 'work', 'app') };
}

const SESSION = [
  ['Looking around.', 'Bash', { command: 'git status --short && git log --oneline -3' }],
  [
    'A commit message that mentions a command is text.',
    'Bash',
    { command: "git commit -qm 'docs: never run rm -rf / or git push --force' --allow-empty" },
  ],
  ['Build output can be made again.', 'Bash', { command: 'rm -rf build' }],
  ['Two hours of work are only in the work tree.', 'Bash', { command: 'cd src && git reset --hard' }],
  [
    'The same loss by another route.',
    'Bash',
    { command: "python3 - <<'EOF'\nimport shutil, os\nshutil.rmtree(os.path.expanduser('~/Documents'))\nEOF" },
  ],
  ['A push over the work of a colleague.', 'Bash', { command: 'git push --force origin HEAD:main' }],
  ['The key in a file.', 'Read', { file_path: '{{repo}}/.env' }],
  ['The guard itself.', 'Write', { file_path: '{{repo}}/.claude/settings.json', content: '{"disableAllHooks": true}\n' }],
  ['A habit that hides a failure.', 'Bash', { command: 'npm test; echo "exit code: $?"' }],
];

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
const VERDICTS = { pass: '32', advise: '33', deny: '31' };

function ask(world, tool_name, tool_input) {
  const event = { session_id: 'demo', cwd: world.repo, permission_mode: 'default', hook_event_name: 'PreToolUse', tool_name, tool_input };
  const result = spawnSync(hook[0], [hook[1], 'hook', '--host', 'claude-code'], {
    input: JSON.stringify(event),
    cwd: world.repo,
    env: world.env,
    encoding: 'utf8',
  });
  const answer = result.stdout.trim() ? JSON.parse(result.stdout) : {};
  const specific = answer.hookSpecificOutput ?? {};
  const agent = specific.permissionDecisionReason ?? specific.additionalContext ?? '';
  if (result.status !== 0 && result.status !== 2) throw new Error(`the hook ended with ${result.status}: ${result.stderr}`);
  return { verdict: result.status === 2 ? 'deny' : agent ? 'advise' : 'pass', agent, person: answer.systemMessage ?? '' };
}

const indent = (text, by) => text.split('\n').join(`\n${' '.repeat(by)}`);

function show(answer, world) {
  const short = (text) => text.replaceAll(world.repo, '.').replaceAll(world.env.HOME, '~');
  console.log(`   verdict  ${paint(VERDICTS[answer.verdict], answer.verdict)}`);
  if (answer.agent) console.log(`   agent    ${indent(short(answer.agent), 12)}`);
  if (answer.person) console.log(`   person   ${indent(short(answer.person), 12)}`);
}

/** The first remedy, where it is a command that makes the same call pass. */
const remedyIn = (agent) => (agent.includes('After it the same call passes.') ? /^Run instead: (.+)$/m.exec(agent)?.[1] : undefined);

const world = makeWorld();
try {
  console.log('waygate: one short session, judged by the built hook\n');
  for (const [title, tool, raw] of SESSION) {
    const input = JSON.parse(JSON.stringify(raw).replaceAll('{{repo}}', world.repo));
    const shown = input.command ?? `${tool} ${input.file_path.replace(world.repo, '.')}`;
    console.log(`${paint('1', title)}\n   call     ${indent(shown, 12)}`);
    const answer = ask(world, tool, input);
    show(answer, world);
    const remedy = answer.verdict === 'deny' ? remedyIn(answer.agent) : undefined;
    if (remedy) {
      const cwd = world.repo;
      const ran = spawnSync('bash', ['-c', remedy], { cwd, env: world.env, encoding: 'utf8' });
      console.log(`   then     ${remedy}\n            ${indent(ran.stdout.trim() || ran.stderr.trim(), 12)}`);
      console.log('   again    the same call');
      show(ask(world, tool, input), world);
    }
    console.log('');
  }
  console.log('Wire it: npx waygate init --host claude-code     Ask it: npx waygate explain "git reset --hard"');
} finally {
  rmSync(world.base, { recursive: true, force: true });
}
