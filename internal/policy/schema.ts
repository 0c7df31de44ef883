/** The shape of waygate.yaml. Loaded by the compiler and by `waygate schema` only, never on the hot path. */

import { z } from 'zod';
import { CATEGORIES } from '../decision/category.ts';
import type { AnyRule } from '../rule/rule.ts';

const text = z.string().min(1);
const glob = text;

/** Verdicts a file may give. */
export const VERDICTS = ['deny', 'advise', 'off'] as const;

const custom = z.strictObject({
  rule: z
    .string()
    .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'a rule is named in lower case with dashes')
    .describe('Name of the rule, lower case with dashes.'),
  verdict: z.enum(['deny', 'advise']),
  category: z
    .enum(CATEGORIES)
    .optional()
    .describe(
      'What a refusal by it is about; approval-required when absent. `retired-tool`: the call is of a tool that is no longer to be used.',
    ),
  on: z
    .strictObject({
      run: glob.optional().describe('A command: `prisma migrate *`. `*` stands for any text.'),
      effect: glob.optional().describe('A kind of effect: `git.push`, `file.*`.'),
      path: glob.optional().describe('A path that would be changed: `infra/**`.'),
      tool: glob.optional().describe('The name of a tool: `mcp__db__*`.'),
    })
    .refine((on) => Object.keys(on).length > 0, 'one of run, effect, path, tool is needed')
    .describe('What it catches. Several conditions must all hold.'),
  says: text.describe('One sentence for the agent: why not.'),
  remedy: z
    .strictObject({ run: text.optional(), ask: text.optional() })
    .refine((remedy) => (remedy.run === undefined) !== (remedy.ask === undefined), 'either run or ask is needed')
    .optional()
    .describe('The way on: a command, or a sentence to put to the owner.'),
  examples: z
    .strictObject({ catches: z.array(text).min(1), allows: z.array(text).optional() })
    .optional()
    .describe('Commands it catches and commands it lets through, word for word; `waygate test` runs them.'),
});

/** The whole file. `rules` is checked against the table of rules by check-rules.ts. */
export const POLICY_SHAPE = z.strictObject({
  version: z.literal(1).optional().describe('Version of this format.'),
  preset: z
    .enum(['strict', 'safety'])
    .optional()
    .describe('strict: the default verdicts. safety: only what loses or sends something denies, the rest advises.'),
  extends: z
    .array(text)
    .optional()
    .describe('Data files (YAML or JSON) to start from: a relative path or a file of an installed package. Never code.'),
  rules: z.record(z.string(), z.unknown()).optional().describe('Verdict and options by rule.'),
  runner: z
    .strictObject({
      command: text.optional().describe('How a target is run: `npm run {target}`.'),
      targets: z
        .record(z.string(), z.strictObject({ covers: z.array(text).optional(), gate: z.boolean().optional() }))
        .optional()
        .describe('What each target stands for.'),
    })
    .optional()
    .describe('The task runner; detected when absent.'),
  gate: z
    .strictObject({ command: text, branches: z.array(glob).optional() })
    .optional()
    .describe('The command that has to pass before a push, and the branches it guards.'),
  generated: z
    .array(z.strictObject({ files: glob, by: text.optional(), from: text.optional() }))
    .optional()
    .describe('Files that a command makes.'),
  regenerable: z.array(glob).optional().describe('Files nobody misses: caches, outputs.'),
  protected: z
    .strictObject({
      branches: z.array(glob).optional().describe('Branches besides those protected anyway.'),
      paths: z.array(glob).optional().describe('Paths that an agent does not change.'),
      hidden: z.array(glob).optional().describe('Paths that are not there for an agent: neither read nor changed, and never named.'),
    })
    .optional(),
  skills: z.array(z.strictObject({ topic: text, skill: text })).optional(),
  network: z
    .strictObject({ allow: z.array(text) })
    .optional()
    .describe('Hosts an agent may reach; absent: not judged.'),
  budgets: z.record(z.string(), z.int().min(1)).optional().describe('How often per session.'),
  halting: z
    .strictObject({
      boundary: z.int().min(1).optional().describe('Refusals on one boundary. Default: 6.'),
      category: z.int().min(1).optional().describe('Refusals of one tool in a row, of one category. Default: 6.'),
      any: z.int().min(1).optional().describe('Refusals and failures of one tool in a row, of any kind. Default: 12.'),
    })
    .optional()
    .describe('When a run is stopped.'),
  owner: z.enum(['request', 'ask']).optional().describe('How an owner is asked.'),
  cost: z.enum(['off', 'watch', 'tight']).optional(),
  custom: z.array(custom).optional().describe('Rules of your own.'),
  deadline: z.int().min(100).max(10_000).optional().describe('Time for one judgement, in milliseconds.'),
});

/** A verdict of a rule as a file may give it. */
export function allowedVerdicts(rule: Pick<AnyRule, 'level' | 'fixed'>): readonly string[] {
  if (rule.fixed) return [];
  return rule.level === 'notice' ? ['advise', 'off'] : VERDICTS;
}

/** The JSON schema of waygate.yaml for editors, with every rule and its options by name. */
export function policySchema(rules: readonly AnyRule[]): Record<string, unknown> {
  const base = z.toJSONSchema(POLICY_SHAPE, { target: 'draft-7', unrepresentable: 'any' }) as Record<string, unknown>;
  const properties = base['properties'] as Record<string, unknown>;
  const settable = rules.filter((rule) => !rule.fixed).sort((a, b) => (a.name < b.name ? -1 : 1));
  properties['rules'] = {
    type: 'object',
    description: 'Verdict and options by rule.',
    additionalProperties: false,
    properties: Object.fromEntries(settable.map((rule) => [rule.name, ruleSchema(rule)])),
  };
  return { ...base, title: 'waygate.yaml' };
}

function ruleSchema(rule: AnyRule): Record<string, unknown> {
  const verdict = { enum: allowedVerdicts(rule) };
  const options = Object.entries(rule.options ?? {}).map(([name, option]) => [name, optionSchema(option)]);
  return {
    description: `${rule.summary} Default: ${rule.level}.`,
    anyOf: [
      verdict,
      { type: 'object', additionalProperties: false, properties: { verdict, reason: { type: 'string' }, ...Object.fromEntries(options) } },
    ],
  };
}

const optionSchema = (option: { what: string; default: unknown }): Record<string, unknown> => ({
  type: typeof option.default,
  description: option.what,
  default: option.default,
  ...(typeof option.default === 'number' ? { minimum: 1 } : {}),
});
