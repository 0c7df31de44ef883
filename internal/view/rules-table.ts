/** The table of rules as `describe rules` shows it. Pure. */
import { inForce, untrustedNote } from '../policy/in-force.ts';
import type { Policy } from '../policy/policy.ts';
import type { AnyRule } from '../rule/rule.ts';
import { GROUPS } from './page.ts';

/** One row (contract.md, "Shapes"). */
export interface RuleRow {
  name: string;
  aliases: readonly string[];
  group: string;
  default: string;
  inForce: string;
  /** `default`, `preset safety`, or file:line. */
  setBy: string;
  /** Verdicts a workspace may give; none for a fixed rule. */
  allowed: readonly string[];
  summary: string;
  whyNotice: string | null;
  /** A loosening that does not count yet, and why. */
  waits?: string;
}

/** The rows of a table under a policy, by group and name. `own`: the workspace's own rules. */
export function ruleRows(rules: readonly AnyRule[], policy: Policy, own: readonly AnyRule[] = []): readonly RuleRow[] {
  const order = Object.keys(GROUPS);
  const sorted = [...rules].sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group) || (a.name < b.name ? -1 : 1));
  return [...sorted.map((rule) => rowOf(rule, policy)), ...own.map((rule) => customRow(rule, policy))];
}

function rowOf(rule: AnyRule, policy: Policy): RuleRow {
  const { level } = inForce(rule, policy);
  const waits = untrustedNote(policy, rule.name);
  return {
    name: rule.name,
    aliases: rule.aliases ?? [],
    group: rule.group,
    default: rule.level,
    inForce: level,
    setBy: setBy(rule, policy, level),
    allowed: rule.fixed ? [] : rule.level === 'notice' ? ['advise', 'off'] : ['deny', 'advise', 'off'],
    summary: rule.summary,
    whyNotice: rule.whyNotice ?? null,
    ...(waits === undefined ? {} : { waits }),
  };
}

const customRow = (rule: AnyRule, policy: Policy): RuleRow => ({
  name: rule.name,
  aliases: [],
  group: 'custom',
  default: rule.level,
  inForce: rule.level,
  setBy: place(policy.custom.find((each) => each.rule === rule.name)?.origin),
  allowed: ['deny', 'advise'],
  summary: rule.summary,
  whyNotice: null,
});

function setBy(rule: AnyRule, policy: Policy, level: string): string {
  const own = rule.fixed || !Object.hasOwn(policy.rules, rule.name) ? undefined : policy.rules[rule.name];
  if (own && own.origin.file !== 'default') return place(own.origin);
  if (level === rule.level) return 'default';
  const from = policy.origins['preset'];
  return from ? `preset ${policy.preset}, ${place(from)}` : `preset ${policy.preset}`;
}

const place = (origin: { file: string; line?: number } | undefined): string =>
  origin === undefined ? 'default' : origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`;

/** The table as text, grouped, with what differs from its default in view. */
export function rulesTable(rows: readonly RuleRow[]): string {
  const width = Math.max(...rows.map((row) => row.name.length));
  const groups = [...new Set(rows.map((row) => row.group))];
  return groups
    .map((group) => {
      const own = rows.filter((row) => row.group === group);
      return [`${GROUPS[group] ?? "The workspace's own rules"} (${group})`, ...own.flatMap((row) => rowLines(row, width))].join('\n');
    })
    .join('\n\n');
}

function rowLines(row: RuleRow, width: number): readonly string[] {
  const indent = ' '.repeat(width + 4);
  const changed = row.setBy === 'default' ? '' : `  (default ${row.default}; ${row.setBy})`;
  const allowed = row.allowed.length === 0 ? 'fixed' : `may be ${row.allowed.join(', ')}`;
  return [
    `  ${row.name.padEnd(width)}  ${row.inForce.padEnd(6)}  ${row.summary}`,
    `${indent}${' '.repeat(8)}${allowed}${row.aliases.length > 0 ? `; also ${row.aliases.join(', ')}` : ''}${changed}`,
    ...(row.waits ? [`${indent}${' '.repeat(8)}${row.waits}`] : []),
    ...(row.whyNotice ? [`${indent}${' '.repeat(8)}cannot deny: ${row.whyNotice}`] : []),
  ];
}
