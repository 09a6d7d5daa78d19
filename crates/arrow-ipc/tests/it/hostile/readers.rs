//! Nine ways of reading, which must agree.

use std::{io::Cursor, sync::Arc};

use arrow_buffer::Buffer;
use arrow_data::{RecordBatch, Validation};
use arrow_ipc::{
    Endianness, ErrorClass, FileDecoder, FileReader, ReadOptions, Result, SeekSource, Source, Step,
    StreamDecoder, StreamReader,
    error::Context,
    file::{PlanStep, ReadPlan},
    message::Message,
};
use arrow_ipc_tensor::AnyTensor;
use arrow_schema::Schema;

/// Reads everything.
pub(crate) type Read = fn(&[u8], Validation) -> Result<Content>;

/// The content that was read.
#[derive(Debug, PartialEq)]
pub(crate) struct Content {
    pub(crate) schema: Arc<Schema>,
    pub(crate) batches: Vec<RecordBatch>,
}

/// The ways to read a stream, or a file; each with its name.
pub(crate) fn readers(format: &str) -> &'static [(&'static str, Read)] {
    match format {
        "stream" => &[
            ("decoder", stream_from_memory),
            ("reader", stream_from_reader),
            ("bytes", stream_byte_by_byte),
            ("parts", stream_by_parts),
        ],
        "file" => &[
            ("memory", file_from_memory),
            ("seek", file_by_seeking),
            ("ranges", file_by_ranges),
            ("rows", file_by_rows),
            ("parts", file_by_parts),
        ],
        _ => panic!("no reader for {format}"),
    }
}

/// An error class in one word, as in the manifest.
pub(crate) fn class_name(class: ErrorClass) -> &'static str {
    match class {
        ErrorClass::Malformed => "malformed",
        ErrorClass::Truncated => "truncated",
        ErrorClass::Unsupported => "unsupported",
        ErrorClass::LimitExceeded => "limit",
        ErrorClass::Io => "io",
        ErrorClass::Misuse => "misuse",
        _ => "unknown",
    }
}

fn options(validation: Validation) -> ReadOptions {
    ReadOptions::default().with_validation(validation)
}

fn read_tensor(message: &Message, options: &ReadOptions) -> Result<()> {
    let tensor = AnyTensor::try_from_message_with(message, Endianness::NATIVE, options.clone());
    tensor.map(drop).at_message(message)
}

fn decode(mut decoder: StreamDecoder, mut more: impl FnMut(&mut StreamDecoder)) -> Result<Content> {
    let mut batches = Vec::new();
    loop {
        match decoder.step()? {
            Step::NeedBytes(_) => more(&mut decoder),
            Step::Batch(next) => batches.push(next.batch),
            Step::Tensor(message) => read_tensor(&message, decoder.options())?,
            // Whatever else the stream has is read, too.
            Step::End => {
                let schema = Arc::clone(decoder.schema().expect("the schema comes before the end"));
                return Ok(Content { schema, batches });
            }
            _ => {}
        }
    }
}

fn stream_from_memory(bytes: &[u8], validation: Validation) -> Result<Content> {
    let mut decoder = StreamDecoder::new_with(options(validation));
    decoder.feed(Buffer::copy_from(bytes));
    decoder.finish_input();
    decode(decoder, |_| panic!("bytes are missing after the end of the input"))
}

fn stream_from_reader(bytes: &[u8], validation: Validation) -> Result<Content> {
    let mut reader = StreamReader::try_new_with(bytes, options(validation))?;
    let (schema, mut batches) = (Arc::clone(reader.schema()), Vec::new());
    loop {
        match reader.next_step()? {
            Step::Batch(next) => batches.push(next.batch),
            Step::Tensor(message) => read_tensor(&message, &options(validation))?,
            Step::End => return Ok(Content { schema, batches }),
            _ => {}
        }
    }
}

