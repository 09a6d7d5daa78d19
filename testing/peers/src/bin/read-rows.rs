//! arrow-rs as a reader of `testing/conformance`: `read-rows PATH` prints the rows of a stream or file as lossless JSON, one line each.
//! Files begin with the magic of files. `--version` prints the version of arrow-rs.

use peers::format::Format;
use peers::{theirs, value_json};
use std::io::Write;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    let Some(argument) = env::args_os().nth(1) else {
        eprintln!("usage: read-rows PATH | --version");
        return ExitCode::from(2);
    };
    if argument == "--version" {
        println!("{}", theirs::arrow_version());
        return ExitCode::SUCCESS;
    }
    let read = || -> Result<Vec<String>, Box<dyn std::error::Error>> {
        let content = fs::read(&argument)?;
        let format = if content.starts_with(b"ARROW1") { Format::File } else { Format::Stream };
        let (_, batches) = theirs::read(&content, format)?;
        Ok(batches.iter().flat_map(value_json::batch_rows).collect())
    };
    match read() {
        Ok(rows) => {
            let mut out = io::stdout().lock();
            match rows.iter().try_for_each(|row| writeln!(out, "{row}")) {
                Ok(()) => ExitCode::SUCCESS,
                Err(_) => ExitCode::from(2),
            }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
