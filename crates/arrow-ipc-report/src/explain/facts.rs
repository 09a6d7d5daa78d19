//! Counts what an explanation needs, message by message.

use std::{collections::BTreeSet, ops::ControlFlow};

use arrow_data::Role;
use arrow_ipc::{
    BufferDescription, Container, Endianness, ErrorClass, FormatErrorKind, IpcErrorKind, IpcSchema, Limits,
    MetadataVersion, UnsupportedColumn, error::CopyCause, message::Header,
};
use arrow_ipc_tensor::AnyTensorHeader;
use arrow_ipc_tools::{
    ColumnNames, Contradiction, InspectReport, InspectSink, NoteKind, ToolError, ToolErrorKind,
    columns::merge_unsupported_columns,
    inspect::{InspectItem, Listing, MessageView},
    trailing::BytesBeforeFooter,
};
use arrow_schema::Metadata;

use super::{
    explanation::{ColumnCost, Explanation, StatisticsSize},
    rules::findings,
};
use crate::{
    note::unsupported_note,
    totals::{BatchTotals, BufferFields, BufferSpan},
};

/// An incomplete explanation, and the counts from which its findings are made.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The explanation without columns and findings.
    pub(super) found: Explanation,
    pub(super) schema: Option<IpcSchema>,
    pub(super) n_damage: u64,
    /// Whether the schema contradicts itself, so that no batch can be read by it.
    pub(super) is_schema_broken: bool,
    /// Whether the input begins with an end marker.
    pub(super) has_no_schema: bool,
    pub(super) is_unmarked: bool,
    pub(super) n_schemas: u64,
    /// The number of fields with dictionaries. If there are several schemas, the greatest number counts.
    pub(super) n_encoded_fields: u64,
    /// Whether stream readers find no schema message in a file.
    pub(super) has_no_schema_message: bool,
    pub(super) n_unsupported: u64,
    pub(super) n_big_endian: u64,
    pub(super) n_old_versions: u64,
    pub(super) n_legacy_frames: u64,
    pub(super) n_unlisted: u64,
    /// A contradiction between the footer and the stream inside a file, and whether readers of streams get something else.
    pub(super) contradiction: Option<(String, bool)>,
    /// Whether batches may be lost if the input is read by its footer: the contradiction is about what their bytes mean, or
    /// there are other bytes before the footer.
    pub(super) may_hide_batches: bool,
    /// Harmless bytes between the stream inside a file and the footer.
    pub(super) before_footer: Option<BytesBeforeFooter>,
    /// The number of messages with a validity buffer for a column without a validity bitmap.
    pub(super) n_extra_validity: u64,
    /// The number of batches and dictionaries of each metadata version in the current stream: V4, then V5.
    n_of_version: [u64; 2],
    /// The number of batches and dictionaries with another version than the schema, or the footer.
    pub(super) n_other_versions: u64,
    /// Whether a message or the footer has text that is not UTF-8.
    pub(super) has_text_not_utf8: bool,
    /// The total decompressed length of bodies, as far as it is known.
    pub(super) n_decompressed_bytes: u64,
    /// The number of bodies whose decompressed length is unknown.
    pub(super) n_unknown_lengths: u64,
    pub(super) n_trailing_bytes: u64,
    /// All record batches, complete or not.
    pub(crate) batches: BatchTotals,
    pub(super) n_empty_batches: u64,
    pub(super) n_batch_bytes: u64,
    pub(super) n_deltas: u64,
    pub(super) n_replacements: u64,
    /// The ids of ordered dictionaries.
    pub(super) ordered_ids: BTreeSet<i64>,
    /// Whether an ordered dictionary is replaced.
    pub(super) has_reordered: bool,
    pub(super) n_plain_bodies: u64,
    /// The number of padding bytes beyond those for an alignment of 8 bytes.
    pub(super) n_excess_bytes: u64,
    pub(super) n_unneeded_bytes: u64,
    pub(super) n_unaligned_buffers: u64,
    n_compressed_spans: u64,
    /// The lengths of the variadic buffers in the previous batch.
    view_lengths: Vec<u64>,
    /// The number of batches whose variadic buffers have the same lengths as in the previous batch.
    /// `n_repeated_bytes` is the total length of these buffers.
    pub(super) n_repeating_batches: u64,
    pub(super) n_repeated_bytes: u64,
    /// The metadata version of the current stream.
    version: Option<MetadataVersion>,
    /// Whether dictionaries have values to which no index refers.
    pub(super) has_unused_values: bool,
    pub(crate) fields: BufferFields,
    /// The positions of the reported columns; `None` for all columns.
    selected: Option<BTreeSet<usize>>,
}

