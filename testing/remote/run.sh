#!/usr/bin/env bash
# Lints, documents and tests the crates for remote files: `arrow-ipc-object-store`, the program with URLs, and a server that
# misbehaves. Tests with S3 need python3 with venv and pip; says SKIPPED where the packages cannot be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

manifest=testing/remote/Cargo.toml
cargo fmt --manifest-path $manifest -p remote -p arrow-ipc-object-store -p arrow-ipc-remote --check
cargo clippy --quiet --manifest-path $manifest --workspace --all-targets -- -D warnings
RUSTDOCFLAGS=-Dwarnings cargo doc --quiet --manifest-path $manifest -p arrow-ipc-object-store --no-deps

# The same packages as for the tests of the Python package, in the same environment.
requirements=python/requirements.txt
target=${CARGO_TARGET_DIR:-target}
venv=$target/python-venv
if ! cmp --silent "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --retries 1 --requirement "$requirements"; }; then
        echo "SKIPPED: tests with S3: the packages of $requirements cannot be installed"
        exec cargo test --quiet --manifest-path $manifest --workspace
    fi
    cp "$requirements" "$venv"
fi
exec "$venv/bin/python" testing/remote/with_s3.py cargo test --quiet --manifest-path $manifest --workspace
