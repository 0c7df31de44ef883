import { defineRule, type Remedy, ways } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'inline-alias',
  group: 'guard',
  level: 'deny',
  fixed: true,
  summary: 'Spell a command out instead of handing it to git inside a setting.',
  why: `
    \`git -c alias.z='!…'\` runs any program under a name made up on the spot; \`core.sshCommand\`, \`core.fsmonitor\`, filters and
    \`ext::\` addresses do it without even being named. What they hide is judged all the same, but neither person nor log can
    read such a line, and the plain command is always there.
  `,
  evidence:
    'A known way round filters on command text; no honest use was found in 6,000 real calls. Pagers, editors and ssh with plain options are not meant. Reopen when one is found.',
  on: 'git.inline-program',
  needs: [],
  category: 'self-protection',
  persistence: 'narrower-scope',
  quiet: [
    'an alias for a command that changes nothing',
    'pagers and editors: their own effects are judged',
    'ssh with a key, a port or host checks',
    'a program that the call would not start',
    'aliases of the configuration: they are followed and judged',
  ],

  judge(effect) {
    const plain: Remedy | undefined =
      effect.instead === undefined || effect.instead.trim() === ''
        ? undefined
        : {
            kind: 'run',
            run: effect.instead,
            because: effect.key.startsWith('alias.') ? 'the same, spelled out' : 'the same without the program',
          };
    return {
      says: `\`${effect.key}\` hands git a program on the line: \`${effect.value.length > 80 ? `${effect.value.slice(0, 79)}…` : effect.value}\`.`,
      remedies: ways(plain, { kind: 'stop', because: 'write the program as a command of its own, so that it can be read and judged' }),
      boundary: `git.inline-program ${effect.key}`,
    };
  },

  examples: {
    catches: [
      { run: "git -c alias.z='!rm -rf src' z" },
      { run: 'git -c alias.nuke=reset nuke --hard' },
      { run: 'git -c core.sshCommand=\'sh -c "rm -rf src"\' fetch' },
      { run: "git -c core.fsmonitor='touch x; false' status" },
      { run: 'GIT_SSH_COMMAND=./helper git fetch' },
      { run: "git clone 'ext::sh -c touch% x' copy" },
    ],
    allows: [
      { run: 'git -c core.pager=cat log -3' },
      { run: 'git -c alias.st=status st', why: 'it changes nothing' },
      { run: "GIT_SSH_COMMAND='ssh -i ~/.ssh/deploy' git fetch" },
      { run: 'git -c user.name=Dev commit --allow-empty -m x' },
      { run: 'git -c core.fsmonitor=false status' },
      { run: 'GIT_EDITOR=true git rebase --continue' },
    ],
  },
});
