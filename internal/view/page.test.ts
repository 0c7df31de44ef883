import { describe, expect, it } from 'vitest';
import { quietRule } from '../policy/fixture.ts';
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts';
import { rulePage, rulesIndexPage } from './page.ts';
import { ruleRows, rulesTable } from './rules-table.ts';

const rule = quietRule('sed-in-place', 'deny', 'write', {
  aliases: ['sed-i'],
  why: '\n    One line.\n    Another.\n\n    A second paragraph.\n  ',
  quiet: ['a file that git holds'],
  needs: ['lost', 'show'],
  options: { lines: { what: 'Lines that may change.', default: 3, loosens: 'up' } },
  examples: {
    catches: [
      { run: "sed -i 's/`a`/b/' x", why: 'in place' },
      { run: "cat <<'E' > x\n```\nE", given: ['echo 1 > x'], gets: 'advise' },
    ],
    allows: [{ tool: 'Edit', input: { file_path: 'x' } }, { run: 'sed -n 1p x' }],
  },
});

describe('the page of a rule', () => {
  it('has everything a reader needs, in order', () => {
    expect(rulePage(rule, '[sed-in-place] Nothing ran.\nRun instead: <cmd>')).toMatchInlineSnapshot(`
      "<!-- Generated from rules/write/sed-in-place.ts. Change that file, then: npm run generate -->

      # sed-in-place

      **deny** by default. Say what sed-in-place guards.

      One line.
      Another.

      A second paragraph.

      Also known as \`sed-i\`.

      ## Caught

      - \`\` sed -i 's/\`a\`/b/' x \`\` - in place
      - \`\`\`\`sh
        cat <<'E' > x
        \`\`\`
        E
        \`\`\`\`
        **advise**, after \`echo 1 > x\`

      ## Not caught

      - \`Edit {"file_path":"x"}\`
      - \`sed -n 1p x\`

      ## What the agent reads

      > [sed-in-place] Nothing ran.  
      > Run instead: \\<cmd>

      ## Change it here

      \`\`\`yaml
      rules:
        sed-in-place: { verdict: advise, reason: "…", lines: 3 }
      \`\`\`

      - \`lines\`: Lines that may change. Default: 3.

      Lowering it counts once a person has run \`waygate trust\`.

      ## It keeps quiet about

      - a file that git holds

      ## What it looks at

      Effects: \`file.delete\`. Facts: \`lost\`, \`show\`. Category \`work-loss\`, persistence \`state-change\`.

      ## Evidence

      None, this is a test.
      "
    `);
  });

  it('a fixed rule says that no file changes it, a notice why it cannot deny', () => {
    expect(rulePage(quietRule('a', 'deny', 'guard', { fixed: true }))).toContain('No file can: it protects the guard itself.');
    expect(rulePage(quietRule('a', 'notice', 'write'))).toContain('It cannot deny: it cannot tell a mistake from a wish.');
  });

  it('the index names every rule once, by group', () => {
    const index = rulesIndexPage([rule, quietRule('file-delete', 'deny', 'work')]);
    expect(index).toContain('| [sed-in-place](sed-in-place.md) | deny | Say what sed-in-place guards. |');
    expect(index.indexOf('file-delete')).toBeLessThan(index.indexOf('sed-in-place'));
  });
});

describe('the table of rules', () => {
  const policy: Policy = {
    ...DEFAULT_POLICY,
    preset: 'safety',
    origins: { preset: { file: 'waygate.yaml', line: 2 } },
    rules: {
      'test-skip': { level: 'advise', origin: { file: '~/.config/waygate/waygate.yaml', line: 3 }, options: {} },
      'file-delete': {
        level: 'deny',
        origin: { file: 'default' },
        options: {},
        untrusted: { level: 'off', origin: { file: 'waygate.yaml', line: 7 } },
      },
    },
  };
  const rows = ruleRows(
    [
      rule,
      quietRule('test-skip', 'notice', 'write'),
      quietRule('file-delete', 'deny', 'work'),
      quietRule('owner-verb', 'deny', 'guard', { fixed: true }),
    ],
    policy,
  );
  const row = (name: string) => rows.find((each) => each.name === name);

  it('says what is in force and who set it', () => {
    expect(row('sed-in-place')).toMatchObject({
      default: 'deny',
      inForce: 'advise',
      setBy: 'preset safety, waygate.yaml:2',
      allowed: ['deny', 'advise', 'off'],
      whyNotice: null,
    });
    expect(row('test-skip')).toMatchObject({ inForce: 'advise', setBy: '~/.config/waygate/waygate.yaml:3', allowed: ['advise', 'off'] });
    expect(row('file-delete')).toMatchObject({ inForce: 'deny', setBy: 'default', waits: 'lowered in waygate.yaml:7, not yet trusted' });
    expect(row('owner-verb')).toMatchObject({ inForce: 'deny', allowed: [] });
  });

  it('reads as text', () => {
    const text = rulesTable(rows);
    expect(text).toContain('cannot deny: it cannot tell a mistake from a wish.');
    expect(text).toContain('lowered in waygate.yaml:7, not yet trusted');
    expect(text.indexOf('file-delete')).toBeLessThan(text.indexOf('sed-in-place'));
  });
});
