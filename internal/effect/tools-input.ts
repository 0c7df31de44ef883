/** The input of a tool nobody has a reader for: its line, language, edits and folder, whatever the fields are called. */
import { isAbsolute, resolve } from 'node:path/posix';
import type { Dialect, Edit } from '../action/action.ts';
import { quoteLine } from '../rule/quote.ts';

/** The input as it came. */
export type Raw = Readonly<Record<string, unknown>>;

const COMMAND_FIELDS = [
  'command',
  'cmd',
  'shell_command',
  'shellCommand',
  'command_line',
  'commandLine',
  'cli_command',
  'cliCommand',
  'cmdString',
  'cmd_string',
  'commandString',
  'command_string',
  'commands',
  'script',
  'bash',
  'shell',
];

const CWD_FIELDS = ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'working_dir', 'dir', 'directory'];

/** The shell line of a call: a text, a list of words, or a program with its arguments. */
export function lineOf(raw: Raw, words: readonly string[], server: readonly string[] = []): string | undefined {
  for (const field of COMMAND_FIELDS) {
    const value = raw[field];
    if (Array.isArray(value)) {
      const texts = textsOf(value);
      if (texts.length === 0) continue;
      return field === 'commands' ? texts.join('\n') : quoteLine(texts);
    }
    if (typeof value !== 'string' || value.trim() === '') continue;
    const args = textsOf(raw['args'] ?? raw['arguments']);
    return withProgram(args.length > 0 ? quoteLine([value, ...args]) : value, words);
  }
  const program = server.find((word) => PROGRAMS.has(word));
  const args = typeof raw['args'] === 'string' ? raw['args'] : quoteLine(textsOf(raw['args'] ?? raw['arguments']));
  if (program !== undefined && args !== '' && words.some((word) => ['run', 'exec', 'execute', 'command', 'call', program].includes(word)))
    return args.startsWith(`${program} `) ? args : `${program} ${args}`;
  if (!words.some((word) => SHELLS.has(word)) && !server.some((word) => TERMINALS.has(word))) return undefined;
  return firstText(raw, ['input', 'text', 'line', 'keys', 'code']);
}

const SHELLS = new Set(['shell', 'terminal', 'bash', 'exec', 'console', 'sh']);
/** Servers whose every text is typed into a shell. */
const TERMINALS = new Set(['tmux', 'terminal', 'iterm', 'iterm2', 'shell', 'wezterm', 'zellij', 'kitty', 'screen', 'pty']);
/** Servers that are one program: what they are given are its arguments. */
const PROGRAMS = new Set(['docker', 'podman', 'kubectl', 'helm', 'terraform', 'git', 'gh', 'aws', 'gcloud', 'az', 'psql', 'redis', 'npm']);

/** `mcp__tmux-mcp__send_keys` -> tmux, mcp. */
export const serverWords = (tool: string): string[] =>
  tool.startsWith('mcp__')
    ? (tool.split('__')[1] ?? '')
        .toLowerCase()
        .split(/[^a-z0-9]+/)
        .filter(Boolean)
    : [];

/** Verbs that a tool named after a program takes without it: `ExecuteTerraformCommand { command: destroy }`. */
const VERBS: Readonly<Record<string, RegExp>> = {
  terraform: /^(?:init|plan|apply|destroy|state|workspace|import|taint|force-unlock)\b/,
  terragrunt: /^(?:plan|apply|destroy|run-all|run)\b/,
  kubectl: /^(?:get|apply|delete|drain|scale|exec|replace|patch|rollout|describe|logs)\b/,
  helm: /^(?:install|upgrade|uninstall|delete|rollback|list)\b/,
  docker: /^(?:run|rm|exec|volume|system|compose|container|image|stop|ps)\b/,
  git: /^(?:push|reset|clean|checkout|restore|branch|stash|status|log|diff|commit)\b/,
  gh: /^(?:pr|issue|repo|release|api|run)\b/,
};

function withProgram(line: string, words: readonly string[]): string {
  const program = words.find((word) => Object.hasOwn(VERBS, word) && VERBS[word]!.test(line));
  return program === undefined ? line : `${program} ${line}`;
}

