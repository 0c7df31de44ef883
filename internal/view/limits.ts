/**
 * What an agent is told before it plans: what is in force here, in words and within a bound. A rule that is off or only advises is
 * no limit and is not listed. Pure.
 */
import type { Policy } from '../policy/policy.ts';
import type { Level } from '../rule/rule.ts';
import { line, visible } from './visible.ts';

/** Characters an agent reads at the start of a session at most (issue 3, item 6). */
export const LIMITS_LENGTH = 1500;

/** Branches that are protected when no file names any (design.md section 6). */
const USUAL_BRANCHES = ['main', 'master', 'release/*', "the remote's default branch"];

/** What a rule refuses, in a few words, by the line it is told in. Rules that are not here are told by their refusal. */
const PHRASES: Readonly<Record<'work' | 'git' | 'outside' | 'secrets' | 'guard', Readonly<Record<string, string>>>> = {
  work: {
    'file-delete': 'delete',
    'file-overwrite': 'overwrite',
    'discard-changes': 'discard',
    'clean-untracked': 'git clean',
    'sync-delete': 'mirror over',
  },
  git: {
    'force-push': 'overwriting commits on a remote',
    'remote-ref-delete': 'deleting remote branches that hold something',
    'hook-bypass': 'skipping hooks (--no-verify)',
    'merge-bypass': 'merging past required checks',
    'history-rewrite': 'rewriting commits others have',
    'branch-drop': 'deleting branches that alone hold commits',
    'stash-drop': 'dropping stashes',
    'worktree-remove': 'forcing worktrees away',
    'git-internals': 'expiring the reflog',
  },
  outside: {
    'outside-delete': 'deleting outside the repository',
    'process-sweep': 'killing processes by a shared name',
    'privilege-change': 'privileges',
    persistence: 'autostart entries',
    'system-state': 'system settings',
    'database-drop': 'dropping databases',
    'infrastructure-destroy': 'destroying infrastructure',
    'container-purge': 'deleting volumes',
    'package-publish': 'publishing packages',
    'remote-execution': 'running code straight from the network',
  },
  secrets: { 'secret-read': 'printed', 'secret-send': 'sent', 'secret-stage': 'staged', 'secret-push': 'pushed' },
  guard: {},
};

/** Every rule that has words here; a test compares them with the table. */
export const TOLD_RULES: readonly string[] = Object.values(PHRASES).flatMap((each) => Object.keys(each));

/** What the limits are made of. */
export interface LimitsHere {
  /** Root of the workspace, as it should be shown. */
  root: string;
  policy: Pick<Policy, 'protected' | 'network' | 'budgets' | 'gate' | 'custom' | 'owner'>;
  /** The level of a rule that is in force here, by name. */
  level(rule: string): Level | undefined;
  /** Spent of a budget so far, by the policy's name for it; 0 when nothing is known. */
  spent(budget: string): number;
  /** How waygate is called here. */
  waygate: string;
  /** What has become of git's own hook, when it was wired and asks no more: a sentence. */
  goneHook?: string | undefined;
}

/** One limit as data: what `describe limits --json` gives. */
export interface LimitLine {
  name: string;
  what: string;
}

