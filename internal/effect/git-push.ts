/** `git push`: the whole refspec grammar, and what forces what. */
import { hasHole, prefixOf, shapeOf, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { type GitCall, type GitOptions, gitOptions, rewritten, settingOf, withoutOption } from './git-call.ts';
import { PUSH } from './git-grammars.ts';
import type { PushRef } from './types-git.ts';

type Force = PushRef['force'];

/** The leases of a call: for every ref (`all`), or for named ones, with the object they expect. */
interface Leases {
  all: boolean;
  named: ReadonlyMap<string, string | undefined>;
}

/** `git push` and `git send-pack`. */
export function push(call: GitCall): Effect[] {
  const options = gitOptions(call.words, PUSH);
  if (options.help) return [];
  const named = options.operands[0] ?? options.word('repo');
  const specs = options.operands.slice(1);
  const leases = leasesOf(options);
  const mirror = options.on('mirror') || (named !== undefined && settingOf(call, `remote.${textOf(named)}.mirror`) === 'true');
  const force: Force = options.on('force') || mirror ? 'blind' : leases.all ? 'lease' : 'none';
  const refs = refsOf(specs, { deletes: options.on('delete'), force, leases });
  const matching = refs.some((ref) => ref.src === ':' || ref.src?.includes('*'));
  const all = options.on('all') || matching;
  return [
    {
      kind: 'git.push',
      ...call.base,
      remoteName: textOf(named),
      ...(named && textOf(named) === undefined ? { remoteUnknown: true } : {}),
      refs: refs.filter((ref) => ref.src !== ':' && !ref.src?.includes('*')),
      bare: specs.length === 0 && !all && !mirror && !options.on('tags'),
      all,
      mirror,
      tags: options.on('tags'),
      prune: options.on('prune') || mirror,
      dryRun: options.on('dry-run'),
      force: refs.some((ref) => (ref.src === ':' || ref.src?.includes('*')) && ref.force === 'blind')
        ? 'blind'
        : specs.length === 0 && force === 'none' && leases.named.size > 0
          ? 'lease'
          : force,
      setUpstream: options.on('set-upstream'),
      ifIncludes: options.on('force-if-includes'),
      ...given(call),
      ...repaired(call, options),
      command: call.line,
    },
  ];
}

/** Settings of the call that say what a push without refspecs means: `-c remote.origin.push=+main`. */
function given(call: GitCall): { config?: readonly (readonly [string, string])[] } {
  const config = call.settings.flatMap(({ key, value }) =>
    value !== undefined && /^(remote|branch|push)\./.test(key) ? [[key, value] as const] : [],
  );
  return config.length > 0 ? { config } : {};
}

/** The same push with a lease, and as a dry run. */
function repaired(call: GitCall, options: GitOptions): { lease?: string; preview?: string } {
  const forced = options.on('force') || call.words.some((word) => /^\+|:\+/.test(textOf(word) ?? ''));
  const plain = withoutOption(call.words, options, ['force', 'force-with-lease', 'mirror', 'no-force-with-lease']).map((word) =>
    word?.replace(/^\+/, '').replace(':+', ':'),
  );
  const leased = options.on('force-with-lease') && !options.on('force-if-includes');
  const lease =
    options.on('mirror') || options.on('tags')
      ? undefined
      : forced
        ? rewritten(call, ['--force-with-lease', ...plain])
        : leased
          ? rewritten(call, ['--force-if-includes', ...call.words.map(textOf)])
          : undefined;
  const preview = rewritten(call, ['--dry-run', ...call.words.map(textOf)]);
  return { ...(lease === undefined ? {} : { lease }), ...(preview === undefined ? {} : { preview }) };
}

function leasesOf(options: GitOptions): Leases {
  let all = false;
  const named = new Map<string, string | undefined>();
  const values = [...(options.options.get('force-with-lease') ?? [])];
  for (const each of options.order) {
    if (each.name === 'no-force-with-lease') {
      all = false;
      named.clear();
    }
    if (each.name !== 'force-with-lease') continue;
    const word = values.shift();
    const text = textOf(word);
    if (word === undefined || text === undefined) all = true;
    else {
      const colon = text.indexOf(':');
      named.set(short(colon < 0 ? text : text.slice(0, colon)), colon < 0 ? undefined : text.slice(colon + 1));
    }
  }
  return { all, named };
}

const short = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

interface Manner {
  deletes: boolean;
  force: Force;
  leases: Leases;
}

function refsOf(specs: readonly Word[], manner: Manner): PushRef[] {
  const refs: PushRef[] = [];
  for (let i = 0; i < specs.length; i++) {
    const spec = specs[i]!;
    // A glob that meets no file stays as it is written.
    const text = hasHole(spec) ? undefined : shapeOf(spec);
    const next = specs[i + 1];
    if (text === 'tag' && next !== undefined) {
      i++;
      const name = textOf(next);
      const ref = name === undefined ? undefined : `refs/tags/${name}`;
      refs.push({
        src: manner.deletes ? undefined : ref,
        dst: ref,
        force: manner.force,
        delete: manner.deletes,
        ...(ref ? {} : { unknown: true }),
      });
    } else refs.push(text === undefined ? unknownRef(spec, manner) : refOf(text, manner));
  }
  return refs;
}

/** A refspec that is not certain: what its certain start says still counts. */
function unknownRef(word: Word, manner: Manner): PushRef {
  const start = prefixOf(word);
  const deletes = manner.deletes || start.startsWith(':');
  return {
    src: deletes ? undefined : '',
    dst: undefined,
    force: start.startsWith('+') ? 'blind' : manner.force,
    delete: deletes,
    unknown: true,
  };
}

function refOf(spec: string, manner: Manner): PushRef {
  const plus = spec.startsWith('+') || spec.includes(':+');
  const text = spec.replace(/^\+/, '').replace(':+', ':');
  const colon = text.indexOf(':');
  if (text === ':') return { src: ':', dst: undefined, force: plus ? 'blind' : manner.force, delete: false };
  if (manner.deletes) return { src: undefined, dst: text.replace(/^:/, ''), force: 'none', delete: true };
  if (colon === 0) return { src: undefined, dst: text.slice(1), force: 'none', delete: true };
  const src = colon < 0 ? text : text.slice(0, colon);
  const written = colon < 0 ? undefined : text.slice(colon + 1) || undefined;
  const dst = written ?? (src === 'HEAD' || src === '@' ? undefined : src);
  const force = (dst: string | undefined): Pick<PushRef, 'force' | 'expects'> => {
    if (plus || manner.force === 'blind') return { force: 'blind' };
    const name = dst === undefined ? undefined : short(dst);
    if (name !== undefined && manner.leases.named.has(name)) {
      const expects = manner.leases.named.get(name);
      return { force: 'lease', ...(expects === undefined ? {} : { expects }) };
    }
    // `HEAD` gets its name from the current branch: a named lease is taken to be about it.
    if (name === undefined && manner.leases.named.size > 0) return { force: 'lease' };
    return { force: manner.force };
  };
  return { src, dst, ...force(dst), delete: false };
}
