import { type Asked, defineRule, type EffectOf, list, type Remedy, type Target } from '../../internal/rule/rule.ts';

type Writing = EffectOf<'file.write' | 'file.delete' | 'file.move' | 'file.copy' | 'file.link'>;
type Ask = Asked<'wiring' | 'file' | 'text' | 'policyChange' | 'show'>;

/** A policy file with what it would hold afterwards. `unknown`: nobody can tell; undefined: no file any more. */
type After = { path: string; text: string | undefined | 'unknown'; known: boolean };

const POLICY = 'waygate.yaml';

export default defineRule({
  name: 'policy-loosening',
  group: 'guard',
  level: 'deny',
  fixed: true,
  summary: 'Do not lower what the guard protects in its policy files.',
  why: `
    A policy file lies where the agent can write. A change that lowers a verdict, widens an exception or takes a rule out counts
    for nothing until a person has trusted it, so writing one only leaves a policy that says what is not in force.
    A change that only tightens passes.
  `,
  evidence:
    'Turning a check off in its configuration is the second most common way around it in the collected cases. Tightening is never refused. It does not reopen: no file can lower it.',
  on: ['file.write', 'file.delete', 'file.move', 'file.copy', 'file.link'],
  needs: ['wiring', 'file', 'text', 'policyChange', 'show'],
  category: 'self-protection',
  persistence: 'owner-action',
  quiet: [
    'a change that tightens or changes nothing that judges',
    'a policy file that is read',
    'a file of that name that no workspace reads',
  ],

  judge(effect, asked) {
    if (effect.remote) return undefined;
    for (const after of policyFilesOf(effect, asked)) {
      const change = after.known ? asked.facts.policyChange(after.path, after.text) : { change: 'unread' as const, keys: [] };
      if (change.change === 'same' || change.change === 'tighter') continue;
      const name = asked.facts.show(after.path);
      const what = list(change.keys.map((key) => `\`${key.replace(/^rules\./, '')}\``));
      const loses = change.keys.length > 0 ? `would lower ${what} in \`${name}\`` : `would change \`${name}\` in a way that cannot be told`;
      return {
        says: `This ${loses}, and a lower policy counts only when a person has trusted it.`,
        person: `The agent tried to change the policy in ${name}: ${change.keys.join(', ') || 'in a way that cannot be told'}.`,
        remedies: remedies(change.keys, what, name, asked),
        boundary: `guard.policy ${after.path}`,
      };
    }
    return undefined;
  },

  examples: {
    catches: [
      { tool: 'Write', input: { file_path: 'waygate.yaml', content: 'version: 1\npreset: safety\n' } },
      {
        tool: 'Write',
        input: { file_path: 'waygate.yaml', content: 'version: 1\nregenerable: ["**"]\n' },
        why: 'everything would count as made again',
      },
      {
        tool: 'Edit',
        input: { file_path: 'waygate.yaml', old_string: 'deny', new_string: 'off' },
        given: ["printf 'version: 1\\nrules:\\n  test-skip: advise\\n  stage-all: deny\\n' > waygate.yaml"],
      },
      { run: "printf 'preset: safety\\n' > waygate.yaml" },
      {
        run: 'rm waygate.yaml',
        given: ["printf 'version: 1\\nprotected: { branches: [develop] }\\n' > waygate.yaml"],
        why: 'the branch would lose its protection',
      },
      { run: 'mv waygate.yaml waygate.yaml.off', given: ["printf 'version: 1\\nbudgets: { push: 3 }\\n' > waygate.yaml"] },
      {
        tool: 'Write',
        input: { file_path: 'team.yaml', content: 'version: 1\n' },
        given: ["printf 'budgets: { push: 3 }\n' > team.yaml", "printf 'extends: [./team.yaml]\n' > waygate.yaml"],
        why: 'a file that waygate.yaml extends',
      },
      { run: 'curl -fsS https://example.com/policy.yaml > waygate.yaml', why: 'what comes is not known' },
    ],
    allows: [
      { tool: 'Write', input: { file_path: 'waygate.yaml', content: 'version: 1\nprotected: { branches: [develop] }\n' } },
      { run: 'cat waygate.yaml', given: ["printf 'version: 1\\n' > waygate.yaml"] },
      {
        tool: 'Edit',
        input: { file_path: 'waygate.yaml', old_string: 'preset: safety', new_string: 'preset: strict' },
        given: ["printf 'version: 1\\npreset: safety\\n' > waygate.yaml"],
        why: 'tightening',
      },
      { tool: 'Write', input: { file_path: 'docs/waygate.md', content: 'preset: safety' } },
      { tool: 'Write', input: { file_path: 'test/fixtures/waygate.yaml', content: 'preset: safety' }, why: 'no workspace reads it' },
    ],
  },

  wrappings: { loop: 'a loop may run no time at all, and what it writes is then not known' },
});

