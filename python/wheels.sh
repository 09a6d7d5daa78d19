#!/usr/bin/env bash
# Builds the wheel and the source package as they are installed, and checks both: each alone in a fresh environment, and the wheel
# beside the newest pyarrow, polars, pandas, DuckDB and NumPy. Needs python3 with venv and pip, and their packages; where these
# cannot be had, says SKIPPED, with status 77. Builds twice, which takes minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

max_wheel_bytes=5500000
# The page of `arrow-ipc serve`, which is in the wheel if it was made.
max_page_bytes=900000
page=../js/viewer/viewer.html
place=python/arrow_ipc/viewer.html
licences=(LICENSE-APACHE LICENSE-MIT LICENSE-THIRD-PARTY.txt)
shared=$(realpath -m "${CARGO_TARGET_DIR:-../target}")
target=$shared/wheels
export CARGO_TARGET_DIR=$target/packages
rm -rf "$target"/{dist,tools,alone,source,beside}
mkdir -p "$target"

# A fresh environment with these packages.
environment() {
    local folder=$target/$1
    shift
    python3 -m venv "$folder" && "$folder/bin/pip" install --quiet --retries 1 "$@"
}

xtask() {
    CARGO_TARGET_DIR=$shared cargo run --quiet --manifest-path ../Cargo.toml --package xtask -- "$@"
}

# Nothing of this project: where the packages of others cannot be had, there is nothing to check with.
for packages in "tools maturin>=1.9,<2" "beside duckdb nanoarrow numpy pandas polars pyarrow pytest"; do
    # shellcheck disable=SC2086 # several words
    if ! environment $packages; then
        echo "SKIPPED: wheels of the Python package: no python3 with venv, or no $packages"
        exit 77
    fi
done
trap 'rm -f "$place" LICENSE-*' EXIT
rm -f "$place" LICENSE-*
# The wheel has what lies beside pyproject.toml under these names.
cp ../LICENSE-* .
xtask third-party Cargo.toml LICENSE-THIRD-PARTY.txt
if [ -f "$page" ]; then
    cp "$page" "$place"
    cp ../js/wasm/THIRD-PARTY.txt LICENSE-THIRD-PARTY-viewer.txt
    licences+=(LICENSE-THIRD-PARTY-viewer.txt)
    max_wheel_bytes=$((max_wheel_bytes + max_page_bytes))
else
    echo "SKIPPED the page of \`arrow-ipc serve\` in the wheel: \`cargo xtask wasm\` makes it"
fi
TIMEFORMAT='%U s of processors to build the wheel, with what was built before left as it is'
time xtask reproducible env CARGO_TARGET_DIR="$CARGO_TARGET_DIR" "$target/tools/bin/maturin" build --quiet --release --manifest-path Cargo.toml --out "$target/dist"
"$target/tools/bin/maturin" sdist --manifest-path Cargo.toml --out "$target/dist"
wheel=$(echo "$target"/dist/*.whl)
source=$(echo "$target"/dist/*.tar.gz)

n_bytes=$(wc -c <"$wheel")
echo "$(basename "$wheel") has $n_bytes bytes, $(basename "$source") $(wc -c <"$source")"
if [ "$n_bytes" -gt "$max_wheel_bytes" ]; then
    echo "the wheel may have $max_wheel_bytes bytes" >&2
    exit 1
fi
# The whole list: `grep -q` stops at the first match, and with `pipefail` the program that still writes fails.
files=$("$target/tools/bin/python" -m zipfile -l "$wheel")
if [ -f "$place" ] && ! grep -q '^arrow_ipc/viewer.html ' <<<"$files"; then
    echo "the wheel does not have the page" >&2
    exit 1
fi
for licence in "${licences[@]}"; do
    if ! grep -q "\.dist-info/licenses/$licence " <<<"$files"; then
        echo "the wheel does not have $licence" >&2
        exit 1
    fi
done
case $wheel in
*-cp311-abi3-*) ;;
*)
    echo "the wheel is not one for Python 3.11 and all later ones" >&2
    exit 1
    ;;
esac

# For a Python without the interpreter's lock, which need not be here: `pip install` is refused there, and trials are compiled.
cat >"$target/free-threaded.txt" <<'EOF'
implementation=CPython
version=3.14
target_abi=CPython-free_threaded-3.14
shared=true
build_flags=Py_GIL_DISABLED
suppress_build_script_link_lines=true
EOF
export PYO3_CONFIG_FILE=$target/free-threaded.txt
ARROW_IPC_FREE_THREADED=1 cargo check --quiet --target-dir "$target/free-threaded"
if ! said=$(cargo check --quiet --target-dir "$target/free-threaded" 2>&1) && [[ $said == *"set ARROW_IPC_FREE_THREADED=1"* ]]; then
    unset PYO3_CONFIG_FILE
else
    echo "a build for a Python without the interpreter's lock is not refused: $said" >&2
    exit 1
fi

sample=../testing/corpus/golden/pyarrow-26.0.1
# Without a network, so that nothing else is installed; and in another folder, which has no sources to import.
environment alone --no-index "$wheel"
environment source "$source"
if grep --binary-files=text --recursive --include='*_arrow_ipc*' -e "$(realpath ..)/" -e "${CARGO_HOME:-$HOME/.cargo}/" "$target"/alone/lib | head -c 2000 | grep .; then
    echo "the wheel names folders of this machine" >&2
    exit 1
fi
for name in alone source; do
    "$target/$name/bin/python" -I check_installed.py "$sample"
    [ "$("$target/$name/bin/arrow-ipc" count ../docs/people.arrow)" = 8 ]
done
"$target/beside/bin/pip" install --quiet --no-index --no-deps "$wheel"
"$target/beside/bin/python" -I check_installed.py "$sample"
exec "$target/beside/bin/pytest" tests/test_{capsules,docs,index,memory,pickle,readme,recipes,values,write}.py "$@"
