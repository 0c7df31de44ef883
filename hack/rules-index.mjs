// The index of rules: one import per rule file, sorted by path, so that a rule exists as soon as its file does.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const GENERATED = '// Generated from the files below rules/. Change those, then: npm run generate\n';

/** The text of rules/index.gen.ts. */
export function rulesIndex(root) {
  const names = readdirSync(join(root, 'rules'), { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.gen.ts') && !name.endsWith('.test.ts') && name.includes('/'))
    .sort();
  const identifier = (name) =>
    name
      .replace(/^.*\//, '')
      .replace(/\.ts$/, '')
      .replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const imports = names.map((name) => `import ${identifier(name)} from './${name}';\n`).join('');
  const list = names.map((name) => `  ${identifier(name)},\n`).join('');
  return `${GENERATED}import type { AnyRule } from '../internal/rule/rule.ts';\n${imports}\nexport const RULES: readonly AnyRule[] = [\n${list}];\n`;
}

/** Writes it when it differs. Returns whether it did. */
export function writeRulesIndex(root, { check = false } = {}) {
  const file = join(root, 'rules', 'index.gen.ts');
  const wanted = rulesIndex(root);
  let present = '';
  try {
    present = readFileSync(file, 'utf8');
  } catch {
    // Not there yet.
  }
  if (present === wanted) return false;
  if (!check) writeFileSync(file, wanted);
  return true;
}
