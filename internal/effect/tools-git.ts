/**
 * Tools that are git, or a forge's repository, under another name (MCP servers): their fields become the command line they
 * stand for, or the change of a remote branch. The same discard on another channel is the same effect.
 */
import type { Action } from '../action/action.ts';
import { quoteLine } from '../rule/quote.ts';
import type { Base, Effect } from './effect.ts';
import { firstText, nameWords, type Raw, textsOf } from './tools-input.ts';

const REPO_FIELDS = ['repo_path', 'repoPath', 'repository_path', 'repositoryPath', 'working_dir', 'workingDirectory', 'cwd', 'directory'];
const FILE_FIELDS = ['files', 'paths', 'pathspec', 'pathspecs', 'file', 'file_path', 'filePath'];
const REVISION_FIELDS = ['commit', 'commit_hash', 'commitHash', 'ref', 'revision', 'target', 'commitish', 'sha'];
const BRANCH_FIELDS = ['branch', 'branch_name', 'branchName', 'branchOrPath', 'name', 'target', 'ref'];

const isTrue = (raw: Raw, ...names: readonly string[]): boolean => names.some((name) => raw[name] === true || raw[name] === 'true');
const filesIn = (raw: Raw): string[] =>
  FILE_FIELDS.flatMap((name) => (typeof raw[name] === 'string' ? [raw[name] as string] : textsOf(raw[name])));
const behind = (files: readonly string[]): string[] => (files.length > 0 ? ['--', ...files] : []);
const one = (text: string | undefined): string[] => (text === undefined ? [] : [text]);

/** The options of a subcommand, from the fields by which servers name them. */
const READERS: Readonly<Record<string, (raw: Raw, verb: string | undefined) => string[]>> = {
  reset: (raw) => [
    ...modeOf(raw, ['hard', 'soft', 'mixed', 'merge', 'keep']),
    ...one(firstText(raw, REVISION_FIELDS)),
    ...behind(filesIn(raw)),
  ],
  checkout: (raw) => [
    ...(isTrue(raw, 'force') ? ['--force'] : []),
    ...(isTrue(raw, 'create', 'createNew', 'create_new', 'new_branch', 'createBranch') ? ['-b'] : []),
    ...one(firstText(raw, [...BRANCH_FIELDS, ...REVISION_FIELDS])),
    ...behind(filesIn(raw)),
  ],
  switch: (raw) => [
    ...(isTrue(raw, 'force', 'discard_changes', 'discardChanges') ? ['--discard-changes'] : []),
    ...one(firstText(raw, BRANCH_FIELDS)),
  ],
  restore: (raw) => [
    ...(isTrue(raw, 'staged') ? ['--staged'] : []),
    ...(isTrue(raw, 'worktree') ? ['--worktree'] : []),
    ...one(firstText(raw, ['source', 'commit'])).map((source) => `--source=${source}`),
    ...behind(filesIn(raw)),
  ],
  clean: (raw) => [
    isTrue(raw, 'dry_run', 'dryRun') ? '-n' : '-f',
    ...(isTrue(raw, 'directories', 'd', 'remove_directories') ? ['-d'] : []),
    ...(isTrue(raw, 'ignored', 'x', 'include_ignored') ? ['-x'] : []),
    ...behind(filesIn(raw)),
  ],
  push: (raw) => [
    ...(isTrue(raw, 'force') ? ['--force'] : []),
    ...(isTrue(raw, 'force_with_lease', 'forceWithLease') ? ['--force-with-lease'] : []),
    ...(isTrue(raw, 'delete') ? ['--delete'] : []),
    ...(isTrue(raw, 'tags') ? ['--tags'] : []),
    ...(isTrue(raw, 'mirror') ? ['--mirror'] : []),
    ...(isTrue(raw, 'no_verify', 'noVerify') ? ['--no-verify'] : []),
    ...(isTrue(raw, 'dry_run', 'dryRun') ? ['--dry-run'] : []),
    ...remoteAndBranch(raw),
  ],
  branch: (raw, verb) => (isDelete(raw, verb) ? [isTrue(raw, 'force') ? '-D' : '-d', ...one(firstText(raw, BRANCH_FIELDS))] : ['--list']),
  tag: (raw, verb) => (isDelete(raw, verb) ? ['-d', ...one(firstText(raw, ['tag', 'tag_name', 'tagName', 'name']))] : ['--list']),
  stash: (raw, verb) => {
    const does = verb ?? firstText(raw, ['mode', 'operation', 'action', 'subcommand', 'command']) ?? 'list';
    const index = raw['index'] ?? raw['stash_index'] ?? raw['stashIndex'];
    const entry = typeof index === 'number' ? `stash@{${index}}` : firstText(raw, ['stashRef', 'stash_ref', 'stash', 'index']);
    return [does, ...(['drop', 'pop', 'apply', 'show'].includes(does) ? one(entry) : [])];
  },
  rm: (raw) => [
    ...(isTrue(raw, 'force') ? ['-f'] : []),
    ...(isTrue(raw, 'cached') ? ['--cached'] : []),
    ...(isTrue(raw, 'recursive') ? ['-r'] : []),
    ...behind(filesIn(raw)),
  ],
  worktree: (raw, verb) => {
    const does = verb ?? firstText(raw, ['mode', 'operation', 'action', 'subcommand']) ?? 'list';
    const path = firstText(raw, ['worktreePath', 'worktree_path', 'worktree', 'path']);
    return does === 'remove' ? ['remove', ...(isTrue(raw, 'force') ? ['--force'] : []), ...one(path)] : ['list'];
  },
  add: (raw) => [
    ...(isTrue(raw, 'force') ? ['--force'] : []),
    ...(isTrue(raw, 'all') ? ['--all'] : []),
    ...(isTrue(raw, 'update') ? ['--update'] : []),
    ...behind(filesIn(raw)),
  ],
  commit: (raw) => [
    ...(isTrue(raw, 'amend') ? ['--amend'] : []),
    ...(isTrue(raw, 'no_verify', 'noVerify') ? ['--no-verify'] : []),
    ...(isTrue(raw, 'all') ? ['-a'] : []),
    '-m',
    firstText(raw, ['message', 'commit_message', 'commitMessage']) ?? 'x',
  ],
};

