# Four instances of Postfix: the sender's, which has its mail signed, a mailing list's, which changes what it passes on, a forwarder's, which
# has it sealed, and the seeds'.

start_route() {
  local starting=() pid
  start_sender &
  starting+=($!)
  start_list &
  starting+=($!)
  start_forwarder &
  starting+=($!)
  start_seeds &
  starting+=($!)
  for pid in "${starting[@]}"; do wait "$pid"; done
}

onward() {
  printf '%s\n' "transport_maps = inline:{ {in.example = smtp:[127.0.0.1]:$inbound_port} {seeds.example = smtp:[$SEEDS]:$smtp_port} }" \
    'relay_domains = in.example, seeds.example' 'disable_dns_lookups = yes' 'smtpd_peername_lookup = no'
}

start_sender() {
  local lines
  mapfile -t lines < <(onward)
  # The letter itself says which way it goes.
  start_postfix sender sender "${lines[@]}" "smtp_bind_address = $SENDER" \
    "smtpd_milters = inet:127.0.0.1:$signer_port" 'milter_default_action = tempfail' \
    'minimal_backoff_time = 5s' 'maximal_backoff_time = 5s' 'queue_run_delay = 5s' \
    "header_checks = regexp:{ {/^X-Way: by the list/ FILTER smtp:[$LIST]:$smtp_port} {/^X-Way: by a forwarder/ FILTER smtp:[$FORWARDER]:$smtp_port} }"
}

# It passes some of what it has sealed on to the list.
start_forwarder() {
  local lines
  mapfile -t lines < <(onward)
  start_postfix forwarder forwarder "${lines[@]}" "smtp_bind_address = $FORWARDER" \
    "smtpd_milters = inet:127.0.0.1:$sealer_port" 'milter_default_action = tempfail' \
    "header_checks = regexp:{ {/^X-Way: by a forwarder and the list/ FILTER smtp:[$LIST]:$smtp_port} }"
}

start_list() {
  local lines
  mapfile -t lines < <(onward)
  start_postfix list list "${lines[@]}" "smtp_bind_address = $LIST" \
    'body_checks = regexp:{ {/^The end/ REPLACE The end, and a footer of the list.} }'
}

start_seeds() {
  start_postfix seeds seeds 'virtual_mailbox_domains = seeds.example' \
    "virtual_mailbox_maps = inline:{ $(mailboxes $(printf '%s@seeds.example ' "${!SIEVE[@]}")) }" \
    "virtual_transport = lmtp:inet:[$SEEDS]:$lmtp_port" 'disable_dns_lookups = yes' 'smtpd_peername_lookup = no' \
    'smtpd_restriction_classes = greylist' "greylist = check_policy_service inet:127.0.0.1:$greylist_port" \
    'smtpd_recipient_restrictions = check_recipient_access inline:{ {slow@seeds.example = greylist} }' \
    "smtpd_milters = inet:127.0.0.1:$milter_port" 'milter_default_action = tempfail'
}

# Nodemailer gives the letter to the sender's Postfix, to all addresses at once. $1 the test's reply, $2 a way, $3 a line of the body,
# $4 where the test's marker is: header, body or nowhere.
send_letter() {
  node test/real/placement/send-letter.mjs "$SENDER" "$smtp_port" "$2" "$3" "$4" <<<"$1"
}
