/** Methods of JavaScript objects: open files, requests, databases. */
import { contentOf, does, marked, nothing, response, writesOpen } from './api-common.ts';
import { deletes, type Handler, type Machine, queries, runsText, sends, writes } from './machine.ts';
import { derived, hole, UNKNOWN, type Value } from './value.ts';

const sql: Handler = (call, m) => {
  queries(m, call.args[0], 'node');
  const fn = call.args.at(-1);
  if (fn?.fn)
    m.call(
      fn,
      fn.fn.params.map((param) => hole(param || 'value')),
    );
  return { ...derived(call.self ?? UNKNOWN) };
};

export const methods: Record<string, Handler> = {
  'File.write': writesOpen,
  'File.end': writesOpen,
  'File.writeFile': writesOpen,
  'File.appendFile': writesOpen,
  'File.close': nothing,
  'File.truncate': nothing,
  'File.readFile': (call) => contentOf(call.self?.of),
  'File.on': nothing,
  'Request.write': requestWrite,
  'Request.end': requestWrite,
  'Request.on': (call, m) => {
    const fn = call.args.at(-1);
    if (fn?.fn) m.call(fn, [response(call.self?.of)]);
    return call.self;
  },
  'BunFile.delete': does((call, m) => deletes(m, call.self?.of, { recursive: false, name: 'Bun.file().delete' })),
  'BunFile.unlink': does((call, m) => deletes(m, call.self?.of, { recursive: false, name: 'Bun.file().unlink' })),
  'BunFile.text': (call) => contentOf(call.self?.of),
  'BunFile.json': (call) => contentOf(call.self?.of),
  'BunFile.write': does((call, m) => writes(m, call.self?.of, { mode: 'truncate', name: 'Bun.file().write', content: call.args[0] })),
  'Response.on': (call, m) => {
    const fn = call.args.at(-1);
    if (fn?.fn) m.call(fn, [call.self ?? UNKNOWN]);
    return call.self;
  },
};

function requestWrite(call: Parameters<Handler>[0], m: Machine): Value {
  if (call.args.length > 0 && !call.args[0]!.fn) sends(m, call.self?.of, call.args);
  return UNKNOWN;
}

const osascript: Handler = (call, m) => {
  runsText(m, call.args[0], 'shell', 'doShellScript');
  return UNKNOWN;
};

export const loose: Record<string, Handler> = {
  query: sql,
  execute: sql,
  $executeRawUnsafe: sql,
  $queryRawUnsafe: sql,
  $executeRaw: sql,
  run: sql,
  doShellScript: osascript,
  pipe: pipes,
};

/** What is fetched and piped into a file is in that file. */
function pipes(call: Parameters<Handler>[0], m: Machine): Value {
  const to = call.args[0];
  if (to?.type === 'File') writesOpen({ ...call, self: to, args: [{ ...hole('stream'), ...marked(call.self, 0) }] }, m);
  if (to?.type === 'Request') sends(m, to.of, [call.self ?? UNKNOWN]);
  return to ?? UNKNOWN;
}
