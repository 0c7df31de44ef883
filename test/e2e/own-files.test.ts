/** A session may rewrite and take away what it has made itself, as long as nobody else has touched it. */
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../support/sandbox.ts';
import { sessionIn, type Told } from '../support/session.ts';

type Agent = ReturnType<typeof sessionIn>;

const TEXT = 'print("does it happen?")\n';
let sessions = 0;

/** An agent that has made a file by a call, and the file. */
function made(box: Sandbox, name = 'reproduce.py', by: (agent: Agent, path: string) => Told = written): { agent: Agent; path: string } {
  const agent = sessionIn(box, `own-${++sessions}`);
  const path = join(box.repo, name);
  expect(by(agent, path).verdict).toBe('pass');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, TEXT);
  return { agent, path };
}

const written = (agent: Agent, path: string): Told => agent.use('Write', { file_path: path, content: TEXT });
const NOTHING = { verdict: 'pass', text: '' };

describe('a file that the session has made', () => {
  it.each<[string, (agent: Agent, path: string) => Told]>([
    ['with its tool', written],
    ['with a here-document', (agent) => agent.run(`cat > reproduce.py <<'EOF'\n${TEXT}EOF`)],
    ['with a program', (agent) => agent.run(`python3 -c 'open("reproduce.py", "w").write(${JSON.stringify(TEXT).replaceAll("'", '')})'`)],
  ])('%s goes without a word', (_how, by) => {
    const box = sandbox();
    for (const line of ['rm reproduce.py', 'rm -f ./reproduce.py', 'rm -rf reproduce.py', 'python3 reproduce.py && rm reproduce.py']) {
      const { agent, path } = made(box, 'reproduce.py', by);
      expect(agent.run(line), line).toMatchObject(NOTHING);
      rmSync(path);
    }
  });

  it('is written anew, edited, and goes', () => {
    const { agent, path } = made(sandbox());
    expect(agent.use('Write', { file_path: path, content: 'print(1)\n' })).toMatchObject(NOTHING);
    writeFileSync(path, 'print(1)\n');
    expect(agent.use('Edit', { file_path: path, old_string: '1', new_string: '22' })).toMatchObject(NOTHING);
    writeFileSync(path, 'print(22)\n');
    expect(agent.run("echo 'print(3)' >> reproduce.py")).toMatchObject(NOTHING);
    appendFileSync(path, 'print(3)\n');
    expect(agent.run("printf 'print(4)\\n' > reproduce.py")).toMatchObject(NOTHING);
    writeFileSync(path, 'print(4)\n');
    expect(agent.run('rm reproduce.py')).toMatchObject(NOTHING);
  });

  it.each([
    ['mv reproduce.py other.py', 'other.py'],
    ['mv reproduce.py src', 'src/reproduce.py'],
  ])('goes under its next name: %s', (line, next) => {
    const box = sandbox();
    const { agent, path } = made(box);
    expect(agent.run(line)).toMatchObject(NOTHING);
    renameSync(path, join(box.repo, next));
    expect(agent.run(`rm ${next}`)).toMatchObject(NOTHING);
  });

  it('goes by the hand of a subagent too', () => {
    const { agent } = made(sandbox());
    expect(agent.run('rm reproduce.py', {}, { agent_id: 'helper' })).toMatchObject(NOTHING);
  });

  it('goes outside the repository', () => {
    const box = sandbox();
    const { agent } = made(box, '../../home/dev/notes.txt');
    expect(agent.run('rm ~/notes.txt')).toMatchObject(NOTHING);
  });
});

describe('it is refused', () => {
  it('when somebody else has edited the file', () => {
    const { agent, path } = made(sandbox());
    appendFileSync(path, '# mine\n');
    for (const line of ['rm reproduce.py', 'echo x > reproduce.py']) expect(agent.run(line).verdict, line).toBe('deny');
    // An edit of a file that is not the session's own any more does not make it so again.
    agent.use('Edit', { file_path: path, old_string: '# mine', new_string: '# ours' });
    writeFileSync(path, `${TEXT}# ours\n`);
    expect(agent.run('rm reproduce.py').verdict).toBe('deny');
  });

  it('when the file was there before, though the session has written the same bytes', () => {
    const box = sandbox();
    const path = join(box.repo, 'reproduce.py');
    writeFileSync(path, TEXT);
    const agent = sessionIn(box, 'same-bytes');
    written(agent, path);
    expect(agent.run('rm reproduce.py').verdict).toBe('deny');
  });

  it('in another session', () => {
    const box = sandbox();
    made(box);
    expect(sessionIn(box, 'another').run('rm reproduce.py').verdict).toBe('deny');
  });

  it('when the call that would have made it was refused, and a person made it', () => {
    const box = sandbox(['printf \'%s\\n\' "version: 1" "protected:" "  paths: [reproduce.py]" > waygate.yaml']);
    const agent = sessionIn(box, 'refused');
    expect(written(agent, join(box.repo, 'reproduce.py')).verdict).toBe('deny');
    rmSync(join(box.repo, 'waygate.yaml'));
    writeFileSync(join(box.repo, 'reproduce.py'), TEXT);
    expect(agent.run('rm reproduce.py').verdict).toBe('deny');
  });

  it.each(['rm *.py', 'rm -rf scratch', 'git clean -fdx', 'find . -name "*.py" -delete'])('by a sweep: %s', (line) => {
    const { agent } = made(sandbox(), 'scratch/reproduce.py');
    expect(agent.run(line.replace('*.py', 'scratch/*.py')).verdict).toBe('deny');
  });

  it('of more than a few at once', () => {
    const box = sandbox();
    const agent = sessionIn(box, 'many');
    const names = Array.from({ length: 9 }, (_each, i) => `part-${i}.py`);
    for (const name of names) {
      written(agent, join(box.repo, name));
      writeFileSync(join(box.repo, name), TEXT);
    }
    expect(agent.run(`rm ${names.join(' ')}`).verdict).toBe('deny');
    expect(agent.run(`rm ${names.slice(0, 8).join(' ')}`)).toMatchObject(NOTHING);
  });
});
