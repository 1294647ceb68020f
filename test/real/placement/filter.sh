# opendkim, which signs what the sender sends, rspamd, which judges what comes to the seeds and answers the service's own question, another
# rspamd, which seals what the forwarder passes on, and postgrey, which lets one seed wait.

GREY_SECONDS=20 # For so long postgrey refuses whom it has not seen before.

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
  start_sealer
  start_greylist
  wait_for_port 127.0.0.1 "$signer_port" opendkim
}

start_greylist() {
  mkdir "$work/greylist"
  chown postgrey "$work/greylist"
  postgrey --inet=127.0.0.1:"$greylist_port" --dbdir="$work/greylist" --delay="$GREY_SECONDS" \
    >"$work/greylist.log" 2>&1 &
  daemons+=($!)
  wait_for_port 127.0.0.1 "$greylist_port" postgrey
}

# Says what it found of SPF and DKIM, and seals that (RFC 8617), whoever the letter is from and for.
start_sealer() {
  mkdir "$work/sealer/data"
  chown -R _rspamd:_rspamd "$work/sealer"
  cat >"$work/sealer.conf" <<CONF
options {
  pidfile = "$work/sealer/data/rspamd.pid";
  filters = "dkim";
  local_addrs = [];
  control_socket = "$work/sealer/data/control.sock mode=0600";
  dns { nameserver = ["127.0.0.1:$dns_port"]; timeout = 2s; }
}
logging { type = "console"; level = "notice"; }
worker "rspamd_proxy" {
  bind_socket = "127.0.0.1:$sealer_port";
  milter = true;
  count = 1;
  timeout = 30s;
  upstream "local" { default = true; self_scan = true; }
}
dkim { check_local = true; }
spf { check_local = true; }
arc {
  sign_inbound = true;
  sign_local = true;
  check_local = true;
  allow_hdrfrom_mismatch = true;
  allow_username_mismatch = true;
  allow_envfrom_empty = true;
  use_esld = false;
  use_domain = "forwarder.example";
  path = "$work/sealer/seal.private";
  selector = "seal";
}
modules { path = "\$PLUGINSDIR/spf.lua"; path = "\$PLUGINSDIR/arc.lua"; }
CONF
  rspamd -f -u _rspamd -g _rspamd -c "$work/sealer.conf" --var DBDIR="$work/sealer/data" --var RUNDIR="$work/sealer/data" \
    >"$work/sealer.log" 2>&1 &
  daemons+=($!)
  wait_for_port 127.0.0.1 "$sealer_port" 'the milter that seals'
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
