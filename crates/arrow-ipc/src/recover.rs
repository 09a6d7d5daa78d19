//! Recovers every complete message of a damaged file or stream, and reports the losses between them. Does no I/O.

mod candidate;
mod content;
mod ends;
mod extent;
mod footers;
mod likely;
mod listed;
mod lost;
mod map;
mod pairs;
mod reading;
mod step;
mod stretch;
#[cfg(test)]
mod tests;
mod window;

use std::{collections::VecDeque, ops::Range};

use arrow_buffer::Buffer;
use arrow_schema::Metadata;

use self::{
    ends::Ends,
    footers::Footers,
    map::Map,
    reading::Reading,
    step::DoubtfulDictionaries,
    window::{InputWindow, Need, Wait},
};
pub use self::{
    lost::{LostCause, LostPart, LostWhat},
    step::RecoveryStep,
};
use crate::{
    error::{IpcErrorKind, Result},
    file::Footer,
    options::ReadOptions,
    protocol::Container,
    schema::IpcSchema,
};

/// Recovers complete messages of a damaged file or stream, without I/O. A recovery asks for ranges, returns messages in
/// the order in which a reader would, and reports the losses between them. It first reads only metadata, to find out to
/// which message each byte belongs.
///
/// - **Any damage**: bytes may be cut off, overwritten, removed or inserted anywhere, any number of times. The footer
///   may be absent, damaged, or lack some batches. After damaged bytes, the search continues with the next message: a
///   continuation marker at any byte, readable metadata, and a body whose length is confirmed by the bytes after it or
///   by a footer. Legacy framing has no marker, so the bytes after the length must begin like metadata. A footer helps,
///   but is not needed. Each block of the footer is searched at its position, and at that position with the shift of
///   the blocks before it.
/// - **Every loss is reported**: each byte belongs to a message, padding, an end marker or the footer, or is lost. Blocks
///   of the footer that were not found are reported as lost, too.
/// - **Only valid data**: each batch is decoded, and checked to the level that [`ReadOptions`] set. An invalid batch is
///   lost. IPC messages have no checksums, so changed bytes remain unnoticed if all lengths are right and the values
///   are valid.
/// - **Shifted bodies**: if the next message begins before the end of a batch, bytes of the batch were removed, and the
///   batch is lost. The loss says how many bytes are missing. A value that looks like a message is not mistaken for the
///   next message: the next message must lie in the padding, or be followed by other messages up to the end of the
///   batch. If bytes were inserted into a body, the same number of bytes after the body is reported, but the values of
///   the batch may be wrong. If a footer lists fewer bytes up to the next message, this is also reported for the batch,
///   as [`LostWhat::Certainty`]. In legacy framing, values may also be wrong if up to 4 bytes of the last batch were
///   removed: such an input looks as if the end marker was cut off.
/// - **No values of other dictionaries**: a dictionary may have been in the damaged bytes. Batches are lost if they
///   need a lost dictionary, or one that may have been replaced in the damaged bytes. If you know that no dictionary
///   was replaced, [`keeping_dictionaries`](Recovery::keeping_dictionaries) keeps these batches.
/// - **No values of other schemas**: at least 64 damaged bytes after the end marker of a stream may have been a schema
///   message. Messages after these bytes are lost until a schema message is read, unless the caller gave a schema.
///   Batches of streams whose columns differ from those of the first stream are lost, too. A batch that directly
///   follows an end marker belongs to the stream before it, and the marker is reported as lost. If the end marker of a
///   stream and the next schema message are both damaged, batches of the second stream that fit the first schema count
///   as part of the first stream. The damage is reported.
/// - **Bounded work**: each byte is read and decoded at most a fixed number of times, for any input.
///
/// If the schema message is damaged, the schema of the footer is used, and vice versa. The schema of
/// [`with_schema`](Recovery::with_schema) replaces both, unless both exist and agree. A schema message without its
/// prefix, as polars writes it into files, is also read. A [`Transcoder`](crate::transcode::Transcoder) can write the
/// messages without encoding them again; `recover` of the tools does so.
///
/// Messages are read in the order of the input. Polars writes dictionaries after the batches that need them. Only a footer
/// tells where these dictionaries are; without one, the batches are lost.
///
/// If damaged bytes contain a value that is itself an Arrow message and fits the schema, the value counts as a message
/// of the input. The two cannot be told apart.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FileWriter, ReadOptions, WriteOptions, recover::{Recovery, RecoveryStep}};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema(), WriteOptions::new())?;
/// writer.write(&batch)?;
/// let mut file = writer.finish()?;
/// file.truncate(file.len() - 20); // no footer any more
///
/// let mut recovery = Recovery::new(file.len() as u64, ReadOptions::new());
/// let (mut n_batches, mut lost) = (0, Vec::new());
/// loop {
///     match recovery.step()? {
///         RecoveryStep::Need(range) => {
///             let bytes = Buffer::copy_from(&file[range.start as usize..range.end as usize]);
///             recovery.provide(range, bytes)?;
///         }
///         RecoveryStep::Message { batch: Some(_), .. } => n_batches += 1,
///         RecoveryStep::Lost(part) => lost.push(part.to_string()),
///         RecoveryStep::End => break,
///         _ => {}
///     }
/// }
/// assert_eq!(n_batches, 1);
/// assert!(lost.iter().any(|lost| lost.contains("the footer is lost")), "{lost:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recovery {
    window: InputWindow,
    options: ReadOptions,
    dictionaries: DoubtfulDictionaries,
    /// The schema, if it has been found. Without it, the input is an error.
    schema: Option<IpcSchema>,
    state: RecoveryState,
    n_steps: u64,
    ready: VecDeque<RecoveryStep>,
}

