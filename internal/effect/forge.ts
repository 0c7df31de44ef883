/** The command line tools of forges: gh, glab, tea, hub. What only looks, comments or opens something has no effect here. */

import { quote } from '../rule/quote.ts';
import type { Command } from '../shell/command.ts';
import { textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type EffectContext, type Family, type FamilyTable } from './family.ts';
import { forgeApiEffects, isForgeApi } from './forge-api.ts';
import { lineOf, withoutOption } from './git-call.ts';
import { optionNames } from './git-grammars.ts';
import { type Grammar, parseOptions } from './options.ts';

const GH: Grammar = {
  flags: optionNames(
    'admin auto disable-auto squash s merge m rebase r delete-branch d yes y cleanup-tag approve a force web w help fill draft confirm archived accept-visibility-change-consequences comment request-changes squash-before-merge remove-source-branch when-pipeline-succeeds auto-merge',
  ),
  values: optionNames(
    'R repo body b body-file F title t subject match-head-commit author-email A visibility branch source B base H head limit L json q jq template T env e org o user u app default-branch description homepage notes n notes-file target sha message squash-message group g page P per-page login l',
  ),
  aliases: { R: 'repo', d: 'delete-branch', y: 'yes', a: 'approve', w: 'web' },
  abbreviate: false,
};

/** The same options, where a review is only looked at or opened: branches of create, the web's flags. */
export const FORGE_OPTIONS: Grammar = {
  ...GH,
  flags: optionNames(
    'fill-first fill-verbose dry-run no-maintainer-edit recover undo watch required fail-fast comments detach yes push delete-branch',
  ).concat(GH.flags ?? []),
  values: optionNames('source-branch target-branch reviewer assignee label milestone project state interval').concat(GH.values ?? []),
};

const API: Grammar = {
  flags: optionNames('include i paginate slurp silent verbose help'),
  values: optionNames('X method F field f raw-field form H header input q jq t template hostname p preview cache output'),
  aliases: { X: 'method', F: 'field', f: 'raw-field' },
  abbreviate: false,
};

/** One call of such a tool. */
interface Call {
  command: Command;
  context: EffectContext;
  tool: string;
  area: string;
  verb: string;
  words: readonly Word[];
  line: string;
}

const forge: Family = (command, context) => {
  const line = lineOf(command, context, command.args.map(textOf)) ?? command.source;
  const outer = parseOptions(command.args, { ...GH, stopAtOperand: true });
  const area = textOf(outer.operands[0]) ?? '';
  const after = outer.operands.slice(1);
  if (area === 'api') return api(command, context, after, line);
  const inside = parseOptions(after, { ...GH, stopAtOperand: true });
  const verb = textOf(inside.operands[0]) ?? '';
  if (outer.has('help') || inside.has('help')) return [];
  // Options may stand before and after the verb: they are read together.
  const words = [...command.args].filter((word) => word !== outer.operands[0] && word !== inside.operands[0]);
  return called({ command, context, tool: command.name, area, verb, words, line });
};

