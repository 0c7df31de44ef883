import { defineRule, type EffectOf, type Facts, type Finding, quoteLine, type Target, touched } from '../../internal/rule/rule.ts';

type On = 'file.read' | 'file.write' | 'file.delete' | 'file.move' | 'file.copy' | 'file.link' | 'file.mode' | 'file.sync';
type Known = Pick<Facts, 'hidden' | 'hiddenBelow' | 'file'>;

const HIDING = ['printf \'version: 1\\nprotected:\\n  hidden: ["vault/**"]\\n\' > waygate.yaml'];
const VAULT = [...HIDING, 'mkdir vault', 'echo x > vault/plan.md'];

const PRIVATE = ['printf \'version: 1\\nprotected:\\n  hidden: ["**/private-*"]\\n\' > waygate.yaml', 'echo x > src/private-a'];

/** Programs that tell whether something is there, or its name. */
const NAMING: ReadonlySet<string> = new Set(
  'ls dir find fd fdfind tree stat test [ file du realpath readlink eza exa lsd cksum md5sum sha1sum sha256sum wc git'.split(' '),
);
/** Of these git tells the names and contents of files. */
const GIT_NAMING: ReadonlySet<string> = new Set([
  'ls-files',
  'ls-tree',
  'show',
  'diff',
  'log',
  'blame',
  'grep',
  'cat-file',
  'status',
  'check-ignore',
]);
/** Those that walk down by themselves. */
const WALKING: ReadonlySet<string> = new Set(['find', 'fd', 'fdfind', 'tree', 'du']);

/** Everything a call reads, copies or changes by name. */
function targetsOf(effect: EffectOf<On>, facts: Pick<Facts, 'file'>): readonly { target: Target; tree: boolean }[] {
  const changed = touched(effect, facts);
  if (effect.kind === 'file.read') return effect.targets.map((target) => ({ target, tree: target.glob === true }));
  if (effect.kind === 'file.copy') return [...effect.sources.map((target) => ({ target, tree: true })), ...changed];
  return changed;
}

const pathOf = ({ path, prefix }: Target): string | undefined => path ?? (prefix || undefined);

/** One sentence for everything that is hidden, whether it is there or not. */
function unavailable(remedies: Finding['remedies'], where = ''): Finding {
  return {
    says: 'The target is not available in this run.',
    person: 'The agent asked for a path that this workspace hides from agents.',
    boundary: `target unavailable${where}`,
    remedies,
  };
}

const ASK: Finding['remedies'][number] = {
  kind: 'ask',
  ask: 'Something I asked for is not available in this run. Could you give me what I need of it?',
  because: 'only the owner knows',
};
const ON: Finding['remedies'][number] = {
  kind: 'wait',
  because: 'go on with what is available; asking for it in another way gives the same answer',
};

interface Walk {
  facts: Known;
  cwd: string | undefined;
  /** argv of the same over these paths. */
  again?: (paths: readonly string[]) => readonly string[];
  /** What lies in folders below is met too. */
  deep?: boolean;
  /** Names directly in the folder that are met. */
  meets?: (name: string) => boolean;
}

/** Programs whose search a plain grep can do as well. */
const SEARCHING: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'ag', 'Grep', 'git']);

/** A walk that would come past something hidden: the same over what is available. */
function walk(root: string, { facts, cwd, again, deep = true, meets = () => true }: Walk): Finding | undefined {
  const below = facts.hiddenBelow(root);
  if (!below || (!deep && !below.direct.some(meets))) return undefined;
  const short = below.visible.map((path) => (cwd !== undefined && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path));
  const argv = short.length === 0 || short.some((path) => path.startsWith('-')) ? undefined : again?.(short);
  const line = argv && quoteLine(argv);
  const narrower = line === undefined ? [] : [{ kind: 'run', run: line, because: 'the same over everything that is available' } as const];
  return { ...unavailable([...narrower, ON, ASK] as never, ` below ${root}`), persistence: 'narrower-scope' };
}

/** A search through the content of a tree. */
function searched(effect: EffectOf<'file.read'>, facts: Known): Finding | undefined {
  if (!effect.recursive) return undefined;
  const { by, cwd, pattern = '' } = effect;
  const again = (paths: readonly string[]) => (by === 'rg' ? ['rg', '-e', pattern, ...paths] : ['grep', '-rnE', '-e', pattern, ...paths]);
  const way = by === 'rg' || SEARCHING.has(by) ? { again } : {};
  for (const target of effect.targets) {
    const root = pathOf(target);
    const found = root === undefined ? undefined : walk(root, { facts, cwd, ...way });
    if (found) return found;
  }
  return undefined;
}

