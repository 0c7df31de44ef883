/** `waygate doctor`: does the wiring really deny? Looks at the settings, sends a canary, checks state, policy and git. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { coversAll, EVENTS, hooksDisabled, SettingsError, wiredIn } from '../../internal/host/claude-settings.ts';
import { makeFolder } from '../../internal/ledger/folder.ts';
import { readRecords } from '../../internal/ledger/read.ts';
import { stateDir } from '../../internal/ledger/state.ts';
import { sendCanary } from './canary.ts';
import { readText, SCOPES, settingsFile, workspaceOf } from './claude-files.ts';
import { policyErrors } from './compose.ts';
import { gateCheck } from './gate-check.ts';
import { hookChecks } from './git-hook-check.ts';
import { runLogChecks } from './run-log-check.ts';
import { type Exit, oneOf, paint, say, sayJson } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';
import { workspaceHere } from './workspace.ts';

interface Check {
  /** ok; warn: works, but look at it; fail: not protected. */
  state: 'ok' | 'warn' | 'fail';
  what: string;
  detail: string;
  /** What repairs it. */
  fix?: string;
}

/** Older ones lack `--porcelain=v2` with `-z` in the form the facts read. */
const OLDEST_GIT = [2, 25] as const;
/** Sessions whose ledger is read for torn lines; the newest. */
const SESSIONS_READ = 20;

export const define: VerbModule['define'] = (command, exit) => {
  command
    .option('--host <host>', 'the host to check', 'claude-code')
    .option('--json', 'one JSON document')
    .action(async (flags: { host: string; json?: boolean }) => exit(await doctor(flags)));
  examples(command, [['waygate doctor', 'exit 0: protected; exit 1: not, with what to do']]);
};

async function doctor(flags: { host: string; json?: boolean }): Promise<Exit> {
  oneOf('--host', flags.host, ['claude-code']);
  const workspace = workspaceOf(process.cwd());
  const checks = [
    ...wiringChecks(workspace),
    stateCheck(),
    ...ledgerChecks(),
    ...(await policyChecks(workspace)),
    gitCheck(),
    ...(await gateChecks()),
  ];
  const failed = checks.some((check) => check.state === 'fail');
  if (flags.json) sayJson({ protected: !failed, checks });
  else {
    for (const check of checks) say(lineOf(check));
    say(failed ? paint('red', 'not protected') : paint('green', 'protected'));
  }
  return failed ? 1 : 0;
}

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
const lineOf = (check: Check): string =>
  `${paint(COLOURS[check.state], check.state.padEnd(4))}  ${check.what.padEnd(8)}  ${check.detail}${check.fix ? `\n                Do: ${check.fix}` : ''}`;

function wiringChecks(workspace: string): Check[] {
  const checks: Check[] = [];
  const commands = new Set<string>();
  const events = new Set<string>();
  for (const scope of SCOPES) {
    const path = settingsFile(scope, workspace);
    try {
      const text = readText(path);
      if (text === undefined) continue;
      if (hooksDisabled(text))
        checks.push({
          state: 'fail',
          what: 'settings',
          detail: `${path} switches all hooks off`,
          fix: 'take disableAllHooks out of that file',
        });
      for (const event of EVENTS) if (wiredIn(text, event).length > 0) events.add(event);
      for (const wired of wiredIn(text)) {
        if (coversAll(wired.matcher)) commands.add(wired.command);
        else
          checks.push({
            state: 'warn',
            what: 'settings',
            detail: `${path} wires only ${JSON.stringify(wired.matcher)}; other tools are not judged`,
            fix: 'waygate init',
          });
        checks.push({ state: 'ok', what: 'settings', detail: `wired in ${path}` });
      }
    } catch (error) {
      const why = error instanceof SettingsError ? error.message : (error as Error).message;
      checks.push({ state: 'fail', what: 'settings', detail: `${path}: ${why}`, fix: 'repair that file: the host ignores it as it is' });
    }
  }
  if (commands.size === 0)
    checks.push({
      state: 'fail',
      what: 'settings',
      detail: 'no settings file wires waygate for every tool',
      fix: 'waygate init --host claude-code',
    });
  const missing = EVENTS.filter((event) => !events.has(event));
  if (commands.size > 0 && missing.length > 0)
    checks.push({
      state: 'warn',
      what: 'settings',
      detail: `${missing.join(', ')} not wired: calls are judged, but what becomes of them is not known, so loops are found later`,
      fix: 'waygate init',
    });
  for (const command of commands) {
    const canary = sendCanary(command);
    checks.push(
      canary.denied
        ? { state: 'ok', what: 'canary', detail: `a forbidden call through the configured command was denied in ${canary.ms} ms` }
        : { state: 'fail', what: 'canary', detail: `${command}: ${canary.detail}`, fix: 'waygate init --host claude-code' },
    );
    if (command.includes('node_modules') || command.startsWith('waygate ')) {
      checks.push({
        state: 'warn',
        what: 'program',
        detail: `${command} depends on PATH or node_modules: when that goes, calls run unjudged`,
        fix: 'waygate init',
      });
    }
  }
  return checks;
}

