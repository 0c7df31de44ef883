/** Publishing: what leaves for a registry, or is taken back from one. */
import type { Command } from '../shell/command.ts';
import { isOption, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type Family, type FamilyTable } from './family.ts';
import type { PackageEffect } from './types-outside.ts';

type Publish = Extract<PackageEffect, { kind: 'package.publish' }>;
type Op = Publish['op'];

const shown = (word: Word): string => textOf(word) ?? word.raw;

/** One way to publish: the subcommand words, the registry, and how it is tried without an effect. */
interface Way {
  verbs: readonly string[];
  registry: string;
  op?: Op;
  /** The option that makes it a rehearsal. */
  dry?: RegExp;
  /** Only when one of these is given: for tools that rehearse by default. */
  real?: RegExp;
  /** Never when one of these is given. */
  not?: RegExp;
  /** A read-only command that shows what would be published. */
  preview?: string | ((words: readonly string[]) => string | undefined);
}

const DRY = /^--dry-run(=true)?$/;
const dryOf = (verb: string) => () => `${verb} --dry-run`;
const view = (at: number) => (words: readonly string[]) =>
  words[at] === undefined ? undefined : `npm view ${words[at]!.replace(/(.)@.*$/, '$1')}`;

const NPM = (prefix: readonly string[], program: string): Way[] => [
  {
    verbs: [...prefix, 'publish'],
    registry: 'npm',
    dry: DRY,
    preview: program === 'bun' ? 'bun publish --dry-run' : program === 'pnpm' ? 'pnpm publish --dry-run' : 'npm publish --dry-run',
  },
  { verbs: [...prefix, 'unpublish'], registry: 'npm', op: 'unpublish', dry: DRY, preview: view(prefix.length + 1) },
  { verbs: [...prefix, 'deprecate'], registry: 'npm', op: 'deprecate', dry: DRY, preview: view(prefix.length + 1) },
  { verbs: [...prefix, 'undeprecate'], registry: 'npm', op: 'deprecate', dry: DRY, preview: view(prefix.length + 1) },
  ...['add', 'rm', 'set'].map(
    (op): Way => ({ verbs: [...prefix, 'dist-tag', op], registry: 'npm', op: 'tag', preview: view(prefix.length + 2) }),
  ),
  ...['add', 'rm', 'remove'].map((op): Way => ({ verbs: [...prefix, 'tag', op], registry: 'npm', op: 'tag' })),
  ...['add', 'rm', 'remove'].map((op): Way => ({ verbs: [...prefix, 'owner', op], registry: 'npm', op: 'owner' })),
  ...['grant', 'revoke', 'public', 'restricted', 'set'].map(
    (op): Way => ({ verbs: [...prefix, 'access', op], registry: 'npm', op: 'owner' }),
  ),
];

