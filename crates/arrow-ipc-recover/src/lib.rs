//! Recovers every complete message of a damaged file or stream, and reports the losses between them. Does no I/O.
//!
//! [`Recovery`] is the front page: which damage it handles, and what it promises. It stands on the
//! [`MessageDecoder`](arrow_ipc::MessageDecoder) of `arrow-ipc`, and on the wire layer, `arrow-ipc-format`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod candidate;
mod content;
mod ends;
mod footer_blocks;
mod footers;
mod likely;
mod lost;
mod map;
mod map_reader;
mod pairs;
mod schema_mismatch;
mod span;
#[cfg(test)]
mod tests;
mod window;

use std::{collections::VecDeque, ops::Range};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{IpcErrorKind, ReadOptions, Result, file::Footer};
use arrow_ipc_format::{Container, IpcSchema, Message};
use arrow_schema::Metadata;

use self::{
    ends::InputEnds,
    footers::Footers,
    map::Map,
    map_reader::MapReader,
    window::{InputWindow, MissingRange, RangeResult},
};
pub use self::{
    lost::{LostCause, LostContent, LostPart},
    schema_mismatch::SchemaMismatch,
};

/// Recovers the complete messages of a damaged file or stream, without I/O. A `Recovery` requests ranges of the input.
/// It returns messages in the order in which a reader returns them, and reports what is lost between them. It first
/// reads all metadata, to find the messages and their positions.
///
/// - **Any damage**: bytes may be cut off, overwritten, removed or inserted anywhere, any number of times. The footer
///   may be absent or damaged, or may not list all batches. After damaged bytes, the recovery searches for the next
///   message: a continuation marker at any byte, readable metadata, and a body whose length is confirmed by the bytes
///   after it or by a footer. Legacy framing has no marker, so the bytes after the length must begin like metadata.
///   Without a footer, fewer messages may be found. With a footer, the recovery looks for each block at the listed
///   position, and at that position plus the shift of the previous blocks.
/// - **Every loss is reported**: each byte belongs to a message, padding, an end marker or the footer, or is reported
///   as lost. Blocks of the footer that were not found are also reported as lost.
/// - **Only valid data**: each batch is decoded and validated as [`ReadOptions`] say. An invalid batch is reported as
///   lost. IPC messages have no checksums, so the recovery cannot notice changed bytes if all lengths and values are
///   valid.
/// - **Shifted bodies**: if the next message begins before the end of a batch, bytes of the batch were removed, and the
///   batch is lost. The loss says how many bytes are missing. A value may look like a message. So the next message must
///   begin in the padding of the batch, or be followed by messages without a gap up to the end of the batch. If bytes
///   were inserted into a body, the last bytes of the body are reported as lost, and the batch is returned with values
///   that may be wrong. If a footer lists a shorter distance to the next message, the recovery also reports
///   [`LostContent::Certainty`] for the batch. It does so, too, if the last body ends with the bytes of an end marker
///   and no other end marker follows: they may be its last values. In legacy framing, values may also be wrong if up to 4 bytes of the last
///   batch were removed: such an input looks as if the end marker was cut off.
/// - **No values of other dictionaries**: a batch is lost if its dictionary is lost, or if a message in damaged bytes
///   may have replaced its dictionary. If you know that no dictionary was replaced, call
///   [`with_uncertain_dictionaries`](Recovery::with_uncertain_dictionaries) to get these batches. A batch with text that is not UTF-8 costs
///   only itself if the next message begins at its end and no message is inside it. If the footer of a file without deltas lists more
///   dictionaries than the schema has, the file is read in the order of its messages, as a stream.
/// - **No values of other schemas**: 64 or more damaged bytes after the end marker of a stream may have been a schema
///   message. Messages after these bytes are lost until a schema message is read, unless the caller passed a schema.
///   Batches of streams whose columns differ from those of the first stream are lost, too. A batch that directly
///   follows an end marker belongs to the stream before the marker, and the marker is reported as lost. If the end
///   marker of a stream and the next schema message are both damaged, batches of the second stream that fit the first
///   schema are returned as part of the first stream. The damage is reported.
/// - **Bounded work**: each byte is read and decoded at most a fixed number of times, for any input.
///
/// Each part of a footer is judged alone: its version, its custom metadata, its schema and its blocks. If one of them
/// cannot be read, it is reported as [`LostCause::FooterPart`], and the others are used.
///
/// If the schema message is damaged, the schema of the footer is used, and vice versa. If both can be read and differ,
/// the schema is used under which the first batches are valid; if that does not tell, the schema of the footer, or the
/// one with little-endian numbers. A schema from [`with_ipc_schema`](Recovery::with_ipc_schema) replaces both. A changed type
/// in a schema is not noticed if all batches are valid with it. Polars writes the schema message
/// of a file without a prefix; the recovery reads it. A `Transcoder` of `arrow-ipc-rewrite` can write the
/// recovered messages without encoding them again. The command `recover` does so.
///
/// Messages are read in the order of the input. Polars writes dictionaries after the batches that need them, and only
/// the footer contains the positions of these dictionaries. Without a footer, the batches are lost.
///
/// If damaged bytes contain a value that is itself an Arrow message and fits the schema, the recovery returns this
/// message, since it cannot be distinguished from a message of the input.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::FileWriter;
/// use arrow_ipc_recover::{Recovery, RecoveryStep};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let mut file = writer.finish()?;
/// file.truncate(file.len() - 20); // no footer any more
///
/// let mut recovery = Recovery::new(file.len() as u64);
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
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct Recovery {
    window: InputWindow,
    options: ReadOptions,
    keeps_uncertain: bool,
    schema: Option<IpcSchema>,
    state: RecoveryState,
    n_steps: u64,
    ready: VecDeque<RecoveryStep>,
}

