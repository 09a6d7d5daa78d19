//! Calls the executables as the harness does.

use std::{
    fs::{self, File},
    path::Path,
    process::{Command, Output, Stdio},
};

const JSON_TEST: &str = env!("CARGO_BIN_EXE_arrow-json-integration-test");
const STREAM_TO_FILE: &str = env!("CARGO_BIN_EXE_arrow-stream-to-file");
const FILE_TO_STREAM: &str = env!("CARGO_BIN_EXE_arrow-file-to-stream");
const GENERATE: &str = env!("CARGO_BIN_EXE_generate-integration-json");

/// A folder of documents, and the path of one.
fn documents() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let out = ok(Command::new(GENERATE).args(["--seed", "3", "--out"]).arg(folder.path()));
    assert!(out.stdout.is_empty());
    assert!(fs::read_dir(folder.path()).unwrap().count() >= 49);
    folder
}

fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

fn ok(command: &mut Command) -> Output {
    let out = run(command);
    assert!(out.status.success(), "{command:?}: {}", String::from_utf8_lossy(&out.stderr));
    out
}

/// Checks the exit status, and that the only line on standard error contains this text.
fn fails(command: &mut Command, status: i32, words: &str) {
    let out = run(command);
    let error = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(status), "{command:?}: {error}");
    assert!(error.contains(words), "{command:?}: {error}");
    assert!(out.stdout.is_empty(), "{command:?}");
}

fn json_test(arrow: &Path, json: &Path, mode: &str) -> Command {
    let mut command = Command::new(JSON_TEST);
    command.arg("--integration");
    command.args([format!("--arrow={}", arrow.display()), format!("--json={}", json.display())]);
    command.arg(format!("--mode={mode}"));
    command
}

#[test]
fn flags_do_what_the_harness_asks_for() {
    let folder = documents();
    let path = |name: &str| folder.path().join(name);
    let (json, other) = (path("generated_primitive.json"), path("generated_nested.json"));
    let (file, stream, file_of_stream) = (path("a.arrow"), path("a.stream"), path("b.arrow"));

    fs::write(&file, "what was there before, and is longer than the file will be".repeat(1_000)).unwrap();
    assert!(ok(&mut json_test(&file, &json, "JSON_TO_ARROW")).stdout.is_empty());
    ok(&mut json_test(&file, &json, "VALIDATE"));
    // The mode that nothing is said of; and the path in an argument of its own.
    ok(Command::new(JSON_TEST).arg("--arrow").arg(&file).arg("--json").arg(&json).arg("--verbose"));
    fails(&mut json_test(&file, &other, "VALIDATE"), 1, "is not what");

    let out = ok(Command::new(FILE_TO_STREAM).arg(&file));
    fs::write(&stream, out.stdout).unwrap();
    let out = Command::new(STREAM_TO_FILE).stdin(File::open(&stream).unwrap()).output().unwrap();
    assert!(out.status.success() && out.stderr.is_empty());
    fs::write(&file_of_stream, out.stdout).unwrap();
    ok(&mut json_test(&file_of_stream, &json, "VALIDATE"));

    let written = path("written.json");
    ok(&mut json_test(&file_of_stream, &written, "ARROW_TO_JSON"));
    ok(&mut json_test(&file, &written, "VALIDATE"));
}

