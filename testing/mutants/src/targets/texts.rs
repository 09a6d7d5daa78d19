//! Tests text: types and schemas, rows of JSON and CSV, documents of the integration tests.

use std::fs;

use arrow_schema::{DataType, Schema};
use arrow_text::{CsvReader, JsonReader};
use integration::Document;
use testing_support::{corpus_dir, files_below};

use crate::operations::json_of;

/// Separates the schema from the rows of an input.
const SEPARATOR: char = '\0';

/// Prints types and schemas that were read. The text must be read as the same type or schema.
pub(super) fn types(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<DataType>() {
        Ok(read) => assert_eq!(read.to_string().parse(), Ok(read)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    match text.parse::<Schema>() {
        Ok(read) => assert_eq!(read.to_string().parse(), Ok(read)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The rows of an input, without the schema before them.
pub(super) fn rows_of(bytes: &[u8]) -> &[u8] {
    let end_of_schema = bytes.iter().position(|byte| char::from(*byte) == SEPARATOR);
    end_of_schema.map_or(bytes, |end| &bytes[end + 1..])
}

/// The schema, if it has few columns, and the rows.
fn split(text: &str) -> Option<(Schema, &str)> {
    let (schema, rows) = text.split_once(SEPARATOR)?;
    let schema = schema.parse::<Schema>().ok()?;
    // Programs give schemas, so they are not hostile.
    let is_small =
        schema.fields().len() < 100 && schema.fields().iter().all(|field| field.data_type().depth() < 8);
    is_small.then_some((schema, rows))
}

/// Reads rows of JSON and writes them. The text must be read as the same rows.
pub(super) fn json(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some((schema, rows)) = split(&text) else { return };
    let Ok(reader) = JsonReader::try_new(rows.as_bytes(), schema.clone()) else { return };
    let reader = reader.with_max_null_bytes(1 << 20);
    for batch in reader.map_while(Result::ok).take(4) {
        let Some(lines) = json_of(&batch) else { continue };
        let again = JsonReader::read_batch(&lines, schema.clone());
        let again = again.unwrap_or_else(|error| panic!("{error}\n{lines}"));
        assert_eq!(json_of(&again), Some(lines));
    }
}

/// Reads rows of CSV, and writes them.
pub(super) fn csv(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some((schema, rows)) = split(&text) else { return };
    let Ok(reader) = CsvReader::try_new(rows.as_bytes(), schema.clone()) else { return };
    let reader = reader.with_max_null_bytes(1 << 20).with_max_record_bytes(1 << 20);
    for batch in reader.map_while(Result::ok).take(4) {
        let _ = json_of(&batch);
        assert_eq!(batch.same_values(&batch.slice(0, batch.n_rows())), Ok(true));
    }
}

/// Reads documents and writes them. The text must be read as the same document.
pub(super) fn documents(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(read) = Document::parse(&text) else { return };
    if !read.batches().iter().all(crate::operations::is_short) {
        return;
    }
    // Where a dictionary differs from batch to batch, there is no document.
    let Ok(written) = Document::write(read.schema(), read.batches()) else { return };
    let again = Document::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    for (again, read) in again.batches().iter().zip(read.batches()) {
        assert_eq!(again.same_values(read), Ok(true));
    }
}

fn rows_of_corpus(change: fn(&str) -> Option<String>) -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for path in files_below(&corpus_dir().join("golden"), ".json") {
        let texts = [path.with_extension("schema"), path].map(|path| fs::read_to_string(path).ok());
        let [Some(schema), Some(rows)] = texts else { continue };
        if let Some(rows) = change(&rows).filter(|rows| rows.len() < 20_000) {
            inputs.push(format!("{schema}{SEPARATOR}{rows}").into_bytes());
        }
    }
    inputs
}

pub(super) fn json_rows() -> Vec<Vec<u8>> {
    rows_of_corpus(|rows| Some(rows.to_owned()))
}

/// Rows of JSON, whose commas and quotes are similar to CSV.
pub(super) fn csv_rows() -> Vec<Vec<u8>> {
    rows_of_corpus(|rows| Some(rows.replace("{\"", "").replace('}', "")))
}

pub(super) fn generated_documents() -> Vec<Vec<u8>> {
    let documents = (0..3).flat_map(integration::generated_cases).map(|case| case.text.into_bytes());
    documents.filter(|text| text.len() < 40_000).collect()
}
