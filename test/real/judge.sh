# Counts what was expected and what was not, and shows what servers wrote.

passed=0
failed=0
wrong=() # What was found instead of what, a line each.

# $1 what was found, $2 what was expected; behind whatever stands on the line.
judge() {
  if [[ $1 == "$2" ]]; then
    passed=$((passed + 1))
    echo
  else
    failed=$((failed + 1))
    wrong+=("row $((passed + failed)) is $1, NOT $2")
    echo "   NOT $2"
  fi
}

# Again, below the logs: the end is what a reader is shown first.
show_wrong() {
  printf '%s\n' "${wrong[@]}" >&2
}

show_logs() {
  local log
  for log in "$work"/{,*/}*.log "$work"/roots/exim/root/var/log/exim4/mainlog; do
    [[ ! -s $log ]] || { echo "--- $log" && tail -n 30 "$log"; } >&2
  done
}
