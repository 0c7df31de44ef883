import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mayHoldCredential } from './hint.ts';
import { redact } from './redact.ts';

it.each(['ls -la src', 'stat src/app.test.ts', 'tree -L 2', 'du -sh build dist'])('%s holds none', (line) =>
  expect(mayHoldCredential(line)).toBe(false),
);

it('leaves no line of plain words alone in which a credential is found', () => {
  const piece = fc.constantFrom(
    ...'-- - --api-key --password --token -u --user bearer Basic token digest apikey negotiate PASS pwd API_KEY SECRET dsn AKIA ASIA ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- sk-ant- sk-proj- sk-live- sk- sk_live_ rk_live_ pk_live_ whsec_ xoxb- xoxe- xapp- AIza ya29. npm_ pypi- hf_ dop_v1_ SG. lin_api_ sbp_ hvs. glsa_ ATATT3 AGE-SECRET-KEY-1 eyJ https @ . /'.split(
      ' ',
    ),
    'Ab3dE5gH1jK2mN4p',
    'q8Zt5Rw2Yx7Lk3Vb9Nc4Md6',
    'hunter2hunter2',
    ' ',
    ' ',
  );
  let found = 0;
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const line = pieces.join('');
      if (redact(line) === line) return;
      found += 1;
      expect(mayHoldCredential(line)).toBe(true);
    }),
    { numRuns: 20_000 },
  );
  expect(found).toBeGreaterThan(100);
});
