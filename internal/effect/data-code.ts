/**
 * Database losses in program text given on the line: `node -e`, `python -c`, `rails runner`, `tinker --execute`. Only calls
 * that name what they do are known: an ORM's delete of everything, SQL handed to a query function.
 */
import type { Command } from '../shell/command.ts';
import { shapeOf } from '../shell/word.ts';
import { stdinText } from './data-input.ts';
import { type SqlLoss, sqlLosses } from './data-sql.ts';
import { dataLoss, mongoLosses, withoutStrings } from './data-stores.ts';
import type { EffectContext, Family, FamilyTable } from './family.ts';

const LIMIT = 200_000;

/** Functions that take SQL as their first argument, by their last name. */
const QUERIES =
  /(?:^|[.>$\s(])(?:execute|executemany|executescript|execute_sql|query|exec|raw|run|unsafe|statement|unprepared|executeRawUnsafe|queryRawUnsafe|executeRaw|queryRaw|exec_query|exec_sql)\s*\(?\s*(?:b|f|r|u|text\s*\(\s*)?(["'`])/g;

/** Calls of ORMs and query builders that take everything, without a condition. Strings are blanked. */
const ORM_CALLS: readonly { pattern: RegExp; how: string; what: string }[] = [
  { pattern: /\.drop_all\s*\(/g, how: 'drop', what: 'every table of the models' },
  { pattern: /\.sync\s*\(\s*\{[^}]*\bforce\s*:\s*true\b/g, how: 'drop', what: 'every table of the models' },
  { pattern: /\.synchronize\s*\(\s*true\s*\)/g, how: 'drop', what: 'every table of the entities' },
  { pattern: /\.query\(\s*([A-Z]\w*)\s*\)\.delete\(/g, how: 'delete-all', what: 'records of' },
  { pattern: /\bDB::table\([^)]*\)->(?:delete|truncate)\(\s*\)/g, how: 'delete-all', what: 'a table' },
  { pattern: /\b([A-Z]\w*)::all\(\)->each->(?:delete|forceDelete)\b/g, how: 'delete-all', what: 'records of' },
  { pattern: /\b([A-Z]\w*)\.(?:all\.each|find_each)\(\s*&:(?:destroy|delete)!?\s*\)/g, how: 'delete-all', what: 'records of' },
  {
    pattern: /\b([A-Z]\w*)\.destroy\s*\(\s*\{[^}]*(?:\btruncate\s*:\s*true\b|\bwhere\s*:\s*\{\s*\})/g,
    how: 'delete-all',
    what: 'records of',
  },
  { pattern: /\b(?:db|tx|database)\.delete\(\s*(\w+)\s*\)(?!\s*\.\s*where\b)/g, how: 'delete-all', what: 'records of' },
  { pattern: /\bknex\(\s*(?:''|""|``)\s*\)\.(?:del|delete|truncate)\(\s*\)/g, how: 'delete-all', what: 'a table' },
];
/** Calls of AWS's Python library that take away; on an emulator's address they do not count. */
const BOTO =
  /\.(?:(delete_(?:table|bucket|objects|db_\w+|stack|function|queue|secret|cluster|hosted_zone|volume|snapshot|repository|file_system|user_pool)|terminate_instances|purge_queue|schedule_key_deletion)\s*\(|objects(?:\.(?:all|filter)\([^)]*\))?\.delete\s*\()/g;

/** What a program would destroy in databases. `sql`: also what it hands to query functions. Throwaway databases in memory give nothing. */
export function codeLosses(program: string, sql = true): SqlLoss[] {
  const text = program.slice(0, LIMIT);
  if (/:memory:|sqlite::memory|sqlite:\/\/(?!\/)|memory_server|MongoMemoryServer/.test(text)) return [];
  const code = withoutStrings(text);
  const losses: SqlLoss[] = [];
  for (const match of code.matchAll(/([A-Za-z_]\w*)\.objects(?:\.(?:all|filter|exclude)\(\s*\))?\.(?:delete|_raw_delete)\(/g))
    losses.push({ how: 'delete-all', what: `records of ${match[1]}` });
  for (const match of code.matchAll(/\b([A-Z]\w*(?:::\w+)*)(?:\.all)?\.(delete_all|destroy_all)\b/g))
    losses.push({ how: 'delete-all', what: `records of ${match[1]}` });
  for (const match of code.matchAll(/\b([A-Z]\w*)::(truncate|query\(\)->delete|forceDelete)\b/g))
    losses.push({ how: 'truncate', what: `table of ${match[1]}` });
  for (const { pattern, how, what } of ORM_CALLS)
    for (const match of code.matchAll(pattern)) losses.push({ how, what: match[1] ? `${what} ${match[1]}` : what });
  if (/\bboto3\b/.test(code) && !/endpoint_url/.test(code))
    for (const match of code.matchAll(BOTO))
      losses.push({ how: 'drop', what: match[1] ? `what ${match[1]} names` : 'the objects of a bucket' });
  for (const match of code.matchAll(
    /\bdropAllTables\b|\bdrop_table\b|\bdrop_database\b|\btruncate_tables\b|\bSchema::drop(?:IfExists)?\b|\.(?:deleteIndex|clearObjects|flushall|flushAll|flushdb|flushDb)\s*\(/g,
  ))
    losses.push({ how: 'drop', what: `what ${match[0].replace(/[.(\s]/g, '')} names` });
  losses.push(
    ...mongoLosses(text).filter(
      (loss) =>
        !/^collection (fs|os|path|shutil|list|set|map|df|pd)$/.test(loss.what) &&
        !(loss.how === 'drop' && loss.what.startsWith('collection') && !/\bdb\b|[Cc]ollection|[Mm]ongo/.test(code)) &&
        // `element.remove()` of a page, an array or a widget is no collection.
        !(loss.how === 'delete-all' && !/\bdb\b|[Cc]ollection|[Mm]ongo|\.\s*deleteMany\s*\(|\.\s*remove\s*\(\s*\{/.test(code)),
    ),
  );
  if (!sql) return losses;
  QUERIES.lastIndex = 0;
  for (let match = QUERIES.exec(text); match; match = QUERIES.exec(text)) {
    const quote = match[1]!;
    const start = QUERIES.lastIndex;
    const triple = text.startsWith(quote.repeat(2), start) ? quote.repeat(3) : quote;
    const from = triple.length === 3 ? start + 2 : start;
    let end = from;
    while (end < text.length && !text.startsWith(triple, end)) end += text[end] === '\\' ? 2 : 1;
    losses.push(...sqlLosses(text.slice(from, end)));
    QUERIES.lastIndex = Math.max(end, start);
  }
  return losses;
}

/** Options whose value is the program. */
const PROGRAM_OPTIONS = new Set(['-e', '--eval', '-p', '--print', '-pe', '-c', '-r', '--command', '--execute']);

/** The program texts of a command: option values, `--execute=…`, or what it reads. */
function programs(command: Command, context: EffectContext, verbs: readonly string[]): string[] {
  const words = command.args.map(shapeOf);
  if (verbs.length > 0 && !verbs.includes(words[0] ?? '')) return [];
  const found: string[] = [];
  words.forEach((word, at) => {
    if (PROGRAM_OPTIONS.has(word)) found.push(words[at + 1] ?? '');
    const attached = /^--(?:execute|eval|command)=(.*)$/s.exec(word);
    if (attached) found.push(attached[1]!);
  });
  if (verbs.length > 0 && found.length === 0) found.push(...words.slice(1).filter((word) => !word.startsWith('-')));
  if (found.length === 0 && (verbs.length > 0 || words.every((word) => word.startsWith('-'))))
    found.push(stdinText(command, context) ?? '');
  return found;
}

const code =
  (engine: string, verbs: readonly string[] = []): Family =>
  (command, context) =>
    programs(command, context, verbs)
      .flatMap((text) => codeLosses(text))
      .map(({ how, what }) => dataLoss(command, engine, how, what));

/** The interpreters' own reader knows what is handed to query functions; here are the ORMs. */
const interpreter =
  (engine: string): Family =>
  (command, context) => {
    const first = command.args.findIndex((word) => !shapeOf(word).startsWith('-') || PROGRAM_OPTIONS.has(shapeOf(word)));
    if (first >= 0 && !PROGRAM_OPTIONS.has(shapeOf(command.args[first]!))) return [];
    return programs(command, context, [])
      .flatMap((text) => codeLosses(text, false))
      .map(({ how, what }) => dataLoss(command, engine, how, what));
  };

/** Families of the interpreters and framework consoles, by program. */
export const DATA_CODE: FamilyTable = {
  node: interpreter('node'),
  tsx: interpreter('node'),
  'ts-node': interpreter('node'),
  bun: interpreter('node'),
  deno: interpreter('node'),
  python: interpreter('python'),
  python3: interpreter('python'),
  ruby: interpreter('ruby'),
  php: interpreter('php'),
  'manage.py': code('django', ['shell', 'shell_plus']),
  artisan: code('artisan', ['tinker']),
  rails: code('rails', ['runner', 'r', 'console', 'c']),
  'gitlab-rails': code('gitlab', ['runner', 'r', 'console', 'c']),
  flask: code('flask', ['shell']),
};
