import {
  defineRule,
  type Effect,
  type EffectOf,
  edited,
  type Facts,
  type Finding,
  globRegExp,
  keepsSteps,
  names,
  settingsDanger,
  type Touch,
  touched,
} from '../../internal/rule/rule.ts';

const KINDS = ['settings', 'hook-script', 'git-hook', 'launcher', 'binary'] as const;
/** Names that decide something in a folder of settings: what a glob there may hit. */
const DECIDING = ['settings.json', 'settings.local.json', 'hooks.json', 'config.toml', 'hooks', 'pre-push', 'pre-commit', 'commit-msg'];

/** How settingsDanger begins where a plugin that is not the guard's own is switched off. */
const PLUGIN = 'switches off the plugin';

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
  on: ['file.write', 'file.delete', 'file.move', 'file.copy', 'file.link', 'file.mode', 'file.sync', 'net.fetch', 'git.discard'],
  needs: ['wiring', 'file', 'text', 'textAt', 'show', 'repo'],
  level: 'deny',
  fixed: true,
  category: 'self-protection',
  persistence: 'owner-action',
  quiet: [
    'reading',
    'settings whose hooks, switches and variables stay as they are',
    'a git hook where none was',
    'one more check in a git hook that keeps all its steps',
    'chmod +x',
    'skills, commands, agents, memory',
  ],

  judge(effect, { facts }) {
    if (effect.remote) return;
    for (const touch of effect.kind === 'git.discard' ? broughtBack(effect) : touched(effect, facts)) {
      const path = decidingPath(touch, effect, facts);
      const kind = path === undefined ? undefined : facts.wiring(path);
      if (path === undefined || kind === undefined || !(KINDS as readonly string[]).includes(kind)) continue;
      const why = danger(effect, touch, path, kind, facts);
      if (why === undefined) continue;
      const shown = facts.show(path);
      if (why.startsWith(PLUGIN))
        return {
          level: 'advise',
          says: `This ${why} (${names([shown])}), and a plugin may bring hooks that judge calls.`,
          boundary: `guard.wiring ${path}`,
          remedies: [
            { kind: 'ask', ask: `May I change this in ${shown}: ${effect.source}`, because: 'only the owner knows what the plugin is for' },
          ],
        };
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
      { run: 'rm -rf .cl*', given: wired() },
      {
        run: 'rm .claude/hooks/*.sh',
        given: [...wired('.claude/hooks/need.sh'), 'mkdir -p .claude/hooks', "echo 'exit 2' > .claude/hooks/need.sh"],
      },
      {
        run: 'git checkout HEAD~1 -- .claude/settings.json',
        given: [
          'mkdir -p .claude',
          "echo '{}' > .claude/settings.json",
          'git add .claude && git commit -q -m a',
          ...wired(),
          'git commit -q -a -m b',
        ],
        why: 'the version before had no hook',
      },
      { run: 'chmod -x .git/hooks/pre-push', given: hooked() },
      { run: 'rm -rf .git/hooks', given: hooked() },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/.husky/pre-commit', old_string: 'npm test', new_string: 'exit 0\nnpm test' },
        given: ["mkdir .husky && printf '%s\\n' '#!/bin/sh' 'npm test' > .husky/pre-commit"],
      },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/.husky/pre-commit', old_string: 'npm test', new_string: 'npm run lint' },
        given: ["mkdir .husky && printf '%s\\n' '#!/bin/sh' 'npm test' > .husky/pre-commit"],
      },
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
      {
        run: 'git checkout HEAD -- .claude/settings.json',
        given: [...wired(), 'git add .claude && git commit -q -m a'],
        why: 'the version in force comes back',
      },
      { run: 'rm -f .claude/*.log', given: wired() },
      { run: 'chmod +x .git/hooks/pre-push', given: hooked() },
      {
        tool: 'Edit',
        input: { file_path: '{{repo}}/.husky/pre-commit', old_string: 'npm test', new_string: 'npm run lint\nnpm test' },
        given: ["mkdir .husky && printf '%s\\n' '#!/bin/sh' 'npm test' > .husky/pre-commit"],
        why: 'one check more',
      },
      { run: "sed -n '1,20p' .git/hooks/pre-push", given: hooked() },
      { run: "git commit --allow-empty -m 'explain .claude/settings.json'", given: wired() },
    ],
  },
});

