/** Functions of Node, Bun and Deno that load modules, start programs and use the network. */
import { called, contentOf, foreignHeaders, option, requests, response } from './api-common.ts';
import { type Handler, kills, type Machine, runsArgv, runsText } from './machine.ts';
import { globbed, joinPaths } from './operators.ts';
import { concat, hole, ref, text, textIn, UNKNOWN, type Value } from './value.ts';

/** fetch(url, {method, body}); axios and the like take the same fields. */
export const fetching: Handler = (call, m) => {
  const options = call.args[0]?.fields ? call.args[0] : call.args[1];
  const url = call.args[0]?.fields ? option(options, 'url') : call.args[0];
  const method = (textIn(option(options, 'method')) ?? 'GET').toUpperCase();
  const body = option(options, 'body') ?? option(options, 'data') ?? option(options, 'json');
  const headers = foreignHeaders(option(options, 'headers'), url);
  return requests(m, url, [body, ...(headers ? [headers] : []), ...(method === 'GET' || method === 'HEAD' || body ? [] : [text('')])]);
};

export const posting: Handler = (call, m) => requests(m, call.args[0], [call.args[1] ?? text('')]);

export const getting: Handler = (call, m) => {
  const result = requests(m, call.args[0], []);
  called(call, m, result);
  const fn = call.args.at(-1);
  if (fn?.fn) m.call(fn, [result]);
  return result;
};

export const requesting: Handler = (call, m) => {
  const options = call.args.find((value) => value.fields);
  const host = option(options, 'hostname') ?? option(options, 'host');
  const url = host ? concat([text('https://'), host, option(options, 'path') ?? text('')]) : call.args[0];
  const fn = call.args.at(-1);
  if (fn?.fn) m.call(fn, [response(url)]);
  return { type: 'Request', of: url, marks: 0 };
};

export const required: Handler = (call, m) => {
  const name = textIn(call.args[0])?.replace(/^node:/, '');
  if (name === undefined) return UNKNOWN;
  if (name.startsWith('.') || name.startsWith('/'))
    return name.endsWith('.json')
      ? { ...contentOf(joinPaths([text(m.file ? dirOf(m.file) : (m.cwd ?? '.')), text(name)], m)), parts: undefined }
      : UNKNOWN;
  return ref(name);
};

export const dirOf = (file: string): string => file.slice(0, Math.max(1, file.lastIndexOf('/')));

export const tagged: Handler = (call, m) => {
  runsText(m, call.args[0], 'shell', '$`…`');
  return hole('output');
};

export const resolved: Handler = (call, m) => {
  const value = joinPaths(call.args, m);
  const first = value.parts?.[0];
  return m.cwd === undefined || (first?.kind === 'text' && first.text.startsWith('/')) ? value : joinPaths([text(m.cwd), value], m);
};

export const http: Record<string, Handler> = {};

export function shelljs(program: string): Handler {
  return (call, m) => {
    runsArgv(
      m,
      [
        text(program),
        ...call.args
          .flatMap((value) => value.items ?? [value])
          .map((value) => (value.parts && !textIn(value)?.startsWith('-') ? globbed(value) : value)),
      ],
      call.name,
    );
    return hole('output');
  };
}

export function spawned(call: Parameters<Handler>[0], m: Machine): Value {
  const words = call.args[0]?.items ?? option(call.args[0], 'cmd')?.items ?? [];
  runsArgv(m, words, call.name);
  return hole('output');
}

export function killing(call: Parameters<Handler>[0], m: Machine): Value {
  kills(m, call.args[0], call.args[1], textIn(call.args[0]) === '-1' ? 'all' : 'pid');
  return UNKNOWN;
}

export function functionOf(call: Parameters<Handler>[0], m: Machine): Value {
  runsText(m, call.args.at(-1), 'program', 'Function');
  return UNKNOWN;
}

export function later(call: Parameters<Handler>[0], m: Machine): Value {
  const fn = call.args[0];
  if (fn?.fn) m.call(fn, []);
  else if (textIn(fn) !== undefined) runsText(m, fn, 'program', call.name);
  return UNKNOWN;
}
