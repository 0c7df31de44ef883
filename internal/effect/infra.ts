/** Infrastructure tools: terraform and its kin, kubectl, helm, machines, secret stores, backups. */
import type { Command } from '../shell/command.ts';
import { literal, shapeOf, textOf, type Word } from '../shell/word.ts';
import { isAnswered, isThrowawayName } from './data-input.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable } from './family.ts';
import { runsOnLocalCluster } from './infra-cluster.ts';
import { MIRRORS, type PlainTool, TOOLS } from './infra-tools.ts';
import { callOf, commandLine, isHelp, isRehearsal, lineOf, matchPath, namesOf, plainName } from './infra-words.ts';
import type { InfraEffect } from './types-outside.ts';

/** One destruction of infrastructure, with the fields every effect has. */
export function infraLoss(
  command: Command,
  tool: string,
  what: string,
  more: Partial<Extract<InfraEffect, { kind: 'infra.destroy' }>> = {},
): InfraEffect {
  return { command: commandLine(command), ...baseOf(command), ...more, kind: 'infra.destroy', tool, what: plainName(what) };
}

/** The command with one word replaced, and some options left out; undefined when that word is not there. */
function withWord(command: Command, from: string, to: readonly string[], without: readonly string[] = []): string | undefined {
  const at = command.argv.findIndex((word, index) => index > 0 && textOf(word) === from);
  if (at < 0) return undefined;
  const words: Word[] = command.argv.flatMap((word, index) =>
    index === at
      ? to.map((text) => literal(text))
      : index > 0 && without.some((name) => shapeOf(word) === name || shapeOf(word).startsWith(`${name}=`))
        ? []
        : [word],
  );
  return lineOf(words);
}

const TERRAFORM_FLAGS = ['-auto-approve', '--auto-approve', '-force', '--force', '-destroy', '--destroy', '-lock', '-no-color'];

/** atmos puts stack and component between: its own call, not terraform's. */
const wrapped = (command: Command, line: string | undefined): string | undefined =>
  line !== undefined && command.via.some((wrapper) => wrapper.startsWith('atmos')) ? `atmos ${line}` : line;

/** The plan that is applied was made earlier in this line, for destruction: nobody has read it. */
function plansDestruction(command: Command, context: EffectContext, file: string): boolean {
  return context.commands.some((other) => {
    if (other.step >= command.step || other.name !== command.name) return false;
    const call = callOf(other, TERRAFORM);
    return call.texts.includes('plan') && call.has('destroy') && call.text('out') === file;
  });
}

const TERRAFORM = { values: ['var', 'var-file', 'target', 'replace', 'terragrunt-working-dir', 'working-dir', 'out'] };

/** terraform, tofu, terragrunt: `plan` passes, also with -destroy. */
const terraform: Family = (command, context) => {
  const call = callOf(command, TERRAFORM);
  if (isHelp(call)) return [];
  const words = call.texts[0] === 'run-all' || call.texts[0] === 'run' ? call.texts.slice(1) : call.texts;
  const [verb, second] = words;
  const tool = command.name;
  const plan = `${tool} plan`;
  const approved = call.has('auto-approve') || isAnswered(command, context) || call.has('terragrunt-non-interactive', 'non-interactive');
  const targets = call.options.get('target')?.map((word) => (word ? shapeOf(word) : '')) ?? [];
  const what = targets.length > 0 ? targets.join(' ') : 'every resource of the workspace';
  if (verb === 'destroy')
    return [
      infraLoss(command, tool, what, {
        preview: wrapped(command, withWord(command, 'destroy', ['plan', '-destroy'], TERRAFORM_FLAGS) ?? `${plan} -destroy`),
      }),
    ];
  if (verb === 'apply' && call.has('destroy'))
    return [
      infraLoss(command, tool, what, { preview: withWord(command, 'apply', ['plan', '-destroy'], TERRAFORM_FLAGS) ?? `${plan} -destroy` }),
    ];
  if (verb === 'apply' && words[1] !== undefined && plansDestruction(command, context, words[1]))
    return [
      infraLoss(command, tool, what, {
        preview: withWord(command, 'apply', ['show']),
      }),
    ];
  // `atmos terraform deploy COMPONENT` applies and approves by itself.
  if ((verb === 'apply' && approved && words.length === 1) || verb === 'deploy') {
    return [
      {
        kind: 'infra.change',
        ...baseOf(command),
        tool,
        what: 'whatever the configuration says now, without a plan that was read',
        preview: wrapped(command, withWord(command, verb, ['plan'], TERRAFORM_FLAGS)),
        command: commandLine(command),
      },
    ];
  }
  if (verb === 'state' && second === 'rm' && !isRehearsal(call))
    return [infraLoss(command, tool, `state of ${namesOf(call.words.slice(2))}`, { preview: `${tool} state list` })];
  if (verb === 'state' && second === 'push') return [infraLoss(command, tool, 'the remote state', { preview: `${tool} state list` })];
  if (verb === 'workspace' && second === 'delete')
    return [infraLoss(command, tool, `workspace ${namesOf(call.words.slice(2))}`, { preview: `${tool} workspace list` })];
  if (verb === 'force-unlock')
    return [infraLoss(command, tool, 'the lock another run may hold', { preview: `${tool} workspace show`, recoverable: true })];
  return [];
};

