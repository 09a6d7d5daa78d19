//! A difference, as data.

use std::fmt;

use arrow_data::ColumnDifference;
use arrow_schema::{DataType, Field, FieldPath, Nullability};

/// A difference between two inputs, A and B.
#[derive(Debug, Clone)]
pub enum Difference {
    /// A metadata key that only one side has, or that has different values.
    Metadata {
        /// What the metadata belongs to.
        of: MetadataScope,
        /// The key, which may be null.
        key: Option<String>,
        /// The values of the key in A; `None` if only B has the key. A key can occur several times.
        a: Option<Vec<Option<String>>>,
        /// The values of the key in B; `None` if only A has the key.
        b: Option<Vec<Option<String>>>,
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
    Value {
        /// The row, by its number or its key.
        row: RowLabel,
        /// The column, by its name in A.
        column: FieldPath,
        /// The field of the column in A.
        field: Box<Field>,
        /// The path of the different value inside the column, and the values of A and B, in this order. Slots in the
        /// path are counted from the start of each batch.
        difference: Box<ColumnDifference>,
    },
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

/// What identifies a row: its number, or its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowLabel {
    /// The number of the row, from 0. For a row that both sides have, its number in A.
    pub number: u64,
    /// The number of the row in B; `None` if it is equal to the number in A, or if there is a key.
    pub in_b: Option<u64>,
    /// The names and values of the columns of the key, such as `id 7`, if rows are compared by a key.
    pub key: Option<String>,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::A => "A",
            Side::B => "B",
        })
    }
}
