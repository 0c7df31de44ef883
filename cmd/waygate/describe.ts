/** `waygate describe`: what is in force here, and what the guard knows: rules, tools, hosts, a file, limits. */
import { CLAUDE_CODE_TOOLS } from '../../internal/action/tools.ts';
import { HOSTS } from '../../internal/host/hosts.ts';
import { PAYLOAD_LIMIT } from '../../internal/host/payload.ts';
import { namesOf } from '../../internal/policy/check-rules.ts';
import { customRules } from '../../internal/policy/custom.ts';
import { nearest } from '../../internal/policy/nearest.ts';
import { MAX_POLICY_BYTES } from '../../internal/policy/snapshot.ts';
import { type LimitLine, limitLines, limitsView } from '../../internal/view/limits.ts';
import { rulePage } from '../../internal/view/page.ts';
import { type RuleRow, ruleRows, rulesTable } from '../../internal/view/rules-table.ts';
import { visible } from '../../internal/view/visible.ts';
import { RULES } from '../../rules/index.gen.ts';
import { waygateCommand } from './compose.ts';
import { describeFile } from './describe-file.ts';
import { describeTargets } from './describe-targets.ts';
import { describeVariables } from './describe-variables.ts';
import { generatedText } from './docs.ts';
import { type Exit, say, sayJson, UsageError } from './terminal.ts';
import { limitsHere } from './told.ts';
import { examples, type VerbModule } from './verb.ts';
import { workspaceHere } from './workspace.ts';

const TOPICS = ['rules', 'targets', 'tools', 'hosts', 'file', 'limits', 'variables'] as const;
type Topic = (typeof TOPICS)[number];

interface Flags {
  json?: boolean;
}

export const define: VerbModule['define'] = (command, exit) => {
  command
    .argument('<topic>', TOPICS.join(', '))
    .argument('[name]', 'a rule, or the path of a file')
    .option('--json', 'one JSON document')
    .action(async (topic: string, name: string | undefined, flags: Flags) =>
      exit(await describe(topicOf(topic), name, flags.json === true)),
    );
  examples(command, [
    ['waygate describe rules', 'the table: what is in force here and who set it'],
    ['waygate describe rules sed-in-place', 'the whole page of a rule'],
    ['waygate describe limits', 'what an agent is told when a session starts here'],
    ['waygate describe file dist/app.js', 'what a file is, what makes it, what is at stake'],
    ['waygate describe targets', 'what the workspace runs, what covers which tool, what looks like the gate'],
    ['waygate describe variables', 'the environment variables that are read'],
  ]);
};

function topicOf(topic: string): Topic {
  const words: Readonly<Record<string, Topic>> = {
    rule: 'rules',
    target: 'targets',
    tool: 'tools',
    host: 'hosts',
    files: 'file',
    limit: 'limits',
    variable: 'variables',
    env: 'variables',
    environment: 'variables',
  };
  const known = TOPICS.find((each) => each === (words[topic] ?? topic));
  if (known) return known;
  const near = nearest(topic, TOPICS);
  throw new UsageError(`describe: ${JSON.stringify(topic)} is not one of ${TOPICS.join(', ')}${near ? `; did you mean ${near}?` : ''}`);
}

async function describe(topic: Topic, name: string | undefined, json: boolean): Promise<Exit> {
  if (topic === 'rules') await (name === undefined ? allRules(json) : oneRule(name, json));
  else if (topic === 'file') await describeFile(name, json);
  else if (topic === 'variables') await describeVariables(json);
  else if (topic === 'targets') await describeTargets(json);
  else if (topic === 'limits') await limits(json);
  else table(topic, json);
  return 0;
}

async function allRules(json: boolean): Promise<void> {
  const { policy } = await workspaceHere();
  const rows = ruleRows(RULES, policy, customRules(policy));
  if (json) sayJson({ rules: rows });
  else say(visible(rulesTable(rows)));
}

async function oneRule(name: string, json: boolean): Promise<void> {
  const { policy } = await workspaceHere();
  const own = customRules(policy);
  const rule = namesOf(RULES).get(name);
  const row = ruleRows(RULES, policy, own).find((each) => each.name === (rule?.name ?? name));
  if (!row) {
    const near = nearest(name, [...namesOf(RULES).keys(), ...own.map((each) => each.name)]);
    throw new UsageError(
      `describe rules: there is no rule ${JSON.stringify(name)}${near ? `; did you mean ${near}?` : ''} (all rules: waygate describe rules)`,
    );
  }
  const page = rule ? rulePage(rule, await generatedText(rule)) : customPage(row);
  if (json) sayJson({ rules: [row], page });
  else say(`${page.replace(/^<!--[^\n]*-->\n\n/, '')}\n## Here\n\n${standing(row)}`);
}

const standing = (row: RuleRow): string =>
  visible(`${row.inForce}, set by ${row.setBy}.${row.waits ? ` A person's trust is missing: ${row.waits}.` : ''}`);

const customPage = (row: RuleRow): string =>
  `# ${row.name}\n\n**${row.default}**, a rule of this workspace (${row.setBy}). ${visible(row.summary)}\n`;

/** What an agent reads when its session starts here, and how much the guard reads. */
async function limits(json: boolean): Promise<void> {
  const { root, policy } = await workspaceHere();
  const here = limitsHere(root, { policy, rules: RULES, waygate: waygateCommand() });
  const reads: readonly LimitLine[] = [
    { name: 'payload', what: `${PAYLOAD_LIMIT} bytes; a larger one is refused` },
    { name: 'policy file', what: `${MAX_POLICY_BYTES} bytes; a larger one is set aside` },
    { name: 'not seen', what: 'docs/guide/limits.md' },
  ];
  if (json) sayJson({ limits: limitLines(here), reads, text: limitsView(here) });
  else say(`${limitsView(here)}\n\n${rowsText(reads.map(({ name, what }) => [name, what] as const))}`);
}

function table(topic: 'tools' | 'hosts', json: boolean): void {
  const rows: Readonly<Record<typeof topic, () => readonly (readonly [string, string])[]>> = {
    tools: () => Object.entries(CLAUDE_CODE_TOOLS).map(([name, tool]) => [name, tool.surface] as const),
    hosts: () => HOSTS.map((host) => [host.name, 'hook'] as const),
  };
  const found = rows[topic]();
  if (json) {
    sayJson({ [topic]: found.map(([name, what]) => ({ name, what })) });
    return;
  }
  say(rowsText(found));
}

function rowsText(rows: readonly (readonly [name: string, what: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, what]) => `${name.padEnd(width)}  ${what}`).join('\n');
}
