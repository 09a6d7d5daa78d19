//! Compares the schema, metadata and rows of two inputs.
//!
//! Different containers, batch boundaries and dictionary encodings are no difference.

mod align;
mod difference;
mod fields;
mod keyed;
mod metadata;
mod options;
mod reporter;
mod rows;
mod side;
mod summary;
mod tolerance;

use std::{ops::ControlFlow, sync::Arc};

use arrow_ipc::file::Footer;
use arrow_schema::{DataType, Schema};

pub use self::{
    difference::{Difference, MetadataScope, RowLabel, Side},
    options::DiffOptions,
    summary::DiffSummary,
};
use self::{
    fields::{ColumnPair, compare_schemas},
    keyed::{compare_by_key, open_keys},
    metadata::compare_metadata,
    reporter::{ComparisonEnd, DiffReporter},
    rows::compare_rows,
    side::SideRows,
};
use crate::{error::ToolError, input::Input, observer::Observer};

/// Compares two inputs: names, types, nullability and order of columns and nested fields, metadata, and rows.
///
/// Columns are paired by name. If the types of two columns are encodings of the same values, such as utf8 and a
/// dictionary of utf8, or have a [`wider_type`](arrow_compute::wider_type()), such as int32 and int64, the types are reported as
/// different, and the values are compared in that type, which must not change them. Rows are paired in their
/// order. If rows were added or removed, the comparison searches the next 16,384 rows of both inputs for equal rows,
/// and continues there. It searches fewer rows if their values take more than 16 MiB. The searched rows are in
/// memory. Floating-point numbers are equal if their bits are equal, or within a [tolerance](DiffOptions::tolerance). The comparison ignores the container, batch
/// boundaries, metadata of batches, row counts and layouts in footers, tensors, byte order, compression, and the
/// order of metadata keys. Except for such searches, one batch of each input is in memory at a time.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_buffer::Buffer;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::StreamWriter;
/// use arrow_ipc_tools::{DiffOptions, Difference, Input, diff};
///
/// let stream = |ids: [i64; 3]| -> Result<Buffer, Box<dyn std::error::Error>> {
///     let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(ids).into())])?;
///     let mut writer = StreamWriter::try_new(Vec::new(), batch.schema())?;
///     writer.write(&batch)?;
///     Ok(writer.finish()?.into())
/// };
/// let a = Input::try_from_buffer("a", stream([1, 2, 3])?)?;
/// let b = Input::try_from_buffer("b", stream([1, 5, 3])?)?;
///
/// let mut differences: Vec<Difference> = Vec::new();
/// assert_eq!(diff(a, b, &DiffOptions::new(), &mut differences)?.is_same, Some(false));
/// assert!(matches!(&differences[0], Difference::Value { row, .. } if row.number == 1));
/// assert!(matches!(differences[1], Difference::Rows { n_different: 1, n_compared: 3 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If an input cannot be read, is malformed, unsupported or over a limit, has only tensors, or lacks a column. If a
/// constant of the condition does not fit the type of its column. If a value is not exactly one of the wider type of its column. If
/// neither input has the first selected row. If the
/// observer stops the work.
pub fn diff(
    a: Input,
    b: Input,
    options: &DiffOptions,
    report: &mut dyn DiffSink,
) -> Result<DiffSummary, ToolError> {
    Comparison::open(a, options)?.against(b, report)
}

/// The first input of a comparison, with its schema. A program that uses this type gets errors of the first input
/// before it opens the second.
#[derive(Debug)]
pub struct Comparison<'a> {
    a: SideRows,
    options: &'a DiffOptions,
    /// A mask of the hash bits that are compared. Tests clear bits, so that different keys have equal hashes.
    hash_bits: u64,
}

impl<'a> Comparison<'a> {
    /// Opens the first input and reads its schema.
    ///
    /// # Errors
    /// If the input cannot be read, has only tensors, or lacks a column.
    pub fn open(a: Input, options: &'a DiffOptions) -> Result<Comparison<'a>, ToolError> {
        Ok(Comparison { a: SideRows::open(a, options)?, options, hash_bits: u64::MAX })
    }

    /// The schema of the columns of the first input that are compared.
    pub fn schema(&self) -> &Arc<Schema> {
        self.a.schema()
    }

    /// Compares the first input with `b`.
    ///
    /// # Errors
    /// The errors of [`diff`].
    pub fn against(self, b: Input, report: &mut dyn DiffSink) -> Result<DiffSummary, ToolError> {
        let Comparison { a, options, hash_bits } = self;
        let b = SideRows::open(b, options)?;
        let mut reporter = DiffReporter::new(a.name().clone(), options, report);
        reporter.hash_bits = hash_bits;
        match compare([a, b], &mut reporter) {
            Ok(()) | Err(ComparisonEnd::Decided) => Ok(reporter.into_summary()),
            Err(ComparisonEnd::Failed(error)) => Err(error),
        }
    }
}

fn compare([mut a, mut b]: [SideRows; 2], reporter: &mut DiffReporter<'_>) -> Result<(), ComparisonEnd> {
    let options = reporter.options;
    // Opens the key columns first, so that their errors are reported first.
    let keys = match options.key.as_ref().filter(|key| !key.is_empty()) {
        Some(key) => Some(open_keys([&mut a, &mut b], key)?),
        None => None,
    };
    if !reporter.options.ignores_metadata {
        // Row counts and layouts in a footer describe batches, not rows, so they are not compared.
        let [metadata_a, metadata_b] = [&a, &b].map(|side| Footer::without_own_keys(side.metadata()));
        compare_metadata(MetadataScope::Whole, [&metadata_a, &metadata_b], reporter)?;
        compare_metadata(MetadataScope::Schema, [a.schema().metadata(), b.schema().metadata()], reporter)?;
    }
    let pairs = compare_schemas([&a, &b], reporter)?;
    reporter.summary.n_columns = pairs.len() as u64;
    let wider = |pair: &ColumnPair| pair.wider.clone().map(|wider| (pair.a, pair.b, wider));
    let wider: Vec<(usize, usize, DataType)> = pairs.iter().filter_map(wider).collect();
    a.widen(wider.iter().map(|(position, _, wider)| (*position, wider)));
    b.widen(wider.iter().map(|(_, position, wider)| (*position, wider)));
    match keys {
        Some(mut keys) => compare_by_key([&mut a, &mut b], &mut keys, &pairs, reporter)?,
        None => {
            compare_rows([&mut a, &mut b], &pairs, reporter)?;
            reporter.not_compared([&a, &b])?;
            reporter.summary.n_batches = [a.n_batches(), b.n_batches()];
        }
    }
    Ok(())
}

/// Receives each difference. A `Vec` collects them.
pub trait DiffSink: Observer {
    /// Receives a difference. [`Break`](ControlFlow::Break) ends the comparison.
    fn difference(&mut self, difference: Difference) -> ControlFlow<()>;
}

impl Observer for Vec<Difference> {}

impl DiffSink for Vec<Difference> {
    fn difference(&mut self, difference: Difference) -> ControlFlow<()> {
        self.push(difference);
        ControlFlow::Continue(())
    }
}
