/** The prose holds: links lead somewhere, rules and verbs that a page names are there. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERBS } from '../cmd/waygate/verbs.ts';
import { RULES } from '../rules/index.gen.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const pages = [
  ...fs.readdirSync(ROOT),
  ...fs.readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => path.join('docs', name)),
].filter((name) => name.endsWith('.md'));

/** Verbs to come: the plan may name them, and so may the pages of rules, which already know whose they are. */
const LATER = ['lease', 'watch', 'brief', 'replay', 'refs', 'map', 'text', 'index'];
const speaksOfLater = (page: string): boolean => /^docs[\\/](?:requirements\.md|reference[\\/])/.test(page);

/** What stands in backticks and between fences, each on lines of its own. */
const code = (text: string): string =>
  [...text.matchAll(/^```\w*\n([\s\S]*?)^```|`([^`\n]+)`/gm)].map((match) => match[1] ?? match[2]).join('\n');

describe.each(pages)('%s', (page) => {
  const text = fs.readFileSync(path.join(ROOT, page), 'utf8');

  it('its links lead somewhere', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!).filter((link) => !/^(?:https?:|mailto:|#)/.test(link));
    const dead = links.filter((link) => !fs.existsSync(path.join(ROOT, path.dirname(page), decodeURI(link.split('#')[0]!))));
    expect(dead).toEqual([]);
  });

  it('rules and verbs it names are there', () => {
    const rules = new Set(RULES.flatMap((rule) => [rule.name, ...(rule.aliases ?? [])]));
    const named = [...text.matchAll(/waygate describe rules ([a-z][a-z-]+)/g)].map((match) => match[1]!);
    expect(named.filter((name) => !rules.has(name))).toEqual([]);
    const verbs = new Set([...VERBS.map((verb) => verb.name), 'hook', ...(speaksOfLater(page) ? LATER : [])]);
    const called = [...code(text).matchAll(/^(?:\$ )?waygate ([a-z][a-z-]+)\b/gm)].map((match) => match[1]!);
    expect(called.filter((name) => !verbs.has(name))).toEqual([]);
  });
});
