/** What a workspace runs, as `waygate describe targets` shows it. Pure. */
import { relative } from 'node:path/posix';
import type { Policy } from '../policy/policy.ts';
import type { Profile, Runner, Target } from '../profile/profile.ts';

/** Covers and targets that one line names. */
const MAX_NAMED = 4;

/** The document of `--json`, without its schema. */
export function targetsDocument(profile: Profile | undefined, policy: Pick<Policy, 'gate' | 'origins'>, root: string) {
  return {
    root,
    runners: (profile?.runners ?? []).map((runner) => ({
      ...runner,
      pass: runner.pass ?? null,
      targets: runner.targets.map((target) => ({ ...target, declared: isDeclared(target) })),
    })),
    proposedGate: profile?.proposedGate ?? null,
    gate: policy.gate === undefined ? null : { ...policy.gate, setBy: setBy(policy) ?? null },
    install: profile?.install?.command ?? null,
    update: profile?.update?.command ?? null,
  };
}

/** The text. `waits`: where a declared runner stands that no person has trusted. */
export function targetsView(
  profile: Profile | undefined,
  policy: Pick<Policy, 'gate' | 'origins'>,
  root: string,
  waits: string | undefined,
): string {
  const lines: string[] = [];
  if (!profile || profile.runners.length === 0) lines.push('No task runner was found here, and waygate.yaml declares none (runner).');
  for (const runner of profile?.runners ?? []) lines.push(...runnerLines(runner, root), '');
  lines.push(gateLine(profile, policy));
  lines.push(`install  ${profile?.install?.command ?? 'no target applies the lock file'}`);
  lines.push(`update   ${profile?.update?.command ?? 'no target updates dependencies'}`);
  if (waits !== undefined) lines.push('', `The runner declared in ${waits} does not count until a person trusts it: waygate trust`);
  return lines.join('\n');
}

function runnerLines(runner: Runner, root: string): readonly string[] {
  const several = runner.combine === 'args' ? '; several targets in one call' : '';
  const rows = runner.targets.map(
    (target) => [target.name, roleText(target), placeOf(target.origin, root), aboutOf(target, root)] as const,
  );
  const widths = [0, 1, 2].map((column) => Math.min(40, Math.max(0, ...rows.map((row) => (row[column] as string).length))));
  return [
    `${runner.name}  ${placeOf({ file: runner.file }, root)}  ${runner.call}${several}`,
    ...rows.map((row) =>
      `  ${row.map((cell, column) => (column < 3 ? cell.padEnd(widths[column] as number) : cell)).join('  ')}`.trimEnd(),
    ),
  ];
}

const roleText = (target: Target): string => (target.role === 'other' ? '-' : target.role);

function aboutOf(target: Target, root: string): string {
  const covers = target.covers.map(
    (cover) => `${[cover.program, ...cover.argv.map((word) => word || '…')].join(' ')}${cover.whole ? '' : ' (in part)'}`,
  );
  const parts = [
    ...(covers.length > 0 ? [`covers ${listed(covers)}`] : []),
    ...(target.includes.length > 0 ? [`runs ${listed(target.includes)}`] : []),
    ...(target.writes.length > 0 ? [`writes ${listed(target.writes.map((glob) => shown(glob, root)))}`] : []),
    ...(target.endless ? ['runs until it is interrupted'] : []),
    ...(target.gate ? ['looks like the gate'] : []),
    ...(target.overrides ? [`over ${placeOf(target.overrides, root)}`] : []),
  ];
  return parts.join('; ');
}

const listed = (names: readonly string[]): string =>
  names.length > MAX_NAMED ? `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more` : names.join(', ');

/** A path below the root relative to it; a name as it is. */
function shown(path: string, root: string): string {
  if (!path.startsWith('/')) return path;
  const short = relative(root, path);
  return short === '' || short.startsWith('..') ? path : short;
}

const placeOf = (origin: Target['origin'], root: string): string =>
  `${shown(origin.file, root)}${origin.line === undefined ? '' : `:${origin.line}`}`;

function gateLine(profile: Profile | undefined, policy: Pick<Policy, 'gate' | 'origins'>): string {
  if (policy.gate) {
    const from = setBy(policy);
    return `gate     ${policy.gate.command}${from === undefined ? '' : `, declared in ${from}`}`;
  }
  if (profile?.proposedGate === undefined) return 'gate     none is declared; nothing here looks like one';
  return `gate     none is declared: the push rules keep quiet. ${profile.proposedGate} looks like one; declare it in waygate.yaml: gate: { command: ${profile.proposedGate} }`;
}

function setBy(policy: Pick<Policy, 'origins'>): string | undefined {
  const origin = policy.origins['gate'];
  return origin && `${origin.file}${origin.line === undefined ? '' : `:${origin.line}`}`;
}

const isDeclared = (target: Target): boolean => !target.origin.file.startsWith('/') || target.origin.file.endsWith('/waygate.yaml');
