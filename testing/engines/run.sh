#!/usr/bin/env bash
# Builds the wheel, installs it in an environment with engines, and runs them over data sets; arguments go to pytest. All that listens
# does so on loopback. Needs python3 with venv and pip; says SKIPPED, with status 77, where the packages cannot be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

requirements=testing/engines/requirements.txt
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
venv=$target/engines-venv
if ! cmp --silent "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    if ! "$venv/bin/pip" install --quiet --retries 1 --requirement "$requirements"; then
        echo "SKIPPED: tests with engines: the packages of $requirements cannot be installed"
        exit 77
    fi
    cp "$requirements" "$venv"
fi
wheels=$target/engines-wheels
rm -rf "$wheels"
"$venv/bin/maturin" build --quiet --manifest-path python/Cargo.toml --interpreter "$venv/bin/python" \
    --profile dev --target-dir "$target" --out "$wheels"
"$venv/bin/pip" install --quiet --force-reinstall --no-deps --no-index "$wheels"/*.whl
cd testing/engines
exec "$venv/bin/pytest" -q -rs "$@"
