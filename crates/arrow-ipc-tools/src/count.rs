//! Counts rows by metadata alone.

use arrow_ipc::{
    Codec, Container, FileReader, FormatErrorKind, IpcError, IpcErrorKind, Limits, MessageKind,
    file::Block,
    message::{Header, Message},
};

use crate::{
    byte_counter::ByteCounter,
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    input::{Input, generated_rows::GeneratedRows},
    observer::{InputRemarks, Observer, Pass, Unit},
    rows::{remarks_of, walked_stream},
    source::SharedSource,
    walk::{StreamSuccessor, Walk, missing_schema, relay::batch_message},
};

/// The numbers of rows and batches of an input, and what it has beside them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowCount {
    /// The number of rows in all batches. In a file, the batches that the footer lists count. In an input of streams,
    /// the batches of all streams count.
    pub n_rows: u64,
    /// The number of batches that contain these rows.
    pub n_batches: u64,
    /// What the input has beside these rows.
    pub remarks: InputRemarks,
}

/// Counts the rows of a file, or of all streams of an input. Reads only metadata, but must read through the bodies in
/// a pipe. Bodies and schemas are not checked.
///
/// ```
/// use arrow_array::{Int64Array, TypedBatch};
/// use arrow_data::RecordBatch;
/// use arrow_ipc::StreamWriter;
/// use arrow_ipc_tools::{Input, count_rows};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2, 3]).into())])?;
/// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// writer.write(&batch)?;
/// let stream = Input::try_from_buffer("stream", writer.finish()?.into())?;
/// assert_eq!(count_rows(stream, &mut ())?.n_rows, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the input cannot be read, has only tensors, is malformed or over a limit, or has more than 2⁶³ - 1 rows. If the
/// observer stops the work.
pub fn count_rows(input: Input, observer: &mut dyn Observer) -> Result<RowCount, ToolError> {
    if input.container() == Container::File {
        return Ok(open_file(input, observer)?.0);
    }
    Ok(CountedMetadata::try_new(input, observer)?.rows)
}

impl RowCount {
    /// Counts rows like [`count_rows`], and finds the codec of the first compressed batch. In a file, examines only the
    /// first batch. The codec is `None` if no examined batch is compressed.
    ///
    /// # Errors
    /// The errors of [`count_rows`].
    pub fn with_codec(
        input: Input,
        observer: &mut dyn Observer,
    ) -> Result<(RowCount, Option<Codec>), ToolError> {
        let counted = CountedMetadata::try_new(input, observer)?;
        Ok((counted.rows, counted.codec))
    }

    /// Adds two numbers of rows. The limit of the sum is 2⁶³ - 1, as in a file.
    ///
    /// # Errors
    /// If the sum is over this limit.
    pub fn add(sum: u64, n_rows: u64) -> Result<u64, IpcError> {
        let requested = sum.saturating_add(n_rows);
        let limit = i64::MAX.unsigned_abs();
        if requested > limit {
            return Err(IpcErrorKind::Format(FormatErrorKind::LimitExceeded {
                what: "rows of several batches",
                requested,
                limit,
            })
            .into());
        }
        Ok(requested)
    }
}

/// What the metadata of all messages of an input says.
pub(crate) struct CountedMetadata {
    pub(crate) rows: RowCount,
    /// The codec of the first compressed batch; in a file, of the first batch.
    codec: Option<Codec>,
    /// The length of the longest body of a batch in bytes.
    pub(crate) longest_body_bytes: u64,
}

impl CountedMetadata {
    /// Reads the metadata of all messages.
    ///
    /// # Errors
    /// The errors of [`count_rows`].
    pub(crate) fn try_new(
        mut input: Input,
        observer: &mut dyn Observer,
    ) -> Result<CountedMetadata, ToolError> {
        let name = input.name().clone();
        let walked = walked_stream(&input);
        if input.container() == Container::File || walked.is_some() {
            let (rows, reader) = match walked {
                Some(reader) => (count_in(&reader, &name, observer)?, reader),
                None => open_file(input, observer)?,
            };
            let file = reader.source();
            let first = reader.footer().batches().first().map(|block| batch_message(file, *block));
            let header = first.transpose().in_input(&name)?.map(|message| message.header(file.limits()));
            let header = header.transpose().in_input(&name)?;
            let codec =
                if let Some(Header::RecordBatch(batch)) = header { batch.compression() } else { None };
            let lengths = reader.footer().batches().iter().map(Block::n_body_bytes);
            return Ok(CountedMetadata { rows, codec, longest_body_bytes: lengths.max().unwrap_or(0) });
        }
        if input.holds_tensors_alone()? {
            return Err(ToolError::new(name, ToolErrorKind::TensorsAlone));
        }
        let bytes_read = input.bytes_read.take();
        let n_total = bytes_read.as_ref().map_or_else(|| input.n_bytes(), ByteCounter::n_total);
        let pass = Pass::begin(observer, &name, (Unit::Bytes, n_total))?.with_byte_counter(bytes_read);
        match input.into_generated_rows() {
            Ok(generated) => {
                let rows = count_generated(generated, &name, pass)?;
                Ok(CountedMetadata { rows, codec: None, longest_body_bytes: 0 })
            }
            Err(input) => count_streams(Walk::open_without_bodies(*input)?, &name, pass),
        }
    }
}

