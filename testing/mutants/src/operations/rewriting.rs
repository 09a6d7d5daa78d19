//! Writes batches with each policy as a stream and as a file, and reads them back.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, DictionaryPolicy, FileReader, FileWriter, IpcError, IpcErrorKind, IpcSchema, NullSlots,
    StreamReader, StreamWriter, WriteOptions, dictionary::UnifiedDictionaries,
};
use arrow_select::SelectErrorKind;

/// Writes all batches with each policy.
pub(crate) fn rewrite(batches: &[RecordBatch]) -> Result<(), String> {
    let Some(first) = batches.first() else { return Ok(()) };
    let schema = IpcSchema::from(first.schema());
    let mut policies = vec![DictionaryPolicy::Replace, DictionaryPolicy::Error, DictionaryPolicy::Delta];
    match UnifiedDictionaries::try_from_batches(&schema, batches) {
        Ok(unified) => policies.push(DictionaryPolicy::Unify(unified)),
        Err(error) if is_refusal(&error) => {}
        Err(error) => return Err(format!("unifying: {error}")),
    }
    for (idx, policy) in policies.into_iter().enumerate() {
        let name = format!("{policy:?}");
        let name = name.split(['(', ' ']).next().unwrap_or_default();
        let mut options = WriteOptions::new().with_dictionaries(policy);
        // Each policy with another option, so that no input is written in all combinations.
        options = match idx {
            1 => options.with_null_slots(NullSlots::Zeros),
            2 => options.with_compression(Compression::lz4()),
            3 => options.with_compression(Compression::zstd()),
            _ => options,
        };
        let stream = written(StreamWriter::try_new_with(Vec::new(), &schema, options.clone()), batches)
            .map_err(|error| format!("{name}, a stream: {error}"))?;
        if let Some((written, bytes)) = stream {
            let read = StreamReader::try_new(&*bytes).and_then(Iterator::collect::<Result<Vec<_>, _>>);
            compare(&format!("{name}, a stream"), read, &written)?;
        }
        let file = written(FileWriter::try_new_with(Vec::new(), &schema, options), batches)
            .map_err(|error| format!("{name}, a file: {error}"))?;
        if let Some((written, bytes)) = file {
            let reader = FileReader::try_from_buffer(Buffer::from(bytes));
            let read = reader.and_then(|reader| reader.batches().collect::<Result<Vec<_>, _>>());
            compare(&format!("{name}, a file"), read, &written)?;
        }
    }
    Ok(())
}

/// The common interface of both writers.
trait Writer {
    fn put(&mut self, batch: &RecordBatch) -> Result<(), IpcError>;
    fn end(self) -> Result<Vec<u8>, IpcError>;
}

impl Writer for StreamWriter<Vec<u8>> {
    fn put(&mut self, batch: &RecordBatch) -> Result<(), IpcError> {
        self.write(batch)
    }

    fn end(self) -> Result<Vec<u8>, IpcError> {
        self.finish()
    }
}

impl Writer for FileWriter<Vec<u8>> {
    fn put(&mut self, batch: &RecordBatch) -> Result<(), IpcError> {
        self.write(batch)
    }

    fn end(self) -> Result<Vec<u8>, IpcError> {
        self.finish()
    }
}

/// The batches that were written, and the bytes; `None` if the writer refuses the schema.
type Written<'a> = Option<(Vec<&'a RecordBatch>, Vec<u8>)>;

fn written<W: Writer>(writer: Result<W, IpcError>, batches: &[RecordBatch]) -> Result<Written<'_>, IpcError> {
    let mut writer = match writer {
        Ok(writer) => writer,
        Err(error) if is_refusal(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut written = Vec::new();
    for batch in batches {
        match writer.put(batch) {
            Ok(()) => written.push(batch),
            Err(error) if is_refusal(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Some((written, writer.end()?)))
}

/// Whether the error means that the policy does not support the data.
fn is_refusal(error: &IpcError) -> bool {
    match error.kind() {
        IpcErrorKind::ReplacedDictionary { .. }
        | IpcErrorKind::ChangedDictionary { .. }
        | IpcErrorKind::SharedDictionaryValues { .. }
        | IpcErrorKind::OppositeOrders { .. }
        | IpcErrorKind::UnknownOrder { .. } => true,
        IpcErrorKind::Select(error) => {
            matches!(
                error.kind(),
                SelectErrorKind::OrderedDictionaries | SelectErrorKind::IndexOverflow { .. }
            )
        }
        _ => false,
    }
}

fn compare(
    what: &str,
    read: Result<Vec<RecordBatch>, IpcError>,
    written: &[&RecordBatch],
) -> Result<(), String> {
    let read = read.map_err(|error| format!("{what} cannot be read: {error}"))?;
    if read.len() != written.len() {
        return Err(format!("{what}: {} of {} batches are read", read.len(), written.len()));
    }
    for (read, written) in read.iter().zip(written) {
        if !read.same_values(written).map_err(|error| format!("{what}: {error}"))? {
            return Err(format!("{what}: other rows are read"));
        }
    }
    Ok(())
}
