//! Copies messages of inputs. Only batches that are cut or joined are decoded.

use std::{io::Write, ops::Range};

use arrow_data::RecordBatch;
use arrow_ipc::{
    IpcError, IpcErrorKind, Limits, MessageKind, MessageScan, ReadOptions, Source, Step, StreamDecoder,
    StreamEncoder, WriteOptions,
    message::{Header, Message},
    transcode::Transcoder,
};
use arrow_schema::Metadata;

use super::{
    AssemblyOptions,
    batch_rows::RowsToCut,
    cutter::BatchCutter,
    dictionaries::{has_same_dictionaries, metadata_of_dictionaries},
    kept::LostMetadata,
    part::OneInput,
};
use crate::{
    ahead::BatchCounts,
    convert::{Kept, Loss, ReadInPieces},
    error::{ToolError, ToolErrorKind},
    name::InputName,
    observer::{Observer, Pass, Unit},
    pending::Pending,
    pieces::{CutLimit, waiting},
    relay::{RelayFailure, RelayForm, RelayWriter, WantedOutput, message_of, survey_file, survey_streams},
    rows::Rows,
    source::SharedSource,
    target::Target,
    walk::Walk,
};

/// What is known about inputs whose messages can be copied.
#[derive(Debug)]
pub(super) struct CopiedInputs {
    /// Whether all inputs have the dictionaries of the first.
    same_dictionaries: bool,
    /// The metadata of the dictionary messages of each input, if there are several inputs.
    dictionary_metadata: Vec<Vec<Metadata>>,
}

/// `None` if something must be decoded. Malformed input must be, so that it is reported.
pub(super) fn survey(
    parts: &[OneInput],
    options: &AssemblyOptions,
    writing: &WriteOptions,
    losses: &mut Vec<(InputName, Loss)>,
) -> Option<CopiedInputs> {
    let first = parts.first()?;
    Transcoder::try_stream(first.schema(), writing.clone()).ok()?;
    let wanted = WantedOutput { writing, limits: &options.limits, same_version: options.writing.is_none() };
    let mut found = Vec::new();
    for part in parts {
        let source = part.source.as_ref()?;
        let is_like_first = part.schema().dictionary_ids() == first.schema().dictionary_ids()
            && part.schema().unsupported_columns().is_empty();
        if !is_like_first {
            return None;
        }
        match &part.rows {
            Rows::File { reader, file } => {
                survey_file(file, reader.footer(), wanted).then_some(())?;
            }
            Rows::Streams(_) => {
                let walk = Walk::of_stream(source.clone(), options.limits.clone()).ok()?;
                let rest = survey_streams(walk, wanted)?;
                found.extend(rest.map(|rest| (part.name.clone(), Loss::TrailingBytes(rest))));
            }
        }
    }
    let has_dictionaries = !first.schema().dictionary_ids().is_empty();
    // Joined batches of several dictionaries would get one of their own.
    if has_dictionaries && options.n_target_rows.is_some() {
        return None;
    }
    let (mut same_dictionaries, mut dictionary_metadata) = (true, Vec::new());
    if has_dictionaries && parts.len() > 1 {
        for part in parts {
            dictionary_metadata.push(metadata_of_dictionaries(part, &options.limits).ok()?);
        }
        for part in parts.iter().skip(1) {
            same_dictionaries =
                same_dictionaries && has_same_dictionaries(part, first, &options.limits).ok()?;
        }
        // In a file they cannot replace each other.
        if !same_dictionaries && options.target == Target::File {
            return None;
        }
    }
    losses.extend(found);
    Some(CopiedInputs { same_dictionaries, dictionary_metadata })
}

pub(super) fn write<W: Write>(
    parts: &[OneInput],
    copied: &CopiedInputs,
    (output, options, writing): (W, &AssemblyOptions, WriteOptions),
    losses: &mut Vec<(InputName, Loss)>,
    observer: &mut dyn Observer,
) -> Result<W, ToolError> {
    let Some(first) = parts.first() else { return Ok(output) };
    let failed = |error| ToolError::new(first.name.clone(), ToolErrorKind::Output(error));
    let form = if options.writing.is_some() { RelayForm::ByOptions } else { RelayForm::AsTheyAre };
    let limits = &options.limits;
    let begun = RelayWriter::begin(output, (options.target, form), first.schema(), (writing.clone(), limits));
    let writer = begun.map_err(failed)?;
    let encoder = StreamEncoder::try_new(first.schema(), writing).map_err(failed)?;
    let cutter = options.cutter();
    let (pending, lost) = (Pending::default(), LostMetadata::default());
    let mut relay = AssemblyRelay {
        options,
        first,
        writer,
        encoder,
        cutter,
        pieces: CutLimit::new(),
        pending,
        lost,
        n_taken: 0,
        batch_idx: 0,
    };
    for (part_idx, part) in parts.iter().enumerate() {
        if relay.is_done() && part_idx > 0 {
            break;
        }
        let mut pass = Pass::begin(observer, &part.name, part.rows.work())?;
        let with_dictionaries = part_idx == 0 || !copied.same_dictionaries;
        let n_taken = relay.n_taken;
        let n_tensors = relay.part(part, with_dictionaries.then_some(()), &mut pass)?;
        if !with_dictionaries && relay.n_taken > n_taken {
            copied.dictionary_metadata_of(part_idx).for_each(|kept| relay.lost.dictionary(kept));
        }
        relay.pending.memory.end_input();
        relay.lost.end_input(&part.name, losses);
        losses.extend((n_tensors > 0).then(|| (part.name.clone(), Loss::Tensors { n_tensors })));
    }
    options.check_start(relay.batch_idx, &relay.cutter, &first.name)?;
    relay.flush()?;
    relay.writer.finish().map_err(failed)
}

