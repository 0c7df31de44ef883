import { defineRule, runName, waysOn, wrappers } from '../../internal/rule/rule.ts';

const VITEST = 'npm pkg set scripts.test="vitest run" scripts.lint="eslint src" scripts.format="prettier --write ."';
const MAKEFILE = "printf 'test:\\n\\tgo test ./...\\n' > Makefile";

export default defineRule({
  name: 'raw-tool',
  group: 'run',
  level: 'deny',
  summary: "Run the workspace's target instead of the tool behind it.",
  why: `
    A target gives its tool the options, the environment and the steps before it that this workspace needs. The tool alone runs with
    others, so what passes here fails there, and its result is no evidence for the gate. A tool that writes leaves files that the target
    would have written otherwise.
  `,
  evidence:
    '250 of 6,086 recorded calls (36.8 per 1,000) call a test, build or lint tool directly, most of them in repositories with a target for it. As advice it changed nothing (ADR 0013). Reopen for targets whose recipe is more than the tool.',
  on: 'run.tool',
  needs: ['profile', 'show'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'help, versions and listings asked of the tool itself',
    'forms that only report: `prettier --check`, `gofmt -l`',
    'tools that no target of this directory runs',
    'a narrower call, when the target takes no words for its tool or names files of its own',
    'watchers and servers',
    'a target that does more than this tool: advice only',
  ],

  judge(tool, { facts, effects, waygate }) {
    const [best] = wrappers(tool, effects, facts);
    if (!best) return undefined;
    const [way, ...others] = waysOn(tool, { facts, waygate, effects });
    if (!way) return undefined;
    const more = best.cover.whole ? '' : ', among other things';
    return {
      says: `\`${runName(tool)}\` calls \`${tool.program}\` past the target \`${best.target.name}\`, which runs it${more} (${facts.show(best.target.origin.file)}).`,
      person: `${tool.program} would have run without what the target ${best.target.name} gives it.`,
      ...(best.cover.whole ? {} : { level: 'advise' as const }),
      remedies: [{ kind: 'run', ...way }, ...others.map((each) => ({ kind: 'run' as const, ...each }))],
      boundary: `run.tool ${tool.cwd ?? ''} ${tool.program}`,
    };
  },

  examples: {
    catches: [
      { run: 'npx vitest run', given: [VITEST] },
      { run: 'npx vitest run src/a.test.ts', given: [VITEST], why: 'the file is handed on' },
      { run: "FOO=1 bash -c 'npx eslint --fix src'", given: [VITEST] },
      { run: './node_modules/.bin/prettier --write .', given: [VITEST] },
      { run: 'go test ./...', given: [MAKEFILE] },
      { run: 'npx vitest run 2>&1 | tail -5', given: [VITEST] },
      {
        run: 'npx eslint src',
        given: ['npm pkg set scripts.lint="node hack/prepare.mjs && eslint src"'],
        gets: 'advise',
        why: 'the target does more',
      },
    ],
    allows: [
      { run: 'npm test -- src/a.test.ts', given: [VITEST] },
      { run: 'npx tsc --help', given: ['npm pkg set scripts.types="tsc -p ."'] },
      { run: 'npx prettier --check src', given: [VITEST] },
      { run: 'npx eslint src/a.ts', given: [VITEST], why: 'the target would lint all of src as well' },
      { run: 'go test ./internal/x', given: [MAKEFILE], why: 'make hands no words on' },
      { run: 'npx vitest', given: ['npm pkg set scripts.lint="eslint src"'], why: 'no target runs it' },
    ],
  },
});
