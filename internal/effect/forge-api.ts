/**
 * Calls to the API of a forge (GitHub, GitLab, Gitea) as effects, whoever makes them: `gh api`, `glab api`, curl, an MCP tool.
 * The same deletion on another channel is the same effect.
 */
import type { Base, Effect } from './effect.ts';

type Method = string;

/** What a call says, normalized. */
interface Call {
  method: Method;
  /** Path segments after the API's root: `repos`, `acme`, `app`, … */
  path: readonly string[];
  /** Text of the body: JSON, or `key=value` lines. */
  body: string;
  base: Base;
  command: string;
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The effects of one API call. `urlPath`: an address or a path, with or without the API's root; `body`: JSON or
 * `key=value` pairs, one a line; `base`: what the effects shall carry; `command`: the call as it stands, for messages.
 */
export function forgeApiEffects(method: string, urlPath: string, body: string | undefined, base: Base, command: string): Effect[] {
  const path = segments(urlPath);
  const call: Call = { method: method.toUpperCase(), path, body: body ?? '', base, command };
  if (path.at(-1) === 'graphql') return graphql(call);
  if (!WRITES.has(call.method)) return [];
  if (path[0] === 'repos' && path.length >= 3) return github(call);
  if (path[0] === 'projects' && path.length >= 2) return gitlab(call);
  if (call.method === 'DELETE' && ['orgs', 'groups', 'gists', 'user', 'users', 'teams'].includes(path[0] ?? ''))
    return [destroys(call, path.join('/'))];
  return [];
}

/** Is an address one of a forge's API? For callers that have only a URL. */
export const isForgeApi = (url: string): boolean =>
  /^(https?:\/\/)?(api\.github\.com|[^/]+\/api\/(v3|v4|v1|graphql)|gitlab\.com\/api\/v4)(\/|$)/.test(url);

function segments(urlPath: string): string[] {
  const path = urlPath.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '');
  const parts = path.split('/').filter((part) => part !== '');
  const rest = parts[0] === 'api' && /^v\d$/.test(parts[1] ?? '') ? parts.slice(2) : parts;
  return rest.map(decode);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The value of a field of the body, as text. */
function field(body: string, name: string): string | undefined {
  const pair = new RegExp(`(?:^|[\\n&])${name}=([^\\n&]*)`).exec(body);
  if (pair) return pair[1];
  const json = new RegExp(`"${name}"\\s*:\\s*("((?:[^"\\\\]|\\\\.)*)"|[^,}\\s]+)`).exec(body);
  return json ? (json[2] ?? json[1]) : undefined;
}

const place = (call: Call): { repo: { dir: string | undefined } } => ({ repo: { dir: call.base.cwd } });

const refEffect = (call: Call, op: 'delete' | 'update' | 'create', ref: string, repository: string, force = false): Effect => ({
  kind: 'remote.ref',
  ...call.base,
  ...place(call),
  op,
  ref,
  force,
  repository,
  command: call.command,
});

const protection = (call: Call, how: string): Effect => ({
  kind: 'review.protection',
  ...call.base,
  ...place(call),
  how,
  command: call.command,
});
const destroys = (call: Call, what: string, preview?: string): Effect => ({
  kind: 'infra.destroy',
  ...call.base,
  tool: call.base.by,
  what,
  ...(preview ? { preview } : {}),
  command: call.command,
});
const changes = (call: Call, what: string): Effect => ({
  kind: 'infra.change',
  ...call.base,
  tool: call.base.by,
  what,
  command: call.command,
});
const merges = (call: Call, number: string | undefined, instead?: string): Effect => ({
  kind: 'review.merge',
  ...call.base,
  ...place(call),
  admin: true,
  ...(number ? { number } : {}),
  command: call.command,
  ...(instead ? { instead } : {}),
});

/** `repos/OWNER/NAME/…`; Gitea's paths are the same. */
function github(call: Call): Effect[] {
  const [, owner, name, area, ...rest] = call.path;
  const repository = `${owner}/${name}`;
  const { method } = call;
  if (area === undefined) {
    if (method === 'DELETE') return [destroys(call, `repository ${repository}`, `gh repo view ${repository}`)];
    const touched = ['archived', 'private', 'visibility', 'default_branch'].filter((key) => field(call.body, key) !== undefined);
    if (field(call.body, 'private') === 'false' || field(call.body, 'visibility') === 'public')
      return [destroys(call, `the privacy of repository ${repository}`, `gh repo view ${repository}`)];
    return touched.length > 0 ? [changes(call, `a change of ${touched.join(', ')} of repository ${repository}`)] : [];
  }
  if (area === 'git' && (rest[0] === 'refs' || rest[0] === 'ref')) {
    const named = rest.slice(1).join('/');
    if (method === 'DELETE') return [refEffect(call, 'delete', `refs/${named}`, repository)];
    if (method === 'POST') return [refEffect(call, 'create', field(call.body, 'ref') ?? 'refs/heads/?', repository)];
    return [refEffect(call, 'update', `refs/${named}`, repository, field(call.body, 'force') === 'true')];
  }
  if (area === 'branches') {
    const at = rest.indexOf('protection');
    if (at > 0)
      return [
        protection(
          call,
          `${method === 'DELETE' ? 'removes' : 'changes'} the protection of branch ${rest.slice(0, at).join('/')} of ${repository}`,
        ),
      ];
    if (method === 'DELETE' && rest.length > 0) return [refEffect(call, 'delete', `refs/heads/${rest.join('/')}`, repository)];
    return [];
  }
  if (area === 'branch_protections' || area === 'rulesets')
    return [protection(call, `${method === 'DELETE' ? 'removes' : 'changes'} the rules for branches of ${repository}`)];
  if (area === 'pulls' && rest[1] === 'merge' && method !== 'DELETE')
    return [merges(call, rest[0], `gh pr merge ${rest[0]} --squash --auto --repo ${repository}`)];
  if (area === 'pulls' && rest[1] === 'reviews' && field(call.body, 'event')?.toUpperCase() === 'APPROVE')
    return [protection(call, `approves pull request ${rest[0]} of ${repository}`)];
  if (area === 'merges' && method === 'POST')
    return [refEffect(call, 'update', `refs/heads/${field(call.body, 'base') ?? 'HEAD'}`, repository)];
  if (area === 'contents' && (method === 'PUT' || method === 'DELETE'))
    return [refEffect(call, 'update', `refs/heads/${field(call.body, 'branch') ?? 'HEAD'}`, repository)];
  if (method !== 'DELETE') return [];
  if (['issues', 'pulls', 'statuses'].includes(area) && rest.length > 1) return [];
  return [destroys(call, `${[area, ...rest].join('/')} of ${repository}`)];
}

/** `projects/ID/…` */
function gitlab(call: Call): Effect[] {
  const [, id, area, ...rest] = call.path;
  const repository = id ?? '';
  const { method } = call;
  if (area === undefined) return method === 'DELETE' ? [destroys(call, `repository ${repository}`, `glab repo view ${repository}`)] : [];
  if (area === 'repository' && rest[0] === 'branches' && method === 'DELETE')
    return [refEffect(call, 'delete', `refs/heads/${rest.slice(1).join('/')}`, repository)];
  if (area === 'repository' && rest[0] === 'tags' && method === 'DELETE')
    return [refEffect(call, 'delete', `refs/tags/${rest.slice(1).join('/')}`, repository)];
  if (area === 'repository' && (rest[0] === 'commits' || rest[0] === 'files'))
    return [refEffect(call, 'update', `refs/heads/${field(call.body, 'branch') ?? 'HEAD'}`, repository)];
  if (
    area === 'protected_branches' ||
    area === 'protected_tags' ||
    area === 'push_rule' ||
    area === 'approval_rules' ||
    area === 'approvals'
  ) {
    return method === 'POST' && area === 'protected_branches'
      ? []
      : [protection(call, `${method === 'DELETE' ? 'removes' : 'changes'} ${area.replaceAll('_', ' ')} of ${repository}`)];
  }
  if (area === 'merge_requests' && rest[1] === 'merge') return [merges(call, rest[0], `glab mr merge ${rest[0]} --auto-merge`)];
  if (area === 'merge_requests' && rest[1] === 'approve') return [protection(call, `approves merge request ${rest[0]} of ${repository}`)];
  if (area === 'archive') return [changes(call, `the archiving of repository ${repository}`)];
  if (method !== 'DELETE' || (['issues', 'merge_requests'].includes(area) && rest.length > 1)) return [];
  return [destroys(call, `${[area, ...rest].join('/')} of project ${repository}`)];
}

/** Mutations, by the names of their fields. */
function graphql(call: Call): Effect[] {
  const text = call.body;
  if (!/\bmutation\b/.test(text)) return [];
  const calls = (name: string): boolean => new RegExp(`\\b${name}\\s*\\(`).test(text);
  const effects: Effect[] = [];
  if (calls('deleteRef')) effects.push(refEffect(call, 'delete', 'refs/?', ''));
  if (calls('updateRefs?')) effects.push(refEffect(call, 'update', 'refs/?', '', /\bforce\\?"?\s*[:=]\s*true/.test(text)));
  if (calls('createCommitOnBranch')) effects.push(refEffect(call, 'update', `refs/heads/${field(text, 'branchName') ?? 'HEAD'}`, ''));
  if (calls('mergePullRequest') || calls('mergeBranch')) effects.push(merges(call, undefined));
  if (calls('(delete|update)BranchProtectionRule') || calls('(delete|update)RepositoryRuleset'))
    effects.push(protection(call, 'changes the rules for branches'));
  if (calls('addPullRequestReview') && /\bAPPROVE\b/.test(text)) effects.push(protection(call, 'approves a pull request'));
  if (calls('archiveRepository')) effects.push(changes(call, 'the archiving of a repository'));
  if (calls('delete(Repository|Project\\w*|Issue|Environment|Deployment|PackageVersion)'))
    effects.push(destroys(call, 'what a deleting mutation names'));
  return effects;
}
