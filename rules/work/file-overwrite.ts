import {
  argument,
  atRisk,
  count,
  defineRule,
  type Effect,
  type EffectOf,
  effectsOn,
  type Facts,
  type Finding,
  isFolder,
  landings,
  madeBefore,
  names,
  pathsOf,
  quoteLine,
  type Stake,
  savingTargets,
  shownTargets,
  type Target,
} from '../../internal/rule/rule.ts';

type On = 'file.write' | 'file.move' | 'file.copy' | 'file.link' | 'file.sync' | 'net.fetch';
type Needs = Pick<Facts, 'lost' | 'show' | 'file' | 'text'>;

/** A new text that keeps this share of the old lines is an edit, not a replacement. */
const KEPT = 0.5;

export default defineRule({
  name: 'file-overwrite',
  aliases: ['redirect-over-work', 'mv-collision'],
  group: 'work',
  summary: 'Do not write over content that exists nowhere else.',
  why: `
    \`>\` empties a file before the command behind it has even started, \`mv\` and \`cp\` replace what is there without a word, and a rename
    loop whose target does not vary keeps one file of many. When the old content is committed it comes back; otherwise it does not.
  `,
  evidence:
    'Collected incidents: a rename loop that kept one recording of many, `mv` into a folder that did not exist, `> .env`, a monolith replaced by two lines (cases/lessons.md). A write that keeps most of the old lines is work as usual and passes. ' +
    'Would reopen it: a measured share of refusals for output files of the same session.',
  on: ['file.write', 'file.move', 'file.copy', 'file.link', 'file.sync', 'net.fetch'],
  needs: ['lost', 'show', 'file', 'text'],
  level: 'deny',
  category: 'work-loss',
  persistence: 'state-change',
  quiet: [
    'new files, empty files, build output and logs that git ignores, scratch directories',
    'the old bytes are committed or a checkpoint holds them, also when the same line copied them first',
    'a file that this session made and nobody else has touched',
    'appending, editing in place, `-n`, `--backup`; a file written from its own old content (`jq . f > t && mv t f`)',
  ],

  judge(effect, { facts, waygate, effects, tools }) {
    if (effect.remote) return;
    const made = madeBefore(effect, effects);
    if (effect.kind === 'file.move' && effect.colliding && !isFolder(effect.dest, facts, made)) return collision(effect, facts, waygate);
    const { targets, stake } = overwritten(effect, facts, made);
    const items = stake.items.filter((item) => item.kind !== 'unknown' && !isDerived(item.path, effect, effects));
    if (items.length === 0) return;
    const mine: Stake = { ...stake, items };
    const how = effect.kind === 'file.write' ? effect.how : effect.by;
    const byTool = effect.kind === 'file.write' && (effect.by === tools.write || effect.by === 'Write');
    const total = items.length + stake.more;
    const saved = savingTargets(mine, targets, waygate, facts.show);
    const shown = atRisk(mine);
    return {
      says: `\`${how}\` would replace ${shown}, ${total === 1 ? 'whose content exists' : `${count(total, 'file')} whose content exists`} nowhere else${lengths(effect, mine, facts)}.`,
      ...(byTool ? { level: 'advise' as const } : {}),
      person: `The agent wanted to write over ${shown}, which no commit and no checkpoint holds.`,
      boundary: `file.overwrite ${pathsOf(targets)}`,
      atStake: items,
      remedies: [
        saved ?? {
          kind: 'ask',
          ask: `May I write over ${shownTargets(targets, facts.show).join(', ')}? Its present content exists nowhere else.`,
          because: 'a checkpoint cannot hold all of it',
        },
      ],
    };
  },

  examples: {
    catches: [
      { run: 'echo PORT=1 > .env', given: ['echo KEY=secret > .env'], why: 'ignored, and no build makes it again' },
      {
        run: 'git show HEAD:src/app.ts > src/app.ts',
        given: ["echo 'export const draft = 1;' >> src/app.ts"],
        why: 'a restore by redirection',
      },
      { run: 'mv plan.md notes.md', given: ['echo plan > plan.md', 'echo notes > notes.md'] },
      {
        run: 'cp -r tpl/. conf/',
        given: ['mkdir tpl conf', 'echo theirs > tpl/local.yaml', 'echo own > conf/local.yaml'],
        why: 'the content of the folder lands on what is there',
      },
      { run: 'cp README.md notes.md', given: ['echo notes > notes.md'] },
      {
        run: 'for f in *.md; do mv "$f" ../archive; done',
        given: ['echo plan > plan.md', 'echo ideas > ideas.md'],
        why: '../archive is no folder, so each turn overwrites the turn before',
      },
      { run: 'sort notes.md > notes.md', given: ["printf 'b\\na\\n' > notes.md"], why: 'the shell empties the file first' },
      { run: 'truncate -s 0 notes.md', given: ['echo notes > notes.md'] },
      { run: 'ln -sf ../other.md notes.md', given: ['echo notes > notes.md'] },
      { tool: 'Write', input: { file_path: '{{repo}}/notes.md', content: 'short\n' }, given: ['seq 40 > notes.md'], gets: 'advise' },
    ],
    allows: [
      { run: 'echo hi > src/app.ts', why: 'the old bytes are committed' },
      { run: 'echo hi > new.txt' },
      { run: 'echo more >> notes.md', given: ['echo notes > notes.md'], why: 'appends' },
      { run: 'cp notes.md notes.bak && echo new > notes.md', given: ['echo notes > notes.md'], why: 'the line saved it first' },
      {
        run: "python3 -c \"import json; d = json.load(open('own.json')); d['b'] = 2; json.dump(d, open('own.json', 'w'))\"",
        given: ['echo {} > own.json'],
        why: 'made from what was there',
      },
      {
        run: 'i=1; for f in *.mov; do mv -n -- "$f" "clip-$i.mov"; i=$((i+1)); done',
        given: ['echo one > a.mov', 'echo two > b.mov'],
        why: 'each turn counts on',
      },
      { run: 'mv -n plan.md notes.md', given: ['echo plan > plan.md', 'echo notes > notes.md'] },
      {
        run: 'sort notes.md > sorted.tmp && mv sorted.tmp notes.md',
        given: ["printf 'b\\na\\n' > notes.md"],
        why: 'written from its own content',
      },
      { run: 'mkdir -p ../archive && for f in *.md; do mv "$f" ../archive; done', given: ['echo plan > plan.md'] },
      { run: 'node bench.mjs > dist/test.log 2>&1', given: ['mkdir dist', 'echo old > dist/test.log'] },
      {
        tool: 'Write',
        input: { file_path: '{{repo}}/notes.md', content: 'a\nb\nc\nd\n' },
        given: ["printf 'a\\nb\\nc\\n' > notes.md"],
        why: 'keeps what was there',
      },
      { tool: 'Edit', input: { file_path: '{{repo}}/notes.md', old_string: 'a', new_string: 'x' }, given: ['echo a > notes.md'] },
    ],
  },
});