const pulumi: Family = (command, context) => {
  const call = callOf(command, { values: ['s', 'stack', 'C', 'cwd', 'target', 't'] });
  if (isHelp(call) || call.has('preview-only')) return [];
  const [verb, second] = call.texts;
  const stack = call.text('s', 'stack') ?? 'the current stack';
  if (verb === 'destroy' || verb === 'dn') return [infraLoss(command, 'pulumi', stack, { preview: 'pulumi stack --show-urns' })];
  if (verb === 'stack' && second === 'rm')
    return [infraLoss(command, 'pulumi', `stack ${namesOf(call.words.slice(2))}`, { preview: 'pulumi stack ls' })];
  if (verb === 'state' && second === 'delete')
    return [infraLoss(command, 'pulumi', `state of ${namesOf(call.words.slice(2))}`, { preview: 'pulumi stack --show-urns' })];
  if ((verb === 'up' || verb === 'update') && (call.has('y', 'yes', 'skip-preview') || isAnswered(command, context)))
    return [
      { kind: 'infra.change', ...baseOf(command), tool: 'pulumi', what: stack, preview: 'pulumi preview', command: commandLine(command) },
    ];
  return [];
};

/** kubectl: values that turn `--dry-run` round are read; what a controller makes anew is recoverable. */
const kubectl: Family = (command, context) => {
  const call = callOf(command, {
    greedy: true,
    flags: [
      'force',
      'now',
      'all',
      'A',
      'all-namespaces',
      'dry-run',
      'wait',
      'R',
      'recursive',
      'prune',
      'ignore-not-found',
      'ignore-daemonsets',
      'delete-emptydir-data',
      'disable-eviction',
      'v',
      'insecure-skip-tls-verify',
      'h',
      'help',
      'cascade',
      'show-labels',
      'w',
      'watch',
      'i',
      't',
      'it',
      'server-side',
      'q',
      'quiet',
      'interactive',
    ],
  });
  const dry = call.options.get('dry-run');
  if (isHelp(call) || (dry && !/^(none|false)$/.test(dry.at(-1) ? shapeOf(dry.at(-1)!) : 'client'))) return [];
  const [verb, ...rest] = call.texts;
  const preview = (from: string) =>
    withWord(
      command,
      from,
      ['get'],
      ['--all', '--force', '--now', '--grace-period', '--wait', '--cascade', '--dry-run', '--timeout', '--interactive', '-i'],
    );
  if (runsOnLocalCluster(call, command, context)) return [];
  switch (verb) {
    case 'delete': {
      const whole = call.has('all', 'A', 'all-namespaces');
      const kinds = rest.flatMap((text) => text.split(',')).map((text) => text.split('/')[0]!.toLowerCase());
      const named = kinds[0] !== undefined && REMADE.has(kinds[0]) && !whole && !call.has('f', 'filename', 'k');
      const what = call.has('f', 'filename', 'k', 'kustomize')
        ? `what ${call.text('f', 'filename', 'k', 'kustomize') ?? 'the manifests'} names`
        : `${namesOf(call.words.slice(1))}${whole ? ' (all)' : ''}`;
      return [infraLoss(command, 'kubectl', what, { preview: preview('delete'), ...(named ? { recoverable: true } : {}) })];
    }
    case 'drain':
      return [
        infraLoss(command, 'kubectl', `the pods of node ${namesOf(call.words.slice(1))}`, {
          preview: `kubectl get pods --all-namespaces --field-selector spec.nodeName=${rest[0] ?? ''}`,
          recoverable: !call.has('delete-emptydir-data', 'disable-eviction'),
        }),
      ];
    case 'scale':
      return call.text('replicas') === '0'
        ? [
            infraLoss(command, 'kubectl', `all replicas of ${namesOf(call.words.slice(1))}`, {
              preview: `kubectl get ${lineOf(call.words.slice(1))}`,
              recoverable: true,
            }),
          ]
        : [];
    case 'replace':
      return call.has('force')
        ? [
            infraLoss(command, 'kubectl', `what ${call.text('f', 'filename') ?? 'the manifest'} names, before it is made again`, {
              preview: withWord(command, 'replace', ['diff'], ['--force', '--grace-period']),
            }),
          ]
        : [];
    case 'apply':
      return call.has('prune')
        ? [
            infraLoss(command, 'kubectl', 'objects that the manifests no longer name', {
              preview: withWord(command, 'apply', ['diff'], ['--force']),
            }),
          ]
        : [];
    case 'taint':
    case 'cordon':
      return [];
    default:
      return [];
  }
};

