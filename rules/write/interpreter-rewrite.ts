import {
  defineRule,
  type Finding,
  isOurs,
  isOwnProgram,
  names,
  pathsOf,
  type Remedy,
  readFirst,
  sameWrite,
  shownTargets,
} from '../../internal/rule/rule.ts';

/** Programs whose inline text writes files. */
const INTERPRETERS =
  /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|osascript|awk|gawk|mawk)$/;

export default defineRule({
  name: 'interpreter-rewrite',
  group: 'write',
  summary: 'Do not write tracked files from an inline program.',
  why: `
    \`python -c\` and \`node -e\` that write a file of the tree do what the write tool does, but nobody sees the text before it is there, no
    old text is checked, and a half-written file is left behind when the program fails.
  `,
  evidence:
    '2 of about 6,000 real calls (real/README.md, with scripted-rewrite). Programs that only compute or print, and files the tree does not track, pass. Would reopen it: a measured share of refusals for generated files, which the policy can declare.',
  on: 'file.write',
  needs: ['file', 'place', 'show'],
  level: 'deny',
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: [
    'new and untracked files, scratch directories, files outside the workspace',
    'appending',
    'files that are not known before the run',
    'scripts the repository tracks: they are its own programs',
    'callers without an edit tool',
  ],

  judge(effect, { facts, tools }): Finding | undefined {
    if (isOwnProgram(effect.script, facts)) return;
    if (
      effect.remote ||
      effect.substitutes ||
      effect.mode === 'append' ||
      effect.mode === 'create' ||
      !tools.edit ||
      !INTERPRETERS.test(effect.by)
    )
      return;
    if (/^(?:[<>]|tee|sed)/.test(effect.how)) return;
    const ours = effect.targets.filter(
      (target) => target.path !== undefined && !target.glob && facts.file(target.path).kind === 'file' && isOurs(target, facts),
    );
    const [first] = ours;
    if (first?.path === undefined) return;
    const write = tools.write && ours.length === 1 ? sameWrite(tools.write, first.path, effect.content) : undefined;
    const read = tools.read ? readFirst(tools.read, tools.edit, first.path) : undefined;
    const [best, ...rest] = [write, read].filter((way): way is Remedy => way !== undefined);
    return {
      says: `\`${effect.by}\` would write ${names(shownTargets(ours, facts.show))}, which git tracks, without showing the new text first.`,
      ...(best ? {} : { level: 'advise' as const }),
      boundary: `file.rewrite ${pathsOf(ours)}`,
      remedies: best ? [best, ...rest] : [{ kind: 'stop', because: `write the file with ${tools.edit}` }],
    };
  },

  examples: {
    catches: [
      { run: `node -e "require('fs').writeFileSync('package.json', '{}')"` },
      { run: `python3 -c "open('src/app.ts', 'w').write('export const app = 2;')"` },
      { run: "python3 - <<'EOF'\nfrom pathlib import Path\nPath('README.md').write_text('# new')\nEOF" },
    ],
    allows: [
      { run: "python3 -c 'print(1)'" },
      { run: `node -e "require('fs').writeFileSync('/tmp/waygate-example.txt', '')"` },
      { run: `python3 -c "open('new.txt', 'w').write('hi')"`, why: 'a new file' },
      { run: `python3 -c "print(open('src/app.ts').read())"` },
      { run: 'node src/app.ts > out.txt', why: 'the redirection is the shell’s, not the program’s' },
    ],
  },
});
