#!/usr/bin/env bash
# Bytes and tokens (o200k_base, by gpt-tokenizer) of each tool of MCP, and how long a call takes, against the built service.
# $1 --write puts the table into docs/mcp.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/processes.sh
source test/real/service.sh

work=$(mktemp -d)
chmod 755 "$work" # As root, PostgreSQL runs as another user.
trap 'kill_service; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

cp test/mcp-clients/costs.mjs "$work"
npm install --prefix "$work" --no-audit --no-fund --loglevel=error gpt-tokenizer@4.0.0 >/dev/null
start_service node dist/src/main.js
open_account
file=()
[[ ${1:-} == --write ]] && file=("$PWD/docs/mcp.md")
node "$work/costs.mjs" "$url/mcp" "$key" "${file[@]}"
