/** `waygate init`: wires a host. Shows what it changes, keeps what is there, and tries the wiring before it says that it works. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshSettings, SettingsError, wireAll } from '../../internal/host/claude-settings.ts';
import { rememberWiring } from '../../internal/ledger/wiring.ts';
import { unifiedDiff } from '../../internal/view/diff.ts';
import { sendCanary } from './canary.ts';
import { readText, type Scope, settingsFile, workspaceOf, writeText } from './claude-files.ts';
import { freshPolicy, gateWanted } from './fresh-policy.ts';
import { hookCommand, install, plannedInstallation } from './install.ts';
import { realCallsLine } from './real-calls.ts';
import { ask, type Exit, Failure, isInteractive, oneOf, paint, say, sayJson, tell, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

interface Flags {
  /** Absent with --git: the hook of git alone. */
  host?: string;
  git?: boolean;
  user?: boolean;
  project?: boolean;
  local?: boolean;
  preset?: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

type Preset = 'strict' | 'safety';
const PRESETS: readonly Preset[] = ['strict', 'safety'];

/** A file that will be written. */
interface Change {
  path: string;
  before: string | undefined;
  after: string;
  edits: readonly { before: string; after: string }[];
}

export const define: VerbModule['define'] = (command, exit) => {
  command
    .option('--host <host>', 'the host to wire (default: claude-code)')
    .option('--git', "git's pre-push hook of this repository; with --host that host as well")
    .option('--user', 'for all your sessions: ~/.claude/settings.json (default)')
    .option('--project', 'for everybody in this workspace: .claude/settings.json')
    .option('--local', 'for you in this workspace: .claude/settings.local.json')
    .option('--preset <preset>', 'strict (default) or safety')
    .option('--dry-run', 'show the changes, make none')
    .option('--yes', 'take the default for every question')
    .option('--json', 'one JSON document')
    .action(async (flags: Flags) => exit(await init(flags)));
  examples(command, [
    ['waygate init --dry-run', 'what would change'],
    ['waygate init --host claude-code', 'wire all your sessions'],
    ['waygate init --project --preset safety --yes', 'this workspace, without questions'],
    ['waygate init --git', 'no push without its gate, whoever types it'],
  ]);
};

async function init({ host, ...flags }: Flags): Promise<Exit> {
  if (!flags.git) return initHost({ host: host ?? 'claude-code', ...flags });
  const { initGit } = await import('./init-git.ts');
  if (host === undefined) return initGit(flags);
  if (flags.json) throw new UsageError('--json takes one of --host and --git');
  const wired = await initHost({ host, ...flags });
  return wired === 0 ? initGit(flags) : wired;
}

async function initHost(flags: Flags & { host: string }): Promise<Exit> {
  oneOf('--host', flags.host, ['claude-code']);
  const scope = scopeOf(flags);
  const workspace = workspaceOf(process.cwd());
  const policyFile = join(workspace, 'waygate.yaml');
  const preset = await presetOf(flags, policyFile);
  const quiet = flags.yes || flags.dryRun || flags.json || existsSync(policyFile) || !isInteractive();
  const declareGate = !quiet && (await gateWanted(workspace));
  const plan = plannedInstallation();
  const command = hookCommand(plan, flags.host);
  const changes = [
    settingsChange(settingsFile(scope, workspace), command),
    policyChange(policyFile, workspace, preset, declareGate),
  ].filter((change) => change !== undefined);

  if (flags.json)
    sayJson({
      dryRun: flags.dryRun === true,
      command,
      copies: plan.copies.map(([, to]) => to),
      changes: changes.map(({ path, before }) => ({ path, created: before === undefined })),
    });
  else if (flags.dryRun) showPlan(plan.copies, changes);
  if (flags.dryRun) return 0;

  install(plan);
  for (const change of changes) apply(change);
  const canary = sendCanary(command);
  if (!flags.json) report(command, changes, preset, workspace);
  if (canary.denied) {
    if (!flags.json) say(`${paint('green', 'tried')}    a forbidden call through it was denied in ${canary.ms} ms`);
    return 0;
  }
  tell(`waygate: the wiring does not deny: ${canary.detail}`);
  return 1;
}

function scopeOf(flags: Flags): Scope {
  const asked = (['user', 'project', 'local'] as const).filter((scope) => flags[scope]);
  if (asked.length > 1) throw new UsageError(`${asked.map((each) => `--${each}`).join(' and ')} exclude each other`);
  return asked[0] ?? 'user';
}

/** The preset for a new waygate.yaml: from the flag, or asked for; an existing file keeps its own. */
async function presetOf(flags: Flags, policyFile: string): Promise<Preset> {
  const given = oneOf('--preset', flags.preset, PRESETS);
  if (given || flags.yes || flags.dryRun || flags.json || existsSync(policyFile)) return given ?? 'strict';
  if (!isInteractive()) throw new UsageError('init asks for the preset on a terminal; here give --preset strict, --preset safety or --yes');
  tell('strict  refuses what loses work and what wastes a turn');
  tell('safety  refuses only what loses work, leaks, pushes over others or switches the guard off; advises on the rest');
  const figures = realCallsLine();
  if (figures) tell(figures);
  const reply = await ask('preset [strict]: ');
  return oneOf('preset', reply === '' ? undefined : reply, PRESETS) ?? 'strict';
}

function settingsChange(path: string, command: string): Change | undefined {
  const before = read(path);
  if (before === undefined) {
    const after = freshSettings(command);
    return { path, before, after, edits: [{ before: '', after }] };
  }
  try {
    const { text, edits } = wireAll(before, command);
    if (edits.length === 0) return undefined;
    return { path, before, after: text, edits: edits.map((edit) => ({ before: edit.before, after: edit.after })) };
  } catch (error) {
    if (error instanceof SettingsError) throw new Failure(`${path}: ${error.message}; nothing was changed`);
    throw error;
  }
}

function policyChange(path: string, workspace: string, preset: Preset, declareGate: boolean): Change | undefined {
  const before = read(path);
  if (before !== undefined) return undefined;
  return { path, before, after: freshPolicy(preset, workspace, declareGate), edits: [] };
}

function read(path: string): string | undefined {
  try {
    return readText(path);
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function apply(change: Change): void {
  const folders = writeText(change.path, change.after);
  if (readFileSync(change.path, 'utf8') !== change.after) throw new Failure(`${change.path} could not be written`);
  if (change.edits.length > 0) rememberWiring({ path: change.path, created: change.before === undefined, folders, edits: change.edits });
}

function showPlan(copies: readonly (readonly [string, string])[], changes: readonly Change[]): void {
  for (const [, to] of copies) say(`copy     ${to}`);
  for (const change of changes) say(unifiedDiff(change.path, change.before, change.after));
  if (changes.length === 0) say('wired already; nothing would change');
}

function report(command: string, changes: readonly Change[], preset: Preset, workspace: string): void {
  for (const change of changes)
    say(`${paint('green', change.before === undefined ? 'wrote' : 'changed')}${change.before === undefined ? '   ' : ' '} ${change.path}`);
  if (changes.length === 0) say('wired already; nothing changed');
  say(`runs     ${command}`);
  if (preset === 'safety' && changes.some((change) => change.path === join(workspace, 'waygate.yaml')))
    say('next     waygate trust   (a lower preset counts once you have trusted it)');
}
