//! Rows of four columns, written as text and read from text.

use std::io;

use arrow_text::{BatchTable, CsvReader, CsvRows, JsonReader, JsonRows};

use crate::HotPath;
use crate::data;

pub(super) fn text() -> Vec<HotPath> {
    let table = data::table();
    let schema = table.schema().clone();
    let json_schema = schema.clone();
    let csv = CsvRows::try_new(&table).expect("it has text").to_string();
    let mut json = Vec::new();
    JsonRows::try_new(&table).expect("it has text").write_to(&mut json).expect("it fits");
    let json = String::from_utf8(json).expect("it is text");
    let (to_csv, to_json, to_table) = (table.clone(), table.clone(), table.slice(0, 1_000));
    vec![
        HotPath::new("rows to CSV", 1, move || {
            CsvRows::try_new(&to_csv).expect("it has text").write_to(&mut io::sink()).expect("it fits");
        }),
        HotPath::new("rows to lines of JSON", 1, move || {
            JsonRows::try_new(&to_json).expect("it has text").write_to(&mut io::sink()).expect("it fits");
        }),
        HotPath::new("1,000 rows to a table", 1, move || {
            BatchTable::try_new(&to_table).expect("it has text").to_string()
        }),
        HotPath::new("CSV to rows", 1, move || {
            CsvReader::read_batch(&csv, schema.clone()).expect("it is valid")
        }),
        HotPath::new("lines of JSON to rows", 1, move || {
            JsonReader::read_batch(&json, json_schema.clone()).expect("it is valid")
        }),
    ]
}
