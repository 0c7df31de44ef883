import { defineRule, type Remedy } from '../../internal/rule/rule.ts';

/** What each step does to those who use the package. */
const DOES: Readonly<Record<string, string>> = {
  publish: 'publishes to',
  release: 'makes a release on',
  unpublish: 'takes a package back from',
  deprecate: 'marks a package as deprecated on',
  yank: 'withdraws a version from',
  tag: 'moves a tag of a package on',
  owner: 'changes who may publish on',
};

export default defineRule({
  name: 'package-publish',
  group: 'outside',
  level: 'deny',
  summary: 'Do not publish, and do not take back what is published.',
  why: `
    What a registry has once served stays with those who fetched it: a version number is used up, and a package taken back
    breaks the builds of strangers. When it goes out, and as what, is its owner's decision.
  `,
  evidence:
    'agent-command-guard and dcg deny publishing for every package manager; rehearsals are allowed by all. None of about 6,000 real agent calls publishes. Reopen it for a workspace whose release step is a declared target.',
  on: 'package.publish',
  needs: [],
  category: 'external-effect',
  persistence: 'owner-action',
  quiet: ['`--dry-run` and the like', 'packing, building, checking', 'the local repository: `publishToMavenLocal`, `npm link`'],

  judge(effect) {
    if (effect.dryRun) return;
    const does = DOES[effect.op] ?? 'publishes to';
    const look: Remedy[] = effect.preview
      ? [{ kind: 'run', run: effect.preview, because: 'shows what it is about; nothing leaves this machine' }]
      : [];
    const ask: Remedy = {
      kind: 'ask',
      ask: `Shall I run \`${effect.source}\`? It ${does} ${effect.registry}.`,
      because: 'it cannot be taken back',
    };
    const remedies: [Remedy, ...Remedy[]] = look.length > 0 ? [look[0]!, ask] : [ask];
    return {
      says: `This ${does} ${effect.registry}${effect.what ? ` (\`${effect.what}\`)` : ''}.`,
      person: `The agent wanted a step that ${does} ${effect.registry}.`,
      remedies,
      boundary: `package.publish ${effect.registry} ${effect.op}${effect.what ? ` ${effect.what}` : ''}`,
    };
  },

  examples: {
    catches: [
      { run: 'npm publish' },
      { run: 'npm publish --access public --tag next' },
      { run: 'pnpm -r publish' },
      { run: 'yarn npm publish' },
      { run: 'npm unpublish left-pad@1.0.0' },
      { run: 'npm dist-tag add left-pad@1.0.0 latest' },
      { run: 'cargo publish' },
      { run: 'cargo yank --version 1.0.0 left-pad' },
      { run: 'twine upload dist/*' },
      { run: 'gem push left-pad-1.0.0.gem' },
      { run: 'mvn -B deploy' },
      { run: './gradlew publish' },
      { run: 'dotnet nuget push left-pad.nupkg' },
      { run: 'python3 -m twine upload dist/*' },
    ],
    allows: [
      { run: 'npm publish --dry-run' },
      { run: 'npm pack' },
      { run: 'npm dist-tag ls left-pad' },
      { run: 'cargo publish --dry-run' },
      { run: 'cargo package' },
      { run: './gradlew publishToMavenLocal' },
      { run: 'mvn install' },
      { run: 'npm owner ls left-pad' },
    ],
  },
});
