# Has the real servers on this machine, or says loudly why it goes without them.

PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
REAL_COMMANDS=(curl postfix postgrey unbound)
REAL_PACKAGES=() # Which have them, where these are not called so.
TESTED='real input'

require_servers() {
  [[ $(id -u) == 0 ]] || skip 'Postfix starts for root only'
  if missing_command >/dev/null; then install_servers; fi
}

# Prints the first one; fails when there is none.
missing_command() {
  local name
  for name in "${REAL_COMMANDS[@]}"; do
    command -v "$name" >/dev/null || { echo "$name" && return 0; }
  done
  return 1
}

install_servers() {
  command -v apt-get >/dev/null || skip "there is no $(missing_command), and no apt-get to install it with"
  echo "Installing ${REAL_COMMANDS[*]} from Debian's packages ..."
  local log
  log=$(mktemp)
  if ! install_quietly >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    skip "the packages of ${REAL_COMMANDS[*]} could not be installed"
  fi
  rm -f "$log"
  if missing_command >/dev/null; then skip "there is no $(missing_command) in Debian's packages"; fi
}

install_quietly() {
  export DEBIAN_FRONTEND=noninteractive
  timeout 180 apt-get update || return
  timeout 60 apt-get install -y --no-install-recommends debconf || return
  echo 'postfix postfix/main_mailer_type select No configuration' | debconf-set-selections
  without_daemons timeout 300 apt-get install -y --no-install-recommends --no-remove "${REAL_PACKAGES[@]:-${REAL_COMMANDS[@]}}"
}

# Debian starts what it installs, unless this file says no; --no-remove: the machine's own mail server stays.
without_daemons() {
  local policy=/usr/sbin/policy-rc.d made=
  if [[ ! -e $policy ]]; then
    made=yes
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  fi
  local status=0
  "$@" || status=$?
  [[ -z $made ]] || rm -f "$policy"
  return "$status"
}

skip() {
  echo
  echo "SKIPPED: $TESTED was not tested, because $1."
  echo
  exit 0
}

# $1 which servers.
skipped() {
  echo
  echo "SKIPPED: $1 were not tested, because this machine cannot have their packages beside its own."
}
