# The mail world: unbound, postgrey, instances of Postfix and, in the roots that could be made, other mail servers.

# NAME.example has the mail host mx.NAME.example. The hosts share one port, so each has a loopback address of its own. Nobody
# listens at "closed".
HOSTS=(
  boxes everyone after-data greylist closed
  postfix-access postfix-client postfix-nameless postfix-sender postfix-soft
  verified verified-soft dovecot
  exim unserved exim-hosts exim-late exim-verify exim-callout exim-lost-callout exim-greylistd
  exim-dnslist exim-listed exim-sender exim-silent exim-rejected exim-login exim-fault exim-exempt
  rblsmtpd rblsmtpd-hard qpsmtpd-connect qpsmtpd-rcpt
  opensmtpd opensmtpd-users opensmtpd-filter opensmtpd-nameless
)
declare -A ADDRESS=()
for host in "${HOSTS[@]}"; do ADDRESS[$host]=127.0.0.$((11 + ${#ADDRESS[@]})); done

# Whom the hosts ask; a resolv.conf has no room for a port.
ROOTS_DNS=127.0.0.10

GREYLISTED_SECONDS=5
# greylistd counts whole seconds: who comes back after exactly that time may be a second early.
AFTER_GREYLISTING=$((GREYLISTED_SECONDS + 2))

# The processes of all servers but Postfix, which has a command for its end.
daemons=()

start_mail_world() {
  start_unbound
  start_postgrey
  if has_root exim; then
    start_exims
    start_block_list_servers
  fi
  if has_root opensmtpd; then
    start_opensmtpd
    start_dovecot
  fi
  start_postfixes
}

start_unbound() {
  mkdir "$work/dns"
  write_unbound_settings >"$work/dns/unbound.conf"
  write_zones >"$work/dns/zones.conf"
  unbound -d -c "$work/dns/unbound.conf" >"$work/dns/unbound.log" 2>&1 &
  unbound_pid=$!
  daemons+=("$unbound_pid")
  wait_for_port 127.0.0.1 "$dns_port" unbound
}

# As behind an uplink that is gone: for a while nothing exists.
resolver_denies_all() {
  : >"$work/dns/zones.conf"
  reload_unbound nxdomain
}

resolver_is_well() {
  write_zones >"$work/dns/zones.conf"
  reload_unbound found
}

# $1 what it then says of boxes.example; at most 10 seconds.
reload_unbound() {
  local tries
  kill -HUP "$unbound_pid"
  for ((tries = 0; tries < 100; tries++)); do
    [[ $(resolver_says boxes.example) != "$1" ]] || return 0
    sleep 0.1
  done
  die "unbound does not say $1"
}

# $1 domain.
resolver_says() {
  node -e 'const resolver = new (require("dns").promises.Resolver)({ timeout: 500, tries: 1 });
    resolver.setServers([process.argv[1]]);
    resolver.resolveMx(process.argv[2]).then(() => console.log("found"), ({ code }) => console.log(code === "ENOTFOUND" ? "nxdomain" : code))' \
    "127.0.0.1:$dns_port" "$1"
}

write_unbound_settings() {
  cat <<CONF
server:
  interface: 127.0.0.1
  port: $dns_port
$([[ -z ${roots[*]} ]] || echo "  interface: $ROOTS_DNS@53")
  do-daemonize: no
  username: ""
  chroot: ""
  directory: "$work/dns"
  pidfile: ""
  use-syslog: no
  logfile: ""
  module-config: "iterator"
  do-not-query-localhost: no
  # What is not said here does not exist: nobody outside is ever asked.
  local-zone: "." static
  local-zone: "127.in-addr.arpa." nodefault
  include: "$work/dns/zones.conf"
forward-zone:
  name: "broken.example."
  forward-addr: 127.0.0.1@9
remote-control:
  control-enable: no
CONF
}

write_zones() {
  cat <<CONF
$(for host in "${HOSTS[@]}"; do
    echo "  local-data: \"$host.example. MX 10 mx.$host.example.\""
    echo "  local-data: \"mx.$host.example. A ${ADDRESS[$host]}\""
  done)
  # Our sender's domain, and a list that we are on.
  local-data: "probe.example. MX 10 mx.boxes.example."
  local-data: "1.0.0.127.bl.example. A 127.0.0.2"
  local-data: '1.0.0.127.bl.example. TXT "Listed, see https://bl.example/lookup/127.0.0.1"'
  local-data: "mailinator.com. MX 10 mx.boxes.example."
  local-data: "implicit.example. A ${ADDRESS[boxes]}"
  local-data: "fallback.example. MX 10 mx.closed.example."
  local-data: "fallback.example. MX 20 mx.boxes.example."
  local-data: "null.example. MX 0 ."
  local-data: "empty.example. TXT \"nothing for mail\""
  local-data: "intranet.example. MX 10 mx.intranet.example."
  local-data: "mx.intranet.example. A 10.0.0.1"
  local-zone: "broken.example." transparent
$(for number in 1 2 3 4 5 6; do echo "  local-data: \"flapping-$number.example. MX 10 mx.boxes.example.\""; done)
CONF
}

start_postgrey() {
  mkdir "$work/postgrey"
  chown postgrey:postgrey "$work/postgrey"
  postgrey --inet="127.0.0.1:$postgrey_port" --dbdir="$work/postgrey" --delay="$GREYLISTED_SECONDS" \
    >"$work/postgrey.log" 2>&1 &
  daemons+=($!)
  wait_for_port 127.0.0.1 "$postgrey_port" postgrey
}

stop_mail_world() {
  local pid
  stop_postfixes
  for pid in "${daemons[@]}"; do end_process "$pid" 5; done
}
