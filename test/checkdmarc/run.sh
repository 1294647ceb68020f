#!/usr/bin/env bash
# Zones of all kinds of faults, judged by us and by checkdmarc, which is written in Python.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source test/python/environment.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

python_environment "$work/venv" test/checkdmarc/requirements.txt || {
  echo 'SKIPPED: there is no Python 3.11 here, or checkdmarc cannot be had from the package registry.'
  exit 0
}
CHECKDMARC_PYTHON=$work/venv/bin/python PYTHONDONTWRITEBYTECODE=1 npx vitest run --project checkdmarc
