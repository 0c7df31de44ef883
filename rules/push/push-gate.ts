import { coveredRefs, defineRule, gateRun, pushedShown, remoteShown } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'push-gate',
  group: 'push',
  level: 'notice',
  whyNotice:
    'It speaks where nothing can be told about the commit, so it would refuse pushes that are covered. push-ungated refuses what is known, and git asks again at pre-push with the exact commits, where not knowing refuses.',
  summary: 'Know whether the gate covers what is pushed.',
  why: `
    A gate is declared, and whether it has passed on the pushed commit cannot be told from here: the run log cannot be read, or the
    line does not say which commit or which repository it pushes.
  `,
  evidence:
    'As a refusal it would fire on gated pushes too, which the project it comes from found out; as a notice it names the one command that settles it.',
  on: 'git.push',
  needs: ['push', 'coverage', 'repo', 'show'],
  category: 'ungated',
  persistence: 'state-change',
  quiet: [
    'push-ungated has an answer, yes or no',
    'no gate is declared',
    'a dry run, deleting refs',
    "at git's pre-push, where it refuses",
  ],

  judge(push, { facts, waygate }) {
    if (push.pusher !== undefined) return undefined;
    const open = coveredRefs(push, facts).find(({ coverage }) => coverage.state === 'unknown');
    if (!open) return undefined;
    const remote = remoteShown(push.remoteName);
    const top = facts.repo(push.repo)?.top;
    return {
      says: `Whether \`${open.coverage.command}\` has passed on what is pushed to ${pushedShown(open, remote)} cannot be told. ${open.coverage.why}`,
      boundary: `git.push ${remote}/${open.ref.name} gate-unknown`,
      remedies: [
        {
          kind: 'run',
          run: top === undefined ? `${waygate} gate run` : gateRun(waygate, top, facts.show),
          because: 'settles it',
        },
      ],
    };
  },

  examples: {
    catches: [
      {
        run: 'git push origin HEAD',
        given: [...gated(), 'mkdir .git/waygate', 'mkdir .git/waygate/runs.jsonl'],
        why: 'the run log cannot be read',
      },
      { run: 'git push origin feat/x', given: [...gated(), 'mkdir .git/waygate', 'mkdir .git/waygate/runs.jsonl'] },
    ],
    allows: [
      { run: 'git push', given: [...gated(), 'waygate gate run --quiet'], why: 'it is covered' },
      { run: 'git push', given: ['git commit -q --allow-empty -m more'], why: 'no gate is declared' },
      { run: 'git push --dry-run', given: [...gated(), 'mkdir .git/waygate', 'mkdir .git/waygate/runs.jsonl'] },
    ],
  },
});

function gated(): string[] {
  return [
    "printf '%s\\n' 'version: 1' 'gate: { command: \"true\" }' > waygate.yaml",
    'git add waygate.yaml',
    "git commit -q -m 'declare the gate'",
  ];
}
