# Copies of this machine's root, in which apt installs servers that cannot stand beside its own mail server: overlays on a tmpfs.
# They are mounted in a namespace of this script, so nobody else sees them, nothing is left of them, and the machine stays as it is.

# $@ this script and its arguments; it begins anew in a namespace of its own where this machine lets it have one: a container often does not.
enter_mount_namespace() {
  [[ -z ${OWN_MOUNTS:-} ]] || return 0
  ! unshare --mount true 2>/dev/null || OWN_MOUNTS=yes exec unshare --mount "$@"
}

# $roots become those that could be made.
make_roots() {
  roots=()
  [[ -n ${OWN_MOUNTS:-} ]] && ! accepts "$ROOTS_DNS" 53 || return 0
  mkdir "$work/roots"
  mount -t tmpfs -o mode=755 tmpfs "$work/roots"
  timeout 180 apt-get update >"$work/apt.log" 2>&1 || true # What is known already may do.
  make_root exim exim4-daemon-light greylistd ucspi-tcp qpsmtpd &
  local exim_pid=$!
  if make_root opensmtpd opensmtpd dovecot-lmtpd; then roots+=(opensmtpd); else tail -n 3 "$work/opensmtpd-root.log" >&2; fi
  if wait "$exim_pid"; then roots+=(exim); else tail -n 3 "$work/exim-root.log" >&2; fi
}

# $1 name, then Debian's packages. In the copy they may take the place of others.
make_root() {
  local name=$1
  shift
  mkdir "$work/roots/$name" && mkdir "$work/roots/$name"/{changes,scratch,root} || return
  local root
  root=$(root_of "$name")
  mount -t overlay -o "lowerdir=/,upperdir=$work/roots/$name/changes,workdir=$work/roots/$name/scratch" overlay "$root" &&
    cp -a --remove-destination /dev/{null,zero,random,urandom} "$root/dev/" &&
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" &&
    chmod 755 "$root/usr/sbin/policy-rc.d" &&
    DEBIAN_FRONTEND=noninteractive in_root "$name" timeout 300 apt-get install -y --no-install-recommends \
      -o DPkg::Options::=--force-unsafe-io "$@" || return
  # The hosts know of nobody but what unbound says.
  rm -f "$root"/etc/{resolv.conf,hosts}
  echo "nameserver $ROOTS_DNS" >"$root/etc/resolv.conf"
} >"$work/$1-root.log" 2>&1

has_root() {
  [[ " ${roots[*]} " == *" $1 "* ]]
}

root_of() {
  echo "$work/roots/$1/root"
}

# $1 name, then a command.
in_root() {
  local name=$1
  shift
  chroot "$(root_of "$name")" "$@"
}

# $1 name, $2 of its log, then a command that stays in the foreground. It ends with the mail world.
start_in_root() {
  local root log=$work/$2.log
  root=$(root_of "$1")
  shift 2
  chroot "$root" "$@" >"$log" 2>&1 & # No function: its process would be a shell.
  daemons+=($!)
}

drop_roots() {
  ! mountpoint -q "$work/roots" || umount --recursive --lazy "$work/roots"
}
