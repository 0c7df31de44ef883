/** Database clients: the SQL they are given by option, operand, file or standard input. */

import { quote } from '../rule/quote.ts';
import { secretByName } from '../secret/names.ts';
import type { Command } from '../shell/command.ts';
import { shapeOf, textOf, type Word } from '../shell/word.ts';
import { CLIENTS, type Client, FILE_CLIENT, MYSQL } from './data-clients.ts';
import { fileText, isThrowawayName, isThrowawayUrl, stdinText } from './data-input.ts';
import { sqlEffects } from './data-sql.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable, targetOf } from './family.ts';
import { commandLine, lineOf } from './infra-words.ts';
import { type Parsed, parseOptions } from './options.ts';
import type { DataEffect } from './types-outside.ts';

const fileClient =
  (engine: string): Family =>
  (command, context) => {
    const parsed = parseOptions(command.args, FILE_CLIENT);
    if (parsed.has('readonly') || parsed.has('safe')) return [];
    const [database, ...sql] = parsed.operands;
    const given = [
      ...(parsed.options.get('cmd') ?? []),
      ...(parsed.options.get('c') ?? []),
      ...(parsed.options.get('s') ?? []),
      ...sql,
    ].filter((word) => word !== undefined);
    const texts = given.map((word) => dotReads(shapeOf(word), command, context));
    for (const file of [...(parsed.options.get('f') ?? []), ...(parsed.options.get('init') ?? [])])
      texts.push(fileText(file, command, context) ?? '');
    if (sql.length === 0 && !parsed.has('c')) texts.push(dotReads(stdinText(command, context) ?? '', command, context));
    const name = textOf(database);
    const memory = database === undefined || name === ':memory:' || name === '' || (name !== undefined && /mode=memory/.test(name));
    const path = name?.startsWith('file:') ? undefined : database;
    const losses = texts.flatMap((text) =>
      sqlEffects(text, baseOf(command), engine, {
        command: commandLine(command),
        ...(memory ? { throwaway: true } : {}),
        ...(path && !memory && !command.remote ? { file: targetOf(path, command.cwd) } : {}),
        ...(database && !memory
          ? { preview: `${command.name} -readonly ${lineOf([database])} ${engine === 'sqlite' ? '.tables' : quote('SHOW TABLES')}` }
          : {}),
      }),
    );
    const kept = path && name !== undefined && secretByName(name) !== undefined && texts.some((text) => text.trim() !== '');
    return kept ? [...losses, { kind: 'file.read', ...baseOf(command), targets: [targetOf(path, command.cwd)], shown: true }] : losses;
  };

