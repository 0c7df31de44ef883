/** What the functions of Ruby do. */
import {
  contentOf,
  DECODED,
  decodes,
  does,
  evaluates,
  FALSE,
  joins,
  nothing,
  parentOf,
  passes,
  prints,
  requests,
  response,
  same,
  shellOrArgv,
  TRUE,
} from './api-common.ts';
import { exhausts, type Handler, kills, type Language, queries } from './machine.ts';
import { formatted } from './operators.ts';
import { FILE_CALLS, FILE_UTILS, real } from './ruby-files.ts';
import { fetchEnvironment, loose, methods } from './ruby-methods.ts';
import { concat, hole, Mark, NONE, text, textIn, UNKNOWN, type Value } from './value.ts';

const calls: Record<string, Handler> = {
  ...FILE_CALLS,
  system: shellOrArgv,
  exec: shellOrArgv,
  spawn: shellOrArgv,
  sh: shellOrArgv,
  'Kernel.system': shellOrArgv,
  'Kernel.exec': shellOrArgv,
  'Kernel.spawn': shellOrArgv,
  'Process.spawn': shellOrArgv,
  'Kernel.`': shellOrArgv,
  'Open3.capture2': shellOrArgv,
  'Open3.capture2e': shellOrArgv,
  'Open3.capture3': shellOrArgv,
  'Open3.popen3': shellOrArgv,
  'Open3.popen2': shellOrArgv,
  'Open3.popen2e': shellOrArgv,
  'PTY.spawn': shellOrArgv,
  'Process.kill': (call, m) => {
    const pids = call.args.slice(1);
    kills(m, { items: pids, marks: 0 }, call.args[0], pids.some((pid) => textIn(pid) === '-1') ? 'all' : 'pid');
    return UNKNOWN;
  },
  fork: (call, m) => {
    if (m.looped) exhausts(m, 'fork in a loop');
    const block = call.named.get('&');
    if (block?.fn) m.call(block, []);
    return UNKNOWN;
  },
  eval: evaluates(),
  instance_eval: evaluates(),
  class_eval: evaluates(),
  'Kernel.eval': evaluates(),
  'binding.eval': evaluates(),
  'RubyVM.InstructionSequence.compile': same,
  'ENV.fetch': (call, m) => fetchEnvironment(call.args, m),
  'ENV.to_h': () => ({ type: 'Environment', marks: 0 }),
  'ENV.to_a': () => ({ type: 'Environment', marks: 0 }),
  'ENV.inspect': () => ({ type: 'Environment', marks: 0 }),
  'ENV.keys': nothing,
  puts: prints,
  print: prints,
  p: prints,
  pp: prints,
  warn: prints,
  'STDOUT.puts': prints,
  '$stdout.puts': prints,
  '$stderr.puts': prints,
  'STDERR.puts': prints,
  'JSON.parse': passes,
  'JSON.generate': passes,
  'JSON.dump': passes,
  'YAML.load_file': (call) => ({ ...contentOf(call.args[0]), parts: undefined }),
  format: (call) => formatted(call.args[0] ?? UNKNOWN, call.args.slice(1), /%[-+0-9.]*[sdfx]/),
  sprintf: (call) => formatted(call.args[0] ?? UNKNOWN, call.args.slice(1), /%[-+0-9.]*[sdfx]/),
  gets: () => hole('input', { marks: Mark.input }),
  'STDIN.read': () => hole('input', { marks: Mark.input }),
  '$stdin.read': () => hole('input', { marks: Mark.input }),
  'Base64.decode64': decodes('base64'),
  'Base64.strict_decode64': decodes('base64'),
  'Base64.urlsafe_decode64': decodes('base64'),
  'Zlib.inflate': DECODED,
  'Zlib.Inflate.inflate': DECODED,
  'Marshal.load': DECODED,
  'Net.HTTP.get': (call, m) =>
    requests(m, call.args.length > 1 ? concat([text('https://'), call.args[0]!, call.args[1]!]) : call.args[0], []),
  'Net.HTTP.get_response': (call, m) => requests(m, call.args[0], []),
  'Net.HTTP.post': (call, m) => requests(m, call.args[0], [call.args[1] ?? text('')]),
  'Net.HTTP.post_form': (call, m) => requests(m, call.args[0], [call.args[1] ?? text('')]),
  'Net.HTTP.new': (call) => ({ type: 'Connection', of: call.args[0], marks: 0 }),
  'Net.HTTP.start': (call, m) => {
    const connection: Value = { type: 'Connection', of: call.args[0], marks: 0 };
    const block = call.named.get('&');
    if (block?.fn) m.call(block, [connection]);
    return response(call.args[0]);
  },
  'Faraday.get': (call, m) => requests(m, call.args[0], []),
  'Faraday.post': (call, m) => requests(m, call.args[0], [call.args[1] ?? text('')]),
  'HTTParty.get': (call, m) => requests(m, call.args[0], []),
  'HTTParty.post': (call, m) => requests(m, call.args[0], [call.named.get('body') ?? text('')]),
  'RestClient.get': (call, m) => requests(m, call.args[0], []),
  'RestClient.post': (call, m) => requests(m, call.args[0], [call.args[1] ?? text('')]),
  URI: same,
  'URI.parse': same,
  'URI.join': joins,
  'Shellwords.escape': same,
  'Shellwords.join': (call) => concat((call.args[0]?.items ?? []).flatMap((item, i) => (i === 0 ? [item] : [text(' '), item]))),
  String: same,
  Array: same,
  require: nothing,
  require_relative: nothing,
  lambda: (call) => call.named.get('&') ?? UNKNOWN,
  proc: (call) => call.named.get('&') ?? UNKNOWN,
  'Proc.new': (call) => call.named.get('&') ?? UNKNOWN,
  loop: (call, m) => {
    const looped = m.looped;
    m.looped = true;
    const block = call.named.get('&');
    if (block?.fn) m.call(block, []);
    m.looped = looped;
    return UNKNOWN;
  },
  'ActiveRecord.Base.connection.execute': does((call, m) => queries(m, call.args[0], 'ruby')),
};

