# Placement tests at once: of a letter that a filter takes for spam, of a good one, of the good one changed by a list, sealed by a forwarder,
# and sealed before it was changed.

SPAM_LINE='YJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X' # rspamd: file it as spam, do not refuse it.
GOOD_LINE='Nothing but flowers.'

expect_of_tests() {
  local spam good changed sealed broken
  spam=$(create_test '{"name": "spam", "settle_minutes": 1}')
  good=$(create_test '{"name": "good", "settle_minutes": 1, "seeds": ["gmx", "webde", "aol"]}')
  changed=$(create_test '{"name": "changed", "settle_minutes": 1, "seeds": ["gmx", "webde"]}')
  sealed=$(create_test '{"name": "sealed", "settle_minutes": 1, "seeds": "none"}')
  broken=$(create_test '{"name": "sealed and changed", "settle_minutes": 1, "seeds": "none"}')
  send_letter "$spam" straight "$SPAM_LINE" header
  send_letter "$good" straight "$GOOD_LINE" body
  send_letter "$changed" 'by the list' "$GOOD_LINE" nowhere
  send_letter "$sealed" 'by a forwarder' "$GOOD_LINE" nowhere
  send_letter "$broken" 'by a forwarder and the list' "$GOOD_LINE" nowhere
  expect_refused_login
  expect_of_good "$(ended_test "$(field id "$good")")"
  expect_of_changed "$(ended_test "$(field id "$changed")")"
  expect_of_difference "$(field id "$good")" "$(field id "$changed")"
  expect_of_seals "$(ended_test "$(field id "$sealed")")" "$(ended_test "$(field id "$broken")")"
  expect_of_spam "$(ended_test "$(field id "$spam")")"
}

# $1 body; prints the reply.
create_test() {
  local reply
  reply=$(ask placement/tests -H 'Content-Type: application/json' -d "$1")
  [[ $(field status "$reply") == waiting ]] || die "a new test was answered $reply"
  echo "$reply"
}

# $1 id; prints the reply of the test at its end.
ended_test() {
  local reply tries
  for ((tries = 0; tries < 300; tries++)); do
    reply=$(ask "placement/tests/$1")
    [[ $(field status "$reply") == receiving || $(field status "$reply") == waiting ]] || break
    sleep 2
  done
  echo "$reply"
}

# The service waits for a mailbox that it cannot read till 10 minutes after the end of a test; the operator, who sees why, need not.
expect_refused_login() {
  local reply tries
  for ((tries = 0; tries < 240; tries++)); do
    reply=$(on_command_line seeds list)
    [[ $reply != *login_refused* ]] || break
    sleep 1
  done
  expect_told 'why locked cannot be read' "$reply" 'reply.seeds.find((one) => one.provider === "yandex").why' \
    'login_refused: Authentication failed.'
  reply=$(on_command_line seeds off "${seed_id[locked]}" --reason 'Its password was changed')
  expect_told 'locked is turned off' "$reply" 'reply.state' off
}

expect_of_spam() {
  printf '\n%-44s %s\n' 'the letter that is spam' 'its report says'
  expect_told 'the test has ended' "$1" 'reply.status' completed
  expect_told 'the mailbox that keeps spam' "$1" "$(placed gmx)" inbox
  expect_told 'the mailbox that files it' "$1" "$(placed webde)" spam
  expect_told 'the mailbox that loses it' "$1" "$(placed zoho)" missing
  expect_told 'the mailbox with another password' "$1" "$(placed yandex)" seed_error
  expect_told 'counted' "$1" '["measured", "inbox", "spam", "missing", "seed_error"].map((one) => reply.placement[one]).join()' 4,2,1,1,1
  expect_told 'it was known by' "$1" "$KNOWN_BY" header,header
  expect_told 'rspamd names the line for filters' "$1" 'reply.report.spam_filter.symbols.some(({ name }) => name === "GTUBE")' true
  expect_told 'credits' "$1" '`${reply.credits_charged}+${reply.credits_reserved}`' 5+0
}

expect_of_good() {
  printf '\n%-44s %s\n' 'the letter that is good' 'its report says'
  expect_told 'the test has ended' "$1" 'reply.status' completed
  expect_told 'the mailbox that keeps spam' "$1" "$(placed gmx)" inbox
  expect_told 'the mailbox that files it' "$1" "$(placed webde)" inbox
  expect_told 'the mailbox whose server greylists' "$1" "$(placed aol)" inbox
  # Half of what postgrey lets it wait: on a busy machine our own copy, from which is counted, takes seconds too.
  expect_told 'its mail came late' "$1" \
    "((late) => (late >= $GREY_SECONDS / 2 ? 'late' : late + ' s'))(seedAt('aol').arrived_after_s - seedAt('gmx').arrived_after_s)" late
  expect_told 'it was known by' "$1" "$KNOWN_BY" body,body
  expect_told 'the seed said of SPF, DKIM, DMARC' "$1" "$(authenticated gmx)" pass,pass,pass
  expect_told 'our copy: SPF' "$1" 'reply.report.authentication.spf.result' pass
  expect_told 'our copy: DKIM' "$1" "$OWN_DKIM" pass/news.example/spring/2048
  expect_told 'our copy: DMARC' "$1" 'reply.report.authentication.dmarc.result' pass
  expect_told 'our copy: the sender has a name' "$1" 'reply.report.transport.forward_confirmed' true
  expect_told 'its signature is no finding' "$1" "$DKIM_FINDING" false
  expect_of_lists "$1"
}

