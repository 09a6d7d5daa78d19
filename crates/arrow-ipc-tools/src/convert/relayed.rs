//! Converts inputs whose messages can be written without decoding. Values are checked on the way (`checked`), or by
//! another thread that also reads the input.

mod checked;
mod overlapped;

use std::{
    io::Write,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use arrow_ipc::{FileReader, IpcSchema, Limits, MessageKind, Threads, WriteOptions, message::Message};

use self::{
    checked::CheckedFile,
    overlapped::{Made, Take, overlapped},
};
use super::losses::{Kept, Losses};
use crate::{
    error::{ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
    observer::{Observer, Pass, Unit},
    relay::{
        MadeMessage, RelayFailure, RelayForm, RelayWriter, WantedOutput, block_messages_for, survey_file,
        survey_streams,
    },
    rows::Rows,
    source::SharedSource,
    streams::Streams,
    target::Target,
    threads::{joined, start},
    trailing::TrailingBytes,
    walk::Walk,
};

/// An input whose messages can be written without decoding.
#[derive(Debug)]
pub(super) struct Relayed {
    source: SharedSource,
    limits: Limits,
    rest: Option<TrailingBytes>,
}

/// What is checked of messages that are not decoded. Their structure always is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checks {
    Values,
    Structure,
}

/// The output and its form.
pub(super) struct Output<W> {
    pub(super) sink: W,
    pub(super) target: Target,
    pub(super) writing: WriteOptions,
}

impl Relayed {
    /// `None` if the input must be decoded: it is a pipe, has another byte order, several streams, dictionaries that
    /// change, or unions of another version than the output. Also if it is malformed, which decoding reports.
    ///
    /// # Errors
    /// If the input cannot be read again.
    pub(super) fn survey(
        input: Input,
        rows: &Rows,
        (writing, limits): (&WriteOptions, &Limits),
    ) -> Result<Option<Relayed>, ToolError> {
        if !input.has_positions() || !is_possible(rows.ipc_schema(), writing) {
            return Ok(None);
        }
        let wanted = WantedOutput { writing, limits, same_version: false };
        let name = input.name().clone();
        let source = input.into_source()?;
        let rest = match rows {
            Rows::File { reader, file } => survey_file(file, reader.footer(), wanted).then_some(None),
            Rows::Streams(_) => {
                let walk = Walk::of_stream(source.clone(), limits.clone());
                let walk = walk.map_err(|error| ToolError::new(name, ToolErrorKind::Input(error)))?;
                survey_streams(walk, wanted)
            }
        };
        Ok(rest.map(|rest| Relayed { source, limits: limits.clone(), rest }))
    }

    /// Writes all messages. The end is only written after the values have been checked, if they are checked.
    ///
    /// # Errors
    /// If the input fails or is malformed, if values are invalid, if the output fails, or if the observer stops the work.
    pub(super) fn write<W: Write>(
        self,
        (name, rows): (&InputName, Rows),
        output: Output<W>,
        (checks, losses): (Checks, &mut Losses),
        observer: &mut dyn Observer,
    ) -> Result<W, ToolError> {
        let Output { sink, target, writing } = output;
        let failed = |error| ToolError::new(name.clone(), ToolErrorKind::Output(error));
        let pass = Pass::begin(observer, name, rows.work())?;
        let form = (target, RelayForm::ByOptions);
        let is_compressed = writing.compression().is_some();
        let writer =
            RelayWriter::begin(sink, form, rows.ipc_schema(), (writing, &self.limits)).map_err(failed)?;
        losses.trailing(self.rest);
        let is_over = AtomicBool::new(false);
        let mut relay = Relay { name, target, writer, losses, pass, is_over: &is_over, is_compressed };
        match (rows, checks) {
            (Rows::File { reader, .. }, Checks::Values) => {
                relay.checked(&reader, (&self.source, &self.limits))?;
            }
            (Rows::File { reader, .. }, Checks::Structure) => {
                let wanted = (&self.limits, |_| true);
                let messages = block_messages_for(&self.source, reader.footer(), wanted);
                relay.all(messages, &self.source)?;
            }
            (Rows::Streams(mut streams), checks) => {
                let walk = Walk::of_stream(self.source.clone(), self.limits.clone());
                let messages =
                    walk.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Input(error)))?;
                let streams = Mutex::new(&mut streams);
                let check = || {
                    let checked =
                        check(&mut streams.lock().unwrap_or_else(PoisonError::into_inner), &is_over);
                    is_over.fetch_or(checked.is_err(), Ordering::Relaxed);
                    checked
                };
                thread::scope(|scope| {
                    // A thread of a pool must not wait for another one that uses the pool.
                    let n_others = if checks == Checks::Values && !Threads::is_in_pool() { 1 } else { 0 };
                    let checking = start(scope, n_others, &check).pop();
                    if checks == Checks::Values && checking.is_none() {
                        check()?;
                    }
                    let relayed = relay.all(messages, &self.source);
                    is_over.fetch_or(relayed.is_err(), Ordering::Relaxed);
                    checking.map_or(Ok(()), joined)?;
                    relayed
                })?;
            }
        }
        relay.writer.finish().map_err(failed)
    }
}

