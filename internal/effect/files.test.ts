import { describe, expect, it } from 'vitest';
import type { Action } from '../action/action.ts';
import type { Look } from '../shell/command.ts';
import type { Effect, Target } from './effect.ts';
import { effectsOf } from './effects.ts';

const FILES: Readonly<Record<string, string>> = { '/r/fix.diff': '--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-a\n+b\n' };

const look: Look = {
  env: (name) => (name === 'TMPDIR' ? '/scratch' : undefined),
  home: '/home/u',
  tmp: '/scratch',
  stat: (path) => (path === '/r/dir' ? { kind: 'dir', size: 0 } : path in FILES ? { kind: 'file', size: 10 } : undefined),
  read: (path) => FILES[path],
  list: () => undefined,
  gitConfig: () => [],
};

const action = (command: string): Action => ({
  host: 'claude-code',
  moment: 'before',
  event: 'PreToolUse',
  surface: 'shell',
  tool: 'Bash',
  input: { command, dialect: 'posix' },
  raw: { command },
  cwd: '/r',
  workspace: '/r',
  caller: { session: 's' },
});

const at = (target: Target): string => `${target.path ?? `?${target.raw}`}${target.slash ? '/' : ''}`;
const list = (targets: readonly Target[]): string => targets.map(at).join(' ');

/** One effect as a short line. */
function brief(effect: Effect): string | undefined {
  switch (effect.kind) {
    case 'file.read':
      return `read${effect.shown ? ' shown' : ''}${effect.recursive ? ' -r' : ''} ${list(effect.targets)}`;
    case 'file.write':
      return `${effect.mode} ${list(effect.targets)}${effect.content === undefined ? '' : ` = ${JSON.stringify(effect.content)}`}${effect.edit ? ` ${effect.edit.before}->${effect.edit.after}` : ''}`;
    case 'file.delete':
      return `delete${effect.recursive ? ' -r' : ''}${effect.filtered ? ' some' : ''} ${list(effect.targets)}`;
    case 'file.move':
      return `move${effect.colliding ? ' colliding' : ''}${effect.noClobber ? ' -n' : ''} ${list(effect.sources)} > ${at(effect.dest)}${effect.into ? '' : ' exactly'}`;
    case 'file.copy':
      return `copy${effect.recursive ? ' -r' : ''}${effect.noClobber ? ' -n' : ''}${effect.backup ? ' -b' : ''} ${list(effect.sources)} > ${at(effect.dest)}`;
    case 'file.sync':
      return `sync${effect.deletes ? ' --delete' : ''} ${at(effect.from)} > ${effect.remoteDest ? 'elsewhere' : at(effect.dest)}`;
    case 'file.link':
      return `link${effect.symbolic ? ' -s' : ''}${effect.force ? ' -f' : ''} ${at(effect.at)} > ${at(effect.target)}`;
    case 'file.mkdir':
      return `mkdir ${list(effect.targets)}`;
    case 'file.mode':
      return `${effect.change}${effect.recursive ? ' -R' : ''} ${effect.value} ${list(effect.targets)}`;
    case 'file.extract':
      return `extract${effect.overwrites ? ' over' : ''} ${at(effect.dest)}`;
    case 'disk.write':
      return `disk ${at(effect.device)}`;
    case 'system.state':
      return `state ${effect.how}`;
    default:
      return undefined;
  }
}

const effects = (command: string): string[] => effectsOf(action(command), look).flatMap((effect) => brief(effect) ?? []);

