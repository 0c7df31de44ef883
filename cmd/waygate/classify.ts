/** `waygate classify [PATH…]`: what is dirty, by where it comes from. */
import { resolve } from 'node:path';
import { pathTarget } from '../../internal/effect/family.ts';
import type { DirtyFile } from '../../internal/fact/facts.ts';
import { factsIn } from '../../internal/fact/real.ts';
import { sceneOf } from '../../internal/fact/scene.ts';
import { classesOf, makeLine } from '../../internal/rule/generated.ts';
import { isMadeFrom } from '../../internal/stage/plan.ts';
import { visible } from '../../internal/view/visible.ts';
import { type Exit, Failure, say, sayJson } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';
import { workspaceHere } from './workspace.ts';

const BUDGET_MS = 30_000;

export const define: VerbModule['define'] = (command, exit) => {
  command
    .argument('[path...]', 'only what lies at and below these paths')
    .option('--json', 'one JSON document')
    .action(async (paths: string[], flags: { json?: boolean }) => exit(await classify(paths, flags.json === true)));
  examples(command, [
    ['waygate classify', 'sources, generated files with what they are made from, and what nothing declares'],
    ['waygate classify docs --json', 'one folder, for a script'],
  ]);
};

interface Row {
  path: string;
  state: DirtyFile['state'];
  class: 'source' | 'generated' | 'undeclared';
  /** Who says that it is generated. */
  by: 'declaration' | 'attribute' | 'header' | null;
  command: string | null;
  from: readonly string[];
  /** The dirty files among those it is made from. */
  changed: readonly string[];
}

async function classify(given: readonly string[], json: boolean): Promise<Exit> {
  const { root, policy } = await workspaceHere();
  const scene = sceneOf({ cwd: process.cwd(), workspace: root }, policy, { budgetMs: BUDGET_MS });
  const top = scene.repositoryFor({ dir: process.cwd() })?.found.top;
  if (top === undefined) throw new Failure('classify: no work tree of git here');
  const facts = factsIn(scene);
  const paths = given.length > 0 ? given.map((path) => pathTarget(resolve(path), top, path)) : undefined;
  const { files: all, more } = facts.dirty({ dir: top }, paths);
  const files = all.filter((file) => !facts.hidden(file.path, false));
  const classes = classesOf(files, (path) => facts.generated(path));
  const show = (path: string) => facts.show(path);
  const states = new Map(files.map((file) => [file.path, file.state]));
  const row = (path: string, kind: Row['class'], sources: readonly string[] = []): Row => {
    const fact = facts.generated(path);
    const made = fact && fact.is !== 'source' ? fact : undefined;
    return {
      path: json ? path.slice(top.length + 1) : show(path),
      state: states.get(path) ?? 'modified',
      class: kind,
      by: made?.by ?? null,
      command: (made && makeLine(made, show)) ?? null,
      from: made?.others.map(show) ?? [],
      changed: sources.map((each) => (json ? each.slice(top.length + 1) : show(each))),
    };
  };
  const sources = classes.source.map((file) => file.path);
  const rows = [
    ...sources.map((path) => row(path, 'source')),
    ...classes.generated.map((each) =>
      row(
        each.path,
        'generated',
        sources.filter((path) => isMadeFrom(each, path, policy)),
      ),
    ),
    ...classes.undeclared.map((file) => row(file.path, 'undeclared')),
  ];
  if (json) sayJson({ root: top, files: rows, more });
  else say(visible(rows.length === 0 ? 'nothing is dirty' : [...rows.map(line), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')));
  return 0;
}

function line(row: Row): string {
  const how = [
    row.command === null ? undefined : `by \`${row.command}\``,
    row.from.length === 0 ? undefined : `from ${row.from.join(', ')}`,
    row.class === 'generated' && row.changed.length === 0 && row.from.length > 0 ? 'which has not changed' : undefined,
    row.by === 'header' ? 'its header calls it generated, nothing declares it' : undefined,
  ].filter((each) => each !== undefined);
  return `${row.class.padEnd(10)}  ${row.state.padEnd(9)}  ${row.path}${how.length > 0 ? `  ${how.join(' ')}` : ''}`;
}
