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
