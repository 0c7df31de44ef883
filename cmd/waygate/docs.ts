/** `waygate docs`: writes the reference of rules, or checks that it is what the rules say. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AnyRule } from '../../internal/rule/rule.ts';
import { rulePage, rulesIndexPage } from '../../internal/view/page.ts';
import { RULES } from '../../rules/index.gen.ts';
import TEXTS from '../../rules/texts.gen.json' with { type: 'json' };
import { type Exit, say, sayJson, tell } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';

/** Where the pages lie in this repository. */
export const REFERENCE = 'docs/reference/rules';

interface Flags {
  check?: boolean;
  out: string;
  json?: boolean;
}

/** What the agent reads about the first example of a rule; undefined when nothing is said. */
export type AgentReads = (rule: AnyRule) => Promise<string | undefined>;

export const define: VerbModule['define'] = (command, exit) => {
  command
    .option('--check', 'write nothing; exit 1 when a page is out of date')
    .option('--out <dir>', 'where the pages go', REFERENCE)
    .option('--json', 'one JSON document')
    .action(async (flags: Flags) => exit(await docs(flags)));
  examples(command, [
    ['waygate docs', `write ${REFERENCE}`],
    ['waygate docs --check', 'fail when a page is out of date'],
    ['waygate docs --out /tmp/rules', 'write them elsewhere'],
  ]);
};

async function docs(flags: Flags): Promise<Exit> {
  const out = resolve(flags.out);
  const pages = await referencePages(RULES);
  const drift = driftOf(out, pages);
  if (!flags.check) writePages(out, pages, drift);
  if (flags.json) sayJson({ out, pages: [...pages.keys()], ...(flags.check ? { drift } : { written: drift }) });
  else if (!flags.check) say(`${pages.size} pages in ${flags.out}, ${drift.length} written`);
  if (!flags.check || drift.length === 0) return 0;
  tell(`waygate: out of date in ${flags.out}: ${drift.join(', ')}\nRepair it with: npm run generate`);
  return 1;
}

/** Every page of the reference by its file name. */
export async function referencePages(
  rules: readonly AnyRule[],
  agentReads: AgentReads = generatedText,
): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>([['README.md', rulesIndexPage(rules)]]);
  for (const rule of rules) pages.set(`${rule.name}.md`, rulePage(rule, await agentReads(rule)));
  return pages;
}

/** As the engine said it when the pages were generated, in a real repository made from the example's `given`. */
export const generatedText: AgentReads = async (rule) => (TEXTS as Readonly<Record<string, string>>)[rule.name];

/** Pages that differ, are missing, or belong to no rule any more. */
export function driftOf(out: string, pages: ReadonlyMap<string, string>): readonly string[] {
  const changed = [...pages].filter(([name, text]) => read(join(out, name)) !== text).map(([name]) => name);
  return [...changed, ...stale(out, pages)].sort();
}

/** Writes what differs and takes away what is stale. */
export function writePages(out: string, pages: ReadonlyMap<string, string>, drift: readonly string[] = driftOf(out, pages)): void {
  mkdirSync(out, { recursive: true });
  for (const name of drift) {
    const text = pages.get(name);
    if (text === undefined) rmSync(join(out, name));
    else writeFileSync(join(out, name), text);
  }
}

function stale(out: string, pages: ReadonlyMap<string, string>): readonly string[] {
  try {
    return readdirSync(out).filter(
      (name) => name.endsWith('.md') && !pages.has(name) && read(join(out, name))?.startsWith('<!-- Generated from '),
    );
  } catch {
    return [];
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