/** What a glob on a command line stands for. */
function expanded(glob: string, cwd: string | undefined, facts: Known): Finding | undefined {
  const folder = /^[^*?[{]*\//.exec(glob)?.[0].replace(/(.)\/$/, '$1');
  const names = glob.slice((folder?.length ?? 0) + 1);
  if (folder === undefined) return undefined;
  // In folders below, or with braces: whatever is hidden there may be meant.
  if (/[/{]/.test(names)) return names.includes('**') ? walk(folder, { facts, cwd }) : undefined;
  const source = [...names].map((char) =>
    char === '*' ? '.*' : char === '?' ? '.' : /[[\]!-]/.test(char) ? char.replace('!', '^') : char.replace(/[^\w]/g, '\\$&'),
  );
  return walk(folder, { facts, cwd, deep: false, meets: (name) => matcherOf(source.join('')).test(name) });
}

/** A pattern that cannot be read meets everything. */
function matcherOf(source: string): RegExp {
  try {
    return new RegExp(`^${source}$`);
  } catch {
    return /^/;
  }
}

/** A command that tells names: of the paths on it, or of all that lies below them. */
function named({ argv, cwd, globs = [] }: EffectOf<'line.command'>, facts: Known): Finding | undefined {
  for (const glob of globs) {
    const found = expanded(glob, cwd, facts);
    if (found) return found;
  }
  const [name = '', ...words] = argv;
  if (!NAMING.has(name) || cwd === undefined) return undefined;
  const git = name === 'git' ? words.findIndex((word) => GIT_NAMING.has(word)) : -1;
  if (name === 'git' && git < 0) return undefined;
  // Of find only the words before its tests are paths; of git those after the verb, behind a revision too.
  const tests = name === 'find' ? words.findIndex((word) => /^[-(!]/.test(word)) : -1;
  const operands = words.slice(git + 1, tests < 0 ? undefined : tests).filter((word) => word !== '' && !word.startsWith('-'));
  const paths = operands.map((word) => absolute(word.replace(/^[^/:]*:(?=.)/, ''), cwd));
  if (paths.some((path) => facts.hidden(path, false))) return unavailable([ON, ASK]);
  const down = WALKING.has(name) || (name === 'ls' && words.some((word) => /^-[a-zA-Z]*R|^--recursive/.test(word)));
  const gits = name === 'git' && (words[git] === 'ls-files' || words[git] === 'grep');
  const lists = down || gits || /^(?:ls|dir|eza|exa|lsd)$/.test(name);
  // A pattern stands before the paths of fd and git grep.
  const dashes = words.indexOf('--');
  const given = gits ? (dashes < 0 ? [] : words.slice(dashes + 1).map((word) => absolute(word, cwd))) : name.startsWith('fd') ? [] : paths;
  for (const root of lists ? (given.length > 0 ? given : [cwd]) : []) {
    const again = (visible: readonly string[]): readonly string[] => {
      if (name === 'find') return ['find', ...visible, ...words.slice(tests < 0 ? words.length : tests)];
      if (name === 'git') return [...argv, '--', ...visible];
      return down ? ['find', ...visible, '-maxdepth', '3'] : ['find', ...visible, '-maxdepth', '0'];
    };
    const found = walk(root, { facts, cwd, again, deep: down || gits });
    if (found) return found;
  }
  return undefined;
}

/** A tool that gives names by a pattern. */
function globbed({ path, pattern, cwd }: EffectOf<'tool.call'>, facts: Known): Finding | undefined {
  if (pattern === undefined && path === undefined) return undefined;
  const root = path ?? cwd;
  if (root === undefined) return undefined;
  if (facts.hidden(root, false)) return unavailable([ON, ASK]);
  if (pattern === undefined) return undefined;
  const fixed = absolute(/^[^*?[{]*/.exec(pattern)![0].replace(/[^/]*$/, ''), root).replace(/(.)\/$/, '$1');
  if (facts.hidden(fixed, false)) return unavailable([ON, ASK]);
  const last = pattern.slice(pattern.lastIndexOf('/') + 1).replace(/^\*\*$/, '*');
  return walk(fixed, { facts, cwd, deep: pattern.includes('**'), again: (visible) => ['find', ...visible, '-name', last] });
}

const absolute = (word: string, cwd: string): string => {
  const parts: string[] = [];
  for (const part of `${word.startsWith('/') ? '' : `${cwd}/`}${word}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
};

export default defineRule({
  name: 'hidden-target',
  group: 'guard',
  summary: 'Work with what is available in this run.',
  why: `
    Some paths are not there for an agent: other people's data, material of another task. Whether such a file exists is part of what is
    hidden, so a call that meets one gets the same sentence whether something lies there or not, and a search that would come past one
    is made over the rest instead.
  `,
  evidence:
    'Derived from the requirements: an invisible resource gives an indistinguishable, bounded message, and only the protected log has the reason. Says nothing where no path is declared. Would reopen it: a host that can hide files from a run itself.',
  on: [
    'file.read',
    'file.write',
    'file.delete',
    'file.move',
    'file.copy',
    'file.link',
    'file.mode',
    'file.sync',
    'line.command',
    'tool.call',
  ],
  needs: ['hidden', 'hiddenBelow', 'file'],
  level: 'deny',
  category: 'outside-workspace',
  persistence: 'not-in-this-run',
  quiet: [
    'workspaces that declare no `protected.hidden`',
    'names of folders directly in a folder that is not hidden itself',
    'what git says of changes in the whole repository',
  ],

  judge(effect, { facts }) {
    if (effect.remote) return;
    if (effect.kind === 'line.command') return named(effect, facts);
    if (effect.kind === 'tool.call') return globbed(effect, facts);
    const met = targetsOf(effect, facts).some(({ target, tree }) => {
      const path = pathOf(target);
      return path !== undefined && facts.hidden(path, tree);
    });
    if (met) return unavailable([ON, ASK]);
    return effect.kind === 'file.read' ? searched(effect, facts) : undefined;
  },

  examples: {
    catches: [
      { run: 'cat vault/plan.md', given: VAULT },
      { run: 'cat vault/plan.md', given: HIDING, why: 'nothing lies there, and the answer is the same' },
      { run: 'cp vault/plan.md notes.md', given: VAULT },
      { run: 'cp -r . ../copy', given: VAULT },
      { run: 'echo x > vault/other.md', given: [...HIDING, 'mkdir vault'] },
      { tool: 'Read', input: { file_path: '{{repo}}/vault/plan.md' }, given: HIDING },
      { run: 'grep -rn app .', given: VAULT },
      { run: 'grep -rn app .', given: HIDING, why: 'nothing lies there, and the answer is the same' },
      { run: 'rg app', given: VAULT },
      { tool: 'Grep', input: { pattern: 'app', output_mode: 'content' }, given: VAULT },
      { tool: 'Glob', input: { pattern: '**/*.md' }, given: VAULT },
      { tool: 'Glob', input: { pattern: 'vault/*' }, given: HIDING },
      { run: 'ls vault', given: HIDING },
      { run: 'test -f vault/plan.md && echo there', given: VAULT },
      { run: "find . -name '*.md'", given: VAULT },
      { run: 'git show HEAD:vault/plan.md', given: HIDING },
      { run: 'git grep app', given: VAULT },
      { run: 'cat src/*', given: PRIVATE },
      { run: 'ls src', given: PRIVATE },
    ],
    allows: [
      { run: 'cat vault/plan.md', given: ['mkdir vault', 'echo x > vault/plan.md'], why: 'nothing is declared' },
      { run: 'cat README.md', given: HIDING },
      { run: 'grep -rn app src', given: VAULT },
      { run: 'find src README.md -name "*.md"', given: VAULT },
      { run: 'ls', given: VAULT, why: 'the names of folders directly in one' },
      { run: 'cat *', given: VAULT },
      { run: 'ls -la', given: PRIVATE },
      { run: 'cat src/*.ts', given: PRIVATE },
      { run: 'tar cf ../src.tar src', given: VAULT },
      { run: "git commit -q --allow-empty -m 'vault/plan.md is not ours'", given: VAULT },
      { tool: 'Glob', input: { pattern: 'src/**/*.ts' }, given: VAULT },
      { tool: 'Read', input: { file_path: '{{repo}}/vaults.md' }, given: HIDING },
    ],
  },
});
