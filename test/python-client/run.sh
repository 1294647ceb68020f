#!/usr/bin/env bash
# Clients that openapi-python-client makes of the three documents, calling the built service.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/processes.sh
source test/real/service.sh
source test/python/environment.sh

# A schema of a document is a model, with one for each of its words and parts. More than this, for two schemas, is a model for every error
# of every operation, which nobody can read.
MOST_MODELS_OF_TWO=5

work=$(mktemp -d)
chmod 755 "$work" # As root, PostgreSQL runs as another user.
venv=$work/venv
trap 'kill_service; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

python_environment "$venv" test/python-client/requirements.txt || {
  echo 'SKIPPED: there is no Python 3.11 here, or openapi-python-client cannot be had from the package registry.'
  exit 0
}

# $1 name of the package, $2 path of the document.
generate() {
  curl -sS --fail -H "Authorization: Bearer $(head -1 "$work/admin.keys")" "$url$2" >"$work/$1.json" || die "no $2"
  PATH=$venv/bin:$PATH openapi-python-client generate --path "$work/$1.json" --output-path "$work/$1" --meta none \
    >"$work/$1.log" 2>&1 || die "$(cat "$work/$1.log")"
  local models schemas
  schemas=$("$venv/bin/python" -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["components"]["schemas"]))' "$work/$1.json")
  models=$(find "$work/$1/models" -name '*.py' | wc -l)
  echo "$1: $models models of $schemas schemas"
  ((2 * models <= MOST_MODELS_OF_TWO * schemas)) || die "$1 has more than $MOST_MODELS_OF_TWO models for two schemas"
}

WEBHOOK_ALLOW_INSECURE=true WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8 WEBHOOK_PORTS=1-65535 start_service node dist/src/main.js
make_keys "$venv/bin/python"
generate full /api/v1/openapi.json
generate agent /agent-gateway/openapi.json
generate admin /admin/v1/openapi.json
PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" test/python-client/calls.py "$url" "$work" || exit

# The example of the page, as it stands there.
ln -s full "$work/mailsonde_api"
sed -n '/<!-- example: python -->/,/^```$/p' docs/clients.md | sed '1,2d;$d' >"$work/example.py"
said=$(MAILSONDE_SERVER=$url MAILSONDE_KEY=$(head -1 "$work/test.keys") PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1 \
  "$venv/bin/python" "$work/example.py") || die 'the example of docs/clients.md failed'
echo "$said"
[[ $said == *'completed: 1 valid, 1 invalid'*'invalid@example.com invalid do_not_send'*'404 batch_not_found' ]] ||
  die 'the example of docs/clients.md says something else'
