/** Libraries that are git under names of their own: GitPython, simple-git. Their calls become the command line they stand for. */
import { isTrue } from './api-common.ts';
import { type Handler, type Machine, runsArgv } from './machine.ts';
import { text, textIn, UNKNOWN, type Value } from './value.ts';

/** Subcommands as methods, `_` for `-`. */
const SUBCOMMANDS =
  'add am apply branch checkout checkout_index cherry_pick clean commit execute fetch gc merge mv prune pull push read_tree rebase reflog remote reset restore revert rm stash submodule switch tag update_ref worktree'.split(
    ' ',
  );

function runs(m: Machine, dir: Value | undefined, words: readonly Value[]): void {
  const where = dir !== undefined && textIn(dir) !== '.' ? [text('-C'), dir] : [];
  runsArgv(m, [text('git'), ...where, ...words], 'git');
}

const each = (values: readonly Value[]): Value[] => values.flatMap((value) => (value.items && !value.parts ? [...value.items] : [value]));

/** Keywords as GitPython turns them round: `hard=True` is `--hard`, `d=True` is `-d`, `source='HEAD~1'` is `--source=HEAD~1`. */
function keywords(named: ReadonlyMap<string, Value>): Value[] {
  return [...named].flatMap(([name, value]) => {
    const option = name.length === 1 ? `-${name}` : `--${name.replaceAll('_', '-')}`;
    if (isTrue(value)) return [text(option)];
    const known = textIn(value);
    return known === undefined ? [] : [text(name.length === 1 ? `${option}${known}` : `${option}=${known}`)];
  });
}

const repository: Handler = (call) => {
  const path = call.args[0] ?? call.named.get('path');
  return { type: 'GitRepo', ...(path && textIn(path) !== undefined ? { of: path } : {}), marks: 0 };
};

export const PYTHON_GIT_CALLS: Record<string, Handler> = {
  'git.Repo': repository,
  'git.Git': (call) => ({ type: 'GitCommand', ...(call.args[0] ? { of: call.args[0] } : {}), marks: 0 }),
};

/** The part of a repository that a member names. */
const part =
  (type: string): Handler =>
  (call) => ({ type, ...(call.self?.of ? { of: call.self.of } : {}), marks: 0 });

export const PYTHON_GIT_METHODS: Record<string, Handler> = {
  'GitRepo#git': part('GitCommand'),
  'GitRepo#head': part('GitHead'),
  'GitRepo#index': part('GitIndex'),
  'GitRepo.remote': part('GitRemote'),
  'GitRepo.delete_head': (call, m) => {
    runs(m, call.self?.of, [text('branch'), text(isTrue(call.named.get('force')) ? '-D' : '-d'), ...call.args]);
    return UNKNOWN;
  },
  'GitHead.reset': (call, m) => {
    const hard = isTrue(call.named.get('working_tree')) || isTrue(call.args[2]);
    const to = call.args[0] ?? call.named.get('commit');
    runs(m, call.self?.of, [text('reset'), ...(hard ? [text('--hard')] : []), ...(to && textIn(to) !== undefined ? [to] : [])]);
    return UNKNOWN;
  },
  'GitIndex.checkout': (call, m) => {
    if (!isTrue(call.named.get('force'))) return UNKNOWN;
    const paths = each([...(call.args[0] ? [call.args[0]] : []), ...(call.named.get('paths') ? [call.named.get('paths')!] : [])]);
    runs(m, call.self?.of, [text('checkout-index'), text('-f'), ...(paths.length > 0 ? [text('--'), ...paths] : [text('-a')])]);
    return UNKNOWN;
  },
  'GitRemote.push': (call, m) => {
    const refs = each([...call.args.slice(0, 1), ...(call.named.get('refspec') ? [call.named.get('refspec')!] : [])]);
    const more = new Map([...call.named].filter(([name]) => name !== 'refspec'));
    runs(m, call.self?.of, [text('push'), ...keywords(more), text('origin'), ...refs]);
    return UNKNOWN;
  },
  ...Object.fromEntries(
    SUBCOMMANDS.map((name): [string, Handler] => [
      `GitCommand.${name}`,
      (call, m) => {
        const words = each(call.args);
        if (name === 'execute') runsArgv(m, words, 'git');
        else runs(m, call.self?.of, [text(name.replaceAll('_', '-')), ...keywords(call.named), ...words]);
        return UNKNOWN;
      },
    ]),
  ),
};

const client: Handler = (call) => {
  const path = call.args[0];
  return { type: 'SimpleGit', ...(path && textIn(path) !== undefined ? { of: path } : {}), marks: 0 };
};

export const NODE_GIT_CALLS: Record<string, Handler> = Object.fromEntries(
  ['simple-git', 'simple-git.simpleGit', 'simple-git.default', 'simple-git.gitP', 'simple-git/promise', 'simpleGit'].map((name) => [
    name,
    client,
  ]),
);

/** Words, lists of words, and options as an object: `{ '--force': null }`. */
const options = (values: readonly Value[]): Value[] =>
  values.flatMap((value) =>
    value.fn ? [] : value.fields ? [...value.fields.keys()].map(text) : value.items && !value.parts ? [...value.items] : [value],
  );

const simple =
  (sub: string, first: (word: string) => string = (word) => word): Handler =>
  (call, m) => {
    const [head, ...rest] = options(call.args);
    const known = head === undefined ? undefined : textIn(head);
    const words = head === undefined ? [] : [known === undefined ? head : text(first(known))];
    runs(m, call.self?.of, [...(sub === 'raw' ? [] : [text(sub)]), ...words, ...rest]);
    return call.self ?? UNKNOWN;
  };

const asOption = (word: string): string => (word.startsWith('-') || word === '' ? word : `--${word}`);
const asCluster = (word: string): string => (word.startsWith('-') || word === '' ? word : `-${word}`);

export const NODE_GIT_METHODS: Record<string, Handler> = {
  ...Object.fromEntries(
    'branch checkout merge mv pull push raw rebase revert rm stash tag'.split(' ').map((sub) => [`SimpleGit.${sub}`, simple(sub)]),
  ),
  'SimpleGit.reset': simple('reset', (word) => (/^(hard|soft|mixed|merge|keep)$/.test(word) ? asOption(word) : word)),
  'SimpleGit.clean': simple('clean', asCluster),
  'SimpleGit.deleteLocalBranch': (call, m) => {
    runs(m, call.self?.of, [text('branch'), text(isTrue(call.args[1]) ? '-D' : '-d'), ...call.args.slice(0, 1)]);
    return call.self ?? UNKNOWN;
  },
  'SimpleGit.cwd': (call) => ({ type: 'SimpleGit', ...(call.args[0] ? { of: call.args[0] } : {}), marks: 0 }),
};
