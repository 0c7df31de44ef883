/** Does git's pre-push hook still ask waygate? For `init`, `doctor` and the texts of a session's start. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { blockIn, hasBlock, LAUNCHER, ORIGINAL, runsBefore } from '../../internal/githook/block.ts';
import { readHooks } from '../../internal/ledger/git-hooks.ts';
import { isExecutable } from '../../internal/runlog/program.ts';
import { hookFiles, hookPlace, textAt } from './git-hook.ts';

/** How long the hook may take for the canary, in milliseconds. */
const CANARY_MS = 15_000;

/** No list of refs looks like this: the hook refuses it, whatever the policy says, and nothing is sent. */
const CANARY = 'waygate canary\n';

export interface HookCanary {
  refused: boolean;
  detail: string;
  ms: number;
}

/** Runs the hook as git does, with a line that is refused. The lines of the hook after waygate's block are not reached. */
export function hookCanary(path: string, cwd: string): HookCanary {
  const started = performance.now();
  // A hook without a first line that says otherwise is run by sh.
  const result = spawnSync(path, ['waygate-canary', 'waygate-canary'], {
    cwd,
    input: CANARY,
    encoding: 'utf8',
    timeout: CANARY_MS,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const retried = (result.error as NodeJS.ErrnoException | undefined)?.code === 'ENOEXEC';
  const { status, error, stderr } = retried
    ? spawnSync('sh', [path, 'waygate-canary', 'waygate-canary'], { cwd, input: CANARY, encoding: 'utf8', timeout: CANARY_MS })
    : result;
  const ms = Math.round(performance.now() - started);
  // A hook that ends without reading the refs is none that cannot be run.
  if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE')
    return { refused: false, detail: `it could not be run: ${error.message}`, ms };
  if (status === 1 && stderr.includes('waygate: nothing was pushed')) {
    const gone = /since (.+) is gone/.exec(stderr);
    return gone ? { refused: false, detail: `it refuses every push: ${gone[1]} is gone`, ms } : { refused: true, detail: '', ms };
  }
  return { refused: false, detail: `it ended with ${status} and without waygate's refusal`, ms };
}

/** One line of `doctor`. */
export interface HookCheck {
  state: 'ok' | 'warn' | 'fail';
  what: string;
  detail: string;
  fix?: string;
}

const FIX = 'waygate init --git';

/** What `doctor` says about the hook of a directory's repository. `gate`: the declared gate. */
export function hookChecks(cwd: string, gate: string | undefined): HookCheck[] {
  const place = hookPlace(cwd);
  if (!place) return [];
  const [started = '', ...others] = hookFiles(place);
  const text = textAt(started);
  if (text === undefined || !hasBlock(text)) return [unwired(cwd, gate, started, others[0])].filter((check) => check !== undefined);
  if (!isExecutable(started))
    return [{ state: 'fail', what: 'git hook', detail: `${started} is not executable, so git runs no hook`, fix: `chmod +x ${started}` }];
  if (!blockIn(text))
    return [
      {
        state: 'fail',
        what: 'git hook',
        detail: `${started}: the end of waygate's block is missing`,
        fix: 'take the block out by hand, then: waygate init --git',
      },
    ];
  const checks: HookCheck[] = [];
  if (runsBefore(text))
    checks.push({
      state: 'warn',
      what: 'git hook',
      detail: `${started}: other lines run before waygate's, and may end the hook or read the refs`,
      fix: 'move the block up to the first line',
    });
  const canary = hookCanary(started, place.top);
  const chained =
    others.length > 0
      ? ', then husky runs its own'
      : text.includes(ORIGINAL)
        ? `, then ${ORIGINAL} runs`
        : restOf(text)
          ? ', then the rest of the hook runs'
          : '';
  checks.push(
    canary.refused
      ? { state: 'ok', what: 'git hook', detail: `${started} refused a canary in ${canary.ms} ms${chained}` }
      : { state: 'fail', what: 'git hook', detail: `${started}: ${canary.detail}`, fix: FIX },
  );
  for (const other of others)
    if (!hasBlock(textAt(other) ?? ''))
      checks.push({
        state: 'warn',
        what: 'git hook',
        detail: `${other} has lost its block: after the next npm install husky's own hook would not ask`,
        fix: FIX,
      });
  return checks;
}

/** The hook that git starts does not ask. */
function unwired(cwd: string, gate: string | undefined, started: string, second: string | undefined): HookCheck | undefined {
  const gone = goneHook(cwd);
  if (gone) return { state: 'fail', what: 'git hook', detail: gone, fix: FIX };
  if (second !== undefined && hasBlock(textAt(second) ?? ''))
    return {
      state: 'warn',
      what: 'git hook',
      detail: `husky has written ${started} anew; ${second} asks in its place, unless HUSKY=0 is set`,
      fix: FIX,
    };
  if (gate === undefined) return undefined;
  return {
    state: 'warn',
    what: 'git hook',
    detail: `the gate ${gate} is declared, but git does not ask for it: a push that is typed, or hidden in a script, goes out without it`,
    fix: FIX,
  };
}

/** Is there more in the hook than the block and its first line? */
function restOf(text: string): boolean {
  const block = blockIn(text);
  return block !== undefined && text.slice(block.end).trim() !== '';
}

/**
 * What has become of a hook that was wired for this repository and does not ask any more, as a sentence; undefined while it does, or
 * where none was wired.
 */
export function goneHook(cwd: string): string | undefined {
  // The usual machine has wired none: git is not asked then.
  const all = readHooks();
  const place = all.length > 0 ? hookPlace(cwd) : undefined;
  if (!place) return undefined;
  const remembered = all.filter((each) => each.commonDir === place.commonDir && each.how !== 'launcher');
  if (remembered.length === 0) return undefined;
  const started = join(place.hooks, 'pre-push');
  const text = textAt(started);
  if (text !== undefined && hasBlock(text)) return undefined;
  // husky's committed hook asks in its place.
  const second = hookFiles(place)[1];
  if (second !== undefined && text !== undefined && hasBlock(textAt(second) ?? '') && textAt(join(place.commonDir, LAUNCHER)) !== undefined)
    return undefined;
  const by = text === undefined ? undefined : writerOf(text);
  if (!remembered.some((each) => each.path === started)) return `git now takes its hooks from ${place.hooks}, where nothing asks waygate`;
  return text === undefined
    ? `${started} is gone`
    : `${started} was written anew${by ? ` by ${by}` : ''} and does not ask waygate any more`;
}

/** The hook manager that wrote a hook, by the words in it. */
function writerOf(text: string): string | undefined {
  if (/lefthook/i.test(text)) return 'lefthook';
  if (/pre-commit\.com|pre_commit/.test(text)) return 'pre-commit';
  return /husky|dirname "\$0"\)\/h"/.test(text) ? 'husky' : undefined;
}
