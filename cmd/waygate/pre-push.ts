/** `waygate pre-push REMOTE URL`: git's hook. The refs come on stdin; exit 1 keeps git from pushing. It never waits for ever. */
import { pushLines, toldCommand } from '../../internal/effect/pre-push.ts';
import { discover } from '../../internal/fact/discover.ts';
import { agentView } from '../../internal/view/agent.ts';
import { pushView } from '../../internal/view/push.ts';
import { judgePush, type Pusher, pushAction, pusherHere, recordPush } from './pushing.ts';
import { writeAll } from './streams.ts';
import type { Exit } from './terminal.ts';
import type { OwnParser } from './verb.ts';

/** git writes its lines and closes the pipe at once; who keeps it open is not git. */
const STDIN_MS = 10_000;
/** As many bytes as git would never write: 100,000 refs. */
const STDIN_BYTES = 32 * 1024 * 1024;

const HELP = `Usage: waygate pre-push [--hand-on] REMOTE URL < REFS

git's pre-push hook: each line of stdin is LOCAL-REF LOCAL-OID REMOTE-REF REMOTE-OID, as git writes them.
Ends with 0 when the push may go out, with 1 when not. waygate init --git installs it.

  --hand-on   write the lines to stdout when the push may go out, for the rest of a hook

Examples:
  $ waygate init --git     let git call it
  $ waygate push-check     the same for yourself, before a push
`;

export const prePush: OwnParser = { run: (argv) => run(argv) };

async function run(argv: readonly string[]): Promise<Exit> {
  if (argv.includes('--help') || argv.includes('-h')) {
    writeAll(1, HELP);
    return 0;
  }
  const handOn = argv.includes('--hand-on');
  const words = argv.filter((word) => word !== '--hand-on');
  const wrong = words.find((word) => word.startsWith('-'));
  if (wrong !== undefined) return refuse(`unknown option ${wrong}; see waygate pre-push --help`, 2);
  if (words.length > 2 || words.length === 0)
    return refuse('pre-push takes what git gives it: REMOTE and URL; see waygate pre-push --help', 2);
  if (process.stdin.isTTY) return refuse('git calls pre-push with the refs on stdin; for yourself: waygate push-check', 2);
  const [remote = '', url = remote] = words as [string, string?];
  return answer({ remote, url }, await stdinText(), handOn);
}

async function answer({ remote, url }: { remote: string; url: string }, text: string | undefined, handOn: boolean): Promise<Exit> {
  if (text === undefined) return refuse('nothing was pushed: the list of refs did not end. The hook gets it from git on its stdin', 1);
  const read = pushLines(text);
  if ('wrong' in read) {
    const { line, got } = read.wrong;
    return refuse(
      `nothing was pushed: line ${line} of the refs is ${JSON.stringify(got.slice(0, 200))}; expected LOCAL-REF LOCAL-OID REMOTE-REF REMOTE-OID`,
      1,
    );
  }
  // git asks also when there is nothing to push.
  if (read.lines.length === 0) return 0;
  const { cwd, gitDir } = whereFrom();
  const pusher = whoPushes(cwd);
  const told = { remote, url, refs: read.lines, ...(gitDir === undefined ? {} : { gitDir }) };
  const action = pushAction(cwd, pusher, { raw: { ...told }, input: { command: toldCommand(told) } });
  const judged = await judgePush(action, pusher);
  const decision = recordPush(judged, action, pusher);
  const said = pusher.by === 'agent' ? agentView(decision) : pushView(decision, judged.refs);
  if (said !== '') writeAll(2, `${said}\n`);
  if (decision.verdict === 'deny') return 1;
  if (handOn) writeAll(1, text);
  return 0;
}

/**
 * The repository that pushes. With GIT_DIR git may start the hook anywhere, and GIT_WORK_TREE may name any directory: what counts is the
 * work tree that belongs to the git directory, or the directory itself where it is bare.
 */
function whereFrom(): { cwd: string; gitDir?: string } {
  const cwd = process.cwd();
  const found = discover(cwd, { GIT_DIR: process.env['GIT_DIR'] });
  return found ? { cwd: found.top ?? found.gitDir, gitDir: found.gitDir } : { cwd };
}

/** Where it cannot be told, the stricter: an agent. */
function whoPushes(cwd: string): Pusher {
  try {
    return pusherHere(cwd);
  } catch {
    return { by: 'agent' };
  }
}

function refuse(why: string, code: 1 | 2): Exit {
  writeAll(2, `waygate: ${why}\n`);
  return code;
}

/** All of stdin; undefined when it does not end in time, or is no list of refs by its size. */
function stdinText(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = (text: string | undefined): void => {
      clearTimeout(timer);
      process.stdin.destroy();
      resolve(text);
    };
    const timer = setTimeout(() => done(undefined), STDIN_MS);
    process.stdin.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > STDIN_BYTES) done(undefined);
    });
    process.stdin.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
    // A closed descriptor asks nothing.
    process.stdin.on('error', () => done(Buffer.concat(chunks).toString('utf8')));
  });
}
