#!/usr/bin/env node
// npm run new-rule -- GROUP/NAME: writes a rule file that compiles and passes, to be filled.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeRulesIndex } from './rules-index.mjs';

const GROUPS = ['work', 'push', 'outside', 'secrets', 'guard', 'run', 'read', 'write', 'agents', 'leases', 'cost'];

/** The text of a new rule: speaks about one program that nobody has, so that its examples hold from the start. */
export const ruleText = (group, name) => `import { defineRule } from '../../internal/rule/rule.ts';

export default defineRule({
  name: '${name}',
  group: '${group}',
  level: 'notice',
  whyNotice: 'A new rule speaks first and refuses later, when its remedy has been tried.',
  summary: 'Say in one sentence what not to do.',
  why: \`
    What goes wrong without this rule, in a sentence or two.
  \`,
  evidence: 'What the habit costs, where that was measured, and what would reopen the setting.',
  on: 'process.wait',
  needs: [],
  category: 'hidden-result',
  persistence: 'narrower-scope',

  judge(effect) {
    if (effect.seconds !== 4321) return undefined;
    return { says: \`\\\`\${effect.source}\\\` waits for \${effect.seconds} seconds.\`, boundary: '${name}' };
  },

  examples: {
    catches: [{ run: 'sleep 4321' }, { run: 'echo a; sleep 4321' }],
    allows: [{ run: 'sleep 1' }, { run: "echo 'sleep 4321'", why: 'text' }],
  },
});
`;

function main([where, ...rest]) {
  const root = process.env['WAYGATE_ROOT'] ?? join(dirname(fileURLToPath(import.meta.url)), '..');
  const [group, name] = (where ?? '').split('/');
  const usage = (what) => {
    console.error(`${what}\nusage: npm run new-rule -- GROUP/NAME   (groups: ${GROUPS.join(', ')})`);
    return 2;
  };
  if (rest.length > 0) return usage(`one rule at a time, not also ${rest.join(' ')}`);
  if (!GROUPS.includes(group)) return usage(`no group \`${group}\``);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name ?? '')) return usage(`a rule is named in lower case with dashes, not \`${name ?? ''}\``);
  const taken = readdirSync(join(root, 'rules'), { recursive: true }).find((file) => String(file).endsWith(`/${name}.ts`));
  if (taken) return usage(`there is a rule of that name: rules/${taken}`);
  const file = join(root, 'rules', group, `${name}.ts`);
  if (existsSync(file)) return usage(`${file} exists`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, ruleText(group, name));
  writeRulesIndex(root);
  console.log(`wrote rules/${group}/${name}.ts\nfill it, then: npm run generate && npm test`);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(main(process.argv.slice(2)));
