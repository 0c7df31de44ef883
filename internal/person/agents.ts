/** Signs that an agent runs this process: programs among its ancestors, variables that agent hosts set. Pure. */

/** Programs that are agent hosts, by base name without `.exe`, lower case. */
const PROGRAMS = new Set(
  'claude claude-code codex codex-cli gemini gemini-cli cursor cursor-agent copilot copilot-cli copilot-language-server opencode windsurf cline kiro kiro-cli droid qwen qwen-code crush amp pi aider goose auggie cn continue'.split(
    ' ',
  ),
);
/** Packages and applications, as a part of a path. */
const PATHS = [
  '@anthropic-ai/claude',
  '@openai/codex',
  '@google/gemini-cli',
  '@qwen-code/',
  '@github/copilot',
  '@sourcegraph/amp',
  'opencode-ai',
  '@continuedev/',
  '/Cursor.app/',
  '/Windsurf.app/',
  '/.cursor-server/',
  '/.windsurf-server/',
];
/** Programs that run another one named by their first operand. */
const INTERPRETERS = new Set(['node', 'nodejs', 'bun', 'deno', 'python', 'python3', 'ruby', 'npx', 'npm', 'uv', 'uvx', 'pipx']);

/** Variables that a host sets for what it runs. */
const MARKERS = [
  'CLAUDECODE',
  'GEMINI_CLI',
  'QWEN_CODE',
  'OPENCODE',
  'AIDER_MODEL',
  'CLINE_ACTIVE',
  'COPILOT_CLI',
  'AMP_THREAD_ID',
  'GOOSE_TERMINAL',
  'DROID_SESSION_ID',
  'KIRO_SESSION_ID',
  'AI_AGENT',
  'AGENT_SESSION_ID',
];
const PREFIXES = ['CLAUDE_CODE_', 'CODEX_', 'CURSOR_', 'COPILOT_AGENT_', 'OPENCODE_'];
/** Variables of the same names that people set for themselves: configuration, not a sign. */
const CONFIGURATION =
  /^(CLAUDE_CODE_(USE_|SKIP_|DISABLE_|ENABLE_|MAX_|API_KEY_HELPER|OAUTH_TOKEN|SUBAGENT_MODEL|SHELL_PREFIX|AUTO_)|CODEX_(HOME|API_KEY)$|CURSOR_API_KEY$|OPENCODE_(CONFIG|API_KEY|MODEL|DISABLE_))/;

/** The name of a variable that only an agent host sets; undefined when there is none. */
export function agentMarker(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return Object.keys(env).find(
    (name) => env[name] && !CONFIGURATION.test(name) && (MARKERS.includes(name) || PREFIXES.some((prefix) => name.startsWith(prefix))),
  );
}

/** One process above this one. `line`: the command line, words joined by blanks. */
export interface Ancestor {
  pid: number;
  name: string;
  line: string;
}

/** The agent host among some processes, by its program's name. */
export function agentAmong(ancestors: readonly Ancestor[]): string | undefined {
  for (const { name, line } of ancestors) {
    const words = line.split(' ').filter(Boolean);
    const program = base(words[0] ?? name);
    const candidates = [program, base(name)];
    if (INTERPRETERS.has(program.replace(/[\d.]+$/, ''))) candidates.push(base(words.slice(1).find((word) => !word.startsWith('-')) ?? ''));
    const found = candidates.find((each) => PROGRAMS.has(each) || /^(cursor|windsurf) helper/.test(each));
    if (found) return found;
    const started = words.slice(0, 4).join(' ');
    if (PATHS.some((part) => started.includes(part))) return program;
  }
  return undefined;
}

const base = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.(exe|[cm]?js)$/, '');
