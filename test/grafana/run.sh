#!/usr/bin/env bash
# The dashboards of config/observability against Grafana's own types, from its SDK for Go: an unknown member, a wrong type, one that is missing,
# a kind of panel that there is none of, and what its rules do not allow are errors. What was broken on purpose must be found. Grafana itself
# is not started. Where there is no Go, or its modules cannot be had, it says SKIPPED.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

MODULE=github.com/grafana/grafana-foundation-sdk/go@v0.0.22
dashboard=$PWD/config/observability/dashboard.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

main() {
  if ! command -v go >/dev/null; then
    echo "SKIPPED: no dashboard was read into Grafana's types, because there is no Go on this machine."
  elif ! fetch >"$work/go.log" 2>&1; then
    tail -n 5 "$work/go.log"
    echo "SKIPPED: no dashboard was read into Grafana's types, because Go's modules cannot be had here."
  else
    (cd "$work/go" && go build -o "$work/check" check.go)
    "$work/check" "$dashboard"
    finds "unexpected field 'legendFromat'" 's/"legendFormat": "p50"/"legendFromat": "p50"/'
    finds "unexpected field 'overides'" '0,/"overrides"/s/"overrides"/"overides"/'
    finds 'options.graphMode: required field is missing' '0,/"graphMode"/{/"graphMode"/d}'
    finds 'cannot unmarshal number into Go struct field' '0,/"unit": "s"/s/"unit": "s"/"unit": 5/'
    finds 'no kind of panel is called stats' '0,/"type": "stat"/s/"type": "stat"/"type": "stats"/'
    finds 'gridPos.w: must be <= 24' '0,/"w": 4,/s/"w": 4,/"w": 40,/'
    echo "Grafana's types know every member of the dashboard, and what was broken on purpose was found."
  fi
}

# Only this Go: another toolchain would have to be fetched.
export GOTOOLCHAIN=local
fetch() {
  mkdir "$work/go" && cp test/grafana/check.go "$work/go" || return
  (cd "$work/go" && go mod init check && go get "$MODULE" && go mod tidy)
}

# $1 what must be said, $2 how the dashboard is broken.
finds() {
  local said
  said=$(sed "$2" "$dashboard" | "$work/check" -) && echo "FAILED: $2 was not found." && exit 1
  grep --fixed-strings --quiet "$1" <<<"$said" || { echo "FAILED: $2 was told as: $said" && exit 1; }
}

main
