#!/usr/bin/env bash
# Lints and builds the extension of DuckDB, loads it into the DuckDB of PyPI, and runs the tests; arguments go to pytest. Needs python3
# with venv and pip; says SKIPPED, with status 77, where the packages cannot be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

requirements=testing/engines/duckdb/requirements.txt
target=$(realpath -m "${CARGO_TARGET_DIR:-crates/arrow-duckdb/target}")
venv=$target/duckdb-venv
if ! cmp --silent "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    if ! "$venv/bin/pip" install --quiet --retries 1 --requirement "$requirements"; then
        echo "SKIPPED: tests of the extension of DuckDB: the packages of $requirements cannot be installed"
        exit 77
    fi
    cp "$requirements" "$venv"
fi
manifest=crates/arrow-duckdb/Cargo.toml
cargo fmt --manifest-path "$manifest" --check
cargo clippy --quiet --manifest-path "$manifest" --target-dir "$target" -- -D warnings
cargo xtask duckdb-extension "$target/duckdb" dev
cd testing/engines/duckdb
exec "$venv/bin/pytest" -q -rs --confcutdir=. --extension="$target/duckdb/arrow_ipc.duckdb_extension" "$@"
