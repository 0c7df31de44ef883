/** Methods of Ruby objects: paths, open files, the environment, connections. */
import { contentOf, DECODED, does, NAMES, nothing, parentOf, requests, writesOpen } from './api-common.ts';
import { copies, deletes, environment, type Handler, type Machine, moves, queries, writes } from './machine.ts';
import { globbed, joinPaths } from './operators.ts';
import { asPath, onSelf } from './ruby-files.ts';
import { hole, text, textIn, UNKNOWN, type Value } from './value.ts';

export function fetchEnvironment(args: readonly Value[], m: Machine): Value {
  const name = textIn(args[0]);
  return name === undefined ? hole('variable') : environment(m, name);
}

export const methods: Record<string, Handler> = {
  'Pathname.delete': onSelf((self, m) => {
    deletes(m, self, { recursive: false, name: 'Pathname#delete' });
    return UNKNOWN;
  }),
  'Pathname.unlink': onSelf((self, m) => {
    deletes(m, self, { recursive: false, name: 'Pathname#unlink' });
    return UNKNOWN;
  }),
  'Pathname.rmtree': onSelf((self, m) => {
    deletes(m, self, { recursive: true, name: 'Pathname#rmtree' });
    return UNKNOWN;
  }),
  'Pathname.rmdir': onSelf((self, m) => {
    deletes(m, self, { recursive: false, name: 'Pathname#rmdir' });
    return UNKNOWN;
  }),
  'Pathname.write': onSelf((self, m, args) => {
    writes(m, self, { mode: 'truncate', name: 'Pathname#write', content: args[0] });
    return UNKNOWN;
  }),
  'Pathname.binwrite': onSelf((self, m, args) => {
    writes(m, self, { mode: 'truncate', name: 'Pathname#binwrite', content: args[0] });
    return UNKNOWN;
  }),
  'Pathname.rename': onSelf((self, m, args) => {
    moves(m, self, args[0], { into: false, name: 'rename' });
    return UNKNOWN;
  }),
  'Pathname.read': onSelf((self) => contentOf(self)),
  'Pathname.join': onSelf((self, m, args) => asPath(joinPaths([self, ...args], m))),
  'Pathname.children': onSelf((self, m) => asPath(joinPaths([self, NAMES], m))),
  'Pathname.glob': onSelf((self, m, args) => asPath(globbed(joinPaths([self, ...args], m)))),
  'Pathname.expand_path': onSelf((self) => self),
  'Pathname#parent': onSelf((self) => asPath(parentOf(self))),
  'Pathname#dirname': onSelf((self) => asPath(parentOf(self))),
  'Pathname#delete': onSelf((self, m) => {
    deletes(m, self, { recursive: false, name: 'Pathname#delete' });
    return UNKNOWN;
  }),
  'Pathname#rmtree': onSelf((self, m) => {
    deletes(m, self, { recursive: true, name: 'Pathname#rmtree' });
    return UNKNOWN;
  }),
  'Pathname#unlink': onSelf((self, m) => {
    deletes(m, self, { recursive: false, name: 'Pathname#unlink' });
    return UNKNOWN;
  }),
  'Pathname#read': onSelf((self) => contentOf(self)),
  'File.write': writesOpen,
  'File.puts': writesOpen,
  'File.print': writesOpen,
  'File.<<': writesOpen,
  'File.printf': writesOpen,
  'File.read': (call) => contentOf(call.self?.of),
  'File#read': (call) => contentOf(call.self?.of),
  'File.truncate': nothing,
  'File.close': nothing,
  'File#path': (call) => call.self?.of,
  'Environment.fetch': (call, m) => fetchEnvironment(call.args, m),
  'Environment.to_h': (call) => call.self,
  'Environment.to_a': (call) => call.self,
  'Environment.inspect': (call) => call.self,
  'Environment.keys': nothing,
  'Environment#to_h': (call) => call.self,
  'Environment#inspect': (call) => call.self,
  'Environment#keys': nothing,
  'Environment.each': (call, m) => {
    const block = call.named.get('&');
    if (block?.fn) m.call(block, [hole('name'), { type: 'Environment', marks: 0 }]);
    return UNKNOWN;
  },
  'Connection.post': (call, m) => requests(m, call.self?.of, [call.args[1] ?? text('')]),
  'Connection.get': (call, m) => requests(m, call.self?.of, []),
  'Connection.request': (call, m) => requests(m, call.self?.of, call.args),
};

export const loose: Record<string, Handler> = {
  unpack: DECODED,
  unpack1: DECODED,
  execute: does((call, m) => queries(m, call.args[0], 'ruby')),
  exec_query: does((call, m) => queries(m, call.args[0], 'ruby')),
  rmtree: onSelf((self, m) => {
    deletes(m, self, { recursive: true, name: 'rmtree' });
    return UNKNOWN;
  }),
  copy: does((call, m) => call.self?.type === 'Pathname' && copies(m, call.self, call.args[0], { into: false, name: 'copy' })),
};
