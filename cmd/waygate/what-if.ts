/** The flags of a what-if: `--assume`, `--preset`, `--policy`. They need no trust, since nothing is recorded and nothing changes. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Policy } from '../../internal/policy/policy.ts';
import { RULES } from '../../rules/index.gen.ts';
import type { WhatIf } from './compose.ts';
import { oneOf, UsageError } from './terminal.ts';

export interface WhatIfFlags {
  assume?: string;
  preset?: string;
  policy?: string;
}

export const withWhatIf = (command: Command): Command =>
  command
    .option('--assume <world>', 'judge without looking at git or files: worst (all is at stake) or clean (nothing is)')
    .option('--preset <preset>', 'judge under this preset: strict or safety')
    .option('--policy <file>', 'judge under this policy file instead of the one in force');

/** The flags, checked. */
export async function whatIf(flags: WhatIfFlags): Promise<WhatIf> {
  return {
    assume: oneOf('--assume', flags.assume, ['worst', 'clean'] as const),
    preset: oneOf('--preset', flags.preset, ['strict', 'safety'] as const),
    ...(flags.policy === undefined ? {} : { policy: await policyFrom(flags.policy) }),
  };
}

/** A policy file as if everything in it were trusted. Its mistakes end the what-if: figures under half a policy mislead. */
async function policyFrom(file: string): Promise<Policy> {
  const { compilePolicyFile } = await import('../../internal/policy/compiler.ts');
  const policy = compilePolicyFile(resolve(file), RULES);
  const [error] = policy.errors;
  if (error)
    throw new UsageError(
      `--policy: ${error.file}${error.line ? `:${error.line}:${error.column ?? 1}` : ''} ${error.message}${error.nearest ? `; did you mean ${error.nearest}?` : ''}`,
    );
  return policy;
}
