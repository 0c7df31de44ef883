/** Methods of Python objects: paths, open files, connections, the environment. */
import {
  arg,
  contentOf,
  deletesSelf,
  does,
  NAMES,
  nameOf,
  nothing,
  opens,
  parentOf,
  passes,
  replacing,
  requests,
  response,
  writesOpen,
} from './api-common.ts';
import { changesMode, copies, type Handler, kills, links, type Machine, makes, sends, writes } from './machine.ts';
import { globbed, joinPaths } from './operators.ts';
import { rename } from './python-files.ts';
import { absolute, asPath, environmentOf, expanded, onSelf, withSuffix } from './python-paths.ts';
import { concat, derived, each, hole, Mark, text, textIn, UNKNOWN, type Value } from './value.ts';

export const methods: Record<string, Handler> = {
  'Path.unlink': deletesSelf(false),
  'Path.rmdir': deletesSelf(false),
  'Path.rename': rename,
  'Path.replace': rename,
  'Path.move': rename,
  'Path.write_text': does((call, m) => writes(m, call.self, { mode: 'truncate', name: 'write_text', content: arg(call, 0, 'data') })),
  'Path.write_bytes': does((call, m) => writes(m, call.self, { mode: 'truncate', name: 'write_bytes', content: call.args[0] })),
  'Path.open': (call, m) => opens(m, call.self, textIn(arg(call, 0, 'mode')) ?? 'r', 'open'),
  'Path.read_text': (call) => contentOf(call.self),
  'Path.read_bytes': (call) => contentOf(call.self),
  'Path.touch': does((call, m) => writes(m, call.self, { mode: 'append', name: 'touch', content: text('') })),
  'Path.mkdir': does((call, m) => makes(m, call.self)),
  'Path.chmod': does((call, m) => changesMode(m, call.self, call.args[0])),
  'Path.symlink_to': does((call, m) => links(m, call.args[0], call.self, true)),
  'Path.hardlink_to': does((call, m) => links(m, call.args[0], call.self, false)),
  'Path.copy': does((call, m) => copies(m, call.self, call.args[0], { into: false, name: 'copy' })),
  'Path.iterdir': (call, m) => asPath(joinPaths([call.self!, NAMES], m)),
  'Path.glob': (call, m) => asPath(globbed(joinPaths([call.self!, ...call.args], m))),
  'Path.rglob': (call, m) => asPath(globbed(joinPaths([call.self!, text('**'), ...call.args], m))),
  'Path.joinpath': (call, m) => asPath(joinPaths([call.self!, ...call.args], m)),
  'Path.with_name': (call, m) => asPath(joinPaths([parentOf(call.self), ...call.args], m)),
  'Path.with_suffix': (call) => asPath(withSuffix(call.self, call.args[0])),
  'Path.resolve': (call, m) => asPath(absolute(call.self, m)),
  'Path.absolute': (call, m) => asPath(absolute(call.self, m)),
  'Path.expanduser': (call, m) => asPath(expanded(call.self, m)),
  'Path.exists': nothing,
  'Path.is_file': nothing,
  'Path.is_dir': nothing,
  'Path.stat': nothing,
  'Path.relative_to': (call) => call.self,
  'Path#parent': onSelf((self) => asPath(parentOf(self))),
  'Path#name': onSelf((self) => nameOf(self)),
  'Path#stem': onSelf((self) => hole('stem', { marks: self.marks })),
  'Path#suffix': () => hole('suffix'),
  'DirEntry#path': onSelf((self) => ({ ...self, type: undefined })),
  'DirEntry#name': () => NAMES,
  'DirEntry.is_file': nothing,
  'DirEntry.is_dir': nothing,
  'File.read': (call) => contentOf(call.self?.of),
  'File.readlines': (call) => contentOf(call.self?.of),
  'File.readline': (call) => contentOf(call.self?.of),
  'File.write': writesOpen,
  'File.writelines': writesOpen,
  'File.truncate': (call) => {
    if (call.self?.write) call.self.write.mode = 'truncate';
    return UNKNOWN;
  },
  'Pattern.sub': replacing(1),
  'Pattern.subn': replacing(1),
  'Pattern.findall': passes,
  'Psutil.kill': does((call, m) => kills(m, call.self?.of, undefined, call.self?.of ? 'pid' : 'name')),
  'Psutil.terminate': does((call, m) => kills(m, call.self?.of, undefined, call.self?.of ? 'pid' : 'name')),
  'Connection.request': (call, m) =>
    requests(m, concat([text('https://'), call.self?.of ?? UNKNOWN, call.args[1] ?? text('/')]), [
      arg(call, 2, 'body'),
      ...(/^(?:GET|HEAD)$/i.test(textIn(call.args[0]) ?? 'GET') ? [] : [text('')]),
    ]),
  'Connection.getresponse': (call) => response(call.self?.of),
  'Socket.connect': does((call) => call.self?.fields?.set('to', call.args[0] ?? UNKNOWN)),
  'Socket.send': socketSend,
  'Socket.sendall': socketSend,
  'Socket.fileno': (call) => ({ type: 'SocketNumber', of: call.self?.fields?.get('to'), marks: 0 }),
  'Socket.recv': () => ({ ...hole('received'), marks: Mark.net, url: '' }),
  'Socket.makefile': () => UNKNOWN,
  'MemoryDatabase.execute': nothing,
  'MemoryDatabase.executescript': nothing,
  'MemoryDatabase.cursor': (call) => call.self,
  'Environment.get': (call, m) => environmentOf(call.args[0], call.args[1], m),
  'Environment.copy': (call) => call.self,
  'Environment.items': (call) => call.self,
  'Environment.values': (call) => call.self,
  'Environment.keys': nothing,
  'Environment.update': nothing,
  'Environment.setdefault': nothing,
  'Temp.cleanup': nothing,
  'Temp#name': onSelf((self) => ({ ...self, type: undefined })),
};

function socketSend(call: Parameters<Handler>[0], m: Machine): Value {
  const to = call.self?.fields?.get('to');
  const known = each(to ?? UNKNOWN)
    .map((part) => textIn(part) ?? '')
    .join(':');
  if (call.args.some((value) => derived(value).marks !== 0 || derived(value).vars)) sends(m, text(known), call.args, 'socket');
  return UNKNOWN;
}
