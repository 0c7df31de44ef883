import { defineRule, type Finding, list, names, quote, quoteLine, type Remedy } from '../../internal/rule/rule.ts';

/** Programs that many people's work runs in at once: a name that says nothing about whose process it is. */
const SHARED =
  /^(node|nodejs|deno|bun|npm|npx|pnpm|yarn|python\d?(\.\d+)?|pip|ruby|perl|php|php-fpm|java|javaw|dotnet|go|cargo|gradle|mvn|sh|bash|zsh|fish|dash|ssh|sshd|tmux|screen|login|systemd|init|launchd|dbus-daemon|cron|docker|dockerd|containerd|podman|postgres|postmaster|mysqld?|mariadbd?|redis-server|mongod|nginx|apache2?|httpd|chrome|google chrome|chromium|firefox|safari|msedge|electron|code|code helper|cursor|windsurf|idea|vim?|nvim|emacs|claude|codex|gemini|aider|opencode|explorer|powershell|pwsh|cmd|conhost|svchost|finder|dock|terminal|iterm2|wezterm|alacritty|kitty|xorg|gnome-shell|gdm|wayland|adb|qemu.*|vboxheadless|make|git|gh|\.\*?|\.\+)$/i;

/** Agents: ending them by name ends this session, whatever else of that name was started here. */
const AGENTS = /^(claude|claude-code|codex|gemini|aider|opencode|cursor|cursor-agent|windsurf|copilot|cline|qwen|crush|amp|goose)$/i;

/** A process id is precise, unless it is one that this session runs in. */
function ownSession(ids: readonly string[], ancestors: readonly { pid: number; name: string }[]): Finding | undefined {
  const own = ancestors.filter(({ pid }) => ids.some((id) => id.replace(/^-/, '') === String(pid)));
  if (own.length === 0) return undefined;
  const shown = list(own.map(({ pid, name }) => `${pid} ${name}`));
  return {
    says: `The agent's own session runs in this process: ${shown}.`,
    person: `The agent wanted to end its own session (${shown}).`,
    remedies: [
      { kind: 'run', run: 'ps -o pid,ppid,command', because: 'shows which process is whose parent; end the one that was started here' },
    ],
    boundary: `process.kill pid ${own.map(({ pid }) => pid).join(' ')}`,
  };
}

