/** `waygate uninstall`: takes the wiring out of the settings, byte by byte. A person's verb. */
import { EVENTS, SettingsError, unwire, wiredIn } from '../../internal/host/claude-settings.ts';
import { forgetWiring, readWiring, type WiredFile } from '../../internal/ledger/wiring.ts';
import { unifiedDiff } from '../../internal/view/diff.ts';
import { readText, removeText, SCOPES, settingsFile, workspaceOf, writeText } from './claude-files.ts';
import { type HookRemoval, hookRemovals, removeHook } from './git-hook.ts';
import { assurePerson } from './person.ts';
import { type Exit, Failure, oneOf, paint, say, sayJson, tell } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

interface Flags {
  host: string;
  /** The hooks of git alone, of this repository. */
  git?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

interface Removal {
  path: string;
  before: string;
  /** undefined: the file goes, since it was made by init. */
  after: string | undefined;
  remembered: WiredFile | undefined;
}

export const define: VerbModule['define'] = (command, exit) => {
  command
    .option('--host <host>', 'the host to take it out of', 'claude-code')
    .option('--git', "only git's hook of this repository")
    .option('--dry-run', 'show the changes, make none')
    .option('--yes', 'ask nothing but who is there')
    .option('--json', 'one JSON document')
    .action(async (flags: Flags) => exit(await uninstall(flags)));
  examples(command, [
    ['waygate uninstall --dry-run', 'what would be taken out'],
    ['waygate uninstall', 'take the hook out of your settings and those of this workspace, and out of git'],
    ['waygate uninstall --git', "only git's hook of this repository"],
  ]);
};

/** `person`: throws when nobody agrees. */
export async function uninstall(flags: Flags, person = assurePerson): Promise<Exit> {
  oneOf('--host', flags.host, ['claude-code']);
  const removals = flags.git ? [] : plan();
  const hooks = hookRemovals(process.cwd(), flags.git);
  if (flags.json)
    sayJson({
      dryRun: flags.dryRun === true,
      changes: [...removals, ...hooks].map(({ path, after }) => ({ path, removed: after === undefined })),
    });
  if (removals.length + hooks.length === 0) {
    if (!flags.json) say('not wired; nothing to take out');
    return 0;
  }
  if (flags.dryRun) {
    if (!flags.json) for (const each of [...removals, ...hooks]) say(shownRemoval(each));
    return 0;
  }
  await person('uninstall', [...removals, ...hooks].map((each) => each.path).join(', '));
  for (const each of removals) {
    if (each.after === undefined) removeText(each.path, each.remembered?.folders ?? []);
    else writeText(each.path, each.after);
    forgetWiring(each.path);
    if (!flags.json) say(`${paint('green', each.after === undefined ? 'removed' : 'cleaned')}  ${each.path}`);
  }
  for (const each of hooks) {
    removeHook(each);
    if (!flags.json) say(`${paint('green', each.after === undefined && !each.restores ? 'removed' : 'cleaned')}  ${each.path}`);
    if (each.note) tell(`${each.path}: ${each.note}`);
  }
  tell('waygate.yaml and the decisions below the state folder stay. Sessions that run keep the hook until they end.');
  return 0;
}

const shownRemoval = ({ path, before, after, ...more }: Removal | HookRemoval): string =>
  'restores' in more && more.restores
    ? `restore ${path} from ${more.restores}`
    : after === undefined
      ? `remove ${path}`
      : unifiedDiff(path, before, after);

function plan(): Removal[] {
  const remembered = readWiring();
  const workspace = workspaceOf(process.cwd());
  const paths = new Set([...SCOPES.map((scope) => settingsFile(scope, workspace)), ...remembered.map((each) => each.path)]);
  const removals: Removal[] = [];
  for (const path of paths) {
    const before = readText(path);
    if (before === undefined) continue;
    try {
      if (EVENTS.every((event) => wiredIn(before, event).length === 0)) continue;
      const known = remembered.find((each) => each.path === path);
      const after = unwire(before, known?.edits ?? []);
      removals.push({ path, before, after: known?.created && isEmpty(after) ? undefined : after, remembered: known });
    } catch (error) {
      if (error instanceof SettingsError) throw new Failure(`${path}: ${error.message}; nothing was changed`);
      throw error;
    }
  }
  return removals;
}

/** Nothing is left but what init itself wrote around the entry. */
const isEmpty = (text: string): boolean => ['', '{}'].includes(text.replace(/\s/g, ''));