function stateCheck(): Check {
  const dir = stateDir();
  try {
    makeFolder(dir);
    accessSync(dir, constants.W_OK | constants.X_OK);
    const mode = statSync(dir).mode & 0o777;
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      return { state: 'warn', what: 'state', detail: `${dir} can be read by others (mode ${mode.toString(8)})`, fix: `chmod 700 ${dir}` };
    return { state: 'ok', what: 'state', detail: dir };
  } catch (error) {
    return {
      state: 'warn',
      what: 'state',
      detail: `${dir} cannot be written (${(error as NodeJS.ErrnoException).code}): calls are judged, but nothing is recorded and no checkpoint can be made`,
    };
  }
}

function ledgerChecks(): Check[] {
  const sessions = join(stateDir(), 'sessions');
  let names: string[];
  try {
    names = readdirSync(sessions);
  } catch {
    return [];
  }
  const newest = names
    .map((name) => ({ name, at: statSync(join(sessions, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .slice(0, SESSIONS_READ);
  const torn = newest.map(({ name }) => ({ name, ...readRecords(name) })).filter((each) => each.torn > 0);
  return torn.map((each) => ({
    state: 'warn',
    what: 'ledger',
    detail: `session ${each.name}: ${each.torn} torn line${each.torn === 1 ? '' : 's'} skipped, ${each.records.length} records read`,
  }));
}

async function policyChecks(workspace: string): Promise<Check[]> {
  const errors = await policyErrors(workspace);
  if (errors.length === 0) return [{ state: 'ok', what: 'policy', detail: 'readable' }];
  return errors.map((error) => ({
    state: 'warn',
    what: 'policy',
    detail: `${error.file}${error.line ? `:${error.line}:${error.column ?? 1}` : ''} ${error.message}${error.nearest ? `; did you mean ${error.nearest}?` : ''} ${error.stays}`,
    fix: 'waygate test',
  }));
}

/** The gate and git's own hook, which asks for it whoever pushes. */
async function gateChecks(): Promise<Check[]> {
  const { root, policy } = await workspaceHere();
  return [gateCheck(root, policy), ...runLogChecks(process.cwd()), ...hookChecks(process.cwd(), policy.gate?.command)];
}

function gitCheck(): Check {
  const result = spawnSync('git', ['--version'], { encoding: 'utf8', timeout: 5000 });
  const version = /(\d+)\.(\d+)/.exec(result.stdout ?? '');
  if (result.error || !version)
    return {
      state: 'fail',
      what: 'git',
      detail: 'git does not answer: what git commands would lose cannot be told',
      fix: 'install git, or put it on PATH',
    };
  const [major, minor] = [Number(version[1]), Number(version[2])];
  if (major < OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor < OLDEST_GIT[1]))
    return { state: 'warn', what: 'git', detail: `git ${major}.${minor} is older than ${OLDEST_GIT.join('.')}` };
  return { state: 'ok', what: 'git', detail: `git ${major}.${minor}` };
}
