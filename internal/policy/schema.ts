/** The shape of waygate.yaml. Loaded by the compiler and by `waygate schema` only, never on the hot path. */

import { z } from 'zod';
import { CATEGORIES } from '../decision/category.ts';
import { ROLES } from '../profile/profile.ts';
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
      command: text
        .regex(/\{target\}/, 'needs {target} where the name of a target stands')
        .optional()
        .describe('How a target is run: `npm run {target}`.'),
      combine: z
        .enum(['args', 'none'])
        .optional()
        .describe('args: one call takes several targets (`make lint test`). none: one target a call.'),
      pass: text
        .regex(/\{args\}/, 'needs {args} where the words stand')
        .optional()
        .describe('How words are handed to the tool behind a target: `-- {args}`.'),
      targets: z
        .record(
          z.string(),
          z.strictObject({
            command: text.optional().describe('How this one is run, at the root of the workspace.'),
            covers: z.array(text).optional().describe('Tools it runs: `vitest`, `eslint --fix`.'),
            includes: z.array(text).optional().describe('Targets that run with it.'),
            writes: z.array(glob).optional().describe('Files it writes: `dist/**`.'),
            role: z.enum(ROLES).optional().describe('What it is for.'),
            gate: z.boolean().optional().describe('It looks like the gate: `waygate init` proposes it. Only `gate:` is enforced.'),
            endless: z.boolean().optional().describe('It runs until it is interrupted: a server, a watcher.'),
          }),
        )
        .optional()
        .describe('What each target stands for. A target of this name that is detected keeps what is not given here.'),
    })
    .optional()
    .describe('The task runner; detected when absent.'),
  environment: z
    .record(
      z.string().regex(/^[A-Z][A-Z0-9]*_$/, 'a prefix is upper case and ends with _'),
      z.strictObject({
        names: z.array(text).optional().describe('The variables there are, with the prefix.'),
        from: text.optional().describe('A file that names them, one assignment a line: `.env.example`.'),
        retired: z.record(z.string(), text).optional().describe('Names that are read no longer, and the name that counts instead.'),
      }),
    )
    .optional()
    .describe('Prefixes of variables that belong to this workspace: a name with one of them that does not exist is refused.'),
  gate: z
    .strictObject({ command: text, branches: z.array(glob).optional() })
    .optional()
    .describe('The command that has to pass before a push, and the branches it guards.'),
  generated: z
    .array(
      z.strictObject({
        files: glob.describe('The files: `docs/reference/**`.'),
        by: text.optional().describe('The command that makes them, run at the root of the workspace: `npm run docs`.'),
        from: z
          .union([glob, z.array(glob).min(1)])
          .optional()
          .describe('What they are made from: `rules/**`.'),
      }),
    )
    .optional()
    .describe('Files that a command makes: an edit by hand is refused, the source is named.'),
  regenerable: z.array(glob).optional().describe('Files nobody misses: caches, outputs.'),
  protected: z
    .strictObject({
      branches: z.array(glob).optional().describe('Branches besides those protected anyway.'),
      paths: z.array(glob).optional().describe('Paths that an agent does not change.'),
      hidden: z.array(glob).optional().describe('Paths that are not there for an agent: neither read nor changed, and never named.'),
    })
    .optional(),
  skills: z
    .array(
      z
        .strictObject({
          topic: text.optional().describe('What it is for: `spawn`.'),
          skill: text.describe('Its name.'),
          source: text.optional().describe('The file or folder it is written in: `skills/guard`.'),
          installed: text.optional().describe('The file or folder an installer copies it to: `.claude/skills/guard`.'),
          by: text.optional().describe('The command that installs it, run at the root of the workspace.'),
        })
        .refine((skill) => (skill.source === undefined) === (skill.installed === undefined), 'source and installed belong together')
        .refine((skill) => skill.topic !== undefined || skill.installed !== undefined, 'one of topic, installed is needed'),
    )
    .optional()
    .describe('Skills by what they are for, and where an installed copy comes from.'),
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