/** The targets an effect replaces, with what would be lost. */
function overwritten(
  effect: EffectOf<On>,
  facts: Needs,
  made: Pick<ReadonlySet<string>, 'has'>,
): { targets: readonly Target[]; stake: Stake } {
  const none = { targets: [], stake: { items: [], more: 0, held: [] } };
  const ask = (targets: readonly Target[], writes: boolean, tree = false) => ({
    targets,
    stake: facts.lost({ about: 'paths', targets: targets.filter((target) => target.path !== undefined), tree, cwd: effect.cwd, writes }),
  });
  switch (effect.kind) {
    case 'file.write': {
      if (effect.mode !== 'truncate' || effect.substitutes) return none;
      return ask(
        effect.targets.filter((target) => !keepsText(target, effect.content, facts)),
        true,
      );
    }
    case 'net.fetch':
      return effect.to ? ask([effect.to], true) : none;
    case 'file.link':
      return effect.force ? ask([effect.at], false) : none;
    case 'file.move': {
      if (effect.noClobber || effect.backup) return none;
      return withSource(
        landings(effect, facts, made),
        (pairs) =>
          ask(
            pairs.map((pair) => pair.at),
            false,
          ),
        facts,
      );
    }
    case 'file.copy': {
      if (effect.noClobber || effect.backup) return none;
      return withSource(
        landings(effect, facts, made),
        (pairs) =>
          ask(
            pairs.map((pair) => pair.at),
            true,
            effect.recursive,
          ),
        facts,
      );
    }
    case 'file.sync': {
      if (effect.deletes || effect.remoteDest || effect.keeps) return none;
      const inside = !effect.from.slash && effect.from.path !== undefined && effect.dest.path !== undefined;
      const at = inside
        ? { ...effect.dest, path: `${effect.dest.path}/${effect.from.path!.slice(effect.from.path!.lastIndexOf('/') + 1)}` }
        : effect.dest;
      return withSource(
        [{ from: effect.from, at }],
        (pairs) =>
          ask(
            pairs.map((pair) => pair.at),
            true,
            true,
          ),
        facts,
      );
    }
  }
}

/** Only what the sources really have a counterpart for is replaced; an equal file is not. */
function withSource(
  pairs: readonly { from: Target; at: Target }[],
  ask: (pairs: readonly { from: Target; at: Target }[]) => { targets: readonly Target[]; stake: Stake },
  facts: Needs,
) {
  const asked = ask(pairs);
  const items = asked.stake.items.filter(
    (item) => item.path === undefined || pairs.some(({ from, at }) => replaces(from, at, item.path!, facts)),
  );
  return { ...asked, stake: { ...asked.stake, items } };
}

