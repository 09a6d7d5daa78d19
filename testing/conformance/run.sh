#!/usr/bin/env bash
# Runs the readers of other implementations, and this one, over testing/corpus; arguments go to run.py. Needs python3 with venv and pip,
# and for JavaScript node and npm; says SKIPPED for a reader that cannot be installed, with status 77 without Python.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

here=testing/conformance
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
work=$target/conformance
mkdir -p "$work"
if ! cmp --silent "$here/requirements.txt" "$work/venv/requirements.txt"; then
    rm -rf "$work/venv"
    if ! { python3 -m venv "$work/venv" && "$work/venv/bin/pip" install --quiet --retries 1 --requirement "$here/requirements.txt"; }; then
        echo "SKIPPED: conformance: no python3 with venv, or the packages of $here/requirements.txt cannot be installed"
        exit 77
    fi
    cp "$here/requirements.txt" "$work/venv"
fi
"$work/venv/bin/python" -c 'import duckdb; duckdb.connect().execute("install nanoarrow from community")' 2>"$work/duckdb.log" || true
if ! cmp --silent "$here/package.json" "$work/js/package.json"; then
    rm -rf "$work/js"
    mkdir -p "$work/js"
    cp "$here"/package*.json "$work/js"
    if ! { command -v npm >"$work/npm.log" && npm ci --silent --prefix "$work/js"; }; then
        rm -rf "$work/js"
    fi
fi
cargo build --quiet -p fletching-arrow-ipc-cli
CARGO_TARGET_DIR=$target cargo build --quiet --manifest-path testing/peers/Cargo.toml --bin read-rows
if [ -d "$work/js" ]; then
    export NODE_MODULES=$work/js/node_modules
fi
# The runner's own tests, before all files are read.
if [[ "$*" =~ ^(--write)?$ ]]; then
    "$work/venv/bin/python" "$here/test_run.py"
fi
exec "$work/venv/bin/python" "$here/run.py" --program "$target/debug/arrow-ipc" --arrow-rs "$target/debug/read-rows" "$@"
