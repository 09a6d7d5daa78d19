//! Conversions that decode nothing to write it: messages are relayed, while another thread reads the input to check its values.

use std::{
    io::Write,
    panic,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use arrow_ipc::{IpcSchema, Limits, Message, MessageKind, WriteOptions};

use super::losses::{Kept, Losses};
use crate::{
    error::{ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
    observer::{Observer, Pass, Unit},
    relay::{Form, RelayFailure, RelayWriter, Wanted, block_messages, survey_file, survey_streams},
    rows::Rows,
    source::SharedSource,
    streams::Streams,
    target::Target,
    trailing::TrailingBytes,
    walk::Walk,
};

/// An input whose messages can be written without decoding them.
#[derive(Debug)]
pub(super) struct Relayed {
    source: SharedSource,
    limits: Limits,
    rest: Option<TrailingBytes>,
}

/// What is checked of what is not decoded to write it. The structure of messages is, in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checks {
    Values,
    Structure,
}

/// What is written, and how.
pub(super) struct Output<W> {
    pub(super) sink: W,
    pub(super) target: Target,
    pub(super) writing: WriteOptions,
}

impl Relayed {
    /// `None` if the input has to be decoded: it is a pipe, or has another byte order, several streams, dictionaries that
    /// change, or unions of another version than is written. Also if it is malformed, which decoding reports.
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
        let wanted = Wanted { writing, limits, same_version: false };
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

    /// Writes all messages. The end is written when the values have been checked, if they are.
    ///
    /// # Errors
    /// If the input fails or is malformed, if values are not valid, if the output fails, or if the observer stops the work.
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
        let form = (target, Form::ByOptions);
        let writer =
            RelayWriter::begin(sink, form, rows.ipc_schema(), (writing, &self.limits)).map_err(failed)?;
        losses.trailing(self.rest);
        let mut relay = Relay { name, target, writer, losses, pass };
        let is_over = AtomicBool::new(false);
        let footer = match &rows {
            Rows::File { reader, .. } => Some(reader.footer().clone()),
            Rows::Streams(_) => None,
        };
        let messages = || -> Result<Box<dyn Iterator<Item = Result<Message, _>>>, ToolError> {
            let limits = self.limits.clone();
            if let Some(footer) = &footer {
                return Ok(Box::new(block_messages(&self.source, footer, &self.limits)));
            }
            let walk = Walk::of_stream(self.source.clone(), limits);
            let mut walk = walk.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Input(error)))?;
            Ok(Box::new(std::iter::from_fn(move || walk.next_message().transpose())))
        };
        thread::scope(|scope| {
            let checks = (checks == Checks::Values).then(|| {
                scope.spawn(|| {
                    let checked = check(rows, name, &is_over);
                    is_over.fetch_or(checked.is_err(), Ordering::Relaxed);
                    checked
                })
            });
            let relayed = messages().and_then(|messages| relay.all(messages, &self.source, &is_over));
            is_over.fetch_or(relayed.is_err(), Ordering::Relaxed);
            if let Some(checks) = checks {
                checks.join().unwrap_or_else(|panic| panic::resume_unwind(panic))?;
            }
            relayed
        })?;
        relay.writer.finish().map_err(failed)
    }
}

/// Whether the options ask for nothing that only arrays have.
fn is_possible(schema: &IpcSchema, writing: &WriteOptions) -> bool {
    schema.unsupported_columns().is_empty()
        && arrow_ipc::Transcoder::try_stream(schema, writing.clone()).is_ok()
}

/// Messages on their way.
struct Relay<'a, W> {
    name: &'a InputName,
    target: Target,
    writer: RelayWriter<W>,
    losses: &'a mut Losses,
    pass: Pass<'a>,
}

impl<W: Write> Relay<'_, W> {
    /// Writes messages until there are no more, or the work is over.
    fn all(
        &mut self,
        messages: impl Iterator<Item = Result<Message, arrow_ipc::IpcError>>,
        source: &SharedSource,
        is_over: &AtomicBool,
    ) -> Result<(), ToolError> {
        let name = self.name.clone();
        let failed = |kind| ToolError::new(name.clone(), kind);
        let mut n_batches = 0u64;
        for message in messages {
            if is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
            let message = message.map_err(|error| failed(ToolErrorKind::Input(error)))?;
            match message.kind() {
                MessageKind::Schema => continue,
                MessageKind::Tensor | MessageKind::SparseTensor if self.target == Target::File => {
                    self.losses.tensor(Kept::No);
                    continue;
                }
                MessageKind::RecordBatch => n_batches = n_batches.saturating_add(1),
                MessageKind::DictionaryBatch | MessageKind::Tensor | MessageKind::SparseTensor => {}
            }
            self.writer.write(&message, source).map_err(|failure| match failure {
                RelayFailure::Input(error) => failed(ToolErrorKind::Input(error)),
                RelayFailure::Output(error) => failed(ToolErrorKind::Output(error)),
            })?;
            let n_done = match self.pass.unit() {
                Unit::Batches => n_batches,
                Unit::Bytes => message.body_position().saturating_add(message.n_body_bytes()),
            };
            self.pass.set(n_done)?;
        }
        Ok(())
    }
}

/// Reads everything, and drops it.
///
/// # Errors
/// If something is not valid.
fn check(rows: Rows, name: &InputName, is_over: &AtomicBool) -> Result<(), ToolError> {
    match rows {
        Rows::Streams(mut streams) => check_streams(&mut streams, is_over),
        Rows::File { reader, .. } => {
            for batch_idx in 0..reader.n_batches() {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                let checked = reader.batch(batch_idx).map(drop);
                checked.map_err(|error| {
                    ToolError::new(name.clone(), ToolErrorKind::Batch { batch_idx, error })
                })?;
            }
            Ok(())
        }
    }
}

fn check_streams(streams: &mut Streams, is_over: &AtomicBool) -> Result<(), ToolError> {
    while !is_over.load(Ordering::Relaxed) && streams.next_part()?.is_some() {}
    Ok(())
}