function replaces(from: Target, at: Target, path: string, facts: Needs): boolean {
  if (from.path === undefined || at.path === undefined || from.path === path) return false;
  const parent = (file: string): string => file.slice(0, file.lastIndexOf('/'));
  // Below a glob the names are those of the source's own folder.
  if (at.glob) return differs(`${parent(from.path)}${path.slice(parent(at.path).length)}`, path, facts);
  if (path === at.path)
    return facts.file(from.path).kind !== 'dir' && (facts.file(from.path).kind === 'absent' || differs(from.path, path, facts));
  if (!path.startsWith(`${at.path}/`)) return true;
  return differs(`${from.path}${path.slice(at.path.length)}`, path, facts);
}

/** Is there a source, with another content than what is there? */
function differs(source: string, path: string, facts: Needs): boolean {
  if (facts.file(source).kind === 'absent') return false;
  const text = facts.text(source);
  return text === undefined || text !== facts.text(path);
}

/** Does the new text keep at least half of the old lines? Then it is an edit of what is there. */
function keepsText(target: Target, content: string | undefined, facts: Needs): boolean {
  if (content === undefined || target.path === undefined || target.glob) return false;
  const old = facts.text(target.path);
  if (old === undefined) return false;
  const lines = old.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return true;
  const present = new Set(content.split('\n'));
  return lines.filter((line) => present.has(line)).length / lines.length >= KEPT;
}

/** The new content was made from the old one earlier in the line: `jq . f > t && mv t f`. */
function isDerived(path: string | undefined, effect: EffectOf<On>, effects: readonly Effect[]): boolean {
  if (path === undefined || effect.kind !== 'file.move') return false;
  const [read] = effectsOn('file.read', path, effects);
  if (!read) return false;
  const sources = effect.sources.flatMap((source) => (source.path === undefined ? [] : [source.path]));
  return sources.some((source) => {
    const [written] = effectsOn('file.write', source, effects);
    return written !== undefined && read.step <= written.step && written.step < effect.step;
  });
}

/** Each turn of a loop moves another file onto the same name. */
function collision(effect: EffectOf<'file.move'>, facts: Needs, waygate: string): Finding | undefined {
  const stake = facts.lost({
    about: 'paths',
    targets: effect.sources.filter((source) => source.path !== undefined),
    tree: true,
    cwd: effect.cwd,
  });
  const { dest } = effect;
  const shown = dest.path === undefined ? dest.raw : facts.show(dest.path);
  const saved = stake.items.length > 0 ? savingTargets(stake, effect.sources, waygate, facts.show) : undefined;
  const folder = dest.path !== undefined && !dest.glob && facts.file(dest.path).kind === 'absent' && !/\.[A-Za-z0-9]{1,5}$/.test(dest.path);
  const make = {
    kind: 'run',
    run: quoteLine(['mkdir', '-p', folder ? argument(dest.path!, facts.show) : '.']),
    because: 'then each file keeps its own name in it',
    then: 'again',
  } as const;
  const look = {
    kind: 'run',
    run: `printf '%s\\n' ${effect.sources.map((source) => source.raw).join(' ')}`,
    because: 'lists the files that would land on one name; give each a name of its own and use mv -n',
  } as const;
  const remedies = [...(folder ? [make] : []), ...(saved ? [saved] : [])];
  const [first, ...rest] = remedies;
  return {
    says: `Every turn moves its file to \`${shown}\`${folder ? ', which is no folder' : ''}: each one overwrites the one before, and only the last is left${
      stake.items.length > 0
        ? ` of ${names(
            stake.items.map((item) => item.name),
            3,
            stake.more,
          )}`
        : ''
    }.`,
    ...(stake.items.length === 0 ? { level: 'advise' as const } : {}),
    boundary: `file.overwrite ${dest.path ?? dest.raw} collision`,
    atStake: stake.items,
    remedies: first ? [first, ...rest] : [look],
  };
}

/** ` (2,840 lines become 2)` where both are known. */
function lengths(effect: EffectOf<On>, stake: Stake, facts: Needs): string {
  const path = stake.items[0]?.path;
  if (effect.kind !== 'file.write' || effect.content === undefined || path === undefined || stake.items.length > 1) return '';
  const old = facts.file(path).lines;
  const now = effect.content === '' ? 0 : effect.content.replace(/\n$/, '').split('\n').length;
  return old === undefined || old === now ? '' : ` (${count(old, 'line')} become ${now})`;
}
