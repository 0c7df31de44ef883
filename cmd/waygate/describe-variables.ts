/** `waygate describe variables`: the environment variables that waygate and this workspace read. */
import { realFacts } from '../../internal/fact/real.ts';
import { OWN_VARIABLES } from '../../internal/rule/variables.ts';
import { visible } from '../../internal/view/visible.ts';
import { say, sayJson } from './terminal.ts';
import { workspaceHere } from './workspace.ts';

export async function describeVariables(json: boolean): Promise<void> {
  const { root, policy } = await workspaceHere();
  const owned = realFacts({ cwd: process.cwd(), workspace: root }, policy).profile(process.cwd())?.environment ?? [];
  const rows = [
    ...Object.entries(OWN_VARIABLES).map(([name, what]) => ({ name, what })),
    ...owned.flatMap((each) => each.names.map((name) => ({ name, what: 'of this workspace' }))),
  ];
  if (json) {
    sayJson({ variables: rows });
    return;
  }
  const width = Math.max(...rows.map((row) => row.name.length));
  say(visible(rows.map((row) => `${row.name.padEnd(width)}  ${row.what}`).join('\n')));
}
