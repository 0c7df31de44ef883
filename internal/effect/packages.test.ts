import { describe, expect, it } from 'vitest';
import { effectsIn } from './process-fixture.ts';

const said = (line: string) =>
  effectsIn(line, 'package.').flatMap((effect) => {
    // What it resolves is told apart in generated-effects.test.ts.
    if (effect.kind === 'package.resolve') return [];
    if (effect.kind === 'package.install')
      return [effect.exec ? 'exec' : 'install', effect.manager, ...effect.names, ...(effect.urls ?? [])].join(' ');
    if (effect.kind === 'package.publish') return `${effect.op} ${effect.registry}${effect.dryRun ? ' dry' : ''}`;
    return effect.kind === 'package.wipe' ? `wipe ${effect.dir.path}` : effect.kind;
  });

describe('installing', () => {
  it.each([
    ['npm install', ['install npm']],
    ['npm i left-pad@1.3.0 @types/node@20', ['install npm left-pad @types/node']],
    ['npm install -D ./local file:../x left-pad', ['install npm left-pad']],
    ['npm install ./local', []],
    ['npm install owner/repo', ['install npm owner/repo']],
    ['npm install alias@npm:left-pad@1', ['install npm left-pad']],
    ['npm --prefix web i left-pad', ['install npm left-pad']],
    ['npm ci', ['wipe /code/repo/node_modules', 'install npm']],
    ['npm ci --prefix web', ['wipe /code/repo/web/node_modules', 'install npm']],
    ['npx -y tool@latest .', ['exec npm tool']],
    ['npx --package=tool cmd', ['exec npm tool']],
    ['npx tsc --noEmit', ['exec npm typescript']],
    ['npm exec -- tool', ['exec npm tool']],
    ['npm create vite@latest app', ['exec npm create-vite']],
    ['npm init -y', []],
    ['npm run build', []],
    ['pnpm add -w left-pad', ['install npm left-pad']],
    ['pnpm --filter web add left-pad', ['install npm left-pad']],
    ['pnpm dlx tool', ['exec npm tool']],
    ['yarn add left-pad', ['install npm left-pad']],
    ['yarn workspace web add left-pad', ['install npm left-pad']],
    ['bunx tool', ['exec npm tool']],
    ["pip install 'requests[socks]>=2' flask==1", ['install pip requests flask']],
    ['pip install -r requirements.txt', ['install pip']],
    ['pip install -e .', []],
    ['pip install git+https://x.example/a.git', ['install pip git+https://x.example/a.git']],
    ['python3 -m pip install flask', ['install pip flask']],
    ['uv add flask', ['install pip flask']],
    ['uv pip install flask', ['install pip flask']],
    ['uvx ruff check', ['exec pip ruff']],
    ['uvx --from git+https://x.example/a a', ['exec pip git+https://x.example/a']],
    ['pipx run black .', ['exec pip black']],
    ['cargo add serde@1', ['install cargo serde']],
    ['cargo install --path .', []],
    ['go get example.com/a/b@v1', ['install go example.com/a/b']],
    ['go run .', []],
    ['go run example.com/a/b@latest', ['exec go example.com/a/b']],
    ['gem install rails', ['install gem rails']],
    ['composer require vendor/name:^1', ['install composer vendor/name']],
    ['npm view left-pad', []],
    ['npm install --dry-run left-pad', []],
  ])('%s', (line, expected) => expect(said(line)).toEqual(expected));
});

describe('publishing', () => {
  it.each([
    ['npm publish', ['publish npm']],
    ['npm publish --dry-run', ['publish npm dry']],
    ['npm publish --dry-run=false', ['publish npm']],
    ['npm publish --tag next', ['publish npm']],
    ['pnpm -r publish', ['publish npm']],
    ['yarn npm publish', ['publish npm']],
    ['npm unpublish left-pad', ['unpublish npm']],
    ['npm deprecate left-pad old', ['deprecate npm']],
    ['npm dist-tag add left-pad@1 latest', ['tag npm']],
    ['npm dist-tag ls left-pad', []],
    ['npm owner ls left-pad', []],
    ['npm owner add dev left-pad', ['owner npm']],
    ['cargo publish', ['publish crates.io']],
    ['cargo publish -n', ['publish crates.io dry']],
    ['cargo yank --version 1.0.0 left-pad', ['yank crates.io']],
    ['cargo owner --list', []],
    ['python3 -m twine upload dist/*', ['publish PyPI']],
    ['twine check dist/*', []],
    ['poetry publish --build', ['publish PyPI']],
    ['uv publish', ['publish PyPI']],
    ['gem push a.gem', ['publish RubyGems']],
    ['mvn -B clean deploy', ['publish Maven']],
    ['mvn install', []],
    ['./gradlew :lib:publish', ['publish Maven']],
    ['./gradlew publishToMavenLocal', []],
    ['dotnet nuget push a.nupkg', ['publish NuGet']],
    ['npx vsce publish', ['exec npm vsce', 'publish the VS Code marketplace']],
    ['npx semantic-release --dry-run', ['exec npm semantic-release', 'release npm dry']],
    ['dart pub publish', ['publish pub.dev']],
    ['npm pack', []],
    ['echo npm publish', []],
  ])('%s', (line, expected) => expect(said(line).sort()).toEqual([...expected].sort()));
});
