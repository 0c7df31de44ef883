import { describe, expect, it } from 'vitest';
import { sqlLosses } from './data-sql.ts';

const short = (text: string, engine?: string) => sqlLosses(text, engine).map((loss) => `${loss.how} ${loss.what}`);

describe('sqlLosses', () => {
  it.each([
    ['DROP DATABASE app', ['drop database app']],
    ['drop table if exists public."Users" cascade', ['drop table public.Users']],
    ['DROP SCHEMA public CASCADE; CREATE SCHEMA public;', ['drop schema public']],
    ['TRUNCATE users, orders', ['truncate table users']],
    ['truncate table orders', ['truncate table orders']],
    ['DELETE FROM users', ['delete-all table users']],
    ['DELETE FROM `users`', ['delete-all table users']],
    ['DELETE FROM "Public"."Users"', ['delete-all table Public.Users']],
    ['DELETE FROM users WHERE 1=1', ['delete-all table users']],
    ['delete from users where true;', ['delete-all table users']],
    ['UPDATE users SET admin = true', ['update-all table users']],
    ['UPDATE users SET n = (SELECT 1 FROM t WHERE id = 1)', ['update-all table users']],
    ['ALTER TABLE users DROP COLUMN email', ['drop-column column users.email']],
    ['ALTER TABLE users ADD x int, DROP y', ['drop-column column users.y']],
    ['WITH gone AS (DELETE FROM t RETURNING *) SELECT count(*) FROM gone', ['delete-all table t']],
    ["DO $$ BEGIN EXECUTE 'DROP TABLE users'; END $$", ['drop table users']],
    ["EXEC('DROP TABLE users')", ['drop table users']],
    ['SELECT 1; DROP TABLE users', ['drop table users']],
    ['/* note */ DROP /* x */ TABLE users', ['drop table users']],
    ['BEGIN; DROP TABLE users; COMMIT', ['drop table users']],
    ['CREATE OR REPLACE TABLE t AS SELECT 1', ['overwrite table t']],
    ['EXPLAIN ANALYZE DELETE FROM users', ['delete-all table users']],
  ])('%s', (text, expected) => expect(short(text)).toEqual(expected));

  it.each([
    'SELECT * FROM users',
    "SELECT 'DROP TABLE users; DELETE FROM x'",
    '-- DROP TABLE users\nSELECT 1',
    '/* DROP TABLE users; */ SELECT 1',
    'DELETE FROM users WHERE id = 3',
    'UPDATE users SET a = 1 WHERE id = 2',
    'ALTER TABLE users ADD COLUMN x int',
    'ALTER TABLE users ALTER COLUMN x DROP NOT NULL',
    'ALTER TABLE users DROP CONSTRAINT users_pkey',
    'DROP INDEX users_email',
    'DROP VIEW recent',
    'CREATE TEMP TABLE t (x int); DROP TABLE t',
    'BEGIN; DELETE FROM users; ROLLBACK',
    'EXPLAIN DELETE FROM users',
    "INSERT INTO log VALUES ('truncate table users')",
    'CREATE FUNCTION f() RETURNS void AS $$ DELETE FROM users; $$ LANGUAGE sql',
    'SELECT TRUNCATE(1.5, 0)',
    'SELECT count(*) FROM "drop"."table"',
    '\\dt',
    'DELETE FROM users LIMIT 10',
  ])('nothing for %s', (text) => expect(short(text)).toEqual([]));

  it('knows what MySQL commits by itself, and its conditional comments', () => {
    expect(short('BEGIN; DROP TABLE t; ROLLBACK', 'mysql')).toEqual(['drop table t']);
    expect(short('/*!40000 DROP DATABASE IF EXISTS `app`*/', 'mysql')).toEqual(['drop database app']);
    expect(short('# DROP TABLE x\nSELECT "DROP TABLE y"', 'mysql')).toEqual([]);
  });

  it('is linear', () => {
    const started = performance.now();
    sqlLosses("DELETE FROM t WHERE a = 'x'; ".repeat(20_000));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
