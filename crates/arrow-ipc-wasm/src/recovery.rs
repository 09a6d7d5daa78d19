//! A copy of what is sound in a damaged file or stream, in pieces.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{Encoded, IpcErrorKind, ReadOptions, WriteOptions, file::Footer};
use arrow_ipc_format::{Container, IpcSchema, Message, MessageKind, MetadataVersion, WrittenContainer};
use arrow_ipc_recover::{Recovery, RecoveryStep};
use arrow_ipc_rewrite::{RewriteError, Transcoder};
use arrow_schema::QuotedText;

use crate::failure::{Class, Failure, Result};

/// The losses whose text is kept. A hostile file may have one for every few bytes.
const MAX_LOSSES: usize = 1000;

/// The sound messages of an input, which are copied to another one.
pub(crate) struct SoundCopy {
    recovery: Recovery,
    /// From the schema on.
    writer: Option<Transcoder>,
    container: WrittenContainer,
    n_batches: u64,
    n_rows: u64,
    n_losses: u64,
    losses: Vec<String>,
    has_ended: bool,
}

/// What follows a step.
pub(crate) enum CopyStep {
    /// This range of the input is needed.
    Need(std::ops::Range<u64>),
    /// The next bytes of the output.
    Piece(Vec<u8>),
    End,
}

impl SoundCopy {
    pub(crate) fn new(n_bytes: u64) -> SoundCopy {
        SoundCopy {
            recovery: Recovery::new_with(n_bytes, ReadOptions::new()),
            writer: None,
            container: WrittenContainer::File,
            n_batches: 0,
            n_rows: 0,
            n_losses: 0,
            losses: Vec::new(),
            has_ended: false,
        }
    }

    pub(crate) fn provide(&mut self, start: u64, bytes: Buffer) -> Result<()> {
        let end = start.saturating_add(bytes.len() as u64);
        Ok(self.recovery.provide(start..end, bytes)?)
    }

    pub(crate) fn step(&mut self) -> Result<CopyStep> {
        if self.has_ended {
            return Ok(CopyStep::End);
        }
        loop {
            match self.recovery.step()? {
                RecoveryStep::Need(range) => return Ok(CopyStep::Need(range)),
                RecoveryStep::Schema(schema) => return Ok(CopyStep::Piece(self.begin(&schema)?)),
                RecoveryStep::Lost(part) => self.lose(part.to_string()),
                RecoveryStep::Message { message, batch } => {
                    let piece = self.copy(&message, batch.as_ref())?;
                    if !piece.is_empty() {
                        return Ok(CopyStep::Piece(piece));
                    }
                }
                RecoveryStep::End => return self.finish(),
                _ => {}
            }
        }
    }

    /// The bytes before the first message. The container is that of the input. Where dictionaries are replaced, as files must not, it
    /// is a stream.
    fn begin(&mut self, schema: &IpcSchema) -> Result<Vec<u8>> {
        let is_file =
            self.recovery.container() == Some(Container::File) && !self.recovery.repeats_dictionaries();
        self.container = if is_file { WrittenContainer::File } else { WrittenContainer::Stream };
        let writing = self.options().with_version(schema.version()).with_endianness(schema.endianness());
        let made = Transcoder::try_new_with(schema, self.container, writing.clone());
        let writer = match made {
            // Some writers use V4 for columns that it does not have.
            Err(error) if matches!(error.kind(), IpcErrorKind::NotInVersion { .. }) => {
                let writing = writing.with_version(MetadataVersion::V5);
                Transcoder::try_new_with(schema, self.container, writing)?
            }
            made => made?,
        };
        let writer = self.writer.insert(writer);
        bytes_of(&writer.start()?)
    }

    /// Metadata of the input. Row counts and statistics are of the damaged file, and are left out.
    fn options(&self) -> WriteOptions {
        let message = self.recovery.metadata().cloned().unwrap_or_default();
        let footer = self.recovery.footer().map(|footer| Footer::without_own_keys(footer.metadata()));
        let options = WriteOptions::new();
        match (footer, self.container) {
            (None, _) => options.with_file_metadata(message),
            (Some(footer), WrittenContainer::Stream) => options.with_file_metadata(footer),
            (Some(footer), WrittenContainer::File) => {
                options.with_file_metadata(message).with_footer_metadata(footer)
            }
        }
    }

    /// The bytes of a message: as it is, or in the metadata version of the others.
    fn copy(&mut self, message: &Message, batch: Option<&RecordBatch>) -> Result<Vec<u8>> {
        let is_file = self.container == WrittenContainer::File;
        if is_file && matches!(message.kind(), MessageKind::Tensor | MessageKind::SparseTensor) {
            self.lose("a tensor is lost: a file has no place for it".to_owned());
            return Ok(Vec::new());
        }
        let Some(writer) = &mut self.writer else {
            return Err(Failure::misuse("a message comes before the schema"));
        };
        let piece = piece_of(writer, message, batch);
        writer.clear();
        let piece = piece?;
        if let Some(batch) = batch {
            self.n_batches = self.n_batches.saturating_add(1);
            self.n_rows = self.n_rows.saturating_add(batch.n_rows() as u64);
        }
        Ok(piece)
    }

    fn finish(&mut self) -> Result<CopyStep> {
        self.has_ended = true;
        match &mut self.writer {
            Some(writer) => Ok(CopyStep::Piece(bytes_of(&writer.finish()?)?)),
            None => Ok(CopyStep::End),
        }
    }

    fn lose(&mut self, text: String) {
        self.n_losses = self.n_losses.saturating_add(1);
        if self.losses.len() < MAX_LOSSES {
            self.losses.push(text);
        }
    }

    /// What was copied, and what was not, as JSON.
    pub(crate) fn report(&self) -> String {
        let container = match self.container {
            WrittenContainer::File => "file",
            WrittenContainer::Stream => "stream",
        };
        let listed = self.recovery.footer().map(|footer| footer.n_batches().to_string());
        let losses: Vec<String> = self.losses.iter().map(|text| QuotedText(text).to_string()).collect();
        format!(
            "{{\"container\":\"{container}\",\"numBatches\":{},\"numRows\":{},\"listedBatches\":{},\"numLosses\":{},\"losses\":[{}]}}",
            self.n_batches,
            self.n_rows,
            listed.as_deref().unwrap_or("null"),
            self.n_losses,
            losses.join(","),
        )
    }
}

fn piece_of(writer: &mut Transcoder, message: &Message, batch: Option<&RecordBatch>) -> Result<Vec<u8>> {
    let is_copied = writer.can_copy(message)?;
    let made = if is_copied { writer.copy(message) } else { writer.transcode(message) };
    let error = match made {
        Ok(made) => return bytes_of(&made),
        Err(error) => error,
    };
    match batch {
        Some(batch) if matches!(RewriteError::of(&error), Some(RewriteError::NeedsDecoding { .. })) => {
            bytes_of(&writer.encode(batch, &message.custom_metadata()?)?)
        }
        Some(_) | None => Err(error.into()),
    }
}

fn bytes_of(encoded: &Encoded<'_>) -> Result<Vec<u8>> {
    let refused = || Failure { text: "no memory for a message".to_owned(), class: Class::Input };
    let n_bytes = usize::try_from(encoded.n_bytes()).map_err(|_| refused())?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(n_bytes).map_err(|_| refused())?;
    encoded.slices(usize::MAX).for_each(|slice| bytes.extend_from_slice(slice));
    Ok(bytes)
}
