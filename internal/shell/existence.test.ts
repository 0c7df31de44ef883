import { describe, expect, it } from 'vitest';
import { EMPTY_LOOK } from './fixture.ts';
import { readLine } from './read.ts';

/** What is known not to be there when the first `cp` of a line runs. */
const absent = (line: string): readonly string[] => {
  const { commands } = readLine(line, { cwd: '/code', look: EMPTY_LOOK });
  return commands.find((command) => command.name === 'cp')?.absent ?? [];
};

describe('a test of existence holds for what runs because of it', () => {
  it.each([
    ['[ -f .env ] || cp a .env', ['/code/.env']],
    ['test -e .env || cp a .env', ['/code/.env']],
    ['test ! -e .env && cp a .env', ['/code/.env']],
    ['! [ -s .env ] && cp a .env', ['/code/.env']],
    ['[[ -f .env ]] || cp a .env', ['/code/.env']],
    ['[[ ! -f .env && ! -f b ]] && cp a .env', ['/code/.env', '/code/b']],
    ['[ -f .env ] && echo there || cp a .env', ['/code/.env']],
    ['if [ ! -f .env ]; then cp a .env; fi', ['/code/.env']],
    ['if [ -f .env ]; then echo there; else cp a .env; fi', ['/code/.env']],
    ['if [ -f .env ]; then :; elif [ -f b ]; then cp a .env; fi', ['/code/.env']],
    ['f=.env; [ -e "$f" ] || cp a "$f"', ['/code/.env']],
    ['[ -f .env ] || { echo making; cp a .env; }', ['/code/.env']],
    ["bash -c '[ -f .env ] || cp a .env'", ['/code/.env']],
    ['for f in x; do [ -f "$f" ] || cp a "$f"; done', ['/code/x']],
    ['cd sub && [ -f .env ] || cp a .env', []],
    ['[ -f .env ] && cp a .env', []],
    ['[ ! -f .env ] || cp a .env', []],
    ['[ -f .env ]; cp a .env', []],
    ['[ -f .env ] || true; cp a .env', []],
    ['[ -f .env ] && ls x || cp a .env', []],
    ['[[ ! -f .env || ! -f b ]] && cp a .env', []],
    ['[ -d .env ] || cp a .env', []],
    ['[ "$A" = b ] || cp a .env', []],
    ['[ -f "$(pick)" ] || cp a .env', []],
    ['if [ ! -f .env ]; then echo no; fi; cp a .env', []],
    ['A=1 test -f .env || cp a .env', []],
    ['test() { false; }; test -f .env || cp a .env', []],
    ['echo() { false; }; [ ! -f b ] || echo x || cp a .env', []],
    ['function [ { return 1; }; if [ -f .env ]; then :; else cp a .env; fi', []],
    ['enable -n [; [ -f .env ] || cp a .env', []],
    ['shopt -s expand_aliases; alias [=false; [ -f .env ] || cp a .env', []],
    ["env 'BASH_FUNC_[%%=() { false; }' bash -c '[ -f .env ] || cp a .env'", []],
    ['ssh host "[ -f .env ] || cp a .env"', []],
  ])('%s', (line, paths) => expect(absent(line)).toEqual(paths));
});
