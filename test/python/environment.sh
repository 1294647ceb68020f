# A Python of a test's own, and keys of the service that it tests.

# $1 directory, $2 requirements with exact versions. Fails where Python or a package cannot be had.
python_environment() {
  local python
  python=$(command -v python3.11 || command -v python3) || return
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || return
  "$python" -m venv "$1" && timeout 240 "$1/bin/pip" install --quiet --disable-pip-version-check -r "$2"
}

# $1 Python. Writes KIND.keys below $work, one key a line; several of a kind, because tests revoke some of them.
make_keys() {
  local reply
  reply=$(DATA_DIR=$work/data DATABASE_URL='' node dist/src/cli/admin.js --json create-key --name test) || die 'no admin key'
  "$1" test/python/keys.py "$url" "$(field api_key "$reply")" "$work" || die 'no keys'
}
