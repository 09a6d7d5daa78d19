//! The files of `testing/corpus/hostile`: the results are the results in the manifest, the rows of valid files are those of
//! `testing/corpus/hostile-rows`, and the messages of errors are in `snapshots`.

use std::{collections::BTreeSet, fmt::Write, fs, path::PathBuf, sync::LazyLock};

use arrow_ipc::Validation;
use arrow_text::JsonRows;

use super::readers::{Content, class_name, readers};

fn folder() -> PathBuf {
    testing_support::corpus_dir().join("hostile")
}

/// A row of the manifest.
struct Case {
    file: String,
    format: String,
    /// The result that the format requires: `ok`, `error`, or `either` if it is open.
    expect: String,
    /// The result of this library: `ok`, or the class of the error.
    here: String,
}

impl Case {
    fn is_compressed(&self) -> bool {
        self.file.starts_with("comp-")
    }
}

const HAS_CODECS: bool = cfg!(all(feature = "lz4", feature = "zstd"));

fn cases() -> Vec<Case> {
    let manifest = fs::read_to_string(folder().join("manifest.tsv")).unwrap();
    let (header, rows) = manifest.split_once('\n').unwrap();
    assert_eq!(header, "file\tformat\texpect\there\tclass\tdescription");
    let case = |row: &str| match *row.split('\t').map(str::to_owned).collect::<Vec<_>>() {
        [ref file, ref format, ref expect, ref here, _, _] => {
            let [file, format, expect, here] = [file, format, expect, here].map(String::clone);
            Case { file, format, expect, here }
        }
        _ => panic!("a row of other cells: {row}"),
    };
    let cases: Vec<Case> = rows.lines().map(case).collect();
    assert!(cases.len() > 250, "{} files", cases.len());
    // What is not built in is refused by name, which is a test of its own.
    cases.into_iter().filter(|case| HAS_CODECS || !case.is_compressed()).collect()
}

