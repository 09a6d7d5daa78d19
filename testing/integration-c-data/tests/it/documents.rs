//! Exports and imports all documents.

use std::ffi::{CStr, CString, c_char, c_int};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use arrow_c_data::{ArrowArray, ArrowSchema, Validation};
use arrow_integration_testing::{
    arrow_c_data_integration_bytes_allocated as bytes_allocated,
    arrow_c_data_integration_export_batch_from_json as export_batch,
    arrow_c_data_integration_export_schema_from_json as export_schema,
    arrow_c_data_integration_free_error as free_error,
    arrow_c_data_integration_import_batch_and_compare_to_json as compare_batch,
    arrow_c_data_integration_import_schema_and_compare_to_json as compare_schema,
};
use flate2::read::GzDecoder;
use integration::{Document, generated_cases};
use testing_support::Hunt;

/// The error of a function. Its text is freed.
fn said(error: *const c_char) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: it was just returned.
    let text = unsafe { CStr::from_ptr(error) }.to_string_lossy().into_owned();
    // SAFETY: it was just returned.
    unsafe { free_error(error) };
    Err(text)
}

fn c_path(path: &Path) -> CString {
    CString::new(path.to_str().expect("a path of text")).expect("no NUL")
}

/// Exports everything in a document, compares it with the same document, and checks that all memory is released.
fn check_document(path: &Path) -> Result<usize, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let n_batches = Document::parse(&text).map_err(|error| error.to_string())?.batches().len();
    let path = c_path(path);
    let mut schema = ArrowSchema::empty();
    // SAFETY: a string of C, and a place for a schema.
    said(unsafe { export_schema(path.as_ptr(), &mut schema) })?;
    // SAFETY: the schema was just exported.
    said(unsafe { compare_schema(path.as_ptr(), &mut schema) })?;
    assert!(schema.is_released(), "the schema was taken");
    for idx in 0..n_batches {
        let mut batch = ArrowArray::empty();
        let idx = idx as c_int;
        // SAFETY: a string of C, and a place for an array.
        said(unsafe { export_batch(path.as_ptr(), idx, &mut batch) })?;
        // SAFETY: the batch was just exported.
        said(unsafe { compare_batch(path.as_ptr(), idx, &mut batch) })?;
        assert!(batch.is_released(), "the batch was taken");
    }
    Ok(n_batches)
}

/// Checks documents of the cases of the harness, and of our additional cases.
fn check_generated(scratch: &Path) {
    let path = scratch.join("case.json");
    let mut n_batches = 0;
    for case in generated_cases(3) {
        fs::write(&path, &case.text).expect("a file");
        n_batches += check_document(&path).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    }
    assert!(n_batches > 60, "{n_batches} batches");
}

/// Checks the documents of the gold files. The short form only checks the newest, which have all types.
fn check_gold(scratch: &Path) {
    let Some(data) = testing_support::arrow_test_data("gold documents through the C data interface") else {
        return;
    };
    let path = scratch.join("gold.json");
    let folder = if Hunt::from_env().is_on() { "" } else { "cpp-21.0.0" };
    let files =
        testing_support::files_below(&data.join("arrow-ipc-stream/integration").join(folder), ".json.gz");
    for file in &files {
        let mut text = String::new();
        let opened = File::open(file).expect("it was listed");
        GzDecoder::new(opened)
            .read_to_string(&mut text)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        fs::write(&path, text).expect("a file");
        check_document(&path).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    assert!(files.len() >= 26, "{} documents", files.len());
}

/// Differences and bad documents are reported, and the structures are released.
fn check_refusals(scratch: &Path) {
    let [one, other, none, bad] =
        ["one.json", "other.json", "none.json", "bad.json"].map(|name| scratch.join(name));
    let document = |bits: &str| {
        format!(
            r#"{{"schema": {{"fields": [{{"name": "on", "nullable": true, "type": {{"name": "bool"}}, "children": []}}]}},
                "batches": [{{"count": 2, "columns": [{{"name": "on", "count": 2, "VALIDITY": [1, 1], "DATA": [{bits}]}}]}}]}}"#
        )
    };
    fs::write(&one, document("true, false")).expect("a file");
    fs::write(&other, document("true, true")).expect("a file");
    fs::write(&bad, document("1.5, []")).expect("a file");
    let renamed =
        document("true, false").replace("\"name\": \"on\", \"nullable\"", "\"name\": \"off\", \"nullable\"");
    let renamed_path = scratch.join("renamed.json");
    fs::write(&renamed_path, renamed).expect("a file");

    let export = |path: &Path, idx| {
        let mut batch = ArrowArray::empty();
        // SAFETY: a string of C, and a place for an array.
        said(unsafe { export_batch(c_path(path).as_ptr(), idx, &mut batch) }).map(|()| batch)
    };
    let mut batch = export(&one, 0).expect("it is there");
    // SAFETY: the batch was just exported, and has this schema.
    let error = said(unsafe { compare_batch(c_path(&other).as_ptr(), 0, &mut batch) }).unwrap_err();
    assert_eq!(error, "batch 0, row 1, on: the document has true, the file false");
    assert!(batch.is_released());
    for (path, idx, text) in [
        (&one, 1, "there is no batch 1"),
        (&one, -1, "there is no batch -1"),
        (&none, 0, "none.json"),
        (&bad, 0, "batches[0]"),
    ] {
        let error = export(path, idx).unwrap_err();
        assert!(error.contains(text), "{error}");
    }
    let mut batch = export(&one, 0).expect("it is there");
    // SAFETY: the batch was just exported.
    let error = said(unsafe { compare_batch(c_path(&none).as_ptr(), 0, &mut batch) }).unwrap_err();
    assert!(error.contains("none.json") && batch.is_released(), "{error}");
    // SAFETY: the structure is released.
    let error = said(unsafe { compare_batch(c_path(&one).as_ptr(), 0, &mut batch) }).unwrap_err();
    assert_eq!(error, "the ArrowArray is released");

    let mut schema = ArrowSchema::empty();
    // SAFETY: a string of C, and a place for a schema.
    said(unsafe { export_schema(c_path(&one).as_ptr(), &mut schema) }).expect("it is there");
    // SAFETY: the schema was just exported.
    let error = said(unsafe { compare_schema(c_path(&renamed_path).as_ptr(), &mut schema) }).unwrap_err();
    assert!(error.contains("off") && schema.is_released(), "{error}");

    // The other way of reading it gives the same.
    let batch = export(&one, 0).expect("it is there");
    let schema: arrow_schema::Schema = "on: bool".parse().expect("a schema");
    // SAFETY: it is a batch of this schema.
    let batch = unsafe { batch.import_batch(schema, Validation::Content) };
    assert_eq!(batch.map(|batch| batch.n_rows()), Ok(2));
}

#[test]
fn all_documents_go_there_and_back_and_nothing_stays() {
    let scratch = tempfile::tempdir().expect("a folder");
    let checks: [fn(&Path); 3] = [check_generated, check_gold, check_refusals];
    // What is made once and kept is made before it is counted.
    check_generated(scratch.path());
    for check in checks {
        let before = bytes_allocated();
        check(scratch.path());
        assert_eq!(bytes_allocated(), before, "bytes are left");
    }
}
