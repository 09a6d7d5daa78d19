#!/usr/bin/env bash
# Lints, documents and tests the crates for remote files: `arrow-ipc-object-store`, the program with URLs, and a server that
# misbehaves. Tests with S3 need python3 with venv and pip; says SKIPPED where the packages cannot be installed.
#
# `run.sh --features remote/object-store-0-13` does so with the older version of `object_store` too, as `cargo xtask hunt random` does: the code
# for both versions is the same files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# With what the tests of the libraries have built, where that is there.
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR=$target
manifest=testing/remote/Cargo.toml
cargo fmt --manifest-path $manifest -p remote --check

# Lints, pages and tests are one build: for lints or pages alone, cargo would look at all dependencies a second time.
export RUSTC_WORKSPACE_WRAPPER=$PWD/testing/remote/lint.sh
export RUSTDOC=$PWD/testing/remote/document.sh
# In the workspace of the libraries, none of its features is on.
cargo test --quiet -p fletching-arrow-ipc-object-store --features dataset,fs,object-store-0-13,object-store-0-14
tests=(cargo test --quiet --manifest-path $manifest --workspace "$@")

# The same packages as for the tests of the Python package, in the same environment.
requirements=python/requirements.txt
venv=$target/python-venv
if ! cmp --silent "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --retries 1 --requirement "$requirements"; }; then
        echo "SKIPPED: tests with S3: the packages of $requirements cannot be installed"
        exec "${tests[@]}"
    fi
    cp "$requirements" "$venv"
fi
exec "$venv/bin/python" testing/remote/with_s3.py "${tests[@]}"
