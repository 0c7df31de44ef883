/** `waygate run -- ARGV`: runs a program under the run log. The exit status is the program's own. */
import { resolve } from 'node:path';
import { realOf } from '../../internal/fact/discover.ts';
import { callerHere } from '../../internal/gate/caller.ts';
import { plainArgv } from '../../internal/gate/recipe.ts';
import { project } from '../../internal/runlog/project.ts';
import { RunLogError } from '../../internal/runlog/run.ts';
import { type GateHere, gateHere } from './gate-here.ts';
import { gateLogged } from './gate-run.ts';
import { runHere } from './run-here.ts';
import { lineCount, type Showing, showing, textOf, timeoutOf } from './run-show.ts';
import { Failure, say, sayJson, UsageError } from './terminal.ts';

const HELP = `Usage: waygate run [options] -- PROGRAM [ARGUMENTS]

Runs a program, hands its output on and keeps all of it. The exit status is the program's own; 128+n where signal n ended it,
124 where the time bound did, 127 where there is no such program. No shell reads the words, unless the program is one.

Options:
  -C DIR          work in this directory
  --timeout TIME  end the program and everything it started after 90s, 10m, 2h, …
  --tail N        show only the last N lines, at the end
  --grep TEXT     show only lines with TEXT and a few around, at the end
  --failure       show only what says why it failed, at the end
  --quiet         show only where the output is kept
  --tee FILE      what goes to stdout also goes to FILE
  --tee-all FILE  what goes to stdout and stderr also goes to FILE
  --json          one JSON document at the end instead of the output
  --help          this text

Examples:
  waygate run -- npm test
  waygate run --timeout 10m --failure -- make ci
  waygate run --tee result.json -- node report.mjs --json
  waygate output last --grep 'not found'
`;

interface Asked extends Showing {
  directory?: string;
  timeoutMs?: number;
  argv: readonly string[];
  help: boolean;
}

/** The verb reads its own words: everything from the program on belongs to it. */
export async function run(words: readonly string[]): Promise<number> {
  const asked = parse(words);
  if (asked.help) {
    say(HELP.trimEnd());
    return 0;
  }
  if (asked.directory !== undefined) enter(asked.directory);
  const shown = showing({ ...asked, tee: asked.tee === undefined ? undefined : resolve(asked.tee) });
  try {
    const gate = await gateAsked(asked.argv);
    const { record, exit } = gate
      ? await gateLogged(gate, { shown, timeoutMs: asked.timeoutMs })
      : await runHere({ argv: asked.argv, timeoutMs: asked.timeoutMs, caller: callerHere(), shown });
    shown.end(record, exit);
    if (asked.json) sayJson({ run: record, exit, output: project(textOf(record), asked, record.status !== 'passed').join('\n') });
    return exit;
  } catch (error) {
    if (error instanceof RunLogError) throw new Failure(error.message);
    throw error;
  }
}

/** The declared gate's own words, at the top of the repository: then it is a run of the gate, whatever verb was typed. */
async function gateAsked(argv: readonly string[]): Promise<GateHere | undefined> {
  const here = await gateHere();
  if ('none' in here || here.top !== realOf(process.cwd())) return undefined;
  const own = plainArgv(here.gate.command);
  return own?.length === argv.length && own.every((word, i) => word === argv[i]) ? here : undefined;
}

function enter(directory: string): void {
  try {
    process.chdir(directory);
  } catch {
    throw new UsageError(`-C: ${directory} is no directory that can be entered`);
  }
}

/** Options with a value, as they may be written: `--tail 20`, `--tail=20`. */
const VALUES = ['-C', '--timeout', '--tail', '--grep', '--tee', '--tee-all'] as const;
const FLAGS = ['--failure', '--quiet', '--json', '--help', '-h', '-q'] as const;

function parse(words: readonly string[]): Asked {
  const values = new Map<string, string>();
  const flags = new Set<string>();
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--') {
      at++;
      break;
    }
    if (!word.startsWith('-')) break;
    const [name = word, inline] =
      word.startsWith('--') && word.includes('=') ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word];
    if (VALUES.some((each) => each === name)) {
      const value = inline ?? words[++at];
      if (value === undefined) throw new UsageError(`run: ${name} needs a value`);
      values.set(name, value);
    } else if (FLAGS.some((each) => each === word)) flags.add(word);
    else throw new UsageError(`run: unknown option ${word}; the program stands behind --, e.g. waygate run -- npm test`);
  }
  const argv = words.slice(at);
  const help = flags.has('--help') || flags.has('-h');
  if (argv.length === 0 && !help) throw new UsageError('run needs a program, e.g. waygate run -- npm test');
  if (argv[0] === '') throw new UsageError('run: the program is an empty word');
  const timeoutMs = timeoutOf(values.get('--timeout'));
  const directory = values.get('-C');
  const tail = values.get('--tail');
  const grep = values.get('--grep');
  const both = values.get('--tee-all');
  const tee = both ?? values.get('--tee');
  if (both !== undefined && values.has('--tee')) throw new UsageError('run: --tee and --tee-all: one of them');
  return {
    argv,
    help,
    failure: flags.has('--failure'),
    quiet: flags.has('--quiet') || flags.has('-q'),
    json: flags.has('--json'),
    ...(directory === undefined ? {} : { directory }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(tail === undefined ? {} : { tail: lineCount(tail) }),
    ...(grep === undefined ? {} : { grep }),
    ...(tee === undefined ? {} : { tee, teeAll: both !== undefined }),
  };
}
