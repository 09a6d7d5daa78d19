//! The programs for Arrow's integration tests: JSON documents, the five commands of the public harness, and random
//! documents.
//!
//! The harness converts and compares the same data with many implementations. It finds these executables by their names,
//! in the folder `ARROW_RUST_EXE_PATH`:
//!
//! | executable | arguments |
//! |---|---|
//! | `arrow-json-integration-test` | `--integration --arrow=PATH --json=PATH --mode=JSON_TO_ARROW`, `ARROW_TO_JSON` or `VALIDATE` |
//! | `arrow-stream-to-file` | none: a stream on standard input, a file on standard output |
//! | `arrow-file-to-stream` | the path of a file; a stream on standard output |
//!
//! `VALIDATE` compares the contents of both files. The harness passes no flags to this implementation, and its gold files
//! have values that are out of range. So ranges are checked only with `--validate_decimals=true`,
//! `--validate_date64=true` and `--validate_times=true`. Our own flag `--validate_stream=false` turns off the comparison
//! with the stream in the file; see [`Checks`].
//!
//! There is also an interface by environment variables, if `arrow-json-integration-test` is called without arguments.
//! `COMMAND` is one of the three modes, `STREAM_TO_FILE` (a stream on standard input, a file at `ARROW_PATH`) or
//! `FILE_TO_STREAM`. The paths are `ARROW_PATH` and `JSON_PATH`. Here ranges are checked by default;
//! `QUIRK_no_decimal_validate=1`, `QUIRK_no_date64_validate=1` and `QUIRK_no_times_validate=1` turn off these checks.
//!
//! The exit status is 0 if the command succeeded and found no difference, 1 if not, and 2 if the arguments are invalid.
//! Converters write only data to standard output.
//!
//! `generate-integration-json --seed N --out FOLDER` writes random documents: see [`generated_cases`].
//!
//! The page "Integration Testing" of the format describes the documents and the comparison. [`Document`] reads and writes
//! documents, [`validate`] compares them.
#![forbid(unsafe_code)]

mod commands;
mod convert;
mod document;
mod environment;
mod error;
mod failure;
mod generate;
mod hex;
mod json;
mod read;
mod schema;
mod separated;
mod types;
mod validate;
mod write;

pub use crate::{
    commands::{
        arrow_to_json, file_to_stream, json_to_arrow, stream_to_file, stream_to_file_options, validate_files,
    },
    convert::{file_to_stream_with, json_to_file_with, stream_to_file_with},
    document::Document,
    environment::run_environment,
    error::{DocumentError, DocumentErrorKind},
    failure::{Failure, report},
    generate::{GeneratedCase, generated_cases},
    validate::{Checks, Mismatch, MismatchKind, compare_batch, compare_schema, validate},
};
