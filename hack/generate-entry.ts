/** Everything that is generated and committed, as texts by file name. `hack/generate.mjs` bundles this and writes or compares. */
import { driftOf, REFERENCE, referencePages, writePages } from '../cmd/waygate/docs.ts';
import { schemaText } from '../cmd/waygate/schema.ts';
import type { AnyRule, Example } from '../internal/rule/rule.ts';
import { agentView } from '../internal/view/agent.ts';
import { RULES } from '../rules/index.gen.ts';
import { INVARIANTS } from '../test/invariants.ts';
import { LIMITS } from '../test/limits.ts';
import { REQUIREMENTS } from '../test/requirements.ts';
import { decide } from '../test/support/judge.ts';
import { type Sandbox, sandbox } from '../test/support/sandbox.ts';
import { invariantsPage } from './invariants-page.ts';
import { limitsPage } from './limits-page.ts';
import { requirementsPage } from './requirements-page.ts';

export { driftOf, writePages };

export interface Generated {
  /** Text by file name, from the root of the repository. */
  files: ReadonlyMap<string, string>;
  /** The pages of the rules, by file name in `pagesFolder`; other generated pages there are stale. */
  pages: ReadonlyMap<string, string>;
  pagesFolder: string;
}

export async function generated(): Promise<Generated> {
  const texts = await agentTexts(RULES);
  return {
    files: new Map([
      ['rules/texts.gen.json', `${JSON.stringify(texts, undefined, 2)}\n`],
      ['docs/reference/waygate.schema.json', schemaText()],
      ['docs/guide/limits.md', limitsPage(LIMITS)],
      ['docs/requirements.md', requirementsPage(REQUIREMENTS)],
      ['docs/invariants.md', invariantsPage(INVARIANTS)],
    ]),
    pages: await referencePages(RULES, async (rule) => texts[rule.name]),
    pagesFolder: REFERENCE,
  };
}

/** What the agent reads about the first catch of each rule, said by the engine in a real repository made from its `given`. */
async function agentTexts(rules: readonly AnyRule[]): Promise<Readonly<Record<string, string>>> {
  const boxes = new Map<string, Sandbox>();
  const boxOf = (example: Example): Sandbox => {
    const key = JSON.stringify(example.given ?? []);
    const box = boxes.get(key) ?? sandbox(example.given);
    boxes.set(key, box);
    return box;
  };
  const texts: Record<string, string> = {};
  for (const rule of [...rules].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const [example] = rule.examples.catches;
    const box = boxOf(example);
    const decision = await decide(example, box, { processes: 'none' });
    const speaks = decision.rule === rule.name || decision.notices.some((notice) => notice.rule === rule.name);
    if (speaks) texts[rule.name] = placeless(agentView(decision), box);
  }
  return texts;
}

/** Without the paths of this machine. The longer ones first, since one holds the other. */
const placeless = (text: string, box: Sandbox): string =>
  text
    .replaceAll(box.repo, '/home/dev/code/repo')
    .replaceAll(box.work, '/home/dev/code')
    .replaceAll(box.home, '/home/dev')
    .replaceAll(box.state, '/home/dev/.local/state')
    .replaceAll(box.tmp, '/tmp')
    // A run has another id and another time whenever the pages are made.
    .replaceAll(/\(run [0-9a-z]{12}, \d{4}-\d\d-\d\d \d\d:\d\d UTC\)/g, '(run mx3g6ukhapc5, 2026-01-05 09:00 UTC)');
