import { defineRule, touched } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'protected-path',
  group: 'work',
  summary: 'Leave the paths alone that this workspace protects.',
  why: `
    A workspace names folders that an agent is not to change on its own: infrastructure, migrations that ran, generated keys. Which tool
    the change comes from makes no difference.
  `,
  evidence:
    'Derived from the contract: `protected.paths` of waygate.yaml is announced at the start of a session, so it has to hold. Says nothing where no path is declared. Would reopen it: a workspace that wants some kinds of change in such a folder.',
  on: ['file.write', 'file.delete', 'file.move', 'file.copy', 'file.link', 'file.mode', 'file.sync', 'net.fetch'],
  needs: ['protectedPath', 'file', 'show'],
  level: 'deny',
  category: 'approval-required',
  persistence: 'owner-action',
  quiet: ['reading', 'workspaces that declare no `protected.paths`', 'what git itself writes when it changes branches'],

  judge(effect, { facts }) {
    if (effect.remote) return;
    for (const { target, how, tree } of touched(effect, facts)) {
      const path = target.path ?? (target.prefix || undefined);
      const glob = path === undefined ? undefined : facts.protectedPath(path, tree || target.glob === true || target.path === undefined);
      if (path === undefined || glob === undefined) continue;
      const shown = facts.show(path);
      return {
        says: `This would ${how === 'delete' || how === 'move away' ? 'remove' : 'change'} \`${shown}\`, which this workspace protects (\`${facts.show(glob)}\`).`,
        person: `The agent wanted to change ${shown}, a protected path.`,
        boundary: `protected.path ${path}`,
        remedies: [{ kind: 'ask', ask: `May I change ${shown}?`, because: 'the workspace keeps this path for its owner' }],
      };
    }
    return undefined;
  },

  examples: {
    catches: [
      {
        run: 'echo x > infra/main.tf',
        given: ['printf \'version: 1\\nprotected:\\n  paths: ["infra/**"]\\n\' > waygate.yaml', 'mkdir infra'],
      },
      { run: 'rm -rf infra', given: ['printf \'version: 1\\nprotected:\\n  paths: ["infra/**"]\\n\' > waygate.yaml', 'mkdir infra'] },
      {
        tool: 'Write',
        input: { file_path: 'infra/main.tf', content: 'x' },
        given: ['printf \'version: 1\\nprotected:\\n  paths: ["infra/**"]\\n\' > waygate.yaml', 'mkdir infra'],
      },
      {
        run: 'mv src/util.ts infra/util.ts',
        given: ['printf \'version: 1\\nprotected:\\n  paths: ["infra/**"]\\n\' > waygate.yaml', 'mkdir infra'],
      },
    ],
    allows: [
      { run: 'echo x > infra/main.tf', given: ['mkdir infra'], why: 'nothing is declared' },
      {
        run: 'cat infra/main.tf',
        given: ['printf \'version: 1\\nprotected:\\n  paths: ["infra/**"]\\n\' > waygate.yaml', 'mkdir infra', 'echo x > infra/main.tf'],
      },
      { run: 'echo x > notes.txt', given: ['printf \'version: 1\\nprotected:\\n  paths: ["infra/**"]\\n\' > waygate.yaml', 'mkdir infra'] },
      {
        tool: 'Write',
        input: { file_path: 'infrastructure.md', content: 'x' },
        given: ['printf \'version: 1\\nprotected:\\n  paths: ["infra/**"]\\n\' > waygate.yaml', 'mkdir infra'],
      },
    ],
  },
});
