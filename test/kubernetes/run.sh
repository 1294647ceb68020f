#!/usr/bin/env bash
# The manifests of docs/kubernetes against Kubernetes itself: built as `kubectl apply -k` does, each object is read into the types of the API
# server (an unknown field, a wrong type or a key twice is an error), and held against the schemas of its OpenAPI document (what is missing,
# or written in a way that it is not taken). What was broken on purpose must be found. No cluster is asked. Where there is no Go, or its
# modules or packages cannot be had, it says SKIPPED.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

MODULES=(k8s.io/api@v0.34.2 k8s.io/apimachinery@v0.34.2 sigs.k8s.io/kustomize/api@v0.20.1 sigs.k8s.io/kustomize/kyaml@v0.20.1)
PACKAGES=(kubernetes-models@5.1.0 yaml@2.9.1)
here=$PWD/test/kubernetes
manifests=$PWD/docs/kubernetes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

main() {
  if ! command -v go >/dev/null; then
    echo 'SKIPPED: no manifest was read into the types of the API server, because there is no Go on this machine.'
  elif ! build_check >"$work/go.log" 2>&1; then
    tail -n 5 "$work/go.log"
    echo "SKIPPED: no manifest was read into the types of the API server, because Go's modules cannot be had here."
  else
    "$work/check" "$manifests"
    finds 'unknown field "spec.replicaz"' 's/^  replicas:/  replicaz:/' worker.yaml
    finds 'unknown field "spec.template.spec.containers[0].imagge"' 's/image:/imagge:/' worker.yaml
    finds 'cannot unmarshal string into Go struct field' 's/replicas: .*/replicas: many/' worker.yaml
    echo "The API server's types know every field of the manifests, and what was broken on purpose was found."
  fi
  if npm install --prefix "$work" --no-audit --no-fund --ignore-scripts --loglevel=error "${PACKAGES[@]}" >/dev/null; then
    cp "$here/required.mjs" "$work"
    node "$work/required.mjs" "$manifests"
    mkdir "$work/broken"
    sed 's/^  serviceName:/  # serviceName:/' "$manifests/worker.yaml" >"$work/broken/worker.yaml"
    sed -i '/^  selector:/,/^  template:/{/^  template:/!d}' "$work/broken/worker.yaml"
    if node "$work/required.mjs" "$work/broken" >"$work/found"; then
      echo 'FAILED: a manifest without its selector was not found.'
      exit 1
    fi
    grep --fixed-strings "must have required property 'selector'" "$work/found" || grep --fixed-strings 'required property selector' "$work/found"
    echo 'The schemas have nothing against the manifests, and what was taken away on purpose was missed.'
  else
    echo 'SKIPPED: no manifest was held against the schemas, because they cannot be had from the npm registry here.'
  fi
}

build_check() {
  mkdir "$work/go" && cp "$here/check.go" "$work/go" && cd "$work/go" || return
  # Only this Go: another toolchain would have to be fetched.
  export GOTOOLCHAIN=local
  go mod init check && go get "${MODULES[@]}" && go mod tidy && go build -o "$work/check" check.go || return
  cd - >/dev/null
}

# $1 what must be said, $2 how a manifest is broken, $3 the manifest.
finds() {
  local said
  said=$(sed "$2" "$manifests/$3" | "$work/check" -) && echo "FAILED: $2 was not found." && exit 1
  grep --fixed-strings --quiet "$1" <<<"$said" || { echo "FAILED: $2 was told as: $said" && exit 1; }
}

main