fn stream_byte_by_byte(bytes: &[u8], validation: Validation) -> Result<Content> {
    let mut rest = bytes.iter();
    decode(StreamDecoder::new_with(options(validation)), |decoder| match rest.next() {
        Some(byte) => decoder.feed(Buffer::copy_from(&[*byte])),
        None => decoder.finish_input(),
    })
}

fn file_from_memory(bytes: &[u8], validation: Validation) -> Result<Content> {
    file(Buffer::copy_from(bytes), validation)
}

fn file_by_seeking(bytes: &[u8], validation: Validation) -> Result<Content> {
    file(SeekSource::new(Cursor::new(bytes.to_vec())), validation)
}

fn file(source: impl Source, validation: Validation) -> Result<Content> {
    let reader = FileReader::try_new_with(source, options(validation))?;
    let schema = Arc::clone(reader.schema());
    let batches = reader.batches().collect::<Result<_>>()?;
    Ok(Content { schema, batches })
}

/// Some rows of each batch, one at a time, then the batch. If the batch is valid, these rows equal its rows; if not,
/// each row is read or refused, and the error of the batch counts.
fn file_by_rows(bytes: &[u8], validation: Validation) -> Result<Content> {
    let source = SeekSource::new(Cursor::new(bytes.to_vec()));
    // Small files would come whole with their end.
    let reader = FileReader::try_new_with(source, options(validation).with_tail_bytes(0))?;
    reader.check_start()?;
    let mut batches = Vec::new();
    for batch_idx in 0..reader.n_batches() {
        let batch = reader.batch(batch_idx);
        let n_rows = reader.n_rows_of(batch_idx).unwrap_or(2);
        let valid = batch.as_ref().ok().and_then(|batch| batch.clone().validate(Validation::Content).ok());
        for row in [0, n_rows / 2, n_rows.saturating_sub(1)] {
            let found = reader.batch_rows(batch_idx, row..n_rows.min(row.saturating_add(1)));
            if let Some(valid) = &valid {
                let found = found.unwrap_or_else(|error| panic!("row {row} of a valid batch: {error}"));
                let (start, n_slots) = (usize::try_from(row).unwrap(), found.n_rows());
                assert_eq!(n_slots, usize::from(n_rows > 0));
                assert_eq!(
                    testing_support::rows(&found),
                    testing_support::rows(&valid.slice(start, n_slots))
                );
            }
        }
        batches.push(batch?);
    }
    Ok(Content { schema: Arc::clone(reader.schema()), batches })
}

/// Parts of each batch, a few rows of a column each. If all are valid, so is the batch, and they are its columns; if not, its error
/// counts.
fn file_by_parts(bytes: &[u8], validation: Validation) -> Result<Content> {
    let source = SeekSource::new(Cursor::new(bytes.to_vec()));
    let reader = FileReader::try_new_with(source, options(validation).with_tail_bytes(0))?;
    reader.check_start()?;
    let mut batches = Vec::new();
    for batch_idx in 0..reader.n_batches() {
        batches.push(batch_by_parts(&reader, batch_idx, validation)?);
    }
    Ok(Content { schema: Arc::clone(reader.schema()), batches })
}

