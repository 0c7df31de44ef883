/** The `rules:` of a policy file against the table of rules. All mistakes at once; each keeps its rule's stricter value. */
import type { AnyRule } from '../rule/rule.ts';
import type { Document, Path } from './document.ts';
import { type Draft, draftAt, type Entry, type Layer } from './layer.ts';
import { nearest } from './nearest.ts';
import { allowedVerdicts, VERDICTS } from './schema.ts';

/** What the section gives. */
export interface CheckedRules {
  entries: Entry[];
  errors: Draft[];
  bad: string[];
}

/** Words other tools use for the key that holds the verdict. */
const VERDICT_WORDS = ['level', 'severity', 'action', 'verdict'];

/** Checks the section. `name`: the file as texts name it. */
export function checkRules(
  section: Readonly<Record<string, unknown>>,
  doc: Document,
  name: string,
  layer: Layer,
  rules: readonly AnyRule[],
): CheckedRules {
  const checked: CheckedRules = { entries: [], errors: [], bad: [] };
  const seen = new Map<string, string>();
  const byName = namesOf(rules);
  for (const [given, value] of Object.entries(section)) {
    const at = doc.at(['rules', given], 'key');
    const rule = byName.get(given);
    if (!rule) {
      const near = nearest(given, byName.keys());
      const meant = near === undefined ? undefined : byName.get(near);
      const stays = meant ? `The rule ${meant.name} stays at ${meant.level}.` : 'Nothing changes by it. All rules: waygate describe rules';
      checked.errors.push(draftAt(name, at, `unknown rule "${given}"`, { nearest: meant?.name, stays }));
      if (meant && !meant.fixed) checked.bad.push(`rules.${meant.name}`);
      continue;
    }
    const key = `rules.${rule.name}`;
    if (rule.fixed) {
      checked.errors.push(
        draftAt(name, at, `rule "${given}" is fixed: it protects the guard itself and cannot be set`, {
          stays: `It stays at ${rule.level}.`,
        }),
      );
      continue;
    }
    const twice = seen.get(rule.name);
    if (twice !== undefined) {
      checked.errors.push(draftAt(name, at, `rule "${rule.name}" is set twice: as "${twice}" and as "${given}"`, { key }));
      checked.bad.push(key);
      continue;
    }
    seen.set(rule.name, given);
    checkRule(rule, value, ['rules', given], { doc, name, layer, checked });
  }
  return checked;
}

/** Names and aliases of a table. A name wins over another rule's alias. */
export function namesOf(rules: readonly AnyRule[]): ReadonlyMap<string, AnyRule> {
  const names = new Map<string, AnyRule>();
  for (const rule of rules) for (const alias of rule.aliases ?? []) names.set(alias, rule);
  for (const rule of rules) names.set(rule.name, rule);
  return names;
}

interface Place {
  doc: Document;
  name: string;
  layer: Layer;
  checked: CheckedRules;
}

function checkRule(rule: AnyRule, value: unknown, path: Path, place: Place): void {
  const { doc, checked, name } = place;
  const key = `rules.${rule.name}`;
  const wrong: Wrong = (at, what, message, near) => {
    checked.errors.push(draftAt(name, doc.at(at, what), message, { key, nearest: near }));
    checked.bad.push(key);
  };
  if (value === null || typeof value !== 'object') {
    const verdict = checkVerdict(rule, value, path, wrong);
    if (verdict) add(rule, verdict, undefined, path, place);
    return;
  }
  if (Array.isArray(value)) {
    wrong(path, 'value', `rule "${rule.name}" takes a verdict or { verdict, reason, … }, not a list`);
    return;
  }
  const { verdict, reason, ...options } = value as Record<string, unknown>;
  if (reason !== undefined && typeof reason !== 'string') wrong([...path, 'reason'], 'value', 'a reason is a text');
  if (verdict !== undefined) {
    const level = checkVerdict(rule, verdict, [...path, 'verdict'], wrong);
    if (level) add(rule, level, typeof reason === 'string' ? reason : undefined, [...path, 'verdict'], place);
  }
  for (const [option, given] of Object.entries(options)) checkOption(rule, option, given, [...path, option], place, wrong);
}

type Wrong = (at: Path, what: 'key' | 'value', message: string, near?: string) => void;

function checkVerdict(rule: AnyRule, value: unknown, path: Path, wrong: Wrong): string | undefined {
  const allowed = allowedVerdicts(rule);
  if (typeof value === 'string' && allowed.includes(value)) return value;
  if (value === 'deny') {
    wrong(
      path,
      'value',
      `rule "${rule.name}" is a notice and cannot deny: ${rule.whyNotice ?? 'it cannot tell whether the call is wrong'}`,
    );
    return undefined;
  }
  const near = value === false ? 'off' : typeof value === 'string' ? nearest(value, allowed) : undefined;
  wrong(
    path,
    'value',
    `unknown verdict ${JSON.stringify(value)} for rule "${rule.name}": ${(rule.level === 'notice' ? allowed : VERDICTS).join(', ')} are known`,
    near,
  );
  return undefined;
}

function checkOption(rule: AnyRule, option: string, given: unknown, path: Path, place: Place, wrong: Wrong): void {
  const known = Object.keys(rule.options ?? {});
  const declared = rule.options && Object.hasOwn(rule.options, option) ? rule.options[option] : undefined;
  const title = `"${option}" of rule "${rule.name}"`;
  if (!declared) {
    const near = VERDICT_WORDS.includes(option) ? 'verdict' : nearest(option, ['verdict', 'reason', ...known]);
    const takes = known.length === 0 ? 'it takes none at all' : `${known.join(', ')} are known`;
    wrong(path, 'key', `rule "${rule.name}" takes no option "${option}": ${takes}`, near);
  } else if (typeof given !== typeof declared.default) {
    wrong(path, 'value', `option ${title} is a ${typeof declared.default}, not ${JSON.stringify(given)}`);
  } else if (typeof given === 'number' && !(Number.isFinite(given) && given >= 1)) {
    wrong(path, 'value', `option ${title} must be at least 1, not ${given}`);
  } else place.checked.entries.push(entryOf(`rules.${rule.name}.${option}`, given, undefined, path, place));
}

const add = (rule: AnyRule, level: string, reason: string | undefined, path: Path, place: Place): void =>
  void place.checked.entries.push(entryOf(`rules.${rule.name}`, level, reason, path, place));

const entryOf = (key: string, value: unknown, reason: string | undefined, path: Path, { doc, name, layer }: Place): Entry => ({
  key,
  value,
  raw: value,
  origin: { file: name, line: doc.at(path, 'key').line },
  ...(reason === undefined ? {} : { reason }),
  scope: layer.scope,
  free: layer.free,
});
