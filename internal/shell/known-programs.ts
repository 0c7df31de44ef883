/**
 * Programs that take words as data, so that another program's name among them is only a word: `man git`, `apt-get install rsync`, `which rm`.
 * A program that is neither here nor a wrapper of its own is looked through (see `unknownWrapper`).
 */
// One text that is searched: a set of hundreds of names would be made at every start.
const KNOWN = `
  echo printf true false : test [ [[ cat head tail less more tac nl rev cut paste join comm sort uniq wc tr fold fmt pr column expand od xxd hexdump strings base64 base32 md5sum sha1sum sha256sum sha512sum shasum cksum b2sum
  grep egrep fgrep rg ag ack sed awk gawk mawk jq yq xq dasel mlr fx diff cmp colordiff delta patch ed ex vi vim nvim nano emacs code subl open xdg-open pbcopy pbpaste
  ls dir tree exa eza lsd stat file du df find fd locate mdfind cp mv ln rm rmdir mkdir touch truncate shred chmod chown chgrp install dd rsync scp sftp tar gzip gunzip zcat bzip2 xz zstd zip unzip 7z 7za ar cpio split csplit tee mktemp readlink realpath basename dirname pwd cd pushd popd dirs
  man info help apropos whatis tldr cheat type which whereis hash alias unalias export declare typeset local readonly set unset shift read mapfile getopts return exit break continue trap wait jobs fg bg disown kill pkill killall pgrep pidof ps top htop lsof fuser ss netstat ip ifconfig ping traceroute dig nslookup host curl wget http https xh nc ncat telnet openssl gpg ssh-keygen ssh-add ssh-copy-id
  git gh glab hub tea hg svn jj bzr cvs git-lfs lefthook husky pre-commit commitlint lint-staged
  apt apt-get apt-cache apt-mark aptitude dpkg dpkg-query yum dnf rpm zypper pacman yay apk brew port snap flatpak nix nix-env nix-build winget choco scoop pip pip3 pipx uv uvx poetry pdm hatch conda mamba npm npx pnpm pnpx yarn bun bunx deno corepack gem bundle bundler cargo rustup go gofmt composer mvn gradle sbt lein stack cabal mix hex dotnet nuget pod swift xcodebuild xcrun vcpkg conan opam luarocks cpan cpanm
  node nodejs ts-node tsx python python2 python3 pypy pypy3 perl ruby php lua luajit r rscript julia java javac kotlin scala groovy ghc erl iex elixir ocaml racket guile clojure tclsh osascript pwsh powershell cmd
  make gmake cmake ninja meson bazel buck just task rake invoke fab tox nox pytest jest vitest mocha eslint prettier biome tsc webpack vite rollup esbuild turbo nx lerna ruff black mypy flake8 pylint rubocop shellcheck shfmt hadolint
  docker podman nerdctl docker-compose kubectl oc helm kustomize skaffold minikube kind k3d k9s terraform tofu terragrunt pulumi packer vagrant ansible ansible-playbook aws gcloud gsutil bq az doctl heroku fly flyctl vercel netlify firebase wrangler supabase railway render
  psql mysql mariadb sqlite3 mongo mongosh redis-cli pg_dump pg_restore mysqldump createdb dropdb
  systemctl service launchctl journalctl dmesg crontab at mount umount lsblk blkid fdisk parted mkfs swapon swapoff sysctl modprobe insmod rmmod useradd usermod userdel groupadd passwd id whoami who w groups hostname uname uptime date cal env printenv locale tty stty tput clear reset sleep yes seq factor bc dc expr shuf
  logger say notify-send osascript zenity dialog whiptail figlet cowsay lolcat banner fortune
  complete compgen compopt bind enable shopt ulimit umask history fc eval exec source . command builtin let times caller dirname
  waygate dcg nah dippy rampart claude codex gemini cursor copilot aider
  ctr crictl istioctl cilium argocd flux nomad consul vault linode-cli hcloud scw ibmcloud oci eksctl kops rclone restic borg zfs zpool btrfs lvremove vgremove pvremove sgdisk sfdisk wipefs cryptsetup multipass lxc incus virsh vboxmanage limactl colima buildah skopeo crane etcdctl influx clickhouse-client cqlsh cypher-shell mongodump mongorestore turso neonctl pscale dbmate goose flyway liquibase alembic prisma drizzle-kit sequelize typeorm knex rails wp drush gsettings defaults
  rimraf del-cli trash trash-put shutdown reboot halt poweroff
  `;

/** Is the program known for what it does with its words. An empty name is not. */
export const isKnownProgram = (name: string): boolean => isListed(name) || name.startsWith('mkfs.') || name.startsWith('python3.');

function isListed(name: string): boolean {
  if (name === '' || /\s/.test(name)) return false;
  for (let at = KNOWN.indexOf(name); at >= 0; at = KNOWN.indexOf(name, at + 1))
    if (isGap(KNOWN.charCodeAt(at - 1)) && isGap(KNOWN.charCodeAt(at + name.length))) return true;
  return false;
}

const isGap = (code: number): boolean => code === 0x20 || code === 0x0a;