fn add(total: &mut u64, n: u64) {
    *total = total.saturating_add(n);
}

impl InspectSink for Facts {
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()> {
        self.add(item, &mut |_| ());
        ControlFlow::Continue(())
    }
}

impl Facts {
    /// Adds an item, and passes each buffer of a batch to `observe`.
    pub(crate) fn add(&mut self, item: InspectItem<'_>, observe: &mut dyn FnMut(BufferSpan)) {
        match item {
            InspectItem::Container(container, n_bytes) => {
                self.found.container = container;
                self.found.n_bytes = n_bytes;
            }
            InspectItem::FooterSchema(schema) => {
                self.has_no_schema_message = true;
                self.schema(schema);
            }
            InspectItem::Message(view) => self.message(view, observe),
            InspectItem::End { is_marked, .. } => {
                add(&mut self.found.n_streams, 1);
                if self.found.container != Container::File {
                    self.compare_versions(self.version);
                }
                self.is_unmarked = !is_marked;
            }
            InspectItem::Footer { footer, n_bytes } => {
                add(&mut self.found.n_metadata_bytes, n_bytes);
                self.found.statistics = StatisticsSize::from_footer(footer);
                self.has_text_not_utf8 |=
                    !footer.metadata().is_utf8() || footer.ipc_schema().check_utf8().is_err();
                // Readers of files take the schema from the footer.
                self.describe(footer.ipc_schema());
                self.compare_versions(self.found.version);
            }
        }
    }

    fn message(&mut self, view: &MessageView<'_>, observe: &mut dyn FnMut(BufferSpan)) {
        let message = view.message;
        add(&mut self.found.n_metadata_bytes, message.n_metadata_bytes());
        add(&mut self.found.n_missing_bytes, view.n_missing_bytes);
        add(&mut self.found.n_body_bytes, view.n_body_bytes());
        match view.n_decompressed_bytes() {
            Some(n_bytes) => add(&mut self.n_decompressed_bytes, n_bytes),
            None => add(&mut self.n_unknown_lengths, 1),
        }
        self.batches.add(view);
        let is_utf8 = view.metadata.as_ref().map_or(true, Metadata::is_utf8)
            && !matches!(&view.header, Ok(Header::Schema(schema)) if schema.check_utf8().is_err());
        self.has_text_not_utf8 |= !is_utf8;
        add(&mut self.n_old_versions, u64::from(message.version() == MetadataVersion::V4));
        add(&mut self.n_legacy_frames, u64::from(message.has_legacy_framing()));
        add(&mut self.n_unlisted, u64::from(view.listing == Listing::Missing));
        add(&mut self.n_replacements, u64::from(view.is_replacement));
        match (&view.compression, message.n_body_bytes()) {
            (Some(body), _) => {
                if !self.found.codecs.contains(&body.codec) {
                    self.found.codecs.push(body.codec);
                }
            }
            (None, 0) => {}
            (None, _) => add(&mut self.n_plain_bodies, 1),
        }
        if let (true, Ok(Header::RecordBatch(_) | Header::DictionaryBatch { .. })) =
            (view.listing != Listing::Missing, &view.header)
        {
            let [n_v4, n_v5] = &mut self.n_of_version;
            add(if message.version() == MetadataVersion::V4 { n_v4 } else { n_v5 }, 1);
        }
        let is_seen = view.is_complete() && view.listing != Listing::Missing;
        let n_complete = u64::from(is_seen);
        match &view.header {
            Ok(Header::Schema(schema)) => {
                self.has_no_schema_message |= !message.has_prefix();
                self.schema(schema);
            }
            Ok(Header::RecordBatch(batch)) => {
                if is_seen {
                    let n_rows = batch.n_rows();
                    add(&mut self.n_empty_batches, u64::from(n_rows == 0));
                    add(&mut self.n_batch_bytes, message.n_body_bytes());
                    let (least, most) = self.found.batch_rows.unwrap_or((n_rows, n_rows));
                    self.found.batch_rows = Some((least.min(n_rows), most.max(n_rows)));
                }
                self.buffers(view, None, observe);
            }
            Ok(Header::DictionaryBatch { id, is_delta, batch }) => {
                add(&mut self.found.n_dictionary_batches, n_complete);
                add(&mut self.found.n_dictionary_values, if n_complete == 0 { 0 } else { batch.n_rows() });
                add(&mut self.n_deltas, u64::from(*is_delta));
                self.has_reordered |= view.is_replacement && self.ordered_ids.contains(id);
                self.buffers(view, Some(*id), observe);
            }
            Ok(Header::Tensor | Header::SparseTensor) => {
                add(&mut self.found.n_tensors, n_complete);
                add(&mut self.found.n_tensor_bytes, view.n_body_bytes());
                let header = AnyTensorHeader::try_from_message(message, &Limits::default());
                self.has_text_not_utf8 |= header.is_ok_and(|header| header.check_utf8().is_err());
            }
            Err(_) => {}
        }
    }