#[derive(Debug)]
enum RecoveryState {
    Ends,
    Map(Box<Map>),
    /// Earlier footers are tried, since the footer at the end does not fit the messages that were found.
    Footers(Box<Map>, Box<Footers>),
    Reading(Box<Reading>),
    Ended,
}

impl Recovery {
    /// A recovery of an input of `n_bytes` bytes. The only options that have an effect are validation, limits and
    /// memory budget.
    pub fn new(n_bytes: u64, options: ReadOptions) -> Recovery {
        Recovery {
            window: InputWindow::new(n_bytes),
            options,
            dictionaries: DoubtfulDictionaries::Lost,
            schema: None,
            state: RecoveryState::Ends,
            n_steps: 0,
            ready: VecDeque::new(),
        }
    }

    /// Assumes that no message in damaged bytes replaced a dictionary of a stream. If a message did so, later batches
    /// have wrong values.
    #[must_use]
    pub fn keeping_dictionaries(self) -> Recovery {
        Recovery { dictionaries: DoubtfulDictionaries::Kept, ..self }
    }

    /// Sets the schema for an input whose own schema is lost or damaged. The given schema replaces those of the schema
    /// message and of the footer, unless both exist and agree. Batches that contradict the given schema are lost. The
    /// ids in the schema are used to find dictionaries. The schema also applies to messages that follow damaged bytes
    /// after the end marker of a stream.
    #[must_use]
    pub fn with_schema(self, schema: IpcSchema) -> Recovery {
        Recovery { schema: Some(schema), ..self }
    }

    /// Provides bytes of the input: the requested range, or more. Arrays share these bytes.
    ///
    /// # Errors
    /// If the bytes do not have the length of the range, or if the range ends after the input.
    pub fn provide(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()> {
        self.window.provide(range, bytes)
    }

    /// Whether the input is a file or a stream; known after the first step that needs no bytes.
    pub fn container(&self) -> Option<Container> {
        self.reading().map(Reading::container)
    }

    /// The footer, if one can be read.
    pub fn footer(&self) -> Option<&Footer> {
        self.reading().and_then(Reading::footer)
    }

    /// The custom metadata of the schema message, if the schema message can be read.
    pub fn metadata(&self) -> Option<&Metadata> {
        self.reading().and_then(Reading::metadata)
    }

    /// The position where a stream ends without an end marker, directly after a message; known at the end. The marker
    /// is optional, so such a stream may be complete, or its writer was stopped.
    pub fn unmarked_end(&self) -> Option<u64> {
        self.reading().and_then(Reading::unmarked_end)
    }

    /// The number of steps that the search has taken. A step looks at one position for a message, and at a bounded
    /// number of messages to which it leads.
    #[cfg(test)]
    fn n_steps(&self) -> u64 {
        self.n_steps
    }

    fn reading(&self) -> Option<&Reading> {
        match &self.state {
            RecoveryState::Reading(reading) => Some(reading),
            RecoveryState::Ends
            | RecoveryState::Map(_)
            | RecoveryState::Footers(..)
            | RecoveryState::Ended => None,
        }
    }

    /// Continues as far as the provided bytes allow. After [`End`](RecoveryStep::End) every step is `End`.
    ///
    /// # Errors
    /// If the input has no readable schema and no schema was given, or if the schema is unsupported. No message can be
    /// recovered then. If the memory budget refuses memory.
    pub fn step(&mut self) -> Result<RecoveryStep> {
        loop {
            if let Some(step) = self.ready.pop_front() {
                return Ok(step);
            }
            match self.advance() {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    self.state = RecoveryState::Ended;
                    return Err(error);
                }
                Err(Need(range)) => return Ok(RecoveryStep::Need(range)),
            }
        }
    }

    fn map(&self, ends: Ends) -> RecoveryState {
        RecoveryState::Map(Box::new(Map::new(ends, self.options.clone(), self.window.n_bytes())))
    }

    fn read(&mut self, map: Map) -> RecoveryState {
        let options = (self.options.clone(), self.dictionaries);
        RecoveryState::Reading(Box::new(Reading::new(map, options, self.schema.take())))
    }

    fn advance(&mut self) -> Wait<Result<()>> {
        self.n_steps = self.n_steps.saturating_add(1);
        match &mut self.state {
            RecoveryState::Ends => {
                let ends = Ends::read(&self.window, self.options.limits())?;
                self.state = self.map(ends);
            }
            RecoveryState::Map(map) if map.is_complete() => {
                let ended = std::mem::replace(&mut self.state, RecoveryState::Ended);
                if let RecoveryState::Map(map) = ended {
                    self.state = match Footers::new(&map, self.options.limits()) {
                        Some(footers) => RecoveryState::Footers(map, Box::new(footers)),
                        None => self.read(*map),
                    };
                }
            }
            RecoveryState::Footers(_, footers) => {
                let better = footers.step(&self.window, self.options.limits())?;
                let ended = std::mem::replace(&mut self.state, RecoveryState::Ended);
                if let RecoveryState::Footers(map, _) = ended {
                    self.state = match better {
                        Some(ends) => self.map(ends),
                        None => self.read(*map),
                    };
                }
            }
            RecoveryState::Map(map) => {
                map.step(&self.window)?;
                // The bytes at the end are kept longest, since they are read again first.
                if map.position() < self.window.n_bytes() {
                    self.window.forget_before(map.position());
                }
            }
            RecoveryState::Reading(reading) => {
                let steps = reading.step(&self.window)?;
                self.window.forget_before(reading.position());
                return Ok(steps.map(|steps| self.ready.extend(steps)));
            }
            RecoveryState::Ended => return Ok(Err(IpcErrorKind::AlreadyFailed { what: "recovery" }.into())),
        }
        Ok(Ok(()))
    }
}
