/**
 * Tools nobody has a reader for (MCP servers, new host tools), judged by the shape of their input:
 * a command, a program, a query, a path with content, a URL with a body, or a name that says delete.
 */
import type { Action } from '../action/action.ts';
import { quoteLine } from '../rule/quote.ts';
import type { Look } from '../shell/command.ts';
import { sqlEffects } from './data-sql.ts';
import type { Base, Effect, Target } from './effect.ts';
import { pathTarget } from './family.ts';
import { writing } from './files-paths.ts';
import { programEffects } from './interpreters/index.ts';
import { isLocal } from './network-fetch.ts';
import { isTold, literalSecretIn } from './network-send.ts';
import { patchText, type ReadShell } from './tools.ts';
import { gitLineOf, hostedEffects } from './tools-git.ts';
import {
  cut,
  dialectOf,
  editsOf,
  firstText,
  folder,
  guessedLanguage,
  isSql,
  languageOf,
  lineOf,
  nameWords,
  type Raw,
  serverWords,
  textsOf,
} from './tools-input.ts';
import { effectsOfPatch } from './tools-patch.ts';

const CODE_FIELDS = ['code', 'source', 'source_code', 'program', 'script', 'python', 'javascript', 'snippet'];
const QUERY_FIELDS = ['sql', 'query', 'statement', 'statements', 'sql_query', 'sqlQuery', 'q'];
const QUERY_LISTS = ['sqlStatements', 'sql_statements', 'statements', 'queries', 'sqls'];
const ENVELOPES = new Set(['params', 'arguments', 'args', 'input', 'payload', 'request', 'parameters']);
const PATH_FIELDS = [
  'file_path',
  'filePath',
  'path',
  'filepath',
  'absolute_path',
  'absolutePath',
  'target_file',
  'targetFile',
  'filename',
  'file_name',
  'relative_path',
  'notebook_path',
  'file',
  'directory',
  'folder',
  'uri',
];
const CONTENT_FIELDS = [
  'content',
  'contents',
  'file_text',
  'new_content',
  'newContent',
  'text',
  'new_text',
  'data',
  'body',
  'new_source',
  'code_edit',
];
/** Fields that say the path is somewhere else: in a hosted repository, a bucket, a project of a service. */
const ELSEWHERE = [
  'owner',
  'repo',
  'repository',
  'branch',
  'bucket',
  'project_id',
  'projectId',
  'host',
  'site_id',
  'spreadsheet_id',
  'drive_id',
  'page_id',
  'database_id',
];

const READ_VERBS = new Set(
  'get list search read find fetch describe show view count check status lookup inspect browse resolve snapshot screenshot ls stat info tree head tail grep glob preview diff validate explain analyze open'.split(
    ' ',
  ),
);
const DELETE_VERBS = new Set(
  'delete del remove rm destroy drop purge wipe erase truncate unlink trash uninstall flushall flushdb terminate'.split(' '),
);
/** What may be removed without a loss worth a word. */
const LIGHT_OBJECTS = new Set(
  'label labels reaction reactions assignee assignees favorite bookmark bookmarks breakpoint breakpoints watcher star highlight mention reminder observer observers listener tab tabs cookie cookies element elements node nodes selection annotation annotations memory memories entities relations observation observations'.split(
    ' ',
  ),
);
/** What is lost when it is reset. */
const STORES = new Set('branch database db schema project cluster data storage'.split(' '));
const RUN_VERBS = new Set('run exec execute eval evaluate invoke spawn shell terminal bash sh console cmd process'.split(' '));
/** Names of tools whose `code` is run. */
const CODE_VERBS = new Set([...RUN_VERBS, 'code', 'cell', 'notebook', 'repl', 'kernel', 'interpreter', 'sandbox', 'jupyter']);
const MOVE_VERBS = new Set(['move', 'rename', 'mv']);
const COPY_VERBS = new Set(['copy', 'cp', 'duplicate']);
/** With a path and nothing that tells the text: some of the file changes. */
const WRITE_VERBS = new Set('edit replace write overwrite insert modify patch'.split(' '));
/** Verbs that give something to others. */
const SEND_VERBS = new Set('send post create comment publish reply update upload share notify add submit tweet broadcast push'.split(' '));
/** Servers whose business is to keep credentials, or that are no other place. */
const KEEPERS = /vault|secret|password|credential|keychain|doppler|infisical|memory|postgres|sqlite|mysql|redis|database|filesystem|local/;
const FOLDER_WORDS = new Set(['dir', 'directory', 'folder', 'tree', 'recursive', 'rmdir']);

/** Some servers put all of the input into one field: `{ params: { sql: … } }`. */
function unwrapped(action: Action): Action {
  const [key, ...more] = Object.keys(action.raw);
  const inner = key !== undefined && more.length === 0 && ENVELOPES.has(key) ? action.raw[key] : undefined;
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? { ...action, raw: inner as Raw } : action;
}

