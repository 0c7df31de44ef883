/** Stores that are no SQL databases: Redis, MongoDB, etcd, Consul, Kafka, RabbitMQ, NATS, InfluxDB, BigQuery. */
import type { Command } from '../shell/command.ts';
import { hasGlob, hasHole, shapeOf, textOf } from '../shell/word.ts';
import { fileText, isThrowawayName, isThrowawayUrl, stdinText } from './data-input.ts';
import { sqlEffects } from './data-sql.ts';
import { baseOf, type Family, type FamilyTable } from './family.ts';
import { callOf, commandLine, isRehearsal, lineOf, namesOf, plainName } from './infra-words.ts';
import { parseOptions } from './options.ts';
import type { DataEffect } from './types-outside.ts';

/** One loss of a store, with the fields every effect has. */
export function dataLoss(command: Command, engine: string, how: string, what: string, more: Partial<DataEffect> = {}): DataEffect {
  return { command: commandLine(command), ...baseOf(command), ...more, kind: 'data.destroy', engine, how, what: plainName(what) };
}

const REDIS_OPTIONS = {
  flags: [
    'x',
    'X',
    'c',
    'raw',
    'no-raw',
    'csv',
    'json',
    'quoted-input',
    'tls',
    'insecure',
    'askpass',
    'no-auth-warning',
    'verbose',
    '2',
    '3',
    'e',
    'stat',
    'latency',
    'bigkeys',
    'memkeys',
    'hotkeys',
    'scan',
    'version',
    'help',
    'pipe',
    'ldb',
  ],
  values: [
    'h',
    'p',
    's',
    'a',
    'user',
    'pass',
    'u',
    'n',
    'r',
    'i',
    'd',
    'D',
    't',
    'pattern',
    'quoted-pattern',
    'count',
    'cacert',
    'cacertdir',
    'cert',
    'key',
    'sni',
    'eval',
    'rdb',
    'functions-rdb',
    'cluster',
    'show-pushes',
  ],
  stopAtOperand: true,
  abbreviate: false,
} as const;

/** Redis and its kin; commands come as words or, line by line, on standard input. */
const redis: Family = (command, context) => {
  const parsed = parseOptions(command.args, REDIS_OPTIONS);
  const preview = [
    command.name,
    ...['h', 'p', 'n'].flatMap((name) => (parsed.text(name) ? [`-${name}`, parsed.text(name)!] : [])),
    'DBSIZE',
  ].join(' ');
  const unknownKeys = parsed.operands.some((word) => hasHole(word) || hasGlob(word)) || command.via.includes('xargs') || command.looped;
  const lines =
    parsed.operands.length > 0
      ? [parsed.operands.map(shapeOf)]
      : (stdinText(command, context) ?? '').split('\n').map((line) => line.trim().split(/\s+/));
  return lines.flatMap((words) => {
    const loss = redisLoss(words, unknownKeys);
    return loss ? [dataLoss(command, 'redis', loss.how, loss.what, { preview })] : [];
  });
};

