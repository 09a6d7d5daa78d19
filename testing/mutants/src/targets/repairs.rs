//! Tests tools that write data that they have read: recovery, appending, transcoding.

use std::{
    io::{self, Seek, SeekFrom, Write},
    ops::Range,
    sync::{Arc, Mutex},
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, ErrorClass, FileAppender, FileReader, IpcError, Limits, MessageStep, Messages,
    ReadOptions, Source, StreamReader, WriteOptions, WrittenContainer, file::AppendFile, message::Header,
};
use arrow_ipc_recover::{Recovery, RecoveryStep};
use arrow_ipc_rewrite::Transcoder;

use super::differential::MAX_BATCHES;
use crate::operations::{is_short, same_rows};

/// Batches that are recovered from damaged bytes must be inside the bytes, and valid.
pub(super) fn recover(bytes: &[u8]) {
    let mut recovery = Recovery::new(bytes.len() as u64);
    loop {
        match recovery.step() {
            Ok(RecoveryStep::Need(range)) => {
                let found = &bytes[range.start as usize..range.end as usize];
                recovery.provide(range, Buffer::copy_from(found)).expect("what it asked for");
            }
            Ok(RecoveryStep::Message { batch: Some(batch), .. }) => {
                assert!(
                    batch.validate(arrow_data::Validation::Content).is_ok(),
                    "an unsound batch is recovered"
                );
            }
            Ok(RecoveryStep::Lost(part)) => {
                let range = part.range();
                assert!(range.start <= range.end && range.end <= bytes.len() as u64, "{part}");
            }
            Ok(RecoveryStep::End) => return,
            Ok(_) => {}
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return;
            }
        }
    }
}

/// A file in memory.
#[derive(Debug, Clone, Default)]
struct Memory {
    bytes: Arc<Mutex<Vec<u8>>>,
    position: usize,
}

impl Source for Memory {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.bytes.lock().expect("no panic").len() as u64)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let bytes = self.bytes.lock().expect("no panic");
        let found = bytes.get(range.start as usize..range.end as usize);
        found.map(Buffer::copy_from).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

