#!/usr/bin/env bash
# The README's two commands on a machine that has Node, npm and a shell, and nothing else: a root of Debian's smallest variant, without
# git, curl, openssl, procps or python. With arguments the second command runs the tests of these files only. Where no such root can be
# made it says SKIPPED and succeeds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/install.sh
source test/real/processes.sh
source test/real/roots.sh

REAL_COMMANDS=(debootstrap)
TESTED='a machine with Node alone'
ABSENT=(git curl wget openssl ps pkill python3 make)
HOME_OF_CLONE=/srv/mailsonde

main() {
  enter_mount_namespace test/real/bare-debian.sh "$@"
  [[ -n ${OWN_MOUNTS:-} ]] || skip 'this machine gives nobody mounts of his own'
  require_servers
  work=$(mktemp -d "${TMPDIR:-/tmp}/mailsonde-bare-XXXXXX")
  chmod 755 "$work" # PostgreSQL runs as another user.
  root=$work/root
  trap 'finish $?' EXIT
  trap 'exit 130' INT TERM HUP
  make_bare_root || skip "no root of Debian could be made: $(tail -n 1 "$work/debootstrap.log")"
  copy_node
  copy_clone
  expect_nothing_else

  bare npm ci --no-audit --no-fund
  expect_start
  bare npm test -- "$@"
}

make_bare_root() {
  timeout 300 debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.log" 2>&1 &&
    mount -t proc proc "$root/proc" &&
    mount --rbind /dev "$root/dev"
}

# This machine's own, with what tells npm of its registry.
copy_node() {
  local npm certificates
  npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  certificates=$(npm config get cafile)
  cp "$(command -v node)" "$root/usr/bin/node"
  mkdir -p "$root/usr/lib/node_modules"
  cp -r "$npm" "$root/usr/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
  {
    echo "registry=$(npm config get registry)"
    [[ ! -f $certificates ]] || echo 'cafile=/etc/registry.pem'
  } >"$root/root/.npmrc"
  [[ ! -f $certificates ]] || cp "$certificates" "$root/etc/registry.pem"
}

copy_clone() {
  mkdir "$root$HOME_OF_CLONE"
  tar -c --exclude=./node_modules --exclude=./.git --exclude=./dist --exclude=./.mailsonde . | tar -x -C "$root$HOME_OF_CLONE"
}

expect_nothing_else() {
  local name
  for name in "${ABSENT[@]}"; do
    ! bare sh -c "command -v $name" >/dev/null || die "the bare root has $name"
  done
}

# A command, in the clone, that knows nothing of this machine.
bare() {
  (become_bare "$@")
}

# The same in the place of this shell, so that whoever ends its process ends the command.
become_bare() {
  exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin CI=true NO_COLOR=1 \
    sh -c "cd $HOME_OF_CLONE && exec \"\$@\"" sh "$@"
}

expect_start() {
  local port
  port=$(free_port)
  become_bare env PORT="$port" npm start >"$work/service.log" 2>&1 &
  service_pid=$!
  wait_for_start "$service_pid" "$work/service.log"
  bare node -e 'fetch(process.argv[1], { method: "POST" }).then(async (reply) => {
    const text = await reply.text();
    if (!text.includes("ms_agent_")) throw new Error(text);
    console.log("npm start: an agent has registered");
  })' "http://127.0.0.1:$port/agent-gateway/register"
  kill -TERM "$service_pid"
  wait_for_end "$service_pid" 45 || die 'the service does not stop'
  wait "$service_pid" || die "the service ended with $?"
  service_pid=
  [[ $(processes_inside) == 0 ]] || die 'the service has ended, and a process of its own still runs'
}

# How many processes have this root.
processes_inside() {
  readlink /proc/[0-9]*/root 2>/dev/null | grep -cxF "$root" || true
}

# Whatever happened: nothing of ours goes on running or stays mounted.
finish() {
  trap - EXIT INT TERM HUP
  set +e
  (($1 == 0)) || { [[ ! -s $work/service.log ]] || tail -n 30 "$work/service.log" >&2; }
  [[ -z ${service_pid:-} ]] || end_process "$service_pid" 45
  umount --recursive --lazy "$root/dev" "$root/proc" 2>/dev/null
  rm -rf --one-file-system "$work"
  exit "$1"
}

main "$@"
