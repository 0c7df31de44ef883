import { defineRule, isKnownPackage, names, type Remedy } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'unknown-package',
  group: 'outside',
  level: 'notice',
  standing: true,
  summary: 'Look at a package before the first time it is installed.',
  why: `
    Installing a package runs its scripts, and a name that a model has made up may have been registered by somebody who
    waits for exactly that. One look at the registry tells whether it is the package that was meant.
  `,
  whyNotice: 'A new dependency is everyday work; whether a name is the right one cannot be told without the network.',
  evidence:
    'Cases sec-npm-unknown-package and sec-npx-unknown. In about 6,000 real agent calls 21 add a named package, all of them real ones, so a refusal would cost a turn each time and a sentence costs none. ' +
    'Reopen it when a registry mirror or an age of packages can be asked offline.',
  on: 'package.install',
  needs: ['unknownPackages'],
  category: 'external-effect',
  persistence: 'narrower-scope',
  quiet: [
    'packages of the manifest, the lock file or the installed tree',
    'names that everybody knows: `typescript`, `pytest`, `@types/…`',
    'an install without names',
    'paths of this machine',
    'inside a container or on another machine',
  ],

  judge(effect, { facts }) {
    if (effect.remote) return;
    const strange = effect.names.filter((name) => !isKnownPackage(effect.manager, name));
    const unknown = strange.length > 0 ? facts.unknownPackages(effect.manager, strange, effect.cwd) : [];
    const urls = effect.urls ?? [];
    if (unknown.length === 0 && urls.length === 0) return;
    const all = [...unknown, ...urls];
    const one = all.length === 1;
    const does = effect.exec ? 'would be fetched and run at once' : 'would be installed, and its scripts run';
    const look: Remedy[] =
      effect.preview && unknown.length > 0
        ? [{ kind: 'run', run: effect.preview, because: 'shows what the name stands for, without installing it' }]
        : [];
    return {
      says: `This workspace has never used ${names(all)}: ${one ? 'it' : 'they'} ${one ? does : does.replace('its', 'their')}.`,
      person: `A package that this workspace has never used: ${all.slice(0, 3).join(', ')}.`,
      ...(look.length > 0 ? { remedies: look } : {}),
      boundary: `package.install ${effect.manager} ${all.join(' ')}`,
    };
  },

  examples: {
    catches: [
      { run: 'npm install react-codeshift-helper-utils' },
      { run: 'npx -y speedy-code-fixer@latest .' },
      { run: 'pip install requets' },
      { run: 'pip install git+https://example.com/tool.git', why: 'a repository is no registry' },
      { run: 'pnpm dlx create-something-new' },
      { run: 'python3 -m pip install requets' },
    ],
    allows: [
      { run: 'npm install' },
      { run: 'npm ci' },
      {
        run: 'npm install left-pad',
        given: ['echo \'{"name":"repo","dependencies":{"left-pad":"1.3.0"}}\' > package.json'],
        why: 'the manifest names it',
      },
      { run: 'pip install -r requirements.txt' },
      { run: 'pip install -e .' },
      { run: 'npm install --dry-run react-codeshift-helper-utils' },
      { run: 'npm view react-codeshift-helper-utils' },
      { run: 'npx tsc --noEmit', why: 'nobody has made that name up' },
      { run: 'pip install pytest' },
    ],
  },
});
