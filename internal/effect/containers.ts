/** Containers: what is lost are volumes, and with them databases. Images and build caches can be made again. */

import type { Command } from '../shell/command.ts';
import { hasHole, literal, shapeOf, textOf, type Word } from '../shell/word.ts';
import { runOf } from '../shell/wrappers-remote.ts';
import { isThrowawayName } from './data-input.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable } from './family.ts';
import { infraLoss } from './infra.ts';
import { type Call, callOf, commandLine, isHelp, isRehearsal, lineOf, namesOf, plainName } from './infra-words.ts';
import { commandAt } from './line-index.ts';
import type { InfraEffect } from './types-outside.ts';

/** Options of docker and its subcommands that take the next word. */
const VALUES = [
  'H',
  'host',
  'c',
  'context',
  'config',
  'log-level',
  'l',
  'filter',
  'f',
  'file',
  'p',
  'project-name',
  'project-directory',
  'profile',
  'env-file',
  'ansi',
  'progress',
  'parallel',
  't',
  'timeout',
  'rmi',
  's',
  'signal',
  'format',
  'time',
  'until',
  'connection',
  'url',
  'identity',
  'namespace',
  'n',
  'address',
  'a',
];

function purge(
  command: Command,
  what: string,
  volumes: boolean,
  more: Partial<Extract<InfraEffect, { kind: 'container.purge' }>> = {},
): InfraEffect {
  return {
    command: commandLine(command),
    ...baseOf(command),
    ...more,
    kind: 'container.purge',
    tool: command.name,
    what: plainName(what),
    volumes,
  };
}

/** A flag by its long name, or by its letter, alone or in a cluster: `-af`, `-vf`. */
const flag = (call: Call, letter: string, name: string): boolean => call.has(name) || call.letters.includes(letter);

const docker: Family = (command, context) => {
  // `-f` takes a value for compose and none for prune and rm; the verb decides.
  const first = callOf(command, {
    values: ['H', 'host', 'context', 'config', 'log-level', 'l', 'c', 'connection', 'url', 'identity', 'n', 'namespace', 'address'],
  });
  if (isHelp(first)) return [];
  const [noun, verb] = first.texts;
  const tool = command.name;
  if (noun === 'compose') return compose(command, context, 1);
  switch (noun) {
    case 'system': {
      if (verb === 'reset')
        return [purge(command, 'every container, image and volume of this machine', true, { preview: `${tool} system df` })];
      if (verb !== 'prune') return [];
      const volumes = first.has('volumes');
      const which = flag(first, 'a', 'all')
        ? 'all stopped containers and every image no container uses'
        : 'all stopped containers and dangling images';
      return [
        purge(command, `${which}${volumes ? ', and all volumes no container uses' : ''}`, volumes, {
          preview: `${tool} system df${volumes ? ' -v' : ''}`,
        }),
      ];
    }
    case 'volume':
    case 'volumes': {
      if (verb === 'prune')
        return [purge(command, 'every volume no container uses', true, { preview: `${tool} volume ls -f dangling=true` })];
      if (verb !== 'rm' && verb !== 'remove') return [];
      const names = operandsAfter(first, 2);
      const preview = names.some(hasHole) || names.length === 0 ? `${tool} volume ls` : `${tool} volume inspect ${lineOf(names)}`;
      return [
        purge(command, `volume ${namesOf(names) || 'from the input'}`, true, {
          preview,
          ...(names.length > 0 && names.every((word) => isThrowawayName(textOf(word))) ? { throwaway: true } : {}),
        }),
      ];
    }
    case 'container':
      if (verb === 'prune') return [purge(command, 'all stopped containers', false, { preview: `${tool} ps -a --filter status=exited` })];
      return verb === 'rm' || verb === 'remove' ? removal(command, first, 2, context) : [];
    case 'rm':
      return removal(command, first, 1, context);
    case 'image':
      return verb === 'prune' && flag(first, 'a', 'all')
        ? [purge(command, 'every image no container uses', false, { preview: `${tool} image ls` })]
        : [];
    case 'stop':
    case 'kill':
      return listsAll(command, operandsAfter(first, 1), context)
        ? [purge(command, 'every running container of this machine', false, { sweep: true, stops: true, preview: `${tool} ps` })]
        : [];
    case 'run':
      return emptied(command, context);
    case 'rmi':
      return [];
    case 'machine':
      return verb === 'rm' || verb === 'reset'
        ? [infraLoss(command, tool, `machine ${namesOf(operandsAfter(first, 2))}`, { preview: `${tool} machine ls` })]
        : [];
    case 'pod':
      return verb === 'prune' || verb === 'rm'
        ? [purge(command, `pods ${namesOf(operandsAfter(first, 2))}`.trim(), false, { preview: `${tool} pod ps` })]
        : [];
    case 'secret':
    case 'stack':
    case 'service':
    case 'swarm':
    case 'node':
      return swarm(command, first);
    default:
      return [];
  }
};