#[derive(Debug)]
enum RecoveryState {
    Ends,
    Map(Box<Map>),
    /// Tries earlier footers, since the footer at the end does not list all messages.
    Footers(Box<Map>, Box<Footers>),
    Reading(Box<MapReader>),
    Ended,
}

impl Recovery {
    /// A recovery of an input of `n_bytes` bytes.
    pub fn new(n_bytes: u64) -> Recovery {
        Recovery::new_with(n_bytes, ReadOptions::default())
    }

    /// Like [`new`](Recovery::new), with options. Only their validation, limits and memory budget have an effect.
    pub fn new_with(n_bytes: u64, options: ReadOptions) -> Recovery {
        Recovery {
            window: InputWindow::new(n_bytes),
            options,
            keeps_uncertain: false,
            schema: None,
            state: RecoveryState::Ends,
            n_steps: 0,
            ready: VecDeque::new(),
        }
    }

    /// Assumes that no message in damaged bytes replaced a dictionary of a stream. If a message did, later batches have
    /// wrong values.
    #[must_use]
    pub fn with_uncertain_dictionaries(self) -> Recovery {
        Recovery { keeps_uncertain: true, ..self }
    }

    /// Sets the schema for an input with a lost or damaged schema. It replaces the schemas of the schema message and of
    /// the footer. Batches that contradict this schema are lost. Its dictionary ids must
    /// be the ids of the input. The schema also applies to messages that follow damaged bytes after the end marker of a
    /// stream.
    #[must_use]
    pub fn with_ipc_schema(self, schema: IpcSchema) -> Recovery {
        Recovery { schema: Some(schema), ..self }
    }

