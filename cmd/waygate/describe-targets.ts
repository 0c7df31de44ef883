/** `waygate describe targets`: what the workspace runs, from which file and line, and what waygate.yaml says over it. */
import { realFacts } from '../../internal/fact/real.ts';
import { targetsDocument, targetsView } from '../../internal/view/targets.ts';
import { visible } from '../../internal/view/visible.ts';
import { say, sayJson } from './terminal.ts';
import { workspaceHere } from './workspace.ts';

export async function describeTargets(json: boolean): Promise<void> {
  const { root, policy } = await workspaceHere();
  const profile = realFacts({ cwd: process.cwd(), workspace: root }, policy).profile(process.cwd());
  const waiting = policy.untrusted.find((each) => each.key === 'runner')?.origin;
  if (json) sayJson({ ...targetsDocument(profile, policy, root), ...(waiting ? { waits: waiting } : {}) });
  else
    say(visible(targetsView(profile, policy, root, waiting && `${waiting.file}${waiting.line === undefined ? '' : `:${waiting.line}`}`)));
}
