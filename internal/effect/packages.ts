/** Effects of package managers: what is fetched from a registry, run at once, or published. */

import { quoteLine } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { isOption, literal, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type Family, type FamilyTable, pathTarget } from './family.ts';
import { type Parsed, parseOptions } from './options.ts';
import { ADDS, type Adds, NODE_VALUES } from './packages-managers.ts';
import { isLocalName, isUrlName, packageOf, plainName, previewOf } from './packages-names.ts';
import { PUBLISH_FAMILIES } from './packages-publish.ts';
import { RESOLVE_FAMILIES } from './packages-resolve.ts';

const shown = (word: Word): string => textOf(word) ?? word.raw;

/** The operands after a manager's subcommand; undefined when it is another one. Options may stand before it. */
function afterVerb(command: Command, adds: Adds, args: readonly Word[]): { parsed: Parsed; words: readonly Word[] } | undefined {
  const verb = adds.verbs[0]?.length === 0;
  // What follows the package of an exec belongs to the package.
  const first = parseOptions(args, { values: adds.values, stopAtOperand: true, singleDash: command.name === 'go', abbreviate: false });
  if (verb) return { parsed: first, words: first.operands };
  for (const words of adds.verbs) {
    if (!words.every((word, i) => textOf(first.operands[i]) === word)) continue;
    const rest = first.operands.slice(words.length);
    const parsed = parseOptions(rest, {
      values: adds.values,
      stopAtOperand: adds.exec,
      singleDash: command.name === 'go',
      abbreviate: false,
    });
    return { parsed: merge(first, parsed), words: parsed.operands };
  }
  return undefined;
}

/** Options before and after the subcommand count alike. */
function merge(a: Parsed, b: Parsed): Parsed {
  return {
    ...b,
    has: (name) => a.has(name) || b.has(name),
    text: (name) => b.text(name) ?? a.text(name),
    word: (name) => b.word(name) ?? a.word(name),
  };
}

function installed(command: Command, args: readonly Word[]): Effect[] {
  for (const adds of ADDS[command.name] ?? []) {
    const found = afterVerb(command, adds, args);
    if (!found) continue;
    const { parsed, words } = found;
    if (
      parsed.has('help') ||
      parsed.has('h') ||
      parsed.has('dry-run') ||
      parsed.has('version') ||
      parsed.has('no-install') ||
      parsed.has('download-only')
    )
      return [];
    if (command.name === 'cargo' && parsed.has('path')) return [];
    const from = (adds.from ?? []).map((name) => parsed.text(name)).filter((text): text is string => text !== undefined);
    const chosen = from.length > 0 ? from : (adds.exec ? words.slice(0, 1) : words).map(shown);
    const git = parsed.text('git');
    const specs = [
      ...(git !== undefined ? [git] : chosen),
      ...((parsed.text('editable') ?? parsed.text('e')) ? [parsed.text('editable') ?? parsed.text('e')!] : []),
    ];
    // `npx -c` and a bare `npx` start nothing by name; `go run .` runs what is here.
    const remote = specs.filter((spec) => spec !== '' && !isLocalName(spec));
    if (command.name === 'go' && adds.exec && !remote.some((spec) => spec.includes('@'))) return [];
    const create = adds.manager === 'npm create';
    const named = remote.filter((spec) => !isUrlName(spec, adds.manager)).map((spec) => plainName(spec, adds.manager));
    const names = adds.exec && adds.manager === 'npm' && from.length === 0 ? named.map(packageOf) : named;
    const urls = remote.filter((spec) => isUrlName(spec, adds.manager));
    if (adds.exec && names.length + urls.length === 0) return [];
    if (!adds.exec && names.length + urls.length === 0 && specs.length > 0) return [];
    const manager = create ? 'npm' : adds.manager;
    const preview = names[0] === undefined ? undefined : previewOf(manager, create ? createName(names[0]) : names[0]);
    const unread = adds.exec
      ? urls.map(
          (url): Effect => ({
            kind: 'exec.remote',
            ...baseOf(command),
            url,
            how: `\`${command.name}\` fetches and runs it`,
            ...cloneOf(url),
            command: command.source,
          }),
        )
      : [];
    return [
      ...unread,
      {
        kind: 'package.install',
        ...baseOf(command),
        manager,
        names: create ? names.map(createName) : names,
        exec: adds.exec === true,
        global: adds.global === true || parsed.has('g') || parsed.has('global'),
        frozen: parsed.has('frozen-lockfile') || parsed.has('immutable') || parsed.has('locked') || parsed.has('require-hashes'),
        command: command.source,
        ...(urls.length > 0 ? { urls } : {}),
        ...(preview ? { preview } : {}),
      },
    ];
  }
  return [];
}

