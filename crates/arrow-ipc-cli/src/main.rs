//! The program `arrow-ipc`.
#![deny(unsafe_code)]

use std::{env, process::ExitCode};

use arrow_ipc_cli::Host;

#[cfg(all(without_unwinding, not(panic = "abort")))]
compile_error!("the tables for unwinding are left out of a program that unwinds: see build.rs");

/// Calls [`note_closed_stdout`](arrow_ipc_cli::note_closed_stdout) before the standard library of Rust starts.
#[cfg(target_os = "linux")]
#[used]
#[allow(unsafe_code)]
// SAFETY: the section is an array of pointers to functions, which are called before `main`. One more pointer keeps it so.
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

#[cfg(target_os = "linux")]
extern "C" fn before_main() {
    arrow_ipc_cli::note_closed_stdout();
}

fn main() -> ExitCode {
    let host = Host { open_url: arrow_ipc_cli::OPEN_URL, ..Host::default() };
    arrow_ipc_cli::run(env::args_os(), host).into()
}