    /// Provides the requested range, or a longer range that contains it. Arrays share the memory of `bytes`.
    ///
    /// # Errors
    /// If the length of `bytes` differs from the length of `range`, or if the range ends after the input.
    pub fn provide(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()> {
        self.window.provide(range, bytes)
    }

    /// Whether the input is a file or a stream. `None` while [`step`](Recovery::step) has returned only
    /// [`Need`](RecoveryStep::Need), and after an error.
    pub fn container(&self) -> Option<Container> {
        self.reading().map(MapReader::container)
    }

    /// The footer; `None` if no footer is readable, before the footer was read, and after an error. If a part of it cannot
    /// be read, it has the schema that the recovery uses, no custom metadata, or likely numbers for a block.
    pub fn footer(&self) -> Option<&Footer> {
        self.reading().and_then(MapReader::footer)
    }

    /// The custom metadata of the schema message; `None` if the schema message is unreadable.
    pub fn metadata(&self) -> Option<&Metadata> {
        self.reading().and_then(MapReader::metadata)
    }

    /// Whether several dictionary messages, except deltas, have the same id, so that one may replace another. `false`
    /// before [`Schema`](RecoveryStep::Schema), and after an error.
    pub fn repeats_dictionaries(&self) -> bool {
        self.reading().is_some_and(MapReader::repeats_dictionaries)
    }

    /// The position at which a stream ends directly after a message, without an end marker. Call this after
    /// [`End`](RecoveryStep::End). The marker is optional: either the stream is complete, or its writer was stopped.
    pub fn unmarked_end(&self) -> Option<u64> {
        self.reading().and_then(MapReader::unmarked_end)
    }

    /// The number of steps of the search so far. Each step tries one position, and a bounded number of messages that
    /// follow.
    #[cfg(test)]
    fn n_steps(&self) -> u64 {
        self.n_steps
    }

    fn reading(&self) -> Option<&MapReader> {
        match &self.state {
            RecoveryState::Reading(reading) => Some(reading),
            RecoveryState::Ends
            | RecoveryState::Map(_)
            | RecoveryState::Footers(..)
            | RecoveryState::Ended => None,
        }
    }

    /// Continues until it needs bytes or has a result. After [`End`](RecoveryStep::End), every further step returns
    /// `End`.
    ///
    /// # Errors
    /// If the input has no readable schema and no schema was passed, if the schema is unsupported, or if no batch has as
    /// many nodes and buffers as the schema needs, unless both the schema message and the footer have it: the recovery
    /// then returns no message. If the memory budget is exceeded.
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
                Err(MissingRange(range)) => return Ok(RecoveryStep::Need(range)),
            }
        }
    }

    fn map(&self, ends: InputEnds) -> RecoveryState {
        RecoveryState::Map(Box::new(Map::new(ends, self.options.clone(), self.window.n_bytes())))
    }

    fn read(&mut self, map: Map) -> RecoveryState {
        let options = (self.options.clone(), self.keeps_uncertain);
        RecoveryState::Reading(Box::new(MapReader::new(map, options, self.schema.take())))
    }

    fn advance(&mut self) -> RangeResult<Result<()>> {
        self.n_steps = self.n_steps.saturating_add(1);
        match &mut self.state {
            RecoveryState::Ends => {
                let ends = InputEnds::read(&self.window, self.options.limits())?;
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
                // Before the end of the input, earlier bytes are dropped. At the end, the bytes stay, since the last
                // bytes of the input are read again.
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

/// A result of [`Recovery::step`].
#[derive(Debug)]
#[non_exhaustive]
pub enum RecoveryStep {
    /// The recovery needs this range of the input: call [`provide`](Recovery::provide), then
    /// [`step`](Recovery::step) again.
    Need(Range<u64>),
    /// The schema of the input. It comes before the first message.
    Schema(IpcSchema),
    /// A complete and valid dictionary, batch or tensor.
    Message {
        /// The message, with its body.
        message: Message,
        /// The decoded batch; `None` if the message is no record batch.
        batch: Option<RecordBatch>,
    },
    /// A range of the input that cannot be recovered.
    Lost(LostPart),
    /// The whole input has been read.
    End,
}

/// The example of the README is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
