import {
  defineRule,
  type Effect,
  edited,
  type Facts,
  type Finding,
  names,
  settingsDanger,
  type Touch,
  touched,
} from '../../internal/rule/rule.ts';

const KINDS = ['settings', 'hook-script', 'git-hook', 'launcher', 'binary'] as const;
/** Names that decide something in a folder of settings: what a glob there may hit. */
const DECIDING = ['settings.json', 'settings.local.json', 'hooks.json', 'config.toml', 'hooks', 'pre-push', 'pre-commit', 'commit-msg'];

export default defineRule({
  name: 'hook-wiring-write',
  aliases: ['self-disable', 'hook-wiring'],
  group: 'guard',
  summary: 'Do not change the files that decide whether the guard runs.',
  why: `
    Settings that register the hook, the scripts they call, git's hooks and the guard's own program: whoever may change them may switch the
    guard off. An agent that was refused something is one edit away from that, through whatever tool.
  `,
  evidence:
    'Agents that met a refusal edited the hook, wrote `disableAllHooks`, put a link in place of the settings or removed .git/hooks (cases/lessons.md, lesson 8: 21 cases). Permissions, skills, commands and agents of the same folder pass. ' +
    'Would reopen it: nothing but a way to tell the owner from the agent.',
  on: ['file.write', 'file.delete', 'file.move', 'file.copy', 'file.link', 'file.mode', 'file.sync', 'net.fetch'],
  needs: ['wiring', 'file', 'text', 'show', 'repo'],
  level: 'deny',
  fixed: true,
  category: 'self-protection',
  persistence: 'owner-action',
  quiet: [
    'reading',
    'settings whose hooks, switches and variables stay as they are',
    'a git hook where none was',
    'chmod +x',
    'skills, commands, agents, memory',
  ],

  judge(effect, { facts }) {
    if (effect.remote) return;
    for (const touch of touched(effect, facts)) {
      const path = decidingPath(touch, facts);
      const kind = path === undefined ? undefined : facts.wiring(path);
      if (path === undefined || kind === undefined || !(KINDS as readonly string[]).includes(kind)) continue;
      const why = danger(effect, touch, path, kind, facts);
      if (why === undefined) continue;
      const shown = facts.show(path);
      return {
        says: `This ${why} (${names([shown])}), and that decides whether the guard runs.`,
        person: `The agent wanted to change ${shown}, which decides whether the guard runs.`,
        boundary: `guard.wiring ${path}`,
        remedies: [
          {
            kind: 'ask',
            ask: `Please make this change in ${shown} yourself: ${effect.source}`,
            because: 'only a person changes what decides about the guard',
          },
        ],
      };
    }
    return marker(effect, facts);
  },

  examples: {
    catches: [
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/.claude/settings.json', old_string: 'waygate hook --host claude-code', new_string: 'true' },
        given: wired(),
      },
      { tool: 'Write', input: { file_path: '{{repo}}/.claude/settings.local.json', content: '{"disableAllHooks":true}' }, given: wired() },
      {
        tool: 'NotebookEdit',
        input: { notebook_path: '{{repo}}/.claude/settings.json', new_source: '{}', edit_mode: 'replace' },
        given: wired(),
      },
      { run: 'cat > .claude/settings.json <<\'EOF\'\n{"disableAllHooks": true}\nEOF', given: wired() },
      { run: "sed -i 's/waygate hook/true/' .claude/settings.json", given: wired() },
      { run: 'ln -sf /tmp/s.json .claude/settings.json', given: wired() },
      { run: 'rm -rf .claude', given: wired() },
      { run: 'mv .claude/settings.json .claude/settings.bak', given: wired() },
      { run: 'chmod -x .git/hooks/pre-push', given: hooked() },
      { run: 'rm -rf .git/hooks', given: hooked() },
      {
        run: 'touch .claude/state/approved.flag',
        given: [
          ...wired('.claude/hooks/need.sh'),
          'mkdir -p .claude/hooks .claude/state',
          "echo '[ -f .claude/state/approved.flag ] || exit 2' > .claude/hooks/need.sh",
        ],
        gets: 'advise',
        why: 'a mark the agent makes itself proves no approval',
      },
    ],
    allows: [
      { tool: 'Write', input: { file_path: '{{repo}}/.claude/skills/release/SKILL.md', content: '# Release\n' }, given: wired() },
      {
        tool: 'Write',
        input: { file_path: '{{repo}}/.claude/settings.local.json', content: '{"permissions":{"allow":["Bash(npm test)"]}}' },
        given: wired(),
        why: 'no hook, switch or variable',
      },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/.claude/settings.json', old_string: '"hooks"', new_string: '"model": "x", "hooks"' },
        given: wired(),
      },
      { run: 'cat .claude/settings.json', given: wired() },
      { run: 'chmod +x .git/hooks/pre-push', given: hooked() },
      { run: "sed -n '1,20p' .git/hooks/pre-push", given: hooked() },
      { run: "git commit --allow-empty -m 'explain .claude/settings.json'", given: wired() },
    ],
  },
});

type Needs = Pick<Facts, 'wiring' | 'file' | 'text' | 'show' | 'repo'>;

