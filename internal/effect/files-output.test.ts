/** Results that go to a file named by an option. */
import { describe, expect, it } from 'vitest';
import { EMPTY_LOOK } from '../shell/fixture.ts';
import { readLine } from '../shell/read.ts';
import { effectsOfCommands } from './effects.ts';

const look = EMPTY_LOOK;

const written = (text: string): readonly (string | undefined)[] => {
  const line = readLine(text, { cwd: '/repo', look });
  return effectsOfCommands(line.commands, line.look, '/repo').flatMap((effect) =>
    effect.kind === 'file.write' ? effect.targets.map((target) => target.path) : [],
  );
};

describe('output files', () => {
  it.each([
    ['openssl enc -aes-256-cbc -in a -out src/app.ts', ['/repo/src/app.ts']],
    ['openssl req -x509 -newkey rsa:2048 -keyout key.pem -out cert.pem', ['/repo/cert.pem', '/repo/key.pem']],
    ['openssl x509 -in cert.pem -noout -text', []],
    ['iconv -f latin1 -t utf-8 a -o src/app.ts', ['/repo/src/app.ts']],
    ['iconv --output=b a', ['/repo/b']],
    ['iconv -f latin1 a', []],
    ['xxd -r dump src/app.ts', ['/repo/src/app.ts']],
    ['xxd -l 16 a', []],
    ['age -r key -o out.age notes.txt', ['/repo/out.age']],
    ['age -d -o - notes.age', []],
  ])('%s', (text, paths) => {
    expect([...written(text)].sort()).toEqual(paths);
  });
});
