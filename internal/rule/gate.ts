/** What the rules about the gate share: which commits of a push are covered, and how one that is not gets covered. Pure. */
import type { Effect, EffectOf } from '../effect/effect.ts';
import type { Facts } from '../fact/facts.ts';
import type { Coverage } from '../gate/coverage.ts';
import { quote, quoteLine } from './quote.ts';
import type { Remedy } from './rule.ts';
import { argument } from './stake.ts';

type Push = EffectOf<'git.push'>;
type PushFact = ReturnType<Facts['push']>[number];
type Asks = Pick<Facts, 'push' | 'coverage' | 'repo' | 'show'>;

/** A ref of a push with what covers it. */
export interface Covered {
  ref: PushFact;
  coverage: Coverage;
}

/** The refs of a push that bring commits, with what covers each. Without a declared gate there is none. */
export function coveredRefs(push: Push, facts: Asks): readonly Covered[] {
  if (push.dryRun || push.remote) return [];
  const current = facts.repo(push.repo)?.branch;
  return facts.push(push).flatMap((ref) => {
    if (ref.delete || ref.nothingNew) return [];
    const coverage = facts.coverage(push.repo, revisionOf(push, ref, current), ref.tag ? undefined : ref.name);
    return coverage ? [{ ref, coverage }] : [];
  });
}

/** git itself names the object at pre-push. In a tool call the line may move the current branch first. */
function revisionOf(push: Push, ref: PushFact, current: string | undefined): string {
  if (push.pusher !== undefined && ref.oid !== undefined) return ref.oid;
  if (ref.local !== undefined && ref.local === current) return 'HEAD';
  return ref.oid ?? ref.local ?? ref.name;
}

/** `a1b2c3d (origin/feat/x)`: what is pushed, for a text. */
export const pushedShown = ({ ref, coverage }: Covered, remote: string): string =>
  coverage.commit === undefined ? `${remote}/${ref.name}` : `${coverage.commit.slice(0, 7)} (${remote}/${ref.name})`;

/** `waygate gate run`, from where the caller is. */
export const gateRun = (waygate: string, dir: string, show: (path: string) => string): string =>
  ['', '.'].includes(show(dir)) ? `${waygate} gate run` : `${waygate} -C ${quote(argument(dir, show))} gate run`;

/** What gets a commit covered, best first; the original push passes then where it says `again`. */
export function waysToCover(covered: Covered, push: Push, facts: Asks, effects: readonly Effect[], waygate: string): readonly Remedy[] {
  const { coverage, ref } = covered;
  const top = facts.repo(push.repo)?.top;
  const here = top === undefined ? `${waygate} gate run` : gateRun(waygate, top, facts.show);
  const git = (...words: string[]): string => quoteLine(['git', ...inRepo(push, facts), ...words]);
  const again = (run: string, because: string): Remedy => ({ kind: 'run', run, because, then: 'again' });
  switch (coverage.way?.how) {
    case 'run': {
      const { dir } = coverage.way;
      return [again(dir === top ? here : gateRun(waygate, dir, facts.show), 'then the same push passes')];
    }
    case 'changes':
      return [
        again(
          `${git('stash', 'push', '-q')} && { ${here}; ${git('stash', 'pop', '-q')}; }`,
          coverage.way.proven
            ? 'or commit these changes too: the gate has passed with them'
            : 'the gate sees the commit alone; or commit these changes too and run it then',
        ),
      ];
    case 'elsewhere': {
      const to = ref.local !== undefined ? ['switch', '-q', ref.local] : ['switch', '-q', '--detach', coverage.commit ?? ref.name];
      const there = `${git(...to)} && { ${here}; ${git('switch', '-q', '-')}; }`;
      const aside = `${git('stash', 'push', '-q')} && { ${there}; ${git('stash', 'pop', '-q')}; }`;
      return [again(coverage.way.dirty ? aside : there, 'runs it where that commit stands, and comes back')];
    }
    case 'line':
      return lineWays(push, facts, effects, here, waygate);
    case 'person':
      return [];
    default:
      return [again(here, 'then the same push passes')];
  }
}

/** The line makes the commit and pushes it at once: the gate comes in between, or the push comes in a call of its own. */
function lineWays(push: Push, facts: Asks, effects: readonly Effect[], here: string, waygate: string): readonly Remedy[] {
  const before = effects.filter((effect) => effect.step < push.step);
  const commands = makingCommands(before);
  if (commands === undefined) {
    return [
      {
        kind: 'run',
        run: `${waygate} gate status`,
        because: 'run what stands before the push in a call of its own first; this tells whether the gate has seen it',
      },
    ];
  }
  const made = commands.join(' && ');
  const ways: Remedy[] = [
    { kind: 'run', run: `${made} && ${here} && ${push.command}`, because: 'the gate sees the commit before it leaves' },
  ];
  if (facts.coverage(push.repo, undefined)?.state === 'passed')
    ways.unshift({ kind: 'run', run: made, because: 'then push in a call of its own: the gate has passed on these files' });
  return ways;
}

const MAKING: ReadonlySet<string> = new Set([
  'git.stage',
  'git.commit',
  'git.history-rewrite',
  'git.branch-create',
  'git.switch',
  'run.gate',
]);

/** The commands before a push, when all of them only stage and commit; undefined when anything else is among them. */
function makingCommands(before: readonly Effect[]): readonly string[] | undefined {
  if (before.length === 0 || before.some((effect) => !MAKING.has(effect.kind) || effect.script !== undefined)) return undefined;
  const bySteps = new Map<number, string>();
  for (const effect of before) {
    const command = 'command' in effect && typeof effect.command === 'string' ? effect.command : effect.source;
    if (effect.kind === 'run.gate' || /\n/.test(command)) return undefined;
    bySteps.set(effect.step, command);
  }
  return [...bySteps.values()];
}

/** `-C DIR` where the repository is not the caller's. */
function inRepo(push: Push, facts: Pick<Facts, 'repo' | 'show'>): readonly string[] {
  const top = facts.repo(push.repo)?.top;
  return top === undefined || ['', '.'].includes(facts.show(top)) ? [] : ['-C', argument(top, facts.show)];
}

/** `waygate gate status`, from where the caller is. */
export const gateStatus = (waygate: string, top: string, show: (path: string) => string): string =>
  gateRun(waygate, top, show).replace(/ run$/, ' status');

/** Is this call of a runner or a tool the declared gate itself, however it is spelled? Variables in front make it another. */
export function isGateCall(run: EffectOf<'run.target' | 'run.tool'>, command: string): boolean {
  if (run.kind === 'run.target' && (run.call.looks !== undefined || run.call.dir !== run.cwd)) return false;
  return run.bare !== undefined && run.bare.prefix === '' && spelled(run.bare.words) === spelled(command);
}

/** `npm run test`, `npm t` and `npm test` are one. */
const spelled = (command: string): string =>
  command
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^(npm|pnpm|yarn|bun) (?:run|run-script) /, '$1 ')
    .replace(/^npm (?:t|tst)$/, 'npm test');
