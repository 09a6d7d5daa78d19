//! The content of a stream or file, as text that does not depend on the implementation.

use crate::schema_text::schema_text;
use crate::value_json::batch_rows;
use arrow_text::JsonRows;
use std::fmt;
use std::path::Path;

/// The schema and the rows. They are equal if two implementations read the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The schema, with one field on each line.
    pub schema: String,
    /// The rows as lossless JSON, one on each line.
    pub rows: String,
    /// The number of rows of each batch; `-` if there are no batches.
    pub n_rows: String,
}

impl Content {
    /// The content of arrow-rs arrays, by the code of this folder.
    pub fn of_theirs(schema: &rs_schema::Schema, batches: &[rs_array::RecordBatch]) -> Self {
        Self {
            schema: schema_text(schema),
            rows: lines(batches.iter().flat_map(batch_rows)),
            n_rows: n_rows_text(batches.iter().map(rs_array::RecordBatch::num_rows)),
        }
    }

    /// The content of our arrays, by the text form of this project.
    pub fn of_ours(schema: &arrow_schema::Schema, batches: &[arrow_data::RecordBatch]) -> Self {
        let rows_of = |batch| JsonRows::try_new(batch).unwrap_or_else(|error| panic!("{error}"));
        Self {
            schema: lines(schema.fields().iter().map(ToString::to_string)),
            rows: batches
                .iter()
                .map(rows_of)
                .map(|rows| lines(rows.iter().map(|row| row.to_string())))
                .collect(),
            n_rows: n_rows_text(batches.iter().map(arrow_data::RecordBatch::n_rows)),
        }
    }

    /// Like [`of_ours`](Content::of_ours), but with the stored values of JSON and tensors, as arrow-rs has them.
    pub fn of_ours_as_stored(schema: &arrow_schema::Schema, batches: &[arrow_data::RecordBatch]) -> Self {
        let batches: Vec<_> = batches.iter().map(as_stored).collect();
        Self::of_ours(schema, &batches)
    }

    /// The content in the text of a golden file.
    pub fn of_golden(folder: &Path, case: &str, n_rows: &str) -> std::io::Result<Self> {
        let text = |suffix: &str| std::fs::read_to_string(folder.join(format!("{case}.{suffix}")));
        Ok(Self { schema: text("schema")?, rows: text("json")?, n_rows: n_rows.to_owned() })
    }

    /// The first line that differs; `None` if the contents are equal.
    pub fn difference<'a>(&'a self, expected: &'a Self) -> Option<Difference<'a>> {
        let lines = |content: &'a Self| {
            content.schema.lines().chain(["---"]).chain(content.rows.lines()).chain(["---", &content.n_rows])
        };
        let (mut found, mut expected) = (lines(self), lines(expected));
        loop {
            match (found.next(), expected.next()) {
                (None, None) => return None,
                (found, expected) if found == expected => {}
                (found, expected) => return Some(Difference { found, expected }),
            }
        }
    }

    /// # Panics
    /// If the contents differ. The message has the first different line.
    pub fn assert_is(&self, expected: &Self, location: &dyn fmt::Display) {
        if let Some(difference) = self.difference(expected) {
            panic!("{location}: {difference}");
        }
    }
}

/// A line of two contents.
#[derive(Debug)]
pub struct Difference<'a> {
    found: Option<&'a str>,
    expected: Option<&'a str>,
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [found, expected] = [self.found, self.expected].map(|line| line.unwrap_or("nothing"));
        write!(f, "\n  found    {found}\n  expected {expected}")
    }
}

/// The batch without the extension types whose text is not that of the storage.
fn as_stored(batch: &arrow_data::RecordBatch) -> arrow_data::RecordBatch {
    const OTHERS: [&str; 3] = ["arrow.json", "arrow.fixed_shape_tensor", "arrow.variable_shape_tensor"];
    let stored = |field: &arrow_schema::Field| match field.extension() {
        Some(extension) if OTHERS.contains(&extension.name) => field.clone().without_extension(),
        Some(_) | None => field.clone(),
    };
    let fields: Vec<_> = batch.schema().fields().iter().map(stored).collect();
    let schema = arrow_schema::Schema::new(fields);
    batch.clone().with_schema(schema).unwrap_or_else(|error| panic!("{error}"))
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| line + "\n").collect()
}

fn n_rows_text(counts: impl Iterator<Item = usize>) -> String {
    let counts: Vec<_> = counts.map(|n_rows| n_rows.to_string()).collect();
    if counts.is_empty() { "-".to_owned() } else { counts.join(",") }
}
