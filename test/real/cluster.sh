#!/usr/bin/env bash
# A whole installation on loopback: two processes of role api behind HAProxy, three workers, PostgreSQL with a replica behind PgBouncer, Redis
# with a replica and three sentinels, all of Debian's packages. A batch and single verifications run while each of them is lost once; what
# callers saw is printed as a table, and fails unless nothing was lost. Where servers cannot be had it says SKIPPED and succeeds.
# Options of dist/bench/cluster/run.js, such as --addresses 200000.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/install.sh
REAL_COMMANDS=(haproxy pgbouncer redis-server redis-sentinel)
source test/real/debian-postgres.sh
require_postgres
exec node dist/bench/cluster/run.js --programs "$(postgres_programs)" --uid "$(id -u postgres)" --gid "$(id -g postgres)" "$@"