fn count_generated(
    mut generated: GeneratedRows,
    name: &InputName,
    mut pass: Pass<'_>,
) -> Result<RowCount, ToolError> {
    let mut rows = RowCount { n_rows: 0, n_batches: 0, remarks: InputRemarks::default() };
    while let Some(next) = generated.next_batch(name)? {
        rows.n_rows = RowCount::add(rows.n_rows, next.batch.n_rows() as u64).in_input(name)?;
        rows.n_batches = rows.n_batches.saturating_add(1);
        pass.set(rows.n_batches)?;
    }
    Ok(rows)
}

fn open_file(
    input: Input,
    observer: &mut dyn Observer,
) -> Result<(RowCount, FileReader<SharedSource>), ToolError> {
    let name = input.name().clone();
    let options = input.metadata_options();
    let reader = FileReader::try_new_with(input.into_source()?, options).in_input(&name)?;
    let rows = count_in(&reader, &name, observer)?;
    Ok((rows, reader))
}

fn count_in(
    reader: &FileReader<SharedSource>,
    name: &InputName,
    observer: &mut dyn Observer,
) -> Result<RowCount, ToolError> {
    let n_rows = reader.n_rows().in_input(name)?;
    let n_batches = reader.n_batches() as u64;
    Pass::begin(observer, name, (Unit::Batches, Some(n_batches)))?.set(n_batches)?;
    let remarks = remarks_of(reader).in_input(name)?;
    Ok(RowCount { n_rows, n_batches, remarks })
}

fn count_streams(mut walk: Walk, name: &InputName, mut pass: Pass<'_>) -> Result<CountedMetadata, ToolError> {
    let (mut n_rows, mut n_batches, mut longest_body_bytes): (u64, u64, u64) = (0, 0, 0);
    let mut remarks = InputRemarks::default();
    let mut codec = None;
    let mut is_empty = true;
    remarks.trailing_bytes = loop {
        let mut has_schema = false;
        while let Some(message) = walk.next_message().in_input(name)? {
            if message.kind() == MessageKind::Schema && std::mem::replace(&mut has_schema, true) {
                return Err(ToolError::new(name, IpcError::from(IpcErrorKind::SecondSchema)));
            }
            let is_tensor = matches!(message.kind(), MessageKind::Tensor | MessageKind::SparseTensor);
            remarks.n_tensors = remarks.n_tensors.saturating_add(is_tensor.into());
            remarks.has_text_not_utf8 |= has_text_not_utf8(&message, walk.limits());
            if message.kind() == MessageKind::RecordBatch
                && let Header::RecordBatch(batch) = message.header(walk.limits()).in_input(name)?
            {
                n_rows = RowCount::add(n_rows, batch.n_rows()).in_input(name)?;
                n_batches = n_batches.saturating_add(1);
                codec = codec.or(batch.compression());
                longest_body_bytes = longest_body_bytes.max(message.n_body_bytes());
            }
            is_empty = false;
            pass.set(message.body_position().saturating_add(message.n_body_bytes()))?;
        }
        if is_empty {
            return Err(ToolError::new(name, missing_schema(&walk)));
        }
        match walk.after_end().in_input(name)? {
            StreamSuccessor::Nothing => break None,
            StreamSuccessor::Other(rest) => break Some(rest),
            StreamSuccessor::Stream(next) => walk = *next,
        }
    };
    let rows = RowCount { n_rows, n_batches, remarks };
    Ok(CountedMetadata { rows, codec, longest_body_bytes })
}

/// Whether the custom metadata of a message, or a schema, has text that is not UTF-8. What is malformed is an error only of those who need it.
fn has_text_not_utf8(message: &Message, limits: &Limits) -> bool {
    message.custom_metadata().is_ok_and(|metadata| !metadata.is_utf8())
        || message.kind() == MessageKind::Schema
            && matches!(message.header(limits), Ok(Header::Schema(schema)) if schema.check_utf8().is_err())
}
