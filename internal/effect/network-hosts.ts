/** Which credential belongs to which host: a token sent to its own service is what it is for. */
import { hostOf } from './network-fetch.ts';

/** Start of a variable's name -> the words of the hosts it is for. */
const VENDORS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(GITHUB|GH)_/, ['github']],
  [/^(GITLAB|GL)_|^CI_JOB_TOKEN$/, ['gitlab']],
  [/^BITBUCKET_/, ['bitbucket']],
  [/^OPENAI_/, ['openai', 'azure']],
  [/^(ANTHROPIC|CLAUDE)_/, ['anthropic', 'claude']],
  [/^(GEMINI|GOOGLE|GCP|GCLOUD|FIREBASE|VERTEX)_/, ['google', 'firebase', 'gcr']],
  [/^(HF|HUGGINGFACE|HUGGING_FACE)_/, ['huggingface', 'hf']],
  [/^(AWS|S3)_/, ['amazonaws', 'aws']],
  [/^(AZURE|ARM|MS|MSAL)_/, ['azure', 'microsoft', 'windows', 'office']],
  [/^(CF|CLOUDFLARE)_/, ['cloudflare']],
  [/^(NPM|NODE_AUTH)_/, ['npmjs', 'npm']],
  [/^(PYPI|TWINE)_/, ['pypi']],
  [/^(CARGO|CRATES)_/, ['crates']],
  [/^DOCKER(HUB)?_/, ['docker']],
  [/^SLACK_/, ['slack']],
  [/^(DISCORD)_/, ['discord']],
  [/^(TELEGRAM|TG)_/, ['telegram']],
  [/^(DO|DIGITALOCEAN)_/, ['digitalocean']],
  [/^(DD|DATADOG)_/, ['datadog']],
  [/^NEW_?RELIC_/, ['newrelic']],
  [/^(SB|SUPABASE)_/, ['supabase']],
  [/^(PG|POSTGRES|DATABASE|DB|MYSQL|REDIS|MONGO\w*)_/, []],
];

/** Vendors whose own word stands in the names of their hosts. */
const NAMED =
  /^(STRIPE|TWILIO|SENDGRID|RESEND|GROQ|DEEPSEEK|MISTRAL|COHERE|REPLICATE|VERCEL|NETLIFY|HEROKU|SENTRY|LINEAR|NOTION|AIRTABLE|SQUARE|PAYPAL|ALGOLIA|MAILGUN|POSTMARK|PINECONE|PERPLEXITY|ELEVENLABS|APIFY|FIGMA|ASANA|ATLASSIAN|SHOPIFY|ZENDESK|HUBSPOT|MAPBOX|PLAID|SNYK|CIRCLECI|GRAFANA|PAGERDUTY|SEGMENT|INTERCOM)_/;

/** Words in a name that say nothing about whose it is. */
const PLAIN = new Set([
  'API',
  'KEY',
  'TOKEN',
  'SECRET',
  'ACCESS',
  'AUTH',
  'BEARER',
  'JWT',
  'PASSWORD',
  'PASS',
  'PAT',
  'USER',
  'ID',
  'CLIENT',
  'ACCOUNT',
  'PRIVATE',
  'PUBLIC',
  'MY',
  'APP',
  'TEST',
  'DEV',
  'PROD',
  'STAGING',
  'BOT',
  'URL',
  'HOST',
  'BASE',
  'SESSION',
  'REFRESH',
  'ADMIN',
  'SERVICE',
  'LLM',
]);

/**
 * True when a variable is for the host it goes to: its vendor's word stands in the host's name.
 * In a header made for credentials a name without a known vendor is taken for the host's own.
 */
export function belongsTo(name: string, url: string, header: boolean): boolean {
  const host = hostOf(url);
  const upper = name.toUpperCase();
  const named = NAMED.exec(upper)?.[1];
  if (named) return host.includes(named.toLowerCase());
  const vendor = VENDORS.find(([start]) => start.test(upper));
  if (vendor) return vendor[1].some((word) => host.includes(word));
  const words = upper.split('_').filter((word) => word.length > 2 && !PLAIN.has(word) && !/\d/.test(word));
  if (words.some((word) => host.includes(word.toLowerCase()))) return true;
  return header;
}

/** Headers that exist to carry a credential. */
export const isCredentialHeader = (header: string): boolean =>
  /^\s*(proxy-)?authorization\s*:|^\s*x?-?[\w-]*(api-?key|token|auth|secret|signature)[\w-]*\s*:|^\s*cookie\s*:/i.test(header);
