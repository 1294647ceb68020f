#!/usr/bin/env bash
# Alerts as an operator meets them: Debian's Prometheus checks the rules, runs their tests, scrapes services and fires alerts whose
# causes are made to happen. Everything listens on loopback and ends with this script. Where there is no Prometheus it says SKIPPED and
# succeeds. $1 … what vitest takes, such as `-t name`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

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

find_prometheus() {
  command -v prometheus >/dev/null && command -v promtool >/dev/null
}

# Debian's package, which needs no library, in a temporary directory: nothing is installed and no daemon starts.
unpack_prometheus() {
  command -v apt-get >/dev/null || return
  echo "Unpacking prometheus from Debian's packages ..."
  {
    timeout 180 apt-get update
    (cd "$scratch" && timeout 300 apt-get download prometheus && dpkg-deb -x prometheus_*.deb .)
  } >"$scratch/log" 2>&1 || { tail -n 5 "$scratch/log" >&2 && return 1; }
  PATH=$scratch/usr/bin:$PATH
  find_prometheus
}

skip() {
  echo
  echo "SKIPPED: no alert was seen by a Prometheus, because $1."
  exit 0
}

main "$@"
