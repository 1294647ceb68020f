# Dovecot with Sieve: mail comes by LMTP, and is read by IMAP over TLS, by STARTTLS and in clear.

# What each mailbox does with its mail. The folder for junk is known by its use and not by its name.
declare -A SIEVE=(
  [keeper]='keep;'
  [filer]='require "fileinto"; if header :is "X-Spam" "Yes" { fileinto "Unwanted"; }'
  [loser]='discard;'
  [slow]='keep;'
  [locked]='keep;'
)

start_mailboxes() {
  local home=$work/dovecot name
  mkdir -p "$home"/{mail,sieve,run,state}
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=imap.seeds.example -addext subjectAltName=DNS:imap.seeds.example \
    -keyout "$home/key.pem" -out "$home/certificate.pem" 2>/dev/null
  for name in "${!SIEVE[@]}"; do
    echo "$name:{PLAIN}open sesame::::::" >>"$home/users"
    echo "${SIEVE[$name]}" >"$home/sieve/$name.sieve"
  done
  chown -R mail:mail "$home"/{mail,sieve}
  cat >"$home/dovecot.conf" <<CONF
protocols = imap lmtp
listen = $SEEDS
base_dir = $home/run
state_dir = $home/state
instance_name = placement
log_path = $home/dovecot.log
ssl = yes
ssl_cert = <$home/certificate.pem
ssl_key = <$home/key.pem
disable_plaintext_auth = no
mail_location = maildir:$home/mail/%n
mail_uid = mail
mail_gid = mail
first_valid_uid = 1
passdb {
  driver = passwd-file
  args = username_format=%n $home/users
}
userdb {
  driver = static
  args = uid=mail gid=mail home=$home/mail/%n
}
namespace inbox {
  inbox = yes
  mailbox Unwanted {
    auto = create
    special_use = \\Junk
  }
  mailbox Spam {
    auto = create
  }
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
protocol lmtp {
  mail_plugins = sieve
}
plugin {
  sieve = file:$home/sieve/%n.sieve
}
service imap-login {
  inet_listener imap {
    port = $imap_port
  }
  inet_listener imaps {
    port = $imaps_port
    ssl = yes
  }
}
service lmtp {
  inet_listener lmtp {
    address = $SEEDS
    port = $lmtp_port
  }
}
CONF
  dovecot -F -c "$home/dovecot.conf" >"$work/dovecot-start.log" 2>&1 &
  daemons+=($!)
  wait_for_port "$SEEDS" "$imap_port" Dovecot
  wait_for_port "$SEEDS" "$lmtp_port" "Dovecot's LMTP"
}

# Whose password is another one now, which nobody has told the service.
change_password() {
  sed -i "s/^$1:{PLAIN}[^:]*/$1:{PLAIN}another one/" "$work/dovecot/users"
}
