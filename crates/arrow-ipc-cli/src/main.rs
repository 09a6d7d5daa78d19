//! The program `arrow-ipc`: shows, checks, converts and compares Arrow files and streams.
//!
//! Standard output carries data only. Everything else goes to standard error through [`terminal`], which escapes control
//! characters. [`exit`] defines the exit statuses.
#![forbid(unsafe_code)]

mod agreement;
mod args;
mod cat;
mod columns;
mod contradiction;
mod convert;
mod diff;
mod exit;
mod input;
mod inspect;
mod interrupt;
mod json;
mod names;
mod output;
mod progress;
mod rows;
mod schema;
mod schema_json;
mod tensors;
mod terminal;
mod trailing;
mod validate;
mod walk;

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
