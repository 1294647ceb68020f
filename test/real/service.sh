# The built service, as a user meets it: started by node, asked by curl.

start_service() {
  http_port=$(free_port)
  url=http://127.0.0.1:$http_port
  local main=$PWD/dist/src/main.js
  # Away from any .env.
  (
    cd "$work"
    PORT=$http_port DATA_DIR=$work/data DNS_SERVERS=127.0.0.1:$dns_port SMTP_PORT=$smtp_port \
      ALLOW_PRIVATE_MX=127.0.0.0/8 HELO_NAME=probe.example MAIL_FROM=postmaster@probe.example \
      DATABASE_URL='' REDIS_URL='' exec node "$main"
  ) >"$work/service.log" 2>&1 &
  service_pid=$!
  wait_for_port 127.0.0.1 "$http_port" 'the service'
}

register() {
  local reply
  reply=$(curl -sS --max-time 20 -X POST "$url/agent-gateway/register")
  key=$(field api_key "$reply")
  [[ $key == ms_agent_* ]] || die "registration answered $reply"
}

verify() {
  curl -sS --max-time 40 "$url/api/v1/verify" -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
    -d "{\"email\": \"$1\"}"
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
}

kill_service() {
  [[ -z ${service_pid:-} ]] || end_process "$service_pid" 45
}
