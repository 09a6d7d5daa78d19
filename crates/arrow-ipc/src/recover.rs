//! Finds every complete message of a damaged file or stream, and what is lost between them. No I/O.

mod candidate;
mod content;
mod ends;
mod extent;
mod listed;
mod lost;
mod map;
mod reading;
mod stretch;
#[cfg(test)]
mod tests;
mod window;

use std::{collections::VecDeque, ops::Range};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_schema::Metadata;

pub use self::lost::{LostCause, LostPart, LostWhat};
use self::{
    ends::ReadEnds,
    map::Map,
    reading::Reading,
    window::{Need, Wait, Window},
};
use crate::{
    detect::Container,
    error::{IpcErrorKind, Result},
    file::Footer,
    ipc_schema::IpcSchema,
    message::Message,
    options::ReadOptions,
};

/// Recovers what is complete in a damaged file or stream, without I/O: it asks for ranges, and gives messages in the order in which
/// readers give them, and what is lost between them. First it makes a map of the input, from metadata alone: what each byte is.
///
/// - **Any damage**: bytes cut off, overwritten, removed or inserted anywhere, in any number, no footer, a damaged one, or one that
///   does not list all batches. After damaged bytes it goes on with the next message: the continuation marker at any byte, metadata
///   that can be read, and a body whose length something confirms. In legacy framing, without the marker, metadata has to begin as
///   metadata does. A footer helps, and is not needed: its blocks are looked for where they should be, and shifted by as many bytes as
///   what precedes them.
/// - **Nothing lost without a word**: all bytes are accounted for: they are messages, padding, an end marker, the footer, or lost. What the
///   footer lists and was not found is lost, too.
/// - **Only what is sound**: each batch is decoded and checked as [`ReadOptions`] say; one that is not valid is lost.
///   Changed bytes that keep all lengths and are valid cannot be told: an IPC message has no checksum.
/// - **Shifted bodies**: a batch is lost if the next message begins before its end, since bytes of it were removed; it is told how
///   many. What is taken for the next message leads to others up to that end, or stands in the padding, so that it is no part of a
///   value. After bytes were inserted into a body, those at its end are reported, but the values of that batch may be wrong; if a
///   footer lists fewer bytes up to the next message, that is said of the batch, too: [`LostWhat::Certainty`]. In
///   legacy framing that is also so where up to 4 bytes of the last batch were removed: it looks as if the end marker was cut off.
/// - **No values of other dictionaries**: a dictionary may have been in the damaged bytes. Batches that need one which is lost, or which may have
///   been replaced there, are lost. Where nothing was replaced, [`keeping_dictionaries`](Recovery::keeping_dictionaries) keeps
///   those batches too.
/// - **No values of other schemas**: if damaged bytes follow the end marker of a stream, they may have been a schema message: what comes
///   after them is lost until a schema message is read. So are the batches of streams with another schema than the first has. A
///   batch that follows an end marker at once is of the stream before, and the marker is told. If both the end marker of a stream and the schema message after it
///   are damaged, batches of the second that fit the schema of the first are taken for its own; the damage is reported.
/// - **Bounded**: each byte is read and decoded a fixed number of times at most, whatever the input is.
///
/// If the schema message is damaged, the schema of the footer is taken, and the other way round. That of
/// [`with_schema`](Recovery::with_schema) is taken before these, unless both are there and agree. A schema message without its prefix, as polars writes it into files, is read too. The messages can be given to a
/// [`Transcoder`](crate::Transcoder), which encodes nothing again; the tools' `recover` does so.
///
/// Messages are read in the order of the input. So dictionaries that come after the batches that need them, as polars writes them, are
/// known only by the footer: without it these batches are lost.
///
/// An Arrow message inside of a value, in damaged bytes, is taken for one of the input if it fits the schema. Nothing tells
/// the two apart.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FileWriter, ReadOptions, Recovery, RecoveryStep, WriteOptions};
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
    window: Window,
    options: ReadOptions,
    dictionaries: DoubtfulDictionaries,
    /// What the schema is if the input has none that can be read.
    schema: Option<IpcSchema>,
    state: State,
    n_steps: u64,
    ready: VecDeque<RecoveryStep>,
}

/// What [`Recovery::step`] gives.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecoveryStep {
    /// Bytes that are missing: provide them, and step again.
    Need(Range<u64>),
    /// The schema has been read, in the schema message or in the footer; always before messages.
    Schema(IpcSchema),
    /// A dictionary, a batch or a tensor, complete and sound.
    Message {
        /// The message, with its body.
        message: Message,
        /// The batch, if it is one.
        batch: Option<RecordBatch>,
    },
    /// Something is lost.
    Lost(LostPart),
    /// The input has been looked at.
    End,
}

