/** Wrappers that run a command once for each of many things: xargs, parallel, find -exec. */
import { foundWords, readExpression } from './find-expression.ts';
import { readFd } from './listings.ts';
import { parseOptions } from './options.ts';
import { literal, shapeOf, textOf, type Word } from './word.ts';
import { type Inner, joinWords, replaceIn, type Unwrap } from './wrappers-core.ts';

export const xargs: Unwrap = (args, name) => {
  const parsed = parseOptions(args, {
    flags: ['0', 'null', 'r', 'no-run-if-empty', 't', 'verbose', 'p', 'interactive', 'x', 'exit', 'o', 'open-tty'],
    values: [
      'a',
      'arg-file',
      'd',
      'delimiter',
      'E',
      'I',
      'L',
      'max-lines',
      'n',
      'max-args',
      'P',
      'max-procs',
      's',
      'max-chars',
      'R',
      'S',
      'J',
      'process-slot-var',
    ],
    optional: ['i', 'replace', 'l', 'e', 'eof'],
    aliases: { replace: 'i', 'arg-file': 'a' },
    stopAtOperand: true,
  });
  const replace = parsed.text('I') ?? parsed.text('J') ?? (parsed.has('i') ? parsed.text('i') || '{}' : undefined);
  if (parsed.operands.length === 0) return undefined;
  return {
    kind: 'argv',
    argv: parsed.operands,
    via: name,
    looped: true,
    fromStdin: {
      ...(replace === undefined ? {} : { replace }),
      ...(parsed.word('a') ? { file: parsed.word('a')! } : {}),
      ...(parsed.has('r') || parsed.has('no-run-if-empty') ? { unlessEmpty: true } : {}),
    },
    keep: true,
  };
};

/** GNU parallel: a command, `{}` or nothing for the input, and the inputs behind `:::`. */
export const parallel: Unwrap = (args) => {
  const parsed = parseOptions(args, {
    flags: [
      'k',
      'keep-order',
      'q',
      'quote',
      'u',
      'ungroup',
      'v',
      't',
      'X',
      'm',
      '0',
      'null',
      'bar',
      'progress',
      'dry-run',
      'halt-on-error',
      'line-buffer',
      'lb',
      'will-cite',
    ],
    values: [
      'j',
      'jobs',
      'P',
      'a',
      'arg-file',
      'I',
      'n',
      'N',
      'L',
      'd',
      'C',
      'colsep',
      'S',
      'sshlogin',
      'timeout',
      'retries',
      'delay',
      'halt',
      'results',
      'joblog',
      'tmpdir',
      'workdir',
      'wd',
    ],
    stopAtOperand: true,
  });
  if (parsed.has('dry-run')) return undefined;
  const words = parsed.operands;
  const at = words.findIndex((word) => /^:::\+?$/.test(textOf(word) ?? ''));
  const command = at < 0 ? words : words.slice(0, at);
  const inputs = at < 0 ? [] : words.slice(at + 1).filter((word) => !/^:::\+?$/.test(textOf(word) ?? ''));
  // One word is a line for the shell; several are put together as they stand, which is the stricter reading.
  const inner = (words: readonly Word[]): Inner =>
    words.length === 1
      ? { kind: 'code', code: words[0]!, via: 'parallel', looped: true, keep: true }
      : { kind: 'argv', argv: words, via: 'parallel', looped: true, keep: true };
  if (command.length === 0 && inputs.length === 0) return { kind: 'stdin', via: 'parallel', keep: true };
  if (command.length === 0) return inputs.map((input) => inner([input]));
  if (inputs.length === 0)
    return { ...inner(command), fromStdin: command.some((word) => shapeOf(word).includes('{}')) ? { replace: '{}' } : {} };
  const line = command.length === 1 && /\s/.test(shapeOf(command[0]!));
  return inputs.slice(0, 20).map((input) => {
    const words = replaceIn(command, '{}', [input]);
    return inner(line ? [joinWords(words)] : words);
  });
};

/** Programs that do nothing to a folder that they are given: each file below it is meant. */
const ONE_BY_ONE = new Set(['truncate', 'tee', 'unlink', 'shred', 'sh', 'bash', 'dash', 'zsh']);

export const find: Unwrap = (args) => {
  const search = readExpression(args);
  const inners = search.actions.flatMap((action): Inner[] =>
    action.does === 'run' && action.words.length > 0
      ? [
          {
            kind: 'argv',
            argv: shapesReplaced(action.words, foundWords(search, action.narrow, ONE_BY_ONE.has(textOf(action.words[0]) ?? ''))),
            via: `find ${action.by}`,
            looped: true,
            keep: true,
          },
        ]
      : [],
  );
  return inners.length > 0 ? inners : undefined;
};

/** fd -x, -X: `{}` and its kin, or the paths behind the words. */
export const fd: Unwrap = (args, name) => {
  const { found, runs, by } = readFd(args);
  if (!runs || runs.length === 0) return undefined;
  const marked = runs.map((word) => (/^\{(?:\/\/?|\.|\/\.)?\}$/.test(shapeOf(word)) ? literal('{}', word.raw) : word));
  const argv = marked.some((word) => shapeOf(word).includes('{}')) ? replaceIn(marked, '{}', found) : [...marked, ...found];
  return { kind: 'argv', argv, via: `${name} ${by}`, looped: true, keep: true };
};

const shapesReplaced = (argv: readonly Word[], targets: readonly Word[]): readonly Word[] =>
  argv.some((word) => shapeOf(word).includes('{}')) ? replaceIn(argv, '{}', targets) : argv;
