/** The workspace's own rules (`custom:`) as rules of the table. Pure; the globs are RegExp sources since the policy was compiled. */
import type { Effect, EffectKind } from '../effect/effect.ts';
import { quoteLine } from '../rule/quote.ts';
import type { AnyRule, Asked, Finding, Remedy } from '../rule/rule.ts';
import { regExpOf } from './match.ts';
import type { CustomRule, Policy } from './policy.ts';
import { targetsOf } from './targets.ts';

/** Kinds that change what lies at a path. A rule with a path and no effect is about these. */
const CHANGES: readonly EffectKind[] = [
  'file.write',
  'file.delete',
  'file.move',
  'file.copy',
  'file.sync',
  'file.link',
  'file.mkdir',
  'file.mode',
  'file.extract',
  'git.discard',
  'git.clean',
  'git.worktree-remove',
];

/** Every kind of effect: the compiler fails when one is missing. */
export const EFFECT_KINDS: Readonly<Record<EffectKind, true>> = {
  'container.purge': true,
  'data.destroy': true,
  'disk.write': true,
  'exec.decoded': true,
  'exec.remote': true,
  'external.call': true,
  'file.copy': true,
  'file.delete': true,
  'file.extract': true,
  'file.link': true,
  'file.mkdir': true,
  'file.mode': true,
  'file.move': true,
  'file.read': true,
  'file.sync': true,
  'file.write': true,
  'git.branch-create': true,
  'git.branch-delete': true,
  'git.branch-move': true,
  'git.clean': true,
  'git.clone': true,
  'git.commit': true,
  'git.config': true,
  'git.discard': true,
  'git.fetch': true,
  'git.history-rewrite': true,
  'git.hook-bypass': true,
  'git.init': true,
  'git.inline-program': true,
  'git.internals': true,
  'git.merge': true,
  'git.push': true,
  'git.remote': true,
  'git.stage': true,
  'git.stash': true,
  'git.switch': true,
  'git.worktree-add': true,
  'git.worktree-remove': true,
  'guard.checkpoint': true,
  'guard.disable': true,
  'guard.feeds-hook': true,
  'guard.owner-verb': true,
  'guard.verb': true,
  'infra.change': true,
  'infra.destroy': true,
  'line.command': true,
  'line.look': true,
  'line.shape': true,
  'net.fetch': true,
  'net.send': true,
  'package.install': true,
  'package.publish': true,
  'package.resolve': true,
  'package.wipe': true,
  'process.kill': true,
  'process.wait': true,
  'remote.ref': true,
  'review.merge': true,
  'review.protection': true,
  'review.rewrite': true,
  'secret.dump': true,
  'secret.read': true,
  'secret.write': true,
  'system.exhaustion': true,
  'system.persistence': true,
  'system.privilege': true,
  'system.state': true,
  'tool.call': true,
  unknown: true,
  'unknown.tool': true,
  'vcs.discard': true,
  'run.target': true,
  'run.tool': true,
  'run.gate': true,
  'line.work': true,
  'run.capture': true,
  'git.identity': true,
  'git.kept': true,
  'line.environment': true,
};

/** The custom rules of a policy. */
export const customRules = (policy: Policy): readonly AnyRule[] => policy.custom.map(ruleOf);

/** True when the call itself and its commands have to be read as effects (internal/effect/calls.ts). */
export const wantsCalls = (policy: Policy): boolean =>
  (policy.protected.hidden ?? []).length > 0 || policy.custom.some((rule) => rule.on.run !== undefined || rule.on.tool !== undefined);

/** The table with the policy's own rules in it. Without any it is the same table. */
export function rulesUnder(policy: Policy, table: ReadonlyMap<string, readonly AnyRule[]>): ReadonlyMap<string, readonly AnyRule[]> {
  if (policy.custom.length === 0) return table;
  const before = extensions.get(policy);
  if (before?.table === table) return before.extended;
  const extended = new Map(table);
  for (const rule of customRules(policy)) {
    for (const kind of rule.on as readonly EffectKind[]) extended.set(kind, [...(extended.get(kind) ?? []), rule]);
  }
  extensions.set(policy, { table, extended });
  return extended;
}

/** Tables with a policy's own rules in them: a call and each of its ways on are judged under the same. */
const extensions = new WeakMap<
  Policy,
  { table: ReadonlyMap<string, readonly AnyRule[]>; extended: ReadonlyMap<string, readonly AnyRule[]> }
