//! Decodes inputs: cuts and joins one batch after the other as arrays.

use std::{io::Write, sync::Arc};

use arrow_ipc::{DictionaryPolicy, FileReader, IpcError, IpcSchema, WriteOptions};
use arrow_schema::Metadata;

use super::{
    AssemblyOptions,
    cutter::{BatchCutter, Cut},
    kept::{DictionaryMetadata, LostMetadata, ids_in_first},
    part::OneInput,
};
use crate::{
    ahead::{BatchCounts, BatchesAhead, WantedBatch, n_readers},
    convert::{
        CastRows, Caster, DictionaryRepeats, Kept, Loss, ReadInPieces, Writer, cast_by, cast_large, read_cast,
    },
    error::{ToolError, ToolErrorKind},
    in_order::{Give, in_order},
    name::InputName,
    observer::{Observer, Pass},
    pending::Pending,
    pieces::{CutLimit, waiting},
    row_window::RowWindow,
    rows::Rows,
    source::SharedSource,
    streams::{Part as StreamPart, Streams},
};

pub(super) fn write<W: Write>(
    parts: Vec<OneInput>,
    (output, options, writing): (W, &AssemblyOptions, WriteOptions),
    losses: &mut Vec<(InputName, Loss)>,
    observer: &mut dyn Observer,
) -> Result<W, ToolError> {
    let Some(first) = parts.first() else { return Ok(output) };
    let (name, schema) = (first.name.clone(), first.written().clone());
    let failed = |error| ToolError::new(name.clone(), ToolErrorKind::Output(error));
    let is_unified = matches!(writing.dictionaries(), DictionaryPolicy::Unify(_));
    let repeats = if is_unified { DictionaryRepeats::No } else { DictionaryRepeats::Yes };
    let writer = Writer::begin(output, (options.target, repeats), &schema, writing).map_err(failed)?;
    let (cutter, pending) = (options.cutter(), Pending::default());
    let (dictionaries, lost) = (DictionaryMetadata::default(), LostMetadata::default());
    let mut joiner = Joiner {
        options,
        schema,
        writer,
        cutter,
        pieces: CutLimit::new(),
        pending,
        caster: None,
        batch_idx: 0,
        is_inside: false,
        dictionaries,
        lost,
    };
    for part in parts {
        let (name, rows, caster) = part.into_rows();
        joiner.caster = caster;
        let mut pass = Pass::begin(observer, &name, rows.work())?;
        match rows {
            Rows::File { reader, .. } => joiner.file(&name, &reader, &mut pass)?,
            Rows::Streams(mut streams) => {
                let mut n_tensors = 0usize;
                joiner.streams((&name, &mut streams), &mut n_tensors, &mut pass)?;
                let rest = streams.trailing_bytes().map(Loss::TrailingBytes);
                let tensors = (n_tensors > 0).then_some(Loss::Tensors { n_tensors });
                let metadata = streams.has_other_metadata().then_some(Loss::LaterMetadata);
                let found = [rest, tensors, metadata].into_iter().flatten();
                losses.extend(found.map(|loss| (name.clone(), loss)));
            }
        }
        joiner.pending.memory.end_input();
        joiner.dictionaries.end_input();
        joiner.lost.end_input(&name, losses);
    }
    options.check_start(joiner.batch_idx, &joiner.cutter, &name)?;
    joiner.flush(&name)?;
    joiner.writer.finish().map_err(failed)
}

/// Cuts and joins batches, and writes them.
struct Joiner<'a, W> {
    options: &'a AssemblyOptions,
    schema: IpcSchema,
    writer: Writer<W>,
    cutter: BatchCutter,
    pieces: CutLimit,
    /// The start of the next output batch.
    pending: Pending,
    /// Changes the batches of this input; `None` if they stay unchanged.
    caster: Option<Arc<Caster>>,
    /// The number of the next batch, over all inputs, and whether some of its rows have been taken.
    batch_idx: u64,
    is_inside: bool,
    dictionaries: DictionaryMetadata,
    lost: LostMetadata,
}

/// What a message does with its dictionary.
#[derive(Debug, Clone, Copy)]
enum DictionaryChange {
    /// It starts the dictionary, or replaces it.
    Whole,
    /// It adds values to the dictionary.
    Delta,
}

impl From<bool> for DictionaryChange {
    /// `true` is a delta, as in the format.
    fn from(is_delta: bool) -> DictionaryChange {
        if is_delta { DictionaryChange::Delta } else { DictionaryChange::Whole }
    }
}

