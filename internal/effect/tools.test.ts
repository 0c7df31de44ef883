import { describe, expect, it } from 'vitest';
import type { Action, Surface } from '../action/action.ts';
import type { Look } from '../shell/command.ts';
import { effectsOf } from './effects.ts';

const look: Look = {
  env: () => undefined,
  home: '/home/u',
  tmp: '/tmp',
  stat: () => undefined,
  read: () => undefined,
  list: () => undefined,
  gitConfig: () => [],
};

function call(tool: string, raw: Record<string, unknown>, surface: Surface = 'mcp', input: Action['input'] = {}): readonly string[] {
  const action: Action = {
    host: 'claude-code',
    moment: 'before',
    event: 'PreToolUse',
    surface,
    tool,
    input,
    raw,
    cwd: '/r',
    workspace: '/r',
    caller: { session: 's' },
  };
  return effectsOf(action, look).map((effect) => {
    if (effect.kind === 'file.write')
      return `${effect.mode} ${effect.targets.map((target) => target.path).join(' ')}${effect.content === undefined ? '' : ` = ${effect.content}`}`;
    if (effect.kind === 'file.delete')
      return `delete${effect.recursive ? ' -r' : ''} ${effect.targets.map((target) => target.path).join(' ')}`;
    if (effect.kind === 'file.move') return `move ${effect.sources.map((target) => target.path).join(' ')} > ${effect.dest.path}`;
    if (effect.kind === 'file.read') return `read${effect.shown ? ' shown' : ''} ${effect.targets.map((target) => target.path).join(' ')}`;
    if (effect.kind === 'unknown.tool')
      return `unknown ${effect.shape}${effect.equivalent ? ` = ${JSON.stringify(effect.equivalent.input)}` : ''}`;
    if (effect.kind === 'net.send') return `send ${effect.to}`;
    if (effect.kind === 'net.fetch') return `fetch ${effect.url}`;
    return effect.kind;
  });
}

describe('tools of a host', () => {
  it.each([
    ['Write', 'write', { path: '/r/a', content: 'x' }, {}, ['truncate /r/a = x']],
    ['Edit', 'edit', { path: '/r/a', edits: [{ before: 'a', after: 'b' }] }, {}, ['in-place /r/a']],
    [
      'NotebookEdit',
      'edit',
      { path: '/r/a.ipynb', content: 'x' },
      { notebook_path: '/r/a.ipynb', new_source: 'x' },
      ['in-place /r/a.ipynb'],
    ],
    ['Read', 'read', { path: '/r/a' }, {}, ['read shown /r/a']],
    ['Grep', 'search', { pattern: 'x', path: '/r/src' }, { pattern: 'x', output_mode: 'content' }, ['read shown /r/src']],
    ['Grep', 'search', { pattern: 'x' }, { pattern: 'x' }, ['read /r']],
    ['Glob', 'search', { pattern: '*.ts' }, {}, []],
    ['LS', 'search', { path: '/r' }, {}, []],
    ['WebFetch', 'fetch', { url: 'https://x.example' }, {}, ['fetch https://x.example']],
    ['TodoWrite', 'harmless', {}, { todos: [] }, []],
    ['Task', 'spawn', { prompt: 'rm -rf /' }, {}, []],
  ] as const)('%s', (tool, surface, input, raw, wanted) => {
    expect(call(tool, raw, surface, input)).toEqual(wanted);
  });
});

