/** Message brokers: topics, queues and streams, and what in them is lost. */

import { dataLoss } from './data-stores.ts';
import type { Family, FamilyTable } from './family.ts';
import { callOf, isHelp, isRehearsal, namesOf } from './infra-words.ts';

/** The kafka-*.sh tools: the verb is an option. */
const kafka =
  (options: readonly string[], preview?: string): Family =>
  (command) => {
    const call = callOf(command, {
      greedy: true,
      flags: [
        'delete',
        'list',
        'describe',
        'alter',
        'create',
        'reset-offsets',
        'remove',
        'execute',
        'dry-run',
        'force',
        'to-earliest',
        'to-latest',
        'all-topics',
        'all-groups',
        'if-exists',
        'add',
        'to-current',
      ],
    });
    const hit = options.find((name) => call.has(name));
    if (!hit || isHelp(call) || isRehearsal(call)) return [];
    const what = call.text('topic', 'group', 'entity-name', 'delete-config') ?? 'records';
    const servers = call.text('bootstrap-server');
    return [
      dataLoss(
        command,
        'kafka',
        hit.includes('reset') ? 'reset' : 'drop',
        `${hit === 'delete' ? command.name.replace(/^kafka-|\.sh$/g, '') : hit} ${what}`,
        preview && servers ? { preview: `${command.name} --bootstrap-server ${servers} ${preview}` } : {},
      ),
    ];
  };

const KAFKA_RECORDS: Family = (command) =>
  callOf(command).has('offset-json-file') ? [dataLoss(command, 'kafka', 'delete-all', 'records up to an offset')] : [];

const rabbit: Family = (command) => {
  const call = callOf(command, { values: ['n', 'node', 'p', 'vhost', 'H', 'P', 'u', 'host', 'port', 'username', 'password', 'V'] });
  const verb = call.texts[0] ?? '';
  if (!/^(delete|purge|reset|force_reset|forget_cluster_node|delete_\w+|purge_\w+|clear_\w+)$/.test(verb)) return [];
  return [
    dataLoss(
      command,
      'rabbitmq',
      verb.startsWith('purge') ? 'flush' : 'drop',
      namesOf(call.words.slice(1)) || (verb.includes('reset') ? 'every queue, exchange and user of the node' : verb),
      {
        preview: command.name === 'rabbitmqadmin' ? 'rabbitmqadmin list queues' : 'rabbitmqctl list_queues',
      },
    ),
  ];
};

const nats: Family = (command) => {
  const call = callOf(command, { values: ['s', 'server', 'user', 'password', 'creds', 'context', 'nkey'] });
  const [group, verb] = call.texts;
  if (!['stream', 'str', 's', 'consumer', 'con', 'kv', 'object', 'obj', 'account', 'context'].includes(group ?? '') || group === 'context')
    return [];
  if (!['delete', 'del', 'rm', 'purge'].includes(verb ?? '')) return [];
  return [
    dataLoss(command, 'nats', verb === 'purge' ? 'flush' : 'drop', `${group} ${namesOf(call.words.slice(2))}`, {
      preview: 'nats stream report',
    }),
  ];
};

const KAFKA: FamilyTable = Object.fromEntries(
  Object.entries({
    'kafka-topics': kafka(['delete'], '--list'),
    'kafka-consumer-groups': kafka(['delete', 'reset-offsets', 'delete-offsets'], '--list'),
    'kafka-configs': kafka(['delete-config'], '--describe'),
    'kafka-acls': kafka(['remove'], '--list'),
    'kafka-delete-records': KAFKA_RECORDS,
  }).flatMap(([name, family]) => [
    [name, family],
    [`${name}.sh`, family],
  ]),
);

const rpk: Family = (command) => {
  const call = callOf(command);
  return call.texts[0] === 'topic' && ['delete', 'trim-prefix'].includes(call.texts[1] ?? '') && !isHelp(call)
    ? [dataLoss(command, 'kafka', 'drop', `topics ${namesOf(call.words.slice(2))}`, { preview: 'rpk topic list' })]
    : [];
};

/** Families of message brokers, by program. */
export const DATA_BROKERS: FamilyTable = { ...KAFKA, rpk, rabbitmqctl: rabbit, rabbitmqadmin: rabbit, nats };
