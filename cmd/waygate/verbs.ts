/** The verbs, in the order of the overview. */
import type { Exit } from './terminal.ts';
import type { OwnParser, Verb } from './verb.ts';

export const VERBS: readonly Verb[] = [
  {
    name: 'explain',
    summary: 'show how a command is read, what it would do, what is at stake and what the agent would be told',
    load: () => import('./explain.ts'),
  },
  { name: 'judge', summary: 'judge hook events from stdin, one decision record a line; changes nothing', load: () => import('./judge.ts') },
  { name: 'init', summary: 'wire a host, after showing what changes', load: () => import('./init.ts') },
  { name: 'doctor', summary: 'check that the wiring really denies', load: () => import('./doctor.ts') },
  { name: 'uninstall', summary: 'take the wiring out again', load: () => import('./uninstall.ts') },
  { name: 'checkpoint', summary: 'save what exists nowhere else; list, show, restore', load: checkpointVerb },
  {
    name: 'classify',
    summary: 'what is dirty: sources, generated files with what they are made from, undeclared ones',
    load: () => import('./classify.ts'),
  },
  { name: 'stage', summary: 'stage files with the generated ones that belong to them', load: () => import('./stage.ts') },
  {
    name: 'describe',
    summary: 'show rules with what is in force and who set it, tools, hosts, a file',
    load: () => import('./describe.ts'),
  },
  { name: 'test', summary: 'check the policy files that count here', load: () => import('./test.ts') },
  { name: 'trust', summary: 'let entries count that lower the policy; a person, on a terminal', load: () => import('./trust.ts') },
  { name: 'log', summary: 'the decisions of this workspace, with filters; --follow shows new ones', load: () => import('./log.ts') },
  { name: 'verdict', summary: 'one decision as the person, the agent and the log see it', load: () => import('./verdict.ts') },
  {
    name: 'handoff',
    summary: 'the account of a session: what is refused and unresolved, what was tried, what is kept',
    load: () => import('./handoff.ts'),
  },
  {
    name: 'report',
    summary: 'figures over the sessions of this workspace: refusals beside what came of them',
    load: () => import('./report.ts'),
  },
  { name: 'request', summary: 'put a refused call before the owner, prepared; approves nothing', load: () => import('./request.ts') },
  { name: 'requests', summary: 'show what waits for the owner; reject one (a person, on a terminal)', load: () => import('./requests.ts') },
  {
    name: 'grant',
    summary: 'let a refused call through: where, how long, how often; a person, on a terminal',
    load: () => import('./grant.ts'),
  },
  { name: 'revoke', summary: 'take a grant or a rejection back; a person, on a terminal', load: () => import('./revoke.ts') },
  { name: 'intents', summary: 'show calls outside whose end is not known; resolve one (a person)', load: () => import('./intents.ts') },
  { name: 'run', summary: 'run a program: output kept whole, bounded in time, on record', load: () => import('./run.ts') },
  { name: 'runs', summary: 'what was run here and how it ended', load: () => import('./runs.ts') },
  { name: 'output', summary: 'what a run printed: whole, its failure, some lines', load: () => import('./output.ts') },
  {
    name: 'gate',
    summary: 'run the declared gate, show what it covers; record a result (a person, on a terminal)',
    load: () => import('./gate.ts'),
  },
  {
    name: 'pre-push',
    summary: "git's hook: judges the refs on stdin before git sends them",
    load: async () => (await import('./pre-push.ts')).prePush,
  },
  {
    name: 'push-check',
    summary: 'what git push would push now, and whether a green gate covers it',
    load: () => import('./push-check.ts'),
  },
  { name: 'docs', summary: 'write the reference of rules, or check it', load: () => import('./docs.ts') },
  { name: 'schema', summary: 'print the JSON schema of waygate.yaml', load: () => import('./schema.ts') },
];

async function checkpointVerb(): Promise<OwnParser> {
  const [{ checkpoint }, { workspaceHere }] = await Promise.all([import('./checkpoint.ts'), import('./workspace.ts')]);
  return {
    run: async (argv) => {
      const { policy } = await workspaceHere();
      const io = {
        stdout: (text: string) => void process.stdout.write(text),
        stderr: (text: string) => void process.stderr.write(text),
        cwd: process.cwd(),
        env: process.env,
        policy,
      };
      return checkpoint(argv, io) as Exit;
    },
  };
}
