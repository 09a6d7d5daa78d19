//! Reads an Arrow stream from standard input and writes an Arrow file to standard output.
#![forbid(unsafe_code)]

use std::{
    io::{self, BufWriter},
    process::ExitCode,
};

use clap::Parser;
use integration::{report, stream_to_file};

/// Read an Arrow stream from standard input and write an Arrow file to standard output.
#[derive(Debug, Parser)]
#[command(name = "arrow-stream-to-file", version)]
struct Args {}

fn main() -> ExitCode {
    let Args {} = Args::parse();
    report(stream_to_file(io::stdin().lock(), BufWriter::new(io::stdout().lock())).map(drop))
}
