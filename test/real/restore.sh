#!/usr/bin/env bash
# The drill of docs/operations.md on loopback: a dump and a base backup with WAL are taken of a service under load, everything is ended, and
# each of them is restored and gone on with beside an empty Redis. Where servers cannot be had it says SKIPPED and succeeds.
# Options of dist/bench/cluster/restore.js, such as --addresses 200000.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/install.sh
REAL_COMMANDS=(redis-server)
source test/real/debian-postgres.sh
require_postgres
exec node dist/bench/cluster/restore.js --programs "$(postgres_programs)" --uid "$(id -u postgres)" --gid "$(id -g postgres)" "$@"
