#!/usr/bin/env bash
# Shows what we write to pyarrow, polars and nanoarrow, and reads what they make of it; hands arrays to pyarrow and back. The
# golden files of these, and of the JavaScript library where there is node, are rewritten and compared.
# Needs python3 with venv and pip; says SKIPPED, with status 77, where the packages cannot be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The same packages as for the tests of the Python package, in the same environment.
requirements=python/requirements.txt
target=${CARGO_TARGET_DIR:-target}
venv=$target/python-venv
if ! cmp --silent "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    if ! "$venv/bin/pip" install --quiet --retries 1 --requirement "$requirements"; then
        echo "SKIPPED: tests with Python: the packages of $requirements cannot be installed"
        exit 77
    fi
    cp "$requirements" "$venv"
fi

golden=testing/corpus/golden
for writer in pyarrow nanoarrow polars; do
    "$venv/bin/python" "$golden/write_$writer.py" --check
done

# Prints why not, where the JavaScript library is not there.
install_js() {
    local folder=$target/js-golden
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        echo "no node with npm"
    elif ! cmp --silent "$golden/package-lock.json" "$folder/package-lock.json"; then
        rm -rf "$folder" "$folder.new"
        mkdir -p "$folder.new"
        cp "$golden/package.json" "$golden/package-lock.json" "$folder.new"
        if npm ci --prefix "$folder.new" --silent --no-audit --no-fund --fetch-retries 1 >/dev/null 2>&1; then
            mv "$folder.new" "$folder"
        else
            echo "the packages of $golden/package-lock.json cannot be installed"
        fi
    fi
}
why_not=$(install_js)
if [ -z "$why_not" ]; then
    NODE_PATH=$(cd "$target/js-golden" && pwd)/node_modules "$venv/bin/python" "$golden/write_js.py" --check
else
    echo "SKIPPED: golden files of the JavaScript library: $why_not"
fi

# Sparse tensors are written and read by a small program in C++.
if command -v g++ >/dev/null; then
    "$venv/bin/python" testing/corpus/tensors/write_tensors.py --check
else
    echo "SKIPPED: golden tensors and sparse tensors: there is no g++"
fi

# Builds what `cargo test --workspace` has built, these programs and the library for C among it, with the same features.
cargo build --quiet --workspace --lib --bins --tests --examples
samples=$target/samples
rm -rf "$samples"
"$target/debug/write-samples" "$samples"
"$venv/bin/python" testing/python/test_tensors.py "$samples/tensors"
"$venv/bin/python" testing/python/test_peers.py "$samples" "$target/debug/arrow-ipc"
"$venv/bin/python" testing/python/test_transcoded.py "$target/debug/arrow-ipc"
"$venv/bin/python" testing/python/test_appended.py "$target/debug/arrow-ipc"
"$venv/bin/python" testing/python/test_killed_append.py "$target/debug/arrow-ipc"
"$venv/bin/python" testing/python/test_planned_file.py "$target/debug/examples/serve_planned_file"
"$venv/bin/python" testing/python/test_flight_data.py "$target/debug/examples/frame_flight_data"

# Documents of the integration tests, through the C data interface.
documents=$target/c-data-documents
rm -rf "$documents"
mkdir -p "$documents"
"$target/debug/generate-integration-json" --seed 5 --out "$documents" >/dev/null
for library in "$target"/debug/{lib,}arrow_integration_testing.{so,dylib,dll}; do
    if [ -e "$library" ]; then
        "$venv/bin/python" testing/python/test_c_data.py "$library" "$documents"
    fi
done