const WAYS: Readonly<Record<string, readonly Way[]>> = {
  npm: NPM([], 'npm'),
  yarn: [...NPM([], 'yarn'), ...NPM(['npm'], 'yarn')],
  pnpm: NPM([], 'pnpm'),
  bun: NPM([], 'bun'),
  deno: [{ verbs: ['publish'], registry: 'jsr', dry: DRY, preview: dryOf('deno publish') }],
  jsr: [{ verbs: ['publish'], registry: 'jsr', dry: DRY, preview: dryOf('npx jsr publish') }],
  lerna: [{ verbs: ['publish'], registry: 'npm', preview: 'npx lerna changed' }],
  changeset: [{ verbs: ['publish'], registry: 'npm', preview: 'npx changeset status' }],
  nx: [{ verbs: ['release'], registry: 'npm', dry: /^(--dry-run|-d)$/, preview: 'npx nx release --dry-run' }],
  np: [{ verbs: [], registry: 'npm', dry: /^--preview$/, not: /^(--help|--version)$/, preview: 'npx np --preview' }],
  'semantic-release': [
    {
      verbs: [],
      registry: 'npm',
      op: 'release',
      dry: /^(--dry-run|-d)$/,
      not: /^(--help|--version)$/,
      preview: 'npx semantic-release --dry-run',
    },
  ],
  'release-it': [
    {
      verbs: [],
      registry: 'npm',
      op: 'release',
      dry: /^(--dry-run|-d|--changelog|--release-version)$/,
      not: /^(--help|--version|-h|-v)$/,
      preview: 'npx release-it --dry-run',
    },
  ],
  twine: [{ verbs: ['upload'], registry: 'PyPI', preview: 'twine check dist/*' }],
  poetry: [{ verbs: ['publish'], registry: 'PyPI', dry: DRY, preview: dryOf('poetry publish') }],
  uv: [{ verbs: ['publish'], registry: 'PyPI', dry: DRY, preview: dryOf('uv publish') }],
  flit: [{ verbs: ['publish'], registry: 'PyPI' }],
  hatch: [{ verbs: ['publish'], registry: 'PyPI' }],
  pdm: [{ verbs: ['publish'], registry: 'PyPI' }],
  rye: [{ verbs: ['publish'], registry: 'PyPI' }],
  maturin: [
    { verbs: ['publish'], registry: 'PyPI' },
    { verbs: ['upload'], registry: 'PyPI' },
  ],
  cargo: [
    { verbs: ['publish'], registry: 'crates.io', dry: /^(--dry-run|-n)$/, preview: 'cargo publish --dry-run' },
    {
      verbs: ['yank'],
      registry: 'crates.io',
      op: 'yank',
      preview: (words) => (words[1] === undefined ? undefined : `cargo info ${words[1].replace(/@.*$/, '')}`),
    },
    { verbs: ['owner'], registry: 'crates.io', op: 'owner', real: /^(--add|--remove|-a|-r)(=|$)/, preview: 'cargo owner --list' },
    { verbs: ['release'], registry: 'crates.io', op: 'release', real: /^(-x|--execute)$/, preview: 'cargo release' },
    { verbs: ['workspaces', 'publish'], registry: 'crates.io', dry: DRY },
  ],
  gem: [
    { verbs: ['push'], registry: 'RubyGems', preview: 'gem list --local' },
    {
      verbs: ['yank'],
      registry: 'RubyGems',
      op: 'yank',
      preview: (words) => (words[1] === undefined ? undefined : `gem info --remote --exact ${words[1]}`),
    },
    { verbs: ['owner'], registry: 'RubyGems', op: 'owner', real: /^(-a|-r|--add|--remove)/ },
  ],
  rake: [
    { verbs: ['release'], registry: 'RubyGems', op: 'release', preview: 'rake --tasks' },
    { verbs: ['gem:push'], registry: 'RubyGems' },
  ],
  mvn: MAVEN(),
  mvnw: MAVEN(),
  gradle: GRADLE(),
  gradlew: GRADLE(),
  sbt: ['publish', 'publishSigned', 'sonatypeRelease', 'sonatypeBundleRelease', 'ci-release', '+publish', '+publishSigned'].map(
    (verb): Way => ({ verbs: [verb], registry: 'Maven' }),
  ),
  lein: [{ verbs: ['deploy'], registry: 'Clojars' }],
  dotnet: [
    { verbs: ['nuget', 'push'], registry: 'NuGet', preview: 'dotnet nuget list source' },
    { verbs: ['nuget', 'delete'], registry: 'NuGet', op: 'unpublish', preview: 'dotnet nuget list source' },
  ],
  nuget: [
    { verbs: ['push'], registry: 'NuGet' },
    { verbs: ['delete'], registry: 'NuGet', op: 'unpublish' },
  ],
  mix: [
    { verbs: ['hex.publish'], registry: 'Hex', dry: DRY, preview: 'mix hex.publish --dry-run' },
    { verbs: ['hex.retire'], registry: 'Hex', op: 'yank' },
    { verbs: ['hex.owner', 'add'], registry: 'Hex', op: 'owner' },
    { verbs: ['hex.owner', 'remove'], registry: 'Hex', op: 'owner' },
  ],
  dart: [{ verbs: ['pub', 'publish'], registry: 'pub.dev', dry: /^(--dry-run|-n)$/, preview: 'dart pub publish --dry-run' }],
  flutter: [{ verbs: ['pub', 'publish'], registry: 'pub.dev', dry: /^(--dry-run|-n)$/, preview: 'flutter pub publish --dry-run' }],
  pod: [
    { verbs: ['trunk', 'push'], registry: 'CocoaPods', preview: 'pod spec lint' },
    { verbs: ['trunk', 'delete'], registry: 'CocoaPods', op: 'unpublish' },
    { verbs: ['trunk', 'deprecate'], registry: 'CocoaPods', op: 'deprecate' },
  ],
  vsce: [
    { verbs: ['publish'], registry: 'the VS Code marketplace', preview: 'npx vsce ls' },
    { verbs: ['unpublish'], registry: 'the VS Code marketplace', op: 'unpublish' },
  ],
  ovsx: [{ verbs: ['publish'], registry: 'Open VSX', preview: 'npx vsce ls' }],
  helm: [{ verbs: ['push'], registry: 'the chart registry', preview: 'helm lint' }],
  'wasm-pack': [{ verbs: ['publish'], registry: 'npm', preview: 'wasm-pack pack' }],
  goreleaser: [
    {
      verbs: ['release'],
      registry: 'the release page',
      op: 'release',
      dry: /^(--snapshot|--skip=.*publish.*|--skip-publish)$/,
      preview: 'goreleaser release --snapshot --clean',
    },
  ],
  luarocks: [{ verbs: ['upload'], registry: 'LuaRocks', preview: 'luarocks lint' }],
  conan: [{ verbs: ['upload'], registry: 'Conan', dry: DRY }],
  cabal: [{ verbs: ['upload'], registry: 'Hackage', real: /^--publish$/ }],
  stack: [{ verbs: ['upload'], registry: 'Hackage' }],
  snapcraft: [
    { verbs: ['upload'], registry: 'the Snap store' },
    { verbs: ['push'], registry: 'the Snap store' },
    { verbs: ['release'], registry: 'the Snap store', op: 'release' },
  ],
  'web-ext': [{ verbs: ['sign'], registry: 'addons.mozilla.org', preview: 'npx web-ext lint' }],
};