impl<W: Write> Joiner<'_, W> {
    fn file(
        &mut self,
        name: &InputName,
        reader: &FileReader<SharedSource>,
        pass: &mut Pass<'_>,
    ) -> Result<(), ToolError> {
        let dictionaries = reader.dictionaries();
        let failed = |error| ToolError::new(name.clone(), ToolErrorKind::Input(error));
        let ids = ids_in_first(&self.schema, reader.ipc_schema());
        for dictionary in dictionaries.map_err(failed)? {
            let id = ids.get(&dictionary.id).copied().unwrap_or(dictionary.id);
            self.dictionary(id, DictionaryChange::from(dictionary.is_delta), dictionary.metadata);
        }
        self.pending.memory.has_read(reader.footer().position());
        let caster = self.caster.clone();
        let pieces = self.pieces_of_batches();
        let read = |wanted: SelectedPart, give: Give<'_, _>| {
            let _ = match wanted {
                SelectedPart::Nothing => give(Ok(Read::Nothing)),
                SelectedPart::NoRow { n_rows } => give(Ok(Read::NoRow { n_rows })),
                SelectedPart::Batch(batch) => {
                    let give = &mut |rows: Result<CastRows, _>| give(rows.map(Read::Batch));
                    return read_cast(batch, (caster.as_deref(), pieces), give);
                }
                SelectedPart::Failed { batch_idx, error } => {
                    give(Err(ToolErrorKind::Batch { batch_idx, error }))
                }
            };
        };
        let wanted = WantedOfFile {
            options: self.options,
            ahead: BatchesAhead::new(reader),
            counts: BatchCounts::default(),
            cutter: self.cutter.clone(),
            next: (0, self.batch_idx),
        };
        let mut n_done = 0;
        in_order(n_readers(reader), wanted, read, |read| {
            let read = read.map_err(|kind| ToolError::new(name.clone(), kind))?;
            let is_last = !matches!(read, Read::Batch(CastRows { is_last: false, .. }));
            self.batch_idx = self.batch_idx.saturating_add(u64::from(is_last));
            match read {
                Read::Nothing => {}
                Read::NoRow { n_rows } => self.cutter.cut(n_rows).for_each(drop),
                Read::Batch(batch) => self.take(name, batch)?,
            }
            n_done += u64::from(is_last);
            pass.set(n_done)
        })
    }

    fn streams(
        &mut self,
        (name, streams): (&InputName, &mut Streams),
        n_tensors: &mut usize,
        pass: &mut Pass<'_>,
    ) -> Result<(), ToolError> {
        let ids = ids_in_first(&self.schema, streams.ipc_schema());
        let pieces = self.pieces_of_batches();
        if pieces == ReadInPieces::Large {
            streams.keep_large_batches_apart();
        }
        while !self.is_done()
            && let Some(part) = streams.next_part()?
        {
            self.pending.memory.has_read(streams.n_bytes_consumed());
            match part {
                StreamPart::Batch(batch, metadata) => {
                    if self.wants_next() {
                        let batch = (batch, streams.n_bytes_of_part());
                        let batch = cast_by(self.caster.as_deref(), batch);
                        let batch = batch.map_err(|kind| ToolError::new(name.clone(), kind))?;
                        self.take(name, CastRows { rows: (batch, metadata), is_last: true })?;
                    }
                }
                StreamPart::Large(batch) => {
                    if self.wants_next() {
                        let caster = self.caster.clone();
                        let wanted = (caster.as_deref(), &mut { RowWindow::ALL }, pieces);
                        cast_large(&batch, wanted, |rows| self.take(name, rows))?;
                    }
                }
                StreamPart::Dictionary { id, is_delta, metadata } => {
                    let id = ids.get(&id).copied().unwrap_or(id);
                    self.dictionary(id, DictionaryChange::from(is_delta), metadata);
                }
                StreamPart::Tensor(tensor, metadata) => {
                    let kept = match self.options.is_all() {
                        true => self.writer.write_tensor(&tensor, &metadata),
                        false => Ok(Kept::No),
                    };
                    let kept = kept.map_err(|error| output_failed(name, error))?;
                    *n_tensors = n_tensors.saturating_add(usize::from(kept == Kept::No));
                }
            }
            pass.set(streams.n_bytes_consumed())?;
        }
        Ok(())
    }

    /// Dictionaries of changed columns are new, so this metadata belongs to none of their messages.
    fn dictionary(&mut self, id: i64, change: DictionaryChange, metadata: Metadata) {
        match (&self.caster, change) {
            (Some(_), _) => self.lost.dictionary(Kept::of(&metadata, None)),
            (None, DictionaryChange::Delta) => self.dictionaries.read_delta(id, metadata),
            (None, DictionaryChange::Whole) => self.dictionaries.read(id, metadata),
        }
    }

    fn is_done(&self) -> bool {
        self.cutter.is_done() || self.options.is_past(self.batch_idx)
    }

    /// Counts a batch, and returns whether it may be selected.
    fn wants_next(&mut self) -> bool {
        let is_wanted = self.options.wants_batch(self.batch_idx);
        self.batch_idx = self.batch_idx.saturating_add(1);
        is_wanted
    }

    /// Which batches are read in pieces.
    fn pieces_of_batches(&self) -> ReadInPieces {
        if self.cutter.is_by_rows() { ReadInPieces::Large } else { ReadInPieces::None }
    }

    /// Takes a batch with its final columns, or the next rows of it.
    fn take(&mut self, name: &InputName, rows: CastRows) -> Result<(), ToolError> {
        let CastRows { rows: (batch, metadata), is_last } = rows;
        let mut cutter = self.cutter.clone();
        let cuts = cutter.cut(batch.n_rows() as u64);
        if let Some((n_rows, each)) = cuts.n_rows_each() {
            self.pieces.take(&batch, n_rows, each).map_err(|kind| ToolError::new(name.clone(), kind))?;
        }
        for Cut { rows, begins, ends } in cuts {
            // Both are at most the number of rows.
            let (start, end) = (rows.start as usize, rows.end as usize);
            self.dictionaries.take(&mut self.writer, &mut self.lost);
            let rows = batch.slice(start, end - start);
            // What is lost of a batch is counted with its first rows.
            if !self.is_inside {
                self.lost.batch(&self.pending, &metadata);
            }
            let rows = if begins && ends { Ok(rows) } else { waiting(&rows) };
            let pushed = rows.and_then(|rows| self.pending.push(rows, &metadata));
            pushed.map_err(|kind| ToolError::new(name.clone(), kind))?;
            if ends {
                self.flush(name)?;
            }
        }
        self.cutter = cutter;
        self.is_inside = !is_last;
        Ok(())
    }

    /// Writes the pending rows as one batch.
    fn flush(&mut self, name: &InputName) -> Result<(), ToolError> {
        let joined = self.pending.take(self.schema.schema());
        let Some((batch, metadata)) = joined.map_err(|kind| ToolError::new(name.clone(), kind))? else {
            return Ok(());
        };
        self.writer.write(&batch, &metadata).map_err(|error| output_failed(name, error))
    }
}

