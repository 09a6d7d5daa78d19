//! The program `arrow-ipc` with inputs at URLs, for the tests in `tests/program`.

use std::process::ExitCode;

fn main() -> ExitCode {
    arrow_ipc_cli::run(arrow_ipc_cli::OPEN_URL)
}
