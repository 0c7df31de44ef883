/** A session's handoff with what the other stores know about it: requests, checkpoints. */
import { homedir } from 'node:os';
import { manifestsOf, storeFolder } from '../../internal/checkpoint/store.ts';
import { discoverAt } from '../../internal/fact/discover.ts';
import { showPath } from '../../internal/fact/places.ts';
import { stateDir } from '../../internal/ledger/state.ts';
import { accountOf } from '../../internal/report/account.ts';
import { askedIn, type Told } from '../../internal/report/sessions.ts';
import type { AnyRule } from '../../internal/rule/rule.ts';
import { type Handoff, handoffOf } from '../../internal/view/handoff.ts';

/** The handoff of a session in a workspace. */
export function handoffHere(told: Told, root: string, rules: readonly AnyRule[]): Handoff {
  const account = accountOf(told.session, told.records);
  const start = told.records.find((record) => record.t === 'event' && record.event === 'start');
  return handoffOf(account, {
    requests: askedIn(root, new Date()).filter((each) => each.session === undefined || each.session === told.session),
    checkpoints: madeSince(root, (start && 'at' in start ? start.at : undefined) ?? account.from, account.to),
    fixed: new Set(rules.filter((rule) => rule.fixed).map((rule) => rule.name)),
    show: (path) => showPath(path, root, process.env['HOME'] || homedir()),
  });
}

/** Checkpoints of the repository and of files outside that were made between two moments, one minute later included. */
function madeSince(root: string, from: string | undefined, to: string | undefined): { id: string; files: readonly string[] }[] {
  if (from === undefined) return [];
  const until = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) + 60_000;
  const keys = [discoverAt(root)?.commonDir, '/'].filter((key) => key !== undefined);
  return keys
    .flatMap((key) => manifestsOf(storeFolder(stateDir(), key)))
    .filter(({ at }) => Date.parse(at) >= Date.parse(from) && Date.parse(at) <= until)
    .map(({ id, files }) => ({ id, files: files.map((file) => file.path) }));
}
