/** What is at stake, in the words and remedies that every rule about lost work shares. */
import type { AtStake, Stake } from '../fact/facts.ts';
import { quoteLine } from './quote.ts';
import type { Remedy } from './rule.ts';
import { names } from './text.ts';

/** The items of a stake in backticks, each name once: `a`, `b` and 3 more. A file and its staged version have one name. */
export const atRisk = (stake: Stake, max = 3): string => names([...new Set(stake.items.map((item) => item.name))], max, stake.more);

/** A call of git in the repository of an effect, as a line for where the caller is. */
export function gitIn(
  repo: { dir: string | undefined; gitDir?: string; workTree?: string },
  words: readonly string[],
  show: (path: string) => string,
): string {
  const place = [
    ...(repo.dir === undefined || isHere(show(repo.dir)) ? [] : ['-C', argument(repo.dir, show)]),
    ...(repo.gitDir === undefined ? [] : [`--git-dir=${repo.gitDir}`]),
    ...(repo.workTree === undefined ? [] : [`--work-tree=${repo.workTree}`]),
  ];
  return quoteLine(['git', ...place, ...words]);
}

/** The ways out that there are, best first. The last one is always there. */
export const ways = (...remedies: readonly [...(Remedy | undefined)[], Remedy]): readonly [Remedy, ...Remedy[]] =>
  remedies.filter((remedy) => remedy !== undefined) as unknown as readonly [Remedy, ...Remedy[]];

/** At most this many paths are written into one remedy; beyond that the whole work tree is saved. */
const MAX_NAMED = 12;

/**
 * The call that saves what is at stake, after which the same call passes; undefined when a checkpoint cannot hold all of it.
 * `dir`: directory of the repository where that is not the caller's own, as it stands in the effect.
 */
export function saving(stake: Stake, waygate: string, show: (path: string) => string, dir?: string): Remedy | undefined {
  if (stake.items.length === 0 || stake.items.some((item) => !item.savable)) return undefined;
  const paths = [...new Set(stake.items.map((item) => item.path))];
  const named = stake.more === 0 && paths.length <= MAX_NAMED && paths.every((path) => path !== undefined);
  const elsewhere = dir !== undefined && !isHere(show(dir)) ? ['-C', argument(dir, show)] : [];
  const words = named ? ['checkpoint', '--', ...paths.map((path) => argument(path as string, show))] : ['checkpoint', ...elsewhere];
  return {
    kind: 'run',
    run: `${waygate} ${quoteLine(words)}`,
    because: 'keeps it outside the repository; `waygate checkpoint restore` brings it back',
    then: 'again',
  };
}

/** A path as an argument: the short form where it is the same path, the absolute one else. */
export function argument(path: string, show: (path: string) => string): string {
  const shown = show(path);
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(shown) && !shown.startsWith('-') ? shown : path;
}

const isHere = (shown: string): boolean => shown === '.' || shown === '';

/** Only commits and stash entries, no files. */
export const onlyCommits = (items: readonly AtStake[]): boolean => items.every((item) => item.kind === 'commit' || item.kind === 'stash');
