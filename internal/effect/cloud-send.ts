/** Copies into object stores: local files that leave for a bucket. */
import type { Command } from '../shell/command.ts';
import { shapeOf, type Word } from '../shell/word.ts';
import type { Effect } from './effect.ts';
import { baseOf, type Family, type FamilyTable, targetOf } from './family.ts';
import { type Call, callOf, isHelp, isRehearsal } from './infra-words.ts';

/** One `net.send` of these words. */
function sent(command: Command, to: string, words: readonly Word[]): Effect[] {
  const files = words.filter((word) => !isBucket(shapeOf(word)) && shapeOf(word) !== '-').map((word) => targetOf(word, command.cwd));
  return files.length > 0 && !command.remote
    ? [{ kind: 'net.send', ...baseOf(command), to, files, variables: [], channel: 'copy', command: command.source }]
    : [];
}

const isBucket = (text: string): boolean => /^(s3|gs|gcs|az|abfss?|oss|b2|r2):\/\//.test(text);

/** `TOOL … cp SOURCE… s3://bucket`: what is no bucket among the sources leaves. */
const copies =
  (verbs: readonly string[], values: readonly string[] = []): Family =>
  (command) => {
    const call = callOf(command, {
      values: ['profile', 'region', 'endpoint-url', 'exclude', 'include', 'acl', 'storage-class', 'sse', 'project', ...values],
    });
    const path = verbs.find((verb) => verb.split(' ').every((word, at) => word.split('|').includes(call.texts[at] ?? '')));
    if (path === undefined || isHelp(call) || isRehearsal(call)) return [];
    return toBucket(command, call, call.words.slice(path.split(' ').length));
  };

function toBucket(command: Command, _call: Call, words: readonly Word[]): Effect[] {
  const to = words.at(-1);
  return to && isBucket(shapeOf(to)) ? sent(command, shapeOf(to), words.slice(0, -1)) : [];
}

/** `az storage blob upload --file F`. */
const az: Family = (command) => {
  const call = callOf(command, { greedy: true, flags: ['overwrite', 'no-progress'] });
  if (call.texts[0] !== 'storage' || !/^upload/.test(call.texts[2] ?? '') || isHelp(call) || isRehearsal(call)) return [];
  const files = ['file', 'f', 'source', 's'].flatMap((name) => call.options.get(name) ?? []).filter((word) => word !== undefined);
  return sent(command, `the storage account ${call.text('account-name') ?? ''}`.trim(), files);
};

/** Families that copy into object stores, by program. */
export const CLOUD_SEND: FamilyTable = {
  aws: copies(['s3 cp|mv|sync']),
  gsutil: copies(['cp|mv|rsync']),
  gcloud: copies(['storage cp|mv|rsync']),
  s3cmd: copies(['put|sync']),
  s5cmd: copies(['cp|mv|sync']),
  az,
};
