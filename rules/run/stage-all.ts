import {
  argument,
  type Classes,
  classesOf,
  count,
  type DirtyFile,
  defineRule,
  type EffectOf,
  type Facts,
  names,
  quoteLine,
  type Remedy,
  ways,
} from '../../internal/rule/rule.ts';

/** More paths than this are not written into a remedy: the listing shows them. */
const MAX_PATHS = 15;

export default defineRule({
  name: 'stage-all',
  group: 'run',
  level: 'deny',
  summary: 'Stage by name what belongs to the change.',
  why: `
    \`git add -A\`, \`git add .\` and \`git commit -a\` take whatever is dirty. Builds and tests write their output as they run, other
    sessions leave their own edits, so files nobody meant end up in an unrelated commit.
  `,
  evidence:
    'Measured once in the project this comes from: 69 unrelated files in one commit. Costs a turn each time, so it keeps quiet where there is nothing to sweep up. Reopen if the rate of needless refusals passes 1 in 200 calls.',
  on: 'git.stage',
  needs: ['repo', 'dirty', 'generated', 'hidden', 'show'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'a clean tree',
    'a repository without a commit',
    'a single dirty file, unless it is generated: naming it would stage the same',
    'named paths and folders',
    'a dry run, `-p`, `-N`',
    'a merge or rebase in progress',
    '`waygate stage`, which refuses what nothing declares',
  ],

  judge(effect, { facts, waygate }) {
    if (effect.remote || effect.how === 'waygate stage') return undefined;
    const repo = facts.repo(effect.repo);
    if (!repo || repo.head === undefined || repo.operation !== undefined) return undefined;
    if (!effect.all && !effect.paths.some((path) => path.path === repo.top || path.path === `${repo.top}/*`)) return undefined;
    const all = facts.dirty({ ...effect.repo, dir: repo.top ?? effect.repo.dir });
    const dirty = all.files.filter((file) => !effect.update || file.state !== 'untracked');
    if (dirty.every((file) => file.state === 'deleted')) return undefined;
    const own = dirty.filter((file) => file.path !== repo.top && file.path !== effect.repo.dir && !facts.hidden(file.path, false));
    const classes = classesOf(own, (path) => facts.generated(path));
    const known = own.length + all.more;
    // To name the one file there is would stage the same.
    if (known === 1 && dirty.length === 1 && classes.generated.length === 0) return undefined;
    const what =
      classes.generated.length > 0
        ? byClass(classes, facts.show)
        : names(
            own.map((file) => facts.show(file.path)),
            5,
            all.more,
          );
    const add = adding(classes, own, facts.show, waygate);
    const named: Remedy | undefined =
      all.more > 0 || add === undefined
        ? undefined
        : effect.how !== 'commit -a'
          ? { kind: 'run', run: add, because: 'leave out what does not belong to the change' }
          : effect.rest === undefined
            ? undefined
            : { kind: 'run', run: `${add} && ${effect.rest}`, because: 'leave out what does not belong to the change' };
    const look = classes.generated.length > 0 ? `${waygate} classify` : 'git status --short';
    return {
      says: `\`${short(effect)}\` would stage everything that is dirty${known > 0 ? `: ${what}, ${count(known, 'file')}` : ''}.`,
      remedies: ways(named, { kind: 'run', run: look, because: 'shows what is dirty; then name the files' }),
      boundary: `git.stage all ${repo.top ?? '?'}`,
    };
  },

  examples: {
    catches: [
      { run: 'git add -A && git commit -m x', given: ["echo 'export const draft = 1;' >> src/app.ts", "echo 'note' > note.txt"] },
      { run: 'git add .', given: ["echo 'note' > note.txt", 'echo dump > core.1'] },
      { run: 'git commit -am x', given: ["echo '//' | tee -a src/app.ts src/util.ts"] },
      { run: 'git add -u', given: ["echo '//' | tee -a src/app.ts src/util.ts"] },
      {
        run: 'git add -A',
        given: [
          `printf '%s\\n' 'generated:' '  - { files: docs/app.md, by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          "mkdir docs && echo 1 > docs/app.md && echo '//' >> src/app.ts && echo note > note.txt",
        ],
        why: 'the classes are named',
      },
      { run: 'git add --al', given: ["echo 'note' > note.txt", 'echo dump > core.1'], why: 'git reads a cut option as the whole one' },
    ],
    allows: [
      { run: 'git add src/app.ts', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      { run: 'git add -A src', given: ["echo 'export const draft = 1;' >> src/app.ts"] },
      { run: 'git add .', why: 'nothing is dirty' },
      { run: 'git commit -am x', given: ["echo 'export const draft = 1;' >> src/app.ts"], why: 'one file: naming it would stage the same' },
      { run: 'git add -n .', given: ["echo 'note' > note.txt"], why: 'a dry run' },
      { run: 'git add .', given: ["echo 'export const draft = 1;' >> src/app.ts"], cwd: 'src', why: 'a folder is a name' },
      { run: 'git commit -m "about git add -A" --allow-empty' },
    ],
  },
});

const short = (effect: EffectOf<'git.stage'>): string =>
  effect.how === 'commit -a' ? 'git commit -a' : effect.update ? 'git add -u' : 'git add -A';

/** The dirty files by class: `source a; generated b (by npm run docs); undeclared c`. */
function byClass(classes: Classes, show: Facts['show']): string {
  const part = (name: string, paths: readonly string[], more = '') =>
    paths.length === 0 ? [] : [`${name} ${names(paths.map(show), 3)}${more}`];
  const commands = [...new Set(classes.generated.flatMap((each) => each.fact.command ?? []))];
  return [
    ...part(
      'source',
      classes.source.map((file) => file.path),
    ),
    ...part(
      'generated',
      classes.generated.map((file) => file.path),
      commands.length > 0 ? ` (by ${names(commands, 2)})` : '',
    ),
    ...part(
      'undeclared',
      classes.undeclared.map((file) => file.path),
    ),
  ].join('; ');
}

/** The call that names the files. Among generated ones `waygate stage` adds those that belong to the sources. */
function adding(classes: Classes, own: readonly DirtyFile[], show: Facts['show'], waygate: string): string | undefined {
  const words = (paths: readonly string[]) => paths.map((path) => argument(path, show));
  if (classes.generated.length > 0 && classes.source.length > 0 && classes.source.length <= MAX_PATHS)
    return `${waygate} ${quoteLine(['stage', ...words(classes.source.map((file) => file.path))])}`;
  return own.length === 0 || own.length > MAX_PATHS ? undefined : quoteLine(['git', 'add', '--', ...words(own.map((file) => file.path))]);
}
