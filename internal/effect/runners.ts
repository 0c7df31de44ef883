/**
 * Runners: programs that only start another one (`npx`, `bundle exec`, `poetry run`, `dotenv --`, `php artisan`).
 * The families of the inner program are asked as well, so that `npx prisma migrate reset` is a `prisma` call.
 */
import type { Command } from '../shell/command.ts';
import { isOption, literal, prefixOf, textOf, type Word } from '../shell/word.ts';

/** How a runner names what it runs. */
interface Runner {
  /** The subcommand words that must stand first, one of these; '' when none is needed. */
  verbs: readonly string[];
  /** Options of the runner that take the next word. */
  values?: readonly string[];
  /** Operands of the runner's own before the program (`conda run` has none, `direnv exec DIR` has one). */
  skip?: number;
  /** Assignments `A=1` before the program. */
  assigns?: boolean;
  /** The program stands after `--` only. */
  dashes?: boolean;
  /** The first operand runs only when it is none of the runner's own verbs. */
  notVerbs?: ReadonlySet<string>;
  /** Runs on another machine. */
  remote?: boolean;
  /** What it runs, when the words after it are only that program's arguments. */
  program?: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const PNPM_VERBS = words(
  'add install i update up upgrade remove rm uninstall un link unlink import rebuild prune fetch patch audit list ls outdated why run test t start create init publish pack store config env setup root bin licenses deploy recursive cache server self-update help approve-builds',
);
export const YARN_VERBS = words(
  'add install init remove up upgrade upgrade-interactive link unlink info why list audit cache config pack publish version versions workspaces node npm plugin set patch rebuild import global outdated owner tag team login logout licenses policies autoclean check create generate-lock-entry help self-update unplug dedupe constraints search stage',
);

const PACKAGE_VALUES = [
  'p',
  'package',
  'prefix',
  'registry',
  'userconfig',
  'cache',
  'w',
  'workspace',
  'C',
  'dir',
  'filter',
  'F',
  'cwd',
  'script-shell',
  'node-options',
];

const RUNNERS: Readonly<Record<string, readonly Runner[]>> = {
  npx: [{ verbs: [''], values: PACKAGE_VALUES }],
  pnpx: [{ verbs: [''], values: PACKAGE_VALUES }],
  bunx: [{ verbs: [''], values: PACKAGE_VALUES }],
  npm: [{ verbs: ['exec', 'x'], values: PACKAGE_VALUES }],
  pnpm: [
    { verbs: ['exec', 'dlx'], values: PACKAGE_VALUES },
    { verbs: [''], values: PACKAGE_VALUES, notVerbs: PNPM_VERBS },
  ],
  yarn: [
    { verbs: ['exec', 'dlx', 'run'], values: PACKAGE_VALUES },
    { verbs: [''], values: PACKAGE_VALUES, notVerbs: new Set([...YARN_VERBS, 'workspace']) },
    { verbs: ['workspace'], skip: 1, notVerbs: YARN_VERBS },
  ],
  bun: [{ verbs: ['x', 'run'], values: PACKAGE_VALUES }],
  deno: [{ verbs: ['x'] }],
  bundle: [{ verbs: ['exec'] }],
  spring: [{ verbs: [''], notVerbs: words('stop status server binstub help version') }],
  poetry: [{ verbs: ['run'], values: ['C', 'directory', 'P', 'project'] }],
  pipenv: [{ verbs: ['run'] }],
  pdm: [{ verbs: ['run'], values: ['p', 'project'] }],
  hatch: [{ verbs: ['run'], values: ['e', 'env'] }],
  rye: [{ verbs: ['run'] }],
  pixi: [{ verbs: ['run'], values: ['e', 'environment', 'manifest-path'] }],
  uv: [
    {
      verbs: ['run'],
      values: [
        'with',
        'with-editable',
        'with-requirements',
        'python',
        'p',
        'project',
        'directory',
        'env-file',
        'extra',
        'group',
        'package',
        'index-url',
        'm',
        'module',
      ],
    },
  ],
  uvx: [{ verbs: [''], values: ['from', 'with', 'python', 'p'] }],
  pipx: [{ verbs: ['run'], values: ['spec', 'python'] }],
  conda: [{ verbs: ['run'], values: ['n', 'name', 'p', 'prefix', 'cwd'] }],
  mamba: [{ verbs: ['run'], values: ['n', 'name', 'p', 'prefix', 'cwd'] }],
  dotenv: [{ verbs: [''], values: ['e', 'f', 'c', 'file', 'p', 'v'], notVerbs: words('list get set unset') }, { verbs: ['run'] }],
  'dotenv-cli': [{ verbs: [''], values: ['e', 'c', 'p', 'v'] }],
  dotenvx: [{ verbs: ['run'], values: ['f', 'env-file', 'env', 'e', 'convention'] }],
  'env-cmd': [{ verbs: [''], values: ['f', 'file', 'e', 'environments', 'r', 'rc-file'] }],
  'cross-env': [{ verbs: [''], assigns: true }],
  'cross-env-shell': [{ verbs: [''], assigns: true }],
  doppler: [{ verbs: ['run'], values: ['p', 'project', 'c', 'config', 't', 'token', 'scope'], dashes: true }],
  infisical: [{ verbs: ['run'], dashes: true }],
  op: [{ verbs: ['run'], dashes: true }],
  chamber: [{ verbs: ['exec'], dashes: true }],
  'aws-vault': [{ verbs: ['exec'], values: ['d', 'duration', 'region', 'backend', 'mfa-token', 't'], skip: 1 }],
  'aws-okta': [{ verbs: ['exec'], skip: 1 }],
  saml2aws: [{ verbs: ['exec'], dashes: true }],
  granted: [{ verbs: ['exec'], dashes: true }],
  direnv: [{ verbs: ['exec'], skip: 1 }],
  mise: [{ verbs: ['exec', 'x'], dashes: true }],
  asdf: [{ verbs: ['exec'] }],
  rbenv: [{ verbs: ['exec'] }],
  pyenv: [{ verbs: ['exec'] }],
  nodenv: [{ verbs: ['exec'] }],
  corepack: [{ verbs: [''], notVerbs: words('enable disable prepare use up install pack cache hydrate') }],
  foreman: [{ verbs: ['run'], values: ['e', 'env', 'd', 'f'] }],
  sail: [{ verbs: [''], notVerbs: words('up down stop start restart ps build logs shell') }],
  symfony: [{ verbs: [''], notVerbs: words('server:start serve new check') }],
  ddev: [{ verbs: [''], notVerbs: words('start stop delete poweroff restart describe list config') }],
  lando: [{ verbs: [''], notVerbs: words('start stop destroy rebuild restart info list') }],
  heroku: [{ verbs: ['run'], values: ['a', 'app', 'r', 'remote', 's', 'size', 'e', 'env'], remote: true }],
  railway: [{ verbs: ['run'], values: ['s', 'service', 'e', 'environment'] }],

  microk8s: [{ verbs: [''], notVerbs: words('start stop status enable disable reset inspect') }],
  minikube: [{ verbs: ['kubectl'], dashes: true, program: 'kubectl' }],
  k3s: [{ verbs: [''], notVerbs: words('server agent etcd-snapshot') }],
};

const RUNS_SCRIPTS: Readonly<Record<string, { program: (word: string) => string | undefined; module?: boolean }>> = {
  php: {
    program: (file) =>
      /^(artisan|console|spark|drush|wp|bin\/cake|cake|magento|yii)(\.php|\.phar)?$/.test(base(file))
        ? base(file).replace(/\.ph(p|ar)$/, '')
        : undefined,
  },
  python: { program: managePy, module: true },
  python3: { program: managePy, module: true },
  py: { program: managePy, module: true },
  ruby: { program: (file) => (/^(rails|rake|bundle)$/.test(base(file)) ? base(file) : undefined) },
  node: {
    program: (file) =>
      base(file) === 'ace' || base(file) === 'ace.js' ? 'ace' : /node_modules\/\.bin\//.test(file) ? base(file) : undefined,
  },
};

function managePy(file: string): string | undefined {
  return base(file) === 'manage.py' ? 'manage.py' : undefined;
}

/** Modules that are programs of another name. */
const MODULES: Readonly<Record<string, string>> = {
  django: 'manage.py',
  alembic: 'alembic',
  flask: 'flask',
  awscli: 'aws',
  sqlite3: 'sqlite3',
};

/** The command a runner starts, or undefined when this is no runner. `npx` itself is still judged as it stands. */
export function runnerInner(command: Command): Command | undefined {
  for (const runner of Object.hasOwn(RUNNERS, command.name) ? RUNNERS[command.name]! : []) {
    const at = programAt(command.args, runner);
    if (at !== undefined && runner.program) return inner(command, runner.program, [literal(runner.program), ...command.args.slice(at)]);
    if (at !== undefined) return innerAt(command, at, runner.remote === true);
  }
  return scriptInner(command);
}

/**
 * The chain of commands from the outermost runner's inner one to the last, at most four. `read`: the commands of the line,
 * among which the reader may have put an inner one already.
 */
export function innerCommands(command: Command, read: readonly Command[] = []): Command[] {
  const chain: Command[] = [];
  let inner = runnerInner(command);
  while (inner && chain.length < 4) {
    const { name } = inner;
    if (read.some((each) => each.step > command.step && each.name === name && each.via.includes(command.name))) break;
    chain.push(inner);
    inner = runnerInner(inner);
  }
  return chain;
}

function programAt(args: readonly Word[], runner: Runner): number | undefined {
  const values = new Set(runner.values ?? []);
  let verbDone = runner.verbs.includes('');
  let skip = runner.skip ?? 0;
  let needDashes = runner.dashes === true;
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!;
    const text = textOf(word) ?? prefixOf(word);
    if (text === '--') {
      if (!verbDone) return undefined;
      needDashes = false;
      skip = 0;
      continue;
    }
    if (isOption(word)) {
      const name = text.replace(/^--?/, '');
      if (!name.includes('=') && values.has(name)) i++;
      continue;
    }
    if (!verbDone) {
      if (!runner.verbs.includes(text)) return undefined;
      verbDone = true;
      continue;
    }
    if (needDashes) continue;
    if (skip > 0) {
      skip--;
      continue;
    }
    if (runner.assigns && /^[A-Za-z_]\w*=/.test(text)) continue;
    return runner.notVerbs?.has(text) ? undefined : i;
  }
  return undefined;
}

