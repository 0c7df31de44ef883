/** The command line: argv -> one verb -> exit code. Only the verb that is asked for is loaded. */
import { Command, CommanderError } from 'commander';
import { nearest } from '../../internal/policy/nearest.ts';
import { unknownOwn } from '../../internal/rule/variables.ts';
import { type Exit, Failure, say, tell, UsageError } from './terminal.ts';
import { VERBS } from './verbs.ts';

declare const WAYGATE_VERSION: string;

/** Runs the command line and ends the process. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  process.stdout.on('error', onBrokenPipe);
  warnOfVariables();
  process.exitCode = await run(argv);
}

/** A reader that has seen enough (`| head`) is no error. */
function onBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}

async function run(argv: readonly string[]): Promise<number> {
  try {
    const { directory, verb: name, rest } = split(argv);
    if (directory !== undefined) enter(directory);
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      const asked = name === 'help' ? rest[0] : undefined;
      return asked ? await run([asked, '--help']) : overview(name === undefined);
    }
    if (name === '--version' || name === '-V') {
      say(WAYGATE_VERSION);
      return 0;
    }
    if (name.startsWith('-')) throw new UsageError(`unknown option ${name}; see waygate --help`);
    return await runVerb(name, rest);
  } catch (error) {
    return report(error);
  }
}

/** A variable with a name of ours that nothing reads was meant to do something. */
function warnOfVariables(): void {
  for (const name of Object.keys(process.env)) {
    const wrong = unknownOwn(name);
    if (!wrong) continue;
    const hint = wrong.near ? `; did you mean ${wrong.near}?` : wrong.instead ? `; what does it: ${wrong.instead}` : '';
    tell(`waygate: ${name} is set and nothing reads it${hint}`);
  }
}

/** `-C DIR` may stand before the verb, as with git. */
function split(argv: readonly string[]): { directory?: string; verb?: string; rest: readonly string[] } {
  if (argv[0] !== '-C') return { verb: argv[0], rest: argv.slice(1) };
  if (argv[1] === undefined) throw new UsageError('-C needs a directory');
  return { directory: argv[1], verb: argv[2], rest: argv.slice(3) };
}

function enter(directory: string): void {
  try {
    process.chdir(directory);
  } catch {
    throw new UsageError(`-C: ${directory} is no directory that can be entered`);
  }
}

async function runVerb(name: string, rest: readonly string[]): Promise<number> {
  const verb = VERBS.find((each) => each.name === name);
  if (!verb) {
    const near = nearest(
      name,
      VERBS.map((each) => each.name),
    );
    throw new UsageError(`there is no verb ${JSON.stringify(name)}${near ? `; did you mean ${near}?` : ';'} all verbs: waygate --help`);
  }
  const module = await verb.load();
  if ('run' in module) return module.run(rest);
  let exit: Exit = 0;
  const command = new Command(`waygate ${name}`).description(verb.summary).option('-C <dir>', 'work in this directory').exitOverride();
  command.configureOutput({ writeOut: (text) => process.stdout.write(text), writeErr: () => {} });
  command.hook('preAction', () => {
    const directory = command.opts()['C'] as string | undefined;
    if (directory !== undefined) enter(directory);
  });
  module.define(command, (code) => {
    exit = code;
  });
  await command.parseAsync(rest as string[], { from: 'user' });
  return exit;
}

/** Usage errors name what is wrong and end with 2; a check that failed ends with 1. */
function report(error: unknown): Exit {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    tell(`waygate: ${error.message.replace(/^error: /, '')}`);
    return 2;
  }
  if (error instanceof UsageError) {
    tell(`waygate: ${error.message}`);
    return 2;
  }
  if (error instanceof Failure) {
    tell(`waygate: ${error.message}`);
    return 1;
  }
  tell(`waygate: ${error instanceof Error ? error.message : String(error)}`);
  return 1;
}

function overview(asError: boolean): Exit {
  const width = Math.max(...VERBS.map((verb) => verb.name.length));
  const text = `waygate judges what a coding agent is about to do, and shows the way when it says no.

Usage: waygate [-C DIR] VERB [ARGUMENTS]

${VERBS.map((verb) => `  ${verb.name.padEnd(width)}  ${verb.summary}`).join('\n')}

waygate VERB --help shows options and examples.
Start:   waygate init --host claude-code
Ask:     waygate explain 'git reset --hard'`;
  if (!asError) {
    say(text);
    return 0;
  }
  tell(text);
  return 2;
}
