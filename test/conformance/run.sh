#!/usr/bin/env bash
# What the protocol's own conformance suite requires of the versions that the service speaks, against the built service, started
# for it with servers of its own. What the suite finds otherwise than the baselines say, better or worse, is a failure. The suite
# needs Node 22, so npm brings one along.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/processes.sh
source test/real/service.sh

SUITE=(npx --yes --loglevel=error -p node@24 -p @modelcontextprotocol/conformance@0.2.0-alpha.12 conformance)

if ! timeout 200 "${SUITE[@]}" --version >/dev/null 2>&1; then
  echo 'SKIPPED: the conformance suite or the Node that it needs cannot be had from the package registry here.'
  exit 0
fi

work=$(mktemp -d)
chmod 755 "$work" # As root, PostgreSQL runs as another user.
trap 'kill_service; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

start_service node dist/src/main.js
failed=0
for version in 2025-11-25 2026-07-28; do
  printf '\n== requirements of %s\n' "$version"
  "${SUITE[@]}" server --url "$url/mcp" --requirements "$version" \
    --expected-failures "test/conformance/baseline-$version.yml" --output-dir "$work/results" "$@" || failed=1
done
exit "$failed"
