import { defineRule, type EffectOf, type Facts, pathFrom, quoteLine, remoteShown } from '../../internal/rule/rule.ts';

type Asked = EffectOf<'git.internals' | 'git.fetch' | 'git.push' | 'git.remote' | 'git.config'>;

/** What would be set by hand: the ref as it is shown, and the remote it speaks for. */
interface Written {
  ref: string;
  remote: string;
}

export default defineRule({
  name: 'tracking-write',
  group: 'push',
  level: 'deny',
  summary: 'Let a remote-tracking branch say what the remote has, and nothing else.',
  why: `
    \`refs/remotes/origin/main\` is what was seen on the remote the last time. The lease of a force push rests on it, and so does the
    question whether a commit is new there and needs the gate. Set by hand, or fetched out of this repository itself, it says that work
    was seen, or has left already, when it has not.
  `,
  evidence:
    'Found while walking the ways from a commit to a remote: the gate was passed by `git fetch . HEAD:refs/remotes/origin/x`. No recorded call does it for another purpose. Reopen for tools that keep such refs themselves.',
  on: ['git.internals', 'git.fetch', 'git.push', 'git.remote', 'git.config'],
  needs: ['repo', 'show'],
  category: 'self-protection',
  persistence: 'narrower-scope',
  quiet: [
    'a fetch or push of the remote itself, with its own refspecs',
    'deleting a remote-tracking branch: it is fetched again',
    'remotes that are other repositories, whatever their address',
  ],

  judge(effect, { facts }) {
    if (effect.remote) return undefined;
    const written = writtenBy(effect, facts);
    if (!written) return undefined;
    const { ref, remote } = written;
    return {
      says: `\`${ref}\` would be set by hand, so that it no longer says what \`${remoteShown(remote)}\` has.`,
      person: `The agent was about to change what git remembers of ${remoteShown(remote)}.`,
      remedies: [
        effect.kind === 'git.remote' && effect.op === 'add'
          ? { kind: 'run', run: 'git remote -v', because: 'shows the remotes there are; one of them can be fetched' }
          : { kind: 'run', run: quoteLine(['git', 'fetch', remote]), because: 'asks the remote and sets it to what is there' },
      ],
      boundary: `git.tracking ${ref}`,
    };
  },

  examples: {
    catches: [
      { run: 'git update-ref refs/remotes/origin/feat/x HEAD', given: ["git commit -q --allow-empty -m 'more'"] },
      { run: 'git fetch . HEAD:refs/remotes/origin/seen' },
      { run: 'git fetch ../repo +feat/x:refs/remotes/origin/main', why: 'this repository under its path' },
      { run: 'git push . HEAD:refs/remotes/origin/feat/x', given: ["git commit -q --allow-empty -m 'more'"] },
      { run: 'git remote add origin2 .', why: 'a remote that is this repository itself' },
      { run: 'git remote set-url origin .' },
      { run: 'git config remote.origin.url .' },
    ],
    allows: [
      { run: 'git fetch origin' },
      { run: 'git fetch origin main:refs/remotes/origin/main', why: 'its own branch' },
      { run: 'git fetch ../other-clone main' },
      { run: 'git remote add upstream ../origin.git' },
      { run: 'git remote set-url origin https://example.com/acme/app.git' },
      { run: 'git update-ref -d refs/remotes/origin/gone' },
      { run: "git commit -q --allow-empty -m 'about git update-ref refs/remotes/origin/x'" },
    ],
  },
});

function writtenBy(effect: Asked, facts: Pick<Facts, 'repo'>): Written | undefined {
  switch (effect.kind) {
    case 'git.internals':
      return effect.how === 'ref-edit' && effect.ref ? trackingOf(effect.ref) : undefined;
    case 'git.fetch': {
      const { remoteName: from } = effect;
      const named = effect.refs.flatMap((ref) => trackingOf(ref.slice(ref.indexOf(':') + 1)) ?? []);
      // With its own name on both sides a refspec is what a fetch does anyway.
      return from === undefined ? undefined : named.find(({ remote }) => remote !== from && isPlace(from));
    }
    case 'git.push':
      return effect.remoteName !== undefined && isItself(effect.remoteName, effect, facts)
        ? effect.refs.flatMap((ref) => trackingOf(ref.dst ?? '') ?? [])[0]
        : undefined;
    case 'git.remote':
      return (effect.op === 'add' || effect.op === 'set-url') && effect.url !== undefined && isItself(effect.url, effect, facts)
        ? { ref: `refs/remotes/${effect.name}/*`, remote: effect.name }
        : undefined;
    case 'git.config': {
      const name = /^remote\.(.+)\.(?:url|pushurl)$/.exec(effect.key)?.[1];
      return name !== undefined && !effect.unset && effect.value !== undefined && isItself(effect.value, effect, facts)
        ? { ref: `refs/remotes/${name}/*`, remote: name }
        : undefined;
    }
  }
}

function trackingOf(ref: string): Written | undefined {
  const [, remote] = /^refs\/remotes\/([^/]+)\/./.exec(ref) ?? [];
  return remote === undefined ? undefined : { ref, remote };
}

/** A path in place of a remote's name. */
const isPlace = (remote: string): boolean => remote === '.' || remote === '..' || /^(?:\.{0,2}\/|file:)/.test(remote);

/** Does an address lead to the very repository of the call? */
function isItself(address: string, effect: Asked, facts: Pick<Facts, 'repo'>): boolean {
  if (!isPlace(address)) return false;
  const { dir } = effect.repo;
  const here = facts.repo(effect.repo);
  if (address === '.') return true;
  const path = pathFrom(address.replace(/^file:(?:\/\/)?/, ''), dir);
  return path !== undefined && (path === here?.top || path === here?.gitDir || path === here?.commonDir);
}
