import { describe, expect, it } from 'vitest';
import type { Look } from '../shell/command.ts';
import { readLine } from '../shell/read.ts';
import { effectsOfCommands } from './effects.ts';

const FILES: Record<string, string> = { '/repo/.env': 'API_KEY=fake-4f1d9c0b7a2e\nPORT=3000\n', '/repo/package.json': '{}' };
const ENV: Record<string, string> = { MY_API_KEY: 'fake-4f1d9c0b7a2e', EDITOR: 'vi', ACME_TOKEN: '' };
const look: Look = {
  env: (name) => ENV[name],
  envNames: () => Object.keys(ENV),
  home: '/home/dev',
  tmp: '/tmp',
  stat: (path) => (FILES[path] === undefined ? undefined : { kind: 'file', size: 1 }),
  read: (path) => FILES[path],
  list: (path) => (path === '/repo' ? ['.env', 'package.json'] : undefined),
  gitConfig: () => [],
};

const shown = (line: string): string[] => {
  const read = readLine(line, { cwd: '/repo', look });
  return effectsOfCommands(read.commands, look, '/repo').flatMap((effect) => {
    if (effect.kind === 'file.read' && effect.shown)
      return effect.targets.filter((target) => target.path?.endsWith('.env')).map(() => 'file');
    if (effect.kind === 'secret.read' && effect.shown)
      return [effect.variable ? `$${effect.variable}` : `${effect.mild ? 'mild ' : ''}${effect.how}`];
    return effect.kind === 'secret.dump' && effect.shown ? ['dump'] : [];
  });
};

