/** Calls of the JavaScript package managers and monorepo runners, read as calls of a task runner. */
import { basename } from 'node:path/posix';
import type { RunnerName } from '../profile/profile.ts';
import type { Look } from '../shell/command.ts';
import { NPM_LIFECYCLE, NPM_RUN } from '../shell/scripts.ts';
import { textOf, type Word } from '../shell/word.ts';
import { type Grammar, parseOptions } from './options.ts';
import { PNPM_VERBS, YARN_VERBS } from './runners.ts';
import type { RunnerCall } from './types-run.ts';

const list = (words: string): readonly string[] => words.split(' ');

/** A call as its words say it; the directory as written. undefined: it runs no target. */
export type Said = Omit<RunnerCall, 'runner' | 'dir' | 'file'> & { dir?: Word; file?: Word };

/** Reads the words behind a runner's name. `cwd`: absolute, where it is known. */
export type ReadCall = (args: readonly Word[], cwd: string | undefined, look: Look) => Said | undefined;

const MANAGER: Grammar = {
  flags: list(
    's silent if-present ignore-scripts workspaces ws r recursive T top-level b bun stream parallel q quiet h help foreground-scripts no-bail aggregate-output include-workspace-root watch hot',
  ),
  values: list(
    'w workspace prefix C dir cwd filter F filter-prod loglevel script-shell e eval p print workspace-concurrency reporter resume-from registry',
  ),
  stopAtOperand: true,
};

const NPM_BEHIND: Grammar = { ...MANAGER, stopAtOperand: false };

const textsOf = (words: readonly Word[]): string[] => words.map((word) => textOf(word) ?? '');
const HELP: ReadonlySet<string> = new Set(['--help', '-h']);
const asksHelp = (words: readonly string[]): boolean => words.some((word) => HELP.has(word));

/** npm, pnpm, yarn and bun. `bare`: verbs of its own; any other word is a script of that name. */
const manager =
  (bare: ReadonlySet<string> | undefined): ReadCall =>
  (args, cwd, look) => {
    const outer = parseOptions(args, MANAGER);
    let words = outer.operands;
    let first = textOf(words[0]);
    const projects: string[] = [];
    if (bare === YARN_VERBS && first === 'workspace') {
      projects.push(textOf(words[1]) ?? '');
      words = words.slice(2);
      first = textOf(words[0]);
    }
    if (bare === YARN_VERBS && first === 'workspaces' && textOf(words[1]) === 'foreach') {
      projects.push('*');
      words = parseOptions(words.slice(2), {
        flags: [...'AptvWRi'],
        values: list('j jobs include exclude from since'),
        stopAtOperand: true,
      }).operands;
      first = textOf(words[0]);
    }
    if (first === undefined) return undefined;
    const runs = NPM_RUN.includes(first);
    const inner = runs ? parseOptions(words.slice(1), MANAGER) : undefined;
    const named = inner ? inner.operands : words;
    // npm reads its own options behind the script's name too; the others hand all of it on.
    const behind = bare === undefined && named.length > 1 ? parseOptions(named.slice(1), NPM_BEHIND) : undefined;
    const rest = behind ? [named[0]!, ...behind.operands] : named;
    const options = [outer, inner, behind].filter((each) => each !== undefined);
    const name = runs ? textOf(rest[0]) : (NPM_LIFECYCLE.get(first) ?? (bare && !bare.has(first) ? first : undefined));
    const dir = options.map((each) => each.word('prefix') ?? each.word('C') ?? each.word('dir') ?? each.word('cwd')).find(Boolean);
    for (const each of options)
      for (const option of ['w', 'workspace', 'filter', 'F', 'filter-prod'])
        for (const word of each.options.get(option) ?? []) projects.push(textOf(word) ?? '');
    const wide = options.some((each) => ['workspaces', 'ws', 'r', 'recursive'].some((option) => each.has(option)));
    const said = { projects: wide && projects.length === 0 ? ['*'] : projects, ...(dir ? { dir } : {}) };
    const helped = options.some((each) => each.has('h') || each.has('help'));
    if (runs && (rest.length === 0 || helped))
      return { targets: name === undefined ? [] : [name], ...said, extra: [], looks: helped ? 'help' : 'list' };
    if (name === undefined) return undefined;
    if (!runs && NPM_LIFECYCLE.get(first) === undefined && !hasScript(name, cwd, look)) return undefined;
    const extra = textsOf(rest.slice(1));
    if (extra[0] === '--') extra.shift();
    return { targets: [name], ...said, extra, ...(helped || asksHelp(extra) ? { looks: 'help' } : {}) };
  };

const MANIFEST_LIMIT = 256 * 1024;

