//! The interface of the harness by environment variables.

use std::{
    ffi::OsString,
    fs::File,
    io::{self, BufWriter},
    path::PathBuf,
};

use crate::{
    Checks, Failure,
    commands::{arrow_to_json, file_to_stream, json_to_arrow, stream_to_file, validate_files},
};

/// Runs the command that `COMMAND` names; `variable` returns the value of a variable, `None` if it is not set.
///
/// # Errors
/// If a variable is missing or invalid, or if the command fails.
pub fn run_environment(variable: impl Fn(&str) -> Option<OsString>) -> Result<(), Failure> {
    let path = |name: &'static str| -> Result<PathBuf, Failure> {
        let path = variable(name).filter(|path| !path.is_empty()).map(PathBuf::from);
        path.ok_or(Failure::Environment { name, problem: "is not set" })
    };
    let is_set = |name: &str| variable(name).is_some_and(|value| value == "1");
    let command = path("COMMAND")?;
    match command.to_str() {
        Some("VALIDATE") => {
            let checks = Checks {
                decimals: !is_set("QUIRK_no_decimal_validate"),
                date64: !is_set("QUIRK_no_date64_validate"),
                times: !is_set("QUIRK_no_times_validate"),
                stream: !is_set("QUIRK_no_stream_validate"),
            };
            validate_files(&path("JSON_PATH")?, &path("ARROW_PATH")?, &checks)
        }
        Some("JSON_TO_ARROW") => json_to_arrow(&path("JSON_PATH")?, &path("ARROW_PATH")?),
        Some("ARROW_TO_JSON") => arrow_to_json(&path("ARROW_PATH")?, &path("JSON_PATH")?),
        Some("STREAM_TO_FILE") => {
            let arrow = path("ARROW_PATH")?;
            let file = File::create(&arrow).map_err(Failure::io(&arrow))?;
            stream_to_file(io::stdin().lock(), file).map(drop)
        }
        Some("FILE_TO_STREAM") => {
            file_to_stream(&path("ARROW_PATH")?, BufWriter::new(io::stdout().lock())).map(drop)
        }
        _ => Err(Failure::Environment {
            name: "COMMAND",
            problem: "is none of VALIDATE, JSON_TO_ARROW, ARROW_TO_JSON, STREAM_TO_FILE and FILE_TO_STREAM",
        }),
    }
}
