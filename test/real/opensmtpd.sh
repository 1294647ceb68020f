# OpenSMTPD, with mailboxes of a table and of the system, and with filters that refuse the client; and Dovecot, as the store behind
# another server.

start_opensmtpd() {
  local etc
  etc=$(root_of opensmtpd)/etc
  echo 'jane:x:2000:2000::/home/jane:/bin/sh' >>"$etc/passwd"
  echo 'jane@opensmtpd.example jane' >"$etc/virtual"
  cat >"$etc/smtpd.conf" <<CONF
table mailboxes file:/etc/virtual
filter "refused" phase rcpt-to match src 127.0.0.1 reject "550 Client refused"
filter "nameless" phase connect match !fcrdns disconnect "550 DNS error"
listen on ${ADDRESS[opensmtpd]} port $smtp_port hostname mx.opensmtpd.example
listen on ${ADDRESS[opensmtpd-users]} port $smtp_port hostname mx.opensmtpd-users.example
listen on ${ADDRESS[opensmtpd-filter]} port $smtp_port hostname mx.opensmtpd-filter.example filter "refused"
listen on ${ADDRESS[opensmtpd-nameless]} port $smtp_port hostname mx.opensmtpd-nameless.example filter "nameless"
action "virtual" mbox virtual <mailboxes>
action "users" mbox
match from any for domain "opensmtpd.example" action "virtual"
match from any for domain { "opensmtpd-users.example" "opensmtpd-filter.example" "opensmtpd-nameless.example" } action "users"
CONF
  start_in_root opensmtpd opensmtpd smtpd -d
  wait_for_port "${ADDRESS[opensmtpd]}" "$smtp_port" OpenSMTPD
}

# Takes mail over LMTP, where Postfix asks it about mailboxes; one has more than it may hold.
start_dovecot() {
  local root
  root=$(root_of opensmtpd)
  mkdir -p "$root"/srv/mail/{jane,full}/{cur,new,tmp}
  echo 'Subject: more than it may hold' >"$root/srv/mail/full/cur/1.example:2,S"
  chown -R 2000:2000 "$root/srv/mail"
  printf '%s\n' 'jane:::::::' 'full:::::::userdb_quota_rule=*:bytes=1' >"$root/etc/dovecot/users"
  cat >"$root/etc/dovecot/dovecot.conf" <<CONF
protocols = lmtp
ssl = no
log_path = /dev/stderr
mail_location = maildir:/srv/mail/%n
mail_uid = 2000
mail_gid = 2000
first_valid_uid = 2000
mail_plugins = quota
plugin {
  quota = maildir:User quota
  quota_rule = *:bytes=1M
}
lmtp_rcpt_check_quota = yes
passdb {
  driver = static
  args = nopassword=yes
}
userdb {
  driver = passwd-file
  args = username_format=%n /etc/dovecot/users
}
service lmtp {
  inet_listener lmtp {
    address = ${ADDRESS[dovecot]}
    port = $smtp_port
  }
}
CONF
  start_in_root opensmtpd dovecot dovecot -F
  wait_for_port "${ADDRESS[dovecot]}" "$smtp_port" Dovecot
}
