//! A copy of what is sound in a damaged file or stream, in pieces.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{IpcErrorKind, OwnedEncoded, ReadOptions, WriteOptions, file::Footer};
use arrow_ipc_format::{Container, IpcSchema, Message, MessageKind, MetadataVersion, WrittenContainer};
use arrow_ipc_recover::{Recovery, RecoveryStep};
use arrow_ipc_rewrite::{RewriteError, Transcoder};
use arrow_schema::QuotedText;

use crate::failure::{Failure, Result};

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
    /// The last bytes of the output. They share the bodies of messages.
    piece: OwnedEncoded,
    has_ended: bool,
}

/// What follows a step.
pub(crate) enum CopyStep {
    /// This range of the input is needed.
    Need(std::ops::Range<u64>),
    /// There is a [piece](SoundCopy::piece) of the output.
    Piece,
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
            piece: OwnedEncoded::default(),
            has_ended: false,
        }
    }

    pub(crate) fn provide(&mut self, start: u64, bytes: Buffer) -> Result<()> {
        let end = start.saturating_add(bytes.len() as u64);
        Ok(self.recovery.provide(start..end, bytes)?)
    }

    /// The addresses and lengths of the last bytes of the output, until the next step.
    pub(crate) fn piece(&self) -> Vec<f64> {
        let slices = self.piece.slices(usize::MAX);
        slices.flat_map(|bytes| [bytes.as_ptr().addr() as f64, bytes.len() as f64]).collect()
    }

    pub(crate) fn step(&mut self) -> Result<CopyStep> {
        self.piece = OwnedEncoded::default();
        if self.has_ended {
            return Ok(CopyStep::End);
        }
        loop {
            match self.recovery.step()? {
                RecoveryStep::Need(range) => return Ok(CopyStep::Need(range)),
                RecoveryStep::Schema(schema) => {
                    self.piece = self.begin(&schema)?;
                    return Ok(CopyStep::Piece);
                }
                RecoveryStep::Lost(part) => self.lose(part.to_string()),
                RecoveryStep::Message { message, batch } => {
                    if let Some(piece) = self.copy(&message, batch.as_ref())? {
                        self.piece = piece;
                        return Ok(CopyStep::Piece);
                    }
                }
                RecoveryStep::End => return self.finish(),
                _ => {}
            }
        }
    }

    /// The bytes before the first message. The container is that of the input. Where dictionaries are replaced, as files must not, it
    /// is a stream.
    fn begin(&mut self, schema: &IpcSchema) -> Result<OwnedEncoded> {
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
        Ok(writer.start()?.into_owned())
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
    fn copy(&mut self, message: &Message, batch: Option<&RecordBatch>) -> Result<Option<OwnedEncoded>> {
        let is_file = self.container == WrittenContainer::File;
        if is_file && matches!(message.kind(), MessageKind::Tensor | MessageKind::SparseTensor) {
            self.lose("a tensor is lost: a file has no place for it".to_owned());
            return Ok(None);
        }
        let Some(writer) = &mut self.writer else {
            return Err(Failure::misuse("a message comes before the schema"));
        };
        let piece = piece_of(writer, message, batch)?;
        if let Some(batch) = batch {
            self.n_batches = self.n_batches.saturating_add(1);
            self.n_rows = self.n_rows.saturating_add(batch.n_rows() as u64);
        }
        Ok(Some(piece))
    }

    fn finish(&mut self) -> Result<CopyStep> {
        self.has_ended = true;
        match &mut self.writer {
            Some(writer) => {
                self.piece = writer.finish()?.into_owned();
                Ok(CopyStep::Piece)
            }
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

fn piece_of(writer: &mut Transcoder, message: &Message, batch: Option<&RecordBatch>) -> Result<OwnedEncoded> {
    let is_copied = writer.can_copy(message)?;
    let made = if is_copied { writer.copy(message) } else { writer.transcode(message) };
    let error = match made {
        Ok(made) => return Ok(made.into_owned()),
        Err(error) => error,
    };
    match batch {
        Some(batch) if matches!(RewriteError::of(&error), Some(RewriteError::NeedsDecoding { .. })) => {
            Ok(writer.encode(batch, &message.custom_metadata()?)?.into_owned())
        }
        Some(_) | None => Err(error.into()),
    }
}
