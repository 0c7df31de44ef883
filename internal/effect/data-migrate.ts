/**
 * Migration tools and frameworks: the verbs that drop or refill a database. What stands here is data, one line a verb;
 * a rollback of one step and a migration forward are everyday work and give nothing.
 */
import type { Command } from '../shell/command.ts';
import { isAnswered, isTestMode, isThrowawayName, isThrowawayUrl } from './data-input.ts';
import { RAILS, TOOLS, type Tool, type Verb } from './data-migrate-tools.ts';
import { databaseOf } from './data-url.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable } from './family.ts';
import { type Call, callOf, commandLine, isHelp, isRehearsal, matchPath, plainName } from './infra-words.ts';
import type { DataEffect } from './types-outside.ts';

/** The verbs of one tool, as a family. */
const family =
  (tool: Tool): Family =>
  (command, context) => {
    const call = callOf(command, tool);
    if (isHelp(call) || isRehearsal(call) || call.has('h')) return [];
    const verb = tool.verbs.find((each) => fits(each, call, command, context));
    return verb ? [loss(tool, verb, call, command, context)] : [];
  };

function fits(verb: Verb, call: Call, command: Command, context: EffectContext): boolean {
  const taken = matchPath(call.texts, verb.path);
  if (taken === undefined) return false;
  if (verb.needs && !call.has(...verb.needs)) return false;
  if (verb.unless && call.has(...verb.unless)) return false;
  if (verb.answered && !isAnswered(command, context)) return false;
  return verb.rest ? verb.rest(call.texts.slice(taken), call) : true;
}

function loss(tool: Tool, verb: Verb, call: Call, command: Command, context: EffectContext): DataEffect {
  const database = tool.configured ? databaseOf(call, command, context) : undefined;
  const mode = tool.mode ? call.text(...tool.mode) : undefined;
  const throwaway =
    isTestMode(command, context, tool.modeVariables ?? []) ||
    isThrowawayName(mode) ||
    isThrowawayUrl(call.text('url', 'u', 'database-url')) ||
    database?.throwaway === true;
  return {
    kind: 'data.destroy',
    ...baseOf(command),
    engine: tool.engine,
    how: verb.how ?? 'reset',
    what: plainName(verb.what ?? database?.name ?? `the database that ${tool.engine} is set up for`),
    ...(tool.preview ? { preview: tool.preview } : {}),
    ...(throwaway ? { throwaway } : {}),
    ...(database?.file ? { file: database.file } : {}),
    command: commandLine(command),
  };
}

/** Rails tasks take their environment as an operand too: `rails db:drop RAILS_ENV=test`. */
const rails: Family = (command, context) => {
  const call = callOf(command, RAILS);
  if (call.texts.some((text) => /^(RAILS|RACK)_ENV=test$/.test(text))) return [];
  return family(RAILS)(command, context);
};

/** Families of migration tools, by program. */
export const DATA_MIGRATIONS: FamilyTable = {
  ...Object.fromEntries(Object.entries(TOOLS).map(([name, tool]) => [name, family(tool)])),
  sequelize: family(TOOLS['sequelize-cli']!),
  'typeorm-ts-node-commonjs': family(TOOLS['typeorm']!),
  'typeorm-ts-node-esm': family(TOOLS['typeorm']!),
  'django-admin': family(TOOLS['manage.py']!),
  rails,
  rake: rails,
  'gitlab-rails': rails,
};
