//! The program `arrow-ipc`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

#[cfg(all(without_unwinding, not(panic = "abort")))]
compile_error!("the tables for unwinding are left out of a program that unwinds: see build.rs");

fn main() -> ExitCode {
    arrow_ipc_cli::run(arrow_ipc_cli::OPEN_URL)
}
