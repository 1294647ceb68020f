# Instances of this machine's Postfix, each with its files in a directory of its own below $work.

# All at once, since each takes some seconds to start.
start_postfixes() {
  local starting=() pid
  start_boxes &
  starting+=($!)
  start_everyone &
  starting+=($!)
  start_after_data &
  starting+=($!)
  start_greylist &
  starting+=($!)
  start_refusing_postfix &
  starting+=($!)
  if has_root opensmtpd; then
    start_verifying_postfix verified 550 &
    starting+=($!)
    start_verifying_postfix verified-soft 450 & # Postfix's own choice.
    starting+=($!)
  fi
  for pid in "${starting[@]}"; do wait "$pid"; done
}

start_boxes() {
  local names=(jane@{boxes,implicit,fallback}.example support@boxes.example jane@mailinator.com jane@flapping-{1..6}.example)
  # Debian's package ssl-cert, which Postfix depends on, has made the certificate.
  start_postfix boxes boxes \
    'virtual_mailbox_domains = boxes.example, mailinator.com, implicit.example, fallback.example, probe.example, '"$(echo flapping-{1..6}.example)" \
    "virtual_mailbox_maps = inline:{ $(mailboxes "${names[@]}") }" \
    'smtpd_tls_security_level = may' \
    'smtpd_tls_cert_file = /etc/ssl/certs/ssl-cert-snakeoil.pem' \
    'smtpd_tls_key_file = /etc/ssl/private/ssl-cert-snakeoil.key' \
    'smtpd_tls_loglevel = 1'
}

start_everyone() {
  start_postfix everyone everyone \
    'virtual_mailbox_domains = everyone.example' \
    'virtual_mailbox_maps = static:everyone'
}

# Takes every name at RCPT, and no message.
start_after_data() {
  start_postfix after-data after-data \
    'virtual_mailbox_domains = after-data.example' \
    'virtual_mailbox_maps = static:everyone' \
    'smtpd_end_of_data_restrictions = reject'
}

start_greylist() {
  start_postfix greylist greylist \
    'virtual_mailbox_domains = greylist.example' \
    "virtual_mailbox_maps = inline:{ $(mailboxes jane@greylist.example) }" \
    "smtpd_recipient_restrictions = reject_unlisted_recipient, check_policy_service inet:127.0.0.1:$postgrey_port"
}

# What administrators add: refusals of all but postmaster, in Postfix's own words.
start_refusing_postfix() {
  local hosts=(postfix-{access,client,nameless,sender,soft})
  local domains=("${hosts[@]/%/.example}")
  start_postfix refusing "${hosts[*]}" \
    "virtual_mailbox_domains = ${domains[*]}" \
    "virtual_mailbox_maps = inline:{ $(mailboxes "${domains[@]/#/jane@}" "${domains[@]/#/postmaster@}") }" \
    'smtpd_recipient_restrictions =
      check_recipient_access inline:{ {postmaster@ = OK} }
      check_recipient_access inline:{
        {postfix-access.example = REJECT}
        {postfix-client.example = reject_client}
        {postfix-nameless.example = reject_unknown_client_hostname}
        {postfix-sender.example = reject_sender}
      }' \
    'smtpd_restriction_classes = reject_client, reject_sender' \
    'reject_client = check_client_access static:REJECT' \
    "reject_sender = check_sender_access inline:{ {$MAIL_FROM = REJECT} }" \
    'smtpd_peername_lookup = no' \
    'unknown_virtual_mailbox_reject_code = 450'
}

# One that asks the server behind it about each mailbox, and answers with its words under a code of its own.
# $1 name, $2 code.
start_verifying_postfix() {
  start_postfix "$1" "$1" \
    "relay_domains = $1.example" \
    "transport_maps = inline:{ {$1.example = lmtp:inet:[${ADDRESS[dovecot]}]:$smtp_port} }" \
    'smtpd_recipient_restrictions = reject_unverified_recipient' \
    "unverified_recipient_reject_code = $2" \
    'address_verify_poll_delay = 1s'
}

mailboxes() {
  printf '{%s = %s} ' $(for mailbox; do echo "$mailbox" "$mailbox"; done)
}

# $1 name, $2 its hosts, then lines of main.cf.
start_postfix() {
  local name=$1 hosts=$2 host
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
  # Of Postfix's daemons those that take mail in and pass it on; none keeps any.
  cat >"$home/config/master.cf" <<CONF
$(for host in $hosts; do echo "${ADDRESS[$host]}:$smtp_port inet n - n - - smtpd"; done)
cleanup   unix  n       -       n       -       0       cleanup
rewrite   unix  -       -       n       -       -       trivial-rewrite
anvil     unix  -       -       n       -       1       anvil
proxymap  unix  -       -       n       -       -       proxymap
tlsmgr    unix  -       -       n       1000?   1       tlsmgr
verify    unix  -       -       n       -       1       verify
lmtp      unix  -       -       n       -       -       lmtp
smtp      unix  -       -       n       -       -       smtp
qmgr      unix  n       -       n       300     1       qmgr
bounce    unix  -       -       n       -       0       bounce
defer     unix  -       -       n       -       0       bounce
trace     unix  -       -       n       -       0       bounce
pickup    unix  n       -       n       60      1       pickup
postlog   unix-dgram n  -       n       -       1       postlogd
CONF
  # Only to a terminal does Postfix say why it does not start.
  timeout 60 script -qec "postfix -c $home/config start" /dev/null >"$home/start.log" 2>&1 ||
    die "Postfix ($name) does not start"
  for host in $hosts; do wait_for_port "${ADDRESS[$host]}" "$smtp_port" "Postfix ($name)"; done
}

# Bounded, and quiet about what never came up.
stop_postfixes() {
  local config
  for config in "$work"/*/config; do
    [[ -d $config ]] || continue
    timeout 20 postfix -c "$config" stop || timeout 20 postfix -c "$config" abort
  done >/dev/null 2>&1
}
