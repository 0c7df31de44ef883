/** `waygate gate run | status [REV] | record`: the declared gate, what it covers, and what somebody else saw it do. */
import type { Way } from '../../internal/gate/coverage.ts';
import { visible } from '../../internal/view/visible.ts';
import { waygateCommand } from './compose.ts';
import { gateHere } from './gate-here.ts';
import { gateRecord, type RecordFlags } from './gate-record.ts';
import { type GateRunFlags, gateRun } from './gate-run.ts';
import { secondsText } from './run-show.ts';
import { paint, say, sayJson, tell, UsageError } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

type Flags = GateRunFlags & RecordFlags;

/** Which options belong to which form. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  run: ['again', 'timeout', 'tail', 'grep', 'failure', 'quiet', 'json'],
  status: ['json'],
  record: ['file', 'json'],
};

export const define: VerbModule['define'] = (command, exit) => {
  command
    .argument('<what>', 'run: run the declared gate; status: what covers a commit; record: take in a result (a person)')
    .argument('[rev]', 'status: the commit, HEAD when not given')
    .option('--again <reason>', 'run: why it is run again on files it has passed on')
    .option('--timeout <time>', 'run: end it after 90s, 10m, 2h, …')
    .option('--tail <n>', 'run: show only the last lines, at the end')
    .option('--grep <text>', 'run: show only lines with the text, at the end')
    .option('--failure', 'run: show only what says why it failed, at the end')
    .option('--quiet', 'run: show only the result')
    .option('--file <file>', 'record: the result as JSON; - reads stdin')
    .option('--json', 'one JSON document')
    .action(async (what: string, rev: string | undefined, flags: Flags) => exit((await gate(what, rev, flags)) as 0));
  examples(command, [
    ['waygate gate run', 'run it and record what it saw'],
    ["waygate gate run --again 'looking for a flaky test'", 'once more on the same files'],
    ['waygate gate status', 'does a green gate cover HEAD? exit code 0: yes'],
    ['waygate gate status origin/main --json', 'another commit, for a program'],
    ['waygate gate record --file result.json', "CI's result; a person, on a terminal"],
  ]);
};

async function gate(what: string, rev: string | undefined, flags: Flags): Promise<number> {
  const known = FORMS[what];
  if (!known) throw new UsageError(`gate: ${JSON.stringify(what)} is none of run, status, record`);
  const foreign = Object.keys(flags).find((name) => name !== 'C' && !known.includes(name));
  if (foreign) throw new UsageError(`gate ${what} takes no --${foreign}`);
  if (rev !== undefined && what !== 'status') throw new UsageError(`gate ${what}: unexpected ${JSON.stringify(rev)}`);
  if (what === 'run') return gateRun(flags);
  return what === 'record' ? gateRecord(flags) : status(rev ?? 'HEAD', flags.json === true);
}

/** Exit code 0: passed. 1: anything else, a gate that is not declared included. */
async function status(revision: string, asJson: boolean): Promise<number> {
  const here = await gateHere();
  if ('none' in here) {
    if (asJson) sayJson({ state: 'undeclared', why: here.none });
    else tell(`waygate: gate: ${here.none}`);
    return 1;
  }
  const look = here.look();
  const coverage = look.coverage(revision);
  const way = coverage.state === 'passed' ? undefined : coverage.way;
  if (asJson) sayJson({ revision, ...coverage, ...(way ? { way } : {}) });
  else {
    const colour = coverage.state === 'passed' ? 'green' : coverage.state === 'unknown' ? 'yellow' : 'red';
    const commit = coverage.commit
      ? `${coverage.commit.slice(0, 7)}${revision === coverage.commit ? '' : ` (${visible(revision)})`}`
      : visible(revision);
    say(`${paint(colour, coverage.state)}  ${commit}  gate: ${visible(here.gate.command)}`);
    say(`  ${visible(coverage.why)}`);
    if (coverage.run?.seconds !== undefined)
      say(`  took ${secondsText(coverage.run.seconds)}; output: ${waygateCommand()} output ${coverage.run.id}`);
    const next = nextOf(way);
    if (next) say(`  ${next}`);
  }
  return coverage.state === 'passed' ? 0 : 1;
}

function nextOf(way: Way | undefined): string | undefined {
  const waygate = waygateCommand();
  switch (way?.how) {
    case 'run':
      return `cover it: ${waygate} gate run`;
    case 'changes':
      return `the work tree has changes that the commit has not (${way.paths.slice(0, 3).map(visible).join(', ')}${way.paths.length > 3 ? ', …' : ''}): commit or stash them, then ${waygate} gate run`;
    case 'elsewhere':
      return `it is not what stands here: check it out, then ${waygate} gate run`;
    default:
      return undefined;
  }
}
