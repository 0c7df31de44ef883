/** One call of a cmdlet, and how it becomes a command. */
import type { Redirect } from './command.ts';
import type { Given, Spec } from './powershell-params.ts';
import { emit, pipe, type Run, type Val } from './powershell-run.ts';
import type { Expr } from './powershell-tree.ts';
import { literal, prefixOf, type Word } from './word.ts';

/** One call of a cmdlet. */
export interface Call {
  words: readonly Expr[];
  redirects: readonly Redirect[];
  /** What the stage before gives. */
  input: Val | undefined;
  source: string;
}

export type Cmdlet = { spec: Spec; act(given: Given, call: Call, run: Run): Val };

export const act = (
  run: Run,
  call: Call,
  name: string,
  args: readonly Word[],
  more: { redirects?: readonly Redirect[]; root?: boolean; remote?: boolean } = {},
): Val => {
  const stdin = call.input?.steps?.length ? { stdin: pipe(run, call.input.steps, run.commands.length) } : {};
  return {
    words: [],
    steps: [
      emit(run, {
        name,
        args,
        source: call.source,
        redirects: [...call.redirects, ...(more.redirects ?? [])],
        ...stdin,
        root: more.root,
        remote: more.remote,
      }),
    ],
  };
};

export const flags = (...list: readonly (string | false | undefined)[]): Word[] =>
  list.filter((flag): flag is string => typeof flag === 'string').map((flag) => literal(flag));

/** A registry, environment or other drive that is no file system. */
export const isDrive = (word: Word | undefined, drives: RegExp): boolean => word !== undefined && drives.test(prefixOf(word));

export const REGISTRY = /^(?:registry::|hklm:|hkcu:|hkcr:|hku:|hkey_)/i;

export const NO_FILES = /^(?:env|variable|alias|function|cert|wsman):/i;
