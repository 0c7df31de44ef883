/** Credentials that commands print: variables of the environment, keychains, secret stores, files of commits. */

import { secretByName, secretVariableName } from '../secret/names.ts';
import type { Command } from '../shell/command.ts';
import { shapeOf, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable, pathTarget, targetOf } from './family.ts';
import { callOf, commandLine } from './infra-words.ts';
import { curlOptions } from './network-options.ts';
import { parseOptions } from './options.ts';
import { holdsSecret } from './secrets-reads.ts';
import { isShown, passage, selectedWords } from './secrets-sinks.ts';
import { SECRET_STORES } from './secrets-stores.ts';

const NAMES_ONLY = 'printenv | cut -d= -f1';

/** The credential variables whose value stands in a word. A length, a test and a value the line itself made are none. */
export function secretVariablesIn(word: Word): string[] {
  return word.parts.flatMap((part) => {
    if (part.kind !== 'hole' || part.name === undefined || part.steps?.length || !secretVariableName(part.name)) return [];
    if (/^\$\{#/.test(part.text) || /^\$\{\w+:\d+:[1-4]\}$/.test(part.text)) return [];
    // Set nowhere the guard can see: the caller's shell may have it all the same.
    return part.why === 'variable' || part.why === 'argument' || part.why === 'unset' ? [part.name] : [];
  });
}

function readsOf(command: Command, variables: readonly string[], context: EffectContext, how: string): Effect[] {
  const shown = isShown(command, context);
  return [...new Set(variables)].map((variable) => ({
    kind: 'secret.read' as const,
    ...baseOf(command),
    what: 'a credential of the environment',
    variable,
    shown,
    how,
    command: command.source,
  }));
}

/** echo, printf, and text handed to cat: they print what the shell put into their words. */
const printer: Family = (command, context) =>
  readsOf(
    command,
    command.args.flatMap((word) => secretVariablesIn(word)),
    context,
    command.name,
  );

const fed: Family = (command, context) =>
  command.stdin.from === 'text' ? readsOf(command, secretVariablesIn(command.stdin.text), context, command.name) : [];

/** printenv: some variables, or all. */
const printenv: Family = (command, context) => {
  const names = command.args.filter((word) => !shapeOf(word).startsWith('-')).map(shapeOf);
  if (names.length > 0) return readsOf(command, names.filter(secretVariableName), context, 'printenv');
  return dump(command, context, 'printenv');
};

/** env without a program prints everything. */
const env: Family = (command, context) => {
  if (command.args.some((word) => /^(-i|--ignore-environment|-)$/.test(shapeOf(word)))) return [];
  const operands = command.args.filter((word) => !shapeOf(word).startsWith('-') && !/^[A-Za-z_]\w*=/.test(shapeOf(word)));
  return operands.length === 0 &&
    !command.args.some((word) => /^(--help|--version|-[uCS]|--unset.*|--chdir.*|--split-string.*)$/.test(shapeOf(word)))
    ? dump(command, context, 'env')
    : [];
};

const bare =
  (options: readonly string[], alone: boolean): Family =>
  (command, context) => {
    const words = command.args.map(shapeOf);
    const prints = (alone && words.length === 0) || (words.length > 0 && words.every((word) => options.includes(word)));
    if (prints) return dump(command, context, command.name);
    if (words[0] === '-p') return readsOf(command, words.slice(1).filter(secretVariableName), context, command.name);
    return [];
  };

/** The credential variables that are set and whose names hold one of the words: `env | grep -i anthropic` prints just these. */
function variablesOfEnvironment(words: readonly string[], { look }: EffectContext): string[] {
  const wanted = words.map((word) => word.toUpperCase());
  return (look.envNames?.() ?? [])
    .filter((name) => wanted.some((word) => name.toUpperCase().includes(word)) && secretVariableName(name) && look.env(name))
    .slice(0, CHOSEN_LIMIT);
}

/** The first few say it for the rest. */
const CHOSEN_LIMIT = 3;

/** Everything is printed, unless a filter lets only harmless names through. */
function dump(command: Command, context: EffectContext, how: string): Effect[] {
  const words = passage(command, context)
    .map(selectedWords)
    .find((each) => each !== undefined);
  const chosen = words && variablesOfEnvironment(words, context);
  if (chosen && chosen.length > 0) return readsOf(command, chosen, context, how);
  if (words && !words.some((word) => /key|secret|token|pass|pwd|auth|cred|private|sign|dsn|url|uri|aws|api/i.test(word))) return [];
  return [
    {
      kind: 'secret.dump',
      ...baseOf(command),
      what: 'the whole environment',
      shown: isShown(command, context),
      how,
      instead: NAMES_ONLY,
      command: commandLine(command),
    },
  ];
}

/** `ps eww`, `ps auxe`: the environment of processes. With a dash the letter means something else. */
const processes: Family = (command, context) =>
  command.args.some(
    (word) => /^[a-zA-Z]*e[a-zA-Z]*$/.test(shapeOf(word)) && !/^(?:pid|ppid|comm|args|etime|time|user|state)$/.test(shapeOf(word)),
  )
    ? dump(command, context, 'ps e').map((effect) =>
        effect.kind === 'secret.dump' ? { ...effect, what: 'the environment of each process', instead: 'ps aux' } : effect,
      )
    : [];

/** `docker compose config` puts the values of .env into what it prints. */
const composed: Family = (command, context) => {
  const call = callOf(command, {
    values: ['f', 'file', 'p', 'project-name', 'env-file', 'profile', 'project-directory', 'format', 'o', 'output'],
  });
  const [first, second] = command.name === 'docker-compose' ? ['compose', ...call.texts] : call.texts;
  if (first !== 'compose' || (second !== 'config' && second !== 'convert') || command.cwd === undefined) return [];
  if (call.has('q', 'quiet', 'services', 'images', 'volumes', 'profiles', 'hash', 'no-interpolate', 'o', 'output', 'networks', 'variables'))
    return [];
  const named = call.text('env-file') ?? '.env';
  const text = context.look.read(pathTarget(named, command.cwd).path ?? '', ENV_LIMIT);
  if (text === undefined || !holdsSecret(text)) return [];
  return [
    {
      kind: 'secret.read',
      ...baseOf(command),
      what: `the settings with the values of ${named} put in`,
      shown: isShown(command, context),
      mild: true,
      how: 'docker compose config',
      instead: `${command.name === 'docker-compose' ? 'docker-compose' : 'docker compose'} config --no-interpolate`,
      command: command.source,
    },
  ];
};

const ENV_LIMIT = 100_000;

/** `perl -ne 'print if /KEY/' FILE`, `ruby -pe …`: a loop over the lines of the files, which it prints. */
const lines: Family = (command, context) => {
  const parsed = parseOptions(command.args, {
    flags: ['n', 'p', 'a', 'w', 's', 'T', 'U', 'W', 'X'],
    values: ['e', 'E', 'M', 'm', 'I', 'r'],
    optional: ['i', 'F', '0', 'l', 'x', 'C', 'd', 'D'],
  });
  if ((!parsed.has('n') && !parsed.has('p')) || parsed.has('i') || (!parsed.has('e') && !parsed.has('E'))) return [];
  const program = [...(parsed.options.get('e') ?? []), ...(parsed.options.get('E') ?? [])].map((word) => word && textOf(word)).join('\n');
  if (!parsed.has('p') && !/\b(?:print|puts|say|printf|warn|p)\b/.test(program)) return [];
  return parsed.operands.length === 0
    ? []
    : [
        {
          kind: 'file.read',
          ...baseOf(command),
          targets: parsed.operands.map((word) => targetOf(word, command.cwd)),
          shown: isShown(command, context),
        },
      ];
};

/** git prints a version of a file: `git show HEAD:.env`, `git cat-file -p HEAD:.env`. And `git credential fill`. */
const git: Family = (command, context) => {
  const call = callOf(command, { values: ['C', 'c', 'git-dir', 'work-tree'] });
  const [verb, ...rest] = call.texts;
  if (verb === 'credential' && rest[0] === 'fill')
    return [
      {
        kind: 'secret.read',
        ...baseOf(command),
        what: 'a stored git login',
        shown: isShown(command, context),
        how: 'git credential fill',
        command: command.source,
      },
    ];
  if (verb === 'show' || verb === 'cat-file') {
    if (call.has('e', 't', 's', 'stat', 'name-only', 'name-status', 'no-patch')) return [];
    return rest.flatMap((text) => {
      const path = /^[^:]*:(?:\.\/)?(.+)$/.exec(text)?.[1];
      const what = path === undefined ? undefined : secretByName(path);
      return path === undefined || what === undefined
        ? []
        : [
            {
              kind: 'secret.read' as const,
              ...baseOf(command),
              what,
              path: pathTarget(path, command.cwd),
              shown: isShown(command, context),
              how: `git ${verb}`,
              command: command.source,
            },
          ];
    });
  }
  if (verb === 'diff' || (verb === 'log' && call.has('p', 'patch', 'u')) || (verb === 'stash' && rest[0] === 'show' && call.has('p'))) {
    if (call.has('stat', 'name-only', 'name-status', 'numstat', 'shortstat', 'quiet')) return [];
    const targets = call.words
      .slice(1)
      .filter((word) => secretByName(shapeOf(word)) !== undefined)
      .map((word) => pathTarget(shapeOf(word), command.cwd, word.raw));
    return targets.length > 0 ? [{ kind: 'file.read', ...baseOf(command), targets, shown: isShown(command, context) }] : [];
  }
  if (verb === 'blame' || verb === 'annotate') {
    const paths = call.words.slice(1).filter((word) => secretByName(shapeOf(word)) !== undefined);
    const targets = paths.map((word) => pathTarget(shapeOf(word), command.cwd, word.raw));
    return targets.length > 0 ? [{ kind: 'file.read', ...baseOf(command), targets, shown: isShown(command, context) }] : [];
  }
  return [];
};

/** `curl file:///path` prints or copies a file of this machine. */
const localUrl: Family = (command, context) => {
  const parsed = curlOptions(command.args);
  return parsed.operands.flatMap((word): Effect[] => {
    const path = /^file:\/\/(?:localhost)?(\/.*)$/.exec(shapeOf(word))?.[1];
    if (path === undefined) return [];
    const source = pathTarget(path, command.cwd, word.raw);
    const to = parsed.word('output');
    if (!to) return [{ kind: 'file.read', ...baseOf(command), targets: [source], shown: isShown(command, context) }];
    return [
      {
        kind: 'file.copy',
        ...baseOf(command),
        sources: [source],
        dest: targetOf(to, command.cwd),
        into: false,
        noClobber: false,
        backup: false,
        recursive: false,
        command: command.source,
      },
    ];
  });
};

/** `vim -es -c '%p' FILE`: an editor that prints instead of showing a screen. */
const editor: Family = (command) => {
  const texts = command.args.map(shapeOf);
  if (command.name !== 'ex' && !texts.some((text) => /^-[A-Za-z]*[eE]s?$/.test(text))) return [];
  if (
    !texts.some(
      (text, i) =>
        /(^\+|^)(%|\d+(,\d+|,\$)?|g\/.*\/)?p(rint)?$|\/dev\/(stdout|tty)|w !/.test(text) &&
        (text.startsWith('+') || /^(-c|--cmd)$/.test(texts[i - 1] ?? '')),
    )
  )
    return [];
  const files = command.args.filter((word, i) => !/^[-+]/.test(shapeOf(word)) && !/^(-c|-u|-U|-S|-T|-i|--cmd)$/.test(texts[i - 1] ?? ''));
  return files.length === 0
    ? []
    : [{ kind: 'file.read', ...baseOf(command), targets: files.map((word) => targetOf(word, command.cwd)), shown: true }];
};

/** openssl prints a private key in clear unless it is asked for something else of it. */
const openssl: Family = (command, context) => {
  const words = command.args.map(shapeOf);
  if (
    !/^(rsa|pkey|ec|dsa|pkcs8|pkcs12)$/.test(words[0] ?? '') ||
    words.some((word) => /^-(noout|pubout|out|check|modulus|nokeys)$/.test(word))
  )
    return [];
  const at = words.indexOf('-in');
  const file = at < 0 ? undefined : command.args[at + 1];
  return file ? [{ kind: 'file.read', ...baseOf(command), targets: [targetOf(file, command.cwd)], shown: isShown(command, context) }] : [];
};

/** Commands whose purpose is to print a credential. */
const store: Family = (command, context) => {
  const found = SECRET_STORES[command.name];
  if (!found) return [];
  const call = callOf(command, found.habits ?? {});
  const hit = found.prints(call);
  if (!hit || call.has('help')) return [];
  const how = [command.name, ...call.texts.slice(0, 2)].join(' ');
  return [
    {
      kind: 'secret.read',
      ...baseOf(command),
      what: hit.what,
      shown: isShown(command, context),
      ...(hit.strong ? {} : { mild: true }),
      how,
      ...(hit.instead ? { instead: hit.instead } : {}),
      command: textOf(command.argv[0]) === undefined ? command.source : commandLine(command),
    },
  ];
};

/** Programs whose own language reads the environment: `ENVIRON["K"]` in awk, `env.K` and `$ENV.K` in jq. A length or a test shows none. */
const ofProgram =
  (pattern: RegExp): Family =>
  (command, context) => {
    const names = command.args.flatMap((word) =>
      [...(textOf(word) ?? '').matchAll(pattern)].flatMap((match) => match.slice(1).filter((name) => name !== undefined)),
    );
    return readsOf(command, names.filter(secretVariableName), context, command.name);
  };
const inAwk = ofProgram(/(?<!length\()(?<!\bin )ENVIRON\["(\w+)"\](?!\s*[!=]=)/g);
const inJq = ofProgram(/(?:\benv|\$ENV)(?:\.(\w+)\b|\["(\w+)"\])(?!\s*(?:\|\s*(?:length|type|not)\b|[!=]=))/g);
const inYq = ofProgram(/\b(?:str)?env\((\w+)\)/g);

/** Families that print credentials, by program. */
export const SECRETS: FamilyTable = {
  ...Object.fromEntries(Object.keys(SECRET_STORES).map((name) => [name, store])),
  echo: printer,
  printf: printer,
  print: printer,
  cat: fed,
  tee: fed,
  base64: fed,
  printenv,
  env,
  set: bare([], true),
  export: bare(['-p'], true),
  declare: bare(['-p', '-x', '-px', '-xp'], true),
  typeset: bare(['-p', '-x', '-px', '-xp'], true),
  git,
  openssl,
  ps: processes,
  awk: inAwk,
  gawk: inAwk,
  mawk: inAwk,
  jq: inJq,
  gojq: inJq,
  yq: inYq,
  perl: lines,
  ruby: lines,
  'docker-compose': composed,
  docker: (command, context) => [...store(command, context), ...composed(command, context)],
  vim: editor,
  nvim: editor,
  vi: editor,
  ex: editor,
  curl: localUrl,
};