const REMADE = new Set([
  'pod',
  'pods',
  'po',
  'replicaset',
  'replicasets',
  'rs',
  'event',
  'events',
  'ev',
  'job',
  'jobs',
  'lease',
  'leases',
  'endpoints',
  'ep',
]);

const helm: Family = (command, context) => {
  const call = callOf(command, {
    greedy: true,
    flags: [
      'dry-run',
      'keep-history',
      'no-hooks',
      'wait',
      'debug',
      'ignore-not-found',
      'force',
      'purge',
      'h',
      'help',
      'cleanup-on-fail',
      'recreate-pods',
      'atomic',
      'install',
      'i',
    ],
  });
  if (isHelp(call) || isRehearsal(call) || runsOnLocalCluster(call, command, context)) return [];
  const [verb] = call.texts;
  if (verb === 'uninstall' || verb === 'delete' || verb === 'del' || verb === 'un')
    return [infraLoss(command, 'helm', `release ${namesOf(call.words.slice(1))}`, { preview: `${commandLine(command)} --dry-run` })];
  if (verb === 'rollback')
    return [
      infraLoss(command, 'helm', `the present revision of ${namesOf(call.words.slice(1))}`, {
        preview: `${commandLine(command)} --dry-run`,
        recoverable: true,
      }),
    ];
  return [];
};

const plain =
  (name: string, tool: PlainTool): Family =>
  (command) => {
    const call = callOf(command, tool);
    if (isHelp(call) || call.has('h') || isRehearsal(call) || tool.local?.some((option) => call.has(option))) return [];
    const mirror = MIRRORS[name];
    if (mirror && call.texts[0] === mirror.path && mirror.options.some((option) => call.has(option) && call.text(option) !== 'false'))
      return [infraLoss(command, name, `what the destination ${call.texts.at(-1) ?? ''} has and the source has not`)];
    for (const verb of tool.verbs) {
      const taken = matchPath(call.texts, verb.path);
      if (taken === undefined || (verb.needs && !call.has(...verb.needs)) || (verb.unless && call.has(...verb.unless))) continue;
      const local = call.texts.slice(taken).length > 0 && call.texts.slice(taken).every(isThrowawayName);
      return [
        infraLoss(
          command,
          name,
          namesOf(
            call.words.filter(
              (_word, at) => at >= taken || !(LOSING.has(call.texts[at]!) || /:(?:destroy|delete|remove)$/.test(call.texts[at]!)),
            ),
          ) || 'everything it manages',
          {
            ...(verb.preview ? { preview: verb.preview } : {}),
            ...(verb.recoverable ? { recoverable: true } : {}),
            ...(local ? { local: true } : {}),
          },
        ),
      ];
    }
    return [];
  };

/** Verbs that say what happens, not to what. */
const LOSING = new Set(['delete', 'destroy', 'remove', 'rm', 'del', 'terminate', 'purge', 'uninstall', 'undefine', 'disable']);

/** Kong's declarative tool: a selective sync deletes what it does not list. */
const deck: Family = (command) => {
  const call = callOf(command, { values: ['select-tag', 's', 'state', 'kong-addr', 'config'] });
  const words = call.texts[0] === 'gateway' ? call.texts.slice(1) : call.texts;
  if (isHelp(call)) return [];
  if (words[0] === 'reset') return [infraLoss(command, 'deck', 'the whole gateway configuration', { preview: 'deck gateway dump' })];
  if (words[0] === 'sync' && call.has('select-tag'))
    return [infraLoss(command, 'deck', 'entities the file does not list', { preview: 'deck gateway diff' })];
  return [];
};

/** Families of infrastructure tools, by program. */
export const INFRA_TOOLS: FamilyTable = {
  ...Object.fromEntries(Object.entries(TOOLS).map(([name, tool]) => [name, plain(name, tool)])),
  terraform,
  tofu: terraform,
  terragrunt: terraform,
  pulumi,
  kubectl,
  oc: kubectl,
  k: kubectl,
  helm,
  helm3: helm,
  deck,
};
