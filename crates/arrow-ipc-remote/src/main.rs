//! The program `arrow-ipc` with inputs at URLs: `arrow-ipc cat https://example.org/people.arrow`.
#![forbid(unsafe_code)]

mod blocking;
mod open;
mod secrets;

use std::process::ExitCode;

fn main() -> ExitCode {
    arrow_ipc_commands::run(Some(open::open_url))
}
