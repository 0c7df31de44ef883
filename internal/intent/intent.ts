/**
 * Calls outside the workspace whose end has to be known before they are made again: their normalized consequence, and the
 * read-only call that tells how they ended. Pure.
 */
import type { Effect, EffectOf } from '../effect/effect.ts';
import type { Facts } from '../fact/facts.ts';
import { quoteLine } from '../rule/quote.ts';
import { remoteShown } from '../rule/text.ts';

/** One consequence of a call that a second call would have again. */
export interface Intent {
  boundary: string;
  /** What it does, for a sentence: `a push of feat/x to origin`. */
  what: string;
  /** Read-only command that tells how it ended. */
  status?: string;
}

type Asked = Pick<Facts, 'push' | 'text' | 'repo'>;

/** The intents of an action, one for each consequence. Reads facts only when there is one, as the line's earlier effects leave them. */
export function intentsOf(effects: readonly Effect[], facts: Facts): readonly Intent[] {
  const intents: Intent[] = [];
  effects.forEach((effect, index) => {
    if (!isConsequential(effect) || effect.remote) return;
    // The tool's own words and the loss they mean are one call.
    if (effect.kind === 'external.call' && effects.some((other) => other.step === effect.step && INFRA.has(other.kind))) return;
    const intent = intentOf(effect, index === 0 ? facts : facts.after(effects.slice(0, index), effect));
    if (intent && !intents.some((each) => each.boundary === intent.boundary)) intents.push(intent);
  });
  return intents;
}

const INFRA: ReadonlySet<string> = new Set(['infra.change', 'infra.destroy', 'data.destroy', 'review.merge']);

/** Kinds that may open an intent, so that everything else costs one look. */
export const isConsequential = (effect: Effect): boolean => KINDS.has(effect.kind);

const KINDS: ReadonlySet<string> = new Set([
  'git.push',
  'package.publish',
  'infra.change',
  'infra.destroy',
  'external.call',
  'data.destroy',
  'remote.ref',
  'review.merge',
]);

function intentOf(effect: Effect, facts: Asked): Intent | undefined {
  switch (effect.kind) {
    case 'git.push':
      return effect.dryRun ? undefined : pushed(effect, facts);
    case 'package.publish':
      return effect.dryRun ? undefined : published(effect, facts);
    case 'infra.change':
    case 'infra.destroy':
      if (effect.kind === 'infra.destroy' && effect.local) return undefined;
      return {
        boundary: `external ${effect.tool} ${effect.what}`,
        what: `\`${effect.source}\``,
        ...statusOf(infraStatus(effect.tool, effect.preview)),
      };
    case 'external.call':
      return { boundary: `external ${effect.tool} ${effect.what}`, what: `\`${effect.source}\``, ...statusOf(effect.status) };
    case 'data.destroy':
      if (effect.throwaway || effect.file) return undefined;
      return { boundary: `data ${effect.engine} ${effect.how} ${effect.what}`, what: `\`${effect.source}\``, ...statusOf(effect.preview) };
    case 'remote.ref':
      return {
        boundary: `remote.ref ${effect.repository} ${effect.op} ${effect.ref}`,
        what: `a change of \`${effect.ref}\` on the remote`,
        status: quoteLine(['git', 'ls-remote', 'origin', effect.ref]),
      };
    case 'review.merge':
      return {
        boundary: `review.merge ${effect.number ?? 'current'}`,
        what: 'a merge of a pull request',
        status: quoteLine(['gh', 'pr', 'view', ...(effect.number ? [effect.number] : [])]),
      };
    default:
      return undefined;
  }
}

const statusOf = (status: string | undefined): { status?: string } => (status ? { status } : {});

/** Tools whose own look says how things stand; a plan alone also tells. */
function infraStatus(tool: string, preview: string | undefined): string | undefined {
  if (['terraform', 'tofu', 'terragrunt'].includes(tool)) return `${tool} show`;
  if (tool === 'pulumi') return 'pulumi stack';
  return preview;
}

function pushed(effect: EffectOf<'git.push'>, facts: Asked): Intent {
  const refs = facts.push(effect);
  // A bare push goes where the branch's upstream says; with one remote that is its name.
  const remote = remoteShown(effect.remoteName ?? facts.repo(effect.repo)?.remotes[0]);
  const full = refs.map((ref) => `${ref.tag ? 'refs/tags/' : 'refs/heads/'}${ref.name}`).sort();
  const names = refs.map((ref) => ref.name).sort();
  const shown = names.length > 0 ? names.join(',') : 'all';
  const dir = effect.repo.dir !== undefined && effect.repo.dir !== effect.cwd ? ['-C', effect.repo.dir] : [];
  return {
    boundary: `git.push ${remote}/${shown}`,
    what: `a push of \`${names.length > 0 ? names.slice(0, 3).join('`, `') : 'every ref'}\` to \`${remote}\``,
    status: quoteLine(['git', ...dir, 'ls-remote', remote, ...full.slice(0, 8)]),
  };
}

/** How a registry is asked what it has, by the words that name it. */
const VIEWS: readonly (readonly [RegExp, (name: string) => readonly string[]])[] = [
  [/npm|yarn|pnpm|bun/i, (name) => ['npm', 'view', name, 'versions']],
  [/pypi|twine|pip|poetry|uv\b|flit|hatch|pdm/i, (name) => ['pip', 'index', 'versions', name]],
  [/crates|cargo/i, (name) => ['cargo', 'search', '--limit', '3', name]],
  [/gem/i, (name) => ['gem', 'list', '--remote', '--all', '--exact', name]],
];

function published(effect: EffectOf<'package.publish'>, facts: Asked): Intent {
  const name = effect.what?.replace(/^(@?[^@]+)@.*$/, '$1') ?? manifestName(effect.cwd, facts);
  const view = VIEWS.find(([known]) => known.test(effect.registry) || known.test(effect.by));
  return {
    boundary: `package.publish ${effect.registry} ${effect.op}${effect.what ? ` ${effect.what}` : name ? ` ${name}` : ''}`,
    what: `\`${effect.source}\``,
    ...(view && name ? { status: quoteLine(view[1](name)) } : {}),
  };
}

/** The name in the manifest that lies where the call is made. */
function manifestName(cwd: string | undefined, facts: Asked): string | undefined {
  if (cwd === undefined) return undefined;
  const json = facts.text(`${cwd}/package.json`);
  if (json !== undefined) {
    try {
      const { name } = JSON.parse(json) as { name?: unknown };
      return typeof name === 'string' ? name : undefined;
    } catch {
      return undefined;
    }
  }
  for (const file of ['pyproject.toml', 'Cargo.toml']) {
    const found = /^name\s*=\s*["']([\w.@/-]+)["']/m.exec(facts.text(`${cwd}/${file}`) ?? '');
    if (found) return found[1];
  }
  return undefined;
}
