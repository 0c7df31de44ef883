/** The `custom:` section of a policy file as entries. */
import type { AnyRule } from '../rule/rule.ts';
import type { Document, Path } from './document.ts';
import { globProblem } from './glob.ts';
import { type Draft, draftAt, type Entry, type Layer } from './layer.ts';

/**
 * The custom rules. One with a mistake stays in force as far as it can be told what it catches, and denies: dropping it
 * would open what it was written to close.
 */
export function customEntries(
  section: unknown,
  doc: Document,
  name: string,
  layer: Layer,
  isWrong: (path: Path) => boolean,
  rules: readonly AnyRule[],
): { entries: Entry[]; errors: Draft[] } {
  const entries: Entry[] = [];
  const errors: Draft[] = [];
  const taken = new Set<string>();
  if (!Array.isArray(section)) return { entries, errors };
  section.forEach((raw: unknown, index) => {
    const path: Path = ['custom', index];
    const rule = (raw ?? {}) as Record<string, unknown>;
    const title = rule['rule'];
    const wrong = ['rule', 'on'].some((field) => isWrong([...path, field])) || typeof title !== 'string';
    const spot = doc.at([...path, 'rule'], 'value');
    if (wrong) return;
    if (rules.some((other) => other.name === title || other.aliases?.includes(title))) {
      errors.push(
        draftAt(name, spot, `custom rule "${title}" has the name of a built-in rule`, {
          stays: 'The built-in rule stands, this one does not count.',
        }),
      );
      return;
    }
    if (taken.has(title)) {
      errors.push(draftAt(name, spot, `custom rule "${title}" is there twice`, { stays: 'The first one counts.' }));
      return;
    }
    taken.add(title);
    const paths = (rule['on'] as { path?: string }).path;
    const problem = paths === undefined ? undefined : globProblem(paths);
    if (problem !== undefined) {
      errors.push(
        draftAt(name, doc.at([...path, 'on', 'path']), `${JSON.stringify(paths)}: ${problem}`, {
          stays: 'The rule cannot be read and does not count.',
        }),
      );
      return;
    }
    const kept = {
      ...rule,
      verdict: isWrong([...path, 'verdict']) ? 'deny' : rule['verdict'],
      says: isWrong([...path, 'says']) ? `the workspace's rule ${title} refuses this` : rule['says'],
      ...(isWrong([...path, 'remedy']) ? { remedy: undefined } : {}),
      ...(isWrong([...path, 'examples']) ? { examples: undefined } : {}),
    };
    entries.push({
      key: `custom.${title}`,
      value: kept,
      raw: kept,
      origin: { file: name, line: spot.line },
      scope: layer.scope,
      free: layer.free,
    });
  });
  return { entries, errors };
}
