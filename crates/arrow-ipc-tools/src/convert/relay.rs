//! Copies the messages of inputs without decoding them. Decodes only batches that are divided or joined. Unless
//! checks are turned off, the values of files are checked while they are copied (`check`). The values of streams
//! are checked by another thread, which reads the input a second time.

mod check;
mod pipeline;

use std::{
    io::Write,
    num::NonZero,
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use arrow_data::RecordBatch;
use arrow_ipc::{
    FileReader, IpcSchema, LargeBatch, MessageKind, ReadOptions, Source, Threads, WriteOptions,
    WrittenContainer,
    message::{Header, Message},
};
use arrow_ipc_rewrite::Transcoder;
use arrow_schema::Metadata;
use arrow_threads::{joined, start};

use self::{
    check::{copy_batches, copy_dictionaries},
    pipeline::{OutputMessage, pipelined},
};
use super::{
    Conversion, RelayedInputs,
    file_dictionaries::{has_same_dictionaries, metadata_of_dictionaries},
    input::{ConvertInput, messages_of},
    joiner::{BatchJoiner, CastRows},
    losses::{Losses, is_metadata_lost},
    options::ConvertOptions,
    read::{RowForm, read_large, read_now},
};
use crate::{
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    input::stream::{SpooledBatch, StreamLocation},
    observer::{Observer, Pass, Passes, Unit},
    rows::{
        Rows,
        prefetch::{BatchCounts, SelectedBatch},
        row_window::RowWindow,
        streams::{StreamItem, Streams},
    },
    source::SharedSource,
    validate::check_batch,
    walk::{
        Walk,
        relay::{EncodedMessage, OutputForm, RelayWriter, survey_file, survey_streams},
    },
};

/// Finds out whether messages can be copied; `None` if some must be decoded. They must be decoded if an input is a
/// pipe, has a dictionary with a negative id, or has another byte order, several streams, dictionaries that change, or unions of another metadata version
/// than the output. They must also be decoded if columns change except for their metadata, or if values are checked and batches are divided. A
/// malformed input is decoded to get an error that says where it is malformed.
pub(super) fn survey(
    inputs: &mut [ConvertInput],
    options: &ConvertOptions,
    writing: &WriteOptions,
) -> Option<RelayedInputs> {
    let first = inputs.first()?;
    let moves_all = options.selected().is_everything() && options.n_batch_rows.is_none();
    let changes_values = options.reshaping.as_ref().is_some_and(|to| !to.changes_only_metadata());
    // Batches that are divided have the columns of the input, whose metadata may change.
    let is_divided = options.reshaping.is_some() && !moves_all;
    if changes_values || is_divided || options.writes_statistics || options.checks_values && !moves_all {
        return None;
    }
    Transcoder::try_new_with(&first.written, options.container, writing.clone()).ok()?;
    let output = OutputForm { writing, same_version: options.writing.is_none() };
    let ids = first.schema().dictionary_ids();
    // Copied messages have the ids of the input.
    if first.written.dictionary_ids() != ids {
        return None;
    }
    let mut sources = Vec::new();
    let mut trailing = Vec::new();
    for input in &*inputs {
        let source = input.source.as_ref()?;
        if input.schema().dictionary_ids() != ids || !input.schema().unsupported_columns().is_empty() {
            return None;
        }
        trailing.push(match &input.rows {
            Rows::File { reader } => survey_file(source, reader.footer(), output).then_some(None)?,
            Rows::Streams(_) => survey_streams(Walk::from_stream(source.clone(), 0).ok()?, output)?,
        });
        sources.push(source.clone());
    }
    // A batch that is joined from batches with different dictionaries gets a new dictionary, so it must be decoded.
    if !ids.is_empty() && options.n_batch_rows.is_some() {
        return None;
    }
    let mut same_dictionaries = true;
    let mut dictionary_metadata = Vec::new();
    if let ([_, others @ ..], false) = (&*inputs, ids.is_empty() || inputs.len() < 2) {
        for input in &*inputs {
            dictionary_metadata.push(metadata_of_dictionaries(input).ok()?);
        }
        for input in others {
            same_dictionaries = same_dictionaries && has_same_dictionaries(input, first).ok()?;
        }
        // Dictionaries cannot be replaced in a file, so messages must be decoded.
        if !same_dictionaries && options.container == WrittenContainer::File {
            return None;
        }
    }
    inputs.iter_mut().zip(trailing).for_each(|(input, rest)| input.losses.rest = rest);
    Some(RelayedInputs { sources, same_dictionaries, dictionary_metadata })
}

/// Writes the messages of the inputs, after `survey` has returned `Some`. Returns the losses of each input. If values
/// are checked, the end of the output is written after the last check.
///
/// # Errors
/// If an input cannot be read or is malformed, if values are invalid, if the output cannot be written, or if the
/// observer stops the work.
pub(super) fn write(
    conversion: Conversion,
    output: &mut dyn Write,
    observer: &mut dyn Observer,
) -> Result<Vec<(InputName, Losses)>, ToolError> {
    let Conversion { name, schema, inputs, options, writing, relayed } = conversion;
    let name = &name;
    let schema = &schema;
    let options = &options;
    let relayed = relayed.unwrap_or_default();
    let converts = options.writing.is_some();
    let compresses = options.writing.is_some() && writing.compression().is_some();
    // The messages of all inputs are converted within the limits of the first input.
    let limits = relayed.sources.first().map(SharedSource::limits).cloned().unwrap_or_default();
    let transcoder = Transcoder::try_new_with(schema, options.container, writing)
        .map_err(ToolErrorKind::Output)
        .in_input(name)?;
    let writer = RelayWriter::begin(output, transcoder.with_limits(limits), converts);
    let mut writer = writer.map_err(ToolErrorKind::Output).in_input(name)?;
    let mut relay = Relay {
        options,
        compresses,
        joiner: BatchJoiner::new(schema.schema().clone(), options.n_batch_rows),
        selected: options.selected(),
        with_dictionaries: true,
        is_taken: false,
        losses: Losses::default(),
    };
    let mut all_losses: Vec<(InputName, Losses)> = Vec::with_capacity(inputs.len());
    let work: Vec<_> = inputs.iter().map(|input| input.rows.work()).collect();
    let mut passes = Passes::new(observer, &work);
    for (input_idx, (input, source)) in inputs.into_iter().zip(relayed.sources).enumerate() {
        let ConvertInput { name, mut rows, losses, .. } = input;
        if relay.selected.is_done() && input_idx > 0 {
            all_losses.push((name, losses));
            continue;
        }
        relay.with_dictionaries = input_idx == 0 || !relayed.same_dictionaries;
        relay.losses = losses;
        relay.is_taken = false;
        let work = rows.work();
        let mut pass = Pass::begin(&mut passes, &name, work)?;
        let schema = rows.ipc_schema().clone();
        let (reader, streams) = match &mut rows {
            Rows::File { reader } => (Some(&*reader), None),
            Rows::Streams(streams) => (None, Some(&mut **streams)),
        };
        let is_over = &AtomicBool::new(false);
        let from = RelayedInput { name: &name, reader, schema: &schema, source: &source, is_over };
        match (reader, streams) {
            (Some(reader), _) if options.checks_values => {
                let (transcoder, sink) = writer.parts();
                let with_dictionaries = relay.with_dictionaries;
                pipelined(&name, sink, &mut pass, |put| {
                    if with_dictionaries {
                        copy_dictionaries(&name, reader, transcoder, put)?;
                    }
                    copy_batches(&name, reader, transcoder, put)
                })?;
                relay.is_taken = true;
            }
            (None, Some(streams)) if options.checks_values => {
                from.checked(streams, || relay.all(&from, &mut writer, &mut pass))?;
            }
            _ => relay.all(&from, &mut writer, &mut pass)?,
        }
        if !relay.with_dictionaries && relay.is_taken {
            let of = |input_idx| relayed.dictionary_metadata.get(input_idx).into_iter().flatten();
            for (metadata, first_metadata) in of(input_idx).zip(of(0)) {
                relay.losses.n_dictionaries += usize::from(is_metadata_lost(metadata, Some(first_metadata)));
            }
        }
        relay.joiner.end_input();
        passes.end(work);
        all_losses.push((name, std::mem::take(&mut relay.losses)));
    }
    relay.selected.check_start(name)?;
    if let Some((batch, metadata)) = relay.joiner.rest().in_input(name)? {
        writer.write_batch(&batch, &metadata).map_err(ToolErrorKind::Output).in_input(name)?;
    }
    writer.finish().map_err(ToolErrorKind::Output).in_input(name).map(|()| all_losses)
}

/// An input whose messages are copied.
struct RelayedInput<'a> {
    name: &'a InputName,
    /// The reader of the file; `None` for a stream.
    reader: Option<&'a FileReader<SharedSource>>,
    schema: &'a IpcSchema,
    source: &'a SharedSource,
    /// Set after an error, to stop all threads.
    is_over: &'a AtomicBool,
}

