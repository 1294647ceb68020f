# Debian's smallest system with Node and npm beside it, for what the README promises of a machine that has no more. $bare is its root;
# $bare.run, with a command, runs it in the clone that is there.

# Fails where this machine can make none: that takes root, Debian's packages and a mount of /proc.
make_bare_root() {
  bare=$1
  command -v apt-get >/dev/null && ((EUID == 0)) || return
  mkdir -p "$bare" "$bare.debs/partial" "$bare.tools"
  within 180 apt-get update || return
  within 120 apt-get install -y --download-only --reinstall --no-install-recommends -o Dir::Cache::archives="$bare.debs" \
    debootstrap || return
  local package
  for package in "$bare.debs"/debootstrap*.deb; do dpkg-deb -x "$package" "$bare.tools" || return; done
  DEBOOTSTRAP_DIR=$bare.tools/usr/share/debootstrap within 600 "$bare.tools/usr/sbin/debootstrap" --variant=minbase \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$bare" || return
  mount -t proc proc "$bare/proc" || return
  local npm
  npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  install -D "$(readlink -f "$(command -v node)")" "$bare/usr/local/bin/node" &&
    cp -aL "$npm" "$bare/usr/local/lib/npm" &&
    ln -s ../lib/npm/bin/npm-cli.js "$bare/usr/local/bin/npm" &&
    # By these this machine reaches npm's registry.
    cp -aL /etc/resolv.conf /etc/hosts "$bare/etc/" && mkdir -p "$bare/etc/ssl" && cp -aL /etc/ssl/certs "$bare/etc/ssl/" &&
    git clone --quiet . "$bare/mailsonde" &&
    cat >"$bare.run" <<SCRIPT && chmod 755 "$bare.run" && "$bare.run" sh -c '! command -v git curl openssl ps pkill python3'
#!/bin/sh
export PATH=/usr/local/bin:/usr/bin:/bin HOME=/root NPM_CONFIG_REGISTRY='$(npm config get registry)'
export NPM_CONFIG_CAFILE=/etc/ssl/certs/ca-certificates.crt
exec /usr/sbin/chroot '$bare' sh -c 'cd /mailsonde && exec "\$@"' sh "\$@"
SCRIPT
}

leave_bare_root() {
  [[ -z ${bare:-} ]] || ! mountpoint --quiet "$bare/proc" || umount "$bare/proc"
}
