/**
 * Cloud command lines. Their grammar is too large to list, but regular: service words, one verb, names. The first word
 * that is a known verb decides; options take values, so a value that looks like a verb does not count.
 */
import type { Command } from '../shell/command.ts';
import { literal, shapeOf, textOf } from '../shell/word.ts';
import { type CloudTool, LOOKS, TOOLS } from './cloud-tools.ts';
import type { EffectContext, Family, FamilyTable } from './family.ts';
import { infraLoss } from './infra.ts';
import { type Call, callOf, isHelp, isRehearsal, lineOf, namesOf } from './infra-words.ts';
import type { InfraEffect } from './types-outside.ts';

const AWS_FLAGS = [
  'debug',
  'no-verify-ssl',
  'no-paginate',
  'no-sign-request',
  'no-cli-pager',
  'no-cli-auto-prompt',
  'cli-auto-prompt',
  'dryrun',
  'dry-run',
  'recursive',
  'force',
  'delete',
  'quiet',
  'only-show-errors',
  'skip-final-snapshot',
  'delete-automated-backups',
  'force-delete-without-recovery',
  'help',
  'exact-timestamps',
  'size-only',
  'follow-symlinks',
  'force-delete',
];

/** Starts of operation names that take something away for good. */
const AWS_LOSSES = [
  'delete-',
  'terminate-',
  'remove-',
  'purge-',
  'deregister-',
  'batch-delete-',
  'destroy-',
  'unsubscribe',
  'release-',
  'schedule-key-deletion',
  'disable-key',
  'revoke-',
  'reset-',
  'abort-',
  'detach-volume',
  'force-delete-',
];
/** Operations with such a start that lose nothing that matters. */
const AWS_HARMLESS = ['reset-instance-attribute', 'remove-tags', 'delete-tags', 'abort-multipart-upload'];

/** An emulator on this machine: by option, by the variables that AWS's own tools read, by its wrapper. */
function isEmulator(call: Call, command: Command, context: EffectContext, service: string): boolean {
  const names = ['AWS_ENDPOINT_URL', `AWS_ENDPOINT_URL_${service.toUpperCase().replace(/-/g, '_')}`];
  const given = call.has('endpoint-url')
    ? [call.text('endpoint-url')]
    : names.map((name) => (command.env.has(name) ? textOf(command.env.get(name)) : context.look.env(name)));
  return (
    command.via.includes('awslocal') ||
    given.some((url) => /^https?:\/\/(localhost|127\.|0\.0\.0\.0|host\.docker|localstack|minio|dynamodb-local)/.test(url ?? ''))
  );
}

const aws: Family = (command, context) => {
  const call = callOf(command, { greedy: true, flags: AWS_FLAGS });
  const [service, verb, ...rest] = call.texts;
  if (service === undefined || verb === undefined || isHelp(call) || isRehearsal(call) || call.has('generate-cli-skeleton')) return [];
  if (isEmulator(call, command, context, service)) return [];
  if (service === 's3') return s3(command, call, verb, rest);
  if (service === 'route53' && verb === 'change-resource-record-sets')
    return /"Action"\s*:\s*"DELETE"/i.test(call.text('change-batch') ?? '')
      ? [infraLoss(command, 'aws', 'DNS records', { preview: withVerb(command, verb, 'list-resource-record-sets', ['change-batch']) })]
      : [];
  if (!AWS_LOSSES.some((start) => verb.startsWith(start)) || AWS_HARMLESS.includes(verb)) return [];
  const ids = identifiers(call);
  return [
    infraLoss(command, 'aws', `${service} ${verb.replace(/^(delete|terminate|remove|deregister)-/, '')}${ids ? ` ${ids}` : ''}`, {
      preview: awsPreview(command, call, service, verb),
    }),
  ];
};

function s3(command: Command, call: Call, verb: string, rest: readonly string[]): InfraEffect[] {
  const preview = rest[0]?.startsWith('s3://') ? `aws s3 ls ${lineOf(call.words.slice(2, 3))} --recursive --summarize` : undefined;
  if (verb === 'rm' || verb === 'rb') return [infraLoss(command, 'aws', namesOf(call.words.slice(2)), { preview })];
  if (verb === 'mv' && rest[0]?.startsWith('s3://')) return [];
  if (verb === 'sync' && call.has('delete'))
    return [
      infraLoss(command, 'aws', `what ${rest[1] ?? 'the destination'} has and the source has not`, {
        preview: withVerb(command, 'sync', 'sync', [], ['--dryrun']),
      }),
    ];
  return [];
}

/** The values of the options that name a thing. */
function identifiers(call: Call): string {
  const found: string[] = [];
  for (const [name, list] of call.options) {
    if (!/^n$|(^|-)(name|names|id|ids|identifier|arn|arns|url|bucket|key|stack-name|rule|label)$/.test(name)) continue;
    const word = list.at(-1);
    if (word && found.length < 2) found.push(shapeOf(word));
  }
  return found.join(' ');
}