impl RelayedInput<'_> {
    /// Calls `relay` while another thread reads and checks the streams. If the operating system cannot start another
    /// thread, checks the streams first.
    fn checked(
        &self,
        streams: &mut Streams,
        relay: impl FnOnce() -> Result<(), ToolError>,
    ) -> Result<(), ToolError> {
        let is_over = self.is_over;
        let streams = Mutex::new(streams);
        let check = || {
            let checked = check(&mut streams.lock().unwrap_or_else(PoisonError::into_inner), is_over);
            is_over.fetch_or(checked.is_err(), Ordering::Relaxed);
            checked
        };
        thread::scope(|scope| {
            // A thread of the pool must not wait for a thread that itself needs the pool.
            let checking = start(scope, usize::from(!Threads::is_in_pool()), &check).pop();
            if checking.is_none() {
                check()?;
            }
            let relayed = relay();
            // If the input is invalid, both threads fail. The checking thread decodes values, so its error has more
            // detail and is the one to return.
            let is_of_input = |error: &ToolError| matches!(error.kind(), ToolErrorKind::Input(_));
            is_over.fetch_or(relayed.as_ref().is_err_and(|error| !is_of_input(error)), Ordering::Relaxed);
            checking.map_or(Ok(()), joined)?;
            relayed
        })
    }

    /// Opens the batch in a message of a stream, so that single rows of it can be read.
    ///
    /// # Errors
    /// If the source cannot be read, or the message is malformed.
    fn batch_of_stream(&self, message: &Message) -> Result<SpooledBatch, ToolError> {
        let options = ReadOptions::new().with_limits(self.source.limits().clone());
        let options = options.with_fetch_cost(self.source.fetch_cost());
        let batch = LargeBatch::try_from_message_with(message.clone(), self.schema.clone(), options);
        let location = StreamLocation { name: self.name.clone(), start: 0 };
        SpooledBatch::stored(batch.in_input(self.name)?, location, self.source)
    }
}

