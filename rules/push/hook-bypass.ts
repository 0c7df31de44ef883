import { defineRule, names, type Remedy, ways } from '../../internal/rule/rule.ts';

/** The hooks that a kind of call would have to pass. */
const HOOKS: Readonly<Record<string, readonly string[]>> = {
  commit: ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'applypatch-msg', 'pre-applypatch'],
  push: ['pre-push'],
  merge: ['pre-merge-commit', 'commit-msg', 'pre-commit'],
  other: ['pre-rebase'],
};

export default defineRule({
  name: 'hook-bypass',
  group: 'push',
  level: 'deny',
  fixed: true,
  summary: 'Do not go past the hooks of git.',
  why: `
    The hooks are where a workspace checks what is about to be recorded or sent, and the second line of this guard.
    \`--no-verify\`, its short form inside a cluster, \`HUSKY=0\` and its kin, and another \`core.hooksPath\` all come to the same:
    the check does not run. Where it fails, what it reports is the thing to mend.
  `,
  evidence:
    'The most common way past a failing check in the collected sessions; `-nm` in a cluster is the form that text filters miss. A fixed rule, since the guard itself is among the hooks. Where no such hook is in force nothing is bypassed, and the call passes.',
  on: 'git.hook-bypass',
  needs: ['repo'],
  category: 'self-protection',
  persistence: 'not-in-this-run',
  quiet: [
    'no hook is in force that the call would skip',
    'text that mentions the option',
    '`-n` of push and merge, which means something else',
  ],

  judge(effect, { facts }) {
    const repo = facts.repo(effect.repo);
    const skipped = repo?.hooks.filter((hook) => effect.what === 'config' || (HOOKS[effect.what] ?? []).includes(hook));
    if (skipped?.length === 0) return undefined;
    const which = skipped === undefined ? 'the hooks' : names(skipped);
    if (effect.what === 'config') {
      return {
        says: `The call would put ${which} out of force for every later call (\`${effect.how}\`).`,
        remedies: ways(
          { kind: 'run', run: 'git rev-parse --git-path hooks', because: 'shows where the hooks are' },
          {
            kind: 'ask',
            ask: `May I change where git looks for its hooks (${effect.how})?`,
            because: 'the hooks belong to the owner of the repository',
          },
        ),
        boundary: 'git.hook-bypass config',
      };
    }
    const plain: Remedy | undefined =
      effect.instead === undefined ? undefined : { kind: 'run', run: effect.instead, because: 'the hook runs; mend what it reports' };
    return {
      says: `\`${effect.how}\` would keep ${which} from running.`,
      person: `The agent was about to skip git hooks (${effect.how}).`,
      remedies: ways(plain, { kind: 'stop', because: 'the same call without the switch' }),
      boundary: `git.hook-bypass ${effect.what}`,
    };
  },

  examples: {
    catches: [
      { run: "git commit -nm 'quick fix'", given: staged(), why: 'the n of the cluster is --no-verify' },
      { run: "git commit --no-verify -m 'quick fix'", given: staged() },
      { run: 'HUSKY=0 git commit -m x', given: staged() },
      { run: 'git -c core.hooksPath=/dev/null commit -m x', given: staged() },
      { run: 'git push --no-verify origin feat/x', given: hook('pre-push') },
      { run: 'git config core.hooksPath /tmp/empty', given: hook('pre-push') },
      { run: 'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit -m x', given: staged() },
    ],
    allows: [
      { run: "git commit -m 'fix: --no-verify edge case'", given: staged(), why: 'quoted text' },
      { run: 'git push -n origin feat/x', given: hook('pre-push'), why: '-n of push is a dry run' },
      { run: 'git merge -n main', given: hook('pre-merge-commit'), why: '-n of merge is --no-stat' },
      { run: "git commit --no-verify --allow-empty -m 'x'", why: 'there is no hook to skip' },
      { run: 'git config --get core.hooksPath', given: hook('pre-push') },
      { run: 'HUSKY=0 npm ci', given: hook('pre-commit'), why: 'an install is no commit' },
    ],
  },
});

function hook(name: string): string[] {
  return ['mkdir -p .git/hooks', `printf '%s\\n' '#!/bin/sh' 'exit 0' > .git/hooks/${name}`, `chmod +x .git/hooks/${name}`];
}

function staged(): string[] {
  return [...hook('pre-commit'), "echo 'export const draft = 1;' >> src/app.ts", 'git add src/app.ts'];
}
