//! The gold files of Arrow: documents, and the files and streams that released versions of other libraries made of them.
//! Needs `ARROW_TEST_DATA`.
#![forbid(unsafe_code)]

mod gunzip;

use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use integration::{Document, Quirks, stream_to_file, validate};

/// A folder of gold files: how many cases it has at least, and whether its values have to keep to what types say of them.
/// Those of 0.14.1 do not, which is told by their metadata.
const FOLDERS: [(&str, usize, Values); 7] = [
    ("0.14.1", 9, Values::Strict),
    ("0.17.1", 1, Values::Strict),
    ("1.0.0-bigendian", 11, Values::OutOfRange),
    ("1.0.0-littleendian", 22, Values::OutOfRange),
    ("2.0.0-compression", 4, Values::Strict),
    ("4.0.0-shareddict", 1, Values::Strict),
    ("cpp-21.0.0", 26, Values::Strict),
];

#[derive(Clone, Copy, PartialEq)]
enum Values {
    /// They have to.
    Strict,
    /// Decimals, date64 and times may be out of range.
    OutOfRange,
}

impl Values {
    fn quirks(self) -> Quirks {
        let is_relaxed = self == Values::OutOfRange;
        let mut quirks = Quirks::default();
        (quirks.decimals, quirks.date64, quirks.times) = (is_relaxed, is_relaxed, is_relaxed);
        quirks
    }
}

/// Every case of every folder that is there; none is left out, and a complete set of test data has more than these.
#[test]
fn gold_files_hold_what_their_documents_say() {
    let Some(data) = testing_support::arrow_test_data("gold files against their documents") else { return };
    let data = data.join("arrow-ipc-stream/integration");
    let mut failures = Vec::new();
    let mut n_all = 0;
    let mut folders: BTreeSet<String> = FOLDERS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    folders.extend(fs::read_dir(&data).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()));
    for folder in &folders {
        let known = FOLDERS.iter().find(|(name, ..)| name == folder);
        let (n_expected, values) =
            known.map_or((1, Values::Strict), |(_, n_cases, values)| (*n_cases, *values));
        let cases = cases(&data.join(folder));
        if cases.len() < n_expected {
            failures.push(format!("{folder}: {} cases, expected at least {n_expected}", cases.len()));
        }
        n_all += cases.len();
        failures.extend(cases.iter().filter_map(|case| check(case, &values.quirks()).err()));
    }
    // What `eprintln!` writes is captured and, in a test that passes, never seen.
    let _ = writeln!(std::io::stderr(), "{n_all} gold cases, {} failures", failures.len());
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// The paths of the cases without their endings: whatever file of a case is there, all have to be.
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

/// Compares the file, and what becomes of the stream, with the document.
fn check(case: &Path, quirks: &Quirks) -> Result<(), String> {
    let read = |end: &str| {
        let path = case.with_extension(end);
        fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let (json, file, stream) = (read("json.gz")?, read("arrow_file")?, read("stream")?);
    let in_case = |what: &str, error: &dyn std::fmt::Display| format!("{}: {what}: {error}", case.display());
    let json = gunzip::gunzip(&json).ok_or_else(|| in_case("document", &"damaged"))?;
    let json = String::from_utf8(json).map_err(|error| in_case("document", &error))?;
    let document = Document::parse(&json).map_err(|error| in_case("document", &error))?;
    validate(&document, file.into(), quirks).map_err(|error| in_case("file", &error))?;
    let file = stream_to_file(&*stream, Vec::new()).map_err(|error| in_case("stream", &error))?;
    validate(&document, file.into(), quirks).map_err(|error| in_case("file of the stream", &error))
}