/** The sentence for the owner, and a look at the rule where one is named. */
function remedies(keys: readonly string[], what: string, name: string, { waygate }: Ask): readonly [Remedy, ...Remedy[]] {
  const ask: Remedy = {
    kind: 'ask',
    ask:
      keys.length > 0
        ? `Should ${what} be lowered in ${name}? If so, please change it and run \`waygate trust\` in a terminal of your own.`
        : `May ${name} be changed? Please look at the change yourself.`,
    because: 'a lower policy is a decision of the owner',
  };
  const rule = keys.find((key) => key.startsWith('rules.'))?.split('.')[1];
  return rule
    ? [ask, { kind: 'run', run: `${waygate} describe rules ${rule}`, because: 'shows what the rule guards and how to pass it' }]
    : [ask];
}

/** Every policy file an effect would change. */
function policyFilesOf(effect: Writing, asked: Ask): readonly After[] {
  switch (effect.kind) {
    case 'file.write':
      return effect.targets.flatMap((target) => written(target, effect, asked));
    case 'file.delete':
      return effect.targets.flatMap((target) => gone(target, asked));
    case 'file.move':
      return [...effect.sources.flatMap((source) => gone(source, asked)), ...arriving(effect.sources, effect.dest, asked)];
    case 'file.copy':
      return effect.noClobber ? [] : arriving(effect.sources, effect.dest, asked);
    case 'file.link':
      return arriving([effect.target], effect.at, asked);
  }
}

const isPolicy = (path: string | undefined, { facts }: Ask): path is string => path !== undefined && facts.wiring(path) === 'policy';

function written(target: Target, effect: EffectOf<'file.write'>, asked: Ask): readonly After[] {
  const { path } = target;
  if (!isPolicy(path, asked)) return [];
  if (target.glob) return [{ path, text: undefined, known: false }];
  const old = asked.facts.text(path);
  if (effect.edits) {
    const text = effect.edits.reduce<string | undefined>((before, edit) => edited(before, edit), old ?? '');
    // an edit that finds nothing changes nothing
    return text === undefined ? [] : [{ path, text, known: true }];
  }
  if (effect.edit) {
    const { edit } = effect;
    // sed works line by line: the first hit of each
    const lines = (old ?? '').split('\n').map((line) => edited(line, edit) ?? line);
    return edit.before === '' ? [{ path, text: undefined, known: false }] : [{ path, text: lines.join('\n'), known: true }];
  }
  if (effect.content === undefined) return [{ path, text: undefined, known: false }];
  return [{ path, text: effect.mode === 'append' ? (old ?? '') + effect.content : effect.content, known: true }];
}

function edited(text: string | undefined, { before, after, all }: { before: string; after: string; all?: boolean }): string | undefined {
  if (text === undefined) return undefined;
  if (before === '') return text === '' ? after : undefined;
  if (!text.includes(before)) return undefined;
  return all ? text.split(before).join(after) : text.replace(before, () => after);
}

/** The file itself, the one in a folder that goes, or one that a glob names. */
function gone(target: Target, asked: Ask): readonly After[] {
  const { path } = target;
  if (path === undefined) return [];
  const last = path.slice(path.lastIndexOf('/') + 1);
  // A name with an ending is a file, unless a folder of that name is there.
  const folder = !last.includes('.') || asked.facts.file(path).kind === 'dir';
  const candidates = target.glob ? [`${path.slice(0, path.lastIndexOf('/'))}/${POLICY}`] : [path, ...(folder ? [`${path}/${POLICY}`] : [])];
  return candidates
    .filter((each) => isPolicy(each, asked) && asked.facts.file(each).kind !== 'absent')
    .filter(() => !target.glob || matches(last, POLICY))
    .map((each) => ({ path: each, text: undefined, known: true }));
}

/** `*` and `?` of one part of a path, without a regular expression from outside. */
function matches(glob: string, name: string): boolean {
  if (glob === '') return name === '';
  if (glob[0] === '*')
    return Array.from({ length: name.length + 1 }, (_, cut) => cut).some((cut) => matches(glob.slice(1), name.slice(cut)));
  return name !== '' && (glob[0] === '?' || glob[0] === name[0]) && matches(glob.slice(1), name.slice(1));
}

/** What is put in a policy file's place. */
function arriving(sources: readonly Target[], dest: Target, asked: Ask): readonly After[] {
  if (dest.path === undefined) return [];
  return sources.flatMap((source) => {
    const name = source.path?.slice(source.path.lastIndexOf('/') + 1) ?? '';
    const path = [dest.path!, `${dest.path}/${name}`].find((each) => isPolicy(each, asked));
    if (path === undefined) return [];
    const text = source.path === undefined ? undefined : asked.facts.text(source.path);
    return [{ path, text, known: text !== undefined }];
  });
}
