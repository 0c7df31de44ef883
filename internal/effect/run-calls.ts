/** Calls of task runners and build tools, read as what they run: targets, directory, what is handed on. One entry a runner. */
import type { RunnerName } from '../profile/profile.ts';
import { prefixOf, textOf, type Word } from '../shell/word.ts';
import { type Grammar, type Parsed, parseOptions } from './options.ts';
import { JS_CALLS, type ReadCall, type Said } from './run-js.ts';

const list = (words: string): readonly string[] => words.split(' ');

const textsOf = (words: readonly Word[]): string[] => words.map((word) => textOf(word) ?? '');
const isAssignment = (word: Word): boolean => /^[A-Za-z_][\w.-]*[:?+]?=/.test(prefixOf(word));

/** How a runner of the usual kind is called: options, then targets. */
interface Shape {
  grammar: Grammar;
  /** Words before the targets, one of these sequences; absent: none. */
  verbs?: readonly string[];
  dirs?: readonly string[];
  files?: readonly string[];
  projects?: readonly string[];
  /** Options whose values are the targets: `tox -e`. */
  targets?: readonly string[];
  help?: readonly string[];
  lists?: readonly string[];
  dry?: readonly string[];
  /** Only the first operand is a target. */
  one?: boolean;
}

const HELP = ['help', 'h', 'version'];
const values = (parsed: Parsed, names: readonly string[] | undefined): string[] =>
  (names ?? []).flatMap((name) => (parsed.options.get(name) ?? []).flatMap((word) => (textOf(word) ?? '').split(','))).filter(Boolean);
const any = (parsed: Parsed, names: readonly string[] | undefined): boolean => (names ?? []).some((name) => parsed.has(name));
const word = (parsed: Parsed, names: readonly string[] | undefined): Word | undefined =>
  (names ?? []).map((name) => parsed.word(name)).find(Boolean);

function looksOf(parsed: Parsed, shape: Shape): Pick<Said, 'looks'> {
  if (any(parsed, shape.help ?? HELP)) return { looks: 'help' };
  if (any(parsed, shape.lists)) return { looks: 'list' };
  return any(parsed, shape.dry) ? { looks: 'dry-run' } : {};
}

const shaped =
  (shape: Shape): ReadCall =>
  (args) => {
    const parsed = parseOptions(args, shape.grammar);
    const handed = textsOf(parsed.afterDashes);
    const own = parsed.operands.slice(0, parsed.operands.length - parsed.afterDashes.length);
    const verb = shape.verbs && textOf(own[0]);
    if (shape.verbs && (verb === undefined || !shape.verbs.includes(verb)) && !shape.verbs.includes('')) return undefined;
    const words = shape.verbs && verb !== undefined && shape.verbs.includes(verb) ? own.slice(1) : own;
    const named = textsOf(words.filter((each) => !isAssignment(each)));
    const assigned = textsOf(words.filter(isAssignment));
    const dir = word(parsed, shape.dirs);
    const file = word(parsed, shape.files);
    const chosen = shape.targets ? values(parsed, shape.targets) : shape.one ? named.slice(0, 1) : named;
    return {
      targets: chosen,
      projects: values(parsed, shape.projects),
      extra: [...assigned, ...(shape.targets ? named : shape.one ? named.slice(1) : []), ...handed],
      ...(dir ? { dir } : {}),
      ...(file ? { file } : {}),
      ...looksOf(parsed, shape),
    };
  };

const MAKE: Shape = {
  grammar: {
    flags: list(
      'n just-print dry-run recon k keep-going s silent quiet B always-make i ignore-errors e q question w print-directory no-print-directory t touch p print-data-base r R d trace v version h help L S',
    ),
    values: list('f file makefile C directory I include-dir o W E eval'),
    optional: list('j jobs l load-average O output-sync debug'),
    aliases: { file: 'f', makefile: 'f', directory: 'C' },
  },
  dirs: ['C'],
  files: ['f'],
  help: ['h', 'help', 'v', 'version'],
  lists: ['p', 'print-data-base', 'q', 'question'],
  dry: ['n', 'just-print', 'dry-run', 'recon'],
};