/// A message of the output.
enum RelayedMessage<'a> {
    /// A message of the input. Its body is still in the source.
    Stored(&'a Message),
    /// A message to encode from rows.
    Rows(&'a RecordBatch, &'a Metadata),
}

/// Receives the next message to write, or `None` to only show progress, and the amount of the input that has been read.
type RelayedWriter<'a> = &'a mut dyn FnMut(Option<RelayedMessage<'_>>, u64) -> Result<(), ToolError>;

struct Relay<'a> {
    options: &'a ConvertOptions,
    /// Whether messages are compressed.
    compresses: bool,
    joiner: BatchJoiner,
    selected: RowWindow,
    /// Whether the dictionaries of this input are copied. `is_taken` is whether the output has rows of this input.
    with_dictionaries: bool,
    is_taken: bool,
    losses: Losses,
}

impl Relay<'_> {
    fn all(
        &mut self,
        from: &RelayedInput<'_>,
        writer: &mut RelayWriter<'_>,
        pass: &mut Pass<'_>,
    ) -> Result<(), ToolError> {
        let unit = pass.unit();
        // Compressing takes longer than writing, so one thread compresses messages while another writes earlier ones.
        if self.compresses {
            let (transcoder, sink) = writer.parts();
            return pipelined(from.name, sink, pass, |put| {
                self.messages(from, unit, &mut |message, n_done| {
                    let message = match message {
                        None => return Ok(()),
                        Some(RelayedMessage::Stored(message)) => {
                            EncodedMessage::make(transcoder, message, from.source).in_input(from.name)?
                        }
                        Some(RelayedMessage::Rows(batch, metadata)) => {
                            let encoded = transcoder.encode(batch, metadata).map_err(ToolErrorKind::Output);
                            encoded.in_input(from.name)?.into_owned().into()
                        }
                    };
                    put(OutputMessage { message, n_done })
                })
            });
        }
        self.messages(from, unit, &mut |message, n_done| {
            let written = match message {
                None => Ok(()),
                Some(RelayedMessage::Stored(message)) => writer.write(message, from.source),
                Some(RelayedMessage::Rows(batch, metadata)) => {
                    writer.write_batch(batch, metadata).map_err(ToolErrorKind::Output)
                }
            };
            written.in_input(from.name)?;
            pass.set(n_done)
        })
    }

    /// Passes the messages of an input to `put`. Stops early if `is_over` is set.
    fn messages(
        &mut self,
        from: &RelayedInput<'_>,
        unit: Unit,
        put: RelayedWriter<'_>,
    ) -> Result<(), ToolError> {
        let (has_tensors, is_all) =
            (self.options.container == WrittenContainer::Stream, self.options.selected().is_everything());
        let bodies = self.needed_bodies(from);
        let messages = messages_of(from.reader, from.source, bodies);
        let mut n_batches = 0usize;
        for message in messages.in_input(from.name)? {
            if from.is_over.load(Ordering::Relaxed) {
                break;
            }
            let message = message.in_input(from.name)?;
            let batch_idx = n_batches;
            n_batches = n_batches.saturating_add(usize::from(message.kind() == MessageKind::RecordBatch));
            let n_done = match unit {
                Unit::Batches => n_batches as u64,
                Unit::Bytes | Unit::Rows => end_of(&message),
            };
            let is_copied = match message.kind() {
                MessageKind::RecordBatch if self.selected.is_done() => break,
                MessageKind::RecordBatch => {
                    self.batch(from, batch_idx, &message, &mut |message| put(message, n_done))?;
                    continue;
                }
                MessageKind::Schema => false,
                MessageKind::DictionaryBatch => self.with_dictionaries,
                MessageKind::Tensor | MessageKind::SparseTensor => {
                    if !has_tensors {
                        self.losses.n_tensors += 1;
                    } else if !is_all {
                        self.losses.n_unselected_tensors += 1;
                    }
                    has_tensors && is_all
                }
            };
            put(is_copied.then_some(RelayedMessage::Stored(&message)), n_done)?;
        }
        Ok(())
    }

    /// The range of batches in a file whose bodies are fetched in advance. These batches have selected rows, and their
    /// row counts have been read. Empty if requests have a low latency.
    fn needed_bodies(&self, from: &RelayedInput<'_>) -> Range<usize> {
        let Some(reader) = from.reader else { return 0..0 };
        if !from.source.is_far() {
            return 0..0;
        }
        let mut selected = self.selected;
        let mut counts = BatchCounts::default();
        let mut needed = 0..0;
        let n_batches = reader.n_batches();
        for batch_idx in 0..n_batches {
            let n_rows = match selected.n_rows_to_end() {
                None => Ok(0),
                Some(n_rows) => counts.n_rows_of(reader, batch_idx..n_batches, n_rows),
            };
            let Ok(n_rows) = n_rows else { break };
            if selected.is_done() {
                break;
            }
            if selected.advance_batch(n_rows).is_some() {
                needed = if needed.is_empty() { batch_idx..batch_idx } else { needed };
                needed.end = batch_idx.saturating_add(1);
            }
        }
        needed
    }

    /// Copies the message of a batch that is neither divided nor joined. For any other batch, makes new messages from
    /// the selected rows.
    fn batch(
        &mut self,
        from: &RelayedInput<'_>,
        batch_idx: usize,
        message: &Message,
        put: &mut dyn FnMut(Option<RelayedMessage<'_>>) -> Result<(), ToolError>,
    ) -> Result<(), ToolError> {
        let is_by_rows = self.options.n_batch_rows.is_some();
        let n_rows = if is_by_rows || self.selected.n_rows_to_end().is_some() {
            // An error of `batch_of_stream` already has the location of the message.
            let failed = |error| {
                if from.reader.is_some() {
                    ToolError::new(from.name, ToolErrorKind::Batch { batch_idx, error })
                } else {
                    from.batch_of_stream(message).err().unwrap_or_else(|| {
                        let index = Some(message.index());
                        let position = message.position();
                        ToolError::new(from.name, ToolErrorKind::Message { index, position, error })
                    })
                }
            };
            let header = message.header(from.source.limits()).map_err(|error| failed(error.into()))?;
            if let Header::RecordBatch(header) = header { header.n_rows() } else { 0 }
        } else {
            // The number of rows is only needed to divide or join batches.
            0
        };
        let Some(rows) = self.selected.advance_batch(n_rows) else { return put(None) };
        self.is_taken = true;
        let is_whole = rows == (0..n_rows);
        if is_whole && self.joiner.keeps_whole(n_rows) {
            return put(Some(RelayedMessage::Stored(message)));
        }
        self.joiner.has_read(end_of(message));
        let mut is_lost = false;
        let take = |rows: CastRows| {
            is_lost = self.joiner.take(from.name, rows, |(batch, metadata)| {
                put(Some(RelayedMessage::Rows(&batch, &metadata)))
            })?;
            Ok::<(), ToolError>(())
        };
        let form = RowForm { caster: None, has_pieces: is_by_rows };
        match from.reader {
            Some(reader) => {
                let batch = SelectedBatch::new(reader, batch_idx, (!is_whole).then_some(rows));
                read_now(batch, form, |kind| ToolError::new(from.name, kind), take)?;
            }
            None => read_large(&from.batch_of_stream(message)?, rows, form, take)?,
        }
        self.losses.n_batches += usize::from(is_lost);
        Ok(())
    }
}

fn end_of(message: &Message) -> u64 {
    message.body_position().saturating_add(message.n_body_bytes())
}

/// Decodes the whole input to check its values, and drops the results.
///
/// # Errors
/// If the input is not valid.
fn check(streams: &mut Streams, is_over: &AtomicBool) -> Result<(), ToolError> {
    streams.spool_large_batches();
    while !is_over.load(Ordering::Relaxed)
        && let Some(item) = streams.next_item()?
    {
        if let StreamItem::Large(batch) = item {
            let checked = check_batch(SelectedBatch::new(batch.reader(), 0, None), NonZero::<usize>::MIN);
            checked.map_err(|error| batch.failed(error))?;
        }
    }
    Ok(())
}
