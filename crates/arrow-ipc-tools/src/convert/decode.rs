//! Writes batches whose columns have their final form: decoded batches of inputs, and rows imported from text.

use std::{
    io::{self, Write},
    sync::Arc,
};

use arrow_data::RecordBatch;
use arrow_ipc::{IpcSchema, WriteOptions, WrittenContainer};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_schema::Metadata;

use super::{
    Conversion,
    dictionaries::DictionaryMetadata,
    input::ConvertInput,
    joiner::{BatchJoiner, CastRows, OutputBatch},
    losses::{Losses, each_loss},
    options::ConvertOptions,
    read::{ReadItem, RowForm},
    reshape::Caster,
    writer::{RowSink, Writer},
};
use crate::{
    error::{InputContext, ToolError, ToolErrorKind, loss::Loss, name::InputName},
    observer::{Note, NoteKind, Observer, Pass, Passes, StatisticsLoss},
    rows::{Rows, row_window::RowWindow, streams::ids_in_first},
};

/// Divides and joins rows into batches, and writes these batches.
pub(crate) struct RowsWriter<S> {
    pub(crate) writer: S,
    /// The statistics of the batches so far; `None` if the output gets no statistics.
    statistics: Option<StatisticsBuilder>,
    pub(crate) joiner: BatchJoiner,
}

impl<W: Write> RowsWriter<Writer<W>> {
    /// Makes a writer, and writes the start of the output.
    ///
    /// # Errors
    /// If the output cannot be written, or its container does not support these columns.
    pub(crate) fn begin(
        output: W,
        options: &ConvertOptions,
        schema: &IpcSchema,
        writing: WriteOptions,
    ) -> Result<RowsWriter<Writer<W>>, arrow_ipc::IpcError> {
        Ok(RowsWriter::new(Writer::begin(output, options.container, schema, writing)?, options, schema))
    }

    /// Writes the end marker or footer, flushes the output, and returns it. Sends a note to the observer if the
    /// statistics are too long for the footer.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub(crate) fn finish(self, name: &InputName, observer: &mut dyn Observer) -> Result<W, ToolError> {
        let RowsWriter { mut writer, statistics, .. } = self;
        if let Some(statistics) = statistics.filter(|statistics| !statistics.is_empty())
            && !writer.put_statistics(statistics).map_err(ToolErrorKind::Output).in_input(name)?
        {
            let kind = NoteKind::NoStatistics(StatisticsLoss::TooLarge);
            observer.note(&Note { input: name.clone(), kind });
        }
        writer.finish().map_err(ToolErrorKind::Output).in_input(name)
    }
}

impl<S: RowSink> RowsWriter<S> {
    pub(crate) fn new(writer: S, options: &ConvertOptions, schema: &IpcSchema) -> RowsWriter<S> {
        let has_statistics = options.writes_statistics && options.container == WrittenContainer::File;
        RowsWriter {
            writer,
            statistics: has_statistics.then(|| StatisticsBuilder::new(schema.schema())),
            joiner: BatchJoiner::new(Arc::clone(schema.schema()), options.n_batch_rows),
        }
    }

    /// Writes a batch, or the next rows of a batch. Returns whether the custom metadata of the batch is lost.
    ///
    /// # Errors
    /// If rows cannot be joined, or the output cannot be written.
    pub(crate) fn take(&mut self, name: &InputName, rows: CastRows) -> Result<bool, ToolError> {
        let RowsWriter { writer, statistics, joiner } = self;
        joiner.take(name, rows, |batch| put(writer, statistics.as_mut(), name, batch))
    }

    /// Writes the rows that wait to be joined with later rows.
    ///
    /// # Errors
    /// The errors of [`take`](RowsWriter::take).
    pub(crate) fn rest(&mut self, name: &InputName) -> Result<(), ToolError> {
        let rest = self.joiner.rest().in_input(name)?;
        rest.map_or(Ok(()), |batch| put(&mut self.writer, self.statistics.as_mut(), name, batch))
    }
}

fn put(
    writer: &mut impl RowSink,
    statistics: Option<&mut StatisticsBuilder>,
    name: &InputName,
    (batch, metadata): OutputBatch,
) -> Result<(), ToolError> {
    writer.write(&batch, &metadata).map_err(ToolErrorKind::Output).in_input(name)?;
    let added = statistics.map_or(Ok(()), |statistics| statistics.add(&batch));
    added.map_err(ToolErrorKind::Statistics).in_input(name)
}

/// Decodes the inputs and writes them. Returns the losses of each input.
pub(crate) fn write(
    conversion: Conversion,
    output: &mut dyn Write,
    observer: &mut dyn Observer,
) -> Result<Vec<(InputName, Losses)>, ToolError> {
    let Conversion { name, schema, options, writing, .. } = &conversion;
    let name = name.clone();
    let output = RowsWriter::begin(output, options, schema, writing.clone());
    let mut output = output.map_err(ToolErrorKind::Output).in_input(&name)?;
    let (selected, all_losses) = write_rows(conversion, &mut output, observer)?;
    selected.check_start(&name)?;
    output.finish(&name, observer)?;
    Ok(all_losses)
}

