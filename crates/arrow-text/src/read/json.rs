//! Reads rows from JSON lines.

mod context;
mod lists;
mod members;
mod parts;
mod plain;
mod slot;
mod tensors;
mod unions;
mod value;

use std::{fmt, io::BufRead, sync::Arc};

use arrow_array::AnyBuilder;
use arrow_array::parse::{Expectation, ValueParser};
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use serde_core::de::{DeserializeSeed as _, IgnoredAny};

pub(super) use self::context::{n_bytes_of_string, not_json, reason};
pub use self::parts::{JsonPart, JsonParts};
use self::{
    context::{Line, RowContext},
    members::RowReader,
    slot::JsonSlot,
};
use super::{
    batches::{BatchGatherer, RowOutcome, RowTarget},
    error::{RowError, RowErrorKind},
    lines::Lines,
    node::{NullRule, ReadNode},
    nulls::NullBudget,
    reader::{RowText, TextReader},
    records::BlockLimits,
};

/// Reads rows of a given schema from lines of JSON, and returns them in batches. Reads the output of
/// [`JsonRows`](crate::JsonRows), and values in other notations; see `NOTATION.md`. Needs the feature `json`.
///
/// Each line is one row, and blank lines are skipped. A missing member is null. Repeated members are errors. Members that are
/// not in the schema are errors, unless they are [ignored](JsonReader::with_ignored_unknown_members). Numbers are not converted
/// through floating-point numbers of another width.
///
/// If a row fails, all its values are dropped. By default, the reader then returns the batch of the rows before it, then the
/// error, and then ends. With [`with_skipped_errors`](JsonReader::with_skipped_errors), reading continues after the error.
///
/// Memory is bounded by the longest line and by the size of a batch.
///
/// ```
/// use arrow_schema::{DataType, Field, Schema};
/// use arrow_text::JsonReader;
///
/// let schema = Schema::new([
///     Field::new("id", DataType::Int64).required(),
///     Field::new("tags", DataType::list(Field::new("item", DataType::Utf8))),
/// ]);
/// let text = r#"
///     {"id":1,"tags":["new","red"]}
///     {"id":2}
///     {"id":3.5,"tags":[]}
/// "#;
/// let mut batches = JsonReader::try_new(text.as_bytes(), schema)?;
/// let batch = batches.next().expect("rows come before the error that follows them")?;
/// assert_eq!((batch.n_rows(), batch.column("tags")?.null_count()), (2, 1));
/// let error = batches.next().expect("the last row is wrong").unwrap_err();
/// assert_eq!((error.line(), error.path().to_string().as_str()), (4, "id"));
/// assert!(batches.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type JsonReader<R> = TextReader<JsonText<R>>;

/// Lines of JSON.
pub struct JsonText<R> {
    lines: Lines<R>,
    /// Whether members that are not in the schema are skipped. Otherwise they are errors.
    ignores_unknown: bool,
}

impl<R: BufRead> JsonReader<R> {
    /// Makes a reader. Wrap an unbuffered input in a [`BufReader`](std::io::BufReader).
    ///
    /// # Errors
    /// If types of the schema are nested more than 64 levels deep.
    pub fn try_new(input: R, schema: impl Into<Arc<Schema>>) -> Result<JsonReader<R>, RowError> {
        let batches = BatchGatherer::try_new(schema.into())?;
        let lines = Lines::new(input, batches.limits.line_bytes);
        Ok(TextReader { text: JsonText { lines, ignores_unknown: false }, batches })
    }

    /// Sets the maximum length of a line. Default: 16 MiB.
    #[must_use]
    pub fn with_max_line_bytes(mut self, n_bytes: usize) -> JsonReader<R> {
        self.batches.limits.line_bytes = n_bytes;
        self.text.lines.limit(n_bytes);
        self
    }

    /// Skips members of rows and structs that are not in the schema.
    #[must_use]
    pub fn with_ignored_unknown_members(mut self) -> JsonReader<R> {
        self.text.ignores_unknown = true;
        self
    }
}

impl<'a> JsonReader<&'a [u8]> {
    /// Reads all rows of a text as one batch.
    ///
    /// ```
    /// use arrow_array::{Float64Array, TypedBatch};
    /// use arrow_schema::{DataType, Field, Schema};
    /// use arrow_text::JsonReader;
    ///
    /// let schema = Schema::new([Field::new("x", DataType::Float64)]);
    /// let batch = JsonReader::read_batch("{\"x\":0.1}\n{\"x\":\"NaN\"}\n{\"x\":null}\n", schema)?;
    /// let x = batch.column_as::<Float64Array>("x")?;
    /// assert_eq!((x.get(0), x.get(2)), (Some(0.1), None));
    /// # Ok::<(), arrow_text::RowError>(())
    /// ```
    ///
    /// # Errors
    /// If a row fails, the error of the first such row.
    pub fn read_batch(text: &'a str, schema: impl Into<Arc<Schema>>) -> Result<RecordBatch, RowError> {
        JsonReader::try_new(text.as_bytes(), schema)?.with_max_line_bytes(usize::MAX).rest()
    }
}

