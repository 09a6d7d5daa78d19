#!/usr/bin/env bash
# What cargo runs in place of rustdoc for the examples in documentation (RUSTDOC): tests them, and makes the pages of the same build,
# in which nothing may be wrong. `cargo doc` would look at all dependencies once more.
set -euo pipefail
pages=()
is_skipped=false
for arg in "$@"; do
    if $is_skipped; then
        is_skipped=false
        continue
    fi
    case $arg in
    --test) ;;
    --test-run-directory | --test-args | --test-runtool | --test-runtool-arg) is_skipped=true ;;
    --test-*=*) ;;
    *) pages+=("$arg") ;;
    esac
done
if [[ ${#pages[@]} -lt $# ]]; then
    rustdoc "${pages[@]}" -Dwarnings --out-dir "$CARGO_TARGET_DIR/doc"
fi
exec rustdoc "$@"
