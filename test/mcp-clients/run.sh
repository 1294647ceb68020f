#!/usr/bin/env bash
# The official clients of MCP in TypeScript (1.x and 2.x), Python (mcp and fastmcp) and Go, and the command `mailsonde mcp`, each on
# one journey through the built service: connect without a key, get one, verify, send a batch, read its list. LangChain's and
# OpenAI's libraries make strict functions of the tools. A warning is a failure.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/processes.sh
source test/real/service.sh
source test/python/environment.sh

TYPESCRIPT=(@modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0
  openai@7.57.0 @langchain/core@1.4.0 @langchain/mcp-adapters@1.1.4)
GO=github.com/modelcontextprotocol/go-sdk/mcp@v1.8.0

here=$PWD/test/mcp-clients
work=$(mktemp -d)
chmod 755 "$work" # As root, PostgreSQL runs as another user.
trap 'kill_service; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

failed=0

# $1 whose, then a command, which must say nothing but what it has done.
journey() {
  local whose=$1
  shift
  if ! timeout 600 "$@" 2>"$work/warnings" || [[ -s $work/warnings ]]; then
    echo "FAILED: $whose"
    cat "$work/warnings"
    failed=1
  fi
}

REGISTRATIONS_PER_HOUR=100 start_service node dist/src/main.js

mkdir "$work/typescript" "$work/go"
cp "$here"/{journey,strict}.mjs "$work/typescript"
if npm install --prefix "$work/typescript" --no-audit --no-fund --loglevel=error "${TYPESCRIPT[@]}" >/dev/null; then
  journey 'TypeScript 1.x' node "$work/typescript/journey.mjs" "$url/mcp" 1
  journey 'TypeScript 2.x' node "$work/typescript/journey.mjs" "$url/mcp" 2
  journey 'strict functions' node "$work/typescript/strict.mjs" "$url/mcp"
  journey 'standard input' node "$work/typescript/journey.mjs" "$url/mcp" 2 "$PWD/dist/cli/mailsonde.js"
else
  echo 'SKIPPED: TypeScript, because its clients cannot be had from the npm registry here.'
fi

if python_environment "$work/venv" "$here/requirements.txt"; then
  journey mcp "$work/venv/bin/python" -W error::DeprecationWarning:__main__ "$here/journey.py" "$url/mcp" mcp
  journey fastmcp "$work/venv/bin/python" "$here/journey.py" "$url/mcp" fastmcp
else
  echo 'SKIPPED: Python, because there is no Python 3.11 here, or its clients cannot be had from PyPI.'
fi

if ! command -v go >/dev/null; then
  echo 'SKIPPED: Go, because there is none on this machine.'
elif cp "$here/journey.go" "$work/go" && cd "$work/go" &&
  { go mod init journey && go get "$GO" && go build -o journey journey.go; } >"$work/go.log" 2>&1; then
  journey Go ./journey "$url/mcp"
else
  cat "$work/go.log"
  echo 'SKIPPED: Go, because its client cannot be had from the module proxy here.'
fi

exit "$failed"
