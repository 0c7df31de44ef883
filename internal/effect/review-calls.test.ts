/** What calls of a forge's tool show about reviews. */
import { describe, expect, it } from 'vitest';
import type { Action } from '../action/action.ts';
import type { Look } from '../shell/command.ts';
import { mayShowReview } from './may-show-review.ts';
import { type ReviewSeen, reviewsSeen } from './review-calls.ts';

const look: Look = {
  env: () => undefined,
  home: '/home/me',
  tmp: '/tmp',
  stat: () => undefined,
  read: () => undefined,
  list: () => undefined,
  gitConfig: () => [],
};
const base = { host: 'claude-code', moment: 'after', event: 'PostToolUse', cwd: '/w', workspace: '/w', caller: { session: 's' } } as const;
const bash = (command: string): Action => ({
  ...base,
  surface: 'shell',
  tool: 'Bash',
  input: { command, dialect: 'posix' },
  raw: { command },
});
const mcp = (tool: string, raw: Record<string, unknown>): Action => ({ ...base, surface: 'mcp', tool, input: {}, raw });

type Seen = Omit<ReviewSeen, 'cwd'>;
const seen = (action: Action, output: string) =>
  (mayShowReview(action) ? reviewsSeen(action, output, look) : []).map(({ cwd: _cwd, ...each }) => each);

describe('a line', () => {
  it.each<[string, string, readonly Seen[]]>([
    ['gh pr create --fill', 'https://github.com/acme/app/pull/12\n', [{ state: 'open', number: '#12', current: true }]],
    [
      'gh pr create --head me:feat/y --base main',
      'https://github.com/acme/app/pull/12\n',
      [{ state: 'open', number: '#12', branch: 'feat/y' }],
    ],
    ['git push && gh pr create -R acme/app -H feat/y -t x -b y', '', [{ state: 'open', branch: 'feat/y' }]],
    ['gh pr view --json number,state,reviews', '{"number":12,"state":"OPEN"}', [{ state: 'open', number: '#12', current: true }]],
    [
      'gh pr view 12 --json headRefName,state',
      '{"headRefName":"feat/y","state":"OPEN"}',
      [{ state: 'open', number: '#12', branch: 'feat/y' }],
    ],
    ['gh pr view 12', 'title:\tx\nstate:\tMERGED\nnumber:\t12\n', [{ state: 'merged', number: '#12' }]],
    ['gh pr view feat/y --json state -q .state', 'CLOSED\n', [{ state: 'closed', branch: 'feat/y' }]],
    ['gh pr view', 'no pull requests found for branch "feat/x"', []],
    ['gh pr checks', 'test\tpass\n', [{ state: 'open', current: true }]],
    ['gh pr checkout 12', '', [{ state: 'open', number: '#12' }]],
    ['gh pr merge 12 --squash', '', [{ state: 'merged', number: '#12' }]],
    ['gh pr merge --auto --squash', '', [{ state: 'open', current: true }]],
    ['gh pr close https://github.com/acme/app/pull/12', '', [{ state: 'closed', number: '#12' }]],
    ['gh pr view 3 -R other/app', '{"state":"OPEN","headRefName":"main"}', []],
    [
      'gh pr list --json number,headRefName,state',
      '[{"number":1,"headRefName":"a","state":"OPEN"},{"number":2,"headRefName":"b","state":"MERGED"}]',
      [
        { state: 'open', number: '#1', branch: 'a' },
        { state: 'merged', number: '#2', branch: 'b' },
      ],
    ],
    [
      'glab mr create --source-branch feat/y',
      'https://gitlab.com/a/b/-/merge_requests/7',
      [{ state: 'open', number: '!7', branch: 'feat/y' }],
    ],
    ['glab mr view 7 -F json', '{"iid":7,"state":"opened","source_branch":"feat/y"}', [{ state: 'open', number: '!7', branch: 'feat/y' }]],
    ['gh pr diff', 'diff --git', []],
    ['gh pr create --help', '', []],
    ['gh issue view 4', 'state:\tOPEN', []],
    ["echo 'gh pr create'", '', []],
    ['npm test', 'state: OPEN', []],
  ])('%s', (command, output, expected) => expect(seen(bash(command), output)).toEqual(expected));
});

describe('a tool of an MCP server', () => {
  it.each<[string, Record<string, unknown>, string, readonly Seen[]]>([
    [
      'mcp__github__create_pull_request',
      { head: 'feat/y', base: 'main' },
      '{"number":12,"state":"open"}',
      [{ state: 'open', number: '#12', branch: 'feat/y' }],
    ],
    [
      'mcp__github__get_pull_request',
      { pullNumber: 12 },
      '{"number":12,"state":"closed","merged":true,"head":{"ref":"feat/y"}}',
      [{ state: 'merged', number: '#12', branch: 'feat/y' }],
    ],
    ['mcp__github__merge_pull_request', { pullNumber: 12 }, '', [{ state: 'merged', number: '#12' }]],
    ['mcp__gitlab__create_merge_request', { source_branch: 'feat/y' }, '', [{ state: 'open', branch: 'feat/y' }]],
    ['mcp__github__get_pull_request', { pullNumber: 12 }, 'not json', []],
    ['mcp__github__get_issue', { issue_number: 12 }, '{"state":"open"}', []],
  ])('%s', (tool, raw, output, expected) => expect(seen(mcp(tool, raw), output)).toEqual(expected));
});
