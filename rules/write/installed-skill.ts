import {
  argument,
  defineRule,
  type Effect,
  type Finding,
  isMaker,
  isOwnProgram,
  makeLine,
  quote,
  type Remedy,
  touched,
  ways,
} from '../../internal/rule/rule.ts';

const EDITS: ReadonlySet<string> = new Set(['write', 'append', 'create', 'in-place', 'replace']);

export default defineRule({
  name: 'installed-skill',
  group: 'write',
  level: 'deny',
  summary: 'Change a skill where it is written, not its installed copy.',
  why: `
    An installed copy is replaced when the installer runs again: the edit is gone, and until then this machine follows another text than
    everybody else. The source keeps the change, and the installer brings it here.
  `,
  evidence:
    'The project this comes from had it as advice and made it a refusal (ADR 0013, no count given). Speaks only where waygate.yaml records the source. Would reopen it: copies that are meant to differ from their source.',
  on: ['file.write', 'file.move', 'file.copy'],
  needs: ['generated', 'file', 'text', 'show'],
  category: 'exact-equivalent',
  persistence: 'narrower-scope',
  quiet: ['skills without a recorded source', 'the installer itself, and a copy from the source', 'a source that cannot be read: a notice'],

  judge(effect, { facts, tools, waygate }): Finding | undefined {
    if (effect.remote || effect.by === 'git' || isOwnProgram(effect.script, facts)) return;
    for (const { target, how, from } of touched(effect, facts)) {
      const path = target.path;
      const fact = path === undefined || !EDITS.has(how) ? undefined : facts.generated(path);
      const [source] = fact?.others ?? [];
      if (path === undefined || fact?.is !== 'installed' || source === undefined || isMaker(effect, fact.command)) continue;
      if (from?.path === source) continue;
      const there = facts.file(source).kind === 'file';
      const line = makeLine(fact, facts.show);
      const then = line === undefined ? '' : `; then \`${line}\` installs it`;
      return {
        says: `\`${facts.show(path)}\` is an installed copy of \`${facts.show(source)}\`${there ? '' : ', which is not there'}: installing it again discards an edit.`,
        ...(there ? {} : { level: 'notice' as const }),
        boundary: `file.installed ${path}`,
        remedies: ways(
          there ? sameThere(effect, source, tools, then, facts.text(source)) : undefined,
          line === undefined ? undefined : { kind: 'run', run: line, because: `installs it again: change \`${facts.show(source)}\` first` },
          {
            kind: 'run',
            run: `${waygate} describe file ${quote(argument(path, facts.show))}`,
            because: 'shows its source and its installer',
          },
        ),
      };
    }
    return;
  },

  examples: {
    catches: [
      {
        tool: 'Write',
        input: { file_path: '{{repo}}/.claude/skills/guard/SKILL.md', content: '# guard\n\nNew text.\n' },
        given: [
          "mkdir -p skills/guard .claude/skills/guard && echo '# guard' > skills/guard/SKILL.md && cp skills/guard/SKILL.md .claude/skills/guard/",
          `printf '%s\\n' 'skills:' '  - { skill: guard, source: skills/guard, installed: .claude/skills/guard, by: cp -r skills/guard .claude/skills/ }' > waygate.yaml`,
        ],
      },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/.claude/skills/guard/SKILL.md', old_string: 'guard', new_string: 'keeper' },
        given: [
          "mkdir -p skills/guard .claude/skills/guard && echo '# guard' > skills/guard/SKILL.md && cp skills/guard/SKILL.md .claude/skills/guard/",
          `printf '%s\\n' 'skills:' '  - { skill: guard, source: skills/guard, installed: .claude/skills/guard }' > waygate.yaml`,
        ],
        why: 'the same edit fits the source',
      },
      {
        run: "echo 'More.' >> .claude/skills/guard/SKILL.md",
        given: [
          "mkdir -p skills/guard .claude/skills/guard && echo '# guard' > skills/guard/SKILL.md && cp skills/guard/SKILL.md .claude/skills/guard/",
          `printf '%s\\n' 'skills:' '  - { skill: guard, source: skills/guard, installed: .claude/skills/guard, by: cp -r skills/guard .claude/skills/ }' > waygate.yaml`,
        ],
      },
    ],
    allows: [
      {
        tool: 'Write',
        input: { file_path: '{{repo}}/skills/guard/SKILL.md', content: '# guard\n\nNew text.\n' },
        given: [`printf '%s\\n' 'skills:' '  - { skill: guard, source: skills/guard, installed: .claude/skills/guard }' > waygate.yaml`],
        why: 'the source',
      },
      {
        run: 'cp skills/guard/SKILL.md .claude/skills/guard/SKILL.md',
        given: [
          "mkdir -p skills/guard .claude/skills/guard && echo '# guard' > skills/guard/SKILL.md && cp skills/guard/SKILL.md .claude/skills/guard/",
          `printf '%s\\n' 'skills:' '  - { skill: guard, source: skills/guard, installed: .claude/skills/guard }' > waygate.yaml`,
          'git add . && git commit -qm skills',
        ],
        why: 'that is installing',
      },
      {
        tool: 'Write',
        input: { file_path: '{{repo}}/.claude/skills/mine/SKILL.md', content: '# mine\n' },
        given: [`printf '%s\\n' 'skills:' '  - { skill: guard, source: skills/guard, installed: .claude/skills/guard }' > waygate.yaml`],
        why: 'written in place: no source is recorded',
      },
    ],
  },
});

/** The same change in the source: the edit where its old text stands there, the whole text, or a look at it. */
function sameThere(
  effect: Effect,
  source: string,
  tools: { edit?: string; write?: string; read?: string },
  then: string,
  text: string | undefined,
): Remedy | undefined {
  const because = `the same change in its source${then}`;
  const write = effect.kind === 'file.write' ? effect : undefined;
  const [edit, ...more] = write?.edits ?? [];
  if (edit && more.length === 0 && tools.edit && text?.includes(edit.before))
    return {
      kind: 'call',
      tool: tools.edit,
      input: {
        file_path: source,
        old_string: edit.before,
        new_string: edit.after,
        ...(edit.all ? { replace_all: true } : {}),
      },
      because,
    };
  if (write?.mode === 'truncate' && write.content !== undefined && write.content.length < 4000 && tools.write)
    return { kind: 'call', tool: tools.write, input: { file_path: source, content: write.content }, because };
  return tools.read
    ? { kind: 'call', tool: tools.read, input: { file_path: source }, because: `the change belongs there${then}` }
    : undefined;
}
