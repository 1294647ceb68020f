#!/usr/bin/env bash
# As cluster.sh with a Redis Cluster of three primaries with a replica each: two primaries are killed under load. Where servers cannot be had
# it says SKIPPED and succeeds. Options of dist/bench/cluster/run.js.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/install.sh
REAL_COMMANDS=(haproxy pgbouncer redis-server redis-cli)
source test/real/debian-postgres.sh
require_postgres
exec node dist/bench/cluster/run.js --programs "$(postgres_programs)" --uid "$(id -u postgres)" --gid "$(id -g postgres)" \
  --redis cluster --addresses 8000 --seconds 7 "$@"
