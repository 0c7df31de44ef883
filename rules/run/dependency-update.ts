import { argument, defineRule, names, quote, quoteLine, targetRuns } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'dependency-update',
  group: 'run',
  level: 'deny',
  summary: "Change dependencies through the workspace's own update target.",
  why: `
    Adding or updating a package resolves dependencies anew and rewrites the lock file. Where the workspace has a target for that, it also
    does what else belongs to it: several lock files, checks of licences, generated lists.
  `,
  evidence:
    'The project this comes from had it as advice and made it a refusal with an open question: without an update target there is no way out. So it stands down there. Would reopen it: update targets that cannot name a package.',
  on: 'package.resolve',
  needs: ['profile', 'place', 'unknownPackages', 'show'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'no update target: there would be no way out',
    'a target of another manager, one that takes no package where one is named, or that adds none where one is new',
    'installing what the manifest says: dependency-install',
    'outside the workspace, global tools',
    'the recipe of the target itself',
  ],

  judge(effect, { facts }) {
    if (effect.op !== 'update' || effect.remote || effect.script !== undefined || effect.cwd === undefined) return;
    const place = facts.place(effect.cwd);
    if (place !== 'workspace' && place !== 'repository') return;
    const profile = facts.profile(effect.cwd);
    const target = profile?.update;
    const runs = profile && target && targetRuns(profile, target, effect.by);
    if (!target || !runs?.calls) return;
    const { runner } = runs;
    if (effect.names.length > 0 && runner.pass === undefined) return;
    // A target that only updates is no way to a package that is not there yet.
    const fresh = effect.adds ? facts.unknownPackages(managerOf(effect.by), effect.names.map(plainName), effect.cwd) : [];
    if (fresh.length > 0 && !target.recipe.some((line) => /\b(?:add|install|i|get|require)\b/.test(line))) return;
    const words = effect.names.length > 0 ? ` ${(runner.pass as string).replace('{args}', quoteLine(effect.names))}` : '';
    const run = target.command + words;
    return {
      says: `\`${effect.source}\` would resolve ${effect.names.length > 0 ? names(effect.names) : 'the dependencies'} anew, past \`${target.command}\`, which does that here.`,
      boundary: `package.resolve ${effect.cwd} update`,
      remedies: [
        {
          kind: 'run',
          run: facts.show(runner.dir) === '.' ? run : `(cd ${quote(argument(runner.dir, facts.show))} && ${run})`,
          because: `changes them as the workspace does it (${target.name})`,
        },
      ],
    };
  },

  examples: {
    catches: [
      { run: 'npm update', given: [`printf 'update:\\n\\tnpm update && npm dedupe\\n' > Makefile`] },
      {
        run: 'pnpm add left-pad',
        given: [
          `echo '{"name":"repo","version":"1.0.0","packageManager":"pnpm@10.0.0","scripts":{"test":"echo test","deps:add":"pnpm add --save-exact"}}' > package.json`,
        ],
        why: 'the target takes the package',
      },
      { run: 'cargo update', given: [`printf 'update:\\n\\tcargo update\\n' > Makefile`] },
    ],
    allows: [
      { run: 'npm update', why: 'no update target' },
      { run: 'npm install', given: [`printf 'update:\\n\\tnpm update\\n' > Makefile`], why: 'what the manifest says' },
      { run: 'npm install left-pad', given: [`printf 'update:\\n\\tnpm update\\n' > Makefile`], why: 'make takes no package' },
      {
        run: 'pnpm add left-pad',
        given: [
          `echo '{"name":"repo","version":"1.0.0","packageManager":"pnpm@10.0.0","scripts":{"test":"echo test","deps:update":"pnpm update"}}' > package.json`,
        ],
        why: 'the target adds nothing new',
      },
      { run: 'make update', given: [`printf 'update:\\n\\tnpm update\\n' > Makefile`], why: 'the target itself' },
    ],
  },
});

const managerOf = (program: string): string => (/^(?:pnpm|yarn|bun)$/.test(program) ? 'npm' : program.replace(/^pip3$/, 'pip'));

/** A name without the version behind it: `lodash@4`, `@scope/x@1`, `requests==2`. */
const plainName = (spec: string): string => spec.replace(/(?<=.)(?:@|[=<>~!]=|[<>]).*$/, '');
