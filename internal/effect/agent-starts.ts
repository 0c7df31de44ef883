/** Agents that an agent starts, and the switches of their hosts: those that keep the hooks from running, and those that ask nobody. */
import { quoteLine } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable, pathTarget } from './family.ts';

/** Options under which an agent acts without asking anybody. `VALUE` after a blank: the option's own value says so. */
const UNASKED: Readonly<Record<string, readonly string[]>> = {
  claude: ['--dangerously-skip-permissions', '--allow-dangerously-skip-permissions', '--permission-mode bypassPermissions'],
  codex: [
    '--yolo',
    '--dangerously-bypass-approvals-and-sandbox',
    '--dangerously-bypass-hook-trust',
    '--sandbox danger-full-access',
    '-s danger-full-access',
  ],
  gemini: ['--yolo', '-y', '--approval-mode yolo'],
  qwen: ['--yolo', '-y', '--approval-mode yolo'],
  'cursor-agent': ['--force', '-f', '--yolo'],
  copilot: ['--allow-all-tools', '--allow-all', '--yolo'],
  droid: ['--skip-permissions-unsafe'],
  amp: ['--dangerously-allow-all'],
  aider: ['--yes-always'],
  kiro: ['--trust-all-tools'],
  'kiro-cli': ['--trust-all-tools'],
  q: ['--trust-all-tools'],
};

const off = (command: Command, how: string, more: { mild?: true; instead?: string } = {}): Effect => ({
  kind: 'guard.disable',
  ...baseOf(command),
  how,
  command: command.source,
  ...more,
});

/** The value of an option, as the next word or after `=`. */
function optionValue(words: readonly (string | undefined)[], name: string): string | undefined {
  const at = words.findIndex((word) => word === name || word?.startsWith(`${name}=`));
  if (at < 0) return undefined;
  return words[at] === name ? words[at + 1] : words[at]!.slice(name.length + 1);
}

const unasked: Family = (command) => {
  const words = command.args.map(textOf);
  const found = (UNASKED[command.name] ?? []).find((option) => {
    const [name = '', value] = option.split(' ');
    return value === undefined ? words.includes(name) : optionValue(words, name) === value;
  });
  if (found === undefined || words.includes('--help') || words.includes('--version')) return [];
  return [off(command, 'starts an agent that asks nobody before it acts', { mild: true, ...without(command, found) })];
};

/** The same line without the option. */
function without(command: Command, option: string): { instead?: string } {
  const words = command.argv.map(textOf);
  if (words.some((word) => word === undefined) || command.env.size > 0 || command.via.length > 0) return {};
  const [name = '', value] = option.split(' ');
  const kept = (words as string[]).filter(
    (word, at, all) =>
      !(word === name || (value !== undefined && (word === `${name}=${value}` || (word === value && all[at - 1] === name)))),
  );
  return { instead: quoteLine(kept) };
}

/** Claude Code: verbs and options that take its hooks out of force. */
const claude: Family = (command, context) => {
  const words = command.args.map(textOf);
  const [area, verb, third] = words.filter((word) => word === undefined || !word.startsWith('-'));
  if (words.includes('--help') || words.includes('-h')) return [];
  if (
    (area === 'plugin' || area === 'plugins') &&
    ['disable', 'uninstall', 'remove', 'rm'].includes(verb ?? '') &&
    /waygate/i.test(third ?? '')
  )
    return [off(command, 'switches its plugin off')];
  if (area === 'config' && ['set', 'add', 'remove', 'unset'].includes(verb ?? '') && /^(?:hooks\b|disableAllHooks)/.test(third ?? ''))
    return [off(command, 'changes which hooks run')];
  if (words.includes('--bare')) return [off(command, 'starts an agent without hooks')];
  const settings = optionValue(words, '--settings');
  if (settings !== undefined && /"disableAllHooks"\s*:\s*true/.test(textOfSettings(settings, command, context)))
    return [off(command, 'starts an agent without hooks')];
  const sources = optionValue(words, '--setting-sources');
  if (sources !== undefined && !isWired(sources.split(','), command, context))
    return [off(command, 'starts an agent that does not read the settings with the hook')];
  const elsewhere = ['CLAUDE_CONFIG_DIR', 'HOME'].find((name) => movedAway(command.env, name, context));
  if (elsewhere !== undefined && area !== 'mcp' && !isWired(['project', 'local'], command, context))
    return [off(command, `starts an agent with another \`${elsewhere}\`, which does not read the settings with the hook`)];
  return [];
};

const TEXT_LIMIT = 1_000_000;

function textOfSettings(value: string, command: Command, { look }: EffectContext): string {
  if (value.trimStart().startsWith('{')) return value;
  const { path } = pathTarget(value, command.cwd);
  return (path === undefined ? undefined : look.read(path, TEXT_LIMIT)) ?? '';
}

/** Do the settings of these sources name the guard's hook? */
function isWired(sources: readonly string[], command: Command, { look }: EffectContext): boolean {
  const files = sources.flatMap((source) => {
    const name = source.trim();
    if (name === 'user') return [`${look.home}/.claude/settings.json`];
    if (command.cwd === undefined) return [];
    return name === 'project' || name === 'local' ? [`${command.cwd}/.claude/settings${name === 'local' ? '.local' : ''}.json`] : [];
  });
  return files.some((file) => look.read(file, TEXT_LIMIT)?.includes('waygate') === true);
}

function movedAway(env: ReadonlyMap<string, Word | undefined>, name: string, { look }: EffectContext): boolean {
  if (!env.has(name)) return false;
  const value = textOf(env.get(name));
  return value !== look.home && value !== `${look.home}/.claude`;
}

/** What starts another agent, by program. */
export const AGENT_STARTS: FamilyTable = {
  ...Object.fromEntries(Object.keys(UNASKED).map((name) => [name, unasked])),
  claude: (command, context) => {
    const disabled = claude(command, context);
    return disabled.length > 0 ? disabled : unasked(command, context);
  },
};
