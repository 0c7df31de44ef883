import { type Covered, coveredRefs, defineRule, pushedShown, quote, remoteShown, ways, waysToCover } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'push-ungated',
  group: 'push',
  level: 'deny',
  summary: 'Push only commits that a green run of the gate covers.',
  why: `
    The workspace declares one command that has to pass before work leaves the machine. A push of a commit that it never ran on, or
    failed on, is how broken work reaches everybody. What counts is the content: a run covers the commit it ran on, and any other
    commit with exactly the same files, so that an amended message or a rebase without changes needs no second run. A run that was
    interrupted, or during which the files changed, covers nothing, and a later failure on the same files beats an earlier pass.

    Where it cannot be told what covers a commit (the run log cannot be read, git does not know the revision), a tool call passes
    with the notice push-gate, because git's own pre-push asks again with the exact commits; there, not knowing refuses.

    Only a record signed with this machine's key counts. What the gate's command stands for is a part of the record: when a script
    behind it changes in a session, that session's own run does not count until a person has looked at it.
  `,
  evidence:
    'Two pull requests went out ungated in the project this rule comes from, because nothing tied a push to a passing gate for the pushed commit. Reopen when the remote itself refuses what no check has passed.',
  on: 'git.push',
  needs: ['push', 'coverage', 'repo', 'show'],
  category: 'ungated',
  persistence: 'state-change',
  everyone: true,
  quiet: [
    'no gate is declared for the repository, or not for the branch (`gate.branches`)',
    'deleting refs, a dry run, what the remote has already',
    'a tag on a covered commit',
    'in a tool call: coverage that cannot be told (push-gate says so; pre-push refuses)',
  ],

  judge(push, { facts, effects, waygate }) {
    const refs = coveredRefs(push, facts);
    const open = refs.filter(({ coverage }) => coverage.state !== 'passed' && (coverage.state !== 'unknown' || push.pusher !== undefined));
    const [first] = open;
    if (!first) return undefined;
    const { coverage } = first;
    const remote = remoteShown(push.remoteName);
    const more = open.length > 1 ? ` So do ${open.length - 1} more of the ${refs.length} refs.` : '';
    const shown = pushedShown(first, remote);
    return {
      says: `The push would send ${shown}, which no green gate covers. ${coverage.why}${changesSaid(first)}${more}`,
      person: `A push of ${shown} was stopped: ${coverage.why}`,
      remedies: ways(
        ...failure(first, waygate),
        ...waysToCover(first, push, facts, effects, waygate),
        coverage.way?.how === 'person'
          ? {
              kind: 'ask',
              ask: `${coverage.why} Could you look at it and run \`${waygate} gate run\` in a terminal of your own?`,
              because: 'a gate that an agent changed is not for the agent to pass',
            }
          : { kind: 'ask', ask: `May ${shown} be pushed without the gate?`, because: coverage.why },
      ),
      ...(coverage.way?.how === 'person' ? { persistence: 'owner-action' as const } : {}),
      boundary: `git.push ${remote}/${first.ref.name} ungated${coverage.commit === undefined ? '' : ` ${coverage.commit.slice(0, 12)}`}`,
    };
  },

  examples: {
    catches: [
      { run: 'git push', given: [...gated(), ...commit('a')], why: 'the gate has not run on the new commit' },
      { run: 'git push origin HEAD:refs/heads/other', given: [...gated(), ...commit('a')] },
      { run: 'git push --force-with-lease origin feat/x', given: [...gated(), ...commit('a')] },
      {
        run: 'git push origin v1.0.0',
        given: [...gated(), ...commit('a'), 'git tag v1.0.0'],
        why: 'a tag on a commit that is not covered',
      },
      { run: 'git push', given: [...gated(), 'waygate gate run --quiet', ...commit('a')], why: 'one commit more' },
      {
        run: 'git push',
        given: [...gated('test -e .env'), ...commit('a'), 'waygate gate run --quiet || true', 'touch .env'],
        why: 'the gate failed',
      },
      {
        run: 'git push',
        given: [...gated(), ...commit('a'), 'echo "// more" >> src/app.ts', 'waygate gate run --quiet'],
        why: 'the gate saw changes that are not in the commit',
      },
      {
        run: "git commit -q -a -m 'more' && git push",
        given: [...gated(), 'echo "// more" >> src/app.ts'],
        why: 'made and pushed at once',
      },
    ],
    allows: [
      { run: 'git push', given: [...gated(), ...commit('a'), 'waygate gate run --quiet'] },
      {
        run: 'git push --force-with-lease',
        given: [...gated(), ...commit('a'), 'waygate gate run --quiet', "git commit -q --amend -m 'another message'"],
        why: 'the same files',
      },
      { run: 'waygate gate run && git push', given: [...gated(), ...commit('a')], why: 'the gate runs first, on the same line' },
      {
        run: "git add src/app.ts && git commit -q -m 'more' && git push",
        given: [...gated(), 'echo "// more" >> src/app.ts', 'waygate gate run --quiet'],
        why: 'the commit has exactly the files the gate saw',
      },
      { run: 'git push', given: commit('a'), why: 'no gate is declared' },
      { run: 'git push --dry-run', given: [...gated(), ...commit('a')] },
      { run: 'git push origin --delete old', given: [...gated(), 'git push -q --no-verify origin HEAD:refs/heads/old', ...commit('a')] },
      { run: 'git push', given: [...gated('true', '["release/*"]'), ...commit('a')], why: 'the gate is for other branches' },
    ],
  },
});

/** A declared gate, pushed with the branch, so that only what comes later is judged. */
function gated(command = 'true', branches = '["**"]'): string[] {
  return [
    `printf '%s\\n' 'version: 1' 'gate: { command: "${command}", branches: ${branches} }' > waygate.yaml`,
    'git add waygate.yaml',
    "git commit -q -m 'declare the gate'",
    'git push -q',
  ];
}

function commit(name: string): string[] {
  return [`echo 'export const ${name} = 1;' > src/${name}.ts`, `git add src/${name}.ts`, `git commit -q -m 'add ${name}'`];
}

/** What stands in the work tree and not in the commit. */
function changesSaid({ coverage }: Covered): string {
  if (coverage.way?.how !== 'changes') return '';
  const { paths, proven } = coverage.way;
  const named = paths
    .slice(0, 3)
    .map((path) => `\`${path}\``)
    .join(', ');
  return ` The work tree has changes that are not in it (${named}${paths.length > 3 ? `, ${paths.length - 3} more` : ''})${proven ? ', and the gate has passed with them' : ''}.`;
}

/** Why it failed comes before another run. */
function failure({ coverage }: Covered, waygate: string) {
  if (coverage.state !== 'failed' || !coverage.run) return [];
  return [{ kind: 'run' as const, run: `${waygate} output ${quote(coverage.run.id)} --failure`, because: 'shows why the gate failed' }];
}