const AWS_PREVIEWS: Readonly<Record<string, string>> = {
  'terminate-instances': 'describe-instances',
  'delete-stack': 'describe-stack-resources',
  'delete-table': 'describe-table',
  'delete-function': 'get-function-configuration',
  'delete-bucket': 'get-bucket-location',
  'delete-secret': 'describe-secret',
  'delete-queue': 'get-queue-attributes',
  'purge-queue': 'get-queue-attributes',
};

/** A read-only call about the same thing where one is known, else which account it would hit. */
function awsPreview(command: Command, call: Call, service: string, verb: string): string {
  const known = AWS_PREVIEWS[verb];
  if (known && !(verb === 'delete-function' && service !== 'lambda'))
    return (
      withVerb(command, verb, known, [
        'skip-final-snapshot',
        'force-delete-without-recovery',
        'recovery-window-in-days',
        'retain-resources',
      ]) ?? 'aws sts get-caller-identity'
    );
  const profile = call.text('profile');
  return `aws${profile ? ` --profile ${lineOf([literal(profile)])}` : ''} sts get-caller-identity`;
}

/** The command with another verb, without some options (and their values), with some words more. */
function withVerb(
  command: Command,
  from: string,
  to: string,
  without: readonly string[] = [],
  more: readonly string[] = [],
): string | undefined {
  const at = command.argv.findIndex((word) => textOf(word) === from);
  if (at < 0) return undefined;
  const kept = [];
  for (let i = 0; i < command.argv.length; i++) {
    const word = command.argv[i]!;
    const name = shapeOf(word).replace(/^--?/, '').replace(/=.*$/, '');
    if (shapeOf(word).startsWith('-') && without.includes(name)) {
      const next = command.argv[i + 1];
      if (!shapeOf(word).includes('=') && next && !shapeOf(next).startsWith('-')) i++;
      continue;
    }
    kept.push(i === at ? literal(to) : word);
  }
  return lineOf([...kept, ...more.map((text) => literal(text))]);
}

const cloud =
  (name: string, tool: CloudTool): Family =>
  (command) => {
    const call = callOf(command, tool);
    if (isHelp(call) || isRehearsal(call) || tool.except?.(call.texts) || call.has('local')) return [];
    const at = call.texts.findIndex((text) => tool.losses.includes(text) || (LOOKS.has(text) && !tool.groups?.includes(text)));
    const verb = call.texts[at];
    if (verb === undefined || !tool.losses.includes(verb)) return [];
    // Wrangler's older verbs name the noun with a colon and the verb after it.
    if (/^kv:|^dns-records$/.test(verb) && !['delete', 'rm'].includes(call.texts[at + 1] ?? '')) return [];
    const nouns = call.texts.slice(0, at).join(' ');
    const what = `${nouns}${nouns ? ' ' : ''}${namesOf(call.words.slice(at + 1)) || identifiers(call) || verb}`.trim();
    const preview = tool.look ? withVerb(command, verb, tool.look, tool.drop) : tool.preview;
    return [infraLoss(command, name, what, { ...(preview ? { preview } : {}) })];
  };

/** gsutil's mirror with deletion, beside its plain verbs. */
const gsutil: Family = (command, context) => {
  const call = callOf(command, { values: ['o', 'h', 'u', 'x'] });
  const at = call.texts.indexOf('rsync');
  if (
    at === 0 &&
    (call.has('d') || [...call.options.keys()].some((name) => /^[a-z]*d[a-z]*$/.test(name) && name.length < 5)) &&
    !call.has('n')
  )
    return [
      infraLoss(command, 'gsutil', `what ${call.texts.at(-1) ?? 'the destination'} has and the source has not`, {
        preview: `gsutil ls ${lineOf(call.words.slice(-1))}`,
      }),
    ];
  return cloud('gsutil', TOOLS['gsutil']!)(command, context);
};

/** `gcloud storage rsync --delete-unmatched-destination-objects` mirrors; the rest is plain. */
const gcloud: Family = (command, context) => {
  const call = callOf(command, { greedy: true, flags: TOOLS['gcloud']!.flags ?? [] });
  if (call.texts[0] === 'storage' && call.texts[1] === 'rm' && !isHelp(call))
    return [infraLoss(command, 'gcloud', namesOf(call.words.slice(2)), { preview: `gcloud storage ls ${lineOf(call.words.slice(2))}` })];
  if (call.texts[0] === 'storage' && call.texts[1] === 'rsync' && call.has('delete-unmatched-destination-objects') && !isRehearsal(call))
    return [infraLoss(command, 'gcloud', `what ${call.texts[3] ?? 'the destination'} has and the source has not`)];
  return cloud('gcloud', TOOLS['gcloud']!)(command, context);
};

/** Families of the cloud command lines, by program. */
export const CLOUD: FamilyTable = {
  ...Object.fromEntries(Object.entries(TOOLS).map(([name, tool]) => [name, cloud(name, tool)])),
  aws,
  gsutil,
  gcloud,
};