/** Is a bare word a script of the nearest package.json? Without one to read it may be. */
function hasScript(name: string, cwd: string | undefined, look: Look): boolean {
  if (cwd === undefined) return true;
  for (let at = cwd, i = 0; i < 20; i++) {
    const text = look.read(at === '/' ? '/package.json' : `${at}/package.json`, MANIFEST_LIMIT);
    if (text !== undefined) return new RegExp(`"${name.replace(/[^\w:@/-]/g, '.')}"\\s*:`).test(text);
    if (at === '/') return true;
    at = at.slice(0, Math.max(1, at.lastIndexOf('/')));
  }
  return true;
}

const NX: Grammar = {
  values: list('t target targets p projects parallel c configuration base head files exclude output-style runner'),
  flags: list('all skip-nx-cache verbose nx-bail help h graph uncommitted untracked prod watch'),
  aliases: { target: 't', targets: 't', projects: 'p' },
};
const NX_OWN: ReadonlySet<string> = new Set(
  'g generate add init list migrate graph dep-graph report reset show daemon login connect release sync format:check format:write import repair view-logs watch exec record start-ci-run fix-ci mcp'.split(
    ' ',
  ),
);

const nx: ReadCall = (args) => {
  const parsed = parseOptions(args, NX);
  const [first, ...rest] = textsOf(parsed.operands);
  if (first === undefined || NX_OWN.has(first)) return undefined;
  const looks =
    parsed.has('h') || parsed.has('help') ? { looks: 'help' as const } : parsed.has('graph') ? { looks: 'dry-run' as const } : {};
  const split = (name: string) => (parsed.options.get(name) ?? []).flatMap((word) => (textOf(word) ?? '').split(',')).filter(Boolean);
  const extra = parsed.unknown;
  if (first === 'run-many' || first === 'affected')
    return {
      targets: [...split('t'), ...(parsed.has('t') ? rest : [])],
      projects: first === 'affected' ? ['affected'] : split('p'),
      extra,
      ...looks,
    };
  if (first === 'run') {
    const [project = '', target = ''] = (rest[0] ?? '').split(':');
    return { targets: target ? [target] : [], projects: [project], extra: [...rest.slice(1), ...extra], ...looks };
  }
  if (first.includes(':'))
    return { targets: [first.split(':')[1]!], projects: [first.split(':')[0]!], extra: [...rest, ...extra], ...looks };
  return { targets: [first], projects: rest.slice(0, 1), extra: [...rest.slice(1), ...extra], ...looks };
};

const TURBO: Grammar = {
  values: list(
    'F filter cwd concurrency output-logs log-order cache-dir cache env-mode ui token team api profile log-prefix global-deps verbosity',
  ),
  flags: list('affected continue force no-cache no-daemon only parallel help h version no-color color'),
  optional: ['dry-run', 'dry', 'graph', 'summarize', 'continue'],
};
const TURBO_OWN: ReadonlySet<string> = new Set(
  'bin boundaries completion config daemon devtools docs gen generate get-mfe-port info link login logout ls prune query scan telemetry unlink watch'.split(
    ' ',
  ),
);

const turbo: ReadCall = (args) => {
  const dashes = args.findIndex((word) => textOf(word) === '--');
  const parsed = parseOptions(dashes < 0 ? args : args.slice(0, dashes), TURBO);
  const words = textsOf(parsed.operands);
  const targets = words[0] === 'run' ? words.slice(1) : words;
  if (targets.length > 0 && words[0] !== 'run' && TURBO_OWN.has(targets[0]!)) return undefined;
  const help = parsed.has('help') || parsed.has('h') || parsed.has('version');
  const dir = parsed.word('cwd');
  return {
    targets,
    projects: ['F', 'filter']
      .flatMap((name) => (parsed.options.get(name) ?? []).map((word) => textOf(word) ?? ''))
      .concat(parsed.has('affected') ? ['affected'] : []),
    extra: dashes < 0 ? [] : textsOf(args.slice(dashes + 1)),
    ...(dir ? { dir } : {}),
    ...(help
      ? { looks: 'help' }
      : parsed.has('dry-run') || parsed.has('dry') || parsed.has('graph')
        ? { looks: 'dry-run' }
        : targets.length === 0
          ? { looks: 'list' }
          : {}),
  };
};

/** Verbs of bun: `bun test` is its own test runner and no script. */
const BUN_VERBS: ReadonlySet<string> = new Set(
  'run test x repl exec install i add a remove rm update audit outdated link unlink publish patch pm info why build init create c upgrade feedback'.split(
    ' ',
  ),
);
const bunCall = manager(BUN_VERBS);
/** `bun file.ts` runs a file. */
const bun: ReadCall = (args, cwd, look) => {
  const first = textOf(parseOptions(args, MANAGER).operands[0]);
  if (first === 'test' || first === 't' || (first !== undefined && basename(first).includes('.'))) return undefined;
  return bunCall(args, cwd, look);
};

export const JS_CALLS: Partial<Readonly<Record<RunnerName, ReadCall>>> = {
  npm: manager(undefined),
  pnpm: manager(PNPM_VERBS),
  yarn: manager(YARN_VERBS),
  bun,
  nx,
  turbo,
};
