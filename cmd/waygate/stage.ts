/** `waygate stage PATH…`: stages the named paths with the generated files that belong to them. */
import { resolve } from 'node:path';
import { realOf } from '../../internal/fact/discover.ts';
import { within } from '../../internal/fact/places.ts';
import { factsIn } from '../../internal/fact/real.ts';
import { sceneOf } from '../../internal/fact/scene.ts';
import { madeHow } from '../../internal/rule/generated.ts';
import { quoteLine } from '../../internal/rule/quote.ts';
import { argument } from '../../internal/rule/stake.ts';
import { addToIndex } from '../../internal/stage/add.ts';
import { type Plan, planStage } from '../../internal/stage/plan.ts';
import { visible } from '../../internal/view/visible.ts';
import { waygateCommand } from './compose.ts';
import { type Exit, Failure, say, sayJson, tell, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';
import { workspaceHere } from './workspace.ts';

/** A person or an agent waits for it: 30 seconds for git. */
const BUDGET_MS = 30_000;

interface Flags {
  dryRun?: boolean;
  json?: boolean;
}

export const define: VerbModule['define'] = (command, exit) => {
  command
    .argument('<path...>', 'files, or folders of which nothing undeclared is taken')
    .option('-n, --dry-run', 'show what would be staged')
    .option('--json', 'one JSON document')
    .action(async (paths: string[], flags: Flags) => exit(await stage(paths, flags)));
  examples(command, [
    ['waygate stage src/app.ts', 'the file, and what is generated from it'],
    ['waygate stage --dry-run src docs', 'what two folders would bring'],
    ['waygate classify', 'what is dirty, by where it comes from'],
  ]);
};

async function stage(given: readonly string[], flags: Flags): Promise<Exit> {
  const { root, policy } = await workspaceHere();
  const scene = sceneOf({ cwd: process.cwd(), workspace: root }, policy, { budgetMs: BUDGET_MS });
  const repository = scene.repositoryFor({ dir: process.cwd() });
  const top = repository?.found.top;
  if (!repository || top === undefined) throw new Failure('stage: no work tree of git here');
  const named = given.map((path) => below(top, path));
  const facts = factsIn(scene);
  const { files, more } = facts.dirty({ dir: top });
  if (more > 0) throw new Failure(`stage: more than ${files.length} files are dirty; stage them with git add, folder by folder`);
  const plan = planStage(
    named.filter((path) => !facts.hidden(path, false)),
    files.filter((file) => !facts.hidden(file.path, false)),
    facts,
    policy,
  );
  if (named.some((path) => facts.hidden(path, false))) throw new Failure('stage: one of these paths is not there');
  const show = (path: string) => facts.show(path);
  const problem = refusal(plan, show);
  const paths = [...plan.staged, ...plan.outputs.map((output) => output.path)];
  const failed = problem === undefined && !flags.dryRun ? addToIndex(top, paths) : undefined;
  if (flags.json) sayJson({ ...asJson(plan, top), dryRun: flags.dryRun === true, done: !flags.dryRun && problem === undefined && !failed });
  else if (problem === undefined && failed === undefined) say(visible(told(plan, flags.dryRun === true, show)));
  for (const each of plan.stale)
    if (problem === undefined)
      tell(
        visible(
          `waygate stage: ${show(each.path)} is a source of ${each.fact.others.map(show).join(', ')}, which has not changed; if it is stale: ${each.fact.command}`,
        ),
      );
  if (problem !== undefined) tell(visible(problem));
  if (failed !== undefined) tell(visible(`waygate stage: ${failed}`));
  return problem === undefined && failed === undefined ? 0 : 1;
}

/** A named path as an absolute one; the last part may be a link, its folders are followed as git does. */
function below(top: string, path: string): string {
  const full = resolve(path);
  const slash = full.lastIndexOf('/');
  const real = within(full, top) ? full : slash > 0 ? `${realOf(full.slice(0, slash))}/${full.slice(slash + 1)}` : realOf(full);
  if (!within(real, top)) throw new UsageError(`stage: ${path} is not in ${top}`);
  return real;
}

function refusal(plan: Plan, show: (path: string) => string): string | undefined {
  const lines: string[] = [];
  if (plan.missing.length > 0) lines.push(`waygate stage: not there: ${plan.missing.map(show).join(', ')}`);
  if (plan.ignored.length > 0) lines.push(`waygate stage: git ignores ${plan.ignored.map(show).join(', ')}`);
  if (plan.refused.length > 0) {
    const some = plan.refused.slice(0, 10);
    const more = plan.refused.length - some.length;
    lines.push(
      `waygate stage: nothing says what these new files are: ${some.map(show).join(', ')}${more > 0 ? ` and ${more} more` : ''}. Nothing is staged.`,
      `Stage them by name: ${waygateCommand()} ${quoteLine(['stage', ...[...plan.staged, ...some].map((path) => argument(path, show))])}`,
    );
  }
  return lines.length > 0 ? lines.join('\n') : undefined;
}

function told(plan: Plan, dry: boolean, show: (path: string) => string): string {
  const verb = dry ? 'would stage' : 'staged';
  const lines = [
    ...plan.staged.map((path) => `${verb} ${show(path)}`),
    ...plan.outputs.map((each) => `${verb} ${show(each.path)}, ${madeHow(each.fact, show)}`),
    ...plan.left.map((each) => `left ${show(each.path)}, ${madeHow(each.fact, show)}: its source is not staged`),
    ...plan.unchanged.map((path) => `unchanged ${show(path)}`),
  ];
  return lines.length > 0 ? lines.join('\n') : 'nothing to stage: these paths are as HEAD has them';
}

const asJson = (plan: Plan, top: string) => {
  const short = (path: string) => path.slice(top.length + 1);
  return {
    staged: plan.staged.map(short),
    outputs: plan.outputs.map((each) => ({ path: short(each.path), command: each.fact.command ?? null, from: each.from.map(short) })),
    left: plan.left.map((each) => ({ path: short(each.path), command: each.fact.command ?? null })),
    refused: plan.refused.map(short),
    missing: plan.missing.map(short),
    ignored: plan.ignored.map(short),
    unchanged: plan.unchanged.map(short),
  };
};
