/** How each package manager says what to add or to run: subcommands, and the options that take a word. */

/** A manager's way to add packages. */
export interface Adds {
  manager: string;
  /** Subcommand words; '' when the program itself fetches. Longer ones first. */
  verbs: readonly (readonly string[])[];
  /** Options that take the next word. */
  values: readonly string[];
  /** Fetched and run at once: the first operand is the package, the rest its arguments. */
  exec?: boolean;
  /** The package of an exec is named by an option. */
  from?: readonly string[];
  global?: boolean;
}

export const NODE_VALUES = [
  'prefix',
  'registry',
  'w',
  'workspace',
  'tag',
  'omit',
  'include',
  'C',
  'dir',
  'filter',
  'F',
  'cwd',
  'cache',
  'userconfig',
  'loglevel',
  'otp',
  'before',
  'install-strategy',
  'save-prefix',
  'p',
  'package',
  'c',
  'call',
  'cpu',
  'os',
  'libc',
  'modules-folder',
  'mutex',
  'network-timeout',
  'reporter',
  'store-dir',
  'virtual-store-dir',
];
/** pnpm writes some of npm's short options differently: -w is the root of the workspace there. */
const PNPM_VALUES = NODE_VALUES.filter((name) => !['w', 'p', 'c'].includes(name));
const PIP_VALUES = [
  'r',
  'requirement',
  'c',
  'constraint',
  'i',
  'index-url',
  'extra-index-url',
  'f',
  'find-links',
  't',
  'target',
  'platform',
  'python-version',
  'implementation',
  'abi',
  'root',
  'prefix',
  'b',
  'build',
  'upgrade-strategy',
  'no-binary',
  'only-binary',
  'progress-bar',
  'src',
  'cache-dir',
  'timeout',
  'retries',
  'proxy',
  'trusted-host',
  'cert',
  'client-cert',
  'log',
  'python',
  'p',
  'e',
  'editable',
  'config-settings',
  'C',
  'global-option',
  'report',
  'use-feature',
];

const pip = (words: readonly string[]): Adds => ({ manager: 'pip', verbs: [[...words, 'install']], values: PIP_VALUES });

