/** Command lines of hosted services (monitoring, feature flags, CDN, search, payment, mail): a noun, then a verb that takes away. */
import { literal } from '../shell/word.ts';
import type { Family, FamilyTable } from './family.ts';
import { infraLoss } from './infra.ts';
import { callOf, isHelp, isRehearsal, lineOf, namesOf } from './infra-words.ts';

/** The verbs of one service's tool, and where they may stand. */
interface Service {
  verbs: readonly string[];
  /** The verb is one of the first this many words. */
  within: number;
  values?: readonly string[];
}

const DELETES = ['delete', 'remove', 'destroy', 'archive', 'purge', 'clear'];
const service = (verbs: readonly string[], within = 3, values: readonly string[] = []): Service => ({ verbs, within, values });

const SERVICES: Readonly<Record<string, Service>> = {
  pd: service(DELETES),
  'datadog-ci': service(DELETES),
  dog: service(DELETES),
  splunk: service(['remove', 'clean', 'delete', 'reset'], 1, ['auth', 'index']),
  newrelic: service(DELETES),
  'grafana-cli': service(['uninstall', 'remove', 'reset-admin-password'], 3, ['homepath', 'config']),
  ldcli: service(DELETES, 2, ['project', 'environment', 'access-token']),
  flipt: service(DELETES, 2, ['namespace', 'flag', 'id', 'key']),
  unleash: service(DELETES, 2, ['project']),
  split: service([...DELETES, 'kill'], 2, ['workspace', 'environment']),
  fastly: service(['delete', 'purge', 'activate', 'deactivate'], 4, ['service-id', 's', 'name', 'version', 'token', 't']),
  algolia: service(['delete', 'clear'], 2),
  apigeecli: service(['delete', 'undeploy'], 3, ['name', 'n', 'org', 'o', 'env', 'e', 'token', 't']),
  circleci: service(['delete', 'remove-secret', 'remove'], 2),
  square: service(DELETES, 2),
  stripe: service(['delete', 'roll', 'cancel'], 2, ['api-key', 'project-name', 'd']),
  twilio: service(['remove', 'delete'], 4),
  sentry: service(DELETES, 3),
  'sentry-cli': service(['delete'], 3, ['org', 'o', 'project', 'p', 'auth-token']),
  auth0: service(['delete', 'rm'], 3),
  okta: service(['delete'], 3),
  confluent: service(['delete'], 4),
  databricks: service(['delete', 'permanent-delete', 'delete-scope', 'delete-secret', 'rm'], 3, ['profile', 'p']),
  snyk: service([], 1),
  contentful: service(['delete'], 3),
  shopify: service(['delete'], 3),
  hubspot: service(['delete'], 3),
  ngrok: service(['delete'], 4),
  cloudflared: service(['delete'], 3),
  tailscale: service([], 1),
  buildkite: service(['delete'], 3),
  meilisearch: service(['delete'], 3),
};

/** What only prints, whatever the verb. */
const PRINTS = new Set(['help', 'list', 'get', 'show', 'describe']);

const family =
  (name: string, spec: Service): Family =>
  (command) => {
    const call = callOf(command, { values: spec.values ?? [] });
    if (isHelp(call) || isRehearsal(call)) return [];
    const at = call.texts.findIndex((text) => spec.verbs.includes(text) || PRINTS.has(text));
    if (at < 0 || at >= spec.within || PRINTS.has(call.texts[at]!)) return [];
    const nouns = call.words.slice(0, at);
    const preview = at > 0 ? `${lineOf([literal(name), ...nouns])} list` : undefined;
    return [
      infraLoss(command, name, `${namesOf(nouns)} ${namesOf(call.words.slice(at + 1)) || call.texts[at]}`.trim(), {
        ...(preview ? { preview } : {}),
      }),
    ];
  };

/** Jenkins is asked through its jar: `java -jar jenkins-cli.jar … delete-job x`. */
const java: Family = (command) => {
  const call = callOf(command, { values: ['jar', 's', 'cp', 'auth', 'i', 'user'] });
  const verb = call.texts.find((text) => /^(delete|disable)-[a-z-]+$/.test(text));
  if (!/jenkins-cli(-[\d.]+)?\.jar$/.test(call.text('jar') ?? '') || !verb?.startsWith('delete')) return [];
  return [infraLoss(command, 'jenkins-cli', namesOf(call.words.slice(call.texts.indexOf(verb))))];
};

/** Families of hosted services, by program. */
export const CLOUD_SERVICES: FamilyTable = {
  ...Object.fromEntries(Object.entries(SERVICES).map(([name, spec]) => [name, family(name, spec)])),
  java,
};
