#!/usr/bin/env bash
# An hour of ordinary load on a service of its own, watched by a real Prometheus with the shipped rules: it fails when any alert fires, and
# prints what callers did. Everything listens on loopback and ends with this script. Where there is no Prometheus it says SKIPPED and
# succeeds. $@: options of dist/bench/ordinary/run.js, such as --minutes 5.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/observability/find-prometheus.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! find_prometheus && ! unpack_prometheus; then
  echo
  echo 'SKIPPED: nobody watched an ordinary hour, because this machine has no Prometheus and can get none from Debian.'
  exit 0
fi
node dist/bench/ordinary/run.js "$@"