function MAVEN(): Way[] {
  const not = /^-Dmaven\.deploy\.skip(=true)?$|^-DskipDeploy/;
  return [
    'deploy',
    'deploy:deploy',
    'deploy:deploy-file',
    'release:perform',
    'release:prepare',
    'nexus-staging:release',
    'central-publishing:publish',
  ].map((verb) => ({
    verbs: [verb],
    registry: 'Maven',
    op: verb.startsWith('release') ? 'release' : 'publish',
    not,
    dry: /^-DdryRun(=true)?$/,
    preview: 'mvn -B package',
  }));
}

function GRADLE(): Way[] {
  return [{ verbs: ['publish'], registry: 'Maven', dry: /^(--dry-run|-m)$/, preview: 'gradle publish --dry-run' }];
}

/** Gradle's tasks that publish: `publish…` of any project, not the ones into the local repository. */
const isGradlePublish = (task: string): boolean => {
  const name = task.slice(task.lastIndexOf(':') + 1);
  return (
    /^(publish|uploadArchives|bintrayUpload|closeAndRelease|releaseSonatype|jreleaserDeploy|jreleaserFullRelease|publishPlugins)/.test(
      name,
    ) && !/MavenLocal$|ToBuildDir|TestRepo/.test(name)
  );
};

const VALUES = new Set([
  '--workspace',
  '-w',
  '--filter',
  '-F',
  '--cwd',
  '--dir',
  '-C',
  '--prefix',
  '--registry',
  '--otp',
  '--tag',
  '--access',
  '--repository',
  '--repository-url',
  '--token',
  '--manifest-path',
  '--vers',
  '--version',
  '-p',
  '--package',
  '-P',
  '-f',
  '--file',
  '-s',
  '--settings',
  '--source',
  '-k',
  '--api-key',
  '-u',
  '-b',
]);

/** Operands, with the values of options that every one of these tools writes alike taken out. */
function operandsOf(command: Command): string[] {
  const out: string[] = [];
  for (let i = 0; i < command.args.length; i++) {
    const word = command.args[i]!;
    if (VALUES.has(shown(word))) i++;
    else if (!isOption(word) && !(i === 0 && shown(word).startsWith('+'))) out.push(shown(word));
  }
  return out;
}

const publish: Family = (command) => {
  const texts = command.args.map(shown);
  if (texts.some((text) => text === '--help' || text === '-h') || texts[0] === '--version') return [];
  const words = operandsOf(command);
  for (const way of WAYS[command.name] ?? []) {
    const gradle = command.name.startsWith('gradle');
    if (gradle ? !words.some(isGradlePublish) : !matches(command.name, words, way.verbs)) continue;
    if (way.real && !texts.some((text) => way.real!.test(text))) continue;
    if (way.not && texts.some((text) => way.not!.test(text))) continue;
    const look = typeof way.preview === 'function' ? way.preview(words) : way.preview;
    // A wrapper of the project is called as the project has it.
    const preview = look?.replace(/^(?:gradle|mvn)(?= )/, (program) =>
      command.name === `${program}w` && command.argv[0] ? shown(command.argv[0]) : program,
    );
    const dryRun = way.dry ? texts.some((text) => way.dry!.test(text)) : false;
    return [effectOf(command, way, words, dryRun, preview)];
  }
  return [];
};

/** mvn and sbt take several goals in any order; the others have one subcommand, first. */
function matches(program: string, words: readonly string[], verbs: readonly string[]): boolean {
  if (/^(mvnw?|sbt|rake)$/.test(program)) return words.some((word) => word === verbs[0] || word.endsWith(`:${verbs[0]}`));
  return verbs.every((verb, i) => words[i] === verb) && (verbs.length > 0 || words.length === 0 || program !== 'nx');
}

function effectOf(command: Command, way: Way, words: readonly string[], dryRun: boolean, preview: string | undefined): Effect {
  const what = words.slice(way.verbs.length).join(' ');
  return {
    kind: 'package.publish',
    ...baseOf(command),
    registry: way.registry,
    op: way.op ?? 'publish',
    dryRun,
    ...(preview === undefined ? {} : { preview }),
    ...(what === '' ? {} : { what }),
    command: command.source,
  };
}

/** Programs that publish. */
export const PUBLISH_FAMILIES: FamilyTable = Object.fromEntries(Object.keys(WAYS).map((name) => [name, publish]));
