//! Appends batches to a file in place. After each step the file ends with a complete footer.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, SeekFrom},
    path::Path,
    sync::Arc,
};

use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};

use super::{
    append_file::{AppendFile, Durability},
    complete_end::{CompleteEnd, DurableFile},
};
use crate::{
    error::{IpcErrorKind, Result},
    file::{read::open_complete, write::FileEncoder},
    options::WriteOptions,
    segment::encoded::OwnedEncoded,
};
use arrow_ipc_format::{IpcSchema, MessageKind};

/// Appends batches to an IPC file, in place.
///
/// The blocks of the file stay where they are. New blocks overwrite the old footer, and a new footer lists all blocks.
/// Values of dictionaries stay the same. [`DictionaryPolicy::Delta`](crate::DictionaryPolicy::Delta) adds new values; the
/// default policy refuses them. Row counts are updated if the footer has them, but not added:
/// [`RowCounts`](crate::RowCounts) of the options have no effect. See
/// [`FileDecoder::plan_continue_writing`](crate::FileDecoder::plan_continue_writing) for the other options.
///
/// **After each step the file ends with a complete footer**, which lists all batches of the last
/// [`flush`](FileAppender::flush), or the batches that the file had before. Before the footer is overwritten, it is
/// copied to a later position. So any library can open the file between two steps, and after the process was killed. With
/// [`Durability::Power`] this also holds after a loss of power, if the file system meets the requirements of
/// [`AppendFile`]. Until `flush` or `finish`, the file is longer than necessary.
///
/// A step may truncate the file after another process has asked for its length. The other process then reads past the
/// end. A [`FileReader`](crate::FileReader) then tries again. Other libraries may fail, and must open the file again.
///
/// If an appender was interrupted before the end of the file was complete, the last complete footer in the file decides
/// which batches the file has. New blocks follow the last block of this footer. The end of the file does not change
/// before the first write or flush. A finished file that has lost bytes of its only footer is refused; the module
/// `recover` finds its batches.
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{FileAppender, FileReader, FileWriter};
/// use arrow_schema::DataType;
///
/// # let path = std::env::temp_dir().join(format!("arrow-ipc-appender-{}.arrow", std::process::id()));
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// FileWriter::create(&path, batch.schema())?.finish()?;
///
/// let mut appender = FileAppender::open(&path)?;
/// appender.write(&batch)?;
/// appender.flush()?; // from here on the batch is in the file, whatever happens
/// appender.write(&batch)?;
/// appender.finish()?;
/// assert_eq!(FileReader::open(&path)?.n_batches(), 2);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct FileAppender<F = File> {
    file: DurableFile<F>,
    encoder: FileEncoder,
    /// The complete footer at the end of the file, with its length and the magic.
    end: CompleteEnd,
    /// The position after the blocks that the footer in the file lists.
    flushed_position: u64,
    n_bytes: u64,
    n_batches: usize,
    state: AppenderState,
    /// `None` if the caller opened the file.
    _lock: Option<AppendLock>,
}

/// The lock of a file, released on drop. Closing the file is not enough: a process that another thread starts has a copy
/// of each handle for a moment, and with it the lock.
#[derive(Debug)]
struct AppendLock(File);

