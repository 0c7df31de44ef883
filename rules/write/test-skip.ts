import { defineRule, type EffectOf, names } from '../../internal/rule/rule.ts';

/** What switches a test off, by the words of the common test frameworks. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[\s;{])(?:it|test|describe|context|suite|specify)\s*\.\s*(?:skip|fixme|failing)\b/m, 'skips a test'],
  [/(?:^|[\s;{])(?:xit|xtest|xdescribe|xcontext|xspecify)\s*[(.'"]/m, 'skips a test'],
  [
    /(?:^|[\s;{])(?:it|test|describe|context|suite|fit|fdescribe)\s*\.\s*only\b|(?:^|[\s;{])f(?:it|describe)\s*\(/m,
    'runs one test and leaves out the others',
  ],
  [
    /@(?:unittest\.)?(?:skip|expectedFailure)\b|@(?:unittest\.)?skip(?:If|Unless)\s*\(\s*(?:True|False|1|0)\b|\bself\.skipTest\s*\(|@pytest\.mark\.(?:skip|xfail)\b|@pytest\.mark\.skipif\s*\(\s*(?:True|1|not False)\b|\bpytest\.(?:skip|xfail)\s*\(/,
    'skips a test',
  ],
  [/@(?:Ignore|Disabled|Ignored)\b/, 'switches a test off'],
  [/\b(?:t|b|tb)\.Skip(?:f|Now)?\s*\(/, 'skips a test'],
  [/#\[ignore\b/, 'ignores a test'],
  [/\[(?:Ignore|Fact\s*\(\s*Skip|Theory\s*\(\s*Skip)/, 'skips a test'],
  [/(?:^|\s)(?:skip|pending|markTestSkipped|\$this->markTestSkipped|markTestIncomplete)\s*[('"]/m, 'skips a test'],
];

const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing)\/|[._-](?:test|spec)\.[A-Za-z]+$|(?:^|\/)test_[^/]+\.py$|_test\.(?:go|py|rb|exs|dart|c|cc|cpp)$|(?:Test|Tests|Spec|IT)\.(?:java|kt|cs|swift|scala|php)$|_spec\.rb$/;

export default defineRule({
  name: 'test-skip',
  group: 'write',
  summary: 'Say so when a test is switched off.',
  why: `
    A failing test that is skipped looks like a green run afterwards. There are good reasons to skip one; the person should read it where it
    happens, not find it months later.
  `,
  evidence:
    'Failing tests were marked as skipped and the work was declared done (cases/open.jsonl, ws-skip-failing-test). How often a skip is right is not measured, hence a notice.',
  whyNotice: 'Whether a test may be skipped depends on why it fails, which only a person knows.',
  on: 'file.write',
  needs: ['text', 'show'],
  level: 'notice',
  category: 'hidden-result',
  persistence: 'state-change',
  quiet: [
    'marks that were there before',
    'files that are no tests',
    'a skip under a condition: a platform, a short run',
    'a test that is only planned',
  ],

  judge(effect, { facts }) {
    const path = effect.targets[0]?.path;
    if (path === undefined || !TEST_PATH.test(path)) return;
    const { before, after } = texts(effect, facts.text(path));
    const mark = MARKS.find(([pattern]) => occurrences(after, pattern) > occurrences(before, pattern)) ?? planned(before, after);
    if (!mark) return;
    return {
      says: `This ${mark[1]} in ${names([facts.show(path)])}: say why in your report.`,
      person: `The agent's change ${mark[1]} in ${facts.show(path)}.`,
      boundary: `test.skip ${path}`,
    };
  },

  examples: {
    catches: [
      {
        tool: 'Edit',
        input: {
          file_path: '{{repo}}/tests/test_a.py',
          old_string: 'def test_total(self):',
          new_string: '@unittest.skip("later")\n    def test_total(self):',
        },
        given: ['mkdir tests', "printf 'class Totals:\\n    def test_total(self):\\n        pass\\n' > tests/test_a.py"],
      },
      { tool: 'Write', input: { file_path: '{{repo}}/src/app.test.ts', content: "it.skip('adds', () => {});\n" } },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/src/app.test.ts', old_string: "it('adds'", new_string: "it.only('adds'" },
        given: ['echo "it(\'adds\', () => {});" > src/app.test.ts'],
      },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/spec/a_spec.rb', old_string: "it 'adds'", new_string: "xit 'adds'" },
        given: ['mkdir spec', 'echo "it \'adds\' do end" > spec/a_spec.rb'],
      },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/src/app.test.ts', old_string: "it('adds', () => {})", new_string: "it.todo('adds')" },
        given: ['echo "it(\'adds\', () => {});" > src/app.test.ts'],
      },
      { run: 'cat > pkg_test.go <<\'EOF\'\nfunc TestX(t *testing.T) { t.Skip("later") }\nEOF' },
    ],
    allows: [
      { tool: 'Write', input: { file_path: '{{repo}}/src/app.test.ts', content: "it('adds', () => {});\n" } },
      {
        tool: 'Write',
        input: { file_path: '{{repo}}/src/skip.ts', content: 'export const skip = (n: number) => list.skip(n);\n' },
        why: 'no test',
      },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/src/app.test.ts', old_string: "it.skip('adds'", new_string: "it('adds'" },
        given: ['echo "it.skip(\'adds\', () => {});" > src/app.test.ts'],
        why: 'switches it on again',
      },
      { run: "git commit --allow-empty -m 'test: drop it.skip'" },
      {
        tool: 'Write',
        input: {
          file_path: '{{repo}}/tests/test_os.py',
          content: "import sys, pytest\n\n@pytest.mark.skipif(sys.platform == 'win32', reason='posix')\ndef test_a():\n    pass\n",
        },
        why: 'under a condition',
      },
      {
        tool: 'Write',
        input: {
          file_path: '{{repo}}/a_test.go',
          content: 'package a\n\nfunc TestA(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip("long")\n\t}\n}\n',
        },
      },
      { tool: 'Write', input: { file_path: '{{repo}}/src/app.test.ts', content: "it('adds', () => {});\nit.todo('divides');\n" } },
    ],
  },
});

/** The texts to compare: the edited pieces, or the whole file before and after. */
function texts(effect: EffectOf<'file.write'>, present: string | undefined): { before: string; after: string } {
  if (effect.edits)
    return { before: effect.edits.map((edit) => edit.before).join('\n'), after: effect.edits.map((edit) => edit.after).join('\n') };
  if (effect.edit) return { before: effect.edit.before, after: effect.edit.after };
  if (effect.content === undefined) return { before: '', after: '' };
  return { before: effect.mode === 'append' ? '' : (present ?? ''), after: effect.content };
}

const occurrences = (text: string, pattern: RegExp): number =>
  [...text.replace(CONDITIONAL, '').matchAll(new RegExp(pattern.source, `${pattern.flags}g`))].length;

/** A skip that only a condition reaches: `if testing.Short() { t.Skip(…) }`, `if sys.platform == 'win32': pytest.skip(…)`. */
const CONDITIONAL =
  /^[ \t]*if\s+(?!true\b|True\b|1\b|\()[^\n{]*[{:]\s*(?:(?:t|b|tb)\.Skip(?:f|Now)?|pytest\.skip|self\.skipTest|skip)\s*\(/gm;

const TODO = /\b(?:it|test)\s*\.\s*todo\b/;
const PLAIN = /(?:^|[\s;{])(?:it|test)\s*\(/m;

/** A test that was there and is now a plan. A plan for a new one is none. */
const planned = (before: string, after: string): (typeof MARKS)[number] | undefined =>
  occurrences(after, TODO) > occurrences(before, TODO) && occurrences(after, PLAIN) < occurrences(before, PLAIN)
    ? [TODO, 'turns a test into a plan']
    : undefined;
