/** Where the output of a command goes: its own redirections, then pipes, redirections of groups and substitutions around it. */
import type { Command, Outlet, Redirect } from '../shell/command.ts';
import { shapeOf, textOf } from '../shell/word.ts';
import { type EffectContext, targetOf } from './family.ts';
import type { OutputFlow, Stage } from './types-run.ts';

/** Pipelines are followed this far. */
const MAX_STAGES = 20;

/** A place a stream can go to at one level: on to what is around it (1 or 2), into a file, into a stage, nowhere. */
type Place =
  | { to: 'out'; fd: 1 | 2 }
  | { to: 'file'; redirect: Redirect; cwd: string | undefined }
  | { to: 'stage'; steps: readonly number[] }
  | { to: 'closed' };

const OUT: readonly [Place, Place] = [
  { to: 'out', fd: 1 },
  { to: 'out', fd: 2 },
];

/** The output of a command that goes nowhere but to the agent. One value: most commands. */
export const SHOWN: OutputFlow = { pipe: [], files: [], captured: false, pipefail: false };

/** The flow of a command's two streams. */
export function outputFlow(command: Command, context: EffectContext, depth = 0): OutputFlow {
  if (!command.outlet && command.redirects.length === 0) return SHOWN;
  const streams: (Place | undefined)[] = [...OUT];
  const pipe: Stage[] = [];
  const files = new Map<Redirect, { fds: number[]; cwd: string | undefined }>();
  let captured = false;
  let pipefail: boolean | undefined;

  const ends = (place: Place, fd: number): boolean => {
    if (place.to === 'out') return false;
    if (place.to === 'file') {
      const known = files.get(place.redirect);
      if (known) known.fds.push(fd);
      else files.set(place.redirect, { fds: [fd], cwd: place.cwd });
    }
    if (place.to === 'stage') pipefail = false;
    return true;
  };
  const pass = (places: readonly [Place, Place]): void => {
    const into = new Map<readonly number[], number[]>();
    streams.forEach((stream, i) => {
      if (stream?.to !== 'out') return;
      const place = places[stream.fd - 1]!;
      if (place.to === 'stage') into.set(place.steps, [...(into.get(place.steps) ?? []), i + 1]);
      streams[i] = ends(place, i + 1) ? undefined : place;
    });
    for (const [steps, fds] of into) pipe.push(...stagesOf(steps, fds, context, depth));
  };

  pass(redirected(command.redirects, command.cwd));
  for (let outlet: Outlet | undefined = command.outlet; outlet && streams.some(Boolean); outlet = outlet.outer) {
    if (outlet.kind === 'files') pass(redirected(outlet.redirects, command.cwd));
    else if (outlet.kind === 'captured') {
      captured ||= streams.some((stream) => stream?.to === 'out' && stream.fd === 1);
      streams.forEach((stream, i) => {
        if (stream?.to === 'out' && stream.fd === 1) streams[i] = undefined;
      });
    } else {
      const before = pipe.length;
      const kept = pipefail;
      const stage: Place = { to: 'stage', steps: outlet.steps };
      pass([stage, outlet.both ? stage : OUT[1]]);
      if (pipe.length > before) pipefail = kept !== false && outlet.pipefail;
    }
  }
  return {
    pipe,
    files: [...files].map(([redirect, { fds, cwd }]) => ({
      fds,
      target: targetOf(redirect.target, cwd),
      append: redirect.op === '>>',
      discards: textOf(redirect.target) === '/dev/null',
    })),
    captured: captured || capturedLater(pipe.length > 0, command),
    pipefail: pipefail === true,
  };
}

/** What the last stage prints goes into a substitution. */
function capturedLater(piped: boolean, command: Command): boolean {
  if (!piped) return false;
  for (let outlet: Outlet | undefined = command.outlet; outlet; outlet = outlet.outer) if (outlet.kind === 'captured') return true;
  return false;
}

/** Names under which the streams themselves are files. */
const STREAMS: Readonly<Record<string, number>> = { '/dev/stdout': 1, '/dev/stderr': 2, '/dev/fd/1': 1, '/dev/fd/2': 2 };

/** Where the two streams go after redirections in their order: `2>&1 >f` is not `>f 2>&1`. */
function redirected(redirects: readonly Redirect[], cwd: string | undefined): readonly [Place, Place] {
  const table = new Map<number, Place>([
    [1, OUT[0]],
    [2, OUT[1]],
  ]);
  for (const redirect of redirects) {
    if (redirect.op === '<') continue;
    const place = placeOf(redirect, table, cwd);
    for (const fd of redirect.fds) table.set(fd, place);
  }
  return [table.get(1)!, table.get(2)!];
}

function placeOf(redirect: Redirect, table: ReadonlyMap<number, Place>, cwd: string | undefined): Place {
  const text = textOf(redirect.target);
  if (redirect.op === 'dup') {
    const fd = Number.parseInt(text ?? shapeOf(redirect.target), 10);
    return Number.isNaN(fd) ? { to: 'closed' } : (table.get(fd) ?? { to: 'closed' });
  }
  const stream = text === undefined || !Object.hasOwn(STREAMS, text) ? undefined : STREAMS[text];
  if (stream !== undefined) return table.get(stream)!;
  if (text === '/dev/tty') return OUT[0];
  const hole = redirect.target.parts[0];
  if (hole?.kind === 'hole' && hole.why === 'process' && hole.steps) return { to: 'stage', steps: hole.steps };
  return { to: 'file', redirect, cwd };
}

/** The stage that these steps are, and those behind it. */
function stagesOf(steps: readonly number[], fds: readonly number[], context: EffectContext, depth: number): Stage[] {
  const commands = ownCommands(steps, context);
  const [only] = commands;
  if (depth >= MAX_STAGES || !only) return [{ program: '', argv: [], source: '', fds, into: [] }];
  if (commands.length > 1)
    return [
      {
        program: '',
        argv: [],
        source: commands
          .map((each) => each.source)
          .join('; ')
          .slice(0, 200),
        fds,
        into: [],
      },
    ];
  const next = outputFlow(only, context, depth + 1);
  return [
    {
      program: only.name,
      argv: only.args.map((word) => textOf(word) ?? ''),
      source: only.source.slice(0, 200),
      fds,
      into: next.files.filter((file) => file.fds.includes(1)).map((file) => file.target),
    },
    ...next.pipe,
  ];
}

/** A stage of more commands than this is not looked through: it is no single filter. */
const MAX_COMMANDS = 8;

/** The commands of a stage without the wrappers around them, each once although it may run in one of two directories. */
function ownCommands(steps: readonly number[], context: EffectContext): readonly Command[] {
  const commands = steps
    .slice(0, MAX_COMMANDS)
    .map((step) => stepOf(step, context))
    .filter((each): each is Command => each !== undefined);
  const kept = commands.filter((each) => !isAround(each, commands));
  return kept.filter((each, i) => kept.findIndex((other) => other.source === each.source && other.name === each.name) === i);
}

/** Is a command only the wrapper around another of these: `sudo`, `bash -c`. */
export const isAround = (command: Command, among: readonly Command[]): boolean =>
  among.some(
    (other) =>
      other.step > command.step &&
      other.via.length > command.via.length &&
      other.via.slice(command.via.length).some((via) => via === command.name || via.startsWith(`${command.name} `)),
  );

/** A command of the line by its step. */
export function stepOf(step: number, context: EffectContext): Command | undefined {
  const command = context.commands[step];
  return command?.step === step ? command : context.commands.find((each) => each.step === step);
}
