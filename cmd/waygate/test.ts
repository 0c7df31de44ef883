/** `waygate test`: are the policy files right? Names and values, examples of own rules, and remedies that can still be taken. */
import type { Decision } from '../../internal/decision/record.ts';
import { renderError } from '../../internal/policy/errors.ts';
import { untrustedNote } from '../../internal/policy/in-force.ts';
import type { CustomRule, Policy, PolicyError } from '../../internal/policy/policy.ts';
import type { AnyRule } from '../../internal/rule/rule.ts';
import { visible } from '../../internal/view/visible.ts';
import { RULES } from '../../rules/index.gen.ts';
import { decideExample } from './example.ts';
import { type Exit, paint, say, sayJson } from './terminal.ts';
import { examples, type VerbModule } from './verb.ts';
import { workspaceHere } from './workspace.ts';

interface Flags {
  json?: boolean;
}

export const define: VerbModule['define'] = (command, exit) => {
  command.option('--json', 'one JSON document').action(async (flags: Flags) => exit(await test(flags)));
  examples(command, [
    ['waygate test', 'check the policy files that count here'],
    ['waygate -C ../api test', 'those of another workspace'],
  ]);
};

async function test(flags: Flags): Promise<Exit> {
  const { root, policy } = await workspaceHere();
  const errors = [...policy.errors, ...(await customErrors(policy, root)), ...(await remedyErrors(policy, root))];
  if (flags.json) {
    sayJson({ errors, untrusted: policy.untrusted });
    return errors.length > 0 ? 1 : 0;
  }
  for (const error of errors) say(`${visible(renderError(error))}\n`);
  for (const line of waitingLines(policy)) say(`${paint('yellow', 'waiting')}  ${visible(line)}`);
  const files = policy.sources.filter(
    (source) => source.digest !== null && /\.(ya?ml|json)$/.test(source.path) && !source.path.endsWith('trust.json'),
  ).length;
  if (errors.length === 0)
    say(
      `${paint('green', 'fine')}  ${files === 0 ? 'no policy file: the defaults are in force' : `${files} policy file${files === 1 ? '' : 's'} checked`}`,
    );
  return errors.length > 0 ? 1 : 0;
}

/** What waits for trust is no error: it is told. */
function waitingLines(policy: Policy): readonly string[] {
  const rules = RULES.flatMap((rule) => {
    const note = untrustedNote(policy, rule.name);
    return note ? [`${rule.name}: ${note}; a person runs waygate trust`] : [];
  });
  const others = policy.untrusted
    .filter((each) => !/^rules\.[^.]+$/.test(each.key))
    .map((each) => `${each.key}: set in ${each.origin.file}:${each.origin.line ?? 1}, not yet trusted; a person runs waygate trust`);
  return [...rules, ...others];
}

/** The examples of the workspace's own rules, as calls made here. */
async function customErrors(policy: Policy, root: string): Promise<readonly PolicyError[]> {
  const errors: PolicyError[] = [];
  for (const custom of policy.custom) {
    for (const run of custom.examples?.catches ?? []) {
      const decision = await decideExample({ run }, root, { policy });
      if (!speaks(decision, custom)) errors.push(exampleError(custom, `the example ${JSON.stringify(run)} is not caught`));
    }
    for (const run of custom.examples?.allows ?? []) {
      const decision = await decideExample({ run }, root, { policy });
      if (speaks(decision, custom)) errors.push(exampleError(custom, `the example ${JSON.stringify(run)} is caught, and should not be`));
    }
    if (custom.remedy?.run === undefined) continue;
    const remedy = await decideExample({ run: custom.remedy.run }, root, { policy });
    if (remedy?.verdict === 'deny')
      errors.push(exampleError(custom, `its remedy ${JSON.stringify(custom.remedy.run)} is itself denied by ${remedy.rule}`));
  }
  return errors;
}

const speaks = (decision: Decision | undefined, custom: CustomRule): boolean =>
  decision?.findings.some((finding) => finding.rule === custom.rule) === true;

const exampleError = (custom: CustomRule, what: string): PolicyError => ({
  file: custom.origin.file,
  line: custom.origin.line,
  message: `custom rule "${custom.rule}": ${what}`,
  stays: `The rule is in force as it stands: ${custom.verdict}.`,
});

/**
 * A rule that was raised can refuse what another rule offers as the way on. Each denying rule's first example is judged under
 * this policy and under the defaults: a way on that the defaults reach and this policy does not is reported where it was cut.
 */
async function remedyErrors(policy: Policy, root: string): Promise<readonly PolicyError[]> {
  const raised = RULES.filter(
    (rule) => Object.hasOwn(policy.rules, rule.name) && policy.rules[rule.name]?.level === 'deny' && rule.level !== 'deny',
  );
  if (raised.length === 0 && policy.custom.length === 0) return [];
  const errors: PolicyError[] = [];
  for (const rule of RULES) {
    if ((policy.rules[rule.name]?.level ?? rule.level) !== 'deny') continue;
    const cut = await cutOff(rule, policy, root);
    if (cut) errors.push(cut);
  }
  return errors;
}

async function cutOff(rule: AnyRule, policy: Policy, root: string): Promise<PolicyError | undefined> {
  const [example] = rule.examples.catches;
  const standard = await decideExample(example, root, { assume: 'worst', preset: 'strict', policy: { ...policy, rules: {}, custom: [] } });
  for (const remedy of standard?.rule === rule.name ? standard.remedies : []) {
    if (remedy.kind !== 'run') continue;
    const under = await decideExample({ run: remedy.run }, root, { assume: 'worst', policy });
    if (under?.verdict !== 'deny' || under.rule === undefined) continue;
    const origin = policy.rules[under.rule]?.origin ?? policy.custom.find((each) => each.rule === under.rule)?.origin;
    if (!origin || origin.file === 'default') continue;
    return {
      file: origin.file,
      line: origin.line,
      message: `rule "${under.rule}" cuts off the way on that ${rule.name} offers: ${JSON.stringify(remedy.run)}`,
      stays: `Both are in force; ${rule.name} offers what is left, or the owner.`,
    };
  }
  return undefined;
}