export default defineRule({
  name: 'process-sweep',
  group: 'outside',
  level: 'deny',
  summary: 'Do not end processes by a name that other work shares.',
  why: `
    \`pkill -f node\` ends every process that mentions node: the dev server that was meant, the agent's own session, the
    owner's editor and whatever else runs on that runtime. The process that was started here has an id, a port or a command
    line of its own; those end nothing else.
  `,
  evidence:
    'Public reports: agents that ended their own session or all Node programs of the machine with pkill -f node and taskkill /IM node.exe (cases taskkill-im-node, by-loop-pkill, by-pgrep-var-kill), ' +
    'and one that killed the parent of a server, which was the agent (kill-parent-of-server). In about 6,000 real calls 11 end processes, mostly by port or by a command line of their own; these pass. ' +
    'Reopen it when a shared name turns out to be refused although only own processes ran.',
  on: 'process.kill',
  needs: ['sweep', 'ancestors'],
  category: 'outside-workspace',
  persistence: 'narrower-scope',
  quiet: [
    'by process id, port, job or `$!`; signal 0, which only asks',
    'a pattern that hits nothing but processes started here or running in this workspace',
    'inside a container',
  ],

  judge(effect, { facts }) {
    if (effect.remote || effect.probe) return;
    if (effect.by === 'pid') return ownSession(effect.what, facts.ancestors());
    if (['port', 'job', 'unknown'].includes(effect.by)) return;
    const what = names(effect.what);
    if (effect.by === 'parent') {
      const own = effect.what.includes('$PPID');
      return {
        says: own
          ? "The shell's parent is the agent's own session: `$PPID`."
          : `The parent of a process may be the agent's own session: ${what}.`,
        person: `The agent wanted to end the parent of a process, which ${own ? 'is' : 'may be'} its own session.`,
        ...(own ? {} : { level: 'advise' as const }),
        remedies: [
          { kind: 'run', run: 'ps -o pid,ppid,command', because: 'shows which process is whose parent; end the process itself by its id' },
        ],
        boundary: 'process.kill parent',
      };
    }
    const fact = facts.sweep(effect);
    const every = effect.by === 'all' || effect.by === 'user';
    const plain = effect.what.map((name) => name.replace(/\.exe$/i, '').replace(/^[\^"' ]+|[$"' ]+$/g, ''));
    const agent = plain.some((name) => AGENTS.test(name));
    const shared = agent || plain.some((name) => SHARED.test(name));
    const session = fact?.session ?? [];
    const others = fact?.others ?? [];
    if (!every && session.length === 0 && others.length === 0 && (!shared || (!agent && fact !== undefined && fact.own > 0))) return;
    const whom = every
      ? 'every process of this user, the agent included'
      : session.length > 0
        ? `the agent's own session (${list(session)})`
        : others.length > 0
          ? `processes that were not started here (${list(others)})`
          : agent
            ? 'this session, and every other of that agent'
            : 'every process of that name, whoever started it';
    const look: Remedy = every
      ? { kind: 'run', run: 'ps -o pid,ppid,command', because: 'shows the processes of this terminal; end one by its id' }
      : effect.by === 'name' && /\.exe$/i.test(effect.what[0] ?? '')
        ? {
            kind: 'run',
            run: quoteLine(['tasklist', '//FI', `IMAGENAME eq ${effect.what[0]}`]),
            because: 'shows their ids; end the one that is yours by /PID',
          }
        : {
            kind: 'run',
            run: `pgrep -fl ${quote(effect.what[0] ?? '.')}`,
            because: 'shows id and command line of each; end the one that is yours by its id',
          };
    return {
      says: `${every ? 'This' : what} would end ${whom}.`,
      person: `The agent wanted to end ${whom}.`,
      remedies: [
        look,
        {
          kind: 'ask',
          ask: `May I end ${every ? 'all these processes' : `every process that matches ${what}`}?`,
          because: 'other work may be running in them',
        },
      ],
      boundary: `process.kill ${effect.by} ${effect.what.join(' ')}`,
    };
  },

  examples: {
    catches: [
      { run: 'pkill -f node' },
      { run: 'killall -9 node' },
      { run: 'pkill -f claude', why: 'the agent ends itself' },
      { run: 'for i in 1 2 3; do pkill -f node; sleep 1; done' },
      { run: 'PIDS=$(pgrep -f node); kill -9 $PIDS', why: 'searched and ended in two commands' },
      { run: "ps aux | grep '[n]ode' | awk '{print $2}' | xargs kill -9" },
      { run: 'taskkill //F //IM node.exe' },
      { run: 'kill -9 -1' },
      { run: 'kill -9 $PPID' },
      { run: 'kill -9 1', why: 'everything of the machine runs below it' },
      { run: 'kill "$(ps -o ppid= -p "$SRV")"', gets: 'advise', why: 'after exec the parent was the agent' },
    ],
    allows: [
      { run: 'kill 48213' },
      { run: 'npm run dev & sleep 5; kill $!' },
      { run: 'kill $(lsof -ti :3000)' },
      { run: 'lsof -ti:3000 | xargs kill -9' },
      { run: 'fuser -k 3000/tcp' },
      { run: 'pkill -f "node dist/main-waygate-example"', why: 'a command line that only the own server has' },
      { run: 'kill -0 48213' },
      { run: 'kill "$(cat server.pid)"' },
      { run: 'pgrep -fl node' },
      { run: 'docker exec app pkill -f node', why: 'only what runs in the container' },
    ],
  },
});
