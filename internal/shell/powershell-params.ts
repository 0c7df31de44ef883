/** Parameters of a cmdlet: cut names, `-Name:value`, switches, positions. */

import type { Run, Val } from './powershell-run.ts';
import { NOTHING } from './powershell-run.ts';
import type { Expr } from './powershell-tree.ts';
import { valueIn } from './powershell-values.ts';
import type { Word } from './word.ts';

/** The parameters a cmdlet has, in their full lower-case names. */
export interface Spec {
  values?: readonly string[];
  switches?: readonly string[];
  /** The parameters that words without a name go to, in order; the last takes the rest. */
  positional?: readonly string[];
}

export interface Given {
  has(name: string): boolean;
  words(name: string): readonly Word[];
  value(name: string): Val | undefined;
  /** Words that fit no position. */
  rest: readonly Word[];
  /** Parameters the cmdlet does not have: a sign that a native program of the same name is meant. */
  unknown: readonly string[];
}

const COMMON_VALUES = [
  'erroraction',
  'warningaction',
  'informationaction',
  'errorvariable',
  'warningvariable',
  'outvariable',
  'outbuffer',
  'pipelinevariable',
  'progressaction',
  'credential',
];
const COMMON_SWITCHES = ['verbose', 'debug', 'whatif', 'confirm', 'passthru'];
const SHORT: Readonly<Record<string, string>> = {
  ea: 'erroraction',
  wa: 'warningaction',
  wi: 'whatif',
  cf: 'confirm',
  lp: 'literalpath',
  pspath: 'literalpath',
  f: 'force',
  s: 'recurse',
  vb: 'verbose',
};

/** Reads the words of a call by the cmdlet's parameters. */
export function paramsOf(words: readonly Expr[], spec: Spec, run: Run): Given {
  const values = [...(spec.values ?? []), ...(spec.positional ?? []), ...COMMON_VALUES];
  const switches = [...(spec.switches ?? []), ...COMMON_SWITCHES];
  const found = new Map<string, Val>();
  const unknown: string[] = [];
  const rest: Word[] = [];
  const free: Val[] = [];
  const full = (given: string): string | undefined => {
    const all = [...values, ...switches];
    if (all.includes(given)) return given;
    const own = [...(spec.values ?? []), ...(spec.positional ?? []), ...(spec.switches ?? [])].filter((name) => name.startsWith(given));
    if (given in SHORT && all.includes(SHORT[given]!)) return SHORT[given];
    if (own.length > 0) return own[0];
    return all.find((name) => name.startsWith(given));
  };
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word.t !== 'param') {
      free.push(valueIn(word, run));
      continue;
    }
    const name = full(word.name.toLowerCase());
    if (name === undefined) {
      unknown.push(word.name);
      continue;
    }
    if (switches.includes(name)) {
      const off = word.value?.t === 'var' && (word.value.name === 'false' || word.value.name === '0');
      if (!off) found.set(name, NOTHING);
    } else if (word.value) found.set(name, valueIn(word.value, run));
    else if (i + 1 < words.length && words[i + 1]!.t !== 'param') found.set(name, valueIn(words[++i]!, run));
    else found.set(name, NOTHING);
  }
  const open = (spec.positional ?? []).filter((name) => !found.has(name) && !(name === 'path' && found.has('literalpath')));
  free.forEach((value, i) => {
    const name = open[i];
    if (name !== undefined) found.set(name, value);
    else rest.push(...value.words);
  });
  return { has: (name) => found.has(name), words: (name) => found.get(name)?.words ?? [], value: (name) => found.get(name), rest, unknown };
}
