//! Writes batches with each policy as a stream and as a file, and reads them back.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, DictionaryPolicy, FileReader, FileWriter, IpcError, IpcErrorKind, IpcSchema, NullSlots,
    StreamReader, StreamWriter, WriteOptions, WrittenContainer, dictionary::UnifiedDictionaries,
};
use arrow_select::SelectErrorKind;

use crate::share::Share;

/// The policies, by their names in findings.
const POLICIES: [&str; 4] = ["Replace", "Error", "Delta", "Unify"];

/// Writes all batches, with all policies or one, as all containers or one.
pub(crate) fn rewrite(batches: &[RecordBatch], share: &mut Share) -> Result<(), String> {
    let Some(first) = batches.first() else { return Ok(()) };
    let schema = IpcSchema::from(first.schema());
    for &name in share.of(&POLICIES) {
        let Some(options) = options(name, &schema, batches)? else { continue };
        for container in share.of(&[WrittenContainer::Stream, WrittenContainer::File]) {
            let what = format!("{name}, {container:?}");
            let options = options.clone();
            let written = match container {
                WrittenContainer::Stream => {
                    written(StreamWriter::try_new_with(Vec::new(), &schema, options), batches)
                }
                WrittenContainer::File => {
                    written(FileWriter::try_new_with(Vec::new(), &schema, options), batches)
                }
            };
            let Some((written, bytes)) = written.map_err(|error| format!("{what}: {error}"))? else {
                continue;
            };
            compare(&what, read(*container, bytes), &written)?;
        }
    }
    Ok(())
}

/// What is written with a policy; `None` if it does not support the batches. Each policy has another option, so that no input is
/// written in all combinations.
fn options(
    policy: &str,
    schema: &IpcSchema,
    batches: &[RecordBatch],
) -> Result<Option<WriteOptions>, String> {
    let with = |policy| WriteOptions::new().with_dictionaries(policy);
    Ok(Some(match policy {
        "Replace" => with(DictionaryPolicy::Replace),
        "Error" => with(DictionaryPolicy::Error).with_null_slots(NullSlots::Zeros),
        "Delta" => with(DictionaryPolicy::Delta).with_compression(Compression::lz4()),
        _ => match UnifiedDictionaries::try_from_batches(schema, batches) {
            Ok(unified) => with(DictionaryPolicy::Unify(unified)).with_compression(Compression::zstd()),
            Err(error) if has_no_form(&error) => return Ok(None),
            Err(error) => return Err(format!("unifying: {error}")),
        },
    }))
}

fn read(container: WrittenContainer, bytes: Vec<u8>) -> Result<Vec<RecordBatch>, IpcError> {
    match container {
        WrittenContainer::Stream => StreamReader::try_new(&*bytes)?.collect(),
        WrittenContainer::File => FileReader::try_from_buffer(Buffer::from(bytes))?.batches().collect(),
    }
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
        Err(error) if has_no_form(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut written = Vec::new();
    for batch in batches {
        match writer.put(batch) {
            Ok(()) => written.push(batch),
            Err(error) if has_no_form(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Some((written, writer.end()?)))
}

/// Whether the error means that the policy, or the container, has no form for the data.
pub(crate) fn has_no_form(error: &IpcError) -> bool {
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
