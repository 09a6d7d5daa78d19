//! A folder of golden files: the contents of its files, and its list of cases.

use crate::content::Content;
use crate::format::Format;
use crate::golden_cases::{Case, all_cases};
use crate::theirs;
use crate::value_json::numbered_string;
use rs_schema::{DataType, Field, Metadata};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const TABLE_HEAD: &str = "case\tformats\tn_rows\tlevel\tabout\n";

/// The name and the content of every file of the folder.
pub fn golden_files() -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut table = TABLE_HEAD.to_owned();
    for case in all_cases() {
        for &format in &case.formats {
            let content =
                theirs::write(&case.source, format).unwrap_or_else(|error| panic!("{}: {error}", case.name));
            files.insert(format!("{}.{}", case.name, format.suffix()), content);
        }
        let content = Content::of_theirs(&case.source.schema, &case.source.batches);
        let metadata = metadata_text(&case);
        let formats: Vec<_> = case.formats.iter().map(|format| format.name()).collect();
        let formats = formats.join(",");
        writeln!(table, "{}\t{formats}\t{}\tstrict\t{}", case.name, content.n_rows, case.about)
            .expect("a string takes all");
        files.insert(format!("{}.json", case.name), content.rows.into_bytes());
        files.insert(format!("{}.schema", case.name), content.schema.into_bytes());
        if !metadata.is_empty() {
            files.insert(format!("{}.metadata", case.name), metadata.into_bytes());
        }
    }
    files.insert("cases.tsv".to_owned(), table.into_bytes());
    files
}

/// A line for each place with custom metadata; empty if there is none.
fn metadata_text(case: &Case) -> String {
    let mut out = String::new();
    push_location(&mut out, "\"at\":\"schema\"", pairs(case.source.schema.metadata()));
    for field in case.source.schema.fields() {
        push_field(&mut out, field, &mut Vec::new());
    }
    push_location(&mut out, "\"at\":\"footer\"", case.source.footer_metadata.iter().copied());
    out
}

fn pairs(metadata: &Metadata) -> impl Iterator<Item = (&str, &str)> {
    metadata.iter().map(|(key, value)| (key.as_str(), value.as_str()))
}

fn push_field(out: &mut String, field: &Field, path: &mut Vec<String>) {
    path.push(numbered_string(field.name()));
    push_location(out, &format!("\"at\":\"field\",\"path\":[{}]", path.join(",")), pairs(field.metadata()));
    match field.data_type() {
        DataType::Struct(children) => children.iter().for_each(|child| push_field(out, child, path)),
        DataType::List(item) => push_field(out, item, path),
        _ => {}
    }
    path.pop();
}

fn push_location<'a>(out: &mut String, location: &str, pairs: impl Iterator<Item = (&'a str, &'a str)>) {
    let pairs: Vec<_> =
        pairs.map(|(key, value)| format!("[{},{}]", numbered_string(key), numbered_string(value))).collect();
    if !pairs.is_empty() {
        writeln!(out, "{{{location},\"pairs\":[{}]}}", pairs.join(",")).expect("a string takes all");
    }
}

/// A stream or file of a golden folder.
pub struct GoldenFile {
    pub case: String,
    pub format: Format,
    pub path: PathBuf,
    pub expected: Content,
}

impl GoldenFile {
    pub fn read(&self) -> std::io::Result<Vec<u8>> {
        std::fs::read(&self.path)
    }
}

/// All streams and files that the list of a folder names.
pub fn listed_files(folder: &Path) -> std::io::Result<Vec<GoldenFile>> {
    let mut files = Vec::new();
    for row in std::fs::read_to_string(folder.join("cases.tsv"))?.lines().skip(1) {
        let [case, formats, n_rows, _, _] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{}: not five columns: {row}", folder.display())
        };
        let expected = Content::of_golden(folder, case, n_rows)?;
        for format in Format::ALL {
            if formats.split(',').any(|name| name == format.name()) {
                let path = folder.join(format!("{case}.{}", format.suffix()));
                files.push(GoldenFile { case: case.to_owned(), format, path, expected: expected.clone() });
            }
        }
    }
    Ok(files)
}

/// For each file that arrow-rs does not read as its text says, a description of the difference.
pub fn wrong_files(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut wrong = Vec::new();
    for file in listed_files(folder)? {
        let what = match theirs::read(&file.read()?, file.format) {
            Err(error) => Some(error.to_string()),
            Ok((schema, batches)) => Content::of_theirs(&schema, &batches)
                .difference(&file.expected)
                .map(|difference| difference.to_string()),
        };
        wrong.extend(what.map(|what| format!("{}: {what}", file.path.display())));
    }
    Ok(wrong)
}
