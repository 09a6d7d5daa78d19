#!/usr/bin/env bash
# The page viewer.html, if `cargo xtask wasm` has made it, in a headless Chromium, and the npm package. Prints SKIPPED for what is not there; without a
# browser, without Node, or without both the page and the modules, nothing is tested, and the status is 77.
# `--shots FOLDER` keeps screenshots there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

shots=
case "${1:-}" in
    "") ;;
    --shots) shots=$(realpath "${2:?a folder}") ;;
    *) echo "usage: testing/browser/test.sh [--shots FOLDER]" >&2; exit 2 ;;
esac

find_browser() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" && return
    done
    return 1
}
if ! browser=$(find_browser) && [[ $(id -u) == 0 ]] && command -v apt-get > /dev/null; then
    apt-get install -y --no-install-recommends chromium > /dev/null 2>&1 || true
fi
if ! browser=$(find_browser); then
    echo "SKIPPED: no chromium on the PATH, and it cannot be installed"
    exit 77
fi
if ! node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' 2> /dev/null; then
    echo "SKIPPED: no Node 20 or newer on the PATH"
    exit 77
fi

pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
if [[ -f js/viewer/viewer.html ]]; then
    cargo build -q -p fletching-arrow-ipc-cli
    program=$(cargo metadata --format-version 1 --no-deps | node -p 'JSON.parse(require("fs").readFileSync(0)).target_directory')/debug/arrow-ipc
    node testing/browser/viewer.mjs "$browser" "$pages" "$program" ${shots:+"$shots"}
    node testing/browser/viewer_files.mjs "$browser" "$pages" "$program" ${shots:+"$shots"}
    node testing/browser/bytes.mjs "$browser" "$pages" "$program" ${shots:+"$shots"}
else
    echo "SKIPPED: the page is not there: \`cargo xtask wasm\` makes it"
fi
testing/browser/bundlers.sh "$browser" || {
    status=$?
    [[ $status == 77 && -f js/viewer/viewer.html ]] || exit $status
}
