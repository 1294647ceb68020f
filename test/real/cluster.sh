#!/usr/bin/env bash
# A whole installation on loopback: two processes of role api behind HAProxy, three workers, PostgreSQL with a replica behind PgBouncer, Redis
# with a replica and three sentinels, all of Debian's packages. A batch and single verifications run while each of them is lost once; what
# callers saw is printed as a table, and fails unless nothing was lost. Where servers cannot be had it says SKIPPED and succeeds.
# Options of dist/bench/cluster/run.js, such as --addresses 200000.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/install.sh
REAL_COMMANDS=(haproxy pgbouncer redis-server redis-sentinel)

postgres_programs() {
  ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1
}

install_quietly() {
  export DEBIAN_FRONTEND=noninteractive
  timeout 180 apt-get update || return
  without_daemons timeout 300 apt-get install -y --no-install-recommends --no-remove "${REAL_COMMANDS[@]}" postgresql
}

[[ $(id -u) == 0 ]] || skip 'only root starts PostgreSQL and PgBouncer as users of their own'
if missing_command >/dev/null || [[ -z $(postgres_programs) ]]; then install_servers; fi
id -u postgres >/dev/null 2>&1 || skip 'there is no user postgres'
npx tsc -p bench/tsconfig.json
exec node dist/bench/cluster/run.js --programs "$(postgres_programs)" --uid "$(id -u postgres)" --gid "$(id -g postgres)" "$@"