function redisLoss(words: readonly string[], unknownKeys: boolean): { how: string; what: string } | undefined {
  const verb = words[0]?.toUpperCase();
  if (verb === 'FLUSHALL') return { how: 'flush', what: 'all databases' };
  if (verb === 'FLUSHDB') return { how: 'flush', what: 'database' };
  if ((verb === 'DEL' || verb === 'UNLINK') && (unknownKeys || words.length > 6))
    return { how: 'delete-all', what: `keys ${words.slice(1, 4).join(' ') || 'from the input'}` };
  if (verb === 'EVAL' && words.slice(1, 2).some((script) => /flush(all|db)|['"](del|unlink)['"]/i.test(script)))
    return { how: 'delete-all', what: 'keys by script' };
  if (verb === 'DEBUG' && words[1]?.toUpperCase() === 'FLUSHALL') return { how: 'flush', what: 'all databases' };
  if (verb === 'SHUTDOWN' && words[1]?.toUpperCase() === 'NOSAVE') return { how: 'flush', what: 'unsaved writes' };
  if (verb === 'CLUSTER' && words[1]?.toUpperCase() === 'RESET') return { how: 'reset', what: 'cluster' };
  if (verb === 'CONFIG' && words[1]?.toUpperCase() === 'SET' && /^(dir|dbfilename|save|appendonly)$/i.test(words[2] ?? ''))
    return { how: 'reset', what: `persistence setting ${words[2]}` };
  if (verb === 'XGROUP' && words[1]?.toUpperCase() === 'DESTROY') return { how: 'drop', what: `group ${words[3] ?? ''}` };
  return undefined;
}

/** Commands sent to Redis's port by hand: `echo FLUSHALL | nc localhost 6379`. */
const rawRedis: Family = (command, context) => {
  if (!command.args.some((word) => /^(6379|6380)$/.test(textOf(word) ?? ''))) return [];
  return (stdinText(command, context) ?? '').split(/\r?\n|\\r\\n/).flatMap((line) => {
    const loss = redisLoss(line.trim().split(/\s+/), false);
    return loss ? [dataLoss(command, 'redis', loss.how, loss.what)] : [];
  });
};

/** The mongo shells: JavaScript by --eval, file or standard input. */
const mongo: Family = (command, context) => {
  const parsed = parseOptions(command.args, {
    flags: ['quiet', 'norc', 'nodb', 'shell', 'tls', 'ssl', 'json', 'verbose', 'help', 'version'],
    values: ['eval', 'f', 'file', 'h', 'host', 'port', 'u', 'username', 'p', 'password', 'authenticationDatabase', 'tlsCAFile'],
    abbreviate: false,
  });
  const texts = (parsed.options.get('eval') ?? []).map((word) => (word ? shapeOf(word) : ''));
  for (const word of [
    ...(parsed.options.get('f') ?? []),
    ...(parsed.options.get('file') ?? []),
    ...parsed.operands.filter((each) => /\.m?js$/.test(shapeOf(each))),
  ])
    texts.push(fileText(word, command, context) ?? '');
  if (texts.length === 0) texts.push(stdinText(command, context) ?? '');
  const database = textOf(parsed.operands.find((word) => !/\.m?js$/.test(shapeOf(word))));
  const throwaway = isThrowawayUrl(database) || (database !== undefined && !database.includes('://') && isThrowawayName(database));
  const login = database !== undefined && /:\/\/[^/@]*:[^/@]*@/.test(database);
  const preview = login
    ? undefined
    : `${command.name} ${database ? `${lineOf(parsed.operands.slice(0, 1))} ` : ''}--quiet --eval 'db.stats()'`;
  return texts.flatMap((text) =>
    mongoLosses(text).map(({ how, what }) =>
      dataLoss(command, 'mongodb', how, what, { ...(preview ? { preview } : {}), ...(throwaway ? { throwaway } : {}) }),
    ),
  );
};

/** What a mongo shell program would destroy: calls in code, not in its strings and comments. */
export function mongoLosses(program: string): { how: string; what: string }[] {
  const code = withoutStrings(program);
  const losses: { how: string; what: string }[] = [];
  if (/\.\s*dropDatabase\s*\(/.test(code)) losses.push({ how: 'drop', what: 'database' });
  for (const match of code.matchAll(/([\w$]+|[)\]])\s*\.\s*drop\s*\(\s*(?:\)|\{|\(|function\b|\w+\s*=>)/g))
    losses.push({ how: 'drop', what: `collection ${/^[)\]]$/.test(match[1]!) ? '' : match[1]}`.trim() });
  for (const match of code.matchAll(/([\w$]+|[)\]])\s*\.\s*(deleteMany|remove|updateMany)\s*\(\s*(?:\{\s*\}|\))/g)) {
    if (match[2] === 'updateMany' && match[0].endsWith(')')) continue;
    losses.push({
      how: match[2] === 'updateMany' ? 'update-all' : 'delete-all',
      what: `collection ${/^[)\]]$/.test(match[1]!) ? '' : match[1]}`.trim(),
    });
  }
  if (/\bdropAllUsers|dropAllRoles|shutdownServer\s*\(/.test(code)) losses.push({ how: 'drop', what: 'users of the server' });
  return losses;
}

/** Program text with the insides of strings and comments blanked. */
export function withoutStrings(program: string): string {
  let result = '';
  for (let at = 0; at < program.length; ) {
    const char = program[at]!;
    if (char === '/' && program[at + 1] === '/') {
      const end = program.indexOf('\n', at);
      at = end < 0 ? program.length : end;
    } else if (char === '/' && program[at + 1] === '*') {
      const end = program.indexOf('*/', at + 2);
      at = end < 0 ? program.length : end + 2;
    } else if (char === '"' || char === "'" || char === '`') {
      let end = at + 1;
      while (end < program.length && program[end] !== char) end += program[end] === '\\' ? 2 : 1;
      result += `${char}${char}`;
      at = end + 1;
    } else {
      result += char;
      at++;
    }
  }
  return result;
}

const etcdctl: Family = (command) => {
  const call = callOf(command, {
    values: ['endpoints', 'cacert', 'cert', 'key', 'user', 'password', 'command-timeout', 'dial-timeout', 'w', 'write-out', 'rev'],
  });
  const [verb, ...rest] = call.texts;
  if (verb === 'del' && (call.has('prefix', 'from-key') || rest.length > 1))
    return [
      dataLoss(command, 'etcd', 'delete-all', `keys ${namesOf(call.words.slice(1))}`, {
        preview: `etcdctl get ${lineOf(call.words.slice(1))} --prefix --keys-only`,
      }),
    ];
  if ((verb === 'rm' || verb === 'rmdir') && call.has('recursive', 'r'))
    return [dataLoss(command, 'etcd', 'delete-all', `keys ${namesOf(call.words.slice(1))}`)];
  return [];
};

const consul: Family = (command) => {
  const call = callOf(command, { values: ['http-addr', 'token', 'datacenter', 'namespace', 'partition'] });
  if (call.texts[0] === 'kv' && call.texts[1] === 'delete' && call.has('recurse'))
    return [
      dataLoss(command, 'consul', 'delete-all', `keys ${namesOf(call.words.slice(2))}`, {
        preview: `consul kv get -keys ${lineOf(call.words.slice(2))}`.trim(),
      }),
    ];
  return [];
};

const influx: Family = (command) => {
  const call = callOf(command, {
    values: [
      'org',
      'o',
      'bucket',
      'b',
      'host',
      'token',
      't',
      'start',
      'stop',
      'predicate',
      'p',
      'name',
      'n',
      'id',
      'i',
      'execute',
      'database',
    ],
  });
  if (call.has('execute')) return sqlEffects(call.text('execute') ?? '', baseOf(command), 'influxdb', { command: commandLine(command) });
  const [first, second] = call.texts;
  if (first === 'delete')
    return [
      dataLoss(command, 'influxdb', 'delete-all', `points of ${call.text('bucket', 'b') ?? 'a bucket'}`, { preview: 'influx bucket list' }),
    ];
  if ((first === 'bucket' || first === 'org') && second === 'delete')
    return [
      dataLoss(command, 'influxdb', 'drop', `${first} ${call.text('name', 'n', 'id', 'i') ?? ''}`.trim(), {
        preview: `influx ${first} list`,
      }),
    ];
  return [];
};

/** BigQuery: `bq rm`, `bq query`, and the options that overwrite. */
const bq: Family = (command) => {
  const call = callOf(command, { values: ['project_id', 'dataset_id', 'location', 'destination_table', 'format', 'max_rows'] });
  const [verb, ...rest] = call.texts;
  if (isRehearsal(call)) return [];
  if (verb === 'query') return sqlEffects(rest.join(' '), baseOf(command), 'bigquery', { command: commandLine(command) });
  if (verb === 'rm')
    return [dataLoss(command, 'bigquery', 'drop', namesOf(call.words.slice(1)), { preview: `bq show ${lineOf(call.words.slice(1))}` })];
  return [];
};

const nodetool: Family = (command) => {
  const call = callOf(command, { values: ['h', 'host', 'p', 'port', 'u', 'username'] });
  const verb = call.texts[0] ?? '';
  return ['clearsnapshot', 'decommission', 'removenode', 'assassinate'].includes(verb)
    ? [
        dataLoss(command, 'cassandra', 'drop', `${verb} ${namesOf(call.words.slice(1))}`.trim(), {
          preview: verb === 'clearsnapshot' ? 'nodetool listsnapshots' : 'nodetool status',
        }),
      ]
    : [];
};

/** SQL over other tools' own console verbs: the words before it, and where the text stands. */
const console =
  (engine: string, verbs: readonly string[], options: readonly string[], operands?: number): Family =>
  (command, context) => {
    const call = callOf(command, {
      values: [
        ...options,
        'env',
        'e',
        'app',
        'a',
        'org',
        'site',
        'url',
        'path',
        'database',
        'connection',
        'file',
        'f',
        'schema',
        'secret-arn',
        'resource-arn',
      ],
    });
    const path = verbs.find((verb) => verb.split(' ').every((word, index) => call.texts[index] === word));
    if (path === undefined || call.has('local', 'dry-run')) return [];
    const depth = path.split(' ').length;
    const texts: string[] = options.flatMap((name) => (call.options.get(name) ?? []).map((word): string => (word ? shapeOf(word) : '')));
    if (operands !== undefined) texts.push(call.texts.slice(depth + operands).join(' '));
    for (const word of call.options.get('file') ?? call.options.get('f') ?? []) texts.push(fileText(word, command, context) ?? '');
    if (!texts.some(Boolean)) texts.push(stdinText(command, context) ?? '');
    return texts.flatMap((text) => sqlEffects(text, baseOf(command), engine, { command: commandLine(command) }));
  };

/** Families of these stores, by program. */
export const DATA_STORES: FamilyTable = {
  'redis-cli': redis,
  nc: rawRedis,
  ncat: rawRedis,
  netcat: rawRedis,
  'valkey-cli': redis,
  'keydb-cli': redis,
  mongosh: mongo,
  mongo,
  etcdctl,
  consul,
  influx,
  bq,
  nodetool,
  wrangler: console('d1', ['d1 execute'], ['command', 'file']),
  turso: console('sqlite', ['db shell'], [], 1),
  heroku: console('postgres', ['pg:psql'], ['c', 'command']),
  wp: console('mysql', ['db query'], [], 0),
  drush: console('mysql', ['sql:query', 'sqlq', 'sql-query'], [], 0),
  console: console('sql', ['doctrine:query:sql', 'dbal:run-sql'], [], 0),
  prisma: console('sql', ['db execute'], []),
  aws: console('sql', ['rds-data execute-statement'], ['sql']),
  gcloud: console('spanner', ['spanner databases execute-sql'], ['sql']),
};