type Needs = Pick<Facts, 'wiring' | 'file' | 'text' | 'textAt' | 'show' | 'repo'>;

/** The path a touch means; for a glob the first deciding path that it may match. */
function decidingPath({ target }: Touch, effect: Effect, facts: Needs): string | undefined {
  const { path } = target;
  if (path === undefined || !target.glob) return path;
  const fixed = path.slice(0, path.search(/[*?[{]/));
  const folder = fixed.slice(0, fixed.lastIndexOf('/'));
  const top = effect.cwd === undefined ? undefined : facts.repo({ dir: effect.cwd })?.top;
  const shape = globRegExp(path);
  const known = [
    ...[folder, ...(top === undefined ? [] : [top])].flatMap((root) => [...DECIDING, ...PLACES].map((name) => `${root}/${name}`)),
    ...(top === undefined ? [] : hookScripts(top, facts)),
  ];
  return known.find((each) => shape.test(each) && facts.wiring(each) !== undefined && facts.file(each).kind !== 'absent');
}

/** Where settings and hooks lie in a repository or a home: the folders, and what decides in them. */
const PLACES = [
  '.claude',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/hooks',
  '.codex',
  '.codex/hooks.json',
  '.codex/config.toml',
  '.cursor',
  '.cursor/hooks.json',
  '.gemini',
  '.gemini/settings.json',
  '.qwen/settings.json',
  '.husky',
  '.husky/pre-commit',
  '.husky/pre-push',
  '.githooks',
  '.githooks/pre-push',
  '.git/hooks/pre-push',
  '.git/hooks/pre-commit',
];

/** `git checkout REV -- PATH` puts another version in its place. Without paths whole commits move, which other rules judge. */
const broughtBack = (effect: EffectOf<'git.discard'>): readonly Touch[] =>
  effect.loses === 'index' ? [] : (effect.paths ?? []).map((target) => ({ target, how: 'write', tree: true }));

/** What a version brings of what the path decides. */
function versionDanger(effect: EffectOf<'git.discard'>, path: string, kind: string, facts: Needs): string | undefined {
  const inside =
    facts.file(path).kind === 'dir' ? ['settings.json', 'settings.local.json', 'hooks.json'].map((name) => `${path}/${name}`) : [path];
  for (const each of inside) {
    const now = facts.text(each);
    if (now === undefined) continue;
    const then = facts.textAt(effect.repo, effect.from, each);
    if (then === undefined) {
      // restore takes away what the version has not; checkout fails there.
      if (effect.how.startsWith('restore')) return 'deletes what is wired';
      continue;
    }
    const why =
      kind === 'settings' ? settingsDanger(now, then, each) : now === then ? undefined : 'brings back another version of what is wired';
    if (why !== undefined) return why;
  }
  return undefined;
}

/** What the touch does that decides; undefined when it does not. */
function danger(effect: Effect, touch: Touch, path: string, kind: string, facts: Needs): string | undefined {
  const there = facts.file(path).kind !== 'absent';
  if (effect.kind === 'git.discard') return versionDanger(effect, path, kind, facts);
  switch (touch.how) {
    case 'delete':
      return there ? 'deletes what is wired' : undefined;
    case 'move away':
      return there ? 'moves away what is wired' : undefined;
    case 'mode':
      return effect.kind === 'file.mode' && takesAway(effect.change, effect.value) ? 'takes away the right to run it' : undefined;
  }
  if (kind === 'git-hook' && !there) return undefined;
  if (kind === 'git-hook' && effect.kind === 'file.write' && keepsSteps(facts.text(path), newText(effect, touch, path, facts)))
    return undefined;
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
