//! The program `arrow-ipc`, without URLs: `crates/arrow-ipc-remote` is the one with them.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    arrow_ipc_commands::run(None)
}
