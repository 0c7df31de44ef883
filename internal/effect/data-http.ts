/** Deletion by HTTP: a request whose method or path takes something away on a machine that is not the agent's own. */
import type { Command } from '../shell/command.ts';
import { shapeOf, textOf, type Word } from '../shell/word.ts';
import { isLocalHost } from './data-input.ts';
import { dataLoss } from './data-stores.ts';
import type { Effect } from './effect.ts';
import type { Family, FamilyTable } from './family.ts';
import { infraLoss } from './infra.ts';
import { lineOf } from './infra-words.ts';
import { curlOptions, wgetOptions } from './network-options.ts';

/** Local ports that belong to a store or a gateway rather than to the program under work. */
const STORE_PORTS: ReadonlyMap<string, string> = new Map([
  ['9200', 'elasticsearch'],
  ['9201', 'elasticsearch'],
  ['7700', 'meilisearch'],
  ['8001', 'kong'],
  ['5984', 'couchdb'],
  ['6333', 'qdrant'],
  ['8086', 'influxdb'],
  ['9090', 'prometheus'],
  ['8108', 'typesense'],
  ['2379', 'etcd'],
  ['8500', 'consul'],
  ['8200', 'vault'],
  ['8123', 'clickhouse'],
  ['15672', 'rabbitmq'],
  ['8983', 'solr'],
  ['2375', 'docker'],
  ['3100', 'loki'],
]);

/** Path words that take away although the method is POST or PUT. */
const LOSING_PATHS =
  /\/(_delete_by_query|_close|_rollover_delete|delete-batch|delete_series|clean_tombstones|doDelete|delete-all|_bulk_delete)(\/|\?|$)/;

interface Request {
  url: Word;
  method: string;
  body: string;
  /** The same request, asking only. */
  look?: string;
}

const curl: Family = (command) => {
  const parsed = curlOptions(command.args);
  const url = parsed.operands[0] ?? parsed.word('url');
  if (!url) return [];
  const bodies = ['data', 'data-raw', 'data-binary', 'json']
    .flatMap((name) => parsed.options.get(name) ?? [])
    .map((word) => (word ? shapeOf(word) : ''));
  const method = (parsed.text('request') ?? (bodies.length > 0 ? 'POST' : 'GET')).toUpperCase();
  return judge(command, { url, method, body: bodies.join('\n') });
};

const wget: Family = (command) => {
  const parsed = wgetOptions(command.args);
  const url = parsed.operands[0];
  const body = parsed.text('body-data') ?? parsed.text('post-data') ?? '';
  return url ? judge(command, { url, method: (parsed.text('method') ?? (body ? 'POST' : 'GET')).toUpperCase(), body }) : [];
};

/** httpie and xh: the method is a word before the address, which may be a bare port. */
const httpie: Family = (command) => {
  const words = command.args.filter((word) => !shapeOf(word).startsWith('-'));
  const method = textOf(words[0])?.toUpperCase();
  if (!method || !/^(DELETE|POST|PUT|PATCH)$/.test(method) || !words[1]) return [];
  return judge(command, { url: words[1], method, body: words.slice(2).map(shapeOf).join(' ') });
};

function judge(command: Command, request: Request): readonly Effect[] {
  const shape = shapeOf(request.url);
  const { host, port, path } = addressOf(shape);
  const store = STORE_PORTS.get(port);
  const local = host === '' ? undefined : isLocalHost(host);
  const deletes =
    request.method === 'DELETE' ||
    ((request.method === 'POST' || request.method === 'PUT') && LOSING_PATHS.test(path)) ||
    /\bmutation\b[^"]*\{\s*\w*(delete|destroy|remove|drop)(?:[A-Z]|\s*\()/i.test(request.body);
  if (!deletes) return [];
  const where = lineOf([request.url]);
  if (host === '') {
    // The address comes from a variable that the line does not set: it may be the program under work.
    return [infraLoss(command, command.name, where, { preview: `${command.name} ${where}`, recoverable: true })];
  }
  if (local && !store) return [];
  const what = `${host}${port ? `:${port}` : ''}${path.replace(/\?.*$/, '')}`;
  const preview = request.method === 'DELETE' && !/[@]/.test(shape.slice(0, shape.indexOf(host))) ? `curl -s ${where}` : undefined;
  return local && store
    ? [dataLoss(command, store, 'drop', what, preview ? { preview } : {})]
    : [infraLoss(command, command.name, what, preview ? { preview } : {})];
}

/** Host, port and path of an address as it is written, with or without a scheme; `:9200/x` is this machine. */
function addressOf(text: string): { host: string; port: string; path: string } {
  const bare = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^[^/@]*@/, '');
  const match = /^(\[[^\]]*\]|[^:/?#]*)(?::(\d+))?(.*)$/s.exec(bare);
  const named = match?.[1] ?? '';
  const port = match?.[2] ?? '';
  return { host: named === '' && port !== '' ? 'localhost' : named, port, path: match?.[3] ?? '' };
}

/** Families of HTTP clients, for deletion only; what they fetch and send is the network's part. */
export const DATA_HTTP: FamilyTable = { curl, wget, http: httpie, https: httpie, xh: httpie, xhs: httpie };
