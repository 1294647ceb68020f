#!/usr/bin/env bash
# Alerts as an operator meets them: Debian's Prometheus checks the rules, runs their tests, scrapes services and fires alerts whose
# causes are made to happen. Everything listens on loopback and ends with this script. Where there is no Prometheus it says SKIPPED and
# succeeds. $1 … what vitest takes, such as `-t name`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/observability/find-prometheus.sh

main() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  find_prometheus || unpack_prometheus || skip 'this machine has no Prometheus and can get none from Debian'
  promtool --version 2>&1 | head -n 1
  promtool check rules config/observability/rules.yml
  promtool check config config/observability/prometheus.yml
  promtool test rules test/observability/rules.test.yml
  # Few enough files that a test can have nearly all of them open.
  ulimit -n 4096
  node node_modules/vitest/vitest.mjs run --project observability "$@"
}

skip() {
  echo
  echo "SKIPPED: no alert was seen by a Prometheus, because $1."
  exit 0
}

main "$@"