impl Drop for AppendLock {
    fn drop(&mut self) {
        // If this fails, the system unlocks when the last handle is closed.
        let _ = self.0.unlock();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AppenderState {
    /// The end directly follows the last block.
    Clean,
    /// Nothing has been written, and other bytes lie between the last block and the end, or after the end.
    Untidy,
    /// Batches have been written that the footer in the file does not list.
    Changed,
    /// A write has failed, but the last complete footer is intact.
    Interrupted,
    /// Another operation has failed, and the state of the file is unknown.
    Failed,
}

/// The minimum and maximum number of bytes by which the file is extended for new batches. The number grows with the bytes
/// written since the last flush.
const MIN_RESERVED_BYTES: u64 = 64 << 10;
const MAX_RESERVED_BYTES: u64 = 256 << 20;

/// The maximum length of the end marker of a stream, which precedes the footer.
const MAX_MARKER_BYTES: u64 = 8;

impl FileAppender<File> {
    /// Opens and locks a file to append to it. Other appenders cannot open the file until this appender is finished,
    /// abandoned or dropped. Reads the footer and all dictionaries, but writes nothing.
    ///
    /// # Errors
    /// If the file cannot be opened, is locked by another appender, or is not an Arrow file with a complete footer. The
    /// errors of [`FileDecoder::plan_continue_writing`](crate::FileDecoder::plan_continue_writing).
    pub fn open(path: impl AsRef<Path>) -> Result<FileAppender<File>> {
        FileAppender::open_with(path, WriteOptions::default())
    }

    /// Like [`open`](FileAppender::open), with options.
    ///
    /// # Errors
    /// The errors of [`open`](FileAppender::open).
    pub fn open_with(path: impl AsRef<Path>, options: WriteOptions) -> Result<FileAppender<File>> {
        let path = path.as_ref();
        let opened = OpenOptions::new().read(true).write(true).open(path);
        let file = opened.map_err(|error| IpcErrorKind::Open { path: path.into(), error })?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(IpcErrorKind::Locked { path: path.into() }.into()),
            // Some network file systems do not support locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => {
                return Err(IpcErrorKind::Open { path: path.into(), error }.into());
            }
        }
        let handle = file.try_clone().map_err(|error| IpcErrorKind::Open { path: path.into(), error })?;
        let lock = AppendLock(handle);
        Ok(FileAppender { _lock: Some(lock), ..FileAppender::try_new_with(file, options)? })
    }
}

impl<F: AppendFile> FileAppender<F> {
    /// Appends to an open file. Does not lock it.
    ///
    /// # Errors
    /// The errors of [`open`](FileAppender::open).
    pub fn try_new(file: F) -> Result<FileAppender<F>> {
        FileAppender::try_new_with(file, WriteOptions::default())
    }

    /// Like [`try_new`](FileAppender::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](FileAppender::try_new).
    pub fn try_new_with(file: F, options: WriteOptions) -> Result<FileAppender<F>> {
        let n_bytes = file.n_bytes()?;
        let reading = options.to_read_options();
        let limits = reading.limits().clone();
        let complete = open_complete(&file, reading)?;
        let encoder = complete.continue_writing(options)?;
        let footer = complete.footer();
        let n_complete_bytes = complete.source().n_bytes;
        let after_marker = encoder.position().saturating_add(MAX_MARKER_BYTES);
        let position = match footer.position() {
            // If the end marker of the stream directly precedes the footer, the end begins with the marker.
            position if position <= after_marker => position.min(encoder.position()),
            position => position,
        };
        let end = CompleteEnd::new(position, file.fetch(position..n_complete_bytes)?).shortened(&limits);
        let is_clean = position <= encoder.position() && end.end() == n_bytes;
        let state = if is_clean { AppenderState::Clean } else { AppenderState::Untidy };
        let flushed_position = encoder.position();
        let n_batches = footer.n_batches();
        drop(complete);
        let file = DurableFile { file, durability: Durability::default() };
        Ok(FileAppender { file, encoder, end, flushed_position, n_bytes, n_batches, state, _lock: None })
    }

    /// Sets which failures flushed batches survive. Default [`Durability::Power`].
    #[must_use]
    pub fn with_durability(self, durability: Durability) -> FileAppender<F> {
        FileAppender { file: DurableFile { durability, ..self.file }, ..self }
    }

    /// The schema of the file and of all batches.
    pub fn schema(&self) -> &Arc<Schema> {
        self.encoder.schema()
    }

    /// The schema of the file, with its dictionary ids.
    pub fn ipc_schema(&self) -> &IpcSchema {
        self.encoder.ipc_schema()
    }

    /// The custom metadata of the footer. Writing the footer adds or updates row counts and statistics.
    pub fn footer_metadata(&self) -> &Metadata {
        self.encoder.footer_metadata()
    }

    /// The position of the next block, or of the footer, in bytes from the start of the file.
    pub fn position(&self) -> u64 {
        self.encoder.position()
    }

    /// The number of batches: those of the opened file, and those that this appender has written.
    pub fn n_batches(&self) -> usize {
        self.n_batches
    }

