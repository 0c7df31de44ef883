/** What the tools of forges send along: gists, and the texts and files of issues, reviews, comments, releases and API calls. */
import { secretByName, secretVariableName } from '../secret/names.ts';
import { isOption, shapeOf, textOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { type Family, targetOf } from './family.ts';
import { optionNames } from './git-grammars.ts';
import { withoutValues } from './network-fetch.ts';
import { addFile, leading, parcel, sent, shown, stdinParcel } from './network-send.ts';
import { type Grammar, parseOptions } from './options.ts';

/** `gh gist create FILES`, and what is piped into it. */
const gist: Family = (command, context) => {
  const words = withoutValues(command.args, ['-d', '--desc', '-f', '--filename']).filter((word) => !isOption(word));
  if (textOf(words[0]) !== 'gist' || !['create', 'edit'].includes(textOf(words[1]) ?? '')) return [];
  const from = stdinParcel(command);
  from.data = true;
  for (const word of words.slice(2)) if (textOf(word) !== '-') from.files.push(targetOf(word, command.cwd));
  return sent(command, context, 'gist.github.com', from, 'http');
};

const TEXTS: Grammar = {
  values: optionNames('R repo b body F body-file notes n notes-file t title message m description d comment c raw-field f field input'),
  flags: optionNames('help fill web w draft yes y'),
  abbreviate: false,
};
/** Verbs whose texts others can read afterwards. */
const WRITES = new Set(['create', 'edit', 'update', 'comment', 'note', 'review', 'close', 'reopen', 'merge', 'upload', 'new']);
const AREAS = new Set(['issue', 'issues', 'pr', 'mr', 'release', 'releases', 'snippet', 'discussion', 'api']);
/** Options whose value is a text, and those whose value is a file. */
const TEXT_OPTIONS = ['b', 'body', 'notes', 'n', 't', 'title', 'm', 'message', 'd', 'description', 'c', 'comment', 'f', 'raw-field'];
const FILE_OPTIONS = ['F', 'body-file', 'notes-file', 'input'];

/** `gh issue create --body "$(cat .env)"`: the texts and files that are published. Only what may hold a credential is told. */
const texts: Family = (command, context) => {
  const parsed = parseOptions(command.args, TEXTS);
  const [area, verb] = parsed.operands.map((word) => textOf(word) ?? '');
  if (!AREAS.has(area ?? '') || (area !== 'api' && !WRITES.has(verb ?? '')) || parsed.has('help')) return [];
  const values = (names: readonly string[]) => names.flatMap((name) => parsed.options.get(name) ?? []).filter((word) => word !== undefined);
  const from = parcel();
  from.words.push(...values(TEXT_OPTIONS).filter(mayTell));
  const files = values(FILE_OPTIONS);
  // `gh api -F key=@file` names a file inside of a field; elsewhere -F is the file itself.
  for (const word of [...(area === 'api' ? values(['F', 'field']).map(fieldFile) : []), ...(area === 'api' ? values(['input']) : files)])
    if (word && (textOf(word) === '-' || secretByName(shapeOf(word)) !== undefined)) addFile(from, word, command.cwd);
  if (area?.startsWith('release'))
    for (const word of parsed.operands.slice(3)) if (secretByName(shapeOf(word)) !== undefined) addFile(from, word, command.cwd);
  if (from.stdin && command.stdin.from !== 'pipe' && command.stdin.from !== 'text') from.stdin = false;
  from.data = false;
  return sent(command, context, hostOf(command.name), from, 'http').filter((effect) => isNotable(effect));
};

/** The file in `key=@file`. */
const fieldFile = (word: Word): Word | undefined => {
  const at = leading(word).indexOf('=@');
  return at < 0 ? undefined : { parts: [{ kind: 'text', text: shown(word).slice(at + 2) }], raw: word.raw };
};

const hostOf = (program: string): string => (program === 'glab' ? 'https://gitlab.com' : 'https://github.com');

/** A text with something in it that is put in when it runs, or long enough for a token. */
const mayTell = (word: Word): boolean =>
  word.parts.some((part) =>
    part.kind === 'hole' ? (part.steps?.length ?? 0) > 0 || secretVariableName(part.name ?? '') : part.text.length >= 16,
  );

const isNotable = (effect: Effect): boolean =>
  effect.kind === 'net.send' &&
  (effect.literalSecret !== undefined || effect.files.length > 0 || effect.piped === true || effect.variables.some(secretVariableName));

/** What gh and glab publish. */
export const forgeSends: Family = (command, context) => [...gist(command, context), ...texts(command, context)];
