/** The SQL clients: how each of them takes its statements, its database and its connection. */
import { quote } from '../rule/quote.ts';
import { textOf } from '../shell/word.ts';
import type { Grammar, Parsed } from './options.ts';

/** How one client takes its SQL. */
export interface Client {
  engine: string;
  grammar: Grammar;
  /** Subcommand words before everything else. */
  verb?: string;
  /** Options whose value is SQL, and options whose value is a file of it. */
  sql: readonly string[];
  files?: readonly string[];
  /** Operands from this index on are SQL. */
  operands?: number;
  /** Reads SQL from standard input when it is given none. */
  stdin?: boolean;
  /** The database's name among the options or operands. */
  database?: (parsed: Parsed) => string | undefined;
  /** Options that make it harmless. */
  safe?: readonly string[];
  /** Options of the connection, kept in a preview; never a password. */
  connection?: readonly string[];
  /** How the client is asked for something read-only. */
  ask?: (sql: string) => string;
}

const PSQL: Client = {
  engine: 'postgres',
  grammar: {
    flags: [
      'a',
      'A',
      'b',
      'e',
      'E',
      'l',
      'n',
      'q',
      's',
      'S',
      't',
      'V',
      'x',
      'X',
      'w',
      'W',
      'z',
      '0',
      '1',
      'quiet',
      'no-psqlrc',
      'single-transaction',
      'tuples-only',
      'no-align',
      'expanded',
      'no-password',
      'list',
    ],
    values: [
      'c',
      'd',
      'f',
      'v',
      'F',
      'P',
      'R',
      'T',
      'h',
      'p',
      'U',
      'L',
      'o',
      'command',
      'dbname',
      'file',
      'set',
      'variable',
      'host',
      'port',
      'username',
      'output',
      'pset',
    ],
    aliases: { command: 'c', dbname: 'd', file: 'f', host: 'h', port: 'p', username: 'U' },
  },
  sql: ['c'],
  files: ['f'],
  stdin: true,
  database: (parsed) => parsed.text('d') ?? textOf(parsed.operands[0]),
  connection: ['h', 'p', 'U', 'd'],
  ask: (sql) => `-c ${quote(sql)}`,
};

export const MYSQL: Client = {
  engine: 'mysql',
  grammar: {
    flags: [
      'N',
      'B',
      's',
      'v',
      't',
      'E',
      'f',
      'A',
      'C',
      'n',
      'q',
      'r',
      'w',
      'i',
      'G',
      'H',
      'X',
      'batch',
      'silent',
      'force',
      'skip-column-names',
      'compress',
      'verbose',
      'table',
      'raw',
    ],
    values: [
      'e',
      'u',
      'h',
      'P',
      'D',
      'S',
      'execute',
      'user',
      'host',
      'port',
      'database',
      'socket',
      'protocol',
      'defaults-file',
      'defaults-extra-file',
      'ssl-mode',
      'default-character-set',
      'init-command',
      'delimiter',
    ],
    optional: ['p', 'password'],
    aliases: { execute: 'e', user: 'u', host: 'h', port: 'P', database: 'D', 'init-command': 'e' },
  },
  sql: ['e'],
  stdin: true,
  database: (parsed) => parsed.text('D') ?? textOf(parsed.operands[0]),
  connection: ['h', 'P', 'u', 'D'],
  ask: (sql) => `-e ${quote(sql)}`,
};

const simple = (
  engine: string,
  values: readonly string[],
  sql: readonly string[],
  files: readonly string[] = [],
  more: Partial<Client> = {},
): Client => ({
  engine,
  grammar: { values: [...values, ...sql, ...files], singleDash: false },
  sql,
  files,
  ...more,
});

export const CLIENTS: Readonly<Record<string, Client>> = {
  psql: PSQL,
  pgcli: { ...PSQL, stdin: false },
  usql: simple('postgres', ['o', 'v', 'set'], ['c', 'command'], ['f', 'file'], { stdin: true }),
  cockroach: simple(
    'postgres',
    ['url', 'host', 'port', 'd', 'database', 'user', 'u', 'certs-dir', 'format'],
    ['e', 'execute'],
    ['f', 'file'],
    { verb: 'sql', stdin: true },
  ),
  mysql: MYSQL,
  mariadb: MYSQL,
  mycli: MYSQL,
  sqlcmd: simple(
    'mssql',
    ['S', 'U', 'P', 'd', 'o', 'v', 'h', 's', 'W', 't', 'l', 'b'].filter((name) => name !== 'W' && name !== 'b'),
    ['Q', 'q', 'query'],
    ['i'],
    { stdin: true },
  ),
  'mssql-cli': simple('mssql', ['S', 'U', 'P', 'd'], ['Q'], ['i']),
  'clickhouse-client': simple(
    'clickhouse',
    ['h', 'host', 'port', 'u', 'user', 'password', 'd', 'database', 'format', 'f'],
    ['q', 'query'],
    ['queries-file'],
    { stdin: true },
  ),
  clickhouse: simple('clickhouse', ['h', 'host', 'port', 'u', 'user', 'password', 'd', 'database'], ['q', 'query'], ['queries-file'], {
    verb: 'client',
    stdin: true,
  }),
  cqlsh: simple(
    'cassandra',
    ['u', 'p', 'k', 'username', 'password', 'keyspace', 'cqlshrc', 'encoding', 'request-timeout'],
    ['e', 'execute'],
    ['f', 'file'],
    { stdin: true },
  ),
  snowsql: simple('snowflake', ['a', 'u', 'd', 's', 'w', 'r', 'c', 'o'], ['q', 'query'], ['f', 'filename'], { stdin: true }),
  snow: simple('snowflake', ['c', 'connection', 'database', 'schema', 'role', 'warehouse'], ['q', 'query'], ['f', 'filename'], {
    verb: 'sql',
  }),
  trino: simple('trino', ['server', 'catalog', 'schema', 'user'], ['execute'], ['f', 'file'], { stdin: true }),
  'presto-cli': simple('presto', ['server', 'catalog', 'schema', 'user'], ['execute'], ['f', 'file'], { stdin: true }),
  presto: simple('presto', ['server', 'catalog', 'schema', 'user'], ['execute'], ['f', 'file'], { stdin: true }),
  hive: simple('hive', ['hiveconf', 'd', 'hivevar', 'i'], ['e'], ['f']),
  beeline: simple('hive', ['u', 'n', 'p', 'd'], ['e'], ['f']),
  'spark-sql': simple('spark', ['conf', 'master', 'database'], ['e'], ['f']),
  'impala-shell': simple('impala', ['i', 'd', 'o'], ['q', 'query'], ['f', 'query_file']),
  sqlplus: simple('oracle', [], [], [], { stdin: true }),
  isql: simple('odbc', [], [], [], { stdin: true }),
};

/** Options of sqlite3 and duckdb, which are long with one dash. */
export const FILE_CLIENT: Grammar = {
  singleDash: true,
  flags: [
    'readonly',
    'safe',
    'batch',
    'bail',
    'csv',
    'json',
    'header',
    'noheader',
    'column',
    'line',
    'list',
    'table',
    'box',
    'markdown',
    'html',
    'quote',
    'echo',
    'interactive',
    'no-stdin',
    'unsigned',
    'ascii',
    'tabs',
    'stats',
    'version',
    'help',
    'memtrace',
    'append',
    'deserialize',
  ],
  values: [
    'cmd',
    'init',
    'separator',
    'nullvalue',
    'newline',
    'mmap',
    'maxsize',
    'vfs',
    'lookaside',
    'pagecache',
    'A',
    'c',
    's',
    'f',
    'escape',
  ],
};
