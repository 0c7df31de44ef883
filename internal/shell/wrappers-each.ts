/** Wrappers that run a command once for each of many things: xargs, parallel, find -exec. */
import { parseOptions } from './options.ts';
import { hasHole, literal, shapeOf, textOf, type Word } from './word.ts';
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
    aliases: { replace: 'i' },
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

const FIND_GLOBAL = new Set(['-H', '-L', '-P', '-D', '-O', '-E', '-X', '-d', '-s', '-x']);

/** What find hits: its roots, narrowed by -name, as glob words. */
export function findTargets(args: readonly Word[]): Word[] {
  let i = 0;
  while (i < args.length && FIND_GLOBAL.has(textOf(args[i]!) ?? '')) i += textOf(args[i]!) === '-D' ? 2 : 1;
  const roots: Word[] = [];
  for (; i < args.length; i++) {
    const text = shapeOf(args[i]!);
    if (text.startsWith('-') || text === '(' || text === '!' || text === ',') break;
    roots.push(args[i]!);
  }
  const tests = args.slice(i);
  const texts = tests.map((word) => textOf(word) ?? '');
  const nameAt = texts.findIndex((text) => ['-name', '-iname'].includes(text));
  const negated = nameAt > 0 && ['!', '-not'].includes(texts[nameAt - 1]!);
  const alternatives = texts.includes('-o') || texts.includes('-or');
  const name = nameAt >= 0 && !negated && !alternatives ? tests[nameAt + 1] : undefined;
  const pattern = name && !hasHole(name) ? shapeOf(name) : undefined;
  const narrowed = pattern !== undefined && pattern !== '*';
  const places = roots.length > 0 ? roots : [literal('.')];
  return places.map((root) => {
    if (!narrowed) return root;
    const slash = shapeOf(root).endsWith('/') ? '' : '/';
    return {
      parts: [...root.parts, { kind: 'text', text: slash }, { kind: 'glob', text: `**/${pattern}` }],
      raw: `${root.raw}${slash}**/${pattern}`,
    };
  });
}

export const find: Unwrap = (args) => {
  const inners: Inner[] = [];
  const targets = findTargets(args);
  for (let i = 0; i < args.length; i++) {
    const text = textOf(args[i]!);
    if (text === undefined || !['-exec', '-execdir', '-ok', '-okdir'].includes(text)) continue;
    const end = args.findIndex((word, at) => at > i && (textOf(word) === ';' || (textOf(word) === '+' && textOf(args[at - 1]!) === '{}')));
    const argv = args.slice(i + 1, end < 0 ? undefined : end);
    if (argv.length > 0) inners.push({ kind: 'argv', argv: shapesReplaced(argv, targets), via: `find ${text}`, looped: true, keep: true });
    i = end < 0 ? args.length : end;
  }
  return inners.length > 0 ? inners : undefined;
};

const shapesReplaced = (argv: readonly Word[], targets: readonly Word[]): readonly Word[] =>
  argv.some((word) => shapeOf(word).includes('{}')) ? replaceIn(argv, '{}', targets) : argv;
