/** Methods of Perl objects: paths, open files, agents, databases. */
import { contentOf, does, NAMES, nothing, requests, writesOpen } from './api-common.ts';
import { copies, deletes, type Handler, moves, queries, writes } from './machine.ts';
import { joinPaths } from './operators.ts';
import { text, UNKNOWN } from './value.ts';

export const getting: Handler = (call, m) => requests(m, call.args[0], []);

const posting: Handler = (call, m) => requests(m, call.args[0], [call.args[1] ?? text('')]);

export const methods: Record<string, Handler> = {
  'Agent.get': getting,
  'Agent.post': posting,
  'Agent.put': posting,
  'Agent.delete': posting,
  'Agent.mirror': (call, m) => {
    requests(m, call.args[0], []);
    writes(m, call.args[1], { mode: 'truncate', name: 'mirror' });
    return UNKNOWN;
  },
  'Agent.request': (call, m) => requests(m, call.args.length > 1 ? call.args[1] : text(call.args[0]?.url ?? ''), call.args.slice(2)),
  'Path.remove': does((call, m) => deletes(m, call.self, { recursive: false, name: 'remove' })),
  'Path.remove_tree': does((call, m) => deletes(m, call.self, { recursive: true, name: 'remove_tree' })),
  'Path.spew': does((call, m) => writes(m, call.self, { mode: 'truncate', name: 'spew', content: call.args[0] })),
  'Path.spew_utf8': does((call, m) => writes(m, call.self, { mode: 'truncate', name: 'spew', content: call.args[0] })),
  'Path.append': does((call, m) => writes(m, call.self, { mode: 'append', name: 'append', content: call.args[0] })),
  'Path.slurp': (call) => contentOf(call.self),
  'Path.slurp_utf8': (call) => contentOf(call.self),
  'Path.child': (call, m) => ({ ...joinPaths([call.self!, ...call.args], m), type: 'Path' }),
  'Path.children': (call, m) => ({ ...joinPaths([call.self!, NAMES], m), type: 'Path' }),
  'Path.move': does((call, m) => moves(m, call.self, call.args[0], { into: false, name: 'move' })),
  'Path.copy': does((call, m) => copies(m, call.self, call.args[0], { into: true, name: 'copy' })),
  'File.print': writesOpen,
  'File.say': writesOpen,
  'File.printf': writesOpen,
  'File.close': nothing,
  'File.getline': (call) => contentOf(call.self?.of),
  'Database.do': does((call, m) => queries(m, call.args[0], 'perl')),
  'Database.prepare': does((call, m) => queries(m, call.args[0], 'perl')),
};
