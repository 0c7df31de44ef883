/**
 * What SQL would destroy, read from its tokens: text in strings and comments is data, a `;` in them ends nothing.
 * Used by the database clients and by MCP tools that take a query. Read-only statements give nothing.
 */

import { statements, type Token, tokens } from './data-sql-tokens.ts';
import type { Base } from './effect.ts';
import { plainName } from './infra-words.ts';
import type { DataEffect } from './types-outside.ts';

/** One thing a text of SQL would lose. */
export interface SqlLoss {
  /** drop, truncate, delete-all, update-all, drop-column, overwrite. */
  how: string;
  /** The kind and name of what is hit: `table users`. */
  what: string;
}

/** The largest text that is read; a longer one is a dump, which is judged by its first part. */
const LIMIT = 1_000_000;

/** The losses of a text of SQL as effects of `by`. */
export function sqlEffects(text: string, base: Base, engine: string, extra: Partial<DataEffect> & { command?: string } = {}): DataEffect[] {
  return sqlLosses(text, engine).map(({ how, what }) => ({
    command: base.source,
    ...base,
    ...extra,
    kind: 'data.destroy',
    engine,
    how,
    what: plainName(what),
  }));
}

/** What a text of SQL would destroy, each kind and name once. */
export function sqlLosses(text: string, engine = 'sql'): SqlLoss[] {
  const losses: SqlLoss[] = [];
  const made = new Set<string>();
  let open = false;
  let held: SqlLoss[] = [];
  for (const statement of statements(tokens(text.slice(0, LIMIT), engine))) {
    const first = statement[0]!.upper;
    if (first === 'BEGIN' || (first === 'START' && statement[1]?.upper === 'TRANSACTION')) {
      open = true;
      continue;
    }
    if (first === 'ROLLBACK' && open && statement[1]?.upper !== 'TO') {
      open = false;
      held = [];
      continue;
    }
    if (first === 'COMMIT' || (first === 'END' && statement.length < 3)) {
      open = false;
      losses.push(...held);
      held = [];
      continue;
    }
    const created = createdBy(statement);
    if (created) made.add(created);
    const found = lossesOf(statement, engine, 0).filter((loss) => !made.has(loss.what));
    // MySQL and Oracle commit before and after each definition statement, so a rollback brings nothing back.
    if (open && !(/mysql|maria|oracle/.test(engine) && first !== 'DELETE' && first !== 'UPDATE')) held.push(...found);
    else losses.push(...found);
  }
  const seen = new Set<string>();
  return [...losses, ...held].filter((loss) => {
    const key = `${loss.how} ${loss.what}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

const DROPPED = new Set([
  'DATABASE',
  'SCHEMA',
  'TABLE',
  'KEYSPACE',
  'TABLESPACE',
  'COLLECTION',
  'DATASET',
  'BUCKET',
  'DICTIONARY',
  'USER',
  'ROLE',
  'TABLES',
  'OWNED',
  'STREAM',
  'WAREHOUSE',
]);
const SKIPPED = new Set([
  'IF',
  'EXISTS',
  'NOT',
  'ONLY',
  'BY',
  'TABLE',
  'IGNORE',
  'LOW_PRIORITY',
  'QUICK',
  'FROM',
  'EXTERNAL',
  'FOREIGN',
  'MATERIALIZED',
]);
const NO_COLUMN = new Set([
  'CONSTRAINT',
  'INDEX',
  'KEY',
  'PRIMARY',
  'FOREIGN',
  'CHECK',
  'DEFAULT',
  'NOT',
  'EXPRESSION',
  'IDENTITY',
  'UNIQUE',
  'TRIGGER',
  'PROJECTION',
  'STATISTICS',
]);

function lossesOf(statement: readonly Token[], engine: string, depth: number): SqlLoss[] {
  if (depth > 4) return [];
  const at = startOf(statement);
  const first = statement[at];
  if (!first) return [];
  const rest = statement.slice(at);
  const inner = nested(statement, engine, depth);
  switch (first.upper) {
    case 'EXPLAIN':
    case 'DESCRIBE':
    case 'DESC':
    case 'SHOW':
      return rest[1]?.upper === 'ANALYZE' || rest.slice(1, 6).some((token) => token.upper === 'ANALYZE')
        ? lossesOf(rest.slice(rest.findIndex((token) => ['DELETE', 'UPDATE'].includes(token.upper))), engine, depth + 1)
        : [];
    case 'DROP':
      return [...dropOf(rest), ...inner];
    case 'TRUNCATE':
      return isFunctionCall(rest) ? inner : [{ how: 'truncate', what: `table ${nameAfter(rest, 1)}` }];
    case 'DELETE':
      return [...deleteOf(rest), ...inner];
    case 'UPDATE':
      return [...updateOf(rest), ...inner];
    case 'ALTER':
      return alterOf(rest);
    case 'CREATE':
      return replaceOf(rest);
    case 'INSERT':
      return rest[1]?.upper === 'OVERWRITE' ? [{ how: 'overwrite', what: `table ${nameAfter(rest, 2)}` }] : inner;
    case 'DO':
    case 'EXEC':
    case 'EXECUTE':
    case 'CALL':
      return [
        ...textsOf(rest).flatMap((text) => statements(tokens(text, engine)).flatMap((each) => lossesOf(each, engine, depth + 1))),
        ...inner,
      ];
    case 'BEGIN':
    case 'DECLARE':
    case 'IF':
    case 'LOOP':
    case 'THEN':
    case 'ELSE': {
      const next = rest.findIndex((token, index) => index > 0 && STARTS.has(token.upper));
      return next < 0 ? inner : lossesOf(rest.slice(next), engine, depth + 1);
    }
    default:
      return inner;
  }
}

const STARTS = new Set(['DROP', 'TRUNCATE', 'DELETE', 'UPDATE', 'ALTER', 'EXECUTE', 'EXEC']);

/** A common table expression stands before its statement. */
function startOf(statement: readonly Token[]): number {
  if (statement[0]?.upper !== 'WITH') return 0;
  let level = 0;
  for (let i = 1; i < statement.length; i++) {
    const token = statement[i]!;
    if (token.text === '(' && token.kind === 'sign') level++;
    else if (token.text === ')' && token.kind === 'sign') level--;
    else if (level === 0 && ['SELECT', 'DELETE', 'UPDATE', 'INSERT', 'MERGE'].includes(token.upper)) return i;
  }
  return 0;
}

/** Statements in parentheses, as in `WITH gone AS (DELETE FROM t RETURNING *)`. */
function nested(statement: readonly Token[], engine: string, depth: number): SqlLoss[] {
  const found: SqlLoss[] = [];
  for (let i = 0; i + 1 < statement.length; i++) {
    if (statement[i]!.kind !== 'sign' || statement[i]!.text !== '(' || !['DELETE', 'UPDATE'].includes(statement[i + 1]!.upper)) continue;
    let level = 1;
    let end = i + 1;
    while (end < statement.length && level > 0) {
      const text = statement[end]!.kind === 'sign' ? statement[end]!.text : '';
      if (text === '(') level++;
      else if (text === ')') level--;
      end++;
    }
    found.push(...lossesOf(statement.slice(i + 1, end - 1), engine, depth + 1));
  }
  return found;
}

function dropOf(rest: readonly Token[]): SqlLoss[] {
  const kind = rest.slice(1, 4).find((token) => DROPPED.has(token.upper));
  if (!kind || rest[1]?.upper === 'TEMPORARY' || rest[1]?.upper === 'TEMP') return [];
  const view = rest[1]?.upper === 'VIEW' || rest[1]?.upper === 'INDEX' || rest[1]?.upper === 'FUNCTION';
  if (view) return [];
  return [
    {
      how: 'drop',
      what: `${kind.upper === 'OWNED' ? 'all owned by' : kind.upper.toLowerCase()} ${nameAfter(rest, rest.indexOf(kind) + 1)}`,
    },
  ];
}

function deleteOf(rest: readonly Token[]): SqlLoss[] {
  if (!rest.slice(1, 8).some((token) => token.upper === 'FROM') && rest.length > 4 && !/^\w+$/.test(rest[1]?.text ?? '')) return [];
  if (isNarrowed(rest)) return [];
  return [{ how: 'delete-all', what: `table ${nameAfter(rest, 1)}` }];
}

function updateOf(rest: readonly Token[]): SqlLoss[] {
  if (!rest.some((token) => token.upper === 'SET') || isNarrowed(rest)) return [];
  return [{ how: 'update-all', what: `table ${nameAfter(rest, 1)}` }];
}

/** A WHERE of its own that is not always true, or a LIMIT. */
function isNarrowed(rest: readonly Token[]): boolean {
  let level = 0;
  for (let i = 0; i < rest.length; i++) {
    const token = rest[i]!;
    if (token.kind === 'sign') level += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    if (level !== 0) continue;
    if (token.upper === 'LIMIT') return true;
    if (token.upper === 'WHERE') return !isAlwaysTrue(rest.slice(i + 1).filter((each) => each.text !== '(' && each.text !== ')'));
  }
  return false;
}

function isAlwaysTrue(condition: readonly Token[]): boolean {
  const end = condition.findIndex((token) => ['RETURNING', 'ORDER', 'LIMIT'].includes(token.upper));
  const own = end < 0 ? condition : condition.slice(0, end);
  if (own.length === 0) return true;
  if (own.length === 1) return own[0]!.upper === 'TRUE' || own[0]!.text === '1';
  return own.length === 3 && own[1]!.text === '=' && own[0]!.text === own[2]!.text && own[0]!.kind === own[2]!.kind;
}

function alterOf(rest: readonly Token[]): SqlLoss[] {
  if (rest[1]?.upper !== 'TABLE') return [];
  const table = nameAfter(rest, 2);
  const losses: SqlLoss[] = [];
  for (let i = 3; i < rest.length; i++) {
    const token = rest[i]!;
    if (token.upper === 'TRUNCATE') losses.push({ how: 'truncate', what: `table ${table}` });
    if (token.upper === 'DELETE' && rest[i + 1]?.upper === 'WHERE' && isAlwaysTrue(rest.slice(i + 2)))
      losses.push({ how: 'delete-all', what: `table ${table}` });
    if (token.upper !== 'DROP') continue;
    // `ALTER COLUMN x DROP NOT NULL` drops a property, not data.
    if (
      rest.slice(Math.max(0, i - 3), i).some((each) => each.upper === 'ALTER' || each.upper === 'MODIFY') &&
      rest[i - 1]?.text !== ',' &&
      i > 5
    )
      continue;
    let next = i + 1;
    while (['COLUMN', 'IF', 'EXISTS', '('].includes(rest[next]?.upper || (rest[next]?.text ?? ''))) next++;
    const name = rest[next];
    if (!name || NO_COLUMN.has(rest[i + 1]?.upper ?? '')) continue;
    losses.push({ how: rest[i + 1]?.upper === 'PARTITION' ? 'drop-partition' : 'drop-column', what: `column ${table}.${name.text}` });
  }
  return losses;
}

/** `CREATE OR REPLACE TABLE` drops the old one. */
function replaceOf(rest: readonly Token[]): SqlLoss[] {
  if (rest[1]?.upper !== 'OR' || rest[2]?.upper !== 'REPLACE') return [];
  const at = rest.findIndex((token, index) => index > 2 && index < 6 && ['TABLE', 'DATABASE', 'SCHEMA'].includes(token.upper));
  if (at < 0 || rest.slice(3, at).some((token) => token.upper.startsWith('TEMP'))) return [];
  return [{ how: 'overwrite', what: `${rest[at]!.upper.toLowerCase()} ${nameAfter(rest, at + 1)}` }];
}

/** What a statement certainly makes anew: dropping that again loses nothing. */
function createdBy(statement: readonly Token[]): string | undefined {
  if (statement[0]?.upper !== 'CREATE' || statement.some((token) => token.upper === 'EXISTS' || token.upper === 'REPLACE'))
    return undefined;
  const at = statement.findIndex((token, index) => index > 0 && index < 5 && ['TABLE', 'DATABASE', 'SCHEMA'].includes(token.upper));
  return at < 0 ? undefined : `${statement[at]!.upper.toLowerCase()} ${nameAfter(statement, at + 1)}`;
}

/** The dotted name from a position on, noise words left out. */
function nameAfter(list: readonly Token[], from: number): string {
  let at = from;
  while (at < list.length && SKIPPED.has(list[at]!.upper)) at++;
  let name = '';
  for (; at < list.length; at++) {
    const token = list[at]!;
    const joins = name === '' || name.endsWith('.');
    if (token.kind === 'sign' ? token.text !== '.' || name === '' : !joins) break;
    name += token.text;
  }
  return name === '' ? '(unnamed)' : name;
}

/** `SELECT TRUNCATE(1.23, 1)` style calls. */
const isFunctionCall = (rest: readonly Token[]): boolean => rest[1]?.kind === 'sign' && rest[1].text === '(';

const textsOf = (list: readonly Token[]): string[] =>
  list.flatMap((token) => (token.kind === 'string' ? [token.text.replaceAll("''", "'")] : []));
