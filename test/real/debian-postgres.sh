# Debian's PostgreSQL beside REAL_COMMANDS, or says loudly why it goes without them. Needs install.sh.

postgres_programs() {
  ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1
}

install_quietly() {
  export DEBIAN_FRONTEND=noninteractive
  timeout 180 apt-get update || return
  without_daemons timeout 300 apt-get install -y --no-install-recommends --no-remove "${REAL_COMMANDS[@]}" postgresql
}

require_postgres() {
  [[ $(id -u) == 0 ]] || skip 'only root starts PostgreSQL as a user of its own'
  if missing_command >/dev/null || [[ -z $(postgres_programs) ]]; then install_servers; fi
  [[ -n $(postgres_programs) ]] || skip 'there is no PostgreSQL'
  id -u postgres >/dev/null 2>&1 || skip 'there is no user postgres'
}
