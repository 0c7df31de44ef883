import { describe, expect, it } from 'vitest';
import { gateOf, isGated } from './gates.ts';
import { patternOf } from './glob.ts';
import { DEFAULT_POLICY, type Policy } from './policy.ts';
import { strictestOf } from './strictest.ts';

const policyAt = (root: string, command?: string, branches: readonly string[] = ['**']): Policy => ({
  ...DEFAULT_POLICY,
  revision: `${root} ${command}`,
  root,
  gate: command === undefined ? undefined : { command, branches },
  patterns: Object.fromEntries(branches.map((glob) => [glob, patternOf(glob)])),
});

describe('whose gate', () => {
  it('one workspace: its own, and of no other place', () => {
    const policy = policyAt('/w', 'npm test');
    expect(gateOf(policy, '/w')?.command).toBe('npm test');
    expect(gateOf(policy, '/r')).toBeUndefined();
    expect(gateOf(DEFAULT_POLICY, '/r')).toBeUndefined();
  });

  const meetings: readonly [string, readonly Policy[], Record<string, string | undefined>][] = [
    ['both have one', [policyAt('/w', 'npm test'), policyAt('/r', 'make ci')], { '/w': 'npm test', '/r': 'make ci' }],
    ['only the session', [policyAt('/w', 'npm test'), policyAt('/r')], { '/w': 'npm test', '/r': undefined }],
    ['only the other', [policyAt('/w'), policyAt('/r', 'make ci')], { '/w': undefined, '/r': 'make ci' }],
    ['the other has no policy at all', [policyAt('/w', 'npm test'), DEFAULT_POLICY], { '/w': 'npm test', '/r': undefined }],
    ['three', [policyAt('/w', 'a'), policyAt('/r', 'b'), policyAt('/s', 'c')], { '/w': 'a', '/r': 'b', '/s': 'c', '/x': undefined }],
  ];
  it.each(meetings)('several: %s', (_name, policies, gates) => {
    const policy = strictestOf(policies);
    for (const [top, command] of Object.entries(gates)) expect(gateOf(policy, top)?.command).toBe(command);
  });

  it('of two times the earlier one counts, a first one at once', () => {
    const times = (now: string | undefined, then: string | undefined) =>
      gateOf(
        strictestOf(
          [
            { ...policyAt('/w', now), revision: 'now' },
            { ...policyAt('/w', then), revision: 'then' },
          ],
          'times',
        ),
        '/w',
      )?.command;
    expect(times('true', 'npm test')).toBe('npm test');
    expect(times(undefined, 'npm test')).toBe('npm test');
    expect(times('npm test', undefined)).toBe('npm test');
    const kept = strictestOf(
      [
        { ...policyAt('/w', 'true'), revision: 'now' },
        { ...policyAt('/w', 'npm test'), revision: 'then' },
      ],
      'times',
    );
    expect(kept.gate).toEqual({ command: 'npm test', branches: ['**'], since: { command: 'true' } });
  });

  it('two names of one folder are one', () => {
    expect(gateOf(policyAt('/link', 'npm test'), '/real', (path) => path.replace('/link', '/real'))?.command).toBe('npm test');
  });

  it.each([
    [['**'], 'any/branch', true],
    [['main', 'release/*'], 'release/1', true],
    [['main', 'release/*'], 'feat/x', false],
    [['main'], undefined, true],
  ])('%j for %s: %s', (branches, branch, gated) => {
    const policy = policyAt('/w', 'x', branches);
    expect(isGated(policy.gate!, branch, policy)).toBe(gated);
  });
});
