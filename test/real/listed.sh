# Servers that ask a block list about the client, in whose words it is then refused: rblsmtpd and qpsmtpd.

start_block_list_servers() {
  start_rblsmtpd rblsmtpd
  start_rblsmtpd rblsmtpd-hard -b
  start_qpsmtpd qpsmtpd-connect dnsbl rcpt_ok
  start_qpsmtpd qpsmtpd-rcpt 'dnsbl reject naughty' 'naughty reject rcpt' rcpt_ok
}

# $1 host, then options of rblsmtpd. Behind it stands no server: a listed client gets no further.
start_rblsmtpd() {
  local host=$1
  shift
  start_in_root exim "$host" tcpserver -H -R -l0 "${ADDRESS[$host]}" "$smtp_port" rblsmtpd "$@" -r bl.example false
  wait_for_port "${ADDRESS[$host]}" "$smtp_port" "$host"
}

# $1 host, then lines of its plugins.
start_qpsmtpd() {
  local host=$1 etc
  shift
  etc=$(root_of exim)/etc
  cp -a "$etc/qpsmtpd" "$etc/$host"
  printf '%s\n' "$@" >"$etc/$host/plugins"
  echo bl.example >"$etc/$host/dnsbl_zones"
  echo "$host.example" >"$etc/$host/rcpthosts"
  : >"$etc/$host/relayclients" # Holds this machine, and so us.
  start_in_root exim "$host" env QPSMTPD_CONFIG="/etc/$host" qpsmtpd-forkserver --listen-address "${ADDRESS[$host]}" \
    --port "$smtp_port" --user qpsmtpd
  wait_for_port "${ADDRESS[$host]}" "$smtp_port" "$host"
}
