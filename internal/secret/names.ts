/**
 * Credential files by name: which paths usually hold a secret, and which only look like it. Pure: sees no file.
 * Classes are words for a text (`an environment file`), never a value.
 */

/** Endings that say "template": the file is meant to be read and committed. */
// biome-ignore format: a list
const TEMPLATE_ENDINGS = [
  'example', 'examples', 'sample', 'template', 'tmpl', 'tpl', 'dist', 'defaults', 'default', 'schema', 'md', 'txt', 'test-fixture',
];

/** Base names that are credential files wherever they lie. */
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['.envrc', 'an environment file'],
  ['.dev.vars', 'an environment file'],
  ['.netrc', 'a login file'],
  ['_netrc', 'a login file'],
  ['.pgpass', 'a database login file'],
  ['.my.cnf', 'a database login file'],
  ['.mylogin.cnf', 'a database login file'],
  ['.git-credentials', 'git credentials'],
  ['.pypirc', 'registry credentials'],
  ['.npmrc', 'registry configuration'],
  ['.yarnrc.yml', 'registry configuration'],
  ['.dockercfg', 'registry credentials'],
  ['.htpasswd', 'a password file'],
  ['.vault-token', 'a token file'],
  ['.vault_pass', 'a password file'],
  ['.vault_pass.txt', 'a password file'],
  ['.boto', 'cloud credentials'],
  ['.s3cfg', 'cloud credentials'],
  ['.terraformrc', 'cloud credentials'],
  ['terraform.rc', 'cloud credentials'],
  ['credentials.tfrc.json', 'cloud credentials'],
  ['terraform.tfstate', 'infrastructure state'],
  ['terraform.tfstate.backup', 'infrastructure state'],
  ['terraform.tfvars', 'infrastructure variables'],
  ['credentials', 'a credentials file'],
  ['credentials.json', 'a credentials file'],
  ['credentials.yml', 'a credentials file'],
  ['credentials.yaml', 'a credentials file'],
  ['credentials.csv', 'a credentials file'],
  ['client_secret.json', 'a credentials file'],
  ['application_default_credentials.json', 'cloud credentials'],
  ['access_tokens.db', 'cloud credentials'],
  ['credentials.db', 'cloud credentials'],
  ['secrets.yml', 'a secrets file'],
  ['secrets.yaml', 'a secrets file'],
  ['secrets.json', 'a secrets file'],
  ['secrets.toml', 'a secrets file'],
  ['secrets.env', 'a secrets file'],
  ['secrets.properties', 'a secrets file'],
  ['secret.yml', 'a secrets file'],
  ['secret.yaml', 'a secrets file'],
  ['secret.json', 'a secrets file'],
  ['master.key', 'a private key'],
  ['login.keychain-db', 'a keychain'],
  ['login.keychain', 'a keychain'],
  ['key3.db', 'a browser login store'],
  ['key4.db', 'a browser login store'],
  ['logins.json', 'a browser login store'],
  ['cookies.sqlite', 'a browser cookie store'],
  ['.bash_history', 'shell history'],
  ['.zsh_history', 'shell history'],
  ['.sh_history', 'shell history'],
  ['.python_history', 'shell history'],
  ['.node_repl_history', 'shell history'],
  ['.psql_history', 'shell history'],
  ['.mysql_history', 'shell history'],
  ['.sqlite_history', 'shell history'],
  ['.rediscli_history', 'shell history'],
  ['fish_history', 'shell history'],
  ['consolehost_history.txt', 'shell history'],
]);

/** Endings of key and wallet files. `.pem` and `.key` may be public; content tells. */
const BY_ENDING: readonly (readonly [string, string])[] = [
  ['.pem', 'a key file'],
  ['.key', 'a key file'],
  ['.p12', 'a key store'],
  ['.pfx', 'a key store'],
  ['.p8', 'a private key'],
  ['.ppk', 'a private key'],
  ['.jks', 'a key store'],
  ['.keystore', 'a key store'],
  ['.kdbx', 'a password store'],
  ['.agekey', 'a private key'],
  ['.tfvars', 'infrastructure variables'],
  ['.auto.tfvars.json', 'infrastructure variables'],
  ['.ovpn', 'a VPN profile'],
  ['.gpg-key', 'a private key'],
  ['.keychain-db', 'a keychain'],
];

