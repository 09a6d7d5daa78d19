#!/usr/bin/env bash
# Compiles programs in C and C++ against the header, and runs them over the corpus: under AddressSanitizer where the compiler has it, and
# under valgrind where it is installed. What is read through the C interface is written through it again, and compared with the expected
# documents; pyarrow and Node read by it, too. Needs cargo, cc and c++; says SKIPPED for what is not there, with status 77 where
# that is a compiler. With --quick, only misuse and hostile files, in C and without sanitizers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tools="cc c++" packages="-p fletching-arrow-ipc-c -p integration" sources=(testing/c/{copy,hostile,misuse}.c testing/c/threads.cpp)
if [ "${1:-}" = --quick ]; then
    tools=cc packages="-p fletching-arrow-ipc-c" sources=(testing/c/{hostile,misuse}.c)
fi
for tool in $tools; do
    if ! command -v $tool >/dev/null; then
        echo "SKIPPED: tests of the C interface: no $tool"
        exit 77
    fi
done
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
out=$target/c-tests
rm -rf "$out"
mkdir -p "$out/files"
cargo build --quiet $packages
library=$target/debug/libarrow_ipc_c.a

warnings="-Wall -Wextra -Werror -pedantic -Wconversion -Wno-sign-conversion -Wstrict-prototypes -Wmissing-prototypes"
flags=(-g -O1 -Icrates/arrow-ipc-c/include -Itesting/c)
libraries=("$library" -lpthread -ldl -lm)
sanitizers=()
if [ "${1:-}" = --quick ]; then
    :
elif echo 'int main(void) { return 0; }' | cc -xc - -fsanitize=address,undefined -o "$out/none" 2>/dev/null && "$out/none"; then
    sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
else
    echo "SKIPPED: no AddressSanitizer"
fi

# The program of the README is compiled as it is there.
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' crates/arrow-ipc-c/README.md >"$out/example.c"
compile() { # source, program, flags
    local source=$1 program=$2
    shift 2
    case $source in
    *.c) cc -std=c99 $warnings "${flags[@]}" "$@" "$source" -o "$program" "${libraries[@]}" ;;
    *) c++ -std=c++14 -Wall -Wextra -Werror -pedantic "${flags[@]}" "$@" "$source" -o "$program" "${libraries[@]}" ;;
    esac
}
for source in "${sources[@]}" "$out/example.c"; do
    name=$(basename "${source%.*}")
    compile "$source" "$out/$name" ${sanitizers[@]+"${sanitizers[@]}"}
done
# The header alone, as the oldest C that it needs.
echo '#include <arrow_ipc.h>' | cc -xc -std=c99 $warnings -fsyntax-only "${flags[@]}" -

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
golden=testing/corpus/golden
# At least two batches and two columns.
many=$golden/pyarrow-26.0.1/binary-text-sliced.arrow
"$out/misuse" "$many" "$out/files"
"$out/example" "$many" >/dev/null
echo "misuse, example: ok"

echo "hostile files, by code: $("$out/hostile" testing/corpus/hostile/* testing/corpus/damaged/*)"

if [ "${1:-}" = --quick ]; then
    exit 0
fi

# The header alone, as C++.
echo '#include <arrow_ipc.h>' | c++ -xc++ -std=c++98 -Wall -Wextra -Werror -pedantic -Wno-long-long -fsyntax-only "${flags[@]}" -
"$out/threads" "$many"
echo "threads: ok"

n_files=0
while IFS= read -r file; do
    "$out/copy" "$file" "$out/files/copy.arrows" >/dev/null
    n_files=$((n_files + 1))
done < <(find "$golden" -name '*.arrow' -o -name '*.arrows' -o -name '*.feather')
echo "$n_files golden files are copied through all doors"

if [ -z "${ARROW_TEST_DATA:-}" ]; then
    echo "SKIPPED: comparison with the expected documents: ARROW_TEST_DATA is not set"
else
    n_files=0
    validate=$target/debug/arrow-json-integration-test
    while IFS= read -r json; do
        base=${json%.json.gz}
        gunzip -c "$json" >"$out/files/expected.json"
        for input in "$base.arrow_file" "$base.stream"; do
            [ -f "$input" ] || continue
            # Files take one dictionary, streams any; compressed or not.
            "$out/copy" "$input" "$out/files/copy.arrow" compression=lz4 dictionaries=delta >/dev/null
            "$validate" --mode VALIDATE --arrow "$out/files/copy.arrow" --json "$out/files/expected.json"
            "$out/copy" "$input" "$out/files/copy.arrows" >/dev/null
            n_files=$((n_files + 1))
        done
    done < <(find "$ARROW_TEST_DATA/arrow-ipc-stream/integration" -name '*.json.gz' | sort)
    echo "$n_files gold files are copied through all doors, with the expected values"
fi

if command -v valgrind >/dev/null; then
    check="valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect"
    for name in copy misuse; do
        compile testing/c/$name.c "$out/$name-plain"
    done
    $check "$out/misuse-plain" "$many" "$out/files"
    $check "$out/copy-plain" "$many" "$out/files/copy.arrows" compression=zstd >/dev/null
    echo "valgrind: ok"
else
    echo "SKIPPED: no valgrind"
fi

# What a program that loads the library can call: nothing but the functions of the header.
shared=$target/debug/libarrow_ipc_c.so
if ! command -v nm >/dev/null; then
    echo "SKIPPED: no nm"
else
    nm -D --defined-only "$shared" | awk '{ print $NF }' | sort >"$out/exported"
    grep -oE '^[a-z][a-z0-9_ *]* \*?aipc_[a-z0-9_]+\(' crates/arrow-ipc-c/include/arrow_ipc.h | grep -oE 'aipc_[a-z0-9_]+\(' | tr -d '(' | sort >"$out/declared"
    diff "$out/declared" "$out/exported"
    echo "$(wc -l <"$out/declared") functions are exported, as the header says"
fi

python=${PYTHON_VENV:-$target/python-venv}/bin/python
[ -x "$python" ] || python=python3
if ! "$python" -c 'import pyarrow' 2>/dev/null; then
    echo "SKIPPED: no pyarrow"
else
    "$python" testing/c/read_with_ctypes.py "$shared" ${ARROW_TEST_DATA:+"$ARROW_TEST_DATA"}
fi

# Pinned, so that it is the same everywhere.
koffi=koffi@3.3.4
node_folder=$target/c-node
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "SKIPPED: no node with npm"
elif ! npm install --prefix "$node_folder" "$koffi" --silent --no-audit --no-fund --fetch-retries 1 >/dev/null 2>&1; then
    echo "SKIPPED: $koffi cannot be installed"
else
    cp testing/c/read_with_koffi.mjs "$node_folder"
    found=$(node "$node_folder/read_with_koffi.mjs" "$shared" "$golden/pyarrow-26.0.1/compressed-lz4-long.arrow" | tail -1)
    [ "$found" = "20 rows, sum 658" ] || { echo "Node found $found" && exit 1; }
    echo "Node: $found"
fi