/** `.read FILE` and `\i FILE` put the file's text in the place of the line. */
function dotReads(text: string, command: Command, context: EffectContext): string {
  if (!/^\s*(\.read|\\ir?|source|\\\.)\s/m.test(text)) return text;
  return text.replace(/^\s*(?:\.read|\\ir?|source|\\\.)\s+([^\s;]+).*$/gm, (_line, file: string) => {
    const name = file.replace(/^["']|["']$/g, '');
    return `${fileText({ parts: [{ kind: 'text', text: name }], raw: name }, command, context) ?? ''};`;
  });
}

const client = (spec: Client): Family => {
  return (command, context) => {
    const args = spec.verb === undefined ? command.args : afterVerb(command.args, spec.verb);
    if (!args) return [];
    const parsed = parseOptions(args, spec.grammar);
    if (spec.safe?.some((name) => parsed.has(name))) return [];
    const values = (names: readonly string[]): Word[] =>
      names.flatMap((name) => (parsed.options.get(name) ?? []).filter((word) => word !== undefined));
    const texts = values(spec.sql).map((word) => dotReads(shapeOf(word), command, context));
    for (const file of values(spec.files ?? [])) texts.push(fileText(file, command, context) ?? '');
    if (texts.length === 0 && spec.stdin) texts.push(dotReads(stdinText(command, context) ?? '', command, context));
    const database = spec.database?.(parsed);
    const throwaway = isThrowawayUrl(database) || (database !== undefined && !database.includes('://') && isThrowawayName(database));
    return texts.flatMap((text) =>
      sqlEffects(text, baseOf(command), spec.engine, { command: commandLine(command), ...(throwaway ? { throwaway: true } : {}) }).map(
        (loss) => withPreview(loss, command, spec, parsed),
      ),
    );
  };
};

function afterVerb(args: readonly Word[], verb: string): readonly Word[] | undefined {
  const at = args.findIndex((word) => textOf(word) === verb);
  return at < 0 ? undefined : args.slice(at + 1);
}

/** The read-only question that shows what a loss would hit, over the same connection. */
function withPreview(loss: DataEffect, command: Command, spec: Client, parsed: Parsed): DataEffect {
  if (!spec.ask || !spec.connection) return loss;
  const kept: string[] = [command.name];
  for (const name of spec.connection) {
    const word = parsed.word(name);
    if (word) kept.push(`-${name}`, lineOf([word]));
  }
  const operand = parsed.operands[0];
  if (operand) {
    if (/:\/\/[^/@]*:[^/@]*@/.test(shapeOf(operand))) return loss;
    kept.push(lineOf([operand]));
  }
  const table = /^(?:table|column) ([\w.]+)$/.exec(loss.what)?.[1];
  const name = loss.how === 'drop-column' ? table?.replace(/\.[^.]+$/, '') : table;
  const tables = spec.engine === 'mysql' ? 'SHOW TABLES' : '\\dt';
  return { ...loss, preview: `${kept.join(' ')} ${spec.ask(name && name !== '' ? `SELECT count(*) FROM ${name}` : tables)}` };
}

/** PowerShell's `Invoke-Sqlcmd -Query TEXT` and `-InputFile FILE`. */
const invokeSql: Family = (command, context) => {
  const after = (name: RegExp) => command.args[command.args.findIndex((word) => name.test(shapeOf(word))) + 1];
  const has = (name: RegExp) => command.args.some((word) => name.test(shapeOf(word)));
  const texts = [
    ...(has(/^-q(uery)?$/i) ? [shapeOf(after(/^-q(uery)?$/i)!)] : []),
    ...(has(/^-inputfile$/i) ? [fileText(after(/^-inputfile$/i), command, context) ?? ''] : []),
  ];
  return texts.flatMap((text) => sqlEffects(text, baseOf(command), 'mssql', { command: commandLine(command) }));
};

/** dropdb and `mysqladmin drop`. */
const dropdb: Family = (command) => {
  const parsed = parseOptions(command.args, {
    flags: ['i', 'e', 'f', 'w', 'W', 'interactive', 'if-exists', 'force', 'echo', 'help'],
    values: ['h', 'p', 'U', 'host', 'port', 'username', 'maintenance-db'],
  });
  const name = parsed.operands[0];
  if (!name || parsed.has('help')) return [];
  const throwaway = isThrowawayName(textOf(name));
  return [
    {
      kind: 'data.destroy',
      ...baseOf(command),
      engine: 'postgres',
      how: 'drop',
      what: `database ${shapeOf(name)}`,
      preview: 'psql -l',
      ...(throwaway ? { throwaway } : {}),
      command: commandLine(command),
    },
  ];
};

const mysqladmin: Family = (command) => {
  const parsed = parseOptions(command.args, { ...MYSQL.grammar, flags: [...(MYSQL.grammar.flags ?? []), 'b'] });
  const [verb, name] = parsed.operands;
  if (textOf(verb) !== 'drop') return [];
  const throwaway = isThrowawayName(textOf(name));
  return [
    {
      kind: 'data.destroy',
      ...baseOf(command),
      engine: 'mysql',
      how: 'drop',
      what: `database ${name ? shapeOf(name) : '(unnamed)'}`,
      preview: `mysql -e ${quote('SHOW DATABASES')}`,
      ...(throwaway ? { throwaway } : {}),
      command: commandLine(command),
    },
  ];
};

/** Restores that drop what is there first. */
const restore =
  (engine: string, options: readonly string[], dry: readonly string[]): Family =>
  (command) => {
    const parsed = parseOptions(command.args, {
      flags: [...options, ...dry, 'help'],
      values: ['d', 'dbname', 'h', 'p', 'U', 'j', 'n', 't', 'f', 'F', 'L', 'db', 'uri', 'nsInclude', 'host', 'port'],
      aliases: { c: 'clean', dbname: 'd' },
    });
    const hit = options.find((name) => parsed.has(name));
    if (!hit || dry.some((name) => parsed.has(name)) || parsed.has('help')) return [];
    if (engine === 'postgres' && !parsed.has('d')) return [];
    const database = parsed.text('d') ?? parsed.text('db');
    const throwaway = isThrowawayName(database) || isThrowawayUrl(database);
    return [
      {
        kind: 'data.destroy',
        ...baseOf(command),
        engine,
        how: 'overwrite',
        what: `database ${database ?? '(default)'}`,
        ...(throwaway ? { throwaway } : {}),
        command: commandLine(command),
      },
    ];
  };

/**
 * SQL typed where a shell line is expected: it is meant for a client that some wrapper or function feeds.
 * The real `truncate` always has a size, so a call without options is none.
 */
const typed: Family = (command) => {
  if (command.args.length === 0 || command.args.some((word) => shapeOf(word).startsWith('-'))) return [];
  return sqlEffects(command.source, baseOf(command), 'sql', { command: commandLine(command) });
};

/** Families of the SQL clients, by program. */
export const DATA_CLIENTS: FamilyTable = {
  ...Object.fromEntries(Object.entries(CLIENTS).map(([name, spec]) => [name, client(spec)])),
  sqlite3: fileClient('sqlite'),
  sqlite: fileClient('sqlite'),
  duckdb: fileClient('duckdb'),
  drop: typed,
  delete: typed,
  truncate: typed,
  'invoke-sqlcmd': invokeSql,
  dropdb,
  mysqladmin,
  'mariadb-admin': mysqladmin,
  pg_restore: restore('postgres', ['clean'], ['l', 'list']),
  mongorestore: restore('mongodb', ['drop'], ['dryRun']),
  mongoimport: restore('mongodb', ['drop'], []),
};
