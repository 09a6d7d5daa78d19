//! The program `arrow-ipc`.
#![forbid(unsafe_code)]

use std::{env, process::ExitCode};

#[cfg(all(without_unwinding, not(panic = "abort")))]
compile_error!("the tables for unwinding are left out of a program that unwinds: see build.rs");

fn main() -> ExitCode {
    arrow_ipc_cli::run(env::args_os(), arrow_ipc_cli::OPEN_URL).into()
}
