#!/usr/bin/env bash
# Builds the wheel, installs it in an environment with pyarrow, polars, pandas, duckdb and nanoarrow, and runs the
# tests; arguments go to pytest. Needs python3 with venv and pip; says SKIPPED, with status 77, where the packages
# cannot be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

requirements=python/requirements.txt
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
venv=$target/python-venv
if ! cmp --silent "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    if ! "$venv/bin/pip" install --quiet --retries 1 --requirement "$requirements"; then
        echo "SKIPPED: tests of the Python package: the packages of $requirements cannot be installed"
        exit 77
    fi
    cp "$requirements" "$venv"
fi

cargo fmt --manifest-path python/Cargo.toml --check
cargo clippy --quiet --manifest-path python/Cargo.toml --target-dir "$target" -- -D warnings
# With what the tests of the libraries have built, where that is there.
wheels=$target/python-wheels
rm -rf "$wheels"
"$venv/bin/maturin" build --quiet --manifest-path python/Cargo.toml --interpreter "$venv/bin/python" \
    --profile dev --target-dir "$target" --out "$wheels"
"$venv/bin/pip" install --quiet --force-reinstall --no-deps --no-index "$wheels"/*.whl
"$venv/bin/python" -m mypy.stubtest arrow_ipc --allowlist python/tests/engines.txt
cd python
program=$target/debug/arrow-ipc
if [ -x "$program" ]; then
    # As one word: the value alone would count as a path of tests.
    set -- "--program=$program" "$@"
fi
# The tests write thousands of small files, at most 200 MB at once. In memory, this takes several seconds less of processors.
memory=/dev/shm
if [ -w "$memory" ] && [ "$(df --output=avail "$memory" | tail -1)" -gt 2000000 ] 2>/dev/null; then
    export PYTEST_DEBUG_TEMPROOT=${PYTEST_DEBUG_TEMPROOT:-$memory}
fi
# Not as `python -m pytest`, which would import the sources in this folder.
exec "$venv/bin/pytest" "$@"
