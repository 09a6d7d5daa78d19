//! Reads an Arrow file and writes an Arrow stream to standard output.
#![forbid(unsafe_code)]

use std::{
    io::{self, BufWriter},
    path::PathBuf,
    process::ExitCode,
};

use clap::Parser;
use integration::{file_to_stream, report};

/// Read an Arrow file and write an Arrow stream to standard output.
#[derive(Debug, Parser)]
#[command(name = "arrow-file-to-stream", version)]
struct Args {
    file: PathBuf,
}

fn main() -> ExitCode {
    let args = Args::parse();
    report(file_to_stream(&args.file, BufWriter::new(io::stdout().lock())).map(drop))
}
