# Sourced: Prometheus and promtool on PATH, the machine's own or Debian's unpacked into $scratch; nothing is installed and no daemon starts.

find_prometheus() {
  command -v prometheus >/dev/null && command -v promtool >/dev/null
}

# Debian's package needs no library.
unpack_prometheus() {
  command -v apt-get >/dev/null || return
  echo "Unpacking prometheus from Debian's packages ..."
  {
    timeout 180 apt-get update
    (cd "$scratch" && timeout 300 apt-get download prometheus && dpkg-deb -x prometheus_*.deb .)
  } >"$scratch/log" 2>&1 || { tail -n 5 "$scratch/log" >&2 && return 1; }
  PATH=$scratch/usr/bin:$PATH
  find_prometheus
}