/** Tails of paths (directory and file) that are credential files. */
const BY_TAIL: readonly (readonly [string, string])[] = [
  ['.aws/credentials', 'cloud credentials'],
  ['.aws/config', 'cloud configuration'],
  ['waygate/gate.key', "the guard's own key"],
  ['.docker/config.json', 'registry credentials'],
  ['.kube/config', 'cluster credentials'],
  ['.config/gh/hosts.yml', 'a hosting login'],
  ['.config/hub', 'a hosting login'],
  ['.config/glab-cli/config.yml', 'a hosting login'],
  ['.cargo/credentials', 'registry credentials'],
  ['.cargo/credentials.toml', 'registry credentials'],
  ['.gem/credentials', 'registry credentials'],
  ['.m2/settings.xml', 'registry credentials'],
  ['.m2/settings-security.xml', 'registry credentials'],
  ['.gradle/gradle.properties', 'registry credentials'],
  ['.composer/auth.json', 'registry credentials'],
  ['.config/pypoetry/auth.toml', 'registry credentials'],
  ['.config/containers/auth.json', 'registry credentials'],
  ['containers/auth.json', 'registry credentials'],
  ['.config/composer/auth.json', 'registry credentials'],
  ['.nuget/nuget.config', 'registry credentials'],
  ['.bundle/config', 'registry credentials'],
  ['.codex/auth.json', "an agent's login"],
  ['.claude/.credentials.json', "an agent's login"],
  ['.gemini/oauth_creds.json', "an agent's login"],
  ['.config/rclone/rclone.conf', 'cloud credentials'],
  ['.config/doctl/config.yaml', 'cloud credentials'],
  ['.config/op/config', 'a password store'],
  ['.fly/config.yml', 'cloud credentials'],
  ['.netlify/config.json', 'cloud credentials'],
  ['.databrickscfg', 'cloud credentials'],
  ['.snowsql/config', 'a database login file'],
  ['.azure/accesstokens.json', 'cloud credentials'],
  ['.azure/msal_token_cache.json', 'cloud credentials'],
  ['.oci/config', 'cloud credentials'],
  ['etc/kubernetes/admin.conf', 'cluster credentials'],
  ['etc/shadow', 'system passwords'],
  ['etc/gshadow', 'system passwords'],
  ['etc/master.passwd', 'system passwords'],
  ['proc/self/environ', "a process's environment"],
  ['google-chrome/default/login data', 'a browser login store'],
  ['google-chrome/default/cookies', 'a browser cookie store'],
  ['chrome/default/login data', 'a browser login store'],
  ['chrome/default/cookies', 'a browser cookie store'],
];

/** Directories whose every file is a credential, but for the exceptions. */
const DIRECTORIES: readonly (readonly [string, string, readonly string[]])[] = [
  [
    '.ssh',
    'an SSH key',
    ['config', 'known_hosts', 'known_hosts.old', 'authorized_keys', 'authorized_keys2', 'environment', 'rc', 'readme', 'readme.md'],
  ],
  ['.gnupg', 'a GPG key', ['gpg.conf', 'gpg-agent.conf', 'dirmngr.conf', 'pubring.kbx', 'pubring.gpg', 'trustdb.gpg']],
  ['.config/gcloud', 'cloud credentials', ['active_config', 'config_default']],
  ['.aws/sso/cache', 'cloud credentials', []],
  ['.aws/cli/cache', 'cloud credentials', []],
  ['.password-store', 'a password store', ['.gpg-id']],
  ['.local/share/keyrings', 'a keyring', []],
  ['library/keychains', 'a keychain', []],
  ['.config/sops/age', 'a private key', []],
];

/** Directories that hold nothing but credentials: naming the directory itself is enough. */
const WHOLE_DIRECTORIES: ReadonlyMap<string, string> = new Map([
  ['.ssh', 'SSH keys'],
  ['.gnupg', 'GPG keys'],
  ['.aws', 'cloud credentials'],
  ['.kube', 'cluster credentials'],
  ['.password-store', 'a password store'],
]);

/**
 * The class of credential file a path is by its name, undefined when it is none.
 * Templates (`.env.example`), public keys (`*.pub`) and client configuration (`.ssh/config`) are none.
 */
export function secretByName(path: string): string | undefined {
  const lower = path.replaceAll('\\', '/').toLowerCase().replace(/\/+$/, '');
  const base = lower.slice(lower.lastIndexOf('/') + 1);
  if (base === '') return undefined;
  if (base.endsWith('.pub') || base.endsWith('.pub.pem') || isTemplate(base)) return undefined;
  const environment = environmentFile(base);
  if (environment) return environment;
  const whole = WHOLE_DIRECTORIES.get(base);
  if (whole) return whole;
  const tailed = BY_TAIL.find(([tail]) => lower === tail || lower.endsWith(`/${tail}`));
  if (tailed) return tailed[1];
  if (/^\/proc\/(\d+|self)\/environ$/.test(lower)) return "a process's environment";
  for (const [directory, what, public_] of DIRECTORIES) {
    if (!`/${lower}`.includes(`/${directory}/`)) continue;
    return public_.includes(base) || base.startsWith('known_hosts') || base.startsWith('configurations') ? undefined : what;
  }
  if (base === 'config' || base === 'credentials.md') return undefined;
  const named = BY_NAME.get(base);
  if (named) return named;
  if (/^id_(rsa|dsa|ecdsa|ed25519|ed25519_sk|ecdsa_sk)([._-].*)?$/.test(base)) return 'an SSH key';
  if (/^(service[-_]?account|serviceaccountkey|gcp[-_]?key|firebase-adminsdk).*\.json$/.test(base)) return 'cloud credentials';
  if (/-firebase-adminsdk-.*\.json$/.test(base)) return 'cloud credentials';
  if (base.endsWith('.pem') && /^(cert|fullchain|chain|ca|cacert|ca-cert|ca-bundle|public|dhparam)/.test(base)) return undefined;
  return (
    BY_ENDING.find(([ending]) => base.endsWith(ending) && base.length > ending.length)?.[1] ??
    (base === '.pem' || base === '.key' ? 'a key file' : undefined)
  );
}

