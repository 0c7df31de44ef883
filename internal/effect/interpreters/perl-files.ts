/** Functions of Perl that touch files. */
import { opens, prints, shellOrArgv, writesOpen } from './api-common.ts';
import { deletes, type Handler, type Machine, runsText } from './machine.ts';
import { assign } from './names.ts';
import { globbed, joinPaths } from './operators.ts';
import { concat, hole, Mark, text, textIn, UNKNOWN, type Value } from './value.ts';

/** The topic `$_` when a function is called without arguments. */
export const topic = (m: Machine): Value => {
  for (let scope: Machine['scope'] | undefined = m.scope; scope; scope = scope.parent) {
    const value = scope.vars.get('$_');
    if (value) return value;
  }
  return { ...hole('$_'), marks: Mark.input };
};

export const unlinks: Handler = (call, m) => {
  deletes(m, call.args.length === 0 ? topic(m) : { items: [...call.args], marks: 0 }, { recursive: false, name: call.name });
  return UNKNOWN;
};

/** open FH, MODE, PATH; open FH, "MODE PATH"; pipes. */
export const opening: Handler = (call, m) => {
  const [, second, third, ...more] = call.args;
  const mode = textIn(second)?.trim();
  if (third === undefined) {
    const first = second?.parts?.[0];
    const head = first?.kind === 'text' ? first.text.trimStart() : '';
    const sign = /^(\+?>{1,2}|\+<|<|\|)\s*/.exec(head);
    if (sign?.[1] === '|' || mode?.endsWith('|')) {
      const line = concat([
        sign ? { ...second!, parts: [{ kind: 'text', text: head.slice(sign[0].length) }, ...second!.parts!.slice(1)] } : second!,
      ]);
      runsText(m, mode?.endsWith('|') ? text(mode.slice(0, -1)) : line, 'shell', 'open');
      return UNKNOWN;
    }
    const path: Value | undefined =
      second && sign ? { ...second, parts: [{ kind: 'text', text: head.slice(sign[0].length) }, ...second.parts!.slice(1)] } : second;
    return bind(call.args[0], opens(m, path, sign?.[1] ?? 'r', 'open'), m);
  }
  if (mode === '-|' || mode === '|-') {
    shellOrArgv({ ...call, args: [third, ...more] }, m);
    return UNKNOWN;
  }
  const how = (mode ?? '<').replace(/:.*$/, '').trim();
  return bind(call.args[0], opens(m, third, how.replace('+<', '+'), 'open'), m);
};

/** `my $fh` is the handle. The name is found by what stood as the first argument: marked when it was evaluated. */
function bind(handle: Value | undefined, file: Value, m: Machine): Value {
  const name = handle?.ref;
  if (name) assign({ t: 'name', name }, file, m, true);
  return file;
}

export const printing: Handler = (call, m) => {
  const first = call.args[0];
  if (first?.type === 'File') {
    writesOpen({ ...call, self: first, args: call.args.slice(1) }, m);
    return UNKNOWN;
  }
  if (first?.ref && /^(?:STDERR|STDOUT)$/.test(first.ref)) return prints({ ...call, args: call.args.slice(1) }, m);
  return prints({ ...call, args: call.args.length === 0 ? [topic(m)] : call.args }, m);
};

export const pathOf: Handler = (call, m) => ({ ...joinPaths(call.args, m), type: 'Path' });

export function cwdOf(m: Machine): Value {
  return m.cwd === undefined ? hole('directory') : text(m.cwd);
}

/** `glob "a b*"`: several patterns in one text. */
export function spacedGlob(value: Value): Value {
  const known = textIn(value);
  if (known?.includes(' '))
    return {
      items: known
        .split(/\s+/)
        .filter(Boolean)
        .map((piece) => globbed(text(piece))),
      marks: 0,
    };
  return globbed(value);
}

/** File::Find: the function sees each file below as `$_`. */
export function finding(call: Parameters<Handler>[0], m: Machine): Value {
  const fn = call.args[0]?.fn ? call.args[0] : call.args[0]?.fields?.get('wanted');
  if (!fn?.fn) return UNKNOWN;
  for (const where of call.args.slice(1)) {
    const found = joinPaths([where, { parts: [{ kind: 'glob', text: '**' }], marks: 0 }], m);
    m.scope.vars.set('$File::Find::name', found);
    m.scope.vars.set('$_', found);
    m.call(fn, [found]);
  }
  return UNKNOWN;
}
