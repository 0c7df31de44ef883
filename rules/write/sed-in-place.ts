import {
  defineRule,
  type Finding,
  isOurs,
  isOwnProgram,
  names,
  pathsOf,
  type Remedy,
  readFirst,
  sameEdit,
  shownTargets,
  showsChange,
} from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'sed-in-place',
  group: 'write',
  summary: 'Do not rewrite tracked files with sed -i.',
  why: `
    GNU and BSD read \`-i\` differently, a pattern matches more than was meant or nothing at all, and either way the file is written before
    anyone has seen a difference. The edit tool checks the old text, and \`sed … | diff\` shows the change first.
  `,
  evidence:
    '8 of about 6,000 real calls (real/README.md); a silent miss costs another round of reading. Would reopen it: a measured share of refusals whose edit took more turns than the sed.',
  on: 'file.write',
  needs: ['file', 'place', 'text', 'show'],
  level: 'deny',
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'reading with sed',
    'untracked files, scratch directories, files outside the workspace',
    'a plain pattern that matches nothing',
    'scripts the repository tracks: they are its own programs',
    'callers without an edit tool',
  ],

  judge(effect, { facts, tools }): Finding | undefined {
    if (isOwnProgram(effect.script, facts)) return;
    if (effect.remote || effect.how !== 'sed -i' || !tools.edit) return;
    const ours = effect.targets.filter((target) => isOurs(target, facts));
    const [first] = ours;
    if (!first) return;
    const single = ours.length === 1 && effect.targets.length === 1 && first.path !== undefined && !first.glob ? first.path : undefined;
    const text = single === undefined ? undefined : facts.text(single);
    if (single !== undefined && effect.edit && text !== undefined && !text.includes(effect.edit.before)) return;
    const edit = single !== undefined && effect.edit ? sameEdit(tools.edit, single, effect.edit, text) : undefined;
    const preview = effect.preview ? showsChange(effect.preview, effect.targets, facts.show) : undefined;
    const read = single !== undefined && tools.read ? readFirst(tools.read, tools.edit, single) : undefined;
    const ways = [edit, preview, read].filter((way): way is Remedy => way !== undefined);
    const [best, ...rest] = ways;
    return {
      says: `\`sed -i\` would rewrite ${names(shownTargets(ours, facts.show))} before anyone has seen the change.`,
      ...(best ? {} : { level: 'advise' as const }),
      boundary: `file.rewrite ${pathsOf(ours)}`,
      remedies: best ? [best, ...(edit ? [] : rest)] : [{ kind: 'stop', because: `change the files one by one with ${tools.edit}` }],
    };
  },

  examples: {
    catches: [
      { run: "sed -i 's/export const app/export const main/' src/app.ts", why: 'one plain replacement: the edit tool does the same' },
      { run: "sed -i.bak -E 's/[0-9]+/2/' src/app.ts" },
      { run: "sed -i '' '1d' src/util.ts", why: "BSD's spelling" },
      { run: "find src -name '*.ts' -exec sed -i 's/const/let/' {} +" },
      { run: "sed -ni '/app/p' src/app.ts src/util.ts" },
    ],
    allows: [
      { run: "sed -n '1,20p' src/app.ts" },
      { run: "sed 's/a/b/' src/app.ts" },
      { run: 'echo a > /tmp/waygate-example.txt; sed -i s/a/b/ /tmp/waygate-example.txt', why: 'scratch' },
      { run: "sed -i 's/a/b/' notes.txt", given: ['echo a > notes.txt'], why: 'untracked' },
      { run: "sed -i 's/nothing like this/x/' src/app.ts", why: 'matches nothing' },
      { run: 'sed --help' },
    ],
  },
});
