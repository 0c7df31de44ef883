/** docs/requirements.md out of the table of requirements. Pure. */
import { GENERATED } from '../internal/view/page.ts';
import type { Requirement } from '../test/requirements.ts';

export function requirementsPage(requirements: readonly Requirement[]): string {
  const rows = requirements.map((each) => `| ${each.id} | ${each.who} | ${cell(each.what)} | ${proofs(each)} |`);
  const open = requirements.filter((each) => each.open !== undefined).length;
  const proved = requirements.filter((each) => (each.proofs?.length ?? 0) > 0).length;
  return `${GENERATED('test/requirements.ts')}

# Requirements

What the first three seeds ask for, and the test that proves it. \`guard\`: this program owns it. \`host\`: it needs the agent loop, so a verb or a
record is offered. \`both\`: a part each. ${proved} of ${requirements.length} have a test${open === 0 ? ', the others are the host’s' : `; ${open} say what is not proved, and why`}.
\`test/requirements.test.ts\` sees that every named test exists.

| id | whose | what | proved by, offered, not yet |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function proofs({ proofs: named, offered, open }: Requirement): string {
  const tests = (named ?? []).map(([file, title]) => `\`${file}\`${/^\w+\($|^%s$/.test(title) ? '' : `: ${cell(title)}`}`);
  return [...tests, ...(offered ? [`offered: ${cell(offered)}`] : []), ...(open ? [`**not yet**: ${cell(open)}`] : [])].join('<br>');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
