import {
  count,
  defineRule,
  type EffectOf,
  type Facts,
  names,
  quoteLine,
  type Remedy,
  remoteShown,
  ways,
} from '../../internal/rule/rule.ts';

type Push = EffectOf<'git.push'>;
type Content = ReturnType<Facts['pushed']>;
type Asks = Pick<Facts, 'pushed' | 'push' | 'repo'>;

const MB = 1024 * 1024;

export default defineRule({
  name: 'secret-push',
  group: 'secrets',
  level: 'deny',
  summary: 'Do not push commits that add a credential or a very large file.',
  why: `
    What has been pushed is copied within minutes and stays in every clone: a credential has to be replaced then, and a large file is
    downloaded by everybody for good. Before the push the commits are still nobody else's, and making them again without it costs a
    minute. A later commit that takes it out again changes nothing: the earlier one is pushed with it.
  `,
  evidence:
    'Public scans find thousands of live keys a day in pushed commits, and forges refuse files over 100 MB. Only tokens with a published form count, outside tests and documents, so that a refusal is hardly ever a false alarm. Reopen when the forge scans before it accepts.',
  on: 'git.push',
  needs: ['pushed', 'push', 'repo'],
  category: 'sensitive-data',
  persistence: 'state-change',
  everyone: true,
  quiet: [
    'a dry run in a tool call',
    'what the remote has already',
    'placeholders, test data and documents',
    'a value that stood in the file before',
  ],
  options: { 'max-mb': { what: 'a file that is larger, in megabytes, is refused', default: 50, loosens: 'up' } },

  judge(push, { facts, options }) {
    if (push.dryRun || push.remote) return undefined;
    const limit = Number(options['max-mb'] ?? 50);
    const content = facts.pushed(push, limit * MB);
    const remote = remoteShown(push.remoteName);
    const [credential] = content.credentials;
    const [large] = content.large;
    if (credential) {
      const others = new Set(content.credentials.map((each) => each.path)).size - 1;
      return {
        says: `The push to \`${remote}\` would send ${credential.what}: \`${credential.path}\`, line ${credential.line}, in commit ${credential.commit.slice(0, 7)}${others > 0 ? `, and ${count(others, 'more file')}` : ''}.`,
        person: `A push to ${remote} would have sent ${credential.what} (${credential.path}, line ${credential.line}, commit ${credential.commit.slice(0, 7)}).`,
        remedies: waysOut(push, facts, content, {
          kind: 'ask',
          ask: `There is ${credential.what} in \`${credential.path}\` (commit ${credential.commit.slice(0, 7)}). May I push it, or will you revoke it first?`,
          because: 'whoever can read the remote can use it',
        }),
        boundary: `git.push ${remote} credential ${credential.path}`,
      };
    }
    if (large) {
      return {
        says: `The push to \`${remote}\` would send \`${large.path}\` with ${Math.round(large.bytes / MB)} MB (commit ${large.commit.slice(0, 7)}); the limit here is ${limit} MB.`,
        remedies: waysOut(push, facts, content, {
          kind: 'ask',
          ask: `May I push \`${large.path}\` with ${Math.round(large.bytes / MB)} MB?`,
          because: 'every clone downloads it from then on',
        }),
        boundary: `git.push ${remote} large ${large.path}`,
      };
    }
    if (content.unread === undefined || push.pusher === undefined) return undefined;
    return {
      says: `Not everything in the push was searched for credentials: ${content.unread}.`,
      level: 'notice' as const,
      remedies: ways({ kind: 'stop', because: 'nothing was found in what was read' }),
      boundary: `git.push ${remote} unread`,
    };
  },

  examples: {
    catches: [
      { run: 'git push', given: committed('src/client.ts'), why: 'a token in a commit that the remote has not' },
      {
        run: 'git push origin feat/x',
        given: [...committed('src/client.ts'), 'git rm -q src/client.ts', "git commit -q -m 'take it out'"],
        why: 'the commit before still holds it',
      },
      {
        run: 'git push origin HEAD:refs/heads/other',
        given: [
          "printf '%s\\n' '-----BEGIN PRIVATE KEY-----' 'MIIEvQIBADANBg' > deploy.key",
          'git add -f deploy.key',
          "git commit -q -m 'deploy'",
        ],
      },
      {
        run: 'git push',
        given: ['head -c 55000000 /dev/zero > video.bin', 'git add video.bin', "git commit -q -m 'add a video'"],
        why: 'larger than the limit',
      },
    ],
    allows: [
      {
        run: 'git push',
        given: ["echo 'export const a = process.env.TOKEN;' > src/client.ts", 'git add src', "git commit -q -m 'client'"],
      },
      { run: 'git push', given: committed('test/fixtures/client.ts'), why: 'test data' },
      {
        run: 'git push',
        given: [...committed('src/client.ts'), 'git push -q', 'git commit -q --allow-empty -m more'],
        why: 'it is out already',
      },
      { run: 'git push --dry-run', given: committed('src/client.ts') },
      {
        run: 'git push',
        given: ["printf 'key = %s\\n' AKIAXXXXXXXXXXXXXXXX > src/key.txt", 'git add src', "git commit -q -m 'key'"],
        why: 'a placeholder',
      },
    ],
  },
});

/** A commit with a token in a file. In two pieces, so that no scan of this file finds one. */
function committed(path: string): string[] {
  return [
    `mkdir -p "$(dirname ${path})"`,
    `printf "export const key = '%s%s';\\n" AKIA Q7RT5WX2N4KP8LM3 > ${path}`,
    `git add -f ${path}`,
    "git commit -q -m 'client'",
  ];
}

/** The commits made again from before the first that brings it, where the pushed commit is the one that is checked out. */
function waysOut(push: Push, facts: Asks, content: Content, ask: Remedy): readonly [Remedy, ...Remedy[]] {
  const found = [...content.credentials, ...content.large];
  const paths = [...new Set(found.map((each) => each.path))];
  const head = facts.repo(push.repo)?.head;
  const pushed = facts.push(push).flatMap((fact) => fact.oid ?? []);
  const from = push.repo.dir === push.cwd || push.repo.dir === undefined ? [] : ['-C', push.repo.dir];
  const again: Remedy | undefined =
    content.base !== undefined && head !== undefined && pushed.length === 1 && pushed[0] === head
      ? {
          kind: 'run',
          run: quoteLine(['git', ...from, 'reset', '--soft', content.base.slice(0, 12)]),
          because: `the content stays staged; unstage ${names(paths)}, then commit again by name`,
        }
      : undefined;
  const look: Remedy = {
    kind: 'run',
    run: quoteLine([
      'git',
      ...from,
      'log',
      '--oneline',
      '--stat',
      ...(pushed[0] ? [pushed[0].slice(0, 12)] : []),
      '--',
      ...paths.slice(0, 5),
    ]),
    because: 'shows the commits that hold it',
  };
  return ways(again, look, ask);
}
