import { defineRule, madeHow, outputsAmong, outputsShown, pathList } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'stage-classify',
  group: 'run',
  level: 'notice',
  standing: true,
  whyNotice:
    'Staging an output is right when its source is in the same commit; the sweep that takes it along unseen is refused by stage-all.',
  summary: 'Know which of the staged files are generated.',
  why: `
    Builds and tests write their output while they run, so a folder may hold files that nobody edited. A generated file belongs into the
    commit that changes its source, and into no other.
  `,
  evidence:
    'Comes from the same measurement as stage-all: 69 unrelated files in one commit, outputs among them. A sentence costs no turn. Would make it a refusal: outputs committed without their source, measured.',
  on: ['git.stage', 'git.commit'],
  needs: ['generated', 'dirty', 'file', 'repo', 'show'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: ['no generated file among them', 'the whole tree: stage-all', '`waygate stage`, which has sorted them'],

  judge(effect, { facts }) {
    if (effect.remote || effect.paths.length === 0) return;
    if (effect.kind === 'git.stage' && (effect.all || effect.how === 'waygate stage')) return;
    const repo = facts.repo(effect.repo);
    if (!repo || effect.paths.some(({ path }) => path === repo.top)) return;
    const update = effect.kind === 'git.commit' || effect.update;
    const outputs = outputsAmong(effect.paths, facts.dirty(effect.repo, effect.paths).files, facts, update);
    const [first] = outputs;
    if (!first) return;
    return {
      says: `${outputsShown(outputs, facts.show)} among the staged files: ${madeHow(first.fact, facts.show)}. It belongs to the commit of its source.`,
      boundary: `git.stage generated ${pathList(outputs.map((each) => each.path))}`,
    };
  },

  examples: {
    catches: [
      {
        run: 'git add docs/app.md src/app.ts',
        given: [
          `printf '%s\\n' 'generated:' '  - { files: docs/app.md, by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          "mkdir docs && echo 1 > docs/app.md && echo '//' >> src/app.ts",
        ],
      },
      {
        run: 'git add docs',
        given: [
          `printf '%s\\n' 'generated:' '  - { files: "docs/**", by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          'mkdir docs && echo 1 > docs/app.md',
        ],
        why: 'the folder holds one',
      },
      {
        run: 'git commit -m x docs/app.md',
        given: [
          `printf '%s\\n' 'generated:' '  - { files: docs/app.md, by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          'mkdir docs && echo 1 > docs/app.md && git add . && git commit -qm docs && echo 2 > docs/app.md',
        ],
      },
    ],
    allows: [
      {
        run: 'git add src/app.ts',
        given: [
          `printf '%s\\n' 'generated:' '  - { files: docs/app.md, by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          "mkdir docs && echo 1 > docs/app.md && echo '//' >> src/app.ts",
        ],
        why: 'only the source',
      },
      { run: 'git add src/app.ts README.md', given: ["echo '//' >> src/app.ts"], why: 'nothing is generated' },
      {
        run: 'waygate stage src/app.ts',
        given: [
          `printf '%s\\n' 'generated:' '  - { files: docs/app.md, by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          "mkdir docs && echo 1 > docs/app.md && echo '//' >> src/app.ts",
        ],
      },
    ],
  },
});
