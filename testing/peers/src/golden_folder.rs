//! A folder of golden files: what its files hold, and whether arrow-rs reads them as their text says.

use crate::golden_cases::{Case, all_cases};
use crate::schema_text::schema_text;
use crate::value_json::{batch_rows, json_string};
use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Metadata, SchemaRef};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Cursor;
use std::path::Path;

const TABLE_HEAD: &str = "case\tformats\tn_rows\tlevel\tabout\n";
const SUFFIXES: [(&str, &str); 2] = [("stream", "arrows"), ("file", "arrow")];

/// Name and content of every file of the folder.
pub fn golden_files() -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut table = TABLE_HEAD.to_owned();
    for case in all_cases() {
        let rows: Vec<_> = case.batches.iter().map(batch_rows).collect();
        let text: String = rows.iter().flatten().map(|row| format!("{row}\n")).collect();
        for (format, suffix) in SUFFIXES {
            let content = write(&case, format).unwrap_or_else(|error| panic!("{}: {error}", case.name));
            files.insert(format!("{}.{suffix}", case.name), content);
        }
        files.insert(format!("{}.json", case.name), text.into_bytes());
        files.insert(format!("{}.schema", case.name), schema_text(&case.schema).into_bytes());
        let metadata = metadata_text(&case);
        if !metadata.is_empty() {
            files.insert(format!("{}.metadata", case.name), metadata.into_bytes());
        }
        let n_rows = n_rows_text(&case.batches);
        writeln!(table, "{}\tstream,file\t{n_rows}\tstrict\t{}", case.name, case.about)
            .expect("a string takes all");
    }
    files.insert("cases.tsv".to_owned(), table.into_bytes());
    files
}

fn write(case: &Case, format: &str) -> Result<Vec<u8>, ArrowError> {
    let options = case.options.clone();
    let mut out = Vec::new();
    if format == "stream" {
        let mut writer = StreamWriter::try_new_with_options(&mut out, &case.schema, options)?;
        case.batches.iter().try_for_each(|batch| writer.write(batch))?;
        writer.finish()?;
    } else {
        let mut writer = FileWriter::try_new_with_options(&mut out, &case.schema, options)?;
        case.batches.iter().try_for_each(|batch| writer.write(batch))?;
        case.footer_metadata.iter().for_each(|&(key, value)| writer.write_metadata(key, value));
        writer.finish()?;
    }
    Ok(out)
}

fn n_rows_text(batches: &[RecordBatch]) -> String {
    let counts: Vec<_> = batches.iter().map(|batch| batch.num_rows().to_string()).collect();
    if counts.is_empty() { "-".to_owned() } else { counts.join(",") }
}

/// One line per place that carries custom metadata; empty where none does.
fn metadata_text(case: &Case) -> String {
    let mut out = String::new();
    push_place(&mut out, "\"at\":\"schema\"", pairs(case.schema.metadata()));
    for field in case.schema.fields() {
        push_field(&mut out, field, &mut Vec::new());
    }
    push_place(&mut out, "\"at\":\"footer\"", case.footer_metadata.iter().copied());
    out
}

fn pairs(metadata: &Metadata) -> impl Iterator<Item = (&str, &str)> {
    metadata.iter().map(|(key, value)| (key.as_str(), value.as_str()))
}

fn push_field(out: &mut String, field: &Field, path: &mut Vec<String>) {
    path.push(json_string(field.name()));
    push_place(out, &format!("\"at\":\"field\",\"path\":[{}]", path.join(",")), pairs(field.metadata()));
    match field.data_type() {
        DataType::Struct(children) => children.iter().for_each(|child| push_field(out, child, path)),
        DataType::List(item) => push_field(out, item, path),
        _ => {}
    }
    path.pop();
}

fn push_place<'a>(out: &mut String, place: &str, pairs: impl Iterator<Item = (&'a str, &'a str)>) {
    let pairs: Vec<_> =
        pairs.map(|(key, value)| format!("[{},{}]", json_string(key), json_string(value))).collect();
    if !pairs.is_empty() {
        writeln!(out, "{{{place},\"pairs\":[{}]}}", pairs.join(",")).expect("a string takes all");
    }
}

/// What is wrong with each file of the folder that arrow-rs does not read as its text says.
pub fn wrong_files(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut wrong = Vec::new();
    for row in std::fs::read_to_string(folder.join("cases.tsv"))?.lines().skip(1) {
        let [name, formats, n_rows, _, _] = row.split('\t').collect::<Vec<_>>()[..] else { continue };
        let text = |suffix: &str| std::fs::read_to_string(folder.join(format!("{name}.{suffix}")));
        let expected = (text("schema")?, text("json")?, n_rows.to_owned());
        for (_, suffix) in
            SUFFIXES.iter().filter(|(format, _)| formats.split(',').any(|known| known == *format))
        {
            let file_name = format!("{name}.{suffix}");
            match read(std::fs::read(folder.join(&file_name))?, suffix) {
                Err(error) => wrong.push(format!("{file_name}: {error}")),
                Ok((schema, batches)) => {
                    let rows: String = batches.iter().flat_map(batch_rows).map(|row| row + "\n").collect();
                    let found = (schema_text(&schema), rows, n_rows_text(&batches));
                    if found != expected {
                        wrong.push(format!("{file_name}: {}", first_difference(&found, &expected)));
                    }
                }
            }
        }
    }
    Ok(wrong)
}

fn read(content: Vec<u8>, suffix: &str) -> Result<(SchemaRef, Vec<RecordBatch>), ArrowError> {
    if suffix == "arrows" {
        let reader = StreamReader::try_new(Cursor::new(content), None)?;
        Ok((reader.schema(), reader.collect::<Result<_, _>>()?))
    } else {
        let reader = FileReader::try_new(Cursor::new(content), None)?;
        Ok((reader.schema(), reader.collect::<Result<_, _>>()?))
    }
}

type Content = (String, String, String);

fn first_difference(found: &Content, expected: &Content) -> String {
    let lines =
        |content: &Content| [&content.0, &content.1, &content.2].map(|text| text.clone() + "\n").concat();
    let (found, expected) = (lines(found), lines(expected));
    let pair = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    pair.map_or("other length".to_owned(), |(found, expected)| {
        format!("\n  found    {found}\n  expected {expected}")
    })
}
