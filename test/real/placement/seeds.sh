# The mailboxes as seeds of the service, given to it on the command line as an operator does. Each has a provider of its own, by which the
# report tells them apart.

declare -A seed_id=()

add_seeds() {
  printf 'open sesame' >"$work/password"
  #        mailbox provider host                security port
  add_seed keeper  gmx      imap.seeds.example  tls      "$imaps_port"
  add_seed filer   webde    imap.seeds.example  starttls "$imap_port"
  add_seed loser   zoho     "$SEEDS"            none     "$imap_port"
  add_seed slow    aol      imap.seeds.example  tls      "$imaps_port"
  add_seed locked  yandex   imap.seeds.example  tls      "$imaps_port"
}

add_seed() {
  local reply
  reply=$(on_command_line seeds add "$1@seeds.example" --provider "$2" --host "$3" --security "$4" --port "$5" --login "$1" \
    --authserv-id mx.seeds.example --password-file "$work/password")
  seed_id[$1]=$(field id "$reply")
}

# Prints the reply, whatever the command's end is.
on_command_line() {
  MAILSONDE_SERVER=$url MAILSONDE_ADMIN_KEY=$admin timeout 60 npm run --silent admin -- --json "$@" || true
}

# What real servers answer to the service's own questions, before any mail.
expect_of_seeds() {
  local name reply
  printf '\n%-44s %s\n' 'a seed' 'its mailbox said'
  for name in keeper filer loser slow locked; do
    reply=$(on_command_line seeds test "${seed_id[$name]}")
    expect_told "$name can be read" "$reply" 'reply.readable' true
    expect_told "$name has a folder for junk" "$reply" 'reply.has_junk' true
  done
  change_password locked
  expect_told 'five can be used' "$(ask placement/seeds)" 'reply.providers.map((one) => one.seeds).join()' 1,1,1,1,1
}

# $1 what, $2 a reply, $3 an expression over it, $4 what it must be.
expect_told() {
  local found
  found=$(node -p 'const reply = JSON.parse(process.argv[1]);
    const seedAt = (name) => reply.placement.providers.find(({ provider }) => provider === name)?.seeds[0];
    String(eval(process.argv[2]))' "$2" "$3" 2>&1) || found="${found##*Error: }"
  printf '%-44s %s' "$1" "$found"
  judge "$found" "$4"
}

# $1 path of the interface; more are options of curl. Prints the reply.
ask() {
  local path=$1
  shift
  curl -sS --max-time 40 "$url/api/v1/$path" -H "Authorization: Bearer $key" "$@"
}