    /// Counts the messages of the stream or file that have another version than the schema.
    fn compare_versions(&mut self, version: Option<MetadataVersion>) {
        let [n_v4, n_v5] = std::mem::take(&mut self.n_of_version);
        match version {
            Some(MetadataVersion::V4) => add(&mut self.n_other_versions, n_v5),
            Some(MetadataVersion::V5) => add(&mut self.n_other_versions, n_v4),
            None => {}
        }
    }

    fn schema(&mut self, schema: &IpcSchema) {
        self.version = Some(schema.version());
        self.fields.begin_schema();
        add(&mut self.n_schemas, 1);
        self.n_encoded_fields = self.n_encoded_fields.max(schema.dictionary_ids().len() as u64);
        add(&mut self.n_big_endian, u64::from(schema.endianness() == Endianness::Big));
        let encoded =
            schema.schema().fields_in_pre_order().filter_map(|field| field.data_type().as_dictionary());
        let ids = encoded.zip(schema.dictionary_ids());
        self.ordered_ids.extend(ids.filter(|(dictionary, _)| dictionary.is_ordered()).map(|(_, id)| *id));
        if self.schema.is_none() {
            self.describe(schema);
        }
    }

    /// Explains the columns of this schema.
    fn describe(&mut self, schema: &IpcSchema) {
        let n_columns = schema.schema().fields().len().saturating_add(schema.unsupported_columns().len());
        self.found.n_columns = n_columns as u64;
        self.found.version = Some(schema.version());
        self.found.endianness = Some(schema.endianness());
        // Some writers have their metadata in the schema message alone.
        self.found.writer = Explanation::writer_of(schema.schema()).or(self.found.writer);
        self.schema = Some(schema.clone());
    }

    fn buffers(
        &mut self,
        view: &MessageView<'_>,
        dictionary: Option<i64>,
        observe: &mut dyn FnMut(BufferSpan),
    ) {
        let (Some(Ok(map)), Ok(Header::RecordBatch(batch) | Header::DictionaryBatch { batch, .. })) =
            (&view.buffer_map, &view.header)
        else {
            return;
        };
        if dictionary.is_none() && batch.compression().is_some() {
            self.views(map.record_batch(batch, view.message.version()).into_iter().flatten());
        }
        let extra = map.has_extra_validity(dictionary, batch, view.message.version());
        add(&mut self.n_extra_validity, u64::from(extra.unwrap_or_default()));
        let mut fields = std::mem::take(&mut self.fields);
        fields.each_span(view, map, batch, dictionary, |span| {
            add(&mut self.found.n_padding_bytes, span.n_padding_bytes);
            add(&mut self.n_excess_bytes, span.n_padding_bytes / 8 * 8);
            add(&mut self.n_unneeded_bytes, span.n_unneeded_bytes());
            let is_unaligned = span.n_bytes > 0 && !span.start.is_multiple_of(8);
            add(&mut self.n_unaligned_buffers, u64::from(is_unaligned));
            let is_compressed = view.compression.is_some() && span.n_bytes > 0 && !span.is_raw;
            add(&mut self.n_compressed_spans, u64::from(is_compressed));
            observe(span);
        });
        self.fields = fields;
    }

