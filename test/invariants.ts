/**
 * What must never give way, and the test that turns red when it does. Each entry says how the invariant is broken on purpose;
 * `node hack/mutate.mjs` does that in a copy of the tree, one at a time, and sees the test go red. docs/invariants.md is made from here.
 */
import { LOOP_INVARIANTS } from './invariants-loops.ts';

export interface Invariant {
  /** What holds, as a sentence. */
  holds: string;
  /** A file and a text in it, once, with what breaks it. */
  file: string;
  from: string;
  to: string;
  /** The test file that goes red. */
  test: string;
  /** Part of the names of the tests that do. */
  named: string;
}

export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'A way out is judged before it is shown: what would be refused itself is not offered.',
    file: 'internal/engine/settle.ts',
    from: "return result.verdict !== 'deny' && !result.unknown && !result.rules.includes(rule);",
    to: 'return result !== undefined || rule === undefined;',
    test: 'internal/judge/judge.test.ts',
    named: 'a remedy that is refused itself is not shown',
  },
  {
    holds: 'A rule about what can be undone stands down when this caller cannot reach its way out.',
    file: 'internal/engine/settle.ts',
    from: "} else standing.push({ ...each, verdict: 'notice' });",
    to: '} else standing.push(each);',
    test: 'internal/judge/judge.test.ts',
    named: 'stands down to a notice',
  },
  {
    holds: 'A rule against a loss for good keeps refusing: the way out is then the owner.',
    file: 'internal/engine/settle.ts',
    from: '    if (isIrreversible(each)) {',
    to: '    if (isIrreversible(each) && offered.length === 0) {',
    test: 'internal/judge/judge.test.ts',
    named: 'keeps the way to the owner',
  },
  {
    holds: 'The strictest finding wins.',
    file: 'internal/engine/settle.ts',
    from: 'strictness[b.verdict] - strictness[a.verdict]',
    to: 'strictness[a.verdict] - strictness[b.verdict]',
    test: 'internal/judge/judge.test.ts',
    named: 'the strictest finding leads',
  },
  {
    holds: 'A rule that breaks has not said that nothing is lost.',
    file: 'internal/judge/judge.ts',
    from: "if (broken && settled.verdict !== 'deny') throw",
    to: "if (broken && settled.verdict === 'deny') throw",
    test: 'internal/judge/judge.test.ts',
    named: 'never lets pass what it guards for good',
  },
  {
    holds: 'What a line saves counts only when it has certainly happened.',
    file: 'internal/fact/overlay.ts',
    from: 'sureBefore(asking, earlier, count).filter((effect) => isLocal(effect) && isSure(effect))',
    to: 'earlier.slice(0, count).filter((effect) => isLocal(effect))',
    test: 'internal/fact/overlay.test.ts',
    named: 'stash -u that may have failed',
  },
  {
    holds: 'Content is safe when the store holds its present bytes: a record alone proves nothing.',
    file: 'internal/checkpoint/store.ts',
    from: "if (oid && type && type !== 'missing' && said.has(oid)) held",
    to: 'if (oid && said.has(oid)) held',
    test: 'internal/checkpoint/checkpoint.test.ts',
    named: 'is not fooled by a manifest without its objects',
  },
  {
    holds: 'A restore does not take away what is itself at stake.',
    file: 'internal/checkpoint/guard.ts',
    from: 'if (targets.length === 0) return [];',
    to: 'if (targets.length >= 0) return [];',
    test: 'internal/checkpoint/checkpoint.test.ts',
    named: 'refuses to restore over content that is itself at stake',
  },
  {
    holds: 'Loosening counts only when a person has trusted it.',
    file: 'internal/policy/merge.ts',
    from: 'entry.free || side.isTrusted(entry.scope, digest)',
    to: 'entry.free || side.isTrusted(entry.scope, digest) || digest !== undefined',
    test: 'internal/policy/policy.test.ts',
    named: 'loosening waits for trust',
  },
  {
    holds: 'Trust that others may write is no trust.',
    file: 'internal/policy/trust.ts',
    from: '(stat.mode & 0o022) !== 0 ||',
    to: '',
    test: 'internal/policy/policy.test.ts',
    named: 'a trust file that others may write counts as empty',
  },
  {
    holds: 'A key that no one gave a direction loosens with every change.',
    file: 'internal/policy/direction.ts',
    from: "join('.')] ?? UNKNOWN;",
    to: "join('.')] ?? { ...UNKNOWN, strict: (_before, after) => after };",
    test: 'internal/policy/direction.test.ts',
    named: 'a key without one loosens with every change',
  },
  {
    holds: 'No file lowers a rule that protects the guard itself.',
    file: 'internal/policy/in-force.ts',
    from: 'if (rule.fixed) return { level: rule.level, options: {} };',
    to: '',
    test: 'internal/policy/in-force.test.ts',
    named: 'a fixed rule',
  },
  {
    holds: 'The hook never answers `allow`.',
    file: 'internal/host/claude-code.ts',
    from: "if (texts.agent === '' && texts.person === '') return SILENT;\n  const context = texts.agent === '' ? {} : { hookSpecificOutput: { hookEventName: at.event, additionalContext: cut(texts.agent) } };",
    to: "const context = { hookSpecificOutput: { hookEventName: at.event, permissionDecision: 'allow', additionalContext: cut(texts.agent) } };",
    test: 'internal/host/claude-code.test.ts',
    named: 'without a decision',
  },
  {
    holds: 'A refusal reaches the host both ways: as JSON, and as exit 2 with the reason on stderr.',
    file: 'internal/host/claude-code.ts',
    from: 'return json({ hookSpecificOutput: specific, ...person }, `${reason}\\n`, 2);',
    to: "return json({ hookSpecificOutput: specific, ...person }, '', 0);",
    test: 'internal/host/claude-code.test.ts',
    named: 'a deny goes to stdout, stderr and the exit code',
  },
  {
    holds: 'A request that cannot be read is refused.',
    file: 'internal/judge/refuse.ts',
    from: "...skeleton(seen, now),\n    verdict: 'deny',",
    to: "...skeleton(seen, now),\n    verdict: 'pass',",
    test: 'test/e2e/hook.test.ts',
    named: 'requests that cannot be read are denied',
  },
  {
    holds: 'A bug outside the judgement is no open door.',
    file: 'cmd/waygate/hook.ts',
    from: "return { stdout: '', stderr: `${reason}\\n`, exitCode: 2 };",
    to: "return { stdout: '', stderr: '', exitCode: 0 };",
    test: 'test/e2e/last-net.test.ts',
    named: '',
  },
  {
    holds: 'A judgement that takes too long becomes a refusal in time.',
    file: 'internal/judge/within.ts',
    from: 'timeout: Math.max(1, Math.floor(ms))',
    to: 'timeout: Math.max(1, Math.floor(ms)) * 100',
    test: 'internal/judge/within.test.ts',
    named: 'gives up',
  },
  {
    holds: 'A remedy is argv: its text reads back as exactly those arguments.',
    file: 'internal/rule/quote.ts',
    from: 'argument.replaceAll("\'", "\'\\\\\'\'")',
    to: 'argument',
    test: 'internal/rule/quote.test.ts',
    named: 'reads back',
  },
  {
    holds: 'A record never holds the value of a credential.',
    file: 'internal/decision/redact.ts',
    from: 'return cuts.length === 0 ? text : result + text.slice(at);',
    to: 'return cuts.length >= 0 ? text : result + text.slice(at);',
    test: 'internal/decision/redact.test.ts',
    named: '',
  },
  {
    holds: 'A person is asked on a terminal of their own, never below an agent.',
    file: 'internal/person/person.ts',
    from: '  if (refused) return { refused };\n',
    to: '',
    test: 'internal/person/person.test.ts',
    named: '',
  },
  {
    holds: 'A file that anybody else has touched is not the session’s own.',
    file: 'internal/judge/own.ts',
    from: 'Buffer.byteLength(text) === file.size && digest(text) === made;',
    to: 'made !== digest(text + text);',
    test: 'test/e2e/own-files.test.ts',
    named: 'when somebody else has edited the file',
  },
  {
    holds: 'A file that was there before never becomes the session’s own by being written again.',
    file: 'internal/judge/own.ts',
    from: "const mine = file.kind === 'absent' ? ''",
    to: "const mine = file.kind !== 'directory' ? ''",
    test: 'test/e2e/own-files.test.ts',
    named: 'when the file was there before',
  },
  {
    holds: 'A test of existence tells nothing on a line that gives the test a meaning of its own.',
    file: 'internal/shell/existence.ts',
    from: 'READ_BY.some((name) => functions.has(name) ||',
    to: 'READ_BY.some((name) =>',
    test: 'internal/shell/existence.test.ts',
    named: 'test() { false; }',
  },
  {
    holds: 'A fact about the workspace is told once in a session, and what is wrong with a line each time.',
    file: 'internal/judge/with-past.ts',
    from: "verdict === 'notice' && rule.standing === true",
    to: "verdict === 'notice'",
    test: 'test/e2e/told.test.ts',
    named: 'what is wrong with a line is told each time',
  },
  {
    holds: 'The short way of a call and the whole hook mean the same path.',
    file: 'cmd/waygate/hot/libc.ts',
    from: " || text.includes('\\0')",
    to: '',
    test: 'cmd/waygate/hot/lane.test.ts',
    named: 'a folder that is no path of the system',
  },
  ...LOOP_INVARIANTS,
];
