/**
 * The whole way through the built program, as an agent would go it: refused, the way out taken, the same call passes, it is really run,
 * and `waygate checkpoint restore` brings every byte back.
 */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ran, waygate } from '../support/cli.ts';
import { remove, runLine, type Sandbox, sandbox } from '../support/sandbox.ts';

interface Journey {
  what: string;
  given: readonly string[];
  call: { run: string } | { tool: string; input: Record<string, unknown> };
  rule: string;
  /** Another way back than `waygate checkpoint restore`, where the way out was another than a checkpoint. */
  back?: string;
}

/** Bytes that no text tool leaves alone: NUL, invalid UTF-8, CRLF, no newline at the end. */
const BINARY = "printf 'a\\000b\\377\\r\\nlast' ";
const EDITS = ['echo edited >> src/app.ts', 'echo staged > README.md', 'git add README.md', 'echo on-top >> README.md'];
const WORK = [
  'mkdir -p notes/deep',
  `${BINARY}> notes/deep/blob.bin`,
  'echo plan > notes/plan.md',
  'chmod +x notes/plan.md',
  "echo 'two words' > 'notes/two words.md'",
];

const JOURNEYS: readonly Journey[] = [
  { what: 'git reset --hard', given: EDITS, call: { run: 'git reset --hard' }, rule: 'discard-changes' },
  { what: 'git checkout of everything', given: EDITS, call: { run: 'git checkout HEAD -- .' }, rule: 'discard-changes' },
  { what: 'git checkout of a path', given: ['echo edited >> src/app.ts'], call: { run: 'git checkout -- src' }, rule: 'discard-changes' },
  {
    what: 'git restore',
    given: ['echo edited >> src/app.ts', `${BINARY}> src/util.ts`],
    call: { run: 'git restore .' },
    rule: 'discard-changes',
  },
  { what: 'git restore with the index', given: EDITS, call: { run: 'git restore --staged --worktree .' }, rule: 'discard-changes' },
  { what: 'a forced switch', given: ['echo edited >> src/app.ts'], call: { run: 'git switch -f main' }, rule: 'discard-changes' },
  { what: 'git clean', given: WORK, call: { run: 'git clean -fd' }, rule: 'clean-untracked' },
  { what: 'git clean of ignored files', given: ['echo TOKEN=1 > .env', ...WORK], call: { run: 'git clean -fdx' }, rule: 'clean-untracked' },
  { what: 'rm of a file', given: WORK, call: { run: 'rm notes/deep/blob.bin' }, rule: 'file-delete' },
  { what: 'rm of a folder', given: [...WORK, 'ln -s plan.md notes/link'], call: { run: 'rm -rf notes' }, rule: 'file-delete' },
  {
    what: 'rm of edited tracked files',
    given: ['echo edited >> src/app.ts', `${BINARY}> src/util.ts`],
    call: { run: 'rm -r src' },
    rule: 'file-delete',
  },
  { what: 'find -delete', given: WORK, call: { run: 'find notes -type f -delete' }, rule: 'file-delete' },
  {
    what: 'git stash drop',
    given: ['echo idea >> src/app.ts', 'echo new > idea.txt', 'git stash push -q -u -m idea'],
    call: { run: 'git stash drop' },
    rule: 'stash-drop',
  },
  {
    what: 'git stash clear',
    given: ['echo one >> src/app.ts', 'git stash push -q -m one', 'echo two >> src/util.ts', 'git stash push -q -m two'],
    call: { run: 'git stash clear' },
    rule: 'stash-drop',
  },
  { what: 'a truncating redirect', given: [`${BINARY}> data.bin`], call: { run: 'echo short > data.bin' }, rule: 'file-overwrite' },
  { what: 'a redirect over an ignored file', given: ['echo TOKEN=1 > .env'], call: { run: ': > .env' }, rule: 'file-overwrite' },
  { what: 'cp over a file', given: WORK, call: { run: 'cp README.md notes/plan.md' }, rule: 'file-overwrite' },
  {
    what: 'git branch -D',
    given: ['git switch -q -c idea', 'echo step > step.txt', 'git add step.txt', 'git commit -q -m step', 'git switch -q feat/x'],
    call: { run: 'git branch -D idea' },
    rule: 'branch-drop',
    back: 'git branch idea keep/idea',
  },
];

/** Everything a person would miss: bytes, modes and links of the work tree, what is staged, the stash and the branches. */
function contentOf(box: Sandbox): Readonly<Record<string, string>> {
  const content: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      const name = path.relative(box.repo, file);
      if (name === '.git') continue;
      if (entry.isDirectory()) visit(file);
      else if (entry.isSymbolicLink()) content[name] = `link to ${fs.readlinkSync(file)}`;
      else content[name] = `${fs.statSync(file).mode & 0o100 ? 'program' : 'file'} ${fs.readFileSync(file).toString('base64')}`;
    }
  };
  visit(box.repo);
  const ask = (line: string): string => runLine(line, box).output;
  content['(staged)'] = ask('git ls-files -s');
  content['(stash)'] = ask("git stash list --format='%H %gs'");
  content['(branches)'] = ask("git for-each-ref --format='%(refname) %(objectname)' refs/heads");
  return content;
}

function hook(box: Sandbox, call: Journey['call']): Ran & { reason: string; message: string } {
  const tool = 'run' in call ? { tool_name: 'Bash', tool_input: { command: call.run } } : { tool_name: call.tool, tool_input: call.input };
  const event = {
    session_id: 's-1',
    transcript_path: '/dev/null',
    cwd: box.repo,
    hook_event_name: 'PreToolUse',
    tool_use_id: 'toolu_1',
    ...tool,
  };
  const ran = waygate(box, ['hook', '--host', 'claude-code'], { input: JSON.stringify(event) });
  const answer = ran.stdout.trim() === '' ? {} : JSON.parse(ran.stdout);
  return { ...ran, reason: answer.hookSpecificOutput?.permissionDecisionReason ?? '', message: answer.systemMessage ?? '' };
}

/** The command that a refusal tells the agent to run. */
const wayOut = (reason: string): string => /^Run instead: (.+)$/m.exec(reason)?.[1] ?? '';

describe('refused, saved, run, restored', () => {
  it.each(JOURNEYS.map((journey) => [journey.what, journey] as const))('%s', (_what, { given, call, rule, back }) => {
    const box = sandbox(given);
    const before = contentOf(box);

    const refused = hook(box, call);
    expect(refused.code, refused.stdout).toBe(2);
    expect(refused.reason).toContain(`[${rule}] Nothing ran`);
    expect(contentOf(box)).toEqual(before);

    const saved = runLine(wayOut(refused.reason), box);
    expect(saved.code, `${wayOut(refused.reason)}\n${saved.output}`).toBe(0);
    const kept = contentOf(box);
    expect({ ...kept, '(branches)': '' }).toEqual({ ...before, '(branches)': '' });

    const passes = hook(box, call);
    expect(passes.code, passes.reason).toBe(0);
    expect(passes.reason).toBe('');
    if (back === undefined) expect(passes.message, 'the person reads which checkpoint holds it').toContain('waygate checkpoint restore');

    if ('run' in call) expect(runLine(call.run, box).code).toBe(0);
    const after = contentOf(box);
    expect(after, 'the call did nothing').not.toEqual(before);

    const switched = runLine('git branch --show-current', box).output.trim() !== 'feat/x';
    if (switched) runLine('git switch -q feat/x', box);
    const restored = runLine(back ?? 'waygate checkpoint restore --yes', box);
    expect(restored.code, restored.output).toBe(0);
    expect(contentOf(box)).toEqual(before);
    remove(box);
  });
});