/// `ok`, or a class and a message.
type Outcome = Result<(), (&'static str, String)>;

/// The results of all readers for each file.
static OUTCOMES: LazyLock<Vec<(Case, Outcome)>> = LazyLock::new(|| {
    let judged = |case| {
        let outcome = outcome(&case);
        (case, outcome)
    };
    cases().into_iter().map(judged).collect()
});

fn outcome(case: &Case) -> Outcome {
    let bytes = fs::read(folder().join(&case.file)).unwrap();
    let mut outcomes = Vec::new();
    for (reader, read) in readers(&case.format) {
        let outcome = read(&bytes, Validation::Content);
        outcomes.push((reader, outcome.map_err(|error| (class_name(error.class()), error.to_string()))));
        // Content left unchecked must not break anything either.
        let _ = read(&bytes, Validation::Structure);
    }
    let (_, first) = outcomes.swap_remove(0);
    for (reader, outcome) in outcomes {
        assert_eq!(outcome, first, "{}: {reader} differs", case.file);
    }
    first.map(drop)
}

#[test]
fn every_file_is_judged_as_the_manifest_says() {
    let mut failures = Vec::new();
    for (case, outcome) in &*OUTCOMES {
        let here = outcome.as_ref().map_or_else(|(class, _)| *class, |()| "ok");
        if here != case.here {
            failures.push(format!("{}: {here}, not {}: {outcome:?}", case.file, case.here));
        }
        // What is not there yet is refused by name, even where the format allows it.
        let is_legal = match case.expect.as_str() {
            "ok" | "optional" => ["ok", "unsupported"].contains(&here),
            "error" => here != "ok",
            "either" => true,
            expect => panic!("{}: `{expect}` means nothing", case.file),
        };
        if !is_legal {
            failures.push(format!("{}: {here}, the format says {}", case.file, case.expect));
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// Values that break rules which real producers break, as documented in docs/FORMAT.md.
#[test]
fn strict_validation_refuses_what_others_write() {
    let refused = [
        ("batch-nonnullable-nulls.stream", "the value is null, but the field is not nullable"),
        ("date64-partial-day.stream", "is not a multiple of 86400000"),
        ("decimal-value-over.stream", "digits: its unscaled value is"),
        ("time-over-24h.stream", "is not within a day"),
        ("union-dense-unordered.stream", "the preceding offset into the same child"),
    ];
    for (file, message) in refused {
        let bytes = fs::read(folder().join(file)).unwrap();
        for (reader, read) in readers("stream") {
            assert!(read(&bytes, Validation::Content).is_ok(), "{file}: {reader}");
            let error = read(&bytes, Validation::Strict).map(drop).expect_err(file).to_string();
            assert!(error.contains(message), "{file}: {reader}: {error}");
        }
    }
}

/// Where the expected rows of a valid file come from, and the rows, one line of lossless JSON each.
fn expected_rows() -> Vec<(String, String)> {
    let folder = testing_support::corpus_dir().join("hostile-rows");
    let table = fs::read_to_string(folder.join("origin.tsv")).unwrap();
    let (header, rows) = table.split_once('\n').unwrap();
    assert_eq!(header, "file\torigin\tby");
    let expected = |row: &str| {
        let [file, origin, by] = *row.split('\t').collect::<Vec<_>>() else {
            panic!("a row of other cells: {row}")
        };
        let (name, _suffix) = file.rsplit_once('.').unwrap();
        let rows = fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        // Two of other people, values that were taken from the bytes by hand, or those of a golden file.
        let is_enough = match origin {
            "readers" => by.split(", ").count() >= 2,
            "hand" => by.contains("byte "),
            "golden" => {
                let golden = folder.with_file_name("golden").join(format!("{by}.json"));
                fs::read_to_string(golden).unwrap() == rows
            }
            _ => false,
        };
        assert!(is_enough, "{row}");
        (file.to_owned(), rows)
    };
    rows.lines().map(expected).collect()
}

fn is_valid(case: &Case) -> bool {
    ["ok", "optional"].contains(&case.expect.as_str())
}

fn rows_as_json(content: &Content) -> String {
    let mut rows = Vec::new();
    for batch in &content.batches {
        JsonRows::try_new(batch).unwrap().write_to(&mut rows).unwrap();
    }
    String::from_utf8(rows).unwrap()
}

#[test]
fn valid_files_have_the_rows_that_others_found() {
    let (expected, cases) = (expected_rows(), cases());
    let mut files = BTreeSet::new();
    for (file, json) in &expected {
        assert!(files.insert(file.as_str()), "{file}: two rows");
        let Some(case) = cases.iter().find(|case| case.file == *file) else {
            assert!(!HAS_CODECS && file.starts_with("comp-"), "{file}: not in the manifest");
            continue;
        };
        assert!(is_valid(case), "{file}");
        let bytes = fs::read(folder().join(file)).unwrap();
        for (reader, read) in readers(&case.format) {
            let content =
                read(&bytes, Validation::Content).unwrap_or_else(|error| panic!("{file}: {reader}: {error}"));
            assert_eq!(rows_as_json(&content), *json, "{file}: {reader}");
        }
    }
    let valid = cases.iter().filter(|case| is_valid(case)).map(|case| case.file.as_str());
    let without: Vec<&str> = valid.filter(|file| !files.contains(file)).collect();
    assert_eq!(without, [""; 0], "valid files without expected rows");
}

#[test]
fn the_manifest_lists_every_file() {
    let mut listed: Vec<String> = cases().into_iter().map(|case| case.file).collect();
    let mut there: Vec<String> = [".stream", ".arrow_file"]
        .iter()
        .flat_map(|suffix| testing_support::files_below(&folder(), suffix))
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    there.retain(|file| HAS_CODECS || !file.starts_with("comp-"));
    listed.sort();
    there.sort();
    assert_eq!(listed, there);
}

#[test]
fn errors_say_what_is_expected() {
    check_errors("errors", |case| !case.is_compressed());
    if HAS_CODECS {
        check_errors("errors_of_compressed_bodies", Case::is_compressed);
    }
}

/// Compares the messages of errors with `snapshots/NAME.snap`.
fn check_errors(name: &str, is_meant: fn(&Case) -> bool) {
    let mut text = String::new();
    for (case, outcome) in OUTCOMES.iter().filter(|(case, _)| is_meant(case)) {
        if let Err((_, message)) = outcome {
            assert!(!message.contains('\n'), "{}: {message:?} has several lines", case.file);
            writeln!(text, "{}: {message}", case.file).unwrap();
        }
    }
    insta::with_settings!({ prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, text);
    });
}
