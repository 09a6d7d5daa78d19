//! The program `arrow-ipc` with inputs at URLs, for the tests in `tests/program`.

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let host = arrow_ipc_cli::Host { open_url: arrow_ipc_cli::OPEN_URL, ..Default::default() };
    arrow_ipc_cli::run(env::args_os(), host).into()
}
