/** docs/guide/limits.md out of the table of known holes. Pure. */
import { GENERATED } from '../internal/view/page.ts';
import type { Limit } from '../test/limits.ts';

export function limitsPage(limits: readonly Limit[]): string {
  const groups = [...new Set(limits.map((limit) => limit.group))];
  const sections = groups.map(
    (group) =>
      `## ${group}\n\n${limits
        .filter((limit) => limit.group === group)
        .map(section)
        .join('\n\n')}`,
  );
  return `${GENERATED('test/limits.ts')}

# What it knowingly cannot see

The guard judges a call by what can be read before it runs. It is no sandbox: each call below would do harm and passes today. A test pins every
one of them and turns red when the hole closes, so this page is neither longer nor shorter than the truth. What stands beyond the hooks (other
programs of the same user, a host that does not ask) is in [SECURITY](../../SECURITY.md).

${sections.join('\n\n')}
`;
}

const section = ({ what, call, why }: Limit): string => `### ${what}\n\n${shown(call)}\n\n${why}`;

function shown(call: Limit['call']): string {
  const given = call.given?.length ? `${call.given.map((line) => `# before: ${line}`).join('\n')}\n` : '';
  return 'run' in call ? `\`\`\`sh\n${given}${call.run}\n\`\`\`` : `\`\`\`\n${given}${call.tool} ${JSON.stringify(call.input)}\n\`\`\``;
}
