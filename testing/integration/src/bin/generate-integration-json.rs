//! Writes random documents of all cases to a folder, for other implementations to read.
#![forbid(unsafe_code)]

use std::{fs, path::PathBuf, process::ExitCode};

use clap::Parser;
use integration::{Failure, generated_cases, report};

/// Write random JSON documents of Arrow's integration tests, one file for each case.
#[derive(Debug, Parser)]
#[command(name = "generate-integration-json", version)]
struct Args {
    /// The seed of the random numbers: equal seeds give equal documents
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder to write to; it is created if it does not exist
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let args = Args::parse();
    report(write(&args))
}

fn write(Args { seed, out }: &Args) -> Result<(), Failure> {
    let failed = |path: PathBuf| |error| Failure::Io { path, error };
    fs::create_dir_all(out).map_err(failed(out.clone()))?;
    for case in generated_cases(*seed) {
        let path = out.join(format!("{}.json", case.name));
        fs::write(&path, case.text).map_err(failed(path))?;
    }
    Ok(())
}
