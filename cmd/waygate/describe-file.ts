/** `waygate describe file PATH`: what the guard holds a path for, and what is known of where it comes from. */
import { resolve } from 'node:path';
import { pathTarget } from '../../internal/effect/family.ts';
import { realFacts } from '../../internal/fact/real.ts';
import { makeLine } from '../../internal/rule/generated.ts';
import { list } from '../../internal/rule/text.ts';
import { visible } from '../../internal/view/visible.ts';
import { say, sayJson, UsageError } from './terminal.ts';
import { workspaceHere } from './workspace.ts';

const WORDS = {
  output: 'generated',
  source: 'a source of generated files',
  installed: 'an installed copy',
  declaration: 'declared',
  attribute: 'by linguist-generated in .gitattributes',
  header: 'by its own header only',
} as const;

export async function describeFile(given: string | undefined, json: boolean): Promise<void> {
  if (given === undefined) throw new UsageError('describe file needs a path; e.g. waygate describe file dist/app.js');
  const { root, policy } = await workspaceHere();
  const path = resolve(given);
  const facts = realFacts({ cwd: process.cwd(), workspace: root }, policy, { budgetMs: 30_000 });
  // What the policy hides is not there, for this verb too.
  const hidden = facts.hidden(path, false);
  const fact = hidden ? { kind: 'absent' as const, size: 0, tracked: false } : facts.file(path);
  const made = hidden ? undefined : facts.generated(path);
  const stake =
    fact.kind === 'absent'
      ? { items: [], more: 0, held: [] }
      : facts.lost({ about: 'paths', targets: [pathTarget(path, undefined)], tree: true, cwd: process.cwd() });
  const again = made ? makeLine(made, facts.show) : undefined;
  const told = {
    path,
    kind: fact.kind,
    place: facts.place(path),
    tracked: fact.tracked ?? false,
    wiring: facts.wiring(path) ?? null,
    secret: hidden ? null : (facts.secret(path)?.what ?? null),
    protected: facts.protectedPath(path, false) ?? null,
    generated: made
      ? {
          is: made.is,
          by: made.by,
          command: made.command ?? null,
          others: made.others.map((each) => facts.show(each)),
          ignored: made.ignored === true,
        }
      : null,
    again: again ?? null,
    atStake: stake.items.map((item) => item.name),
    held: stake.held.map((each) => each.checkpoint),
  };
  if (json) {
    sayJson(told);
    return;
  }
  const rows: readonly (readonly [string, string])[] = [
    ['path', path],
    ['kind', told.kind],
    ['place', told.place],
    ['tracked', String(told.tracked)],
    [
      'is',
      made ? `${WORDS[made.is]}, ${WORDS[made.by]}${made.ignored ? ', ignored by git' : ''}` : 'not generated, as far as anything says',
    ],
    ...(made && made.others.length > 0
      ? [
          [
            made.is === 'source' ? 'makes' : 'from',
            list(
              made.others.map((each) => facts.show(each)),
              5,
            ),
          ] as const,
        ]
      : []),
    ...(again === undefined ? [] : [['again', again] as const]),
    ['at stake', stake.items.length === 0 ? 'nothing: it exists elsewhere too' : list(told.atStake, 5, stake.more)],
    ...(told.held.length > 0 ? [['held by', list([...new Set(told.held)].map((id) => `checkpoint ${id}`))] as const] : []),
    ['protected', told.protected ?? '-'],
    ['wiring', told.wiring ?? '-'],
    ['secret', told.secret ?? '-'],
  ];
  say(visible(rows.map(([key, value]) => `${key.padEnd(9)} ${value}`).join('\n')));
}
