# The DNS of the placement world: a sender's domain with SPF, DKIM and DMARC, and lists of our own under the names of public ones.

SENDER=127.0.0.71 # Postfix that signs; the only address of the sender's SPF.
LIST=127.0.0.72   # Postfix that changes what it passes on.
SEEDS=127.0.0.73  # Postfix and Dovecot of the seeds.
FORWARDER=127.0.0.74 # Postfix that seals what it passes on (ARC).
declare -A ADDRESS=([sender]=$SENDER [list]=$LIST [seeds]=$SEEDS [forwarder]=$FORWARDER)

make_signing_key() {
  mkdir "$work/signer"
  opendkim-genkey --bits=2048 --domain=news.example --selector=spring --directory="$work/signer"
}

# The same kind of key for the seals of the forwarder.
make_sealing_key() {
  mkdir "$work/sealer"
  opendkim-genkey --bits=2048 --domain=forwarder.example --selector=seal --directory="$work/sealer"
}

# The record as opendkim-genkey has written it for a zone file, in strings that fit. $1 its file.
key_record() {
  grep -o '"[^"]*"' "$1" | tr -d '"\n' | fold -w 200 | sed 's/.*/"&"/' | paste -sd' '
}

# Answers one list healthy, one dead (an address outside 127/8 for every name), one that refuses us and one that is silent.
start_dns() {
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
  local-zone: "127.in-addr.arpa." nodefault
  local-data: "news.example. MX 10 mx.news.example."
  local-data: 'news.example. TXT "v=spf1 ip4:$SENDER -all"'
  local-data: '_dmarc.news.example. TXT "v=DMARC1; p=none; rua=mailto:dmarc@news.example"'
  local-data: 'spring._domainkey.news.example. TXT $(key_record "$work/signer/spring.txt")'
  local-data: 'seal._domainkey.forwarder.example. TXT $(key_record "$work/sealer/seal.txt")'
  local-data: "mx.news.example. A $SENDER"
  local-data-ptr: "$SENDER mx.news.example"
  local-data: "imap.seeds.example. A $SEEDS"
  local-data: "test.dbl.nordspam.com. A 127.0.0.2"
  local-data: "shop.example.dbl.nordspam.com. A 127.0.0.2"
  local-zone: "multi.surbl.org." redirect
  local-data: "multi.surbl.org. A 203.0.113.9"
  local-zone: "multi.uribl.com." redirect
  local-data: "multi.uribl.com. A 127.255.255.254"
  local-zone: "dbl.dq.spamhaus.net." transparent
forward-zone:
  name: "dbl.dq.spamhaus.net."
  forward-addr: 127.0.0.1@9
remote-control:
  control-enable: no
CONF
  unbound -d -c "$work/dns/unbound.conf" >"$work/dns/unbound.log" 2>&1 &
  daemons+=($!)
  wait_for_port 127.0.0.1 "$dns_port" unbound
}