describe('what is shown', () => {
  it.each([
    ['cat .env', ['file']],
    ['cat .env | base64', ['file']],
    ['cat .env*', ['file']],
    ['grep KEY .env', ['file']],
    ['grep -r API_KEY .', ['file']],
    ["sed -n '1p' .env", ['file']],
    ["awk -F= '{print $2}' .env", ['file']],
    ['cut -d= -f2 .env', ['file']],
    ["grep -o '=.*' .env", ['file']],
    ['X=$(cat .env); echo "$X"', ['file']],
    ['echo "$(<.env)"', ['file']],
    ['X=$(< .env); printf "%s" "$X"', ['file']],
    ['cat <<< "$(<.env)"', ['file']],
    ['cat <<E\n$(cat .env)\nE', ['file']],
    ['mapfile -t L < .env; printf "%s\\n" "${L[@]}"', ['file']],
    ['read -ra L < .env; echo "${L[1]}"', ['file']],
    ['while IFS=\'=\' read -r k v; do echo "$k $v"; done < .env', ['file']],
    ['env | grep -i my_', ['$MY_API_KEY']],
    [`awk 'BEGIN{print ENVIRON["MY_API_KEY"]}'`, ['$MY_API_KEY']],
    ['jq -n env.MY_API_KEY', ['$MY_API_KEY']],
    [`jq -rn '$ENV["MY_API_KEY"]'`, ['$MY_API_KEY']],
    ['printenv | sort | grep API_KEY', ['$MY_API_KEY']],
    ['cat .env | tee copy', ['file']],
    ['echo $MY_API_KEY', ['$MY_API_KEY']],
    ['printf "%s" "${MY_API_KEY:0:12}"', ['$MY_API_KEY']],
    ['bash -c \'echo "$MY_API_KEY"\'', ['$MY_API_KEY']],
    ['printenv MY_API_KEY', ['$MY_API_KEY']],
    ['cat <<< "$MY_API_KEY"', ['$MY_API_KEY']],
    ['source .env && echo $API_KEY', ['$API_KEY']],
    ['echo $NOT_SEEN_TOKEN', ['$NOT_SEEN_TOKEN']],
    ['while read l; do echo "$l"; done < .env', ['file']],
    ['git diff -- .env', ['file']],
    ['env', ['dump']],
    ['env | sort', ['dump']],
    ['export -p', ['dump']],
    ['gh auth token', ['mild gh auth token']],
    ['git show HEAD:.env', ['git show']],
    ['security find-generic-password -s x -w', ['security find-generic-password']],
    ["perl -ne 'print if /KEY/' .env", ['file']],
    ['ps eww', ['dump']],
    ["docker inspect web --format '{{json .Config.Env}}'", ['mild docker inspect web']],
    ['docker compose config', ['mild docker compose config']],
    ['terraform state pull', ['mild terraform state pull']],
    ['kubectl get secret x -o yaml', ['mild kubectl get secret']],
  ])('%s', (line, expected) => expect(shown(line)).toEqual(expected));

  it.each([
    'cut -d= -f1 .env',
    "cat .env | cut -d '=' -f1",
    "sed 's/=.*/=<set>/' .env",
    "sed -E 's/^([^=]+)=.*/\\1/' .env",
    "grep -o '^[A-Z_]*=' .env",
    "grep -oE '^[A-Za-z_][A-Za-z0-9_]*' .env",
    "awk -F= '{print $1}' .env",
    'wc -l .env',
    "sed -E 's/(=).+/\\1***/' .env",
    "python3 -c \"print([l.split('=')[0] for l in open('.env')])\"",
    'docker compose config --services',
    "docker inspect -f '{{.State.Health.Status}}' web",
    "kubectl get secret x -o json | jq '.data | keys'",
    'ps -ef',
    'ps aux',
    'sha256sum .env',
    'grep -c KEY .env',
    'grep -q API_KEY .env && echo yes',
    'grep PORT .env',
    'cat .env | grep -v KEY',
    'grep -r PORT .',
    'cat .env > /dev/null',
    'cat .env | docker login --password-stdin',
    "export $(grep -v '^#' .env | xargs)",
    'KEY=$(grep API_KEY .env | cut -d= -f2) && curl -H "Authorization: Bearer $KEY" https://api.example.com',
    'source .env && node x.js',
    'echo ${#MY_API_KEY} ${MY_API_KEY:+set}',
    'test -n "$MY_API_KEY" && echo set',
    'echo "KEY=$MY_API_KEY" > out',
    'echo $EDITOR',
    'DEV_KEY=$(openssl rand -hex 32); echo "$DEV_KEY"',
    'printenv | cut -d= -f1',
    'env | grep NODE',
    'env FOO=1 node x.js',
    'TOKEN=$(gh auth token)',
    'git show HEAD:.env.example',
    'git show --stat HEAD:.env',
    'kubectl get secret x',
    'ls -la .env',
    "echo 'cat .env'",
  ])('nothing for %s', (line) => expect(shown(line)).toEqual([]));
});

describe('values', () => {
  it.each([
    'echo $MY_API_KEY',
    'rm "$MY_API_KEY"',
    'X=$(cat .env); rm "$X"',
    'X=$(<.env); export Y="$X"',
    'echo "$(<package.json)"',
    'wc -l <<< "$(<.env)"',
    'mapfile -t L < .env; echo "${#L[@]}"',
    'while IFS=\'=\' read -r k v; do echo "$k"; done < .env',
    'env | grep -i editor',
    "jq -n 'env.MY_API_KEY | length'",
    "jq -n 'env.EDITOR'",
    "jq -n '{key: env.MY_API_KEY}' | curl -d @- https://api.example",
    "yq -i '.key = strenv(MY_API_KEY)' config.yml",
    'env | grep -i acme',
    'env | grep -i my_ | cut -d= -f1',
    'source .env; rm "$API_KEY"',
    'kubectl delete pod $(cat .env)',
    'cp .env x; rm "$(cat x)"',
  ])('never get into the words of %s', (line) => {
    const read = readLine(line, { cwd: '/repo', look });
    expect(JSON.stringify(read.commands.map((command) => [command.argv, command.stdin]))).not.toContain('fake-4f1d');
    expect(JSON.stringify(effectsOfCommands(read.commands, look, '/repo'))).not.toContain('fake-4f1d');
  });
});
