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

mod advice;
mod append;
mod args;
mod assemble;
mod cat;
mod color;
mod columns;
mod completion_values;
mod context;
mod convert;
mod count;
mod destination;
mod diff;
mod diff_colors;
mod early_sync;
mod exit;
mod explain;
mod import;
mod index;
mod inputs;
mod inspect;
mod interrupt;
mod manual;
mod manual_viewer;
mod messages;
mod names;
mod output;
mod outputs;
mod part_outputs;
mod progress;
mod recover;
#[cfg(feature = "remote")]
mod remote;
mod schema;
mod schema_file;
mod serve;
mod stats;
mod stats_vertical;
mod stderr;
mod stdout;
mod terminal;
mod text_rows;
mod topics;
mod validate;
mod watcher;
mod write_options;
mod written_text;

use std::{ffi::OsString, path::PathBuf};

use arrow_ipc::Threads;
use arrow_ipc_tools::{Input, InputName, ToolError};

use crate::{
    args::{Cli, Command},
    context::Context,
    destination::{OutputRule, OutputTarget, OwnInput},
    exit::{Failure, Status},
    names::OutputName,
    output::print,
};

#[cfg(unix)]
pub use crate::stdout::note_closed_stdout;

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
    let context = &Context::of_host(host.clone());
    if let Some(values) = completion_values::requested(context, args) {
        return print(values).map_or_else(|failure| failure.report(context), |()| Status::Fine);
    }
    let Cli { command, color, max_fields } = match args::parse(context, args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let context = &Context::new(host, color, max_fields, command.with_cast());
    let executed = execute(context, &command);
    interrupt::wait_for_handler();
    let status = executed.unwrap_or_else(|failure| failure.report(context));
    let skipped = context.note_skipped();
    if status == Status::Fine { skipped } else { status }
}

fn execute(context: &Context, command: &Command) -> Result<Status, Failure> {
    // Without `--threads`, the pool is created when it is first used.
    if let Some(n_threads) = command.threads().given() {
        Threads::make_pool(n_threads);
    }
    let printed = OutputRule {
        inputs: &command.printed_inputs(),
        schema: None,
        target: OutputTarget::Named,
        own_input: OwnInput::Kept,
    };
    printed.allow(&OutputName::Stdout)?;
    match command {
        Command::Schema(args) => schema::run(context, args),
        Command::Stats(args) => stats::run(context, args),
        Command::Cat(args) => cat::run(context, args),
        Command::Head(args) => cat::head(context, args),
        Command::Tail(args) => cat::tail(context, args),
        Command::Sample(args) => cat::sample(context, args),
        Command::Count(args) => count::run(context, args),
        Command::Index(args) => index::run(context, args),
        Command::Inspect(args) => inspect::run(context, args),
        Command::Serve(args) => serve::run(context, args),
        Command::Explain(args) => explain::run(context, args),
        Command::Validate(args) => validate::run(context, args),
        Command::Convert(args) => convert::run(context, args),
        Command::Concat(args) => assemble::concat(context, args),
        Command::Split(args) => assemble::split(context, args),
        Command::Diff(args) => diff::run(context, args),
        Command::Append(args) => append::run(context, args),
        Command::Recover(args) => recover::run(context, args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::man(args),
    }
}
