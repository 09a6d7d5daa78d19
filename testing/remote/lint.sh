#!/usr/bin/env bash
# What cargo runs in place of the compiler for the packages of this workspace (RUSTC_WORKSPACE_WRAPPER): clippy compiles as the
# compiler does, so that lints and tests are one build.
exec clippy-driver "$@" -Dwarnings