/** The limits, one line each. `most`: names of each list that are shown, those of the table of rules included. */
export function limitLines(here: LimitsHere, most = 12): readonly LimitLine[] {
  const { policy } = here;
  const denied = (group: keyof typeof PHRASES) =>
    Object.entries(PHRASES[group]).flatMap(([rule, words]) => (here.level(rule) === 'deny' ? [words] : []));
  const work = denied('work');
  const git = denied('git');
  const outside = denied('outside');
  const secrets = denied('secrets');
  const own = policy.custom.filter((rule) => rule.verdict === 'deny').map((rule) => rule.rule);
  const paths = here.level('protected-path') === 'deny' ? policy.protected.paths.map((glob) => below(glob, here.root)) : [];
  const lines: (LimitLine | undefined)[] = [
    { name: 'writable', what: `${cut(here.root, 120)} and temporary folders` },
    work.length > 0
      ? {
          name: 'work',
          what: `content that exists nowhere else is not lost (${work.join(', ')}); \`waygate checkpoint -- PATH\` saves it, then the call passes`,
        }
      : undefined,
    { name: 'protected', what: [...some(paths, most), 'git directories', "the guard's wiring, policy and records"].join(', ') },
    git.length > 0 ? { name: 'git, refused', what: some(git, most).join('; ') } : undefined,
    branches(here, most),
    outside.length > 0 ? { name: 'outside, refused', what: some(outside, most).join('; ') } : undefined,
    { name: 'network', what: network(here, most) },
    secrets.length > 0 ? { name: 'secrets', what: `credentials are not ${secrets.join(', ')}` } : undefined,
    { name: 'budgets', what: budgets(here, most) },
    {
      name: 'gate',
      what: policy.gate ? `\`${cut(policy.gate.command, 80)}\` for ${some(policy.gate.branches, most).join(', ')}` : 'none is declared',
    },
    here.goneHook === undefined
      ? undefined
      : { name: "git's own hook", what: `${cut(here.goneHook, 200)}; tell the owner: \`waygate init --git\` puts it back` },
    own.length > 0 ? { name: "the workspace's own rules", what: some(own, most).join(', ') } : undefined,
    {
      name: 'a refusal',
      what: 'names its boundary and carries its way out; the same call again, reworded or through another tool, changes nothing',
    },
    { name: 'asking', what: '`waygate request --help`: the owner decides; stopping with what is done and what is blocked is a valid end' },
  ];
  return lines.filter((each) => each !== undefined);
}

function branches({ policy, level }: LimitsHere, most: number): LimitLine | undefined {
  const guarded = level('push-protected');
  if (guarded === undefined || guarded === 'off' || guarded === 'notice') return undefined;
  const declared = policy.protected.branches;
  if (declared === undefined || guarded === 'advise')
    return {
      name: 'protected branches',
      what: `${[...(declared ?? []).slice(0, most).map((each) => cut(each, 40)), ...USUAL_BRANCHES].join(', ')}: a pull request is the way`,
    };
  return {
    name: 'protected branches',
    what: `${some(declared, most).join(', ')} and ${USUAL_BRANCHES.join(', ')}; a push to a declared one is refused`,
  };
}

function network({ policy, level }: LimitsHere, most: number): string {
  if (!policy.network || level('network-reach') !== 'deny') return 'not limited by host';
  if (policy.network.allow.length === 0) return 'closed: no host but this machine';
  return `only ${some(policy.network.allow, most).join(', ')} and this machine`;
}

function budgets({ policy, spent }: LimitsHere, most: number): string {
  const all = Object.entries(policy.budgets);
  if (all.length === 0) return 'none';
  const shown = all.map(([key, limit]) => `${key} ${Math.max(0, limit - spent(key))} of ${limit} left`);
  return some(shown, most).join(', ');
}

/** The first of some names, and how many more there are. */
const some = (names: readonly string[], most: number): readonly string[] => [
  ...names.slice(0, most).map((name) => cut(name, 60)),
  ...(names.length > most ? [`${names.length - most} more`] : []),
];

/** A glob as the workspace wrote it. */
const below = (glob: string, root: string): string => (glob.startsWith(`${root}/`) ? glob.slice(root.length + 1) : glob);

const cut = (text: string, max: number): string => line(text, max);

/** The limits as the agent reads them: never more than `LIMITS_LENGTH` characters, and never half a line. */
export function limitsView(here: LimitsHere): string {
  const head = '[waygate] In force in this session; each call is judged by its effect before it runs:';
  const named = here.waygate === 'waygate' ? '' : ` (waygate: ${cut(here.waygate, 160)})`;
  const foot = `Rules with what is in force: waygate describe rules${named}`;
  for (const most of [12, 8, 6, 4, 2, 1, 0]) {
    const text = visible([head, ...limitLines(here, most).map(({ name, what }) => `- ${name}: ${what}`), foot].join('\n'));
    if (text.length <= LIMITS_LENGTH) return text;
  }
  // Only names with many hidden characters get here: whole lines go, the longest first.
  const lines = limitLines(here, 0).map(({ name, what }) => visible(`- ${name}: ${what}`));
  while (lines.length > 0 && [head, ...lines, visible(foot)].join('\n').length > LIMITS_LENGTH) lines.splice(longest(lines), 1);
  return [head, ...lines, visible(foot)].join('\n').slice(0, LIMITS_LENGTH);
}

const longest = (lines: readonly string[]): number => lines.reduce((at, each, index) => (each.length > lines[at]!.length ? index : at), 0);
