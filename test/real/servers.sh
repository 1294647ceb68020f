# The mail world: unbound, three instances of Postfix and postgrey, each with its files in a directory of its own below $work.

# The hosts share one port, so each has a loopback address of its own. Nobody listens on the last one.
BOXES=127.0.0.11
EVERYONE=127.0.0.12
GREYLIST=127.0.0.13
CLOSED=127.0.0.14

GREYLISTED_SECONDS=5

start_mail_world() {
  start_unbound
  start_postgrey
  # Debian's package ssl-cert, which Postfix depends on, has made the certificate.
  start_postfix boxes "$BOXES" \
    'virtual_mailbox_domains = boxes.example, mailinator.com, implicit.example, fallback.example' \
    "virtual_mailbox_maps = inline:{ $(mailboxes jane@{boxes,implicit,fallback}.example support@boxes.example jane@mailinator.com) }" \
    'smtpd_tls_security_level = may' \
    'smtpd_tls_cert_file = /etc/ssl/certs/ssl-cert-snakeoil.pem' \
    'smtpd_tls_key_file = /etc/ssl/private/ssl-cert-snakeoil.key' \
    'smtpd_tls_loglevel = 1'
  start_postfix everyone "$EVERYONE" \
    'virtual_mailbox_domains = everyone.example' \
    'virtual_mailbox_maps = static:everyone'
  start_postfix greylist "$GREYLIST" \
    'virtual_mailbox_domains = greylist.example' \
    "virtual_mailbox_maps = inline:{ $(mailboxes jane@greylist.example) }" \
    "smtpd_recipient_restrictions = reject_unlisted_recipient, check_policy_service inet:127.0.0.1:$postgrey_port"
}

mailboxes() {
  printf '{%s = %s} ' $(for mailbox; do echo "$mailbox" "$mailbox"; done)
}

start_unbound() {
  mkdir "$work/dns"
  cat >"$work/dns/unbound.conf" <<CONF
server:
  interface: 127.0.0.1
  port: $dns_port
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
  local-data: "boxes.example. MX 10 mx.boxes.example."
  local-data: "mx.boxes.example. A $BOXES"
  local-data: "everyone.example. MX 10 mx.everyone.example."
  local-data: "mx.everyone.example. A $EVERYONE"
  local-data: "greylist.example. MX 10 mx.greylist.example."
  local-data: "mx.greylist.example. A $GREYLIST"
  local-data: "closed.example. MX 10 mx.closed.example."
  local-data: "mx.closed.example. A $CLOSED"
  local-data: "mailinator.com. MX 10 mx.boxes.example."
  local-data: "implicit.example. A $BOXES"
  local-data: "fallback.example. MX 10 mx.closed.example."
  local-data: "fallback.example. MX 20 mx.boxes.example."
  local-data: "null.example. MX 0 ."
  local-data: "empty.example. TXT \"nothing for mail\""
  local-data: "intranet.example. MX 10 mx.intranet.example."
  local-data: "mx.intranet.example. A 10.0.0.1"
  local-zone: "broken.example." transparent
forward-zone:
  name: "broken.example."
  forward-addr: 127.0.0.1@9
remote-control:
  control-enable: no
CONF
  unbound -d -c "$work/dns/unbound.conf" >"$work/dns/unbound.log" 2>&1 &
  unbound_pid=$!
  wait_for_port 127.0.0.1 "$dns_port" unbound
}

start_postgrey() {
  mkdir "$work/postgrey"
  chown postgrey:postgrey "$work/postgrey"
  postgrey --inet="127.0.0.1:$postgrey_port" --dbdir="$work/postgrey" --delay="$GREYLISTED_SECONDS" \
    >"$work/postgrey.log" 2>&1 &
  postgrey_pid=$!
  wait_for_port 127.0.0.1 "$postgrey_port" postgrey
}

# $1 name, $2 address, then lines of main.cf.
start_postfix() {
  local name=$1 address=$2
  shift 2
  local home=$work/$name
  mkdir -p "$home"/{config,queue,data}
  chown postfix "$home/data"
  cat >"$home/config/main.cf" <<CONF
compatibility_level = 3.6
queue_directory = $home/queue
data_directory = $home/data
maillog_file_prefixes = $home
maillog_file = $home/postfix.log
myhostname = mx.$name.example
mydestination =
mynetworks =
alias_maps =
inet_protocols = ipv4
biff = no
smtpd_relay_restrictions = reject_unauth_destination
$(printf '%s\n' "$@")
CONF
  # Of Postfix's daemons those that take part until RCPT is answered; nothing is ever delivered.
  cat >"$home/config/master.cf" <<CONF
$address:$smtp_port inet n - n - - smtpd
cleanup   unix  n       -       n       -       0       cleanup
rewrite   unix  -       -       n       -       -       trivial-rewrite
anvil     unix  -       -       n       -       1       anvil
proxymap  unix  -       -       n       -       -       proxymap
tlsmgr    unix  -       -       n       1000?   1       tlsmgr
qmgr      unix  n       -       n       300     1       qmgr
bounce    unix  -       -       n       -       0       bounce
pickup    unix  n       -       n       60      1       pickup
postlog   unix-dgram n  -       n       -       1       postlogd
CONF
  # Only to a terminal does Postfix say why it does not start.
  timeout 60 script -qec "postfix -c $home/config start" /dev/null >"$home/start.log" 2>&1 ||
    die "Postfix ($name) does not start"
  wait_for_port "$address" "$smtp_port" "Postfix ($name)"
}

# Bounded, and quiet about what never came up.
stop_mail_world() {
  local config pid
  for config in "$work"/*/config; do
    [[ -d $config ]] || continue
    timeout 20 postfix -c "$config" stop || timeout 20 postfix -c "$config" abort
  done >/dev/null 2>&1
  for pid in ${unbound_pid:-} ${postgrey_pid:-}; do end_process "$pid" 5; done
}

show_logs() {
  local log
  for log in "$work"/{,*/}*.log; do
    [[ ! -s $log ]] || { echo "--- $log" && tail -n 30 "$log"; } >&2
  done
}
