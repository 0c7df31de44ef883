import { describe, expect, it } from 'vitest';
import type { Action } from '../action/action.ts';
import type { Effect } from '../effect/effect.ts';
import { effectsOf } from '../effect/effects.ts';
import { assumedFacts, assumedLook } from '../fact/assume.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { intentsOf } from './intent.ts';
import { type Asking, interruptedOn } from './open.ts';
import type { KnownIntent } from './store.ts';

const action = (command: string): Action => ({
  host: 'claude-code',
  moment: 'before',
  event: 'PreToolUse',
  surface: 'shell',
  tool: 'Bash',
  input: { command, dialect: 'posix' },
  raw: { command },
  cwd: '/code/repo',
  workspace: '/code/repo',
  caller: { session: 's' },
});

const intents = (command: string) => {
  const call = action(command);
  const effects: readonly Effect[] = effectsOf(call, assumedLook('clean', call));
  return intentsOf(effects, assumedFacts('clean', call, DEFAULT_POLICY));
};

describe('what a call leaves open outside', () => {
  it.each([
    ['git push origin feat/x', 'git.push origin/feat/x', 'git ls-remote origin refs/heads/feat/x'],
    ['git push origin HEAD:refs/tags/v1', 'git.push origin/v1', 'git ls-remote origin refs/tags/v1'],
    ['git -C ../other push origin feat/x', 'git.push origin/feat/x', 'git -C /code/other ls-remote origin refs/heads/feat/x'],
    ['npm unpublish left-pad@1.0.0', 'package.publish npm unpublish left-pad@1.0.0', 'npm view left-pad versions'],
    ['kubectl apply -f a.yaml', 'external kubectl apply -f a.yaml', 'kubectl get -f a.yaml'],
    ['kubectl rollout restart deploy/web -n prod', undefined, 'kubectl get deploy/web -n prod'],
    ['terraform apply plan.out', 'external terraform apply plan.out', 'terraform show'],
    ['terraform apply -auto-approve', undefined, 'terraform show'],
    ['helm upgrade --install web ./chart -n prod', undefined, 'helm status web -n prod'],
    ['fly deploy -a shop', undefined, 'fly status -a shop'],
    ['docker push registry.example.com/app:1', undefined, 'docker manifest inspect registry.example.com/app:1'],
    ['npx prisma migrate deploy', undefined, 'npx prisma migrate status'],
    ['bin/rails db:migrate', undefined, 'bin/rails db:migrate:status'],
    ['python3 manage.py migrate shop', undefined, 'python3 manage.py showmigrations'],
    ['alembic upgrade head', undefined, 'alembic current'],
    ['gh pr merge 12 --squash', undefined, 'gh pr view 12'],
  ])('%s', (command, boundary, status) => {
    const found = intents(command);
    expect(found).toHaveLength(1);
    if (boundary) expect(found[0]!.boundary).toBe(boundary);
    expect(found[0]!.status).toBe(status);
  });

  it.each([
    'git push --dry-run origin feat/x',
    'git fetch origin',
    'npm publish --dry-run',
    'kubectl get pods',
    'kubectl apply -f a.yaml --dry-run=client',
    'kubectl --context minikube apply -f a.yaml',
    'terraform plan',
    'helm template web ./chart',
    'helm upgrade web ./chart --dry-run',
    'docker build -t app .',
    'npx prisma migrate dev',
    'gh pr view 12',
    'echo git push origin main',
    'curl -X POST http://localhost:3000/items',
  ])('%s leaves nothing open', (command) => expect(intents(command)).toEqual([]));

  it('two consequences of one line are two', () => expect(intents('git push origin a && git push origin b')).toHaveLength(2));
});

describe('an open call', () => {
  const NOW = new Date('2026-11-30T12:00:00.000Z');
  const open = (more: Partial<KnownIntent> = {}): KnownIntent => ({
    t: 'intent',
    id: 'i',
    at: '2026-11-30T11:59:00.000Z',
    boundary: 'b',
    session: 's',
    agent: '',
    call: 'c1',
    digest: 'd',
    tool: 'Bash',
    summary: '',
    ...more,
  });
  const asking: Asking = { session: 's', agent: '', call: 'c2', digest: 'd', now: NOW, passed: 1, outcomes: 0 };
  it.each<[string, Partial<KnownIntent>, Partial<Asking>, boolean]>([
    ['a later call of its own agent', {}, {}, true],
    ['another boundary', { boundary: 'x' }, {}, false],
    ['resolved', { resolved: { t: 'resolved', at: '', intent: 'i', by: 'outcome', how: 'done' } }, {}, false],
    ['the same call again', {}, { call: 'c1' }, false],
    ['another input under its id', {}, { call: 'c1', digest: 'e' }, true],
    ['another agent at once', { agent: 'a' }, {}, false],
    ['another agent after the longest run', { agent: 'a', at: '2026-11-30T11:49:00.000Z' }, {}, true],
    ['a new session', { session: 'old' }, {}, true],
    ['a new session after a day', { session: 'old', at: '2026-11-29T11:59:00.000Z' }, {}, false],
    ['a host that reports no outcome', {}, { passed: 4 }, false],
    ['one that does', {}, { passed: 40, outcomes: 1 }, true],
    ['left by a host that reports none', { session: 'old', silent: true }, {}, false],
  ])('%s', (_name, intent, ask, met) => expect(interruptedOn('b', [open(intent)], { ...asking, ...ask }) !== undefined).toBe(met));
});
