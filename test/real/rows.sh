# What is wanted of other servers. A refusal of us says nothing about the mailbox, whether it exists (jane) or not (nemo), and
# although postmaster is let in.

expect_of_postfix() {
  print_reply_header
  expect_reply jane@postfix-access.example   unknown ambiguous_refusal # an access table refuses all but postmaster
  expect_reply nemo@postfix-access.example   unknown ambiguous_refusal
  expect_reply jane@postfix-client.example   unknown ip_blocked        # one of clients
  expect_reply nemo@postfix-client.example   unknown ip_blocked
  expect_reply jane@postfix-nameless.example unknown ip_blocked        # our address has no name
  expect_reply nemo@postfix-nameless.example unknown ip_blocked
  expect_reply jane@postfix-sender.example   valid   mailbox_exists    # refuses our sender, but not the null sender
  expect_reply jane@postfix-soft.example     valid   mailbox_exists    # says 450 of mailboxes that it has not
  expect_reply nemo@postfix-soft.example     unknown temporary_failure
  expect_reply jane@after-data.example       risky   catch_all         # takes every name, and refuses after DATA
  expect_unsure jane@after-data.example
}

# The same behind a Postfix that verifies what it accepts with the next server.
expect_of_verifying_postfix() {
  expect_reply jane@verified.example         valid   mailbox_exists
  expect_reply full@verified.example         risky   mailbox_full
  expect_reply nemo@verified.example         invalid mailbox_not_found
  expect_reply jane@verified-soft.example    valid   mailbox_exists
  expect_reply full@verified-soft.example    risky   mailbox_full      # 450, as is Postfix's custom
  expect_reply nemo@verified-soft.example    unknown temporary_failure
}

expect_of_exim() {
  print_reply_header
  expect_reply jane@exim.example             valid   mailbox_exists    # Debian's own rules
  expect_reply nemo@exim.example             invalid mailbox_not_found
  expect_reply jane@unserved.example         invalid domain_not_served # a domain that it does not know
  expect_reply jane@exim-hosts.example       unknown ip_blocked        # Debian's list of hosts, asked after the mailbox
  expect_reply nemo@exim-hosts.example       invalid mailbox_not_found
  expect_reply jane@exim-late.example        unknown ambiguous_refusal # a refusal of all in Debian's hook, asked after the mailbox
  expect_reply nemo@exim-late.example        invalid mailbox_not_found
  expect_reply jane@exim-dnslist.example     unknown ip_blocked        # a block list, asked before
  expect_reply nemo@exim-dnslist.example     unknown ip_blocked
  expect_reply jane@exim-listed.example      unknown ip_blocked        # one without a known name
  expect_reply nemo@exim-listed.example      unknown ip_blocked
  expect_reply jane@exim-silent.example      unknown 'ip_blocked|ambiguous_refusal' # Exim's words for a rule that has none
  expect_reply nemo@exim-silent.example      unknown 'ip_blocked|ambiguous_refusal'
  expect_reply jane@exim-rejected.example    unknown ambiguous_refusal # not a word why
  expect_reply nemo@exim-rejected.example    unknown ambiguous_refusal
  expect_reply jane@exim-login.example       unknown 'sender_rejected|ambiguous_refusal' # for customers only
  expect_reply nemo@exim-login.example       unknown 'sender_rejected|ambiguous_refusal'
  expect_reply jane@exim-sender.example      unknown 'sender_rejected|ip_blocked' # our sender's host knows no such mailbox
  expect_reply jane@exim-verify.example      valid   mailbox_exists    # our sender's domain has no host that it may call
  expect_reply nemo@exim-verify.example      invalid mailbox_not_found
  expect_reply jane@exim-callout.example     valid   mailbox_exists    # nor here, and the null sender is not asked about
  expect_reply nemo@exim-callout.example     invalid mailbox_not_found
  expect_reply jane@exim-lost-callout.example unknown 'sender_rejected|temporary_failure' # 451: it cannot be asked for now
  expect_reply jane@exim-fault.example       unknown temporary_failure # a table that cannot be read
  expect_reply abuse@exim-exempt.example     risky   role_account      # let in as postmaster is, while all others are refused
  expect_reply jane@exim-exempt.example      unknown ambiguous_refusal # although another name was let in
  expect_in_list jane@exim-exempt.example abuse@exim-exempt.example unknown ambiguous_refusal # nor in one list with it
  expect_in_list abuse@exim-exempt.example jane@exim-exempt.example risky role_account
  expect_reply jane@exim-greylistd.example   unknown greylisted
  expect_reply nemo@exim-greylistd.example   invalid mailbox_not_found # verified before it is greylisted
  expect_reply jane@rblsmtpd.example         unknown ip_blocked        # a list's bare words, with 451
  expect_reply nemo@rblsmtpd-hard.example    unknown ip_blocked        # with 553
  expect_reply jane@qpsmtpd-connect.example  unknown ip_blocked        # at once
  expect_reply jane@qpsmtpd-rcpt.example     unknown ip_blocked        # to all but postmaster and abuse
  expect_reply nemo@qpsmtpd-rcpt.example     unknown ip_blocked
  sleep "$AFTER_GREYLISTING"
  expect_reply jane@exim-greylistd.example   valid   mailbox_exists    # the same sender came back
}

expect_of_opensmtpd() {
  print_reply_header
  expect_reply jane@opensmtpd.example        valid   mailbox_exists
  expect_reply nemo@opensmtpd.example        invalid mailbox_not_found # not in its table: "Mailing list expansion problem"
  expect_reply jane@opensmtpd-users.example  valid   mailbox_exists
  expect_reply nemo@opensmtpd-users.example  invalid mailbox_not_found # no user of the system: "Invalid recipient"
  expect_reply jane@opensmtpd-filter.example unknown 'ip_blocked|ambiguous_refusal' # "filter … match src … reject"
  expect_reply nemo@opensmtpd-filter.example unknown 'ip_blocked|ambiguous_refusal'
  expect_reply jane@opensmtpd-nameless.example unknown 'ip_blocked|ambiguous_refusal' # at once: our address has no name
  expect_of_verifying_postfix
}

# The resolver denies all, is well for a while, and denies all again.
expect_of_flapping_resolver() {
  local turn
  print_reply_header
  for turn in 1 2; do
    resolver_denies_all
    expect_reply jane@flapping-$turn.example unknown dns_error
    expect_reply nemo@nowhere-$turn.example unknown dns_error
    expect_in_list jane@flapping-$((turn + 2)).example jane@flapping-$((turn + 4)).example unknown dns_error
    resolver_is_well
    expect_within_a_minute jane@flapping-$turn.example valid mailbox_exists
    expect_within_a_minute nemo@nowhere-$turn.example invalid domain_not_found
    expect_in_list jane@flapping-$((turn + 2)).example jane@flapping-$((turn + 4)).example valid mailbox_exists
  done
}

print_reply_header() {
  printf '\n%-36s %-28s %s\n' address answer 'the server said'
}