#[test]
fn mistakes_end_with_a_status() {
    let folder = documents();
    let path = |name: &str| folder.path().join(name);
    let (json, missing, file) = (path("generated_null.json"), path("missing"), path("a.arrow"));
    for mode in ["JSON_TO_ARROW", "VALIDATE"] {
        fails(&mut json_test(&file, &missing, mode), 1, "missing");
    }
    fails(&mut json_test(&missing, &json, "VALIDATE"), 1, "missing");
    fails(&mut json_test(&missing, &path("new.json"), "ARROW_TO_JSON"), 1, "missing");
    fails(&mut json_test(&json, &path("new.json"), "ARROW_TO_JSON"), 1, "generated_null.json");
    fails(&mut json_test(&file, &json, "COPY"), 2, "COPY");
    fails(Command::new(JSON_TEST).arg(format!("--json={}", json.display())), 2, "--arrow");
    fails(Command::new(FILE_TO_STREAM).arg(&missing), 1, "missing");
    fails(&mut Command::new(FILE_TO_STREAM), 2, "<FILE>");
    // There is no stream.
    fails(&mut Command::new(STREAM_TO_FILE), 1, "error: ");
    fails(Command::new(STREAM_TO_FILE).arg("file"), 2, "file");
    for executable in [JSON_TEST, STREAM_TO_FILE, FILE_TO_STREAM, GENERATE] {
        let out = ok(Command::new(executable).arg("--help"));
        assert!(String::from_utf8_lossy(&out.stdout).contains("Usage: "), "{executable}");
    }
}

#[test]
fn ranges_are_checked_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let (json, file) = (folder.path().join("a.json"), folder.path().join("a.arrow"));
    let text = r#"{"schema": {"fields": [{"name": "d", "nullable": true, "type":
        {"name": "decimal", "precision": 2, "scale": 0, "bitWidth": 32}}]}, "batches": [{"count": 1, "columns":
        [{"name": "d", "count": 1, "VALIDITY": [1], "DATA": ["100"]}]}]}"#;
    fs::write(&json, text).unwrap();
    ok(&mut json_test(&file, &json, "JSON_TO_ARROW"));
    ok(&mut json_test(&file, &json, "VALIDATE"));
    ok(json_test(&file, &json, "VALIDATE").args(["--validate_times=true", "--validate_decimals=false"]));
    for requested in ["--validate_decimals", "--validate_decimals=true"] {
        fails(json_test(&file, &json, "VALIDATE").arg(requested), 1, "the decimal has more than 2 digits");
    }
    // This dialect says what it does not ask for.
    fails(&mut environment("VALIDATE", &file, &json), 1, "the decimal has more than 2 digits");
    ok(environment("VALIDATE", &file, &json).env("QUIRK_no_decimal_validate", "1"));
    fails(
        environment("VALIDATE", &file, &json).env("QUIRK_no_times_validate", "1"),
        1,
        "the decimal has more than 2 digits",
    );
}

/// The executable with only these environment variables.
fn environment(command: &str, arrow: &Path, json: &Path) -> Command {
    let mut executable = Command::new(JSON_TEST);
    executable.env_clear().env("COMMAND", command).env("ARROW_PATH", arrow).env("JSON_PATH", json);
    executable
}

#[test]
fn the_environment_says_the_same() {
    let folder = documents();
    let path = |name: &str| folder.path().join(name);
    let (json, written) = (path("generated_nested_dictionary.json"), path("written.json"));
    let (file, file_of_stream) = (path("a.arrow"), path("b.arrow"));
    ok(&mut environment("JSON_TO_ARROW", &file, &json));
    ok(&mut environment("VALIDATE", &file, &json));
    let stream = ok(&mut environment("FILE_TO_STREAM", &file, Path::new(""))).stdout;
    fs::write(path("a.stream"), stream).unwrap();
    let mut to_file = environment("STREAM_TO_FILE", &file_of_stream, Path::new(""));
    let out = to_file.stdin(File::open(path("a.stream")).unwrap()).output().unwrap();
    assert!(out.status.success() && out.stdout.is_empty());
    ok(&mut environment("VALIDATE", &file_of_stream, &json));
    ok(&mut environment("ARROW_TO_JSON", &file, &written));
    ok(&mut environment("VALIDATE", &file_of_stream, &written));

    fails(&mut environment("VALIDATE", &file, &path("generated_map.json")), 1, "is not what");
    fails(&mut environment("VALIDATE", &file, Path::new("")), 2, "JSON_PATH is not set");
    fails(&mut environment("COPY", &file, &json), 2, "COMMAND is none of");
}
