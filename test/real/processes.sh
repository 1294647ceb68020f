# Processes and ports, each wait with an end.

die() {
  echo "$1." >&2
  exit 1
}

# A port that is free on every address.
free_port() {
  node -e 'const s = require("net").createServer().listen(0, "0.0.0.0", () => { console.log(s.address().port); s.close(); })'
}

# $1 address, $2 port, $3 whose; at most 60 seconds.
wait_for_port() {
  local tries
  for ((tries = 0; tries < 300; tries++)); do
    ! accepts "$1" "$2" || return 0
    sleep 0.2
  done
  die "$3 does not listen on $1:$2"
}

# $1 address, $2 port.
accepts() {
  (: <"/dev/tcp/$1/$2") 2>/dev/null
}

# $1 process, $2 seconds until it is not asked any more.
end_process() {
  kill "$1" 2>/dev/null || return 0
  wait_for_end "$1" "$2" || kill -9 "$1"
}

# $1 process, $2 seconds.
wait_for_end() {
  local tries
  for ((tries = 0; tries < $2 * 10; tries++)); do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}