impl<R: BufRead> RowText for JsonText<R> {
    /// Reads the next line, and skips blank lines before it.
    fn row(&mut self, target: &mut RowTarget) -> RowOutcome {
        let JsonText { lines, ignores_unknown } = self;
        match block(lines, target) {
            Ok(None) => {}
            Ok(Some(n_bytes)) => return RowOutcome::Row { line: lines.number(), n_bytes },
            Err(error) => return RowOutcome::Failed { error, goes_on: false },
        }
        loop {
            let next = if std::mem::take(&mut target.again) { Ok(lines.last()) } else { lines.next() };
            let result = match next {
                Ok(None) => return RowOutcome::End,
                Ok(Some(line)) if line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) => continue,
                Ok(Some(line)) => read(line, *ignores_unknown, target).map(|()| line.len()),
                Err(error) => {
                    let goes_on = !matches!(error.kind(), RowErrorKind::Io(_));
                    return RowOutcome::Failed { error, goes_on };
                }
            };
            let line = lines.number();
            return match result {
                Ok(n_bytes) => RowOutcome::Row { line, n_bytes },
                Err(error) => RowOutcome::Failed { error: error.on_line(line), goes_on: true },
            };
        }
    }
}

/// Reads several lines at once, if all of them are plain and valid. Returns the length of their text in bytes.
fn block<R: BufRead>(lines: &mut Lines<R>, target: &mut RowTarget) -> Result<Option<usize>, RowError> {
    if !plain::may_be_plain(&target.members) {
        return Ok(None);
    }
    let Some(limits) = target.block_limits(None) else { return Ok(None) };
    let max_bytes = lines.max_bytes();
    let Some(bytes) = lines.arrived()? else { return Ok(None) };
    let limits = BlockLimits { n_bytes: limits.n_bytes.min(max_bytes), ..limits };
    let mut cells = std::mem::take(&mut target.cells);
    let block = plain::find_rows(bytes, &target.members, limits, &mut cells);
    let extent = block.map(|block| block.extent);
    let is_appended = block
        .is_some_and(|block| target.append_block(block.extent, |target| plain::append_rows(block, target)));
    target.cells = cells;
    let extent = if is_appended { extent } else { None };
    Ok(extent.map(|extent| {
        lines.take_block(extent);
        extent.n_bytes
    }))
}

fn read(line: &str, ignores_unknown: bool, target: &mut RowTarget) -> Result<(), RowError> {
    let mut parser = serde_json::Deserializer::from_str(line);
    // The schema limits the depth of recursion, so the parser need not.
    parser.disable_recursion_limit();
    let RowTarget { members, rows, budget, parser: values, .. } = target;
    let mut context = RowContext::new(Line::Whole(line), budget, values);
    context.ignores_unknown = ignores_unknown;
    let row = RowReader { members, rows, context: &mut context };
    row.deserialize(&mut parser).and_then(|()| parser.end()).map_err(|error| context.error(&error))
}

/// Appends the value of a cell of CSV, which is a nested value in JSON.
pub(super) fn append_cell(
    node: &ReadNode,
    builder: &mut AnyBuilder,
    budget: &mut NullBudget,
    text: &str,
    values: &mut ValueParser,
) -> Result<(), RowError> {
    let mut parser = serde_json::Deserializer::from_str(text);
    parser.disable_recursion_limit();
    let mut context = RowContext::new(Line::Cell(text), budget, values);
    let slot = JsonSlot { node, builder, context: &mut context };
    let result = slot.deserialize(&mut parser).and_then(|()| {
        parser.end().inspect_err(|_| {
            context.note(Expectation::Null, NullRule::None);
            context.at(&node.step);
        })
    });
    result.map_err(|error| context.error(&error))
}

impl<R> fmt::Debug for JsonReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonReader")
            .field("schema", &self.batches.schema)
            .field("line", &self.text.lines.number())
            .finish_non_exhaustive()
    }
}

/// Reads a JSON value of any type, in an array of one slot.
///
/// ```
/// use arrow_text::read_json_value;
///
/// let list = read_json_value(&"list<item: int64>".parse()?, "[1, 2]")?;
/// assert_eq!((list.len(), list.children()[0].len()), (1, 2));
/// assert_eq!(read_json_value(&"utf8".parse()?, "null")?.null_count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is not JSON, or not a value of the type.
pub fn read_json_value(data_type: &DataType, json: &str) -> Result<ArrayData, RowError> {
    serde_json::from_str::<IgnoredAny>(json).map_err(|error| RowError::new(0, not_json(json, &error)))?;
    // A line has a whole row. Strings contain no line ends.
    let row = format!("{{\"v\":{}}}", json.replace(['\n', '\r'], " "));
    let batch = JsonReader::read_batch(&row, Schema::new([Field::new("v", data_type.clone())]))?;
    Ok(batch.columns()[0].clone())
}