    /// Writes a batch, after new values of its dictionaries. The next [`flush`](FileAppender::flush) lists the batch in
    /// the footer.
    ///
    /// # Errors
    /// The errors of [`FileEncoder::encode`], after which the next batch can still be written. If the file cannot be
    /// written: then later calls fail, too, and the file has the batches of the last flush.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.write_with_metadata(batch, &Metadata::new())
    }

    /// Like [`write`](FileAppender::write), with custom metadata of the batch's message.
    ///
    /// # Errors
    /// The errors of [`write`](FileAppender::write).
    pub fn write_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()> {
        self.check()?;
        if self.state == AppenderState::Untidy {
            // Otherwise bytes of an earlier appender would follow the new batches, and would look like batches to a
            // program that scans the file.
            self.flush()?;
        }
        let position = self.encoder.position();
        let encoded = self.encoder.encode_with_metadata(batch, metadata)?.into_owned();
        self.attempt(|appender| appender.put(position, &encoded))?;
        // A limit of the message length may have split the batch.
        let kinds = encoded.messages().iter().map(|message| message.kind());
        self.n_batches += kinds.filter(|kind| *kind == MessageKind::RecordBatch).count();
        self.state = AppenderState::Changed;
        Ok(())
    }

    /// Sets the custom metadata of the next message of the dictionary with this id. Returns the metadata that an earlier
    /// call has set for this message.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::set_dictionary_metadata`](crate::StreamEncoder::set_dictionary_metadata).
    pub fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
        self.encoder.set_dictionary_metadata(id, metadata)
    }

    /// Sets the statistics of the next footer, which must cover all batches of the file. The next
    /// [`flush`](FileAppender::flush) writes that footer, even if no batch was written. Appending batches drops the old
    /// statistics of the file. As before a write, bytes after the last complete footer are removed first. Returns whether
    /// the footer will have them.
    ///
    /// # Errors
    /// The errors of [`FileEncoder::set_statistics`]. If the file cannot be written, or could not be written before.
    pub fn set_statistics(&mut self, stream: &[u8]) -> Result<bool> {
        self.check()?;
        if self.state == AppenderState::Untidy {
            self.flush()?;
        }
        let is_set = self.encoder.set_statistics(stream)?;
        if is_set {
            self.state = AppenderState::Changed;
        }
        Ok(is_set)
    }

    /// Writes a footer that lists all batches so far, and truncates the file after it. After this call, the batches
    /// survive the failures of the chosen [`Durability`]. Some libraries expect all dictionaries in the file, but a
    /// dictionary without a valid index is written only by [`finish`](FileAppender::finish).
    ///
    /// # Errors
    /// If the file cannot be written, truncated or synced. Later calls then fail, too, and the file has the batches of
    /// the last flush. If the footer is longer than readers accept by default: 256 MiB.
    pub fn flush(&mut self) -> Result<()> {
        self.check()?;
        self.cut_after_end()?;
        if self.state == AppenderState::Clean {
            return Ok(());
        }
        let position = self.encoder.position();
        let end = self.encoder.provisional_end()?.into_owned();
        self.attempt(|appender| appender.conclude(position, &end))
    }

    /// Writes the dictionaries to which no valid index refers, flushes, and returns the file. Changes nothing if the file
    /// was complete with all of its dictionaries, no batch was written, and no statistics were set.
    ///
    /// # Errors
    /// The errors of [`flush`](FileAppender::flush). Batches since the last flush are then removed, if that is possible.
    pub fn finish(mut self) -> Result<F> {
        if let Err(error) = self.write_end() {
            let _ = self.abandon();
            return Err(error);
        }
        Ok(self.file.file)
    }

    fn write_end(&mut self) -> Result<()> {
        self.check()?;
        self.cut_after_end()?;
        let position = self.encoder.position();
        let end = self.encoder.finish()?.into_owned();
        if self.state != AppenderState::Clean || !end.messages().is_empty() {
            self.attempt(|appender| appender.conclude(position, &end))?;
        }
        Ok(())
    }

    /// Removes all bytes written since the last [`flush`](FileAppender::flush), and returns the file. If the file was
    /// complete and nothing was flushed, the file has the same bytes as when it was opened, even after a failed write.
    ///
    /// # Errors
    /// If the file cannot be written or truncated now, or if a step other than a write has failed before. The file then
    /// has the batches of the last flush, but is longer.
    pub fn abandon(mut self) -> Result<F> {
        match self.state {
            AppenderState::Clean | AppenderState::Untidy => {}
            AppenderState::Changed | AppenderState::Interrupted => {
                self.take_back().map_err(IpcErrorKind::Write)?;
            }
            AppenderState::Failed => self.check()?,
        }
        Ok(self.file.file)
    }

    fn take_back(&mut self) -> io::Result<()> {
        let position = self.flushed_position;
        let n_bytes = position.saturating_add(self.end.n_bytes());
        if self.end.position() != position {
            self.reserve_space(n_bytes)?;
            self.file.put(position, self.end.bytes())?;
        }
        self.file.cut(n_bytes)
    }

    fn check(&self) -> Result<()> {
        match self.state {
            AppenderState::Clean | AppenderState::Untidy | AppenderState::Changed => Ok(()),
            AppenderState::Interrupted | AppenderState::Failed => {
                Err(IpcErrorKind::AlreadyFailed { what: "appender" }.into())
            }
        }
    }

    /// Runs a function on the file. If it fails, later calls of the appender fail, too.
    fn attempt(&mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<()> {
        let written = write(self);
        if written.is_err() && self.state != AppenderState::Interrupted {
            self.state = AppenderState::Failed;
        }
        Ok(written.map_err(IpcErrorKind::Write)?)
    }

    /// Truncates bytes after the end, which an earlier appender or another program has left.
    fn cut_after_end(&mut self) -> Result<()> {
        if self.state == AppenderState::Untidy && self.end.end() < self.n_bytes {
            self.attempt(|appender| appender.file.cut(appender.end.end()))?;
            self.n_bytes = self.end.end();
        }
        if self.state == AppenderState::Untidy && self.end.position() <= self.flushed_position {
            self.state = AppenderState::Clean;
        }
        Ok(())
    }

    fn put(&mut self, position: u64, messages: &OwnedEncoded) -> io::Result<()> {
        let reserved = self.reserve_space(position.saturating_add(messages.n_bytes()));
        let positioned = reserved.and_then(|()| self.file.file.seek(SeekFrom::Start(position)));
        let written = positioned.and_then(|_| messages.write_to(&mut self.file.file));
        if written.is_err() && !matches!(self.state, AppenderState::Untidy | AppenderState::Failed) {
            self.state = AppenderState::Interrupted;
        }
        written
    }

    /// Writes a footer that lists all batches, with its length and the magic, and truncates the file after it.
    fn conclude(&mut self, position: u64, end: &OwnedEncoded) -> io::Result<()> {
        self.put(position, end)?;
        self.file.synchronize()?;
        // Before this step the file ends with the old footer, after this step with the new footer.
        let n_bytes = position.saturating_add(end.n_bytes());
        self.file.cut(n_bytes)?;
        self.end = CompleteEnd::new(position, end.to_bytes().into());
        self.flushed_position = position;
        self.n_bytes = n_bytes;
        self.state = AppenderState::Clean;
        Ok(())
    }

    /// Makes bytes up to `until` free to write: if the end begins before `until`, moves it to a position after the file.
    fn reserve_space(&mut self, until: u64) -> io::Result<()> {
        if until <= self.end.position() {
            return Ok(());
        }
        let n_new_bytes = until.saturating_sub(self.flushed_position);
        let n_reserved = n_new_bytes.clamp(MIN_RESERVED_BYTES, MAX_RESERVED_BYTES);
        let n_reserved = n_reserved.max(self.end.n_bytes().saturating_mul(2));
        let moved = self.end.move_to(until.saturating_add(n_reserved), self.n_bytes, &mut self.file);
        if moved.is_err() && self.file.cut(self.n_bytes).is_err() {
            // The file has a valid footer, but its length is unknown.
            self.state = AppenderState::Failed;
        }
        self.n_bytes = moved?;
        Ok(())
    }
}