fn batch_by_parts(
    reader: &FileReader<impl Source>,
    batch_idx: usize,
    validation: Validation,
) -> Result<RecordBatch> {
    // Small parts, unless there are many rows, or a few bytes claim to be millions.
    let part_bytes =
        if reader.n_rows_of(batch_idx).is_ok_and(|n_rows| n_rows < 5_000) { 64 } else { 64 << 10 };
    let parts = reader.n_rows_of(batch_idx);
    let parts = parts.and_then(|n_rows| reader.parts_of(batch_idx, 0..n_rows, part_bytes)?.by_columns());
    let batch = reader.batch(batch_idx);
    let parts = parts.and_then(|parts| parts.into_iter().map(Iterator::collect).collect());
    let Ok(parts): Result<Vec<Vec<RecordBatch>>> = parts else { return batch };
    let batch = batch.unwrap_or_else(|error| panic!("all parts are valid: {error}"));
    for part in &parts {
        assert_eq!(part.iter().map(RecordBatch::n_rows).sum::<usize>(), batch.n_rows());
    }
    if validation != Validation::Structure && batch.n_rows() < 100_000 {
        let mut column_idx = 0;
        for part in &parts {
            let n_columns = part.first().map_or(0, RecordBatch::n_columns);
            let columns: Vec<usize> = (column_idx..column_idx + n_columns).collect();
            let (expected, mut start) = (batch.project(&columns).expect("its columns"), 0);
            for rows in part {
                let expected = expected.slice(start, rows.n_rows());
                assert!(rows.same_values(&expected).expect("they are valid"));
                start += rows.n_rows();
            }
            column_idx += n_columns;
        }
        assert_eq!(column_idx, batch.n_columns());
    }
    Ok(batch)
}

/// Each body separately from the stream, as if it were too large for memory: read in place, or copied elsewhere; then
/// parts of the batch.
fn stream_by_parts(bytes: &[u8], validation: Validation) -> Result<Content> {
    let n_bytes = bytes.len() as u64;
    let reader = StreamReader::try_new_with(Cursor::new(bytes), options(validation))?;
    let mut reader = reader.with_large_batches_over(0);
    let (schema, mut batches) = (Arc::clone(reader.schema()), Vec::new());
    loop {
        let batch = match reader.next_step()? {
            Step::LargeBatch(batch) => batch,
            Step::Batch(next) => {
                let batch = next.batch;
                batches.push(batch);
                continue;
            }
            Step::Tensor(message) => {
                read_tensor(&message, &options(validation))?;
                continue;
            }
            Step::End => return Ok(Content { schema, batches }),
            _ => continue,
        };
        let body = if batches.len().is_multiple_of(2) {
            let (start, n_body_bytes) = (batch.body_position(), batch.n_body_bytes());
            reader.skip_body(|source, n_left| {
                let n_skipped = n_left.min(n_bytes.saturating_sub(source.position()));
                source.set_position(source.position() + n_skipped);
                Ok(n_skipped)
            })?;
            let start = usize::try_from(start).unwrap();
            bytes[start..start + usize::try_from(n_body_bytes).unwrap()].to_vec()
        } else {
            let mut body = Vec::new();
            while let Some(bytes) = reader.next_body_bytes()? {
                body.extend_from_slice(&bytes);
            }
            body
        };
        let reader = batch.try_into_reader(SeekSource::new(Cursor::new(body)))?;
        batches.push(batch_by_parts(&reader, 0, validation)?);
    }
}

/// Without I/O: of each range that is needed the end comes before the beginning, and no byte more.
fn file_by_ranges(bytes: &[u8], validation: Validation) -> Result<Content> {
    let options = options(validation).with_tail_bytes(0);
    let file = run(bytes, FileDecoder::plan_open_with(bytes.len() as u64, options))?;
    run(bytes, file.plan_check_start())?;
    let batches = (0..file.n_batches()).map(|batch_idx| Ok(run(bytes, file.plan_batch(batch_idx)?)?.batch));
    let batches = batches.collect::<Result<_>>()?;
    Ok(Content { schema: Arc::clone(file.schema()), batches })
}

fn run<T>(bytes: &[u8], mut plan: ReadPlan<T>) -> Result<T> {
    loop {
        let ranges = match plan.step()? {
            PlanStep::Ready(ready) => return Ok(ready),
            PlanStep::Need(ranges) => ranges,
        };
        for range in ranges.required() {
            let middle = range.start.midpoint(range.end);
            for piece in [middle..range.end, range.start..middle] {
                let found =
                    bytes.get(usize::try_from(piece.start).unwrap()..usize::try_from(piece.end).unwrap());
                plan.provide(piece, Buffer::copy_from(found.expect("what is requested lies in the file")))?;
            }
        }
    }
}
