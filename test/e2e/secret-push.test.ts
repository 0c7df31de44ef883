/** What no push may send, in the tool hook and at git's pre-push: the way out really taken, the limit, and an owner's grant. */
import { describe, expect, it } from 'vitest';
import { waygate } from '../support/cli.ts';
import { asPerson, canBePerson } from '../support/person.ts';
import { AGENT, SECRET, typed, wired } from '../support/pushing.ts';
import type { Sandbox } from '../support/sandbox.ts';

/** The tool hook about one call of an agent. */
function call(box: Sandbox, command: string, id: string, event: 'PreToolUse' | 'PostToolUse' = 'PreToolUse') {
  const payload = {
    session_id: 'agent',
    cwd: box.repo,
    hook_event_name: event,
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: id,
  };
  return waygate(box, ['hook', '--host', 'claude-code'], { input: JSON.stringify(payload) });
}

describe('secret-push', () => {
  it('names the file and never the value; the way out leads to a push without it', () => {
    const box = wired(['echo draft > src/other.ts', 'git add src/other.ts', ...SECRET, "git commit -q --allow-empty -m 'and more'"]);
    const refused = call(box, 'git push origin feat/x', 'toolu_1');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      '[secret-push] Nothing ran. The push to `origin` would send an AWS access key: `src/client.ts`, line 1',
    );
    expect(refused.stderr).not.toContain('Q7RT5WX2');
    const [, remedy = ''] = /^Run instead: (git reset --soft [0-9a-f]+)$/m.exec(refused.stderr) ?? [];
    expect(call(box, remedy, 'toolu_2').code).toBe(0);
    expect(typed(box, remedy, { env: AGENT }).code).toBe(0);
    // All content is still there, staged; the rest is committed again by name.
    expect(typed(box, 'git diff --cached --name-only').output).toBe('src/client.ts\nsrc/other.ts\n');
    typed(box, "git restore --staged src/client.ts && git commit -q -m 'the rest' && test -s src/client.ts");
    expect(call(box, 'git push origin feat/x', 'toolu_3').code).toBe(0);
    const pushed = typed(box, 'git push origin feat/x', { env: AGENT });
    expect(pushed.code, pushed.output).toBe(0);
  });

  it('is not asked about a dry run, and meets a script that pushes at git itself', () => {
    const box = wired([...SECRET, 'echo push > ../word', "printf 'exec git $(cat ../word) origin feat/x\\n' > ../ship"]);
    expect(call(box, 'git push --dry-run origin feat/x', 'toolu_1').code).toBe(0);
    const ran = typed(box, 'sh ../ship', { env: AGENT });
    expect(ran.code).toBe(1);
    expect(ran.output).toContain('[secret-push] Nothing was pushed.');
    expect(ran.output).not.toContain('Q7RT5WX2');
  });

  it('a lower limit counts at once', () => {
    const box = wired([
      "printf 'version: 1\\nrules:\\n  secret-push: { max-mb: 1 }\\n' > waygate.yaml",
      'head -c 1500000 /dev/zero > film.bin',
      'git add film.bin',
      "git commit -q -m 'a film'",
    ]);
    const { code, output } = typed(box, 'git push origin feat/x');
    expect(code).toBe(1);
    expect(output).toContain('the limit here is 1 MB');
  });

  it.skipIf(!canBePerson())('what the owner granted for a call holds for the push that it is, and for no other', async () => {
    const box = wired(SECRET);
    call(box, 'git push origin feat/x', 'toolu_1');
    const granted = await asPerson(box, [
      'grant',
      '--boundary',
      'git.push origin credential *',
      '--scope',
      'workspace',
      '--reason',
      'revoked already',
    ]);
    expect(granted.code, granted.shown).toBe(0);
    expect(call(box, 'git push origin feat/x', 'toolu_2').code).toBe(0);
    const pushed = typed(box, 'git push origin feat/x', { env: AGENT });
    expect(pushed.code, pushed.output).toBe(0);
    call(box, 'git push origin feat/x', 'toolu_2', 'PostToolUse');
    typed(box, SECRET.join('\n').replaceAll('client', 'other'));
    const again = typed(box, 'git push origin feat/x', { env: AGENT });
    expect(again.code, again.output).toBe(1);
  });
});
