#!/usr/bin/env bash
# The console as a person meets it: Debian's Chromium against the service and its built pages. Everything listens on loopback and
# ends with this script. Where there is no browser it says SKIPPED and succeeds.
# $1 … what vitest takes, such as a file or `-t name`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

main() {
  CHROMIUM=$(browser) || install_browser
  CHROMIUM=$(browser) || skip 'there is no Chromium on this machine, and it could not be installed'
  export CHROMIUM
  "$CHROMIUM" --version
  exec node node_modules/vitest/vitest.mjs run --project browser "$@"
}

browser() {
  command -v "${CHROMIUM:-chromium}" || command -v chromium-browser || command -v google-chrome
}

install_browser() {
  [[ $(id -u) == 0 ]] || skip 'there is no Chromium, and only root can install it'
  command -v apt-get >/dev/null || skip 'there is no Chromium, and no apt-get to install it with'
  echo "Installing chromium from Debian's packages ..."
  export DEBIAN_FRONTEND=noninteractive
  local log
  log=$(mktemp)
  { timeout 180 apt-get update && timeout 400 apt-get install -y --no-install-recommends --no-remove chromium; } \
    >"$log" 2>&1 || tail -n 5 "$log" >&2
  rm -f "$log"
}

skip() {
  echo
  echo "SKIPPED: nothing was seen in a browser, because $1."
  exit 0
}

main "$@"