impl Conversion {
    /// Passes the selected rows, with the metadata of their messages, to `take` instead of writing them as Arrow
    /// data. Returns the losses of each input. Tensors and the metadata of dictionaries count as losses.
    ///
    /// # Errors
    /// The errors of [`write_to`](Conversion::write_to), and the first error of `take`.
    pub fn each_batch<E: From<ToolError>>(
        self,
        take: &mut dyn FnMut(&RecordBatch, &Metadata) -> Result<(), E>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<(InputName, Loss)>, E> {
        let name = self.name.clone();
        let schema = self.schema.clone();
        let options = self.options.clone();
        let notes: Vec<Note> = self.text_notes().collect();
        let mut failure = None;
        let mut take = |batch: &RecordBatch, metadata: &Metadata| {
            take(batch, metadata).map_err(|error| failure = Some(error)).is_ok()
        };
        let mut output = RowsWriter::new(ClosureSink(&mut take), &options, &schema);
        let done = write_rows(self, &mut output, observer);
        if let (Some(failure), Err(_)) = (failure, &done) {
            return Err(failure);
        }
        let (selected, losses) = done?;
        selected.check_start(&name)?;
        notes.iter().for_each(|note| observer.note(note));
        Ok(each_loss(losses))
    }
}

/// The function that receives rows. Returns `false` if it takes no more.
struct ClosureSink<'a>(&'a mut dyn FnMut(&RecordBatch, &Metadata) -> bool);

impl RowSink for ClosureSink<'_> {
    fn write(&mut self, batch: &RecordBatch, metadata: &Metadata) -> arrow_ipc::Result<()> {
        let Self(take) = self;
        if take(batch, metadata) { Ok(()) } else { Err(io::Error::other("the rows are not taken").into()) }
    }

    fn set_dictionary_metadata(&mut self, _: i64, of: Metadata) -> arrow_ipc::Result<Option<Metadata>> {
        Ok(Some(of))
    }
}

/// Decodes the inputs and writes their rows. Returns the part of the selection that is past the end of the inputs, and
/// the losses of each input.
pub(crate) fn write_rows(
    conversion: Conversion,
    output: &mut RowsWriter<impl RowSink>,
    observer: &mut dyn Observer,
) -> Result<(RowWindow, Vec<(InputName, Losses)>), ToolError> {
    let Conversion { name, schema, inputs, options, .. } = conversion;
    let name = &name;
    let schema = &schema;
    let options = &options;
    let mut selected = options.selected();
    let mut dictionaries = DictionaryMetadata::default();
    let mut all_losses: Vec<(InputName, Losses)> = Vec::with_capacity(inputs.len());
    let work: Vec<_> = inputs.iter().map(|input| input.rows.work()).collect();
    let mut passes = Passes::new(observer, &work);
    for input in inputs {
        let ConvertInput { name, mut rows, caster, mut losses, .. } = input;
        dictionaries.begin_input();
        if selected.is_done() && !all_losses.is_empty() {
            all_losses.push((name, losses));
            continue;
        }
        // Changed columns get new dictionaries, so the metadata of the old dictionary messages is not written.
        let is_changed = caster.is_some();
        let ids = ids_in_first(schema, rows.ipc_schema());
        let note = |dictionaries: &mut DictionaryMetadata, id: i64, is_delta, metadata| {
            let id = ids.get(&id).copied().unwrap_or(id);
            if is_changed {
                dictionaries.left_out(&metadata);
            } else if is_delta {
                dictionaries.delta(id, metadata);
            } else {
                dictionaries.whole(id, metadata);
            }
        };
        if let Rows::File { reader } = &rows {
            let found = reader.dictionaries().in_input(&name)?;
            for dictionary in found {
                note(&mut dictionaries, dictionary.id, dictionary.is_delta, dictionary.metadata);
            }
        }
        let work = rows.work();
        let mut pass = Pass::begin(&mut passes, &name, work)?;
        let is_all = selected.is_everything() && !caster.as_ref().is_some_and(Caster::has_condition);
        let form = RowForm { caster: caster.as_ref(), has_pieces: options.n_batch_rows.is_some() };
        form.read(&mut rows, &mut selected, &mut pass, |part, n_bytes| {
            output.joiner.has_read(n_bytes);
            match part {
                ReadItem::Rows(rows) => {
                    dictionaries.take(&mut output.writer, &output.joiner);
                    losses.n_batches += usize::from(output.take(&name, rows)?);
                }
                ReadItem::Dictionary { id, is_delta, metadata } => {
                    note(&mut dictionaries, id, is_delta, metadata);
                }
                ReadItem::Tensor(..) if !is_all && options.container == WrittenContainer::Stream => {
                    losses.n_unselected_tensors += 1;
                }
                ReadItem::Tensor(tensor, metadata) => {
                    let is_lost = output.writer.write_tensor(&tensor, &metadata);
                    let is_lost = is_lost.map_err(ToolErrorKind::Output).in_input(&name)?;
                    losses.n_tensors += usize::from(is_lost);
                }
            }
            Ok(())
        })?;
        if is_all {
            dictionaries.take(&mut output.writer, &output.joiner);
        }
        if let Rows::Streams(streams) = &rows {
            losses.observe_streams(streams);
        }
        losses.digits.extend(caster.iter().flat_map(Caster::lost_digits));
        output.joiner.end_input();
        passes.end(work);
        all_losses.push((name, losses));
    }
    output.rest(name)?;
    let n_lost = dictionaries.finish(&mut output.writer);
    for ((_, losses), n_lost) in all_losses.iter_mut().zip(n_lost) {
        losses.n_dictionaries += n_lost;
    }
    Ok((selected, all_losses))
}
