#!/usr/bin/env bash
# The protocol's own conformance suite against the built service, started for it with servers of its own. What the suite finds
# otherwise than baseline.yml says, better or worse, is a failure. The suite needs Node 22, so npm brings one along.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/processes.sh
source test/real/service.sh

SUITE=(npx --yes --loglevel=error -p node@24 -p @modelcontextprotocol/conformance@0.1.16 conformance)

if ! timeout 200 "${SUITE[@]}" --version >/dev/null 2>&1; then
  echo 'SKIPPED: the conformance suite or the Node that it needs cannot be had from the package registry here.'
  exit 0
fi

work=$(mktemp -d)
chmod 755 "$work" # As root, PostgreSQL runs as another user.
trap 'kill_service; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

start_service node dist/src/main.js
"${SUITE[@]}" server --url "$url/mcp" --expected-failures test/conformance/baseline.yml --output-dir "$work/results" "$@"
