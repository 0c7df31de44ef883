import { describe, expect, it } from 'vitest';
import { EMPTY_LOOK } from './fixture.ts';
import { readLine } from './read.ts';

const look = EMPTY_LOOK;
const shapes = (line: string) => readLine(line, { cwd: '/code', look }).shapes.filter((shape) => shape.shape === 'spawn-loop');

describe('spawnLoop', () => {
  it.each([
    'while true; do work & done',
    'while :; do work & done',
    'until false; do work & done',
    'while [ 1 ]; do work & done',
    'while [[ 1 ]]; do work & done',
    'while ((1)); do work & done',
    'for ((;;)); do work & done',
    'while true; do (work &); done',
    'while true; do (work &); wait; done',
    'while true; do work & (wait); done',
    'while true; do work & if false; then break; fi; done',
    "bash -c 'while true; do work & done'",
    'f() { while true; do work & done; }; f',
  ])('%s', (line) => expect(shapes(line)).toHaveLength(1));

  it.each([
    'while true; do work & wait; done',
    'while true; do work & break; done',
    'while true; do work & sleep 5; done',
    'while true; do work; done',
    'while [[ $running ]]; do work & done',
    'while read -r x; do work "$x" & done < list',
    'for i in 1 2 3; do work & done; wait',
    'for ((i = 0; i < 3; i++)); do work & done',
    "echo 'while true; do work & done'",
  ])('not: %s', (line) => expect(shapes(line)).toEqual([]));
});

describe('spawnBurst', () => {
  const bursts = (line: string) => readLine(line, { cwd: '/code', look }).shapes.filter((shape) => shape.shape === 'spawn-burst');

  it.each([
    ['for i in {1..200}; do work "$i" & done', 200],
    ['for i in $(seq 1 200); do work & done; wait', 200],
    ['for i in $(seq 60); do (cd a && work) & done', 60],
    ['for ((i = 0; i < 300; i++)); do work & done', 300],
    ['for i in {1..12}; do claude -p "fix $i" & done; wait', 12],
    ['for f in $(git ls-files); do npx tsc "$f" & done; wait', undefined],
    ['for f in $(cat list); do { cd a; node x.js; } & done', undefined],
  ])('%s', (line, turns) => expect(bursts(line)).toMatchObject([{ turns }]));

  it.each([
    'for i in 1 2 3; do node a.js & done; wait',
    'for i in {1..20}; do curl -s localhost & done; wait',
    'for i in {1..200}; do work & wait -n; done',
    'for i in {1..200}; do work & [ $((i % 4)) = 0 ] && wait; done',
    'for i in {1..200}; do work; done',
    'for f in src/*.ts; do node "$f" & done; wait',
    'for s in $(cat hosts); do ssh "$s" uptime & done; wait',
    "echo 'for i in {1..200}; do work & done'",
  ])('not: %s', (line) => expect(bursts(line)).toEqual([]));
});
