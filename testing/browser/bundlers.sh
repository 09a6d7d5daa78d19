#!/usr/bin/env bash
# The npm package as it is installed, by its README alone: in pages of Vite and webpack, built and from their development servers, without a bundler,
# in workers, and in Node, Bun and Deno. Needs the modules (`cargo xtask wasm`), Chromium, and packages of npm. Says SKIPPED where these are not there, with
# status 77.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

browser=${1:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [[ -z $browser ]]; then
    echo "SKIPPED bundlers: no chromium on the PATH"
    exit 77
fi
if [[ ! -f ../../js/wasm/full.wasm ]]; then
    echo "SKIPPED bundlers: \`cargo xtask wasm\` makes the modules"
    exit 77
fi
folder=$(realpath "$(mktemp -d)")
trap 'rm -rf "$folder"' EXIT
cp -r bundlers/. "$folder"
npm pack --silent --pack-destination "$folder" ../../js > /dev/null
# With the versions of the lock file. `npm ci` refuses it: it misses an optional package of Windows that the lock file cannot have.
if ! npm install --prefix "$folder" --silent --no-save --ignore-scripts --no-audit --no-fund; then
    echo "SKIPPED bundlers: npm cannot install vite and webpack"
    exit 77
fi
# What is not in the lock file is installed at once, since each such step removes what others have added. Bun and Deno have scripts that put the program
# of this platform into its place.
package=$(echo "$folder"/fletching-arrow-ipc-*.tgz)
npm install --prefix "$folder" --silent --no-save --no-audit --no-fund "$package" bun@1.4.5 deno@2.9.6 ||
    npm install --prefix "$folder" --silent --no-save --no-audit --no-fund "$package"
node bundlers.mjs "$browser" "$folder"