/// The selected rows of the batches of a file, which are known before they are read.
struct WantedOfFile<'a> {
    options: &'a AssemblyOptions,
    ahead: BatchesAhead,
    counts: BatchCounts,
    cutter: BatchCutter,
    /// The number of the next batch, in the file and over all inputs.
    next: (usize, u64),
}

/// The selected part of a batch.
enum SelectedPart {
    Nothing,
    /// None; only its number of rows is read.
    NoRow {
        n_rows: u64,
    },
    Batch(WantedBatch),
    /// Unknown, since its number of rows cannot be read.
    Failed {
        batch_idx: usize,
        error: IpcError,
    },
}

/// The read part of a batch.
enum Read {
    Nothing,
    NoRow { n_rows: u64 },
    Batch(CastRows),
}

impl Iterator for WantedOfFile<'_> {
    type Item = SelectedPart;

    fn next(&mut self) -> Option<SelectedPart> {
        let (batch_idx, number) = self.next;
        let n_batches = self.ahead.reader().n_batches();
        let is_done = self.cutter.is_done() || self.options.is_past(number);
        if is_done || batch_idx >= n_batches {
            return None;
        }
        self.next = (batch_idx.saturating_add(1), number.saturating_add(1));
        if !self.options.wants_batch(number) {
            return Some(SelectedPart::Nothing);
        }
        let end = n_batches.min(batch_idx.saturating_add(self.options.n_left(number)));
        let (reader, window) = (self.ahead.reader(), self.cutter.window().range().end);
        let n_rows = match self.counts.n_rows_of(reader, batch_idx..end, window) {
            Ok(n_rows) => n_rows,
            Err(error) => return Some(SelectedPart::Failed { batch_idx, error }),
        };
        // Of many cuts, one tells.
        if self.cutter.cut(n_rows).next().is_none() {
            return Some(SelectedPart::NoRow { n_rows });
        }
        let mut cutter = self.cutter.clone();
        let has_rows = |n_rows: &u64| !cutter.is_done() && cutter.cut(*n_rows).next().is_some();
        let n_known = self.counts.known_after(batch_idx).take_while(has_rows).count();
        let end = end.min(batch_idx.saturating_add(1).saturating_add(n_known));
        Some(SelectedPart::Batch(WantedBatch::all(self.ahead.next_of(batch_idx..end))))
    }
}

fn output_failed(name: &InputName, error: arrow_ipc::IpcError) -> ToolError {
    ToolError::new(name.clone(), ToolErrorKind::Output(error))
}
