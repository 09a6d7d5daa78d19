//! A difference, as data and as a line of text.

use std::fmt;

use arrow_schema::{DataType, FieldPath, Nullability, QuotedOrNull, QuotedText};

use super::show::{CutValue, ValuePair};

/// A difference between two inputs, A and B. `Display` writes one line, in which long values are shortened. Use
/// [`Escaped`](arrow_text::format::Escaped) if names may contain control characters.
#[derive(Debug, Clone)]
pub enum Difference {
    /// A metadata key that only one side has, or that has different values.
    Metadata {
        /// What the metadata belongs to.
        of: MetadataScope,
        /// The key, which may be null.
        key: Option<String>,
        /// The values of the key on each side. A key can occur several times.
        values: Sides<Vec<Option<String>>>,
    },
    /// A column or nested field that only one side has.
    OnlyIn {
        /// The side that has the field.
        side: Side,
        /// The path of the field.
        path: FieldPath,
        /// The type of the field.
        data_type: DataType,
    },
    /// Columns, or children of a field, in a different order.
    Order {
        /// The parent; the root for columns.
        parent: FieldPath,
        /// The names in A, in order, without leading and trailing names that have the same position in B.
        a: Vec<String>,
        /// The same names, in the order of B.
        b: Vec<String>,
    },
    /// A field that has different names in A and B.
    Name {
        /// The path of the field, with the name in A.
        path: FieldPath,
        /// The name in A.
        a: String,
        /// The name in B.
        b: String,
    },
    /// A field that is nullable on one side only.
    Nullability {
        /// The path of the field.
        path: FieldPath,
        /// The nullability in A.
        a: Nullability,
        /// The nullability in B.
        b: Nullability,
    },
    /// A field that has different types in A and B.
    Type {
        /// The path of the field.
        path: FieldPath,
        /// The type in A.
        a: DataType,
        /// The type in B.
        b: DataType,
    },
    /// A pair of columns whose types cannot have the same values. Their rows are not compared.
    NotCompared {
        /// The path of the column in A.
        path: FieldPath,
    },
    /// A value that differs.
    Value(Box<ValueDifference>),
    /// A row differs in more columns than are reported.
    MoreColumns {
        /// The row that differs.
        row: RowLabel,
        /// The number of columns that differ and are not reported.
        n_columns: usize,
    },
    /// One more row differs, after the maximal number of rows was reported. The comparison stops at this row.
    OneMoreRow {
        /// The number of the row, from 0.
        row: u64,
        /// Whether this is the first different row, because no rows are to be reported.
        is_first: bool,
    },
    /// Rows that only one side has. With a key, this is a single row whose key the other side lacks. Without a key,
    /// these are consecutive rows between rows that both sides have.
    OnlyRow {
        /// The side that has these rows.
        side: Side,
        /// The first of these rows, with its number on that side.
        row: RowLabel,
        /// The number of these rows.
        n_rows: u64,
    },
    /// The number of rows whose keys only one side has and that are not reported one by one.
    OnlyRows {
        /// The side that has these rows.
        side: Side,
        /// The number of these rows.
        n_rows: u64,
    },
    /// The number of compared rows that differ.
    Rows {
        /// The number of rows that differ.
        n_different: u64,
        /// The number of rows that were compared.
        n_compared: u64,
    },
    /// One side has more rows, after the last row of the other side.
    MoreRows {
        /// The side that has more rows.
        side: Side,
        /// The number of rows after the end of the other side.
        n_rows: u64,
    },
}

/// One of the two inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first input.
    A,
    /// The second input.
    B,
}

/// The values of one or both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sides<T> {
    /// Only the first input has the value.
    OnlyA(T),
    /// Only the second input has the value.
    OnlyB(T),
    /// Both inputs have a value, and the values differ.
    Both(T, T),
}

/// The owner of metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetadataScope {
    /// The file or stream as a whole.
    Whole,
    /// The schema.
    Schema,
    /// A field.
    Field(FieldPath),
}

/// The name of a row in reports: its number, or its key. `Display` writes `row 5`, `row 5 (6 in B)` or `id 7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowLabel {
    /// The number of the row, from 0. For a row that both sides have, its number in A.
    pub number: u64,
    /// The number of the row in B; `None` if it is equal to the number in A, or if there is a key.
    pub in_b: Option<u64>,
    /// The columns and values of the key, if rows are compared by a key.
    pub key: Option<String>,
}

/// Two different values, with their row and column.
#[derive(Debug, Clone)]
pub struct ValueDifference {
    pub(super) row: RowLabel,
    pub(super) column: FieldPath,
    pub(super) difference: arrow_data::ColumnDifference,
    /// Both values as text, shortened.
    pub(super) shown: String,
}