impl CopiedInputs {
    /// For each dictionary message of this part, which is not written: whether the message of the first part has the same
    /// metadata.
    fn dictionary_metadata_of(&self, part_idx: usize) -> impl Iterator<Item = Kept> {
        let of = |part_idx| self.dictionary_metadata.get(part_idx).into_iter().flatten();
        of(part_idx).zip(of(0)).map(|(metadata, kept)| Kept::of(metadata, Some(kept)))
    }
}

/// Messages on their way.
struct AssemblyRelay<'a, W> {
    options: &'a AssemblyOptions,
    first: &'a OneInput,
    writer: RelayWriter<W>,
    /// Makes the messages of batches that are cut or joined.
    encoder: StreamEncoder,
    cutter: BatchCutter,
    pieces: CutLimit,
    pending: Pending,
    lost: LostMetadata,
    /// How many batches or pieces have been taken.
    n_taken: u64,
    /// The number of the next batch, over all inputs.
    batch_idx: u64,
}

impl<W: Write> AssemblyRelay<'_, W> {
    /// Writes the selected rows of a part. Returns the number of tensors that are left out.
    fn part(
        &mut self,
        part: &OneInput,
        with_dictionaries: Option<()>,
        pass: &mut Pass<'_>,
    ) -> Result<usize, ToolError> {
        let limits = &self.options.limits;
        // Both are there: it was looked at before.
        let messages = part.messages(limits, self.copied_of(part));
        let (Some(messages), Some(source)) = (messages, &part.source) else { return Ok(0) };
        let input_failed = |error| ToolError::new(part.name.clone(), ToolErrorKind::Input(error));
        let keeps_tensors = self.options.is_all()
            && self.options.n_target_rows.is_none()
            && self.options.target == Target::Stream;
        let (mut n_tensors, mut n_batches) = (0usize, 0usize);
        for message in messages {
            let message = message.map_err(input_failed)?;
            match message.kind() {
                MessageKind::Schema => continue,
                MessageKind::DictionaryBatch if with_dictionaries.is_none() => continue,
                MessageKind::Tensor | MessageKind::SparseTensor if !keeps_tensors => {
                    n_tensors = n_tensors.saturating_add(1);
                    continue;
                }
                MessageKind::DictionaryBatch | MessageKind::Tensor | MessageKind::SparseTensor => {
                    self.write(part, &message, source)?;
                }
                MessageKind::RecordBatch => {
                    if self.is_done() {
                        break;
                    }
                    let is_wanted = self.options.wants_batch(self.batch_idx);
                    self.batch_idx = self.batch_idx.saturating_add(1);
                    if is_wanted {
                        self.batch((part, n_batches), &message, source)?;
                    }
                    n_batches = n_batches.saturating_add(1);
                }
            }
            pass.set(match pass.unit() {
                Unit::Batches => n_batches as u64,
                Unit::Bytes => message.body_position().saturating_add(message.n_body_bytes()),
            })?;
        }
        Ok(n_tensors)
    }

    /// Which batches of a file are copied, as far as known. The first and the last may be copied in part.
    fn copied_of(&self, part: &OneInput) -> Range<usize> {
        let Rows::File { reader, file } = &part.rows else { return 0..0 };
        if !file.is_far() {
            return 0..0;
        }
        let (mut cutter, mut counts, n_batches) =
            (self.cutter.clone(), BatchCounts::default(), reader.n_batches());
        let mut copied = 0..0;
        for batch_idx in 0..n_batches {
            let number = self.batch_idx.saturating_add(batch_idx as u64);
            if cutter.is_done() || self.options.is_past(number) {
                break;
            }
            if !self.options.wants_batch(number) {
                continue;
            }
            let Ok(n_rows) = counts.n_rows_of(reader, batch_idx..n_batches, cutter.window().range().end)
            else {
                break;
            };
            if cutter.cut(n_rows).next().is_some() {
                copied = if copied.is_empty() { batch_idx..batch_idx } else { copied };
                copied.end = batch_idx.saturating_add(1);
            }
        }
        copied
    }

    fn batch(
        &mut self,
        (part, batch_idx): (&OneInput, usize),
        message: &Message,
        source: &SharedSource,
    ) -> Result<(), ToolError> {
        let failed = |error| ToolError::new(part.name.clone(), ToolErrorKind::Batch { batch_idx, error });
        let limits = &self.options.limits;
        let header = message.header(limits).map_err(failed)?;
        let n_rows = if let Header::RecordBatch(header) = header { header.n_rows() } else { 0 };
        self.pending.memory.has_read(message.body_position().saturating_add(message.n_body_bytes()));
        let mut cutter = self.cutter.clone();
        let mut decoded: Option<RowsToCut> = None;
        let pieces = if cutter.is_by_rows() { ReadInPieces::Large } else { ReadInPieces::None };
        let cuts = cutter.cut(n_rows);
        let (wanted, n_rows_each) = (cuts.rows(), cuts.n_rows_each());
        for cut in cuts {
            self.n_taken = self.n_taken.saturating_add(1);
            if cut.is_whole(n_rows) {
                self.write(part, message, source)?;
                continue;
            }
            let rows = match &mut decoded {
                Some(rows) => rows,
                None => {
                    let large = match &part.rows {
                        Rows::File { reader, .. } => {
                            let rows = (&wanted, n_rows);
                            RowsToCut::of_large((reader, batch_idx), rows, pieces).map_err(failed)?
                        }
                        Rows::Streams(_) => None,
                    };
                    decoded.insert(match large {
                        Some(rows) => rows,
                        None => {
                            let batch = part.decode(batch_idx, message, limits).map_err(failed)?;
                            RowsToCut::all(batch, &wanted)
                        }
                    })
                }
            };
            let metadata = message.custom_metadata().map_err(failed)?;
            let (mut left, mut is_first) = (cut.rows, true);
            while let Some(taken) = rows.take(&mut left).map_err(failed)? {
                if let Some((_, each)) = n_rows_each {
                    let counted = rows.count(&mut self.pieces, each);
                    counted.map_err(|kind| ToolError::new(part.name.clone(), kind))?;
                }
                if std::mem::take(&mut is_first) {
                    self.lost.batch(&self.pending, &metadata);
                }
                let taken = if cut.begins && cut.ends { Ok(taken) } else { waiting(&taken) };
                let pushed = taken.and_then(|taken| self.pending.push(taken, &metadata));
                pushed.map_err(|kind| ToolError::new(part.name.clone(), kind))?;
            }
            if cut.ends {
                self.flush()?;
            }
        }
        self.cutter = cutter;
        Ok(())
    }

    fn write(&mut self, part: &OneInput, message: &Message, source: &SharedSource) -> Result<(), ToolError> {
        let written = self.writer.write(message, source);
        written.map_err(|failure| {
            let kind = match failure {
                RelayFailure::Input(error) => ToolErrorKind::Input(error),
                RelayFailure::Output(error) => ToolErrorKind::Output(error),
            };
            ToolError::new(part.name.clone(), kind)
        })
    }

    /// Writes the pending rows as one batch.
    fn flush(&mut self) -> Result<(), ToolError> {
        let name = &self.first.name;
        let joined = self.pending.take(self.first.schema().schema());
        let Some((batch, metadata)) = joined.map_err(|kind| ToolError::new(name.clone(), kind))? else {
            return Ok(());
        };
        let encoded = message_of(&mut self.encoder, &batch, &metadata);
        let written = encoded.and_then(|message| self.writer.write_made(&message));
        written.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Output(error)))
    }

    fn is_done(&self) -> bool {
        self.cutter.is_done() || self.options.is_past(self.batch_idx)
    }
}