function called(call: Call): Effect[] {
  const options = parseOptions(call.words, GH);
  if (options.has('help')) return [];
  const base = baseOf(call.command);
  const repo = { dir: call.command.cwd };
  const repository = options.text('repo');
  const subject = textOf(options.operands[0]) ?? options.operands[0]?.raw;
  const destroys = (what: string, preview?: string): Effect[] => [
    { kind: 'infra.destroy', ...base, tool: call.tool, what, ...(preview ? { preview } : {}), command: call.line },
  ];
  const named = (what: string) =>
    subject === undefined
      ? `the ${what}${repository === undefined ? '' : ` ${repository}`}`
      : `${what} ${subject}${repository === undefined ? '' : ` of ${repository}`}`;
  const listing = (area: string) => `${call.tool} ${area} list${repository === undefined ? '' : ` --repo ${quote(repository)}`}`;
  const area =
    ({ mr: 'pr', repos: 'repo', releases: 'release', pulls: 'pr', pull: 'pr', variables: 'variable' } as Record<string, string>)[
      call.area
    ] ?? call.area;
  switch (`${area} ${call.verb}`) {
    case 'pr merge': {
      if (options.has('disable-auto')) return [];
      const admin = options.has('admin');
      const instead = admin
        ? lineOf(call.command, call.context, withoutOption(call.command.args, parseOptions(call.command.args, GH), ['admin']))
        : undefined;
      return [
        {
          kind: 'review.merge',
          ...base,
          repo,
          admin,
          ...(subject ? { number: subject } : {}),
          command: call.line,
          ...(instead ? { instead } : {}),
        },
      ];
    }
    case 'pr checkout':
      // With force gh ends in `git reset --hard`.
      return options.has('force') || call.words.some((word) => textOf(word) === '-f')
        ? [
            {
              kind: 'git.discard',
              ...base,
              repo,
              how: 'reset --hard',
              paths: undefined,
              loses: 'both',
              from: 'HEAD',
              overUntracked: false,
              command: call.line,
            },
          ]
        : [];
    case 'pr review':
      return options.has('approve')
        ? [{ kind: 'review.protection', ...base, repo, how: `approves ${named('pull request')}`, command: call.line }]
        : [];
    case 'pr approve':
      return [{ kind: 'review.protection', ...base, repo, how: `approves ${named('merge request')}`, command: call.line }];
    case 'repo delete':
      return destroys(named('repository'), `${call.tool} repo view${subject === undefined ? '' : ` ${quote(subject)}`}`);
    case 'repo archive':
      return [
        {
          kind: 'infra.change',
          ...base,
          tool: call.tool,
          what: `the archiving of ${named('repository')}`,
          preview: `${call.tool} repo view${subject === undefined ? '' : ` ${quote(subject)}`}`,
          command: call.line,
        },
      ];
    case 'repo edit':
      // What has been public once cannot be made private again for those who have read it.
      if (options.text('visibility') === 'public')
        return destroys(
          `the privacy of ${named('repository')}`,
          `${call.tool} repo view${subject === undefined ? '' : ` ${quote(subject)}`}`,
        );
      return ['visibility', 'default-branch', 'archived'].some((name) => options.has(name))
        ? [
            {
              kind: 'infra.change',
              ...base,
              tool: call.tool,
              what: `a change of the settings of ${named('repository')}`,
              preview: `${call.tool} repo view${subject === undefined ? '' : ` ${quote(subject)}`}`,
              command: call.line,
            },
          ]
        : [];
    case 'repo sync':
      if (!options.has('force')) return [];
      // Without a repository it is the local branch that is put on the remote's.
      return subject === undefined
        ? [
            {
              kind: 'git.branch-move',
              ...base,
              repo,
              name: options.text('branch'),
              to: options.has('branch') ? `origin/${options.text('branch') ?? ''}` : '@{upstream}',
              how: 'reset --hard',
              command: call.line,
            },
          ]
        : [
            {
              kind: 'remote.ref',
              ...base,
              repo,
              op: 'update',
              ref: `refs/heads/${options.text('branch') ?? 'HEAD'}`,
              force: true,
              repository: subject,
              command: call.line,
            },
          ];
    case 'release create':
      return options.has('draft')
        ? []
        : [
            {
              kind: 'package.publish',
              ...base,
              registry: call.tool === 'gh' ? 'github' : call.tool,
              op: 'release',
              dryRun: false,
              preview: listing('release'),
              ...(subject ? { what: subject } : {}),
              command: call.line,
            },
          ];
    case 'release delete':
    case 'secret delete':
    case 'secret remove':
    case 'variable delete':
    case 'gist delete':
    case 'issue delete':
    case 'codespace delete':
    case 'project delete':
    case 'ci delete':
    case 'run delete':
    case 'environment delete':
    case 'deploy-key delete':
    case 'ssh-key delete':
    case 'gpg-key delete':
      return destroys(named(area), listing(area));
    case 'workflow disable':
      return [
        {
          kind: 'infra.change',
          ...base,
          tool: call.tool,
          what: `the disabling of ${named('workflow')}`,
          preview: listing('workflow'),
          command: call.line,
        },
      ];
    default:
      return [];
  }
}

/** `gh api [-X METHOD] PATH`: with fields and no method it posts. */
function api(command: Command, context: EffectContext, words: readonly Word[], line: string): Effect[] {
  const options = parseOptions(words, API);
  const path = options.operands[0];
  if (options.has('help') || path === undefined) return [];
  const fields = [...(options.options.get('field') ?? []), ...(options.options.get('raw-field') ?? [])].map((word) =>
    word ? (textOf(word) ?? word.raw) : '',
  );
  const input = options.text('input');
  const method = options.text('method') ?? (fields.length > 0 || input !== undefined ? 'POST' : 'GET');
  const text = textOf(path) ?? path.raw;
  return forgeApiEffects(method, text, [...fields, bodyOf(input, command, context)].join('\n'), baseOf(command), line);
}

function bodyOf(input: string | undefined, command: Command, context: EffectContext): string {
  if (input === undefined) return '';
  if (input !== '-')
    return command.cwd === undefined && !input.startsWith('/')
      ? ''
      : (context.look.read(input.startsWith('/') ? input : `${command.cwd}/${input}`, 100_000) ?? '');
  const { stdin } = command;
  const text = stdin.from === 'text' ? stdin.text : stdin.from === 'pipe' ? stdin.text : undefined;
  return text ? (textOf(text) ?? '') : '';
}

const CURL: Grammar = {
  flags: optionNames(
    's S silent show-error f fail L location v verbose i include I head k insecure g globoff compressed N no-buffer G get',
  ),
  values: optionNames(
    'X request d data data-raw data-binary data-urlencode data-ascii json H header u user o output A user-agent e referer b cookie c cookie-jar F form T upload-file m max-time connect-timeout retry url x proxy w write-out cacert cert key K config',
  ),
  aliases: { X: 'request', d: 'data', 'data-raw': 'data', 'data-binary': 'data', 'data-ascii': 'data' },
};

/** curl to the API of a forge. */
const curl: Family = (command, context) => {
  const options = parseOptions(command.args, CURL);
  const urls = [...options.operands, ...(options.options.get('url') ?? [])].map((word) => (word ? (textOf(word) ?? word.raw) : ''));
  const url = urls.find((each) => isForgeApi(each));
  if (url === undefined) return [];
  const bodies = [...(options.options.get('data') ?? []), ...(options.options.get('json') ?? [])].map((word) =>
    word ? (textOf(word) ?? word.raw) : '',
  );
  const body = bodies.map((each) => (each.startsWith('@') ? bodyOf(each.slice(1), command, context) : each)).join('\n');
  const method = options.text('request') ?? (bodies.length > 0 && !options.has('G') && !options.has('get') ? 'POST' : 'GET');
  return forgeApiEffects(method, url, body, baseOf(command), lineOf(command, context, command.args.map(textOf)) ?? command.source);
};

/** Programs of forges, and curl where it talks to one. */
export const FORGE: FamilyTable = { gh: forge, glab: forge, tea: forge, hub: forge, curl };
