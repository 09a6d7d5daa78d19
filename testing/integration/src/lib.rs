//! What drives Arrow's integration tests: documents of JSON, the five commands of the public harness, and random
//! documents.
//!
//! The harness converts and compares the same data with many implementations. It calls these executables, which have
//! the names that it looks for, so it finds them where `ARROW_RUST_EXE_PATH` names the folder that they were built to:
//!
//! | executable | arguments |
//! |---|---|
//! | `arrow-json-integration-test` | `--integration --arrow=PATH --json=PATH --mode=JSON_TO_ARROW`, `ARROW_TO_JSON` or `VALIDATE` |
//! | `arrow-stream-to-file` | none: a stream on standard input, a file on standard output |
//! | `arrow-file-to-stream` | the path of a file; a stream on standard output |
//!
//! `VALIDATE` compares what both sides hold. The harness passes no flags to this implementation, and its gold files hold
//! values out of range; so ranges are checked only with `--validate_decimals=true`, `--validate_date64=true` and
//! `--validate_times=true`. Our own `--validate_stream=false` leaves out the stream in the file; see [`Checks`].
//!
//! There is a second dialect: called without arguments, `arrow-json-integration-test` looks at the environment.
//! `COMMAND` is one of the three modes, `STREAM_TO_FILE` (a stream on standard input, a file at `ARROW_PATH`) or
//! `FILE_TO_STREAM`; the paths are `ARROW_PATH` and `JSON_PATH`, and `QUIRK_no_decimal_validate=1`,
//! `QUIRK_no_date64_validate=1` and `QUIRK_no_times_validate=1` relax what is checked: here the harness says what it does
//! not ask for, so ranges are checked where it does not.
//!
//! All end with status 0 when the command was done and the answer is yes, 1 when not, and 2 when called in a way that
//! makes no sense. Converters write nothing but data to standard output.
//!
//! `generate-integration-json --seed N --out FOLDER` writes random documents: see [`generated_cases`].
//!
//! What documents look like, and what is compared: the format's "Integration Testing" page. [`Document`] reads and
//! writes them, [`validate`] compares.
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
