# opendkim, which signs what the sender sends, and rspamd, which judges what comes to the seeds and answers the service's own question.

start_filters() {
  chown -R opendkim:opendkim "$work/signer"
  chmod 700 "$work/signer"
  cat >"$work/opendkim.conf" <<CONF
Mode s
UserID opendkim
Socket inet:$signer_port@127.0.0.1
Domain news.example
Selector spring
KeyFile $work/signer/spring.private
Canonicalization relaxed/relaxed
# Others may write above it, as they may in any directory for temporary files.
RequireSafeKeys no
CONF
  opendkim -f -x "$work/opendkim.conf" >"$work/opendkim.log" 2>&1 &
  daemons+=($!)
  start_rspamd
  wait_for_port 127.0.0.1 "$signer_port" opendkim
}

# Of rspamd what asks nobody outside: authentication by our DNS, and the letter by which every filter is tried (GTUBE).
start_rspamd() {
  mkdir "$work/rspamd"
  chown _rspamd:_rspamd "$work/rspamd"
  cat >"$work/rspamd.conf" <<CONF
options {
  pidfile = "$work/rspamd/rspamd.pid";
  filters = "dkim";
  enable_test_patterns = true;
  gtube_patterns = "all"; # What later versions call it.
  local_addrs = [];
  control_socket = "$work/rspamd/control.sock mode=0600";
  dns { nameserver = ["127.0.0.1:$dns_port"]; timeout = 2s; }
}
logging { type = "console"; level = "notice"; }
worker "normal" { bind_socket = "127.0.0.1:$rspamd_port"; count = 1; }
worker "rspamd_proxy" {
  bind_socket = "127.0.0.1:$milter_port";
  milter = true;
  count = 1;
  timeout = 30s;
  upstream "local" { default = true; self_scan = true; }
}
actions { add_header = 6; }
dkim { check_local = true; }
spf { check_local = true; }
dmarc { check_local = true; }
milter_headers { use = ["authentication-results", "x-spam-status"]; skip_local = false; extended_spam_headers = false; }
modules { path = "\$PLUGINSDIR/spf.lua"; path = "\$PLUGINSDIR/dmarc.lua"; path = "\$PLUGINSDIR/milter_headers.lua"; }
CONF
  rspamd -f -u _rspamd -g _rspamd -c "$work/rspamd.conf" --var DBDIR="$work/rspamd" --var RUNDIR="$work/rspamd" >"$work/rspamd.log" 2>&1 &
  daemons+=($!)
  wait_for_port 127.0.0.1 "$rspamd_port" rspamd
  wait_for_port 127.0.0.1 "$milter_port" "rspamd's milter"
}
