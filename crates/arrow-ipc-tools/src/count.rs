//! Counts rows by metadata alone.

use arrow_ipc::{
    Container, FileReader, Header, IpcError, IpcErrorKind, Limits, MessageKind, Projection, ReadOptions,
};

use crate::{
    error::{ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
    trailing::TrailingBytes,
    walk::{AfterEnd, Walk},
};

/// The rows of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowCount {
    /// In all batches: of a file those that its footer lists, else of all streams.
    pub n_rows: u64,
    /// How many batches that is.
    pub n_batches: u64,
    /// Bytes after the last stream, which are not read.
    pub trailing_bytes: Option<TrailingBytes>,
}

/// Counts the rows of a file or of all streams of an input. Reads metadata: no bodies, unless the input is a pipe. Neither bodies
/// nor schemas are checked.
///
/// ```
/// use arrow_array::{Int64Array, TypedBatch};
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{StreamWriter, WriteOptions};
/// use arrow_ipc_tools::{Input, count_rows};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2, 3]).into())])?;
/// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema(), WriteOptions::new())?;
/// writer.write(&batch)?;
/// writer.write(&batch)?;
/// let stream = Input::try_from_buffer("stream", writer.finish()?.into())?;
/// assert_eq!(count_rows(stream, &Default::default())?.n_rows, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the input cannot be read, holds tensors only, is malformed or over a limit, or has more than 2⁶³ - 1 rows.
pub fn count_rows(mut input: Input, limits: &Limits) -> Result<RowCount, ToolError> {
    let name = input.name().clone();
    if input.container() == Container::File {
        let failed = |error| ToolError::new(name.clone(), ToolErrorKind::Input(error));
        // No column is read, so that one of an unknown type is no error.
        let options = ReadOptions::new().with_limits(limits.clone());
        let options = options.with_projection(Projection::Positions(Vec::new()));
        let reader = FileReader::try_from_source(input.into_source()?, options).map_err(failed)?;
        let (n_rows, n_batches) = (reader.n_rows().map_err(failed)?, reader.n_batches() as u64);
        return Ok(RowCount { n_rows, n_batches, trailing_bytes: None });
    }
    if input.holds_tensors_alone()? {
        return Err(ToolError::new(name, ToolErrorKind::TensorsAlone));
    }
    count_streams(&name, Walk::stream(input, limits.clone())?, limits)
}

fn count_streams(name: &InputName, mut walk: Walk, limits: &Limits) -> Result<RowCount, ToolError> {
    let failed = |error: IpcError| ToolError::new(name.clone(), ToolErrorKind::Input(error));
    let (mut n_rows, mut n_batches): (u64, u64) = (0, 0);
    let trailing_bytes = loop {
        while let Some(message) = walk.next_message().map_err(failed)? {
            if message.kind() == MessageKind::RecordBatch
                && let Header::RecordBatch(batch) = message.header(limits).map_err(failed)?
            {
                n_rows = add_rows(n_rows, batch.n_rows()).map_err(failed)?;
                n_batches = n_batches.saturating_add(1);
            }
        }
        match walk.after_end(limits).map_err(failed)? {
            AfterEnd::Nothing => break None,
            AfterEnd::Other(rest) => break Some(rest),
            AfterEnd::Stream(next) => walk = next,
        }
    };
    Ok(RowCount { n_rows, n_batches, trailing_bytes })
}

/// The limit is the same as for the batches of a file.
fn add_rows(sum: u64, n_rows: u64) -> Result<u64, IpcError> {
    let (requested, limit) = (sum.saturating_add(n_rows), i64::MAX.unsigned_abs());
    if requested > limit {
        return Err(IpcErrorKind::LimitExceeded { what: "rows of several batches", requested, limit }.into());
    }
    Ok(requested)
}