/** Line -> its file effects, in order. */
const TABLE: Readonly<Record<string, readonly (readonly [string, ...string[]])[]>> = {
  deleting: [
    ['rm a b', 'delete /r/a /r/b'],
    ['rm -rf ./out / build', 'delete -r /r/out / /r/build'],
    ['rm --force --recursive a/', 'delete -r /r/a/'],
    ['rm --rec a', 'delete -r /r/a'],
    ['rm -- -rf', 'delete /r/-rf'],
    ['rm -rf / --help'],
    ['rm -rf "$nowhere"'],
    ['rm -rf "$nowhere"/*', 'delete -r ?"$nowhere"/*'],
    ['unlink a', 'delete /r/a'],
    ['shred -n 3 -u a', 'delete /r/a'],
    ['find . -delete', 'delete -r /r'],
    ["find a b -name '*.pyc' -delete", 'delete -r /r/a/**/*.pyc /r/b/**/*.pyc'],
    ['find . -name -delete -print'],
    ['find . -type d -empty -delete'],
    ['find . -mtime +30 -delete', 'delete -r some /r'],
    ['find . -name a -o -name b -delete', 'delete -r /r/**/b'],
    ["find . \\( -name '*.pyc' -o -name '*.pyo' \\) -delete", 'delete -r /r/**/*.pyc /r/**/*.pyo'],
    ["find . -path './dist/*' -delete", 'delete -r /r/dist/**/*'],
    ["find . -path './src/*.bak' -delete", 'delete -r /r/src/**/*.bak'],
    ["find . -maxdepth 1 -name '*.log' -delete", 'delete /r/*.log'],
    ["find . -path ./keep -prune -o -name '*.bak' -delete", 'delete -r /r/**/*.bak'],
    ['find . -name \'*.bak\' -print | while read -r f; do rm "$f"; done', 'delete /r/**/*.bak'],
    ['for f in $(find notes -name \'*.md\' | sort); do rm "$f"; done', 'delete /r/notes/**/*.md'],
    ['mapfile -t all < <(find notes -name \'*.md\'); rm -f "${all[@]}"', "read ?<(find notes -name '*.md')", 'delete /r/notes/**/*.md'],
    ['find notes -type f -exec sh -c \'rm -- "$1"\' _ {} \\;', 'delete -r /r/notes/**/*'],
    ['ls notes/*.md | xargs rm', 'delete /r/notes/*.md'],
    ['ls dir | xargs -I{} rm -rf dir/{}', 'delete -r /r/dir/*'],
    ['fd -e draft -x rm {}', 'delete /r/**/*.draft'],
    ["fd '\\.draft$' notes -X rm -f", 'delete /r/notes/**/*.draft'],
    ['printf \'%s\\n\' a b | while read -r f; do rm "$f"; done', 'delete /r/a', 'delete /r/b'],
    ['c=(rm -rf); c+=(x); "${c[@]}"', 'delete -r /r/x'],
    ['rm -rf "${OUT:?}"/*'],
    ['cd /none; rm -rf /c/Users/me', 'delete -r C:/Users/me'],
    ['find . -fprintf out.txt -delete', 'truncate /r/out.txt'],
    ['find . -exec echo -delete {} ;'],
    ['find a -type f -exec rm {} +', 'delete -r /r/a'],
    ['npx rimraf dist', 'delete -r /r/dist'],
    ['trash a'],
  ],
  moving: [
    ['mv a b c', 'move /r/a /r/b > /r/c'],
    ['mv -t dir a', 'move /r/a > /r/dir'],
    ['mv -T a dir', 'move /r/a > /r/dir exactly'],
    ['mv -n a b', 'move -n /r/a > /r/b'],
    ['for f in *.md; do mv "$f" ../archive; done', 'move colliding /r/*.md > /archive'],
    ['for f in *.md; do mv "$f" ../archive/; done', 'move /r/*.md > /archive/'],
    ['for f in *.md; do mv "$f" "new-$f"; done', 'move /r/*.md > /r/new-*.md'],
    ['cp -r a b', 'copy -r /r/a > /r/b'],
    ['cp -an a b', 'copy -r -n /r/a > /r/b'],
    ['cp --backup=numbered a b', 'copy -b /r/a > /r/b'],
    ['cp /dev/null a', 'truncate /r/a = ""'],
    ['cp --help a b'],
    ['install -m 755 a /usr/local/bin/a', 'copy /r/a > /usr/local/bin/a', 'mode 755 /usr/local/bin/a'],
    ['install -d x', 'mkdir /r/x'],
    ['ln -sf ../a dir', 'link -s -f /r/dir/a > /r/a'],
    ['ln -s a b', 'link -s /r/b > /r/a'],
    ['ln a', 'link /r/a > /r/a'],
  ],
  writing: [
    ['echo hi > a', 'truncate /r/a = "hi\\n"'],
    ['echo hi >> a', 'append /r/a = "hi\\n"'],
    ['printf %s x >| a', 'truncate /r/a = "x"'],
    ['make > log 2>&1', 'truncate /r/log'],
    ['make &> log', 'truncate /r/log'],
    [': > a', 'truncate /r/a = ""'],
    ['> a', 'truncate /r/a = ""'],
    ["cat > a <<'EOF'\nx\nEOF", 'truncate /r/a = "x\\n"'],
    ['echo hi > /dev/null'],
    ['echo hi > /dev/tcp/127.0.0.1/80'],
    ['echo x | tee -a b', 'append /r/b = "x\\n"'],
    ['dd if=a of=b', 'read /r/a', 'truncate /r/b'],
    ['truncate -s 0 a', 'truncate /r/a = ""'],
    ['truncate -s +1M a'],
    ['touch a', 'create /r/a = ""'],
    ['touch -c a'],
    ['mkdir -p a/b', 'mkdir /r/a/b'],
    ['sort -o a a', 'read /r/a', 'in-place /r/a'],
    ['jq . a | sponge a', 'read shown /r/a', 'in-place /r/a'],
    ['patch -p1 < fix.diff', 'in-place /r/src/x.ts', 'read /r/fix.diff'],
    ['patch --dry-run -p1 < fix.diff', 'read /r/fix.diff'],
    ["ed -s a <<'E'\n1d\nw\nE", 'in-place /r/a'],
    ['echo b > /proc/sysrq-trigger', 'state kernel'],
  ],
  'in place': [
    ['dasel delete -f a hooks', 'in-place /r/a'],
    ['dasel put -f a -o b -v 1 .x', 'in-place /r/b'],
    ['dasel -f a .x'],
    ['crudini --set a core hooksPath x', 'in-place /r/a'],
    ['crudini --get a core hooksPath'],
    ["sed -i 's/a/b/' f", 'read /r/f', 'in-place /r/f a->b'],
    ["sed -i '' -e 's/a/b/g' f", 'read /r/f', 'in-place /r/f a->b'],
    ["sed -ni.bak 's/a.b/c/p' f", 'read /r/f', 'in-place /r/f'],
    ["sed -Ei 's|/x|/y|' f g", 'read /r/f /r/g', 'in-place /r/f /r/g /x->/y'],
    ["sed -n '1,20p' f", 'read shown /r/f'],
    ["sed 's/x/y/w out' f", 'read shown /r/f', 'truncate /r/out'],
    ["perl -pi -e 's/a/b/' f", 'in-place /r/f'],
    ["perl -pe 's/a/b/' f", 'read shown /r/f'],
    ["gawk -i inplace '{print}' f", 'read shown /r/f', 'in-place /r/f'],
  ],
  reading: [
    ['cat a | head -3', 'read shown /r/a'],
    ['cat a > b', 'read /r/a', 'truncate /r/b'],
    ['grep -n KEY .env', 'read shown /r/.env'],
    ['grep -rc x src', 'read -r /r/src'],
    ['head -n 3 -- a', 'read shown /r/a'],
    ['wc -l a', 'read /r/a'],
    ['while read x; do echo $x; done < .env', 'read shown /r/.env'],
    ["echo 'cat .env'"],
  ],
  'syncing and packing': [
    ['rsync -a --delete a/ b/', 'sync --delete /r/a/ > /r/b/'],
    ['rsync -an --delete a/ b/'],
    ['rsync -av a host:b', 'sync /r/a > elsewhere'],
    ['tar xzf a.tgz -C dir', 'extract over /r/dir'],
    ['tar tf a.tgz'],
    ['tar czf out.tgz src', 'read -r /r/src', 'truncate /r/out.tgz'],
    ["tar --to-command='rm x' -xf a.tar", 'delete /r/x'],
    ['unzip -l a.zip'],
    ['zip -m a.zip f', 'read /r/f', 'in-place /r/a.zip', 'delete /r/f'],
  ],
  'rights and disks': [
    ['chmod -R 777 dir', 'mode -R 777 /r/dir'],
    ['chmod -w a', 'mode -w /r/a'],
    ['chown -R u:g /usr', 'owner -R u:g /usr'],
    ['find / -type f -exec chmod 666 {} \\;', 'mode -R 666 /'],
    ['dd if=/dev/zero of=/dev/sda', 'disk /dev/sda'],
    ['cat x > /dev/nvme0n1', 'read /r/x', 'disk /dev/nvme0n1'],
    ['mkfs.ext4 -L data /dev/sdb1', 'disk /dev/sdb1'],
    ['mkfs.ext4 -n /dev/sdb1'],
    ['mkfs.ext4 disk.img', 'truncate /r/disk.img'],
    ['wipefs /dev/sda'],
    ['parted -l'],
    ['sgdisk --zap-all /dev/sda', 'disk /dev/sda'],
  ],
};

describe.each(Object.entries(TABLE))('%s', (_family, rows) => {
  it.each(rows.map(([line, ...wanted]) => [line, wanted] as const))('%s', (line, wanted) => {
    expect(effects(line)).toEqual(wanted);
  });
});