function innerAt(command: Command, at: number, remote: boolean): Command | undefined {
  const program = textOf(command.args[at]);
  if (program === undefined) return undefined;
  return inner(command, nameOf(program), command.args.slice(at), remote);
}

function inner(command: Command, name: string, argv: readonly Word[], remote = false): Command {
  return { ...command, name, argv, args: argv.slice(1), via: [...command.via, command.name], remote: command.remote || remote };
}

function scriptInner(command: Command): Command | undefined {
  const runs =
    (Object.hasOwn(RUNS_SCRIPTS, command.name) ? RUNS_SCRIPTS[command.name] : undefined) ??
    (/^python3?\.\d+$/.test(command.name) ? RUNS_SCRIPTS['python'] : undefined);
  if (!runs) return undefined;
  for (let i = 0; i < command.args.length; i++) {
    const text = textOf(command.args[i]);
    if (text === undefined) return undefined;
    if (text === '-m' && runs.module) {
      const module = textOf(command.args[i + 1]) ?? '';
      const program = Object.hasOwn(MODULES, module) ? MODULES[module] : undefined;
      return program ? inner(command, program, command.args.slice(i + 1)) : undefined;
    }
    if (text === '-c' || text === '-e' || text === '-r') return undefined;
    if (text === '-d' && command.name === 'php') i++;
    if (text.startsWith('-')) continue;
    const program = runs.program(text);
    return program ? inner(command, program, command.args.slice(i)) : undefined;
  }
  return undefined;
}

/** A package spec or a path as the program's name: `prisma@5.2`, `@scope/tool`, `./bin/rails`. */
function nameOf(spec: string): string {
  const at = spec.lastIndexOf('@');
  const bare = at > 0 && !spec.slice(at).includes('/') ? spec.slice(0, at) : spec;
  return base(bare)
    .toLowerCase()
    .replace(/\.exe$/, '');
}

const base = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