const JUST: Shape = {
  grammar: {
    flags: list(
      'l list summary n dry-run q quiet u unsorted v verbose h help V version evaluate dump fmt init e edit choose variables groups changelog one yes no-deps timestamp',
    ),
    values: list('f justfile d working-directory set shell shell-arg s show color dotenv-path E dotenv-filename usage chooser tempdir'),
    stopAtOperand: true,
  },
  dirs: ['d', 'working-directory'],
  files: ['f', 'justfile'],
  help: list('h help V version usage changelog'),
  lists: list('l list summary s show variables groups dump evaluate fmt init e edit'),
  dry: ['n', 'dry-run'],
  one: true,
};

const TASK: Shape = {
  grammar: {
    flags: list(
      'l list a list-all n dry s silent f force p parallel w watch v verbose y yes x exit-code g global h help version i init summary status j json no-status sort offline download clear-cache',
    ),
    values: list('d dir t taskfile o output C concurrency I interval sort'),
  },
  dirs: ['d', 'dir'],
  files: ['t', 'taskfile'],
  lists: list('l list a list-all summary status i init'),
  dry: ['n', 'dry'],
};

const CARGO_VERBS: Readonly<Record<string, string>> = { t: 'test', b: 'build', c: 'check', d: 'doc' };
const CARGO: Grammar = {
  flags: list(
    'release r workspace all all-targets all-features no-default-features lib bins tests benches examples doc no-run no-fail-fast locked offline frozen q quiet v verbose fix allow-dirty allow-staged no-deps check help h V version list keep-going future-incompat-report',
  ),
  values: list(
    'p package exclude bin test bench example F features profile j jobs target target-dir manifest-path message-format color config Z E C partition test-threads retries',
  ),
  abbreviate: false,
};

const cargo: ReadCall = (args) => {
  const words = textOf(args[0])?.startsWith('+') ? args.slice(1) : args;
  const parsed = parseOptions(words, CARGO);
  const own = textsOf(parsed.operands.slice(0, parsed.operands.length - parsed.afterDashes.length));
  const verb = CARGO_VERBS[own[0] ?? ''] ?? own[0];
  if (verb === undefined || !/^(?:test|build|check|clippy|fmt|bench|doc|nextest)$/.test(verb)) return undefined;
  const dir = parsed.word('C');
  const file = parsed.word('manifest-path');
  return {
    targets: [verb],
    projects: values(parsed, ['p', 'package']),
    extra: [...own.slice(verb === 'nextest' ? 2 : 1), ...textsOf(parsed.afterDashes)],
    ...(dir ? { dir } : {}),
    ...(file ? { file } : {}),
    ...(any(parsed, ['help', 'h', 'V', 'version']) ? { looks: 'help' } : any(parsed, ['list']) ? { looks: 'list' } : {}),
  };
};

const GO: Grammar = {
  values: list(
    'run bench timeout count coverprofile covermode coverpkg tags o ldflags gcflags p parallel cpu exec skip shuffle mod modfile C vettool list fuzz fuzztime benchtime cpuprofile memprofile trace',
  ),
  flags: list('v race short failfast json cover a n x benchmem c h help work msan asan trimpath fullpath'),
  singleDash: true,
  abbreviate: false,
};

const go: ReadCall = (args) => {
  const outer = parseOptions(args, { values: ['C'], singleDash: true, stopAtOperand: true });
  const verb = textOf(outer.operands[0]);
  if (verb === undefined || !/^(?:test|build|vet|fmt|generate|install)$/.test(verb)) return undefined;
  const parsed = parseOptions(outer.operands.slice(1), GO);
  const dir = parsed.word('C') ?? outer.word('C');
  return {
    targets: [verb],
    projects: textsOf(parsed.operands),
    extra: [],
    ...(dir ? { dir } : {}),
    ...(any(parsed, ['h', 'help'])
      ? { looks: 'help' }
      : any(parsed, ['list'])
        ? { looks: 'list' }
        : any(parsed, ['n'])
          ? { looks: 'dry-run' }
          : {}),
  };
};

