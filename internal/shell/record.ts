/** The record of one command, and what the line remembers of it: known output, files it writes, directories it makes. */
import type { Outlet, Redirect } from './command.ts';
import { type Mount, onThisMachine } from './mounts.ts';
import { outputOf, stdinText } from './output.ts';
import { type Draft, directory, hidesOutput, programName, type Reader } from './reader.ts';
import type { Frame, Outcome, Scope } from './scope.ts';
import { SCRIPT_LIMIT } from './scripts.ts';
import { readPlain } from './sensitive.ts';
import { literal, textOf, type Word } from './word.ts';

/** What lies between the command and the agent. Mostly nothing. */
function aroundOf(frame: Frame, scope: Scope): Pick<Draft, 'outlet' | 'timed' | 'bound' | 'span'> {
  const outlet = scope.opened ? beyond(frame.outlet, { kind: 'files', redirects: scope.opened }) : frame.outlet;
  return {
    ...(outlet ? { outlet } : {}),
    ...(frame.timed ? { timed: true } : {}),
    ...(frame.bound ? { bound: frame.bound } : {}),
    ...(frame.span ? { span: frame.span } : {}),
  };
}

/** The outlets with one more behind the last. */
const beyond = (outlet: Outlet | undefined, last: Outlet): Outlet => (outlet ? { ...outlet, outer: beyond(outlet.outer, last) } : last);

/** The recording part of a reader. */
export function createRecord(reader: Reader): Pick<Reader, 'emitted'> {
  const { look, files, made, outputs } = reader;

  function emitted(
    argv: readonly Word[],
    frame: Frame,
    scope: Scope,
    redirections: readonly Redirect[],
    env: ReadonlyMap<string, Word | undefined>,
    text: string,
    known: string | undefined,
  ): Outcome {
    const name = known ?? programName(argv[0]!);
    const step = reader.commands.length;
    const record = (cwd: string | undefined, certain: boolean): Draft => ({
      step: reader.commands.length,
      given: frame.given,
      name,
      argv,
      args: argv.slice(1),
      env,
      redirects: redirections,
      stdin: frame.stdin,
      cwd,
      via: frame.via,
      remote: frame.remote,
      root: frame.root,
      looped: frame.looped,
      ...(frame.counters ? { counters: frame.counters } : {}),
      background: frame.background,
      certain,
      captured: frame.captured || hidesOutput(redirections),
      ...aroundOf(frame, scope),
      ...(frame.script === undefined ? {} : { script: frame.script }),
      ...(frame.absent === undefined || frame.remote ? {} : { absent: frame.absent }),
      source: text,
    });
    reader.commands.push(record(scope.cwd, frame.certain));
    if (scope.otherCwd !== undefined && !['cd', ':'].includes(name)) reader.commands.push(record(scope.otherCwd, false));
    if (frame.mounts?.length) recordHere(name, record(scope.cwd, frame.certain), frame.mounts);
    const args = argv.slice(1);
    const output = outputOf(name, args, {
      look,
      cwd: scope.cwd,
      stdin: frame.stdin,
      redirects: redirections,
      fresh: () => ++reader.counters.temporary,
      exists: (path) => made.has(path),
    });
    if (output) outputs.set(step, output);
    if (!frame.remote) remember(name, args, redirections, output, frame, scope);
    const steps = reader.commands.length > step + 1 ? [step, step + 1] : [step];
    return { ok: [step], steps, output: hidesOutput(redirections) ? literal('') : output };
  }

  /** What it does to the folders of this machine that it sees, as a command of its own. */
  function recordHere(name: string, inner: Draft, mounts: readonly Mount[]): void {
    const here = onThisMachine({ ...inner, name }, mounts, `${look.tmp}/elsewhere`);
    if (here) reader.commands.push({ ...inner, ...here, args: here.argv.slice(1), step: reader.commands.length, remote: false });
  }

  /** Files whose new text is known, and directories the line makes. */
  function remember(
    name: string,
    args: readonly Word[],
    redirections: readonly Redirect[],
    output: Word | undefined,
    frame: Frame,
    scope: Scope,
  ): void {
    const at = (word: Word | undefined) => (word ? directory(word, scope.cwd) : undefined);
    for (const each of redirections) {
      if (!each.fds.includes(1) || each.op === 'dup' || each.op === '<') continue;
      const path = at(each.target);
      if (path === undefined || path.startsWith('/dev/')) continue;
      const old = each.op === '>>' ? (files.get(path) ?? textWord(readPlain(look, path, SCRIPT_LIMIT))) : literal('');
      files.set(path, output && old ? { parts: [...old.parts, ...output.parts], raw: '' } : undefined);
    }
    const operands = args.filter((word) => !(textOf(word) ?? '').startsWith('-'));
    if (name === 'tee') for (const word of operands) setFile(at(word), stdinText({ stdin: frame.stdin, look, cwd: scope.cwd }));
    if (name === 'cp' || name === 'mv') {
      const from = at(operands[0]);
      const to = at(operands[1]);
      if (from !== undefined && to !== undefined && operands.length === 2) setFile(to, textWord(readPlain(look, from, SCRIPT_LIMIT)));
    }
    if (name === 'mkdir' || (name === 'mktemp' && args.some((word) => /^-\w*d/.test(textOf(word) ?? '')))) {
      for (const word of name === 'mkdir' ? operands : output ? [trimmed(output)] : []) {
        const path = at(word);
        if (path !== undefined) made.add(path);
      }
    }
    if (name === 'git') {
      const verb = textOf(args[0]);
      if (verb === 'clone' || verb === 'worktree' || verb === 'init') {
        for (const word of operands.slice(1)) {
          const path = at(word);
          if (path !== undefined) made.add(path);
        }
      }
    }
  }

  const trimmed = (word: Word): Word => literal((textOf(word) ?? '').trimEnd());
  const textWord = (text: string | undefined): Word | undefined => (text === undefined ? undefined : literal(text));

  function setFile(path: string | undefined, content: Word | undefined): void {
    if (path !== undefined && content) files.set(path, content);
  }

  return { emitted };
}