impl Write for Memory {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        let mut bytes = self.bytes.lock().expect("no panic");
        let end = self.position + written.len();
        let n_bytes = bytes.len().max(end);
        bytes.resize(n_bytes, 0);
        bytes[self.position..end].copy_from_slice(written);
        self.position = end;
        Ok(written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Memory {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(position) = to else { return Err(io::ErrorKind::Unsupported.into()) };
        self.position = position as usize;
        Ok(position)
    }
}

impl AppendFile for Memory {
    fn set_len(&mut self, n_bytes: u64) -> io::Result<()> {
        self.bytes.lock().expect("no panic").resize(n_bytes as usize, 0);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Appends a batch to a file. The file must then have its old batches and the new one.
pub(super) fn append(bytes: &[u8]) {
    let file = Memory { bytes: Arc::new(Mutex::new(bytes.to_vec())), position: 0 };
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let Ok(mut appender) = FileAppender::try_new_with(file.clone(), options) else { return };
    let n_batches = appender.n_batches();
    let before = readable_batches(bytes);
    let added = before.first().cloned().flatten().filter(is_short);
    let added = added.filter(|batch| appender.write(batch).is_ok());
    // A file whose blocks the format has no place for is refused at the end.
    if appender.finish().is_err() {
        return;
    }
    let written = std::mem::take(&mut *file.bytes.lock().expect("no panic"));
    let reader =
        FileReader::try_from_buffer(Buffer::from(written)).expect("what was continued can be opened");
    assert_eq!(reader.n_batches(), n_batches + usize::from(added.is_some()));
    let batches = before.into_iter().enumerate().chain([(n_batches, added)]);
    check_batches(batches, |idx| reader.batch(idx));
}

/// The first batches of a file; `None` for those that cannot be read.
fn readable_batches(bytes: &[u8]) -> Vec<Option<RecordBatch>> {
    let reader = FileReader::try_from_buffer(Buffer::copy_from(bytes));
    let read = |reader: FileReader<Buffer>| {
        (0..reader.n_batches().min(MAX_BATCHES)).map(|idx| reader.batch(idx).ok()).collect()
    };
    reader.map_or_else(|_| Vec::new(), read)
}

/// Panics if a batch that is known has other rows in a file.
fn check_batches(
    known: impl IntoIterator<Item = (usize, Option<RecordBatch>)>,
    in_file: impl Fn(usize) -> Result<RecordBatch, IpcError>,
) {
    for (idx, expected) in known {
        let Some(expected) = expected else { continue };
        let found = in_file(idx).unwrap_or_else(|error| panic!("batch {idx} after appending: {error}"));
        same_rows(&found, &expected, &format!("batch {idx} after appending"));
    }
}

/// Transcodes a stream. The result must have the readable batches of the stream.
pub(super) fn transcode(bytes: &[u8]) {
    let options = ReadOptions::new().with_limits(limits());
    let read = |bytes: &[u8]| -> Result<Vec<RecordBatch>, IpcError> {
        StreamReader::try_new_with(bytes, options.clone())?.collect()
    };
    let (written, expected) = (transcoded_into(bytes, WrittenContainer::Stream), read(bytes));
    if let (Err(error), Ok(_)) = (&written, &expected) {
        // Unions of old metadata versions need to be decoded.
        assert_eq!(error.class(), ErrorClass::Misuse, "a stream that can be read is not transcoded: {error}");
    }
    let (Ok(written), Ok(expected)) = (written, expected) else { return };
    let found = read(&written).unwrap_or_else(|error| panic!("a transcoded stream: {error}"));
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        same_rows(found, expected, "a transcoded stream");
    }
}

/// The limits for decompression. They are lower than the defaults, since each input is read several times.
pub(super) fn limits() -> Limits {
    Limits::new().with_max_decompressed_bytes(1 << 20)
}

/// The messages of a stream in a container, as much of them as can be copied.
pub(super) fn transcoded_into(bytes: &[u8], container: WrittenContainer) -> Result<Vec<u8>, IpcError> {
    let limits = limits();
    let mut messages = Messages::new(limits.clone());
    messages.feed(Buffer::copy_from(bytes));
    messages.finish_input();
    let mut written = Vec::new();
    let mut transcoder: Option<Transcoder> = None;
    while let MessageStep::Message(message) = messages.step()? {
        match &mut transcoder {
            Some(transcoder) => transcoder.transcode(&message)?.write_to(&mut written)?,
            None => {
                let Header::Schema(schema) = message.header(&limits)? else { return Ok(written) };
                let options = WriteOptions::new().with_endianness(schema.endianness());
                let made = Transcoder::try_new_with(schema, container, options)?.with_limits(limits.clone());
                transcoder = Some(made);
            }
        }
    }
    if let Some(transcoder) = &mut transcoder {
        transcoder.finish()?.write_to(&mut written)?;
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use arrow_array::Int64Array;

    use super::*;
    use crate::check::caught;

    #[test]
    fn files_keep_their_batches_when_one_is_appended() {
        let batch = |value: i64| {
            let column = Int64Array::from_iter([value]);
            RecordBatch::try_from_columns([("a", column.into())]).expect("a column")
        };
        let check = |values: &[i64]| {
            let known = [(0, Some(batch(1))), (1, None), (2, Some(batch(3)))];
            let missing = || IpcError::from(io::Error::from(io::ErrorKind::UnexpectedEof));
            let in_file = |idx: usize| values.get(idx).copied().map(batch).ok_or_else(missing);
            caught(|| check_batches(known, in_file))
        };
        assert_eq!(check(&[1, 7, 3]), Ok(()));
        for wrong in [&[2, 7, 3][..], &[1, 7, 4], &[1, 7]] {
            assert!(check(wrong).is_err(), "{wrong:?}");
        }
    }
}
