import { defineRule, madeHow, names, outputsAmong, outputsShown, pathList } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'revert-classify',
  group: 'run',
  level: 'notice',
  whyNotice: 'Looking first changes nothing that the rule reads, so a refusal would refuse every such call for ever.',
  summary: 'Put a generated file back only when its source has not changed.',
  why: `
    A generated file that differs after a run usually differs because its source does. Put back alone it no longer fits, and the next run
    brings the difference again.
  `,
  evidence:
    'The project this comes from kept it as a notice on purpose (ADR 0013). A sentence costs no turn. Would reopen it: reverts of outputs whose source stood changed, measured.',
  on: 'git.discard',
  needs: ['generated', 'dirty', 'file', 'show'],
  category: 'stale-target',
  persistence: 'narrower-scope',
  quiet: ['files that are not generated', 'the whole tree: discard-changes', 'only unstaging', 'a side of a merge: merge-side-checkout'],

  judge(effect, { facts }) {
    if (effect.remote || effect.loses === 'index' || effect.side || !effect.paths || effect.paths.length === 0) return;
    const outputs = outputsAmong(effect.paths, facts.dirty(effect.repo, effect.paths).files, facts, true);
    const [first] = outputs;
    if (!first) return;
    const [source] = first.fact.others;
    return {
      says: `${outputsShown(outputs, facts.show)} would be put back: ${madeHow(first.fact, facts.show)}. ${source === undefined ? 'Where its source has changed' : `Where ${names([facts.show(source)])} has changed`}, keep both.`,
      boundary: `git.discard generated ${pathList(outputs.map((each) => each.path))}`,
    };
  },

  examples: {
    catches: [
      {
        run: 'git restore docs/app.md',
        given: [
          `printf '%s\\n' 'generated:' '  - { files: docs/app.md, by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          'mkdir docs && echo 1 > docs/app.md && git add . && git commit -qm docs',
        ],
      },
      {
        run: 'git checkout -- docs',
        given: [
          `printf '%s\\n' 'generated:' '  - { files: "docs/**", by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          'mkdir docs && echo 1 > docs/app.md && git add . && git commit -qm docs && echo 2 > docs/app.md',
        ],
      },
    ],
    allows: [
      {
        run: 'git restore src/app.ts',
        given: [`printf '%s\\n' 'generated:' '  - { files: docs/app.md, by: sh docs.sh, from: src/app.ts }' > waygate.yaml`],
        why: 'a source',
      },
      {
        run: 'git restore --staged docs/app.md',
        given: [
          `printf '%s\\n' 'generated:' '  - { files: docs/app.md, by: sh docs.sh, from: src/app.ts }' > waygate.yaml`,
          'mkdir docs && echo 1 > docs/app.md && git add .',
        ],
        why: 'only unstages',
      },
      { run: 'git checkout -- README.md' },
    ],
  },
});
