# Processes and ports, each wait with an end.

die() {
  echo "$1." >&2
  exit 1
}

# A port that is free on every address: below those that the kernel hands out by itself, of which another program may have one before it
# is used, and beside those of the tests that vitest runs.
free_port() {
  node -e '
    const tryOne = () => {
      const server = require("net").createServer();
      server.once("error", tryOne);
      server.listen(10_000 + Math.floor(Math.random() * 10_000), "0.0.0.0", () => {
        console.log(server.address().port);
        server.close();
      });
    };
    tryOne();'
}

# $1 address, $2 port, $3 whose; at most four minutes.
wait_for_port() {
  local tries
  for ((tries = 0; tries < 1200; tries++)); do
    ! accepts "$1" "$2" || return 0
    sleep 0.2
  done
  die "$3 does not listen on $1:$2"
}

# $1 process, $2 its log. The port alone does not tell: a start listens on it for a moment to see whether it is free.
wait_for_start() {
  local tries
  for ((tries = 0; tries < 1200; tries++)); do
    ! grep -qF 'Mailsonde listens on' "$2" || return 0
    kill -0 "$1" 2>/dev/null || die 'the service ended before it listened'
    sleep 0.2
  done
  die 'the service does not start'
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
