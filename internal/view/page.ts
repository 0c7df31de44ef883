/** A rule as a page, and the table of rules as an index. Pure: a rule and what the engine said about it in, markdown out. */
import type { AnyRule, Example } from '../rule/rule.ts';

/** The first line of every generated page. */
export const GENERATED = (source: string): string => `<!-- Generated from ${source}. Change that file, then: npm run generate -->`;

/** What each group protects, in the order of the index. */
export const GROUPS: Readonly<Record<string, string>> = {
  work: 'Work that exists nowhere else',
  push: 'What others already have',
  outside: 'Everything beyond the work tree',
  secrets: 'Credentials',
  guard: 'The guard itself',
  run: 'How commands are run',
  write: 'How files are written',
  read: 'How code is read',
  agents: 'How agents are started',
  leases: 'Who may write where',
  cost: 'What a session costs',
};

/** The file a rule stands in. */
export const sourceOf = (rule: Pick<AnyRule, 'group' | 'name'>): string => `rules/${rule.group}/${rule.name}.ts`;

/**
 * The page of a rule.
 * @param agentReads what the agent is told about the first example of `catches`, as the engine said it
 */
export function rulePage(rule: AnyRule, agentReads?: string): string {
  const parts = [
    GENERATED(sourceOf(rule)),
    `# ${rule.name}`,
    `**${rule.level}** by default${rule.fixed ? ', fixed' : ''}. ${rule.summary}`,
    paragraphs(rule.why),
    rule.aliases?.length ? `Also known as ${rule.aliases.map((alias) => `\`${alias}\``).join(', ')}.` : '',
    section(
      'Caught',
      rule.examples.catches.map((example) => exampleText(example, rule.level)),
    ),
    section(
      'Not caught',
      rule.examples.allows.map((example) => exampleText(example)),
    ),
    agentReads
      ? `## What the agent reads\n\n${agentReads
          .split('\n')
          .map((line) => (line === '' ? '>' : `> ${escaped(line)}`))
          .join('  \n')}`
      : '',
    `## Change it here\n\n${changeText(rule)}`,
    keepsQuiet(rule),
    `## What it looks at\n\n${looksAt(rule)}`,
    `## Evidence\n\n${paragraphs(rule.evidence)}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The index of all pages. */
export function rulesIndexPage(rules: readonly AnyRule[]): string {
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => {
    const own = rules.filter((rule) => rule.group === group).sort(byName);
    if (own.length === 0) return [];
    const rows = own.map(
      (rule) => `| [${rule.name}](${rule.name}.md) | ${rule.level}${rule.fixed ? ', fixed' : ''} | ${cell(rule.summary)} |`,
    );
    return [`## ${title} (\`${group}\`)\n\n| rule | default | claim |\n| --- | --- | --- |\n${rows.join('\n')}`];
  });
  const count = `${rules.length} rules`;
  return `${GENERATED('the files below rules/')}\n\n# Rules\n\n${count}. \`waygate describe rules\` shows what is in force in a workspace and who set it.\n\n${groups.join('\n\n')}\n`;
}

const byName = (a: AnyRule, b: AnyRule): number => (a.name < b.name ? -1 : 1);

/** A text of a rule file: indentation taken off, blank lines kept as the breaks between paragraphs. */
export const paragraphs = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .join('\n');

const section = (title: string, items: readonly string[]): string => `## ${title}\n\n${items.join('\n')}`;

/** One example as a list item: short ones inline, long ones as a block. */
function exampleText(example: Example, level?: string): string {
  const text = 'run' in example ? example.run : `${example.tool} ${JSON.stringify(example.input)}`;
  const notes = [
    ...('gets' in example && example.gets && example.gets !== level ? [`**${example.gets}**`] : []),
    ...(example.why ? [example.why] : []),
    ...(example.cwd ? [`in \`${example.cwd}\``] : []),
    ...Object.entries(example.env ?? {}).map(([name, value]) => `with \`${name}=${value}\``),
    ...(example.given?.length ? [`after ${example.given.map(code).join(', ')}`] : []),
  ];
  const note = notes.length > 0 ? ` - ${notes.join(', ')}` : '';
  if (!text.includes('\n')) return `- ${code(text)}${note}`;
  const fence = text.includes('```') ? '````' : '```';
  return `- ${fence}sh\n${text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')}\n  ${fence}${note === '' ? '' : `\n ${note.slice(2)}`}`;
}

/** Text as inline code, whatever backticks it holds; a line break is shown. */
function code(text: string): string {
  const line = text.replaceAll('\n', '\\n');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length));
  const tick = '`'.repeat(longest + 1);
  return longest > 0 ? `${tick} ${line} ${tick}` : `${tick}${line}${tick}`;
}

const escaped = (text: string): string => text.replaceAll('<', '\\<');
const cell = (text: string): string => text.replaceAll('|', '\\|');

function keepsQuiet(rule: AnyRule): string {
  const told = rule.standing ? ['what it has told this agent in the session'] : [];
  const lines = [...(rule.quiet ?? []), ...told];
  return lines.length === 0
    ? ''
    : section(
        'It keeps quiet about',
        lines.map((line) => `- ${line}`),
      );
}

/** The lines of waygate.yaml that change the rule, or why none do. */
function changeText(rule: AnyRule): string {
  if (rule.fixed) return 'No file can: it protects the guard itself.';
  const options = Object.entries(rule.options ?? {});
  const verdict = rule.level === 'deny' ? 'advise' : rule.level === 'notice' ? 'off' : 'deny';
  const given = options.map(([name, option]) => `, ${name}: ${JSON.stringify(option.default)}`).join('');
  const lines = ['```yaml', 'rules:', `  ${rule.name}: { verdict: ${verdict}, reason: "…"${given} }`, '```'];
  const meanings = options.map(([name, option]) => `- \`${name}\`: ${option.what} Default: ${JSON.stringify(option.default)}.`);
  const notice = rule.level === 'notice' ? `It cannot deny: ${rule.whyNotice ?? ''}`.trim() : '';
  const loosens = 'Lowering it counts once a person has run `waygate trust`.';
  return [lines.join('\n'), meanings.join('\n'), notice, loosens].filter((part) => part !== '').join('\n\n');
}

function looksAt(rule: AnyRule): string {
  const kinds = typeof rule.on === 'string' ? [rule.on] : rule.on;
  const facts =
    rule.needs.length > 0 ? ` Facts: ${rule.needs.map((need) => `\`${need}\``).join(', ')}.` : ' No facts: the call alone decides.';
  return `Effects: ${kinds.map((kind) => `\`${kind}\``).join(', ')}.${facts} Category \`${rule.category}\`, persistence \`${rule.persistence}\`.`;
}
