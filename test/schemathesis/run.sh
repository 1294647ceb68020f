#!/usr/bin/env bash
# Schemathesis against the built service, with requests made from its own OpenAPI documents: an agent's, a live, a test and an
# admin key. EXAMPLES says how many requests each key kind gets at least by chance, beside those of the coverage phase.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/processes.sh
source test/real/service.sh
source test/python/environment.sh

EXAMPLES=${EXAMPLES:-300}
# The same one each time, so that a change fails and not chance; a long run may take another.
SEED=${SEED:-18}

work=$(mktemp -d)
chmod 755 "$work" # As root, PostgreSQL runs as another user.
venv=$work/venv
trap 'kill_service; [[ -z ${dns_pid:-} ]] || end_process "$dns_pid" 5; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

python_environment "$venv" test/schemathesis/requirements.txt || {
  echo 'SKIPPED: there is no Python 3.11 here, or Schemathesis cannot be had from the package registry.'
  exit 0
}

main() {
  serve
  make_keys "$venv/bin/python"
  local kind failed=0
  for kind in ${KINDS:-agent live test admin}; do run "$kind" || failed=1; done
  return $failed
}

# No request may leave this machine: every name but one is one that does not exist. An agent's ten requests a minute are lifted, so
# that one agent sees what it has made.
serve() {
  local dns_port app=$work/app
  mkdir "$app"
  cp -r dist config package.json "$app"
  ln -s "$PWD/node_modules" "$app"
  node test/schemathesis/lift-limits.cjs "$app/config/key-policies.json"
  dns_port=$(free_port)
  "$venv/bin/python" test/schemathesis/nowhere.py "$dns_port" &
  dns_pid=$!
  DNS_SERVERS=127.0.0.1:$dns_port DNS_KNOWN_DOMAINS=known.example REGISTRATIONS_PER_HOUR=100000 REGISTRATIONS_PER_DAY=100000 \
    REGISTRATIONS_PER_HOUR_GLOBAL=100000 INBOUND_PORT=$(free_port) AGENT_DAILY_CAPACITY=1000000 LOG_LEVEL=error start_service node "$app/dist/src/main.js"
}

# $1 kind of key.
run() {
  local document=/api/v1/openapi.json
  [[ $1 != agent ]] || document=/agent-gateway/openapi.json
  [[ $1 != admin ]] || document=/admin/v1/openapi.json
  printf '\n--- %s key, seed %s\n' "$1" "$SEED"
  curl -sS --fail -H "Authorization: Bearer $(head -1 "$work/admin.keys")" "$url$document" >"$work/$1.json" || return
  local operations
  operations=$(node -p 'Object.values(JSON.parse(require("fs").readFileSync(process.argv[1])).paths).flatMap(Object.keys).length' "$work/$1.json")
  ANSWERS=$work/$1.answers KEYS=$work/$1.keys PYTHONPATH=test/schemathesis PYTHONDONTWRITEBYTECODE=1 SCHEMATHESIS_HOOKS=hooks \
    "$venv/bin/schemathesis" --config-file test/schemathesis/schemathesis.toml \
    run "$work/$1.json" --url "$url" --seed "$SEED" --max-examples "$((EXAMPLES / operations + 1))" --generation-database none || return
  echo "Answers by status: $(cat "$work/$1.answers")"
  node test/schemathesis/was-let-in.cjs "$work/$1.answers" || die "a $1 key was mostly refused, so that little was tried"
}

main