/** The path a touch means; for a glob in a folder of settings the first deciding name it may match. */
function decidingPath({ target }: Touch, facts: Needs): string | undefined {
  const { path } = target;
  if (path === undefined || !target.glob) return path;
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, slash);
  const shape = pattern(path.slice(slash + 1));
  return DECIDING.filter((name) => shape.test(name))
    .map((name) => `${folder}/${name}`)
    .find((each) => facts.wiring(each) !== undefined && facts.file(each).kind !== 'absent');
}

const pattern = (glob: string): RegExp =>
  new RegExp(`^${[...glob].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : c.replace(/[^\w-]/g, '\\$&'))).join('')}$`);

/** What the touch does that decides; undefined when it does not. */
function danger(effect: Effect, touch: Touch, path: string, kind: string, facts: Needs): string | undefined {
  const there = facts.file(path).kind !== 'absent';
  switch (touch.how) {
    case 'delete':
      return there ? 'deletes what is wired' : undefined;
    case 'move away':
      return there ? 'moves away what is wired' : undefined;
    case 'mode':
      return effect.kind === 'file.mode' && takesAway(effect.change, effect.value) ? 'takes away the right to run it' : undefined;
  }
  if (kind === 'git-hook' && !there) return undefined;
  if (kind !== 'settings') return there || kind === 'binary' ? 'changes what is wired' : undefined;
  if (effect.kind === 'file.sync') return 'mirrors a folder over it';
  const after = newText(effect, touch, path, facts);
  if (after === undefined) return 'changes it in a way that cannot be read from here';
  return settingsDanger(facts.text(path), after, path);
}

/** The text afterwards, where it can be told. */
function newText(effect: Effect, touch: Touch, path: string, facts: Needs): string | undefined {
  if (effect.kind === 'file.copy') return touch.from?.path === undefined ? undefined : facts.text(touch.from.path);
  if (effect.kind === 'file.move') return touch.from?.path === undefined ? undefined : facts.text(touch.from.path);
  if (effect.kind !== 'file.write') return undefined;
  const before = facts.text(path);
  if (effect.mode === 'create') return before ?? '';
  if (effect.edits)
    return before === undefined && facts.file(path).kind !== 'absent' ? undefined : (edited(before ?? '', effect.edits) ?? before ?? '');
  if (effect.edit) return edited(before ?? '', [{ ...effect.edit, all: true }]) ?? before ?? '';
  if (effect.content === undefined) return undefined;
  return effect.mode === 'append' ? (before ?? '') + effect.content : effect.mode === 'truncate' ? effect.content : undefined;
}

/** Modes under which a hook no longer runs or anybody may rewrite it. */
function takesAway(change: string, value: string): boolean {
  if (change === 'owner') return true;
  if (change !== 'mode') return false;
  if (/^[0-7]{3,4}$/.test(value)) return (Number(value.at(-3)) & 5) !== 5;
  return value.split(',').some((clause) => /^[ugoa]*-[rwst]*[rx]/.test(clause) || /^[ugoa]*=[rwst]*$/.test(clause));
}

/** A file that a registered hook asks for, made by the agent itself: advice, since nobody knows what it means. */
function marker(effect: Effect, facts: Needs): Finding | undefined {
  if (effect.kind !== 'file.write' || effect.cwd === undefined) return;
  const top = facts.repo({ dir: effect.cwd })?.top;
  if (top === undefined) return;
  for (const target of effect.targets) {
    const name = target.path?.startsWith(`${top}/`) ? target.path.slice(top.length + 1) : undefined;
    if (name === undefined || !isMark(name)) continue;
    const script = hookScripts(top, facts).find((each) => facts.text(each)?.includes(name));
    if (script === undefined) continue;
    return {
      level: 'advise',
      says: `The hook ${names([facts.show(script)])} looks for \`${name}\`, and a mark the agent makes itself proves no approval.`,
      boundary: `guard.marker ${target.path}`,
      category: 'approval-required',
      remedies: [
        { kind: 'ask', ask: `The hook ${facts.show(script)} waits for ${name}. May I go on?`, because: 'the mark stands for a person' },
      ],
    };
  }
  return;
}

/** Marks lie in hidden folders or say in their name that something is allowed. */
const isMark = (name: string): boolean =>
  /(?:^|\/)\.[\w-]+\//.test(name) || /approv|allow|bypass|override|consent|permit|skip|unlock|token|flag/i.test(name);

/** The scripts that settings of the repository name in hook commands. */
function hookScripts(top: string, facts: Needs): readonly string[] {
  return ['.claude/settings.json', '.claude/settings.local.json'].flatMap((file) => {
    const text = facts.text(`${top}/${file}`);
    if (text === undefined) return [];
    return [...text.matchAll(/[\w./-]*\/[\w.-]+\.(?:sh|py|js|mjs|ts|rb|bash)/g)].map(
      (match) => `${top}/${match[0].replace(/^.*?(\.[\w-]+\/)/, '$1').replace(/^\/+/, '')}`,
    );
  });
}

/** The guard registered in the repository's settings. */
function wired(command = 'waygate hook --host claude-code'): [string, ...string[]] {
  const settings = { hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command }] }] } };
  return ['mkdir -p .claude', `echo '${JSON.stringify(settings)}' > .claude/settings.json`];
}

function hooked(): [string, ...string[]] {
  return [
    'mkdir -p .git/hooks',
    "printf '%s\\n' '#!/bin/sh' 'exec waygate pre-push' > .git/hooks/pre-push",
    'chmod +x .git/hooks/pre-push',
  ];
}