# Only a list that is healthy is believed: the linked domain is on it, and the others would have said so of any.
expect_of_lists() {
  local list
  expect_told 'a healthy list on the linked domain' "$1" "$(listed www.shop.example nordspam-dbl)" listed
  expect_told 'the same on the sender' "$1" "$(listed news.example nordspam-dbl)" not_listed
  expect_told 'a list that answers every name' "$1" "$(listed news.example surbl)" unhealthy
  expect_told 'a list that refuses us' "$1" "$(listed news.example uribl)" refused
  expect_told 'a list that is silent' "$1" "$(listed news.example spamhaus-dbl)" no_answer
}

# A body that does not fit its hash is "neutral" to mailauth, as it is to Gmail, and "fail" to rspamd; it is a finding all the same.
expect_of_changed() {
  printf '\n%-44s %s\n' 'the letter that a list changed' 'its report says'
  expect_told 'the test has ended' "$1" 'reply.status' completed
  expect_told 'the mailbox that keeps spam' "$1" "$(placed gmx)" inbox
  expect_told 'the mailbox that files it' "$1" "$(placed webde)" inbox
  expect_told 'it was known by' "$1" "$KNOWN_BY" message_id,message_id
  expect_told 'the seed said of SPF, DKIM, DMARC' "$1" "$(authenticated webde)" fail,fail,fail
  expect_told 'our copy: SPF' "$1" 'reply.report.authentication.spf.result' fail
  expect_told 'our copy: DKIM' "$1" 'reply.report.authentication.dkim.map((one) => `${one.result}: ${one.comment}`).join()' \
    'neutral: body hash did not verify'
  expect_told 'our copy: DMARC' "$1" 'reply.report.authentication.dmarc.result' fail
  expect_told 'its signature is a finding' "$1" "$DKIM_FINDING" true
}

# SPF is the forwarder's fault and nobody's; what it has sealed holds till somebody changes it. $1 sealed, $2 sealed and changed.
expect_of_seals() {
  printf '\n%-44s %s\n' 'the letter that a forwarder has sealed' 'its report says'
  expect_told 'the test has ended' "$1" 'reply.status' completed
  expect_told 'our copy: SPF' "$1" 'reply.report.authentication.spf.result' fail
  expect_told 'our copy: DKIM' "$1" "$OWN_DKIM" pass/news.example/spring/2048
  expect_told 'our copy: ARC' "$1" "$OWN_ARC" pass/1
  expect_told 'its seal is no finding' "$1" "$ARC_FINDING" false
  expect_told 'changed after that: the test has ended' "$2" 'reply.status' completed
  expect_told 'changed after that: ARC' "$2" "$OWN_ARC" fail/1
  expect_told 'changed after that: its seal is a finding' "$2" "$ARC_FINDING" true
}

# $1 and $2 ids.
expect_of_difference() {
  local reply
  reply=$(ask "placement/tests/$1/diff?to=$2")
  printf '\n%-44s %s\n' 'between both' 'the difference says'
  expect_told 'results' "$reply" 'reply.authentication.map((one) => `${one.what} ${one.before} > ${one.after}`).join(", ")' \
    'spf pass > fail, dkim news.example pass > news.example neutral, dmarc pass > fail'
}

OWN_DKIM='reply.report.authentication.dkim.map((one) => [one.result, one.domain, one.selector, one.key_bits].join("/")).join()'
OWN_ARC='[reply.report.authentication.arc.result, reply.report.authentication.arc.instances].join("/")'
ARC_FINDING='reply.report.findings.some(({ code }) => code === "arc_fail")'
KNOWN_BY='["gmx", "webde"].map((one) => seedAt(one).matched_by).join()'
DKIM_FINDING='reply.report.findings.some(({ code }) => code === "dkim_fail")'

# Expressions over a test's reply. $1 provider.
placed() {
  echo "seedAt('$1')?.placement"
}

authenticated() {
  echo "['spf', 'dkim', 'dmarc'].map((one) => seedAt('$1').authentication?.[one]).join()"
}

# $1 target, $2 list.
listed() {
  echo "reply.report.reputation.find((one) => one.target === '$1')?.lists.find((one) => one.list === '$2')?.status"
}
