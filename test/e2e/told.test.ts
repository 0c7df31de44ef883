/** A fact about the workspace is told once; what is wrong with a line, each time. */
import { describe, expect, it } from 'vitest';
import { sandbox } from '../support/sandbox.ts';
import { sessionIn } from '../support/session.ts';

const box = sandbox();
const PACKAGE = 'npm install left-pad';

describe('a standing fact', () => {
  it('is told once per session, for each package of its own', () => {
    const agent = sessionIn(box, 'once');
    expect(agent.run(PACKAGE)).toMatchObject({ verdict: 'advise', text: expect.stringContaining('left-pad') });
    expect(agent.run(PACKAGE)).toEqual({ verdict: 'pass', stopped: false, text: '', reply: {} });
    expect(agent.records().at(-2)).toMatchObject({ decision: { verdict: 'pass', notices: [], findings: [] } });
    expect(agent.run('npm install right-pad').text).toContain('right-pad');
  });

  it('is told to each agent, and to each session', () => {
    const agent = sessionIn(box, 'each');
    agent.run(PACKAGE);
    expect(agent.run(PACKAGE, {}, { agent_id: 'helper' }).text).toContain('left-pad');
    expect(sessionIn(box, 'other').run(PACKAGE).text).toContain('left-pad');
  });

  it('is told again when the memory of the agent was compacted', () => {
    const agent = sessionIn(box, 'compacted');
    agent.run(PACKAGE);
    expect(agent.run(PACKAGE).text).toBe('');
    agent.send({ hook_event_name: 'SessionStart', source: 'compact' });
    expect(agent.run(PACKAGE).text).toContain('left-pad');
  });

  it('that the owner made advice is told each time', () => {
    const own = sandbox(["printf '%s\\n' 'version: 1' 'rules:' '  unknown-package: advise' > waygate.yaml"]);
    const agent = sessionIn(own, 'raised');
    for (let i = 0; i < 3; i++) expect(agent.run(PACKAGE).text).toContain('left-pad');
  });
});

it('what is wrong with a line is told each time', () => {
  const agent = sessionIn(box, 'line');
  for (let i = 0; i < 3; i++) expect(agent.run('npm run build && echo done').text).toContain('echo-on-success');
});