/** Several statements in a list, as one text. */
function firstList(raw: Raw, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const texts = textsOf(raw[field]);
    if (texts.length > 0) return texts.join(';\n');
  }
  return undefined;
}

/** The effects of a call by the shape of its input. */
export function effectsByShape(call: Action, base: Base, look: Look, shell: ReadShell): readonly Effect[] {
  const action = unwrapped(call);
  const raw = action.raw;
  const words = nameWords(action.tool);
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  const cwd = folder(raw, action.cwd);

  if (words.includes('patch')) {
    const patched = effectsOfPatch(patchText(raw) ?? '', base, cwd);
    if (patched.length > 0) return patched;
  }
  const git = gitLineOf(action);
  if (git !== undefined) return shell(git, cwd, 'posix');
  const hosted = hostedEffects(action, base);
  if (hosted.length > 0) return [...published(action, base, words), ...hosted];
  const code = firstText(raw, CODE_FIELDS);
  const language =
    languageOf(raw, words) ?? (code !== undefined && has(CODE_VERBS) && !has(READ_VERBS) ? guessedLanguage(code, words) : undefined);
  if (code !== undefined && language !== undefined && language !== 'shell')
    return programEffects(language, code, base, look, (text, at) => shell(text, at ?? cwd, 'posix'));
  const line = lineOf(raw, words, serverWords(action.tool));
  if (line !== undefined && !has(READ_VERBS) && serverWords(action.tool).includes('ssh')) {
    const host =
      firstText(raw, ['host', 'server', 'hostname', 'connection', 'connectionName', 'connection_name', 'target']) ?? 'the-server';
    return shell(quoteLine(['ssh', host, line]), cwd, 'posix');
  }
  if (line !== undefined && !has(READ_VERBS)) return shell(line, cwd, dialectOf(raw, words));
  const query = firstText(raw, QUERY_FIELDS) ?? firstList(raw, QUERY_LISTS);
  // A search for words that happen to be SQL asks nothing of a database.
  const searches =
    words.some((word) => ['search', 'find', 'lookup'].includes(word)) &&
    !words.some((word) => ['sql', 'query', 'db', 'database'].includes(word));
  if (query !== undefined && !searches && isSql(query)) return sqlEffects(query, { ...base, source: cut(query) }, 'sql');

  const elsewhere = ELSEWHERE.some((field) => raw[field] !== undefined && raw[field] !== '');
  const file = elsewhere ? [] : filesOf(action, base, words, cwd);
  if (file.length > 0) return file;
  const url = firstText(raw, ['url', 'endpoint']) ?? (has(READ_VERBS) ? undefined : firstText(raw, ['uri']));
  if (url !== undefined && /^file:\/\//i.test(url)) return [{ kind: 'file.read', ...base, targets: [local(url, cwd)], shown: true }];
  if (url !== undefined && /^(?:https?|wss?|ftp):/i.test(url)) return requested(raw, url, base);
  return [...published(action, base, words), ...unknownTool(action, base, words, elsewhere)];
}

/** A text with a token in it that a tool gives to others: a message, an issue, a file in a hosted repository. */
function published(action: Action, base: Base, words: readonly string[]): readonly Effect[] {
  const server = serverWords(action.tool).join('-');
  if (server === '' || KEEPERS.test(server) || !words.some((word) => SEND_VERBS.has(word))) return [];
  const literalSecret = literalSecretIn(JSON.stringify(action.raw).slice(0, TEXT_LIMIT), '');
  return isTold(literalSecret) && literalSecret !== undefined
    ? [{ kind: 'net.send', ...base, to: server, files: [], variables: [], literalSecret, command: base.source }]
    : [];
}

/** Characters of an input that are searched for tokens. */
const TEXT_LIMIT = 100_000;

/** What is left: a name that says delete, or a program of the workspace that would run unseen. */
function unknownTool(action: Action, base: Base, words: readonly string[], elsewhere: boolean): readonly Effect[] {
  const verb =
    words.find((word) => DELETE_VERBS.has(word)) ??
    (words.includes('reset') && words.some((word) => STORES.has(word)) ? 'reset' : undefined);
  if (
    verb !== undefined &&
    !words.some((word) => LIGHT_OBJECTS.has(word)) &&
    !words.some((word) => READ_VERBS.has(word)) &&
    action.raw['dry_run'] !== true &&
    action.raw['dryRun'] !== true
  )
    return [{ kind: 'unknown.tool', ...base, tool: action.tool, shape: 'delete', command: base.source }];
  const script = elsewhere ? undefined : firstText(action.raw, ['script_path', 'scriptPath', 'script_file', 'file_path', 'path', 'file']);
  if (script !== undefined && words.some((word) => RUN_VERBS.has(word)) && !words.includes('browser')) {
    const args = Array.isArray(action.raw['args']) ? action.raw['args'].filter((arg): arg is string => typeof arg === 'string') : [];
    return [
      {
        kind: 'unknown.tool',
        ...base,
        tool: action.tool,
        shape: 'execute',
        equivalent: { tool: 'Bash', input: { command: quoteLine([runnable(script), ...args]) } },
        command: base.source,
      },
    ];
  }
  return [];
}

const runnable = (path: string): string => (path.includes('/') ? path : `./${path}`);

/** Paths with content, edits, a second path, or a verb. */
function filesOf(action: Action, base: Base, words: readonly string[], cwd: string): readonly Effect[] {
  const { raw, tool } = action;
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  const about = (path: string): Base => ({ ...base, source: `${tool} ${cut(path)}` });
  const source = firstText(raw, ['source', 'src', 'from', 'old_path', 'oldPath', 'source_path', 'sourcePath']);
  const dest = firstText(raw, ['destination', 'dest', 'to', 'new_path', 'newPath', 'target_path', 'destination_path', 'target']);
  if (
    source !== undefined &&
    dest !== undefined &&
    (has(MOVE_VERBS) || has(COPY_VERBS)) &&
    (words.includes('file') || words.includes('directory') || source.includes('/'))
  ) {
    const where = {
      sources: [local(source, cwd)],
      dest: local(dest, cwd),
      into: false,
      noClobber: false,
      backup: false,
      command: base.source,
    };
    return [
      has(MOVE_VERBS)
        ? { kind: 'file.move', ...about(source), ...where }
        : { kind: 'file.copy', ...about(source), recursive: true, ...where },
    ];
  }
  const path = firstText(raw, PATH_FIELDS);
  const paths = path !== undefined ? [path] : textsOf(raw['paths']);
  if (paths.length === 0 || paths.some((each) => /^(?:https?|wss?|data|s3|gs):/i.test(each))) return [];
  const targets = paths.map((each) => local(each, cwd));
  const told = about(paths[0]!);
  if (has(DELETE_VERBS))
    return [
      { kind: 'file.delete', ...told, targets, recursive: has(FOLDER_WORDS) || raw['recursive'] === true, how: tool, command: told.source },
    ];
  const edits = editsOf(raw);
  if (edits)
    return raw['dryRun'] === true || raw['dry_run'] === true
      ? []
      : writing(told, targets, { mode: 'in-place', edits, how: tool, command: told.source });
  const content = firstText(raw, CONTENT_FIELDS);
  if (content !== undefined && !has(READ_VERBS)) {
    const mode =
      words.includes('append') || raw['mode'] === 'append' || raw['append'] === true
        ? 'append'
        : words.includes('insert') || words.includes('replace')
          ? 'in-place'
          : 'truncate';
    return writing(told, targets, { mode, ...(mode === 'in-place' ? {} : { content }), how: tool, command: told.source });
  }
  if (has(WRITE_VERBS) && !has(READ_VERBS) && !has(FOLDER_WORDS) && raw['dryRun'] !== true && raw['dry_run'] !== true)
    return writing(told, targets, { mode: 'in-place', how: tool, command: told.source });
  if (words.some((word) => ['mkdir', 'create'].includes(word)) && has(FOLDER_WORDS)) return [{ kind: 'file.mkdir', ...told, targets }];
  const reads =
    words.some((word) => ['read', 'get', 'open', 'view', 'cat', 'head', 'tail'].includes(word)) &&
    !words.some((word) => ['info', 'stat', 'list', 'tree', 'metadata'].includes(word));
  return reads ? [{ kind: 'file.read', ...told, targets, shown: true }] : [];
}

const local = (path: string, cwd: string): Target =>
  pathTarget(path.startsWith('file://') ? decodeURI(path.slice('file://'.length)) : path, cwd);

function requested(raw: Raw, url: string, base: Base): readonly Effect[] {
  const method = (firstText(raw, ['method', 'http_method', 'verb']) ?? 'GET').toUpperCase();
  const data = ['body', 'data', 'json', 'payload', 'form'].flatMap((field) =>
    raw[field] === undefined || raw[field] === '' ? [] : [raw[field]],
  );
  const told = isLocal(url) ? undefined : literalSecretIn(`${url}\n${JSON.stringify(data)}`.slice(0, TEXT_LIMIT), url);
  const literalSecret = data.length > 0 || isTold(told) ? told : undefined;
  if (data.length === 0 && literalSecret === undefined && (method === 'GET' || method === 'HEAD' || method === 'OPTIONS'))
    return [{ kind: 'net.fetch', ...base, url, command: base.source }];
  return [
    { kind: 'net.send', ...base, to: url, files: [], variables: [], ...(literalSecret ? { literalSecret } : {}), command: base.source },
  ];
}
