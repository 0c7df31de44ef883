/** pre-commit: the hooks of its configuration. */
import { join } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import type { Runner, Target } from './profile.ts';
import { inside, isRecord, textsIn } from './shape.ts';
import { callOf, MAX_TARGETS, targetOf } from './target.ts';
import { readYaml } from './yaml.ts';

const MAX_FILE = 256 * 1024;

/** The hooks of a directory's configuration; undefined when there are none. */
export function preCommitRunner(dir: string, look: Look): Runner | undefined {
  const file = ['.pre-commit-config.yaml', '.pre-commit-config.yml']
    .map((name) => join(dir, name))
    .find((path) => look.read(path, MAX_FILE) !== undefined);
  const text = file === undefined ? undefined : look.read(file, MAX_FILE);
  const document = text === undefined ? undefined : readYaml(text);
  const repos = document && inside(document.value, 'repos');
  if (file === undefined || !document || !Array.isArray(repos)) return undefined;
  const call = 'pre-commit run {target} --all-files';
  const isTarget = (): boolean => false;
  const seen = new Set<string>();
  const targets: Target[] = [];
  for (const [r, repo] of repos.entries()) {
    const hooks = isRecord(repo) && Array.isArray(repo['hooks']) ? repo['hooks'] : [];
    const local = isRecord(repo) && repo['repo'] === 'local';
    for (const [h, hook] of hooks.entries()) {
      const name = isRecord(hook) && typeof hook['id'] === 'string' ? hook['id'] : undefined;
      if (name === undefined || seen.has(name) || seen.size >= MAX_TARGETS) continue;
      seen.add(name);
      const line = document.line('repos', r, 'hooks', h);
      const entry =
        isRecord(hook) && local && typeof hook['entry'] === 'string' && hook['language'] !== 'pygrep'
          ? [hook['entry'], ...textsIn(hook['args'])].join(' ')
          : undefined;
      const target = targetOf(
        {
          name,
          recipe: entry === undefined ? [] : [entry],
          command: callOf(call, name),
          origin: { file, ...(line === undefined ? {} : { line }) },
        },
        { runner: 'pre-commit', dir, isTarget },
      );
      // A hook gets the files it is to look at: it never stands for the bare command.
      targets.push({ ...target, covers: target.covers.map((cover) => ({ ...cover, whole: false })) });
    }
  }
  if (targets.length === 0) return undefined;
  // Without a hook's name it runs them all.
  const all: Target = {
    ...targetOf(
      { name: 'all', recipe: [], includes: [...seen], command: 'pre-commit run --all-files', origin: { file }, role: 'lint' },
      { runner: 'pre-commit', dir, isTarget },
    ),
    alone: true,
  };
  const own = seen.has('all') ? targets : [all, ...targets];
  return { name: 'pre-commit', dir, file, combine: 'none', call, pass: undefined, durations: false, initial: 'all', targets: own };
}