/// Whether the options can be met without decoding arrays.
fn is_possible(schema: &IpcSchema, writing: &WriteOptions) -> bool {
    schema.unsupported_columns().is_empty()
        && arrow_ipc::transcode::Transcoder::try_stream(schema, writing.clone()).is_ok()
}

/// The state of copying messages.
struct Relay<'a, W> {
    name: &'a InputName,
    target: Target,
    writer: RelayWriter<W>,
    losses: &'a mut Losses,
    pass: Pass<'a>,
    /// Set if something has failed, so that the work ends.
    is_over: &'a AtomicBool,
    /// Whether the output is compressed, which takes longer than writing it.
    is_compressed: bool,
}

impl<W: Write> Relay<'_, W> {
    /// Writes the messages of a file after another thread has checked their values.
    fn checked(
        &mut self,
        reader: &FileReader<SharedSource>,
        (source, limits): (&SharedSource, &Limits),
    ) -> Result<(), ToolError> {
        let Relay { name, writer, pass, .. } = self;
        let (transcoder, sink) = writer.parts();
        let checked = CheckedFile { name, reader, source, limits };
        overlapped((name, sink), pass, |take| checked.all(transcoder, take))
    }

    /// Writes messages until there are no more, or the work is over.
    fn all(
        &mut self,
        messages: impl Iterator<Item = Result<Message, arrow_ipc::IpcError>> + Send,
        source: &SharedSource,
    ) -> Result<(), ToolError> {
        let Relay { name, target, writer, losses, pass, is_over, is_compressed } = self;
        let unit = pass.unit();
        let mut n_batches = 0u64;
        let messages = messages.take_while(|_| !is_over.load(Ordering::Relaxed));
        let mut messages = messages.filter_map(|message| {
            let message = match message {
                Err(error) => return Some(Err(ToolError::new(name.clone(), ToolErrorKind::Input(error)))),
                Ok(message) => message,
            };
            match message.kind() {
                MessageKind::Schema => return None,
                MessageKind::Tensor | MessageKind::SparseTensor if *target == Target::File => {
                    losses.tensor(Kept::No);
                    return None;
                }
                MessageKind::RecordBatch => n_batches = n_batches.saturating_add(1),
                MessageKind::DictionaryBatch | MessageKind::Tensor | MessageKind::SparseTensor => {}
            }
            let n_done = match unit {
                Unit::Batches => n_batches,
                Unit::Bytes => message.body_position().saturating_add(message.n_body_bytes()),
            };
            Some(Ok((message, n_done)))
        });
        if *is_compressed {
            let (transcoder, sink) = writer.parts();
            return overlapped((name, sink), pass, |take| {
                for message in messages.by_ref() {
                    let (message, n_done) = message?;
                    let made = MadeMessage::make(transcoder, &message, source);
                    let message = made.map_err(|failure| failed(name, failure))?;
                    if !take(Made { message, n_done }) {
                        break;
                    }
                }
                Ok(())
            });
        }
        for message in messages {
            let (message, n_done) = message?;
            writer.write(&message, source).map_err(|failure| failed(name, failure))?;
            pass.set(n_done)?;
        }
        Ok(())
    }
}

/// The error of a message that was not written.
fn failed(name: &InputName, failure: RelayFailure) -> ToolError {
    let kind = match failure {
        RelayFailure::Input(error) => ToolErrorKind::Input(error),
        RelayFailure::Output(error) => ToolErrorKind::Output(error),
    };
    ToolError::new(name.clone(), kind)
}

/// Reads everything without keeping it, to check it.
///
/// # Errors
/// If something is not valid.
fn check(streams: &mut Streams, is_over: &AtomicBool) -> Result<(), ToolError> {
    while !is_over.load(Ordering::Relaxed) && streams.next_part()?.is_some() {}
    Ok(())
}
