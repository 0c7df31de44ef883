import {
  defineRule,
  type Finding,
  isOurs,
  isOwnProgram,
  names,
  pathsOf,
  type Remedy,
  readFirst,
  shownTargets,
  showsChange,
} from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'scripted-rewrite',
  group: 'write',
  summary: 'Do not replace text in tracked files by a program.',
  why: `
    A pattern cannot tell your symbol from a dependency's, and a script that reads, substitutes and writes back damages the files before a
    difference exists to look at. \`perl -pi\`, \`awk -i inplace\`, \`ed\` and a Python heredoc with \`replace\` are the same act.
  `,
  evidence:
    'More than 30 heredoc rewrites over 20 files passed unseen where only `sed -i` was refused (rules.md A3). In real/calls.jsonl 2 of about 6,000 calls. Would reopen it: a codemod habit with a declared generator, which the policy can name.',
  on: 'file.write',
  needs: ['file', 'place', 'show'],
  level: 'deny',
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'appending',
    'untracked files, scratch directories, files outside the workspace',
    'files that are not known before the run',
    'scripts the repository tracks: they are its own programs',
    'callers without an edit tool',
  ],

  judge(effect, { facts, tools }): Finding | undefined {
    if (isOwnProgram(effect.script, facts)) return;
    if (
      effect.remote ||
      !effect.substitutes ||
      effect.how === 'sed -i' ||
      effect.mode === 'append' ||
      !tools.edit ||
      effect.by === tools.edit
    )
      return;
    const ours = effect.targets.filter((target) => isOurs(target, facts));
    const [first] = ours;
    if (!first) return;
    const single =
      ours.length === 1 && first.path !== undefined && !first.glob && facts.file(first.path).kind === 'file' ? first.path : undefined;
    const preview = effect.preview ? showsChange(effect.preview, effect.targets, facts.show) : undefined;
    const read = single !== undefined && tools.read ? readFirst(tools.read, tools.edit, single) : undefined;
    const [best, ...rest] = [preview, read].filter((way): way is Remedy => way !== undefined);
    return {
      says: `\`${effect.how}\` would replace text in ${names(shownTargets(ours, facts.show))} before anyone has seen the change.`,
      ...(best ? {} : { level: 'advise' as const }),
      boundary: `file.rewrite ${pathsOf(ours)}`,
      remedies: best ? [best, ...rest] : [{ kind: 'stop', because: `change the files one by one with ${tools.edit}` }],
    };
  },

  examples: {
    catches: [
      { run: "perl -pi -e 's/const/let/' src/app.ts" },
      { run: "perl -i -pe 's/const/let/' src/*.ts", why: 'the order of the flags does not matter' },
      { run: "ruby -pi -e '$_.sub!(/const/, %q(let))' src/util.ts" },
      { run: 'gawk -i inplace \'{ sub(/const/, "let") } 1\' src/app.ts' },
      { run: "ed -s src/app.ts <<'EOF'\n1s/const/let/\nw\nq\nEOF" },
    ],
    allows: [
      { run: "perl -pe 's/const/let/' src/app.ts", why: 'prints only' },
      { run: "perl -pi -e 's/a/b/' notes.txt", given: ['echo a > notes.txt'], why: 'untracked' },
      { run: "perl -pi -e 's/a/b/' /tmp/waygate-example.txt" },
      { run: "awk '{ print $1 }' src/app.ts" },
      { run: "git commit --allow-empty -m 'perl -pi is refused'" },
    ],
  },
});
