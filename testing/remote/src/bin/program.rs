//! The program `arrow-ipc` with inputs at URLs, for the tests in `tests/program`.

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    arrow_ipc_cli::run(env::args_os(), arrow_ipc_cli::OPEN_URL).into()
}