/// What is done with dictionaries of a stream that may have been replaced in damaged bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DoubtfulDictionaries {
    Lost,
    Kept,
}

#[derive(Debug)]
enum State {
    Ends(ReadEnds),
    Map(Box<Map>),
    Reading(Box<Reading>),
    Ended,
}

impl Recovery {
    /// A recovery of an input of this many bytes. Of the options, validation, limits and memory budget count.
    pub fn new(n_bytes: u64, options: ReadOptions) -> Recovery {
        Recovery {
            window: Window::new(n_bytes),
            options,
            dictionaries: DoubtfulDictionaries::Lost,
            schema: None,
            state: State::Ends(ReadEnds::Ends),
            n_steps: 0,
            ready: VecDeque::new(),
        }
    }

    /// Believes that no dictionary of a stream was replaced in damaged bytes whose messages cannot be told. If one was, later
    /// batches have wrong values.
    #[must_use]
    pub fn keeping_dictionaries(self) -> Recovery {
        Recovery { dictionaries: DoubtfulDictionaries::Kept, ..self }
    }

    /// The schema for an input whose own is lost or damaged. It is taken before that of the schema message and that of the footer,
    /// unless both are there and agree. Batches that contradict it are lost; dictionaries are found by the ids that it has.
    #[must_use]
    pub fn with_schema(self, schema: IpcSchema) -> Recovery {
        Recovery { schema: Some(schema), ..self }
    }

    /// Gives bytes of the input: the range that was asked for, or more. Arrays share them.
    ///
    /// # Errors
    /// If there are not as many bytes as the range is long, or it ends after the input.
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

    /// The custom metadata of the schema message, if that can be read.
    pub fn metadata(&self) -> Option<&Metadata> {
        self.reading().and_then(Reading::metadata)
    }

    /// Where a stream ends without an end marker, right after a message; known at the end. The marker is optional, but a writer that
    /// was stopped has not written it either.
    pub fn unmarked_end(&self) -> Option<u64> {
        self.reading().and_then(Reading::unmarked_end)
    }

    /// How often a place of the input was looked at: each time for one message, or for what may be one, with a bounded number of
    /// others that it leads to.
    #[cfg(test)]
    fn n_steps(&self) -> u64 {
        self.n_steps
    }

    fn reading(&self) -> Option<&Reading> {
        match &self.state {
            State::Reading(reading) => Some(reading),
            State::Ends(_) | State::Map(_) | State::Ended => None,
        }
    }

    /// Goes on as far as the bytes allow. After [`End`](RecoveryStep::End) every step is `End`.
    ///
    /// # Errors
    /// If the input has no schema that can be read and none was given, or if it is unsupported: nothing can be recovered. If the memory
    /// budget refuses memory.
    pub fn step(&mut self) -> Result<RecoveryStep> {
        loop {
            if let Some(step) = self.ready.pop_front() {
                return Ok(step);
            }
            match self.advance() {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    self.state = State::Ended;
                    return Err(error);
                }
                Err(Need(range)) => return Ok(RecoveryStep::Need(range)),
            }
        }
    }

    fn advance(&mut self) -> Wait<Result<()>> {
        self.n_steps = self.n_steps.saturating_add(1);
        match &mut self.state {
            State::Ends(reading) => {
                let ends = reading.step(&self.window, self.options.limits())?;
                let map = Map::new(ends, self.options.clone(), self.window.n_bytes());
                self.state = State::Map(Box::new(map));
            }
            State::Map(map) if map.is_complete() => {
                let ended = std::mem::replace(&mut self.state, State::Ended);
                if let State::Map(map) = ended {
                    let options = (self.options.clone(), self.dictionaries);
                    let reading = Reading::new(*map, options, self.schema.take());
                    self.state = State::Reading(Box::new(reading));
                }
            }
            State::Map(map) => {
                map.step(&self.window)?;
                // At the end, the last bytes are those that are read again first, or all.
                if map.position() < self.window.n_bytes() {
                    self.window.forget_before(map.position());
                }
            }
            State::Reading(reading) => {
                let steps = reading.step(&self.window)?;
                self.window.forget_before(reading.position());
                return Ok(steps.map(|steps| self.ready.extend(steps)));
            }
            State::Ended => return Ok(Err(IpcErrorKind::AlreadyFailed { what: "recovery" }.into())),
        }
        Ok(Ok(()))
    }
}
