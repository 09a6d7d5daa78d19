#!/usr/bin/env bash
# Shows what we write to pyarrow, polars and nanoarrow, and reads what they make of it. The golden files of pyarrow are
# written anew and compared.
# Needs python3 with venv and pip; says SKIPPED where the packages cannot be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

requirements=testing/python/requirements.txt
target=${CARGO_TARGET_DIR:-target}
venv=$target/python-venv
if ! cmp --silent "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    if ! "$venv/bin/pip" install --quiet --retries 1 --requirement "$requirements"; then
        echo "SKIPPED: tests with Python: the packages of $requirements cannot be installed"
        exit 0
    fi
    cp "$requirements" "$venv"
fi

"$venv/bin/python" testing/corpus/golden/write_pyarrow.py --check

# Sparse tensors are written and read by a small program in C++.
if command -v g++ >/dev/null; then
    "$venv/bin/python" testing/corpus/tensors/write_tensors.py --check
else
    echo "SKIPPED: golden tensors and sparse tensors: there is no g++"
fi

cargo build --quiet --package samples --package arrow-ipc-cli --bins
samples=$target/samples
rm -rf "$samples"
"$target/debug/write-samples" "$samples"
"$venv/bin/python" testing/python/test_tensors.py "$samples/tensors"
"$venv/bin/python" testing/python/test_peers.py "$samples" "$target/debug/arrow-ipc"