/** `docker rm -f` loses what the container wrote inside itself; with -v its unnamed volumes too. */
function removal(command: Command, call: Call, from: number, context: EffectContext): InfraEffect[] {
  const force = flag(call, 'f', 'force');
  const volumes = flag(call, 'v', 'volumes');
  if (!force && !volumes) return [];
  const names = operandsAfter(call, from);
  if (names.length > 0 && names.every((word) => isThrowawayName(textOf(word)) || /^(buildx_buildkit|testcontainers)/.test(shapeOf(word))))
    return [];
  const preview =
    names.length === 0 || names.some(hasHole)
      ? `${command.name} ps -a`
      : `${command.name} ps -a --size${names.map((word) => ` --filter ${lineOf([{ parts: [{ kind: 'text', text: `name=${textOf(word) ?? ''}` }], raw: '' }])}`).join('')}`;
  const sweep = listsAll(command, names, context);
  return [
    purge(command, sweep ? 'every container of this machine' : `container ${namesOf(names) || 'from the input'}`, volumes, {
      preview,
      ...(sweep ? { sweep } : {}),
    }),
  ];
}

/** `docker run -v NAME:/data alpine rm -rf /data`: the volume stays, what is in it goes. */
function emptied(command: Command, context: EffectContext): InfraEffect[] {
  const parts = runOf(command.args);
  const volumes = (parts?.volumes ?? []).flatMap((word) => {
    const match = /^([A-Za-z0-9][\w.-]*):(\/[^:]*)(?::(.*))?$/.exec(textOf(word) ?? '');
    return match && !/(^|,)ro(,|$)/.test(match[3] ?? '') && !isThrowawayName(match[1]) ? [{ name: match[1]!, at: match[2]! }] : [];
  });
  if (!parts || volumes.length === 0 || parts.inner.length === 0) return [];
  const gone = context
    .effectsOf(lineOf(parts.inner), '/')
    .flatMap((effect) => (effect.kind === 'file.delete' ? effect.targets.map((target) => target.path ?? target.prefix ?? '') : []));
  const hit = volumes.filter(({ at }) => gone.some((path) => path === at || path.startsWith(`${at}/`) || `${at}/`.startsWith(`${path}/`)));
  return hit.map(({ name }) =>
    purge(command, `volume ${name}`, true, { inside: true, preview: `${command.name} volume inspect ${lineOf([literal(name)])}` }),
  );
}

/** The names come from a listing that leaves nothing out: `docker rm -f $(docker ps -aq)`. */
function listsAll(command: Command, names: readonly Word[], context: EffectContext): boolean {
  const steps = [
    ...names.flatMap((word) => word.parts.flatMap((part) => (part.kind === 'hole' ? (part.steps ?? []) : []))),
    ...(command.via.includes('xargs') && command.stdin.from === 'pipe' ? command.stdin.steps : []),
  ];
  return steps.some((step) => {
    const lister = commandAt(step, context);
    const words = lister?.args.map(shapeOf) ?? [];
    return (
      lister?.name === command.name &&
      (words[0] === 'ps' || words[1] === 'ls') &&
      !words.some((word) => /^(-f|--filter|--filter=.*)$/.test(word))
    );
  });
}