const GRADLE: Shape = {
  grammar: {
    flags: list(
      'm dry-run q quiet i info d debug s stacktrace S continue no-daemon daemon parallel offline rerun-tasks build-cache no-build-cache scan v version h help a t continuous stop status profile warn w refresh-dependencies configuration-cache no-configuration-cache',
    ),
    values: list(
      'p project-dir b build-file c settings-file I init-script x exclude-task D P g gradle-user-home tests console max-workers warning-mode include-build',
    ),
  },
  dirs: ['p', 'project-dir'],
  files: ['b', 'build-file'],
  help: list('h help v version status stop'),
  dry: ['m', 'dry-run'],
};
const GRADLE_TELLS: ReadonlySet<string> = new Set(list('tasks projects properties dependencies help dependencyInsight buildEnvironment'));
const gradleCall = shaped(GRADLE);
const gradle: ReadCall = (args, cwd, look) => {
  const said = gradleCall(args, cwd, look);
  if (!said) return undefined;
  const paths = said.targets.map((target) => target.slice(target.lastIndexOf(':') + 1));
  const projects = said.targets.filter((target) => target.lastIndexOf(':') > 0).map((target) => target.slice(0, target.lastIndexOf(':')));
  return { ...said, targets: paths, projects, ...(paths.some((path) => GRADLE_TELLS.has(path)) ? { looks: 'list' as const } : {}) };
};

const MAVEN: Shape = {
  grammar: {
    flags: list(
      'q quiet B batch-mode o offline U update-snapshots X debug e errors am also-make amd also-make-dependents fae fail-at-end ff fn ntp no-transfer-progress v version h help N non-recursive V nsu',
    ),
    values: list('f file pl projects P activate-profiles D T threads s settings rf resume-from l log-file'),
    singleDash: true,
    abbreviate: false,
  },
  files: ['f', 'file'],
  projects: ['pl', 'projects'],
  help: ['v', 'version', 'h', 'help'],
};

const BAZEL_VERBS: ReadonlySet<string> = new Set(['build', 'test', 'run', 'coverage']);
const bazel: ReadCall = (args) => {
  const parsed = parseOptions(args, {
    values: list('c config platforms test_filter output_user_root bazelrc jobs'),
    flags: ['k', 'keep_going', 'help', 's'],
    abbreviate: false,
  });
  const [verb, ...labels] = textsOf(parsed.operands.slice(0, parsed.operands.length - parsed.afterDashes.length));
  if (verb === undefined || !BAZEL_VERBS.has(verb)) return undefined;
  return {
    targets: [verb],
    projects: labels,
    extra: textsOf(parsed.afterDashes),
    ...(any(parsed, ['help']) ? { looks: 'help' } : any(parsed, ['nobuild']) ? { looks: 'dry-run' } : {}),
  };
};

const MISE: Grammar = {
  flags: list('n dry-run f force q quiet S silent y yes v verbose h help r raw p prefix i interleave timings no-timings no-cache'),
  values: list('C cd j jobs o output t tool s shell E env P profile timeout'),
  stopAtOperand: true,
};
const mise: ReadCall = (args) => {
  const outer = parseOptions(args, MISE);
  const words = outer.operands;
  const first = textOf(words[0]);
  const skip =
    first === 'run' || first === 'r'
      ? 1
      : (first === 'tasks' || first === 'task' || first === 't') && ['run', 'r'].includes(textOf(words[1]) ?? '')
        ? 2
        : 0;
  if (skip === 0) return undefined;
  const inner = parseOptions(words.slice(skip), MISE);
  const targets: string[] = [];
  const extra: string[] = [];
  let next = true;
  for (const text of textsOf(inner.operands)) {
    if (text === ':::') next = true;
    else if (next) {
      targets.push(text);
      next = false;
    } else extra.push(text);
  }
  const dir = inner.word('C') ?? inner.word('cd') ?? outer.word('C') ?? outer.word('cd');
  const both = [outer, inner];
  const looks = both.some((each) => any(each, ['h', 'help']))
    ? 'help'
    : targets.length === 0
      ? 'list'
      : both.some((each) => any(each, ['n', 'dry-run']))
        ? 'dry-run'
        : undefined;
  return { targets, projects: [], extra: extra[0] === '--' ? extra.slice(1) : extra, ...(dir ? { dir } : {}), ...(looks ? { looks } : {}) };
};

