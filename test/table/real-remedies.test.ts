/** Whole table, rules about files and git: each remedy is really run, and then the same call passes. The call itself is only judged. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../internal/decision/record.ts';
import type { AnyRule, Example, Remedy } from '../../internal/rule/rule.ts';
import { RULES } from '../../rules/index.gen.ts';
import { sharedBoxes, title } from '../support/boxes.ts';
import { decide, said } from '../support/judge.ts';
import { remove, runLine, type Sandbox, sandbox } from '../support/sandbox.ts';

type Run = Extract<Remedy, { kind: 'run' }>;

/** Programs that a sandbox can hold back: they act on the files they are told. Forges, databases and clusters are only judged. */
const LOCAL = new Set(['git', 'waygate', 'ls', 'cat', 'find', 'printf', 'mkdir', 'rm', 'mv', 'cp', 'chmod', 'bash', 'sed', 'rsync', 'ln']);
/** What a program ends with when it has done its work and found something: `bash -n` reports a syntax error with 2. */
const ENDS: Readonly<Record<string, readonly number[]>> = { bash: [0, 2] };

/** An extension of git that this machine does not have. */
const NOT_THERE = /^git: '[\w-]+' is not a git command/;

const programOf = (run: string): string => run.trimStart().split(/\s/, 1)[0]!;
const isInstalled = (program: string, box: Sandbox): boolean =>
  box.env['PATH']!.split(path.delimiter).some((folder) => fs.existsSync(path.join(folder, program)));

/** Can it be run here? Nothing that leaves this machine, no program that is not there. */
function isLocal(run: string, judged: Decision, box: Sandbox): boolean {
  if (!LOCAL.has(programOf(run)) || !isInstalled(programOf(run), box)) return false;
  return judged.effects.every((effect) => !effect['remote'] && !effect['remoteDest'] && !String(effect['kind']).startsWith('net.'));
}

/** Rules about files and git, and every other remedy that says that the same call passes after it. */
const tried = (rule: AnyRule, remedy: Remedy): remedy is Run =>
  remedy.kind === 'run' && (['work', 'push'].includes(rule.group) || remedy.then === 'again');

const boxOf = sharedBoxes();

for (const rule of RULES.filter((each) => each.level === 'deny')) {
  const catches = rule.examples.catches.filter((example) => (example.gets ?? 'deny') === 'deny');
  if (catches.length === 0) continue;
  describe(rule.name, () => {
    it.each(catches.map((example) => [title(example), example] as const))('%s', async (_title, example) => {
      // Most calls have nothing to run: they are judged where others are.
      const seen = await decide(example, boxOf(example));
      expect(seen.verdict, seen.says).toBe('deny');
      if (seen.rule !== rule.name || !seen.remedies.some((remedy) => tried(rule, remedy))) return;
      let box = sandbox(example.given);
      let used = false;
      const decision = await decide(example, box);
      const remedies = decision.rule === rule.name ? decision.remedies : [];
      for (const remedy of remedies) {
        if (!tried(rule, remedy)) continue;
        // In the same place: remedies may name it.
        if (used) box = sandbox(example.given, box);
        used = false;
        const judged = await decide({ ...around(example), run: remedy.run }, box);
        if (!isLocal(remedy.run, judged, box)) continue;
        const ran = runLine(remedy.run, box, example.cwd ? path.join(box.repo, example.cwd) : box.repo);
        if (NOT_THERE.test(ran.output)) continue;
        expect(ENDS[programOf(remedy.run)] ?? [0], `${remedy.run}\n${ran.output}`).toContain(ran.code);
        if (remedy.then === 'again') await passesNow(rule, example, decision, box, `${remedy.run}\n${ran.output}`);
        used = !isReading(judged);
      }
      remove(box);
    });
  });
}

const around = (example: Example) => ({ given: example.given, env: example.env, cwd: example.cwd });
const isReading = (judged: Decision): boolean => judged.effects.every((effect) => effect['kind'] === 'file.read');

/** The same call, judged anew: this rule refuses no more, and where it was the only one that did, the call passes. */
async function passesNow(rule: AnyRule, example: Example, before: Decision, box: Sandbox, context: string): Promise<void> {
  const after = await decide(example, box);
  expect(said(after, rule.name), `after ${context}\n${after.says}`).not.toBe('deny');
  const others = before.findings.some((finding) => finding.verdict === 'deny' && finding.rule !== rule.name);
  if (!others) expect(after.verdict, `after ${context}\n${after.says}`).not.toBe('deny');
}
