//! The program `arrow-ipc`, as a library function. It shows, checks, converts and compares Arrow files and streams.
//!
//! Standard output has only data. All other text goes to standard error through `terminal`, which escapes control
//! characters. `exit` has the exit statuses.
//!
//! # Features
//!
//! - `rayon`, on by default: several threads that compress, decompress and check.
//! - `remote`, off by default: inputs at URLs. TLS, HTTP and S3 are about 110 crates more.
#![forbid(unsafe_code)]

mod args;
mod columns;
mod commands;
mod context;
mod exit;
mod inputs;
mod interrupt;
mod manual;
mod names;
mod output;
#[cfg(feature = "remote")]
mod remote;
mod serve;
mod terminal;
mod topics;

use std::{ffi::OsString, path::PathBuf};

use arrow_ipc_tools::{Input, InputName, ToolError};

use crate::{args::Cli, context::Context, exit::Status, output::print};

#[cfg(unix)]
pub use crate::terminal::stdout::note_closed_stdout;

/// Opens an input at a URL that begins with `http://`, `https://` or `s3://`. `name` is the URL without password and
/// signature.
pub type OpenUrl = fn(url: &str, name: InputName) -> Result<Input, ToolError>;

/// Opens URLs, if the program is built with the feature `remote`.
pub const OPEN_URL: Option<OpenUrl> = {
    #[cfg(feature = "remote")]
    {
        Some(remote::open_url)
    }
    #[cfg(not(feature = "remote"))]
    {
        None
    }
};

/// What the process that runs the program provides.
#[derive(Debug, Clone, Default)]
pub struct Host {
    /// Opens inputs at URLs. Without it, such an input is an error, which names the feature that reads URLs.
    pub open_url: Option<OpenUrl>,
    /// Where the page of `serve` is, if not beside the executable file of the process.
    pub viewer: Option<PathBuf>,
}

/// Runs the program with the arguments of a process, of which the first is the name of the program, and returns its exit
/// status.
pub fn run(args: impl IntoIterator<Item = OsString>, host: Host) -> u8 {
    run_with(&args.into_iter().collect::<Vec<OsString>>(), host) as u8
}

fn run_with(args: &[OsString], host: Host) -> Status {
    if cfg!(panic = "abort") {
        interrupt::watch_for_panics();
    }
    #[cfg(unix)]
    {
        interrupt::survive_file_limits();
        note_closed_stdout();
    }
    let context = &Context::from_host(host.clone());
    if let Some(values) = manual::completion_values::requested(context, args) {
        return print(values).map_or_else(|failure| failure.report(context), |()| Status::Fine);
    }
    let Cli { command, color, max_fields } = match args::parse(context, args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let context = &Context::new(host, color, max_fields, command.with_cast());
    let executed = commands::execute(context, &command);
    interrupt::wait_for_handler();
    let status = executed.unwrap_or_else(|failure| failure.report(context));
    let skipped = exit::note_skipped(context);
    if status == Status::Fine { skipped } else { status }
}
