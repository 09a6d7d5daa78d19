#!/bin/sh
# Builds all targets as OSS-Fuzz wants them: programs, seeds and dictionaries in $OUT. Needs cargo-fuzz, a nightly toolchain and `zip`.
#     OUT=/tmp/out testing/fuzz/build.sh
set -eu
# Other folders are relative to this one.
mkdir -p "${OUT:?the folder to write to}"
out=$(cd "$OUT" && pwd)
cd "$(dirname "$0")"
# Sanitizers need a nightly compiler, and the workspace pins a released one.
export RUSTUP_TOOLCHAIN="${RUSTUP_TOOLCHAIN:-nightly}"

cargo fuzz build --fuzz-dir . -O --debug-assertions
built=${CARGO_TARGET_DIR:-target}/$(rustc --print host-tuple)/release
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT

for program in fuzz_targets/*.rs; do
    target=$(basename "$program" .rs)
    cp "$built/$target" "$out/$target"
    cp arrow.dict "$out/$target.dict"
    printf '[libfuzzer]\nmax_len = 40000\n' > "$out/$target.options"
    # The flags of fuzzers are not for the program that writes seeds, nor for the C code in it.
    env -u RUSTFLAGS -u CFLAGS -u CXXFLAGS cargo run --quiet --manifest-path ../../Cargo.toml -p mutants -- \
        --target "$target" --write-seeds "$seeds/$target" > /dev/null
    (cd "$seeds/$target" && zip -q -r "$out/${target}_seed_corpus.zip" .)
done
echo "$(ls fuzz_targets | wc -l) targets in $out"
