//! Tests text: types, schemas and conditions, rows of JSON and CSV, documents of the integration tests.

use std::{
    fmt::{Debug, Display},
    fs,
    str::FromStr,
    sync::LazyLock,
};

use arrow_compute::Predicate;
use arrow_data::RecordBatch;
use arrow_schema::{DataType, Schema};
use arrow_text::{CsvReader, CsvRows, JsonReader, JsonSchema};
use integration::Document;
use testing_support::{Generator, Nulls, corpus_dir, files_below};

use crate::operations::{is_short, json_of, same_rows};

/// Separates the schema from the rows of an input.
const SEPARATOR: char = '\0';

/// Conditions on the columns of [`ROWS`], in all forms.
const CONDITIONS: [&str; 15] = [
    "n > 1.5 and n <= -1e3 or not (n = 0 and flag)",
    "u between 3 and 200",
    "f not between -1 and 'NaN'",
    "d != 12.345 or d = n",
    "day >= '2024-02-29'",
    "at < '2024-03-31T02:30+01:00' and at <> '1970-01-01T00:00:00Z'",
    r#"span = '{"months":1,"days":2,"nanoseconds":3}' or period > 90"#,
    "s in ('Oslo', \"Rome\", 'it''s')",
    r"s like 'a\%_%' and s not ilike '%B'",
    "s contains 'a%' or s not contains ''",
    "key = x'00ff' and key is not null",
    "not flag and flag = true",
    "word in (\"a\", 'b') or word is null",
    r#""a""b" = 1 or "a\"b" is null"#,
    "place.zip > 10 and place.street = s",
];

/// Columns of the types whose constants and comparisons differ.
static ROWS: LazyLock<RecordBatch> = LazyLock::new(|| {
    let schema = "\"a\\\"b\": int8\nn: int64\nu: uint8\nf: float64\nd: decimal128(9, 2)\nday: date32\nat: timestamp(us, \"UTC\")\n\
        span: interval(month_day_nano)\nperiod: duration(ms)\ns: utf8\nkey: binary\nflag: bool\n\
        word: dictionary<int8, utf8_view>\nplace: struct<zip: int16, street: large_utf8>\nlist: list<item: int32>";
    let schema: Schema = schema.parse().expect("types");
    Generator::new(40).batch(&schema, 12, Nulls::Some)
});

