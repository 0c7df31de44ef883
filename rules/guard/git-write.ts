import { defineRule, type Effect, type Facts, names, type Remedy, type Touch, touched } from '../../internal/rule/rule.ts';

/** What people and tools write there without harm: messages, notes, the list of excluded files, leftover locks. */
const HARMLESS =
  /^(?:info\/(?:exclude|attributes|sparse-checkout)|description|COMMIT_EDITMSG|MERGE_MSG|SQUASH_MSG|TAG_EDITMSG|NOTES_EDITMSG|GITGUI_.*|gk\/.*|.*\.lock|gc\.(?:pid|log)|hooks\/.*\.sample|waygate(?:\/.*)?)$/;

export default defineRule({
  name: 'git-write',
  aliases: ['git-dir-write'],
  group: 'guard',
  summary: 'Do not write below a git directory by hand.',
  why: `
    Configuration, refs and objects written past git undo what its commands check: hooks are pointed elsewhere, branches lose commits,
    objects break. \`git config\`, \`git update-ref\` and the like do the same work where it can be judged.
  `,
  evidence:
    '`sed -i` on .git/config to switch hooks off is in the collected incidents (cases/open.jsonl). Removing a stale index.lock, the one thing agents really do there, passes. Would reopen it: a file git expects to be edited by hand that is missing in the list.',
  on: ['file.write', 'file.delete', 'file.move', 'file.copy', 'file.link', 'file.sync', 'net.fetch'],
  needs: ['place', 'file', 'show', 'wiring', 'lost'],
  level: 'deny',
  fixed: true,
  category: 'self-protection',
  persistence: 'narrower-scope',
  quiet: [
    'git itself',
    'info/exclude, messages, *.lock',
    'hooks: hook-wiring-write',
    'the git directory of another repository as a whole: git-internals',
    'files that are not there',
  ],

  judge(effect, { facts }) {
    if (effect.remote || effect.by === 'git') return;
    for (const touch of touched(effect, facts)) {
      const path = touch.target.path ?? (touch.target.prefix || undefined);
      if (path !== undefined && setsHooks(effect) && PERSONAL.test(facts.show(path)))
        return {
          says: `This would write \`core.hooksPath\` into ${names([facts.show(path)])}, so that other hooks run in every repository.`,
          boundary: `git.write ${path}`,
          remedies: [
            { kind: 'run', run: 'git config --get-all --show-origin core.hooksPath', because: 'shows which hooks run and who says so' },
            { kind: 'ask', ask: `May I set core.hooksPath in ${facts.show(path)}?`, because: 'the hooks of git are part of the guard' },
          ],
        };
      const inner = path === undefined || facts.place(path) !== 'git' ? undefined : belowGit(path, facts);
      if (path === undefined || inner === undefined || HARMLESS.test(inner) || facts.wiring(path) !== undefined) continue;
      // The git directory of the session's own repository stays; that of another one is judged by what it holds.
      if (inner === '' && facts.place(path.slice(0, path.lastIndexOf('/'))) !== 'workspace') continue;
      if (!breaks(touch, path, effect.cwd, facts)) continue;
      const shown = facts.show(path);
      return {
        says: `This would ${touch.how === 'delete' ? 'delete' : touch.how === 'move away' ? 'move away' : 'write'} ${names([shown])} past git.`,
        person: `The agent wanted to change ${shown} without git.`,
        boundary: `git.write ${path}`,
        remedies: [
          ...instead(inner),
          { kind: 'ask', ask: `May I change ${shown} by hand? ${effect.source}`, because: 'no command of git does exactly this' },
        ] as unknown as [Remedy, ...Remedy[]],
      };
    }
    return;
  },

  examples: {
    catches: [
      { run: "sed -i 's#hooksPath = .*#hooksPath = /dev/null#' .git/config" },
      { run: 'echo "ref: refs/heads/main" > .git/HEAD' },
      { run: 'rm -f .git/packed-refs .git/refs/heads/main' },
      { run: 'cp backup-config .git/config', given: ['cp .git/config backup-config'] },
      { run: 'mv .git ../git-backup' },
      { run: "printf '[core]\\n\\thooksPath = /dev/null\\n' >> ~/.gitconfig", why: 'the same through the file of the person' },
      { tool: 'Edit', input: { file_path: '{{repo}}/.git/config', old_string: '[core]', new_string: '[core]\n\thooksPath = /dev/null' } },
    ],
    allows: [
      { run: 'rm -f .git/index.lock', given: ['touch .git/index.lock'], why: 'a lock that was left behind' },
      { run: 'cat .git/config' },
      { run: "printf '[alias]\\n\\tst = status\\n' >> ~/.gitconfig" },
      { run: 'git config user.name Dev' },
      { run: 'echo scratch >> .git/info/exclude' },
      { run: 'cp .git/config /tmp/config.txt' },
      { run: 'echo "message" > .git/COMMIT_EDITMSG' },
    ],
  },
});

