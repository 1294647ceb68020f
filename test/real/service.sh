# The built service, as a user meets it: started by a command, asked by curl. Keeps its data and its log below $work.

# The command that starts it; the environment is its configuration.
start_service() {
  http_port=$(free_port)
  url=http://127.0.0.1:$http_port
  PORT=$http_port DATA_DIR=$work/data DATABASE_URL='' REDIS_URL='' "$@" >"$work/service.log" 2>&1 &
  service_pid=$!
  wait_for_start "$service_pid" "$work/service.log"
}

register() {
  local reply
  reply=$(curl -sS --max-time 240 -X POST "$url/agent-gateway/register")
  key=$(field api_key "$reply")
  [[ $key == ms_agent_* ]] || die "registration answered $reply"
}

# A full account instead: the first start on a database of its own shows an admin key, kept as $admin, which opens one. $1 the credits it gets.
# Its plan is the one whose rate no sequence of calls of curl exceeds.
open_account() {
  local reply
  admin=$(grep -oE 'ms_admin_[A-Za-z0-9_-]+' "$work/service.log")
  reply=$(administer "$admin" accounts '{"name": "Real input", "plan": "pro"}')
  account=$(field id "$reply")
  administer "$admin" "accounts/$account/credits/grant" "{\"amount\": $1, \"reason\": \"Real input\"}" >"$work/granted"
  reply=$(administer "$admin" "accounts/$account/keys" '{}')
  key=$(field api_key "$reply")
  [[ $key == ms_live_* ]] || die "an account's key was answered with $reply"
}

# $1 admin key, $2 path, $3 body; prints the reply.
administer() {
  curl -sS --max-time 240 "$url/admin/v1/$2" -H "Authorization: Bearer $1" -H 'Content-Type: application/json' -d "$3"
}

# $1 address; prints the reply.
verify() {
  curl -sS --max-time 240 "$url/api/v1/verify" -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
    -d "{\"email\": \"$1\"}"
}

# Each argument is an address; prints the results of a list of them.
verify_list() {
  local list tries
  list=$(printf '%s\n' "$@" | curl -sS --max-time 240 "$url/api/v1/verify/batch?retry_window_seconds=0" \
    -H "Authorization: Bearer $key" -H 'Content-Type: text/plain' --data-binary @-)
  list=$url/api/v1/verify/batch/$(field id "$list")
  for ((tries = 0; tries < 480; tries++)); do
    [[ $(field status "$(curl -sS --max-time 240 "$list" -H "Authorization: Bearer $key")") != completed ]] || break
    sleep 0.5
  done
  curl -sS --max-time 240 "$list/results" -H "Authorization: Bearer $key"
}

# $1 name, $2 reply: a flat JSON object, or one inside "data".
field() {
  node -p 'const [name, text] = process.argv.slice(1); const reply = JSON.parse(text); String((reply.data ?? reply)[name])' \
    "$1" "$2"
}

# As an orchestrator does; the embedded servers must go with it.
stop_service() {
  kill -TERM "$service_pid"
  wait_for_end "$service_pid" 45 || die 'the service does not stop'
  local status=0
  wait "$service_pid" || status=$?
  service_pid=
  ((status == 0)) || die "the service ended with $status"
  ! accepts 127.0.0.1 "$http_port" || die 'the service has ended, and its port still answers'
  ! grep -qlsF "$work/data" /proc/[0-9]*/cmdline || die 'the service has ended, and a server of its own still runs'
}

kill_service() {
  [[ -z ${service_pid:-} ]] || end_process "$service_pid" 45
}