const TOX: Shape = {
  grammar: {
    flags: list('r recreate q v h help version skip-missing-interpreters notest develop showconfig listenvs a l p'),
    values: list('e env c conf workdir root x override m f installpkg result-json toxworkdir'),
    aliases: { env: 'e' },
  },
  verbs: ['', 'run', 'r', 'run-parallel', 'p'],
  files: ['c', 'conf'],
  dirs: ['root'],
  targets: ['e'],
  lists: ['l', 'listenvs', 'a', 'showconfig', 'notest'],
};
const TOX_OWN: ReadonlySet<string> = new Set(list('list l config c devenv d depends de exec e schema quickstart q legacy le'));
const toxCall = shaped(TOX);
const tox: ReadCall = (args, cwd, look) => (TOX_OWN.has(textOf(args[0]) ?? '') ? undefined : toxCall(args, cwd, look));

const NOX: Shape = {
  grammar: {
    flags: list(
      'l list r R x stop-on-first-error v verbose h help version N non-interactive reuse-existing-virtualenvs install-only no-venv',
    ),
    values: list('s session sessions e k keywords f noxfile t tags p pythons envdir db default-venv-backend force-python P'),
    aliases: { session: 's', sessions: 's', e: 's' },
  },
  files: ['f', 'noxfile'],
  targets: ['s'],
  lists: ['l', 'list', 'install-only'],
};

const INNER: Grammar = {
  values: list(
    'with with-editable with-requirements python p project directory C P env-file extra group package index-url no-group only-group',
  ),
  flags: list(
    'm module s script frozen locked no-sync all-extras all-groups dev no-dev isolated active exact q quiet v h help no-project no-config offline',
  ),
  stopAtOperand: true,
};
/** `uv run TASK`, `poetry run TASK`: what stands behind it is the target. */
const runsInside: ReadCall = (args) => {
  const outer = parseOptions(args, { values: ['project', 'directory', 'C', 'P'], stopAtOperand: true });
  if (textOf(outer.operands[0]) !== 'run') return undefined;
  const inner = parseOptions(outer.operands.slice(1), INNER);
  const [first, ...rest] = textsOf(inner.operands);
  const dir = inner.word('directory') ?? inner.word('C') ?? outer.word('directory') ?? outer.word('C');
  const said = { projects: values(inner, ['package']), ...(dir ? { dir } : {}) };
  if (inner.has('h') || inner.has('help')) return { targets: [], ...said, extra: [], looks: 'help' };
  if (first === undefined) return undefined;
  const help = rest.includes('--help') || rest.includes('--version');
  return { targets: [first], ...said, extra: rest, ...(help ? { looks: 'help' as const } : {}) };
};

const PRE_COMMIT: Shape = {
  grammar: {
    flags: list('a all-files v verbose h help V version show-diff-on-failure fail-fast'),
    values: list('c config hook-stage from-ref to-ref s o files color remote-branch local-branch'),
  },
  verbs: ['run'],
  files: ['c', 'config'],
  one: true,
};

/** Runner -> how its calls are read. */
export const CALLS: Readonly<Partial<Record<RunnerName, ReadCall>>> = {
  ...JS_CALLS,
  make: shaped(MAKE),
  just: shaped(JUST),
  task: shaped(TASK),
  cargo,
  go,
  gradle,
  maven: shaped(MAVEN),
  bazel,
  mise,
  tox,
  nox: shaped(NOX),
  uv: runsInside,
  poetry: runsInside,
  'pre-commit': shaped(PRE_COMMIT),
};