export function dialectOf(raw: Raw, words: readonly string[]): Dialect {
  const shell = (firstText(raw, ['shell', 'interpreter', 'shell_type']) ?? '').toLowerCase();
  if (words.some((word) => ['powershell', 'pwsh'].includes(word)) || /powershell|pwsh/.test(shell)) return 'powershell';
  return /(?:^|[\\/])cmd(?:\.exe)?$/.test(shell) ? 'cmd' : 'posix';
}

const LANGUAGES: Readonly<Record<string, string>> = {
  python: 'python',
  python3: 'python',
  py: 'python',
  ipython: 'python',
  jupyter: 'python',
  javascript: 'node',
  js: 'node',
  node: 'node',
  nodejs: 'node',
  typescript: 'node',
  ts: 'node',
  ruby: 'ruby',
  rb: 'ruby',
  perl: 'perl',
  php: 'php',
  lua: 'lua',
  bash: 'shell',
  sh: 'shell',
  shell: 'shell',
  zsh: 'shell',
}; // prettier-ignore

/** The language of a program, from a field or the tool's name. A page's script in a browser touches no file here. */
export function languageOf(raw: Raw, words: readonly string[]): string | undefined {
  if (words.includes('browser') || words.includes('page')) return undefined;
  const named = firstText(raw, ['language', 'lang', 'runtime', 'kernel', 'interpreter'])?.toLowerCase();
  if (named !== undefined) return LANGUAGES[named];
  const field = ['python', 'javascript'].find((name) => typeof raw[name] === 'string');
  return LANGUAGES[field ?? words.find((word) => LANGUAGES[word] !== undefined) ?? ''];
}

/** The language of a program that nothing names, by lines only it has. A notebook's or a sandbox's kernel is mostly Python's. */
export function guessedLanguage(code: string, words: readonly string[]): string | undefined {
  if (words.includes('browser') || words.includes('page')) return undefined;
  if (/^\s*(?:import\s+[\w.]+(?:\s+as\s+\w+)?\s*(?:[;,#]|$)|from\s+[\w.]+\s+import\s|def\s+\w+\(.*\):)/m.test(code)) return 'python';
  if (/\brequire\(\s*['"]|^\s*(?:const|let|var)\s+[\w{]|^\s*import\s.+\sfrom\s+['"]/m.test(code)) return 'node';
  return undefined;
}

const SQL_START =
  /^\s*(?:--[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*(?:select|insert|update|delete|drop|truncate|alter|create|with|begin|replace|merge|grant|revoke|set|use|call|exec|vacuum|pragma|explain|show|do|copy|start)\b/i;
export const isSql = (text: string): boolean => SQL_START.test(text);

export function editsOf(raw: Raw): readonly Edit[] | undefined {
  const pairs = Array.isArray(raw['edits']) ? raw['edits'] : [raw];
  const edits: Edit[] = [];
  for (const item of pairs) {
    if (typeof item !== 'object' || item === null) return undefined;
    const before = firstText(item as Raw, ['old_string', 'oldString', 'old_str', 'oldText', 'old_text', 'search', 'find']);
    const after = firstText(item as Raw, ['new_string', 'newString', 'new_str', 'newText', 'new_text', 'replace', 'replacement']);
    if (before === undefined || after === undefined) return undefined;
    edits.push({ before, after });
  }
  return edits.length > 0 ? edits : undefined;
}

export function folder(raw: Raw, cwd: string): string {
  const given = firstText(raw, CWD_FIELDS);
  if (given === undefined) return cwd;
  return isAbsolute(given) ? given : resolve(cwd, given);
}

/** `mcp__dev-box__runCommand` -> dev box aside: run, command. The server's name does not count. */
export function nameWords(tool: string): string[] {
  const own = tool.startsWith('mcp__') ? tool.split('__').slice(2).join('__') || tool : tool;
  return own
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

export function firstText(raw: Raw, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = Object.hasOwn(raw, field) ? raw[field] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
export const cut = (text: string): string => (text.length > 150 ? `${text.slice(0, 149)}…` : text);
