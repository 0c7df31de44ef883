/** Calls that apply or change what a workspace depends on: `npm install`, `cargo update`, `uv lock`, `pip-compile`. */
import { isInstall, isUpdate } from '../profile/roles.ts';
import { textOf } from '../shell/word.ts';
import { baseOf, type Family, type FamilyTable, pathTarget } from './family.ts';

/** Options that take the next word and say nothing about packages. */
const VALUES = new Set(
  '-C --dir --prefix --cwd --registry --cache --loglevel -w --workspace --filter -F --store-dir --reporter --directory --project --index-url --extra-index-url -i --python -p --python-version --target --group --extra --manifest-path -P --only --without --with'.split(
    ' ',
  ),
);
/** `-w` is the root of the workspace for pnpm, and takes a name for npm. */
const takes = (text: string, program: string): boolean => VALUES.has(text) && !(program === 'pnpm' && text === '-w');

const PLACES = new Set(['-C', '--dir', '--prefix', '--cwd', '--directory', '--project', '-P']);
const LOOKS = new Set(['--dry-run', '--help', '-h', '--version', '-V', '--json-report', '--no-op', '--check']);
const GLOBAL = new Set(['-g', '--global', '--location=global', '--user']);
/** Options that hold the lock file to be right. */
const FROZEN = /^--(?:frozen-lockfile|frozen|immutable|locked|require-hashes|deployment|deploy|no-lockfile-update|offline)(?:=true)?$/;

/** Whether a call only applies the lock file by what it is. */
const APPLIES: Readonly<Record<string, ReadonlySet<string>>> = {
  npm: new Set(['ci', 'clean-install']),
  poetry: new Set(['install', 'sync']),
  composer: new Set(['install']),
  pipenv: new Set(['sync']),
  pdm: new Set(['sync']),
  go: new Set(['mod']),
  mix: new Set(['deps.get']),
};

/** Verbs that also take a package which is not there yet. */
const ADDS = new Set(['add', 'install', 'i', 'get', 'require']);

const resolve: Family = (command) => {
  const texts = command.args.map((word) => textOf(word) ?? '');
  if (texts.some((text) => LOOKS.has(text) || GLOBAL.has(text)) || texts[0] === 'global') return [];
  const argv: string[] = [];
  let place: string | undefined;
  texts.forEach((text, i) => {
    const before = texts[i - 1] ?? '';
    if (takes(text, command.name) || takes(before, command.name)) {
      if (PLACES.has(before)) place = text;
      return;
    }
    argv.push(text);
  });
  const call = { program: command.name, argv };
  const updates = isUpdate(call);
  if (!updates && !isInstall(call)) return [];
  const [verb = '', ...rest] = argv.filter((text) => !text.startsWith('-'));
  return [
    {
      kind: 'package.resolve',
      ...baseOf(command),
      cwd: place === undefined ? command.cwd : pathTarget(place, command.cwd).path,
      op: updates ? 'update' : 'install',
      names: updates ? rest.filter((text) => text !== '') : [],
      adds: updates && ADDS.has(verb),
      frozen: !updates && (APPLIES[command.name]?.has(verb) === true || argv.some((text) => FROZEN.test(text))),
      command: command.source,
    },
  ];
};

const PROGRAMS = 'npm pnpm yarn bun pip pip3 uv poetry pipenv pdm bundle composer cargo go mix pip-compile ncu npm-check-updates taze';

/** Programs whose calls change dependencies; `python -m pip` is read by the family of packages. */
export const RESOLVE_FAMILIES: FamilyTable = Object.fromEntries(PROGRAMS.split(' ').map((name) => [name, resolve]));
