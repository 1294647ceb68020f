#!/usr/bin/env bash
# Real input: the built service, asked with curl, about mailboxes on Debian's mail servers (Postfix with postgrey, Exim with
# greylistd, OpenSMTPD, Dovecot, rblsmtpd, qpsmtpd), which it finds through Debian's unbound. Everything listens on loopback and
# ends with this script. Where servers cannot be had it says SKIPPED and succeeds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/real/install.sh
source test/real/processes.sh
source test/real/judge.sh
source test/real/roots.sh
source test/real/postfix.sh
source test/real/exim.sh
source test/real/opensmtpd.sh
source test/real/listed.sh
source test/real/servers.sh
source test/real/rows.sh
source test/real/service.sh

# Who we say we are.
HELO_NAME=probe.example
MAIL_FROM=postmaster@probe.example

main() {
  enter_mount_namespace test/real/run.sh
  require_servers
  work=$(mktemp -d "${TMPDIR:-/tmp}/mailsonde-real-XXXXXX")
  chmod 755 "$work" # Postfix and postgrey run as users of their own.
  trap 'finish $?' EXIT
  trap 'exit 130' INT TERM HUP
  smtp_port=$(free_port)
  dns_port=$(free_port)
  postgrey_port=$(free_port)
  make_roots
  start_mail_world
  DNS_SERVERS=127.0.0.1:$dns_port DNS_KNOWN_DOMAINS=boxes.example SMTP_PORT=$smtp_port MX_ALLOWED_NETWORKS=127.0.0.0/8 \
    HELO_NAME=$HELO_NAME MAIL_FROM=$MAIL_FROM start_service node dist/src/main.js

  expect_of_agents
  open_account 100
  expect_of_postfix
  if has_root exim; then expect_of_exim; else skipped 'Exim, greylistd, rblsmtpd and qpsmtpd'; fi
  if has_root opensmtpd; then expect_of_opensmtpd; else skipped 'OpenSMTPD and Dovecot'; fi
  expect_encryption
  expect_of_flapping_resolver

  stop_service
  echo
  echo "Real input: $passed as expected, $failed not."
  ((failed == 0))
}

# The answers that need no evidence, in the shape that agents get.
expect_of_agents() {
  register
  printf '\n%-28s %-32s %5s  %s\n' address answer score disposable/role/free/accept_all
  #      address                 result  reason               what stands behind it
  expect jane@boxes.example      valid   mailbox_exists     # a mailbox; the rest is refused
  expect nobody@boxes.example    invalid mailbox_not_found  # none of the mailboxes
  expect jane@everyone.example   risky   catch_all          # a server that takes every name
  expect support@boxes.example   risky   role_account       # a mailbox, for a task
  expect jane@mailinator.com     risky   disposable         # a mailbox, at a throw-away domain
  expect jane@closed.example     unknown smtp_unreachable   # nobody listens
  expect jane@greylist.example   unknown greylisted         # postgrey has not seen us before
  expect jane@nowhere.example    invalid domain_not_found   # NXDOMAIN
  expect jane@null.example       invalid null_mx            # MX 0 .

  register # A key takes ten requests a minute.
  expect jane@implicit.example   valid   mailbox_exists     # no MX, but an A record
  expect jane@fallback.example   valid   mailbox_exists     # nobody listens at the preferred host
  expect nobody@mailinator.com   invalid mailbox_not_found  # throw-away, and not even there
  expect jane@empty.example      invalid no_mail_server     # the name exists and takes no mail
  expect jane@intranet.example   invalid unroutable_mail_server # its host is 10.0.0.1
  expect jane@broken.example     unknown dns_error          # SERVFAIL
  sleep "$AFTER_GREYLISTING"
  expect jane@greylist.example   valid   mailbox_exists     # the same sender came back, as postgrey asks
}

# $1 address, $2 result, $3 reason.
expect() {
  local reply
  reply=$(verify "$1")
  local found
  found=$(field result "$reply")/$(field reason "$reply")
  local flags
  flags="$(field disposable "$reply")/$(field role "$reply")/$(field free "$reply")/$(field accept_all "$reply")"
  printf '%-28s %-32s %5s  %s' "$1" "$found" "$(field score "$reply")" "$flags"
  judge "$found" "$2/$3"
}

# The same for a full account, which sees the server's words.
# $1 address, $2 verdict, $3 reason, or several with | between them.
expect_reply() {
  local found text
  { read -r found && read -r text; } < <(verify "$1" | node -p 'const { verdict, reason, evidence } =
    JSON.parse(fs.readFileSync(0)); `${verdict}/${reason}\n${evidence?.text ?? ""}\n`')
  printf '%-36s %-28s %s' "$1" "$found" "$text"
  if [[ $found =~ ^$2/($3)$ ]]; then judge "$found" "$found"; else judge "$found" "$2/$3"; fi
}

# The first of two addresses in one list, which has them in this order and then in the other one.
# $1 and $2 addresses, $3 verdict, $4 reason.
expect_in_list() {
  local list found
  for list in "$1 $2" "$2 $1"; do
    found=$(verify_list $list | node -p 'const [email] = process.argv.slice(1);
      const reply = JSON.parse(fs.readFileSync(0));
      const { verdict, reason } = reply.results?.find((row) => row.email === email) ?? reply;
      `${verdict}/${reason}`' "$1")
    printf '%-36s %-28s %s' "$1" "$found" "in a list: $list"
    judge "$found" "$3/$4"
  done
}

# $1 address, $2 verdict, $3 reason that it has within a minute.
expect_within_a_minute() {
  local found ends=$((SECONDS + 60))
  while
    found=$(verify "$1" | node -p 'const { verdict, reason } = JSON.parse(fs.readFileSync(0)); `${verdict}/${reason}`')
    [[ $found != "$2/$3" ]] && ((SECONDS < ends))
  do sleep 1; done
  printf '%-36s %-28s %s' "$1" "$found" 'a minute later at the latest'
  judge "$found" "$2/$3"
}

# $1 address, whose verdict is not called certain.
expect_unsure() {
  local confidence
  confidence=$(field confidence "$(verify "$1")")
  printf '%-36s %-28s' "$1" "confidence $confidence"
  judge "$(node -p "$confidence < 0.9")" true
}

# The mailboxes' Postfix offers STARTTLS, so the engine should have spoken through it.
expect_encryption() {
  local found=clear
  if grep -q 'TLS connection established from' "$work/boxes/postfix.log"; then found=encrypted; fi
  printf '%-28s %-32s' 'the dialogue' "$found"
  judge "$found" encrypted
}

# Whatever happened: nothing of ours goes on running.
finish() {
  trap - EXIT INT TERM HUP
  set +e
  (($1 == 0)) || { show_logs; show_wrong; }
  kill_service
  stop_mail_world
  drop_roots
  rm -rf --one-file-system "$work"
  exit "$1"
}

main
