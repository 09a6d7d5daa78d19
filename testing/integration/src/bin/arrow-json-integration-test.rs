//! Converts JSON documents to Arrow files and back, or compares them. Without arguments, environment variables select the
//! operation: see the library.
#![forbid(unsafe_code)]

use std::{env, path::PathBuf, process::ExitCode};

use clap::{ArgAction, Parser, ValueEnum};
use integration::{Checks, arrow_to_json, json_to_arrow, report, run_environment, validate_files};

/// Convert between JSON documents of Arrow's integration tests and Arrow files, or compare them.
///
/// Without arguments, environment variables select the operation: COMMAND, ARROW_PATH, JSON_PATH.
#[derive(Debug, Parser)]
#[command(name = "arrow-json-integration-test", version)]
struct Args {
    /// The Arrow file
    #[arg(long, value_name = "PATH")]
    arrow: PathBuf,
    /// The document
    #[arg(long, value_name = "PATH")]
    json: PathBuf,
    /// What to do
    #[arg(long, value_enum, default_value = "VALIDATE")]
    mode: Mode,
    /// Check that decimals have at most as many digits as their precision
    #[arg(long = "validate_decimals", value_name = "BOOL", action = ArgAction::Set, num_args = 0..=1,
        require_equals = true, default_value_t = false, default_missing_value = "true")]
    validate_decimals: bool,
    /// Check that values of date64 are whole days
    #[arg(long = "validate_date64", value_name = "BOOL", action = ArgAction::Set, num_args = 0..=1,
        require_equals = true, default_value_t = false, default_missing_value = "true")]
    validate_date64: bool,
    /// Check that times are within a day
    #[arg(long = "validate_times", value_name = "BOOL", action = ArgAction::Set, num_args = 0..=1,
        require_equals = true, default_value_t = false, default_missing_value = "true")]
    validate_times: bool,
    /// Check that the file up to its footer is a stream of the same batches
    #[arg(long = "validate_stream", value_name = "BOOL", action = ArgAction::Set, num_args = 0..=1,
        require_equals = true, default_value_t = true, default_missing_value = "true")]
    validate_stream: bool,
    /// Accepted and ignored, since the harness passes it
    #[arg(long)]
    integration: bool,
    /// Accepted and ignored, since the harness passes it
    #[arg(long)]
    verbose: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Mode {
    /// Write the document as a file
    #[value(name = "JSON_TO_ARROW")]
    JsonToArrow,
    /// Write the file as a document
    #[value(name = "ARROW_TO_JSON")]
    ArrowToJson,
    /// Compare both
    #[value(name = "VALIDATE")]
    Validate,
}

fn main() -> ExitCode {
    if env::args_os().len() == 1 && env::var_os("COMMAND").is_some() {
        return report(run_environment(|name| env::var_os(name)));
    }
    let args = Args::parse();
    report(match args.mode {
        Mode::JsonToArrow => json_to_arrow(&args.json, &args.arrow),
        Mode::ArrowToJson => arrow_to_json(&args.arrow, &args.json),
        Mode::Validate => {
            let mut checks = Checks::default();
            checks.decimals = args.validate_decimals;
            checks.date64 = args.validate_date64;
            checks.times = args.validate_times;
            checks.stream = args.validate_stream;
            validate_files(&args.json, &args.arrow, &checks)
        }
    })
}
