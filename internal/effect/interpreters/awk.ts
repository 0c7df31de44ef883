/** awk programs: `system()`, pipes to and from commands, output to files. Tokens are enough; expressions are joined texts. */

import type { Command } from '../../shell/command.ts';
import { textOf, type Word } from '../../shell/word.ts';
import type { Effect } from '../effect.ts';
import { baseOf, type EffectContext, targetOf } from '../family.ts';
import { writing } from '../files-paths.ts';
import { parseOptions } from '../options.ts';
import { readEscape } from './lex-strings.ts';
import { shellText } from './shell-text.ts';
import { concat, hole, text as textValue, type Value, wordIn } from './value.ts';
import { rebased, withHoles } from './words.ts';

type Token =
  | { k: 'str'; text: string }
  | { k: 'name'; text: string }
  | { k: 'op'; text: string }
  | { k: 'num'; text: string }
  | { k: 'line' };

const MAX_TOKENS = 300_000;

/** Tokens of an awk text. Patterns between slashes are left out. */
function tokens(program: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < program.length && found.length < MAX_TOKENS) {
    const c = program[at]!;
    if (c === '\n') {
      found.push({ k: 'line' });
      at++;
    } else if (c === ' ' || c === '\t' || c === '\r') at++;
    else if (c === '\\' && program[at + 1] === '\n') at += 2;
    else if (c === '#') {
      const line = program.indexOf('\n', at);
      at = line < 0 ? program.length : line;
    } else if (c === '"') {
      let text = '';
      at++;
      while (at < program.length && program[at] !== '"' && program[at] !== '\n') {
        if (program[at] === '\\') {
          const [decoded, next] = readEscape(program, at, 'c');
          text += decoded;
          at = next;
        } else text += program[at++];
      }
      at++;
      found.push({ k: 'str', text });
    } else if (c === '/' && patternFits(found.at(-1))) {
      at++;
      while (at < program.length && program[at] !== '/' && program[at] !== '\n') at += program[at] === '\\' ? 2 : 1;
      at++;
      found.push({ k: 'op', text: '//' });
    } else if (/[A-Za-z_\ue000]/.test(c)) {
      const name = /^[\w\ue000\ue001]+/.exec(program.slice(at, at + 200))![0];
      at += name.length;
      found.push({ k: 'name', text: name });
    } else if (/[0-9]/.test(c)) {
      const number = /^[0-9.]+/.exec(program.slice(at, at + 60))![0];
      at += number.length;
      found.push({ k: 'num', text: number });
    } else {
      const operator = ['|&', '>>', '&&', '||', '==', '!=', '<=', '>=', '!~'].find((each) => program.startsWith(each, at)) ?? c;
      at += operator.length;
      found.push({ k: 'op', text: operator });
    }
  }
  return found;
}

const patternFits = (last: Token | undefined): boolean =>
  !last || last.k === 'line' || (last.k === 'op' && last.text !== ')' && last.text !== ']' && last.text !== '$');

/** What an awk program would do besides printing. `vars`: what `-v` gives. */
function effectsOfText(
  program: string,
  command: Command,
  context: EffectContext,
  vars: ReadonlyMap<string, Value>,
  holes: readonly Value[],
): Effect[] {
  const list = tokens(program);
  const base = baseOf(command);
  const effects: Effect[] = [];
  const assigned = new Map<string, Value>(vars);
  const label = command.name;
  const run = (value: Value) => {
    const known = value.parts ?? [];
    if (known.length === 0 || known.every((part) => part.kind === 'hole')) {
      if (known.length > 0)
        effects.push({
          kind: 'unknown',
          ...base,
          why: 'dynamic',
          destructive: true,
          detail: `${label} hands input to a shell`,
          command: command.source,
        });
      return;
    }
    effects.push(...rebased(context.effectsOf(shellText(value), command.cwd), base, label));
  };
  /** Concatenation from `at` on; stops at anything that is no operand. */
  const join = (at: number): [Value, number] => {
    const values: Value[] = [];
    while (at < list.length) {
      const token = list[at]!;
      if (token.k === 'str') values.push(...filled(token.text, holes));
      else if (token.k === 'num') values.push(textValue(token.text));
      else if (token.k === 'op' && token.text === '$') {
        values.push(hole('field'));
        const next = list[at + 1];
        if (next && (next.k === 'num' || next.k === 'name')) at++;
      } else if (token.k === 'name' && !KEYWORDS.has(token.text)) {
        values.push(assigned.get(token.text) ?? environmentOf(list, at, context) ?? hole(token.text));
        const open = list[at + 1];
        if (open?.k === 'op' && (open.text === '[' || open.text === '(')) at = closing(list, at + 1);
      } else if (token.k === 'op' && token.text === '(') {
        const [inner, stop] = join(at + 1);
        const next = list[stop];
        if (next?.k !== 'op' || next.text !== ')') break;
        values.push(inner);
        at = stop;
      } else break;
      at++;
    }
    return [values.length === 0 ? { marks: 0 } : concat(values), at];
  };
  for (let i = 0; i < list.length; i++) {
    const token = list[i]!;
    const next = list[i + 1];
    if (token.k === 'name' && token.text === 'system' && next?.k === 'op' && next.text === '(') {
      run(join(i + 2)[0]);
    } else if (token.k === 'name' && next?.k === 'op' && next.text === '=' && list[i + 2]?.k !== 'op') {
      const [value] = join(i + 2);
      if (value.parts && assigned.size < 1000)
        assigned.set(token.text, assigned.has(token.text) && !vars.has(token.text) ? hole(token.text) : value);
    } else if (token.k === 'op' && (token.text === '|' || token.text === '|&')) {
      if (next?.k === 'name' && next.text === 'getline') {
        const start = operandStart(list, i);
        run(join(start)[0]);
      } else run(join(i + 1)[0]);
    } else if (token.k === 'op' && (token.text === '>' || token.text === '>>') && inPrint(list, i)) {
      const [value] = join(i + 1);
      const target = value.parts && targetOf(wordIn(value), command.cwd);
      if (target && (target.path !== undefined || target.prefix !== ''))
        effects.push(...writing(base, [target], { mode: token.text === '>' ? 'truncate' : 'append', how: label, command: command.source }));
    }
  }
  return effects;
}