/** `.env`, `.env.local`, `prod.env`; not a template of one, not `.env.d.ts` or another source file. */
function environmentFile(base: string): string | undefined {
  const what = 'an environment file';
  if (base === '.env') return what;
  if (/^\.env[._-]/.test(base)) return /\.(ts|js|mjs|cjs|json5|py|go|rs|vue|sh)$/.test(base) ? undefined : what;
  if (/^[^.].*\.env$/.test(base) || /^env\.(local|prod|production|dev|development|staging|test)$/.test(base)) return what;
  return undefined;
}

/** The last suffix (or a part between dots or dashes) says that it is a template. */
export function isTemplate(base: string): boolean {
  const parts = base.toLowerCase().split(/[._-]/).filter(Boolean);
  const last = parts.at(-1) ?? '';
  if (['md', 'txt'].includes(last)) return /(^|[._-])env([._-]|$)/.test(base) || !/(token|pass|secret|key)/.test(base);
  return TEMPLATE_ENDINGS.includes(last) || parts.slice(1).some((part) => part === 'example' || part === 'sample' || part === 'template');
}

/** Names of environment variables whose value is a credential, by their words: `GITHUB_TOKEN`, `DB_PASSWORD`, `AWS_SECRET_ACCESS_KEY`. */
export function secretVariableName(name: string): boolean {
  const upper = name.toUpperCase();
  if (NOT_SECRET_VARIABLES.has(upper)) return false;
  if (/(^|_)(PUBLIC|PUB)(_|$)/.test(upper) && !/PRIVATE/.test(upper)) return false;
  if (
    /(_|^)(FILE|PATH|DIR|LENGTH|LEN|COUNT|LIMIT|TTL|EXPIRY|EXPIRES|EXPIRATION|NAME|TYPE|ISSUER|URL|URI|ENDPOINT|HEADER|ALGORITHM|ROTATION|VERSION|REGION|ENABLED|SOCK)$/.test(
      upper,
    )
  )
    return /^(DATABASE|DB|POSTGRES|PG|MYSQL|MONGO(DB)?|REDIS|AMQP|RABBITMQ|SENTRY)_?(URL|URI|DSN)$/.test(upper);
  if (/(^|_)(TOKEN|SECRET|SECRETS|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|CREDENTIAL|CREDENTIALS|APIKEY|PAT|DSN)(_|$)/.test(upper)) return true;
  if (/(PASSWORD|PASSWD|PASSPHRASE|SECRET|APIKEY)$/.test(upper)) return true;
  if (VENDOR_KEY.test(upper)) return true;
  return /(^|_)(API|ACCESS|SECRET|PRIVATE|SIGNING|ENCRYPTION|MASTER|SERVICE|AUTH|DEPLOY|LICENSE|SSH|ADMIN|ACCOUNT|STORAGE|SUBSCRIPTION|HMAC|JWT|SESSION|WEBHOOK)_?KEYS?(_|$|\d)/.test(
    upper,
  );
}

/** The key of a service, named after it alone: `STRIPE_KEY`. `SORT_KEY` and `CACHE_KEY` are none. */
const VENDOR_KEY =
  /(^|_)(STRIPE|OPENAI|ANTHROPIC|GEMINI|MISTRAL|GROQ|COHERE|SENDGRID|MAILGUN|MAILCHIMP|POSTMARK|RESEND|TWILIO|ALGOLIA|DATADOG|SENTRY|SEGMENT|GOOGLE|GCP|AWS|AZURE|CLOUDFLARE|HEROKU|NPM|GITHUB|GITLAB|SLACK|DISCORD|SUPABASE|FIREBASE|PLAID|SQUARE|PAYPAL|SHOPIFY|RAZORPAY|MAPBOX|PINECONE|RAILS_MASTER|APP)_KEY$/;

/** Words that look like secrets and are none. */
// biome-ignore format: a list
const NOT_SECRET_VARIABLES: ReadonlySet<string> = new Set([
  'PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'GIT_ASKPASS', 'SSH_ASKPASS', 'SUDO_ASKPASS', 'GPG_TTY', 'TOKENIZERS_PARALLELISM', 'MAX_TOKENS',
  'DBUS_SESSION_BUS_ADDRESS',
]);
