/** `waygate init --git`: git's pre-push hook of this repository. Shows what it changes, keeps what is there, and tries it. */
import { unifiedDiff } from '../../internal/view/diff.ts';
import { applyHook, type HookChange, type HookPlace, hookFiles, hookPlace, plannedHooks } from './git-hook.ts';
import { hookCanary } from './git-hook-check.ts';
import { install, plannedInstallation } from './install.ts';
import { type Exit, Failure, paint, say, sayJson, tell } from './terminal.ts';
import { workspaceHere } from './workspace.ts';

/** Wires the hook of the repository the verb was called in. */
export async function initGit(flags: { dryRun?: boolean; json?: boolean }): Promise<Exit> {
  const place = hookPlace(process.cwd());
  if (!place) throw new Failure('there is no git repository here; nothing was changed');
  const plan = plannedInstallation();
  const changes = plannedHooks(place, plan.argv);
  if (flags.json)
    sayJson({
      dryRun: flags.dryRun === true,
      hooks: place.hooks,
      copies: plan.copies.map(([, to]) => to),
      changes: changes.map(({ path, how, before, keeps }) => ({ path, how, created: before === undefined, ...(keeps ? { keeps } : {}) })),
    });
  else {
    if (flags.dryRun) for (const [, to] of plan.copies) say(`copy     ${to}`);
    showDiffs(changes);
  }
  if (flags.dryRun) {
    if (!flags.json && changes.length === 0) say('wired already; nothing would change');
    return 0;
  }

  install(plan);
  for (const change of changes) applyHook(change, place.commonDir);
  const canary = hookCanary(hookFiles(place)[0]!, place.top);
  if (!flags.json) await report(place, changes);
  if (canary.refused) {
    if (!flags.json) say(`${paint('green', 'tried')}    the hook refused a canary in ${canary.ms} ms`);
    return 0;
  }
  tell(`waygate: the hook does not refuse: ${canary.detail}`);
  return 1;
}

/** What is about to change, file by file. */
function showDiffs(changes: readonly HookChange[]): void {
  for (const change of changes) {
    if (change.keeps) say(`rename   ${change.path} to ${change.keeps}`);
    say(unifiedDiff(utf8(change.path), change.keeps || change.before === undefined ? undefined : utf8(change.before), utf8(change.after)));
  }
}

const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

async function report(place: HookPlace, changes: readonly HookChange[]): Promise<void> {
  for (const { path, how, keeps, shared } of changes) {
    const word = how === 'inserted' ? 'changed' : 'wrote  ';
    say(`${paint('green', word)}  ${path}${keeps ? ` (the hook that was there runs after it: ${keeps})` : ''}`);
    if (shared) say('         It is committed with the project; what it names lies in the git directory of this clone.');
  }
  if (changes.length === 0) say('wired already; nothing changed');
  if (place.setBy === 'all your repositories')
    say(`         ${place.hooks} holds the hooks of all your repositories, so it judges their pushes too.`);
  if (place.husky)
    say('         husky writes its own hook anew on npm install; waygate init --git puts this one back, waygate doctor tells.');
  const { policy } = await workspaceHere();
  if (!policy.gate)
    say(
      'next     declare the gate in waygate.yaml, for instance: gate: { command: npm test }   (without one, only secrets are looked for)',
    );
}
