import { defineRule, type EffectOf, type Facts, type Target, touched } from '../../internal/rule/rule.ts';

type On = 'file.read' | 'file.write' | 'file.delete' | 'file.move' | 'file.copy' | 'file.link' | 'file.mode' | 'file.sync';

const HIDING = ['printf \'version: 1\\nprotected:\\n  hidden: ["vault/**"]\\n\' > waygate.yaml'];

/** Everything a call reads, copies or changes. A read that walks a whole tree is not stopped for what lies in it. */
function targetsOf(effect: EffectOf<On>, facts: Pick<Facts, 'file'>): readonly { target: Target; tree: boolean }[] {
  const changed = touched(effect, facts);
  if (effect.kind === 'file.read') return effect.targets.map((target) => ({ target, tree: target.glob === true }));
  if (effect.kind === 'file.copy') return [...effect.sources.map((target) => ({ target, tree: false })), ...changed];
  return changed;
}

export default defineRule({
  name: 'hidden-target',
  group: 'guard',
  summary: 'Work with what is available in this run.',
  why: `
    Some paths are not there for an agent: other people's data, material of another task. Whether such a file exists is part of what is
    hidden, so a call that meets one gets the same sentence whether something lies there or not.
  `,
  evidence:
    'Derived from the requirements: an invisible resource gives an indistinguishable, bounded message, and only the protected log has the reason. Says nothing where no path is declared. A search through a whole tree is not stopped for what lies in it. Would reopen it: a host that can hide files from a run itself.',
  on: ['file.read', 'file.write', 'file.delete', 'file.move', 'file.copy', 'file.link', 'file.mode', 'file.sync'],
  needs: ['hidden', 'file'],
  level: 'deny',
  category: 'outside-workspace',
  persistence: 'not-in-this-run',
  quiet: ['workspaces that declare no `protected.hidden`', 'searches through a whole tree'],

  judge(effect, { facts }) {
    if (effect.remote) return;
    const met = targetsOf(effect, facts).some(({ target, tree }) => {
      const path = target.path ?? (target.prefix || undefined);
      return path !== undefined && facts.hidden(path, tree);
    });
    if (!met) return;
    return {
      says: 'The target is not available in this run.',
      person: 'The agent asked for a path that this workspace hides from agents.',
      boundary: 'target unavailable',
      remedies: [
        { kind: 'wait', because: 'go on with what is available; asking for it in another way gives the same answer' },
        {
          kind: 'ask',
          ask: 'Something I asked for is not available in this run. Could you give me what I need of it?',
          because: 'only the owner knows',
        },
      ],
    };
  },

  examples: {
    catches: [
      { run: 'cat vault/plan.md', given: [...HIDING, 'mkdir vault', 'echo x > vault/plan.md'] },
      { run: 'cat vault/plan.md', given: HIDING, why: 'nothing lies there, and the answer is the same' },
      { run: 'cp vault/plan.md notes.md', given: [...HIDING, 'mkdir vault', 'echo x > vault/plan.md'] },
      { run: 'echo x > vault/other.md', given: [...HIDING, 'mkdir vault'] },
      { tool: 'Read', input: { file_path: '{{repo}}/vault/plan.md' }, given: HIDING },
    ],
    allows: [
      { run: 'cat vault/plan.md', given: ['mkdir vault', 'echo x > vault/plan.md'], why: 'nothing is declared' },
      { run: 'cat README.md', given: HIDING },
      { run: 'grep -rn app .', given: HIDING, why: 'a walk through the tree' },
      { tool: 'Read', input: { file_path: '{{repo}}/vaults.md' }, given: HIDING },
    ],
  },
});