>();

function ruleOf(custom: CustomRule): AnyRule {
  return {
    name: custom.rule,
    group: 'outside',
    level: custom.verdict,
    summary: custom.says,
    why: custom.says,
    evidence: `Set by this workspace: ${custom.origin.file}:${custom.origin.line ?? 1}.`,
    on: kindsOf(custom),
    needs: ['show'],
    category: custom.category ?? 'approval-required',
    // A tool that was taken out does not come back by asking again.
    persistence: custom.category === 'retired-tool' ? 'not-in-this-run' : 'owner-action',
    examples: { catches: [{ run: '' }, { run: '' }], allows: [{ run: '' }, { run: '' }] },
    judge: (effect, asked) => judge(custom, effect, asked),
  };
}

/** The kinds a rule has to be asked about. A command and a tool are effects of their own. */
function kindsOf({ on, match }: CustomRule): readonly EffectKind[] {
  if (on.run !== undefined) return ['line.command'];
  const all = Object.keys(EFFECT_KINDS) as EffectKind[];
  if (match.effect !== undefined) return all.filter((kind) => regExpOf(match.effect!).test(kind));
  if (on.path !== undefined) return CHANGES;
  return ['tool.call'];
}

function judge(custom: CustomRule, effect: Effect, asked: Asked): Finding | undefined {
  const found = caught(custom, effect, asked);
  if (found === undefined) return undefined;
  const said = custom.says.trim();
  return {
    says: /[.!?]$/.test(said) ? said : `${said}.`,
    person: `${custom.origin.file}:${custom.origin.line ?? 1} does not allow this: ${said}`,
    remedies: [remedyOf(custom, effect)],
    boundary: `custom.${custom.rule} ${found}`,
  };
}

/** What of an effect the rule is about; undefined when a condition does not hold or an example allows it word for word. */
function caught({ on, match, examples }: CustomRule, effect: Effect, { effects }: Asked): string | undefined {
  if (match.tool !== undefined && !regExpOf(match.tool).test(effect.kind === 'tool.call' ? effect.tool : toolOf(effect, effects)))
    return undefined;
  if (on.run !== undefined) {
    if (effect.kind !== 'line.command') return undefined;
    const text = effect.argv.join(' ').trim();
    if (!regExpOf(match.run!).test(text)) return undefined;
    const same = effects.filter((each) => each.step === effect.step && each !== effect);
    if (match.effect !== undefined && !same.some((each) => regExpOf(match.effect!).test(each.kind))) return undefined;
    if (match.path !== undefined && !same.some((each) => pathIn(each, match.path!) !== undefined)) return undefined;
    return allowed(examples?.allows ?? [], text, effect.source) ? undefined : text;
  }
  if (on.path !== undefined) return pathIn(effect, match.path!);
  return effect.kind === 'tool.call' ? effect.tool : effect.kind;
}

const pathIn = (effect: Effect, pattern: string): string | undefined =>
  targetsOf(effect as unknown as Record<string, unknown>)
    .map((target) => target.path)
    .find((path) => path !== undefined && regExpOf(pattern).test(path));

/** The tool of the call an effect is part of. */
const toolOf = (effect: Effect, effects: readonly Effect[]): string => {
  const call = effects.find((each) => each.kind === 'tool.call');
  return call?.kind === 'tool.call' ? call.tool : effect.by;
};

/** The examples that a rule lets through hold word for word, whatever its glob says; the launcher before the program does not count. */
const allowed = (allows: readonly string[], text: string, source: string): boolean =>
  allows.map(plain).some((line) => line === plain(text) || line === plain(source) || line.endsWith(` ${plain(text)}`));

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ');

function remedyOf(custom: CustomRule, effect: Effect): Remedy {
  const where = `the workspace's rule ${custom.rule} (${custom.origin.file}:${custom.origin.line ?? 1}) says so`;
  if (custom.remedy?.run !== undefined) return { kind: 'run', run: custom.remedy.run, because: where };
  if (custom.remedy?.ask !== undefined) return { kind: 'ask', ask: custom.remedy.ask, because: where };
  const what = effect.kind === 'line.command' ? quoteLine(effect.argv) : effect.source;
  return { kind: 'ask', ask: `May I run \`${what}\`? The rule ${custom.rule} of this workspace is against it.`, because: where };
}
