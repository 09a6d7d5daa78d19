//! The program `arrow-ipc`: shows, checks, converts and compares Arrow files and streams.
//!
//! Standard output carries data only. Everything else goes to standard error through [`terminal`], which escapes control
//! characters. [`exit`] defines the exit statuses.
#![forbid(unsafe_code)]

mod advice;
mod args;
mod cat;
mod columns;
mod convert;
mod diff;
mod exit;
mod inspect;
mod interrupt;
mod messages;
mod names;
mod output;
mod progress;
mod schema;
mod terminal;
mod validate;
mod write_options;

use std::process::ExitCode;

use crate::{
    args::Command,
    exit::{Failure, Status},
};

fn main() -> ExitCode {
    let status = match args::parse() {
        Ok(command) => run(&command).unwrap_or_else(|failure| failure.report()),
        Err(status) => status,
    };
    status.into()
}

fn run(command: &Command) -> Result<Status, Failure> {
    match command {
        Command::Schema(args) => schema::run(args),
        Command::Cat(args) => cat::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Diff(args) => diff::run(args),
    }
}