/** A person's own configuration of git, as it is shown. */
const PERSONAL = /^~\/\.(?:gitconfig|config\/git\/config)$/;

/** Does a write bring a line that points git's hooks elsewhere? */
function setsHooks(effect: Effect): boolean {
  if (effect.kind !== 'file.write') return false;
  // What a stream editor makes of the file is not told: its program names the setting.
  if (effect.mode === 'in-place' && effect.content === undefined && !effect.edit && /hooksPath/i.test(effect.source)) return true;
  const texts = [effect.content, effect.edit?.after, ...(effect.edits ?? []).map((each) => each.after)];
  return texts.some((text) => text !== undefined && /(?:^|\n)\s*hooksPath\s*=/i.test(text));
}

/** The path below its git directory: `/r/.git/refs/heads/x` -> `refs/heads/x`; '' for the directory itself; undefined where it is not told. */
function belowGit(path: string, facts: Pick<Facts, 'file'>): string | undefined {
  const at = path.lastIndexOf('/.git');
  if (at >= 0 && (path.length === at + 5 || path[at + 5] === '/')) {
    const inner = path.slice(at + 6);
    return inner.replace(/^(?:worktrees|modules)\/[^/]+\//, '');
  }
  // A bare repository: the directory that holds HEAD and objects.
  for (let folder = path; folder.includes('/') && folder !== ''; folder = folder.slice(0, folder.lastIndexOf('/'))) {
    if (facts.file(`${folder}/HEAD`).kind === 'file' && facts.file(`${folder}/objects`).kind === 'dir')
      return path.slice(folder.length + 1);
  }
  return undefined;
}

/** Deleting counts for what git cannot make again; writing always. */
function breaks(touch: Touch, path: string, cwd: string | undefined, facts: Pick<Facts, 'file' | 'lost'>): boolean {
  if (touch.how === 'mode' || (touch.how === 'create' && facts.file(path).kind !== 'absent')) return false;
  if (touch.how !== 'delete' && touch.how !== 'move away') return true;
  if (facts.file(path).kind === 'absent' && !touch.target.glob) return false;
  if (/\/(?:\.git|config|HEAD|packed-refs|refs(?:\/.*)?|objects(?:\/.*)?|logs(?:\/.*)?|worktrees|modules)$/.test(path)) return true;
  const stake = facts.lost({ about: 'paths', targets: [touch.target], tree: true, cwd });
  return stake.items.length > 0;
}

/** The command of git that shows or does it properly. */
function instead(inner: string): Remedy[] {
  if (/^config(?:\.worktree)?$/.test(inner))
    return [
      {
        kind: 'run',
        run: 'git config --list --local --show-origin',
        because: 'shows the settings; git config changes one of them where it can be judged',
      },
    ];
  if (/^(?:refs|packed-refs|logs|HEAD|ORIG_HEAD)/.test(inner))
    return [{ kind: 'run', run: 'git for-each-ref', because: 'shows the refs; git branch, git switch and git tag change them' }];
  if (/^(?:rebase-merge|rebase-apply|MERGE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD|sequencer|BISECT)/.test(inner))
    return [{ kind: 'run', run: 'git status', because: 'says how to end the operation in progress' }];
  return [{ kind: 'run', run: 'git fsck --no-dangling', because: 'shows whether the repository is sound' }];
}