/// Prints what was read. The text must be read as the same.
fn reads_again<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) -> Option<T> {
    match text.parse::<T>() {
        Ok(read) => {
            let written = read.to_string();
            match written.parse::<T>() {
                Ok(again) => assert_eq!(again, read, "{written}"),
                Err(error) => panic!("{error}\n{written}"),
            }
            Some(read)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

/// Reads and prints types, schemas and conditions. Conditions on the columns of a batch also select rows of it.
pub(super) fn types(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    reads_again::<DataType>(&text);
    reads_again::<Schema>(&text);
    reads_again::<JsonSchema>(&text);
    let Some(condition) = reads_again::<Predicate>(&text) else { return };
    let Ok(bound) = condition.bind(ROWS.schema()) else { return };
    let found = bound.matches(&ROWS).expect("a condition that fits");
    let inverse = condition.not().bind(ROWS.schema()).expect("the same columns");
    let others = inverse.matches(&ROWS).expect("a condition that fits");
    // A comparison with a null is neither true nor false. Members of structs may be null, too.
    let columns: Vec<_> = bound.columns().into_iter().map(|column| &ROWS.columns()[column]).collect();
    let may_be_null = |row: usize| {
        columns.iter().any(|column| {
            let is_nested = !column.data_type().children().is_empty();
            is_nested || column.slice(row, 1).logical_null_count() != Ok(0)
        })
    };
    for (row, (is_found, is_other)) in found.iter().zip(others.iter()).enumerate() {
        assert!(
            is_found != is_other || !is_found && may_be_null(row),
            "row {row} matches both or none: {text}"
        );
    }
}

/// Schemas as text and as JSON, and conditions.
pub(super) fn schemas() -> Vec<Vec<u8>> {
    let paths = files_below(&corpus_dir(), ".schema");
    let texts = paths.into_iter().filter_map(|path| fs::read_to_string(path).ok());
    let mut seeds: Vec<Vec<u8>> = CONDITIONS.map(|condition| condition.as_bytes().to_vec()).into();
    for text in texts.filter(|text| text.len() < 4_000) {
        let json = text.parse::<Schema>().map(|schema| JsonSchema::new(schema).to_string());
        seeds.extend(json.map(String::into_bytes));
        seeds.push(text.into_bytes());
    }
    seeds
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

/// Reads rows of CSV and writes them. The text must be read as the same rows.
pub(super) fn csv(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for batch in csv_batches(&text) {
        let written = CsvRows::try_new(&batch).expect("valid content").to_string();
        let again = CsvReader::read_batch(&written, batch.schema().clone());
        let again = again.unwrap_or_else(|error| panic!("{error}\n{written}"));
        same_rows(&again, &batch, &written);
    }
}

/// The first batches of an input whose CSV is read as the same rows.
fn csv_batches(text: &str) -> Vec<RecordBatch> {
    let Some((schema, rows)) = split(text) else { return Vec::new() };
    let Ok(reader) = CsvReader::try_new(rows.as_bytes(), schema) else { return Vec::new() };
    let reader = reader.with_max_null_bytes(1 << 20).with_max_record_bytes(1 << 20);
    // With one column or none, a row may be a blank line.
    let keeps_rows = |batch: &RecordBatch| batch.n_columns() > 1 && is_short(batch);
    reader.map_while(Result::ok).take(4).filter(keeps_rows).collect()
}

/// Reads documents and writes them. The text must be read as the same document.
pub(super) fn documents(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(read) = Document::parse(&text) else { return };
    if !read.batches().iter().all(is_short) {
        return;
    }
    // Where a dictionary differs from batch to batch, there is no document.
    let Ok(written) = Document::write(read.schema(), read.batches()) else { return };
    let again = Document::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert!(is_same(&again, &read), "another document:\n{written}");
}

/// Whether two documents have the same schema, with its dictionary ids and metadata, and the same rows.
fn is_same(left: &Document, right: &Document) -> bool {
    let pairs = left.batches().iter().zip(right.batches());
    let has_same_rows = pairs.map(|(left, right)| left.same_values(right)).all(|same| same == Ok(true));
    left.schema() == right.schema() && left.batches().len() == right.batches().len() && has_same_rows
}

/// Rows of the corpus in another form. They are JSON, which the function gets with their schema.
fn rows_of_corpus(change: fn(Schema, String) -> Option<String>) -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for path in files_below(&corpus_dir().join("golden"), ".json") {
        let texts = [path.with_extension("schema"), path].map(|path| fs::read_to_string(path).ok());
        let [Some(text), Some(rows)] = texts else { continue };
        let rows = text.parse().ok().and_then(|schema| change(schema, rows));
        if let Some(rows) = rows.filter(|rows| rows.len() < 20_000) {
            inputs.push(format!("{text}{SEPARATOR}{rows}").into_bytes());
        }
    }
    inputs
}

pub(super) fn json_rows() -> Vec<Vec<u8>> {
    rows_of_corpus(|_, rows| Some(rows))
}

pub(super) fn csv_rows() -> Vec<Vec<u8>> {
    rows_of_corpus(|schema, rows| {
        let batch = JsonReader::read_batch(&rows, schema).ok()?;
        CsvRows::try_new(&batch).ok().map(|rows| rows.to_string())
    })
}

pub(super) fn generated_documents() -> Vec<Vec<u8>> {
    let documents = (0..3).flat_map(integration::generated_cases).map(|case| case.text.into_bytes());
    documents.filter(|text| text.len() < 40_000).collect()
}

#[cfg(test)]
mod tests {
    use arrow_ipc::IpcSchema;

    use super::*;

    #[test]
    fn most_seeds_of_csv_are_read() {
        let seeds = csv_rows();
        let is_read = |seed: &&Vec<u8>| !csv_batches(&String::from_utf8_lossy(seed)).is_empty();
        let n_read = seeds.iter().filter(is_read).count();
        assert!(n_read * 2 > seeds.len(), "{n_read} of {} are read", seeds.len());
        seeds.iter().for_each(|seed| csv(seed));
    }

    #[test]
    fn documents_differ_in_rows_batches_and_metadata() {
        let texts = integration::generated_cases(0).into_iter().map(|case| case.text);
        let read = |text: &str| Document::parse(text).expect("a document");
        let document = texts.map(|text| read(&text)).find(|document| document.batches().len() > 1);
        let document = document.expect("a document of several batches");
        let with = |schema: &IpcSchema, batches: &[RecordBatch]| {
            read(&Document::write(schema, batches).expect("the parts of a document"))
        };
        assert!(is_same(&document, &with(document.schema(), document.batches())));
        assert!(!is_same(&document, &with(document.schema(), &document.batches()[1..])));
        let mut batches = document.batches().to_vec();
        batches.reverse();
        assert!(!is_same(&document, &with(document.schema(), &batches)));
    }

    #[test]
    fn all_conditions_select_rows_of_the_batch() {
        for text in CONDITIONS {
            let condition = text.parse::<Predicate>().unwrap_or_else(|error| panic!("{text}: {error}"));
            condition.bind(ROWS.schema()).unwrap_or_else(|error| panic!("{text}: {error}"));
            types(text.as_bytes());
        }
    }
}
