import { defineRule, isOwnProgram, lineRuns, makeLine, names, touched } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'regen-source',
  group: 'write',
  level: 'notice',
  standing: true,
  whyNotice: 'The generator runs after the edit: when the edit is judged, nothing is stale yet.',
  summary: 'After changing a source, make what is generated from it again, and commit both.',
  why: `
    A schema, a template or a rule file has outputs that stand in the repository. An edit that is committed without them leaves the two
    apart, and the next person who runs the generator gets the difference into an unrelated change.
  `,
  evidence:
    'The project this comes from names it as advice of its guide; no count is given (ADR 0013). Would make it a refusal: a check at push time that the outputs are fresh.',
  on: ['file.write', 'file.move', 'file.copy', 'file.delete'],
  needs: ['generated', 'file', 'show'],
  category: 'stale-target',
  persistence: 'state-change',
  quiet: ['files nothing is declared to be made from', 'a line that runs the generator itself', 'scripts the repository tracks'],

  judge(effect, { facts, effects }) {
    if (effect.remote || effect.by === 'git' || isOwnProgram(effect.script, facts)) return;
    for (const { target, how } of touched(effect, facts)) {
      if (target.path === undefined || how === 'mode') continue;
      const fact = facts.generated(target.path);
      if (fact?.is !== 'source' || lineRuns(effects, fact.command)) continue;
      const line = makeLine(fact, facts.show);
      return {
        says: `${names(fact.others.map(facts.show))} ${fact.others.length > 1 ? 'are' : 'is'} made from \`${facts.show(target.path)}\`${line === undefined ? '' : `: run \`${line}\` after the edit`} and commit both.`,
        boundary: `file.source ${target.path}`,
      };
    }
    return;
  },

  examples: {
    catches: [
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/src/app.ts', old_string: '1', new_string: '2' },
        given: [`printf '%s\\n' 'generated:' '  - { files: "docs/reference/**", by: sh docs.sh, from: "src/**" }' > waygate.yaml`],
      },
      {
        run: 'cp README.md src/app.ts',
        given: [`printf '%s\\n' 'generated:' '  - { files: docs/app.md, from: src/app.ts }' > waygate.yaml`],
        why: 'whatever writes it',
      },
    ],
    allows: [
      { tool: 'Edit', input: { file_path: '{{repo}}/src/app.ts', old_string: '1', new_string: '2' }, why: 'nothing is declared' },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/README.md', old_string: 'repo', new_string: 'project' },
        given: [`printf '%s\\n' 'generated:' '  - { files: "docs/reference/**", by: sh docs.sh, from: "src/**" }' > waygate.yaml`],
        why: 'no source of it',
      },
    ],
  },
});
