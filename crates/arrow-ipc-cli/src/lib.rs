//! The program `arrow-ipc`, as a library function. It shows, checks, converts and compares Arrow files and streams.
//!
//! Standard output has only data. All other text goes to standard error through `terminal`, which escapes control
//! characters. `exit` has the exit statuses.
//!
//! # Features
//!
//! - `remote`, off by default: inputs at URLs. TLS, HTTP and S3 are about 110 crates more.
#![forbid(unsafe_code)]

mod advice;
mod append;
mod args;
mod assemble;
mod cat;
mod color;
mod columns;
mod convert;
mod count;
mod diff;
mod diff_colors;
mod early_sync;
mod exit;
mod explain;
mod import;
mod inputs;
mod inspect;
mod interrupt;
mod manual;
mod messages;
mod names;
mod offered;
mod output;
mod outputs;
mod part_outputs;
mod progress;
mod recover;
#[cfg(feature = "remote")]
mod remote;
mod schema;
mod schema_file;
mod stats;
mod stats_vertical;
mod stderr;
mod terminal;
mod text_rows;
mod topics;
mod validate;
mod watcher;
mod write_options;
mod written_text;

use std::process::ExitCode;

use arrow_ipc::Threads;
use arrow_ipc_tools::{Input, InputName, ToolError};

use crate::{
    args::Command,
    exit::{Failure, Status},
    output::print,
};

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

/// Runs the program with the arguments of the process, and returns its exit status. If `open_url` is `None`, an input
/// that is a URL is an error, which names the feature that reads URLs.
pub fn run(open_url: Option<OpenUrl>) -> ExitCode {
    if cfg!(panic = "abort") {
        interrupt::watch_for_panics();
    }
    #[cfg(unix)]
    interrupt::survive_file_limits();
    names::support_urls(open_url);
    if let Some(values) = offered::asked() {
        return print(values).map_or_else(|failure| failure.report(), |()| Status::Fine).into();
    }
    let status = match args::parse() {
        Ok(command) => execute(&command).unwrap_or_else(|failure| failure.report()),
        Err(status) => status,
    };
    let skipped = import::tell_skipped();
    if status == Status::Fine { skipped } else { status }.into()
}

fn execute(command: &Command) -> Result<Status, Failure> {
    // Without `--threads`, the pool is created when it is first used.
    if let Some(n_threads) = command.threads().asked() {
        Threads::make_pool(n_threads);
    }
    match command {
        Command::Schema(args) => schema::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Cat(args) => cat::run(args),
        Command::Head(args) => cat::head(args),
        Command::Tail(args) => cat::tail(args),
        Command::Sample(args) => cat::sample(args),
        Command::Count(args) => count::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Concat(args) => assemble::concat(args),
        Command::Split(args) => assemble::split(args),
        Command::Diff(args) => diff::run(args),
        Command::Append(args) => append::run(args),
        Command::Recover(args) => recover::run(args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::man(args),
    }
}