const modeOf = (raw: Raw, modes: readonly string[]): string[] => {
  const named = firstText(raw, ['mode', 'type', 'reset_type', 'resetType'])?.replace(/^--/, '').toLowerCase();
  const mode = modes.find((each) => each === named || raw[each] === true);
  return mode === undefined ? [] : [`--${mode}`];
};

const isDelete = (raw: Raw, verb: string | undefined): boolean =>
  /^(-?-?d(elete)?|remove)$/i.test(verb ?? firstText(raw, ['mode', 'operation', 'action', 'subcommand']) ?? '') || raw['delete'] === true;

/** A branch without a remote goes to the default one. */
function remoteAndBranch(raw: Raw): string[] {
  const remote = firstText(raw, ['remote', 'remote_name', 'remoteName']);
  const branch = firstText(raw, ['branch', 'branch_name', 'branchName', 'refspec', 'ref']);
  return branch === undefined ? one(remote) : [remote ?? 'origin', branch];
}

const VERBS = new Set(['delete', 'remove', 'drop', 'clear', 'pop', 'apply', 'push', 'list', 'show', 'save']);

/** The git line that a tool stands for; undefined when it is none, or none that changes something. */
export function gitLineOf(action: Action): string | undefined {
  const { raw, tool } = action;
  if (raw['owner'] !== undefined || raw['project_id'] !== undefined) return undefined;
  const server = tool.startsWith('mcp__') ? (tool.split('__')[1] ?? '') : '';
  const named = nameWords(tool);
  const own = named[0] === 'git' && named.length > 1 ? named.slice(1) : /(^|[-_])git([-_]|$)/i.test(server) ? named : [];
  const verb = own.find((word) => VERBS.has(word) && word !== own[0]) ?? (VERBS.has(own[0] ?? '') && own.length > 1 ? own[0] : undefined);
  const sub = own.find((word) => Object.hasOwn(READERS, word) && word !== verb);
  const reader = sub === undefined ? undefined : READERS[sub];
  if (sub === undefined || reader === undefined) return undefined;
  const path = firstText(raw, REPO_FIELDS) ?? (sub === 'worktree' ? undefined : firstText(raw, ['path']));
  const more = ['args', 'arguments', 'options', 'flags'].flatMap((name) => textsOf(raw[name]));
  return quoteLine(['git', ...(path === undefined ? [] : ['-C', path]), sub, ...reader(raw, verb), ...more]);
}

const WRITES = new Set([
  'push_files',
  'create_or_update_file',
  'create_file',
  'update_file',
  'delete_file',
  'commit_files',
  'create_commit',
]);

/** A tool that changes a branch of a hosted repository: `owner` and `repo`, or a project, with the branch. */
export function hostedEffects(action: Action, base: Base): readonly Effect[] {
  const { raw, tool } = action;
  const owner = firstText(raw, ['owner', 'workspace', 'org']);
  const repo = firstText(raw, ['repo', 'repository', 'project_id', 'projectId', 'repo_slug']);
  if (repo === undefined || (owner === undefined && raw['project_id'] === undefined && raw['projectId'] === undefined)) return [];
  const name = nameWords(tool).join('_');
  const branch = firstText(raw, ['branch', 'branch_name', 'branchName', 'ref']);
  const op = /^delete_(branch|ref(erence)?)$/.test(name)
    ? 'delete'
    : WRITES.has(name) || /^update_ref(erence)?$/.test(name)
      ? 'update'
      : undefined;
  if (op === undefined || branch === undefined) return [];
  const ref = `refs/heads/${branch.replace(/^(refs\/)?heads\//, '')}`;
  return [
    {
      kind: 'remote.ref',
      ...base,
      repo: { dir: base.cwd },
      op,
      ref: branch.startsWith('refs/tags/') ? branch : ref,
      force: raw['force'] === true,
      repository: owner === undefined ? repo : `${owner}/${repo}`,
      command: base.source,
    },
  ];
}
