/** The record of one command, and what the line remembers of it: known output, files it writes, directories it makes. */
import type { Redirect } from './command.ts';
import { outputOf, stdinText } from './output.ts';
import { type Draft, directory, hidesOutput, programName, type Reader } from './reader.ts';
import type { Frame, Outcome, Scope } from './scope.ts';
import { SCRIPT_LIMIT } from './scripts.ts';
import { readPlain } from './sensitive.ts';
import { literal, textOf, type Word } from './word.ts';

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
      background: frame.background,
      certain,
      captured: frame.captured || hidesOutput(redirections),
      ...(frame.script === undefined ? {} : { script: frame.script }),
      source: text,
    });
    reader.commands.push(record(scope.cwd, frame.certain));
    if (scope.otherCwd !== undefined && !['cd', ':'].includes(name)) reader.commands.push(record(scope.otherCwd, false));
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