impl ValueDifference {
    /// The row, by its number or its key.
    pub fn row(&self) -> &RowLabel {
        &self.row
    }

    /// The column, by its name in A.
    pub fn column(&self) -> &FieldPath {
        &self.column
    }

    /// The path of the different value inside the column, and the values of A and B, in this order. Slots in the path are counted
    /// from the start of each batch.
    pub fn difference(&self) -> &arrow_data::ColumnDifference {
        &self.difference
    }
}

impl fmt::Display for ValueDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValueDifference { row, column, difference, shown } = self;
        let below = difference.to_string();
        let separator = if below.is_empty() || below.starts_with('[') { "" } else { "." };
        write!(f, "{row}, field {column}{separator}{below}: {shown}")
    }
}

impl fmt::Display for RowLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.key, self.in_b) {
            (Some(key), _) => f.write_str(key),
            (None, Some(in_b)) => write!(f, "row {} ({in_b} in B)", self.number),
            (None, None) => write!(f, "row {}", self.number),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Metadata { of, key, values } => {
                write!(f, "metadata of {of}, {}: ", QuotedOrNull(key.as_deref()))?;
                match values {
                    Sides::Both(a, b) => ValuePair::new(values_of(a), values_of(b)).fmt(f),
                    Sides::OnlyA(a) => write!(f, "{}, only in A", CutValue(values_of(a))),
                    Sides::OnlyB(b) => write!(f, "{}, only in B", CutValue(values_of(b))),
                }
            }
            Difference::OnlyIn { side, path, data_type } => {
                write!(f, "field {path}: {}, only in {side}", CutValue(data_type))
            }
            Difference::Order { parent, a, b } => {
                let of = if parent.is_root() {
                    "columns".to_owned()
                } else {
                    format!("children of field {parent}")
                };
                write!(f, "order of {of}: {}", ValuePair::new(path_names(a), path_names(b)))
            }
            Difference::Name { path, a, b } => {
                write!(f, "field {path}: named {}", ValuePair::new(QuotedText(a), QuotedText(b)))
            }
            Difference::Nullability { path, a, b } => write!(f, "field {path}: {}", ValuePair::new(a, b)),
            Difference::Type { path, a, b } => {
                let note = if a.same_values(b) { ", which hold the same values" } else { "" };
                write!(f, "field {path}: {}{note}", ValuePair::new(a, b))
            }
            Difference::NotCompared { path } => {
                write!(f, "field {path}: values of these types are not compared")
            }
            Difference::Value(difference) => difference.fmt(f),
            Difference::MoreColumns { row, n_columns } => {
                write!(f, "{row}: {n_columns} more columns differ")
            }
            Difference::OnlyRow { side, row, .. } if row.key.is_some() => {
                write!(f, "{row}: row {}, only in {side}", row.number)
            }
            Difference::OnlyRow { side, row, n_rows } => {
                write!(f, "{row}: {n_rows} {}, only in {side}", rows(*n_rows))
            }
            Difference::OneMoreRow { row, is_first: true } => write!(f, "row {row} differs"),
            Difference::OneMoreRow { row, is_first: false } => write!(f, "row {row} differs, too"),
            Difference::Rows { n_different, n_compared } => {
                let differ = if *n_different == 1 { "differs" } else { "differ" };
                write!(f, "{n_different} of {n_compared} {} {differ}", rows(*n_compared))
            }
            Difference::OnlyRows { side, n_rows } => write!(f, "{n_rows} {} only in {side}", rows(*n_rows)),
            Difference::MoreRows { side, n_rows } => write!(f, "{side} has {n_rows} more {}", rows(*n_rows)),
        }
    }
}

fn rows(n: u64) -> &'static str {
    if n == 1 { "row" } else { "rows" }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::A => "A",
            Side::B => "B",
        })
    }
}

impl fmt::Display for MetadataScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MetadataScope::Whole => f.write_str("the whole"),
            MetadataScope::Schema => f.write_str("the schema"),
            MetadataScope::Field(path) => write!(f, "field {path}"),
        }
    }
}

/// Writes the values of a metadata key as text. Values may be null.
fn values_of(values: &[Option<String>]) -> String {
    listed(values.iter().map(|value| QuotedOrNull(value.as_deref())))
}

/// Writes names as text, quoted as in paths.
fn path_names(names: &[String]) -> String {
    listed(names.iter().map(|name| FieldPath::root().child(0, name.as_str())))
}

/// Joins items with commas.
fn listed<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
}