    /// Counts a batch as repeating if its variadic buffers have the same lengths as in the previous batch, and these
    /// lengths are not all equal. Both batches then most likely have the same data.
    fn views(&mut self, buffers: impl Iterator<Item = BufferDescription>) {
        let data = buffers.filter(|buffer| buffer.role == Role::Variadic);
        let lengths: Vec<u64> =
            data.map(|data| data.range.end().saturating_sub(data.range.start())).collect();
        let is_telling = lengths.iter().any(|length| Some(length) != lengths.first());
        if is_telling && lengths == self.view_lengths {
            add(&mut self.n_repeating_batches, 1);
            add(&mut self.n_repeated_bytes, lengths.iter().fold(0, |sum, n| sum.saturating_add(*n)));
        }
        self.view_lengths = lengths;
    }

    /// Limits the report to these columns.
    ///
    /// # Errors
    /// If a column does not exist.
    pub(super) fn select(&mut self, columns: &ColumnNames) -> Result<(), ToolErrorKind> {
        let Some(schema) = &self.schema else { return Ok(()) };
        self.selected = Some(columns.positions_in(schema)?);
        Ok(())
    }

    /// Adds damage and notes, after the last message.
    pub(super) fn take_damage(&mut self, inspected: &InspectReport) {
        self.found.n_unused_bytes = inspected.n_unused_bytes;
        self.has_unused_values = inspected.has_unused_values;
        for error in &inspected.damage {
            let total = if is_refused(error) { &mut self.n_unsupported } else { &mut self.n_damage };
            add(total, 1);
            self.is_schema_broken |= is_of_dictionaries(error);
            let kind = error.ipc_error().map(|error| error.kind());
            self.has_no_schema |= matches!(kind, Some(IpcErrorKind::NoSchema));
        }
        for note in &inspected.notes {
            match &note.kind {
                NoteKind::Contradiction(what) => {
                    self.contradiction = Some((what.to_string(), what.changes_what_is_read()));
                    let has_other_bytes = matches!(
                        what,
                        Contradiction::BytesBeforeFooter { .. } | Contradiction::Unreferenced(_)
                    );
                    self.may_hide_batches = what.changes_meaning() || has_other_bytes;
                }
                NoteKind::BeforeFooter(before) => self.before_footer = Some(*before),
                NoteKind::TrailingBytes(rest) => self.n_trailing_bytes = rest.n_bytes(),
                NoteKind::NoEndMarker { .. }
                | NoteKind::ExtraValidity
                | NoteKind::MixedVersions
                | NoteKind::TextNotUtf8
                | NoteKind::UnknownZone(_)
                | NoteKind::FooterMetadata { .. }
                | NoteKind::TensorsNotCompared { .. }
                | NoteKind::NullKeys { .. }
                | NoteKind::LaterMetadataNotCompared
                | NoteKind::FolderType { .. }
                | NoteKind::NoStatistics(_) => {}
            }
        }
        // The list has only the first 1,000 errors. Errors after these count as damage, because their kinds are
        // unknown.
        add(&mut self.n_damage, inspected.n_damage.saturating_sub(inspected.damage.len() as u64));
    }