impl OneInput {
    /// Decodes and checks a batch.
    ///
    /// # Errors
    /// If it is not valid.
    fn decode(&self, batch_idx: usize, message: &Message, limits: &Limits) -> Result<RecordBatch, IpcError> {
        match &self.rows {
            Rows::File { reader, .. } => reader.batch(batch_idx),
            Rows::Streams(_) => {
                let source = self.source.as_ref().ok_or(IpcErrorKind::NoSchemaYet { what: "a batch" })?;
                let schema =
                    MessageScan::try_new(source.clone(), 0..u64::MAX, limits.clone())?.next_message()?;
                let mut decoder = StreamDecoder::new(ReadOptions::new().with_limits(limits.clone()));
                for message in schema.iter().chain([message]) {
                    let end = message.body_position().saturating_add(message.n_body_bytes());
                    decoder.feed(source.fetch(message.position()..end)?);
                }
                decoder.end_of_input();
                loop {
                    match decoder.step()? {
                        Step::Batch(batch, _) => return Ok(batch),
                        Step::End => {
                            return Err(IpcErrorKind::Missing { what: "the batch" }.into());
                        }
                        Step::NeedBytes(_)
                        | Step::Schema(_)
                        | Step::Dictionary { .. }
                        | Step::Tensor(..)
                        | _ => {}
                    }
                }
            }
        }
    }
}