for (const [name, handler] of Object.entries(FILE_UTILS)) {
  calls[`FileUtils.${name}`] = real(handler);
  if (name !== 'install') calls[name] ??= real(handler);
}

export const RUBY_LANGUAGE: Language = {
  name: 'ruby',
  calls,
  methods,
  loose,
  signals:
    /rm|delete|unlink|remove|write|open|system|exec|spawn|eval|`|%x|popen|rename|truncate|mv|cp|move|copy|kill|fork|ENV|Net|HTTP|URI|Open3|chmod|chown|ln_|link|touch|mkdir|decode|unpack|execute|send|sh\b|puts|install/,
  canonical: (name) =>
    name
      .replace(/^(?:Object|Kernel|::)\.(?!system|exec|spawn|eval|open|`)/, '')
      .replace(/^FileUtils\.(?:Verbose|NoWrite|DryRun)\./, (all) => (all.includes('Verbose') ? 'FileUtils.' : 'DryRun.')),
  constant(name, m) {
    switch (name) {
      case 'ENV':
        return { type: 'Environment', ref: undefined, marks: 0 };
      case 'ARGV':
        return { items: [...m.args], type: 'Arguments', marks: 0 };
      case '__FILE__':
      case '$0':
      case '$PROGRAM_NAME':
        return text(m.file ?? '-e');
      case '__dir__':
        return m.file !== undefined ? parentOf(text(m.file)) : m.cwd === undefined ? hole('directory') : text(m.cwd);
      case 'Dir.home':
        return text(m.look.home);
      case 'Dir.pwd':
        return m.cwd === undefined ? hole('directory') : text(m.cwd);
      case 'Dir.tmpdir':
        return text(m.look.tmp);
      case 'nil':
        return NONE;
      case 'true':
        return TRUE;
      case 'false':
        return FALSE;
      default:
        return undefined;
    }
  },
};