function swarm(command: Command, call: Call): InfraEffect[] {
  const [noun, verb] = call.texts;
  if (verb === 'rm' || verb === 'remove' || verb === 'down')
    return [infraLoss(command, command.name, `${noun} ${namesOf(operandsAfter(call, 2))}`, { preview: `${command.name} ${noun} ls` })];
  if (noun === 'swarm' && verb === 'leave' && call.has('force', 'f'))
    return [infraLoss(command, command.name, 'the swarm', { preview: `${command.name} node ls` })];
  return [];
}

const operandsAfter = (call: Call, count: number) => call.words.slice(count);

/** `docker compose`, `docker-compose`, `podman-compose`. `from`: words before the compose verb. */
function compose(command: Command, context: EffectContext, from: number): InfraEffect[] {
  const call = callOf(command, { values: VALUES.filter((name) => name !== 'rmi') });
  const verb = call.texts[from];
  if (isHelp(call) || isRehearsal(call)) return [];
  const volumes = verb === 'down' ? flag(call, 'v', 'volumes') : verb === 'rm' ? flag(call, 'v', 'volumes') : false;
  if (!volumes) return [];
  const files = [...(call.options.get('f') ?? []), ...(call.options.get('file') ?? [])].map((word) => (word ? (textOf(word) ?? '') : ''));
  const project = call.text('p', 'project-name') ?? textOf(command.env.get('COMPOSE_PROJECT_NAME'));
  const throwaway =
    isThrowawayName(project) ||
    (files.length > 0 && files.every((file) => isThrowawayName(file.slice(file.lastIndexOf('/') + 1)))) ||
    declaresNoVolumes(command, context, files);
  const prefix = lineOf(
    command.argv.slice(
      0,
      command.argv.findIndex((word) => textOf(word) === verb),
    ),
  );
  return [
    purge(command, `the volumes of the ${project ? `project ${project}` : 'compose project'}`, true, {
      preview: `${prefix} config --volumes`,
      ...(throwaway ? { throwaway } : {}),
    }),
  ];
}

const COMPOSE_FILES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];
const COMPOSE_LIMIT = 200_000;

/** The compose files can be read and name no volume of their own. */
function declaresNoVolumes(command: Command, context: EffectContext, files: readonly string[]): boolean {
  const { cwd } = command;
  if (cwd === undefined || command.remote || command.env.has('COMPOSE_FILE')) return false;
  const names = files.length > 0 ? files : COMPOSE_FILES;
  const texts = names.flatMap((name) => context.look.read(name.startsWith('/') ? name : `${cwd}/${name}`, COMPOSE_LIMIT) ?? []);
  if (texts.length === 0 || (files.length > 0 && texts.length < files.length)) return false;
  return texts.every(
    (text) => !/^["']?(volumes|include|extends)["']?\s*:/m.test(text) && !/^\s*(external|extends|include)\s*:/m.test(text),
  );
}

const composeProgram: Family = (command, context) => compose(command, context, 0);

/** Throwaway clusters of this machine: deleting one loses what runs in it. */
const localCluster =
  (verbs: readonly string[], preview: string): Family =>
  (command) => {
    const call = callOf(command, { values: ['name', 'p', 'profile', 'kubeconfig'] });
    const at = verbs.findIndex((verb) => verb.split(' ').every((word, index) => word === call.texts[index]));
    if (at < 0 || isHelp(call)) return [];
    const name = call.text('name', 'p', 'profile') ?? call.texts.slice(verbs[at]!.split(' ').length).join(' ');
    if (isThrowawayName(name)) return [];
    return [infraLoss(command, command.name, `cluster ${name || '(default)'}`, { preview, recoverable: true })];
  };

/** Families of container tools, by program. */
export const CONTAINERS: FamilyTable = {
  docker,
  podman: docker,
  nerdctl: docker,
  finch: docker,
  'docker-compose': composeProgram,
  'podman-compose': composeProgram,
  sail: composeProgram,
  kind: localCluster(['delete cluster', 'delete clusters'], 'kind get clusters'),
  k3d: localCluster(['cluster delete', 'cluster rm'], 'k3d cluster list'),
  minikube: localCluster(['delete'], 'minikube profile list'),
};