/** A repository as a folder to read, instead of running it. */
function cloneOf(spec: string): { instead?: string } {
  const plain = spec
    .replace(/^git\+/, '')
    .replace(/#.*$/, '')
    .replace(/(\.git)?@[^/@]+$/, '$1');
  const url = /^github:/.test(plain)
    ? `https://github.com/${plain.slice(7)}`
    : /^[\w.-]+\/[\w.-]+$/.test(plain)
      ? `https://github.com/${plain}`
      : plain;
  if (!/^https:\/\//.test(url)) return {};
  const name = url
    .replace(/\/+$/, '')
    .split('/')
    .at(-1)!
    .replace(/\.git$/, '')
    .replace(/[^A-Za-z0-9._-]/g, '-');
  return { instead: quoteLine(['git', 'clone', '--depth', '1', url, `/tmp/${name}`]) };
}

/** `npm create vite` runs create-vite, `npm init @scope` runs @scope/create. */
function createName(name: string): string {
  if (!name.startsWith('@')) return name.startsWith('create-') ? name : `create-${name}`;
  const [scope, rest] = name.split('/');
  return rest === undefined ? `${scope}/create` : `${scope}/create-${rest}`;
}

/** npm's clean installs empty node_modules before they fill it. */
const CLEAN = new Set([
  'ci',
  'clean-install',
  'ic',
  'install-clean',
  'isntall-clean',
  'install-ci-test',
  'cit',
  'clean-install-test',
  'sit',
]);

const npm: Family = (command) => {
  const parsed = parseOptions(command.args, { values: NODE_VALUES, abbreviate: false });
  const verb = textOf(parsed.operands[0]);
  if (verb === undefined || !CLEAN.has(verb)) return installed(command, command.args);
  if (parsed.has('dry-run') || parsed.has('help') || parsed.has('global')) return [];
  const prefix = parsed.text('prefix') ?? parsed.text('C');
  const base = prefix === undefined ? command.cwd : pathTarget(prefix, command.cwd).path;
  return [
    { kind: 'package.wipe', ...baseOf(command), dir: pathTarget('node_modules', base), command: command.source },
    {
      kind: 'package.install',
      ...baseOf(command),
      manager: 'npm',
      names: [],
      exec: false,
      global: false,
      frozen: true,
      command: command.source,
    },
  ];
};

/** `yarn workspace NAME add X`, `yarn --cwd d add`. */
const yarn: Family = (command) => {
  const words = command.args;
  if (textOf(words[0]) === 'workspace') return installed(command, words.slice(2));
  return installed(command, words);
};

/** `python -m pip install X` is pip; twine and build stand in the table of publishing. */
const python: Family = (command, context) => {
  const at = command.args.findIndex((word) => textOf(word) === '-m');
  if (at < 0 || command.args.slice(0, at).some((word) => !isOption(word))) return [];
  const module = textOf(command.args[at + 1]);
  if (module === undefined) return [];
  const inner: Command = {
    ...command,
    name: module,
    args: command.args.slice(at + 2),
    argv: [literal(module), ...command.args.slice(at + 2)],
  };
  const family = Object.hasOwn(TABLE, module) ? TABLE[module] : undefined;
  const publish = Object.hasOwn(PUBLISH_FAMILIES, module) ? PUBLISH_FAMILIES[module] : undefined;
  const resolves = Object.hasOwn(RESOLVE_FAMILIES, module) ? RESOLVE_FAMILIES[module] : undefined;
  return [family, publish, resolves].flatMap((each) => each?.(inner, context) ?? []);
};

const plain: Family = (command) => installed(command, command.args);

const TABLE: FamilyTable = { ...Object.fromEntries(Object.keys(ADDS).map((name) => [name, plain])), npm, yarn };

/** Programs that install or publish packages. */
export const PACKAGE_FAMILIES: readonly FamilyTable[] = [
  TABLE,
  RESOLVE_FAMILIES,
  PUBLISH_FAMILIES,
  { python, python3: python, py: python },
];
