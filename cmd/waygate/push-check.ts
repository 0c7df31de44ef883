/** `waygate push-check [REMOTE] [REFSPEC…]`: for a person, before a push: what would be pushed, what covers it, and whether it may go out. */
import { effectsOf } from '../../internal/effect/effects.ts';
import { realLook } from '../../internal/fact/look.ts';
import { quoteLine } from '../../internal/rule/quote.ts';
import { agentView } from '../../internal/view/agent.ts';
import { type PushedRef, pushView, refLines } from '../../internal/view/push.ts';
import { judgePush, pushAction, pusherHere } from './pushing.ts';
import { type Exit, Failure, paint, say, sayJson, tell } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

interface Flags {
  force?: boolean;
  tags?: boolean;
  all?: boolean;
  delete?: boolean;
  json?: boolean;
}

export const define: VerbModule['define'] = (command, exit) => {
  command
    .argument('[remote]', 'as for git push; default: where git push would go')
    .argument('[refspecs...]', 'as for git push; default: what git push would push')
    .option('--force', 'as for git push')
    .option('--tags', 'as for git push')
    .option('--all', 'as for git push')
    .option('--delete', 'as for git push')
    .option('--json', 'one JSON document')
    .action(async (remote: string | undefined, refspecs: readonly string[], flags: Flags) => exit(await check(remote, refspecs, flags)));
  examples(command, [
    ['waygate push-check', 'what git push would push now, and what covers it'],
    ['waygate push-check origin main v1.2.0', 'two refs of one push'],
  ]);
};

/** Nothing is sent and nothing recorded: configuration and remote-tracking branches tell what a push would do. */
async function check(remote: string | undefined, refspecs: readonly string[], flags: Flags): Promise<Exit> {
  const options = (['force', 'tags', 'all', 'delete'] as const).flatMap((name) => (flags[name] ? [`--${name}`] : []));
  const line = quoteLine(['git', 'push', ...options, ...(remote === undefined ? [] : [remote, ...refspecs])]);
  const cwd = process.cwd();
  const pusher = pusherHere(cwd);
  const typed = pushAction(cwd, pusher, { surface: 'shell', raw: { command: line }, input: { command: line, dialect: 'posix' } });
  const effects = effectsOf(typed, realLook()).flatMap((effect) => (effect.kind === 'git.push' ? [{ ...effect, pusher: pusher.by }] : []));
  if (effects.length === 0) throw new Failure(`${line} is no push`);
  const { decision, refs } = await judgePush({ ...typed, surface: 'push' }, pusher, effects);
  if (flags.json) {
    sayJson({ command: line, by: pusher.by, verdict: decision.verdict, rule: decision.rule, says: decision.says, refs: refs.map(refJson) });
    return decision.verdict === 'deny' ? 1 : 0;
  }
  if (decision.verdict === 'deny') {
    tell(pusher.by === 'agent' ? agentView(decision) : pushView(decision, refs).replace('nothing was pushed', 'the push would be refused'));
    return 1;
  }
  say(refs.length === 0 ? `${line}: nothing to push` : `${paint('green', 'may go out')}  ${line}`);
  for (const each of refLines(refs)) say(each);
  const said = pushView(decision, refs);
  if (said !== '') tell(said);
  return 0;
}

const refJson = ({ name, oid, does, coverage }: PushedRef) => ({
  name,
  ...(oid === undefined ? {} : { oid }),
  does,
  ...(coverage ? { coverage: { state: coverage.state, command: coverage.command, why: coverage.why, run: coverage.run?.id } } : {}),
});
