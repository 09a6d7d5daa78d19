//! Checks the gold files of Arrow: documents, and the files and streams that released versions of other libraries made
//! from them. The executables are called without flags, as by the harness. Needs `ARROW_TEST_DATA`.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use flate2::read::GzDecoder;

/// A folder of gold files, and the least number of its cases.
const FOLDERS: [(&str, usize); 7] = [
    ("0.14.1", 9),
    ("0.17.1", 1),
    ("1.0.0-bigendian", 11),
    ("1.0.0-littleendian", 22),
    ("2.0.0-compression", 4),
    ("4.0.0-shareddict", 1),
    ("cpp-21.0.0", 26),
];

/// Checks every case in every folder. A complete set of test data has more cases than listed.
#[test]
fn gold_files_hold_what_their_documents_say() {
    let Some(data) = testing_support::arrow_test_data("gold files against their documents") else { return };
    let data = data.join("arrow-ipc-stream/integration");
    let scratch = tempfile::tempdir().unwrap();
    let mut failures = Vec::new();
    let mut n_checks = 0;
    let mut folders: BTreeSet<String> = FOLDERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    folders.extend(fs::read_dir(&data).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()));
    for folder in &folders {
        let n_expected = FOLDERS.iter().find(|(name, _)| name == folder).map_or(1, |(_, n_cases)| *n_cases);
        let cases = cases(&data.join(folder));
        if cases.len() < n_expected {
            failures.push(format!("{folder}: {} cases, expected at least {n_expected}", cases.len()));
        }
        n_checks += 2 * cases.len();
        failures.extend(cases.iter().flat_map(|case| check(case, scratch.path())).filter_map(Result::err));
    }
    // What `eprintln!` writes is captured and, in a test that passes, never seen.
    let _ = writeln!(std::io::stderr(), "{n_checks} gold checks, {} failures", failures.len());
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// The paths of the cases without their extensions. If one file of a case exists, all must exist.
fn cases(folder: &Path) -> BTreeSet<PathBuf> {
    let files = testing_support::files_below(folder, "");
    let case = |file: &PathBuf| {
        let name = file.file_name()?.to_str()?;
        let ends = [".json.gz", ".arrow_file", ".stream"];
        let name = ends.iter().find_map(|end| name.strip_suffix(end))?;
        Some(folder.join(name))
    };
    files.iter().filter_map(case).collect()
}

/// Compares the file with the document, and also the file that is made from the stream.
fn check(case: &Path, scratch: &Path) -> [Result<(), String>; 2] {
    let [json, file_of_stream] = ["case.json", "case.arrow_file"].map(|name| scratch.join(name));
    let in_case = |error: String| format!("{}: {error}", case.display());
    if let Err(error) = unpack(&case.with_extension("json.gz"), &json) {
        return [Err(in_case(error.to_string())), Ok(())];
    }
    let of_stream = stream_to_file(&case.with_extension("stream"), &file_of_stream);
    [
        validate(&json, &case.with_extension("arrow_file")).map_err(in_case),
        of_stream.and_then(|()| validate(&json, &file_of_stream)).map_err(in_case),
    ]
}

/// Decompresses a gzip file.
fn unpack(from: &Path, to: &Path) -> io::Result<u64> {
    io::copy(&mut GzDecoder::new(File::open(from)?), &mut File::create(to)?)
}

fn validate(json: &Path, arrow: &Path) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arrow-json-integration-test"));
    command.arg("--integration").args([
        format!("--arrow={}", arrow.display()),
        format!("--json={}", json.display()),
        "--mode=VALIDATE".to_owned(),
    ]);
    answer(&command.output().unwrap())
}

fn stream_to_file(stream: &Path, file: &Path) -> Result<(), String> {
    let stream = File::open(stream).map_err(|error| error.to_string())?;
    let file = File::create(file).map_err(|error| error.to_string())?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_arrow-stream-to-file"));
    answer(&command.stdin(stream).stdout(file).output().unwrap())
}

fn answer(output: &Output) -> Result<(), String> {
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
