#!/usr/bin/env bash
# Inbox placement, whole: letters leave a Postfix that signs them by opendkim, come to our receiver and, by a Postfix that rspamd filters
# for, to Dovecot, whose mailboxes the built service reads as seeds. One keeps spam, one files it, one loses its mail, one is slow, since
# its server greylists, and one has another password meanwhile; a mailing list changes one letter on its way, and a forwarder seals two
# (ARC). Everything listens on loopback and ends with this script. Where servers cannot be had it says SKIPPED and succeeds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/install.sh
source test/real/processes.sh
source test/real/judge.sh
source test/real/postfix.sh
source test/real/service.sh
source test/real/placement/names.sh
source test/real/placement/filter.sh
source test/real/placement/mailboxes.sh
source test/real/placement/route.sh
source test/real/placement/seeds.sh
source test/real/placement/tests.sh
REAL_COMMANDS=(curl openssl unbound postfix postgrey opendkim opendkim-genkey rspamd dovecot sievec)
REAL_PACKAGES=(curl openssl unbound postfix postgrey opendkim opendkim-tools rspamd dovecot-imapd dovecot-lmtpd dovecot-sieve)

daemons=()

main() {
  require_servers
  work=$(mktemp -d "${TMPDIR:-/tmp}/mailsonde-placement-XXXXXX")
  chmod 755 "$work" # The servers run as users of their own.
  trap 'finish $?' EXIT
  trap 'exit 130' INT TERM HUP
  choose_ports
  make_signing_key
  make_sealing_key
  start_dns
  start_filters
  start_mailboxes
  start_route
  export DATA_DIR=$work/data DATABASE_URL='' REDIS_URL='' IMAP_ALLOW_PRIVATE=true DNS_SERVERS=127.0.0.1:$dns_port DNS_KNOWN_DOMAINS=news.example
  export NODE_EXTRA_CA_CERTS=$work/dovecot/certificate.pem
  INBOUND_DOMAIN=in.example INBOUND_PORT=$inbound_port RSPAMD_URL=http://127.0.0.1:$rspamd_port \
    SPAMHAUS_DQS_KEY=abcdefghijklmnopqrstuvwxyz BLACKLISTS_REGISTERED=surbl,uribl start_service node dist/src/main.js
  wait_for_port 127.0.0.1 "$inbound_port" 'the receiver'

  open_account 30
  add_seeds
  expect_of_seeds
  expect_of_tests

  stop_service
  echo
  echo "Inbox placement: $passed as expected, $failed not, after $SECONDS s."
  ((failed == 0))
}

choose_ports() {
  local name
  for name in dns smtp rspamd milter sealer greylist signer lmtp imap imaps inbound; do declare -g "${name}_port=$(free_port)"; done
}

# Whatever happened: nothing of ours goes on running.
finish() {
  trap - EXIT INT TERM HUP
  set +e
  (($1 == 0)) || { show_logs; show_wrong; }
  kill_service
  stop_postfixes
  local pid
  for pid in "${daemons[@]}"; do end_process "$pid" 5; done
  rm -rf --one-file-system "$work"
  exit "$1"
}

main
