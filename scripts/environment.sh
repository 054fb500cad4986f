# SPDX-License-Identifier: Apache-2.0
# Sourced by the other scripts: where the cache is, which versions are wanted, how to speak and to stop. Changes to the repository's root.
# shellcheck shell=bash
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
export INGOT_CACHE=${INGOT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/ingot}
export LC_ALL=C.UTF-8
# shellcheck source=cmake/versions.env
. cmake/versions.env
venv=$INGOT_CACHE/venv
script=${0##*/}

say() { printf '%s: %s\n' "$script" "$*" >&2; }
die() { say "$*"; exit 5; }

# configure_and_build PRESET [TARGET...]: as quiet as it can be; all compiler output where it fails.
configure_and_build() {
  local preset=$1 log=build/$1/configure.log
  shift
  mkdir -p "build/$preset"
  "$venv/bin/cmake" --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; die "the preset '$preset' does not configure"; }
  NINJA_STATUS='[%f/%t] ' "$venv/bin/cmake" --build --preset "$preset" ${1:+--target "$@"} >&2
}
