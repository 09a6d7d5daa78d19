//! The program `arrow-ipc`.
#![forbid(unsafe_code)]

use std::{env, process::ExitCode};

use arrow_ipc_cli::Host;

#[cfg(all(without_unwinding, not(panic = "abort")))]
compile_error!("the tables for unwinding are left out of a program that unwinds: see build.rs");

fn main() -> ExitCode {
    let host = Host { open_url: arrow_ipc_cli::OPEN_URL, ..Host::default() };
    arrow_ipc_cli::run(env::args_os(), host).into()
}
