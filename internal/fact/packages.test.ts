import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './fixture.ts';
import { bareName, unknownPackages } from './packages.ts';

let box: Sandbox;
afterEach(() => box?.remove());

const GIVEN = `
echo '{"name":"repo","dependencies":{"left-pad":"1"},"devDependencies":{"@scope/tool":"1","vitest":"4"}}' > package.json
echo '{"packages":{"node_modules/deep-dep":{"version":"1"}}}' > package-lock.json
mkdir -p node_modules/installed node_modules/.bin; echo '{}' > node_modules/installed/package.json; echo x > node_modules/.bin/mytool
printf 'requests==2.0\\nMy_Package[extra]>=1\\n' > requirements.txt
printf '[dependencies]\\nserde_json = "1"\\n' > Cargo.toml
printf 'module x\\nrequire github.com/a/b v1.0.0\\n' > go.mod
printf "gem 'rails'\\n" > Gemfile
echo '{"require":{"monolog/monolog":"*"}}' > composer.json`;

describe('packages this workspace has never used', () => {
  it.each([
    ['npm', ['left-pad', '@scope/tool', 'deep-dep', 'installed', 'vitest@latest', 'left-pad@^1'], []],
    [
      'npm',
      ['react-codeshift-helper-utils', 'left', 'pad', '@other/tool', 'tool', 'deep'],
      ['react-codeshift-helper-utils', 'left', 'pad', '@other/tool', 'tool', 'deep'],
    ],
    ['npx', ['mytool', 'vitest'], []],
    ['npx', ['speedy-code-fixer@latest'], ['speedy-code-fixer@latest']],
    ['npm', ['./local', '../other', '.', 'file:x'], []],
    ['pip', ['requests', 'my-package', 'My.Package', 'requests[socks]==2'], []],
    ['pip', ['requestz'], ['requestz']],
    ['cargo', ['serde_json', 'serde-json'], []],
    ['cargo', ['serde'], ['serde']],
    ['go', ['github.com/a/b@v1.2.0'], []],
    ['go', ['github.com/a/c'], ['github.com/a/c']],
    ['gem', ['rails'], []],
    ['composer', ['monolog/monolog'], []],
    ['brew', ['wget'], ['wget']],
  ])('%s %j', (manager, names, unknown) => {
    box = sandbox();
    box.run(GIVEN);
    expect(unknownPackages(manager, names, `${box.repo}/src`)).toEqual(unknown);
  });

  it.each([
    ['@scope/x@1.0', '@scope/x'],
    ['x@latest', 'x'],
    ['x==1.2', 'x'],
    ['x[extra]>=1', 'x'],
    ['a.b-c_d', 'a.b-c_d'],
  ])('%s is %s', (full, bare) => expect(bareName(full)).toBe(bare));
});