describe('tools known by the shape of their input', () => {
  it.each([
    ['mcp__box__run_command', { command: 'rm -rf a', cwd: '/other' }, ['delete -r /other/a']],
    ['mcp__box__exec', { command: ['rm', '-r', 'a b'] }, ['delete -r /r/a b']],
    ['mcp__box__run', { cmd: 'rm', args: ['-r', 'a'] }, ['delete -r /r/a']],
    ['mcp__box__terminal', { input: 'rm a' }, ['delete /r/a']],
    ['mcp__box__powershell', { command: 'Remove-Item a -Recurse' }, ['delete -r /r/a']],
    ['mcp__box__run_python', { code: "import os\nos.remove('a')" }, ['delete /r/a']],
    ['mcp__box__execute', { code: "import os\nos.remove('a')", language: 'python' }, ['delete /r/a']],
    ['mcp__pw__browser_run_code', { code: "fs.rmSync('/')" }, []],
    ['mcp__fs__write_file', { path: 'a', content: 'x' }, ['truncate /r/a = x']],
    ['mcp__fs__append_file', { path: 'a', content: 'x' }, ['append /r/a = x']],
    ['mcp__fs__edit_file', { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] }, ['in-place /r/a']],
    ['mcp__fs__edit_file', { path: 'a', edits: [{ oldText: 'x', newText: 'y' }], dryRun: true }, []],
    ['mcp__fs__read_file', { path: '.env' }, ['read shown /r/.env']],
    ['mcp__fs__get_file_info', { path: '.env' }, []],
    ['mcp__fs__move_file', { source: 'a', destination: 'b' }, ['move /r/a > /r/b']],
    ['mcp__fs__delete_directory', { path: 'a' }, ['delete -r /r/a']],
    ['mcp__fs__read_file', { path: 'file:///etc/passwd' }, ['read shown /etc/passwd']],
    ['mcp__git__delete_file', { owner: 'o', repo: 'r', path: 'a' }, ['unknown delete']],
    ['mcp__git__create_or_update_file', { owner: 'o', repo: 'r', path: 'a', content: 'x' }, []],
    ['mcp__github__push_files', { owner: 'o', repo: 'r', branch: 'main', files: [] }, ['remote.ref']],
    ['mcp__github__delete_branch', { owner: 'o', repo: 'r', branch: 'main' }, ['remote.ref']],
    ['mcp__github__get_file_contents', { owner: 'o', repo: 'r', branch: 'main', path: 'a' }, []],
    ['mcp__git__git_reset', { repo_path: '/r', mode: 'hard' }, ['git.discard']],
    ['mcp__git__git_checkout', { repo_path: '/r', branch_name: 'main' }, ['git.switch']],
    ['mcp__git__git_clean', { path: '/r', force: true, directories: true }, ['git.clean']],
    ['mcp__git__git_clean', { path: '/r', dry_run: true }, []],
    ['mcp__git__git_push', { path: '/r', remote: 'origin', branch: 'main', force: true }, ['git.push']],
    ['mcp__git__git_stash', { path: '/r', mode: 'clear' }, ['git.stash']],
    ['mcp__git__git_branch', { path: '/r', mode: 'list' }, []],
    ['mcp__git__git_log', { repo_path: '/r' }, []],
    ['mcp__neon__run_sql', { params: { projectId: 'p', sql: 'DROP TABLE users' } }, ['data.destroy']],
    ['mcp__neon__run_sql_transaction', { params: { sqlStatements: ['BEGIN', 'DELETE FROM users', 'COMMIT'] } }, ['data.destroy']],
    ['mcp__supabase__reset_branch', { branch_id: 'b' }, ['unknown delete']],
    ['mcp__browser__reset_zoom', {}, []],
    ['mcp__redis__flushall', {}, ['unknown delete']],
    ['mcp__aws__call_aws', { cli_command: 'aws s3 rb s3://x --force' }, ['infra.destroy']],
    ['mcp__tf__ExecuteTerraformCommand', { command: 'destroy', working_directory: 'infra' }, ['infra.destroy', 'external.call']],
    ['mcp__tf__ExecuteTerraformCommand', { command: 'plan' }, []],
    ['mcp__db__query', { query: 'select 1' }, []],
    ['mcp__db__query', { query: 'drop table users' }, ['data.destroy']],
    ['mcp__docs__search', { query: 'delete from users' }, []],
    ['mcp__http__request', { url: 'https://x.example', method: 'POST', body: 'x' }, ['send https://x.example']],
    ['mcp__http__request', { url: 'https://x.example' }, ['fetch https://x.example']],
    ['mcp__linear__delete_project', { id: 'p' }, ['unknown delete']],
    ['mcp__linear__remove_label', { id: 'p' }, []],
    ['mcp__serena__replace_regex', { relative_path: 'a', regex: 'x', repl: 'y' }, ['in-place /r/a']],
    ['mcp__tmux__send_keys', { keys: 'rm a' }, ['delete /r/a']],
    ['mcp__docker__run_command', { args: ['volume', 'rm', 'db'] }, ['container.purge']],
    ['mcp__slack__post_message', { text: 'token ghp_FAKE4f1d9c0b7a2e66d1aa02bb03cc04dd05' }, ['send slack']],
    ['mcp__vault__write', { data: 'ghp_FAKE4f1d9c0b7a2e66d1aa02bb03cc04dd05' }, []],
    ['mcp__pw__browser_navigate', { url: 'file:///r/.env' }, ['read shown /r/.env']],
    ['mcp__linear__list_deleted_projects', { id: 'p' }, []],
    ['mcp__runner__runScript', { script_path: 'x.sh' }, ['unknown execute = {"command":"./x.sh"}']],
    ['mcp__slack__post_message', { text: 'rm -rf /' }, []],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** Update File: c\n@@\n-1\n+2\n*** End Patch' },
      ['truncate /r/a = x\n', 'delete /r/b', 'in-place /r/c'],
    ],
  ] as const)('%s %j', (tool, raw, wanted) => {
    expect(call(tool, raw as Record<string, unknown>)).toEqual(wanted);
  });
});