    /// Takes the explanation, without findings.
    pub(super) fn explain(&mut self) -> Explanation {
        let costs = self.columns();
        let copies = self.copies();
        let mut found = std::mem::take(&mut self.found);
        found.copies = copies;
        found.n_decompressed_bytes = (self.n_unknown_lengths == 0).then_some(self.n_decompressed_bytes);
        let listed = costs.iter().map(|cost| cost.n_bytes);
        let listed = listed.chain([found.n_tensor_bytes, found.n_padding_bytes]).fold(0, u64::saturating_add);
        found.n_unknown_bytes = found.n_body_bytes.saturating_sub(listed);
        let accounted = found.n_body_bytes.saturating_add(found.n_metadata_bytes);
        found.n_other_bytes = found.n_bytes.map_or(0, |n_bytes| n_bytes.saturating_sub(accounted));
        let BatchTotals { n_complete, n_rows, n_truncated, n_unreadable } = self.batches;
        found.n_batches = n_complete;
        found.n_rows = n_rows;
        found.n_truncated_batches = n_truncated;
        found.n_unreadable_batches = n_unreadable;
        found.columns = chosen(costs, self.selected.as_ref());
        found
    }

    /// Why readers copy values even from a memory map.
    fn copies(&self) -> Vec<CopyCause> {
        let is_swapped = self.found.endianness.is_some_and(|order| order != Endianness::NATIVE);
        let causes = [
            (CopyCause::Compressed, self.n_compressed_spans > 0),
            (CopyCause::ByteOrder, is_swapped && self.found.n_body_bytes > 0),
            (CopyCause::Misaligned, self.n_unaligned_buffers > 0),
            (CopyCause::Deltas, self.n_deltas > 0),
        ];
        causes.into_iter().filter(|(_, is_found)| *is_found).map(|(cause, _)| cause).collect()
    }

    /// The sizes of all columns, in the order of the schema.
    fn columns(&self) -> Vec<ColumnCost> {
        let Some(schema) = &self.schema else { return Vec::new() };
        let cost = |name: &str, data_type| ColumnCost {
            name: name.to_owned(),
            data_type,
            n_bytes: 0,
            n_decompressed_bytes: Some(0),
        };
        let known = schema.schema().fields().iter();
        let known = known.map(|field| cost(field.name(), field.data_type().to_string()));
        let unsupported = |column: &UnsupportedColumn| cost(column.name(), unsupported_note(column));
        let mut costs = merge_unsupported_columns(schema, known, unsupported);
        for totals in self.fields.iter() {
            let column_idx = totals.column_idx.and_then(|idx| usize::try_from(idx).ok());
            if let Some(cost) = column_idx.and_then(|idx| costs.get_mut(idx)) {
                add(&mut cost.n_bytes, totals.n_bytes);
                let decompressed = cost.n_decompressed_bytes.zip(totals.n_decompressed_bytes());
                cost.n_decompressed_bytes = decompressed.map(|(n_bytes, more)| n_bytes.saturating_add(more));
            }
        }
        costs
    }

    /// Makes the explanation, after the last item.
    pub(crate) fn explained(&mut self, inspected: &InspectReport) -> Explanation {
        self.take_damage(inspected);
        let findings = findings(self);
        Explanation { findings, ..self.explain() }
    }
}

/// Selects the columns to report, in descending order of size.
fn chosen(mut costs: Vec<ColumnCost>, selected: Option<&BTreeSet<usize>>) -> Vec<ColumnCost> {
    if let Some(selected) = selected {
        let mut position = 0..;
        costs.retain(|_| position.next().is_some_and(|position| selected.contains(&position)));
    }
    costs.sort_by_key(|cost| std::cmp::Reverse(cost.n_bytes));
    costs
}

/// Whether the schema says of dictionaries what cannot be.
fn is_of_dictionaries(error: &ToolError) -> bool {
    use FormatErrorKind::{CyclicDictionary, SharedDictionaryInner, SharedDictionaryType};
    let Some(IpcErrorKind::Format(kind)) = error.ipc_error().map(|error| error.kind()) else { return false };
    matches!(kind, CyclicDictionary { .. } | SharedDictionaryInner { .. } | SharedDictionaryType { .. })
}

/// Whether the input may be sound, but is not read: it uses something unsupported, or is over a limit.
fn is_refused(error: &ToolError) -> bool {
    let class = error.ipc_error().map(|error| error.class());
    matches!(class, Some(ErrorClass::Unsupported | ErrorClass::LimitExceeded))
}