const KEYWORDS = new Set('getline print printf if else while for in do BEGIN END delete next exit function func return'.split(' '));

/** ENVIRON["HOME"]. */
function environmentOf(list: readonly Token[], at: number, context: EffectContext): Value | undefined {
  const name = list[at];
  const key = list[at + 2];
  if (name?.k !== 'name' || name.text !== 'ENVIRON' || key?.k !== 'str') return undefined;
  return key.text === 'HOME' ? textValue(context.look.home) : { ...hole(`$${key.text}`), vars: [key.text] };
}

function filled(text: string, holes: readonly Value[]): Value[] {
  return text
    .split(/\ue000(\d+)\ue001/)
    .flatMap((piece, i) => (i % 2 === 1 ? [holes[Number(piece)] ?? hole('value')] : piece === '' ? [] : [textValue(piece)]));
}

/** The bracket that closes the one at `at`; at most 400 tokens on. */
function closing(list: readonly Token[], at: number): number {
  let level = 0;
  for (let i = at; i < Math.min(list.length, at + 400); i++) {
    const token = list[i]!;
    if (token.k !== 'op') continue;
    if (token.text === '(' || token.text === '[') level++;
    if ((token.text === ')' || token.text === ']') && --level === 0) return i;
  }
  return at;
}

/** Where the text in front of `| getline` begins. */
function operandStart(list: readonly Token[], at: number): number {
  let i = at - 1;
  while (i >= 0 && at - i < 200) {
    const token = list[i]!;
    if (token.k === 'line' || (token.k === 'op' && (token.text === '{' || token.text === ';' || token.text === '(' || token.text === '}')))
      break;
    if (token.k === 'name' && KEYWORDS.has(token.text)) break;
    i--;
  }
  return i + 1;
}

/** Is the `>` at `at` an output of print: not a comparison in brackets. */
function inPrint(list: readonly Token[], at: number): boolean {
  let level = 0;
  for (let i = at - 1; i >= 0 && at - i < 400; i--) {
    const token = list[i]!;
    if (token.k === 'line') return false;
    if (token.k === 'op') {
      if (token.text === ')' || token.text === ']') level++;
      else if (token.text === '(' || token.text === '[') {
        if (level === 0) return false;
        level--;
      } else if (token.text === '{' || token.text === '}' || token.text === ';') return false;
    }
    if (token.k === 'name' && (token.text === 'print' || token.text === 'printf')) return true;
  }
  return false;
}

/** The family of awk, gawk, mawk, nawk. */
export function awk(command: Command, context: EffectContext): Effect[] {
  const parsed = parseOptions(command.args, {
    flags: ['sandbox', 'posix', 'help', 'version', 'traditional', 'lint', 'c', 'S', 'P', 'V', 'h', 'N', 'b', 'n', 'r', 's', 'O'],
    values: ['F', 'v', 'f', 'e', 'i', 'l', 'E', 'W', 'm', 'file', 'source', 'include', 'assign', 'field-separator', 'load', 'exec'],
    aliases: { file: 'f', source: 'e', include: 'i', assign: 'v', exec: 'E' },
    stopAtOperand: true,
  });
  if (parsed.has('sandbox') || parsed.has('S')) return [];
  const vars = new Map<string, Value>();
  for (const word of parsed.options.get('v') ?? []) {
    const text = word && textOf(word);
    const cut = text?.indexOf('=') ?? -1;
    if (text !== undefined && cut > 0) vars.set(text.slice(0, cut), textValue(text.slice(cut + 1)));
  }
  const texts: Word[] = [...(parsed.options.get('e') ?? [])].filter((word): word is Word => word !== undefined);
  const files = [...(parsed.options.get('f') ?? []), ...(parsed.options.get('E') ?? [])];
  if (texts.length === 0 && files.length === 0 && parsed.operands[0]) texts.push(parsed.operands[0]);
  const effects = texts.flatMap((word) => {
    const { text, holes } = withHoles(word);
    return effectsOfText(text, command, context, vars, holes);
  });
  for (const file of files) {
    const path = file && targetOf(file, command.cwd).path;
    const text = path === undefined ? undefined : context.look.read(path, 256 * 1024);
    if (text !== undefined) effects.push(...effectsOfText(text, command, context, vars, []));
  }
  return effects;
}