export const ADDS: Readonly<Record<string, readonly Adds[]>> = {
  npm: [
    {
      manager: 'npm',
      verbs: [
        ['install'],
        ['i'],
        ['add'],
        ['in'],
        ['ins'],
        ['inst'],
        ['insta'],
        ['instal'],
        ['isnt'],
        ['isnta'],
        ['isntal'],
        ['isntall'],
        ['install-test'],
        ['it'],
      ],
      values: NODE_VALUES,
    },
    { manager: 'npm', verbs: [['exec'], ['x']], values: NODE_VALUES, exec: true, from: ['p', 'package'] },
    { manager: 'npm create', verbs: [['init'], ['create'], ['innit']], values: NODE_VALUES, exec: true },
  ],
  npx: [{ manager: 'npm', verbs: [[]], values: NODE_VALUES, exec: true, from: ['p', 'package'] }],
  pnpx: [{ manager: 'npm', verbs: [[]], values: NODE_VALUES, exec: true, from: ['p', 'package'] }],
  bunx: [{ manager: 'npm', verbs: [[]], values: NODE_VALUES, exec: true, from: ['p', 'package'] }],
  pnpm: [
    { manager: 'npm', verbs: [['add'], ['install'], ['i']], values: PNPM_VALUES },
    { manager: 'npm', verbs: [['dlx']], values: PNPM_VALUES, exec: true, from: ['package'] },
    { manager: 'npm create', verbs: [['create']], values: PNPM_VALUES, exec: true },
  ],
  yarn: [
    { manager: 'npm', verbs: [['global', 'add']], values: NODE_VALUES, global: true },
    { manager: 'npm', verbs: [['add']], values: NODE_VALUES },
    { manager: 'npm', verbs: [['dlx']], values: NODE_VALUES, exec: true, from: ['p', 'package'] },
    { manager: 'npm create', verbs: [['create']], values: NODE_VALUES, exec: true },
  ],
  bun: [
    { manager: 'npm', verbs: [['add'], ['install'], ['i'], ['a']], values: NODE_VALUES },
    { manager: 'npm', verbs: [['x']], values: NODE_VALUES, exec: true, from: ['p', 'package'] },
    { manager: 'npm create', verbs: [['create'], ['c']], values: NODE_VALUES, exec: true },
  ],
  deno: [{ manager: 'deno', verbs: [['add'], ['install'], ['i']], values: ['n', 'name', 'root'] }],
  pip: [pip([])],
  pip3: [pip([])],
  uv: [
    pip(['pip']),
    { manager: 'pip', verbs: [['tool', 'install']], values: ['with', 'python', 'p', 'index-url', 'from'], global: true },
    { manager: 'pip', verbs: [['tool', 'run']], values: ['with', 'python', 'p', 'from', 'index-url'], exec: true, from: ['from'] },
    {
      manager: 'pip',
      verbs: [['add']],
      values: [...PIP_VALUES, 'group', 'optional', 'extra', 'tag', 'branch', 'rev', 'package', 'index', 'script', 'bounds'],
    },
  ],
  uvx: [{ manager: 'pip', verbs: [[]], values: ['with', 'python', 'p', 'from', 'index-url'], exec: true, from: ['from'] }],
  pipx: [
    { manager: 'pip', verbs: [['install'], ['inject']], values: ['python', 'suffix', 'i', 'index-url', 'pip-args'], global: true },
    { manager: 'pip', verbs: [['run']], values: ['python', 'spec', 'i', 'index-url', 'pip-args'], exec: true, from: ['spec'] },
  ],
  poetry: [
    {
      manager: 'pip',
      verbs: [['add']],
      values: ['G', 'group', 'E', 'extras', 'source', 'python', 'platform', 'markers', 'C', 'directory'],
    },
  ],
  pdm: [{ manager: 'pip', verbs: [['add']], values: ['G', 'group', 'p', 'project'] }],
  rye: [{ manager: 'pip', verbs: [['add'], ['install']], values: ['features', 'optional'] }],
  pipenv: [{ manager: 'pip', verbs: [['install']], values: ['r', 'requirements', 'i', 'index', 'e', 'python', 'categories'] }],
  conda: [{ manager: 'conda', verbs: [['install'], ['create']], values: ['n', 'name', 'p', 'prefix', 'c', 'channel', 'file', 'f'] }],
  mamba: [{ manager: 'conda', verbs: [['install'], ['create']], values: ['n', 'name', 'p', 'prefix', 'c', 'channel', 'file', 'f'] }],
  cargo: [
    {
      manager: 'cargo',
      verbs: [['add']],
      values: ['F', 'features', 'rename', 'git', 'branch', 'tag', 'rev', 'registry', 'target', 'p', 'package', 'path', 'manifest-path'],
    },
    {
      manager: 'cargo',
      verbs: [['install'], ['binstall']],
      values: [
        'version',
        'vers',
        'git',
        'branch',
        'tag',
        'rev',
        'path',
        'root',
        'registry',
        'index',
        'features',
        'F',
        'target',
        'j',
        'jobs',
        'profile',
        'bin',
        'example',
      ],
      global: true,
    },
  ],
  go: [
    { manager: 'go', verbs: [['get']], values: ['modfile', 'C'] },
    { manager: 'go', verbs: [['install']], values: ['modfile', 'ldflags', 'tags', 'gcflags', 'C'], global: true },
    { manager: 'go', verbs: [['run']], values: ['modfile', 'ldflags', 'tags', 'gcflags', 'exec', 'C'], exec: true },
  ],
  gem: [
    {
      manager: 'gem',
      verbs: [['install'], ['i']],
      values: ['v', 'version', 'i', 'install-dir', 'n', 'bindir', 's', 'source', 'P'],
      global: true,
    },
  ],
  bundle: [
    { manager: 'gem', verbs: [['add']], values: ['v', 'version', 'g', 'group', 's', 'source', 'git', 'github', 'branch', 'require'] },
  ],
  composer: [
    { manager: 'composer', verbs: [['global', 'require']], values: ['d', 'working-dir'], global: true },
    { manager: 'composer', verbs: [['require'], ['req']], values: ['d', 'working-dir'] },
  ],
  dotnet: [
    {
      manager: 'nuget',
      verbs: [
        ['tool', 'install'],
        ['add', 'package'],
        ['package', 'add'],
      ],
      values: ['version', 'v', 's', 'source', 'framework', 'f', 'n', 'add-source', 'tool-path'],
    },
  ],
  mix: [{ manager: 'hex', verbs: [['archive.install'], ['escript.install']], values: [], global: true }],
};
