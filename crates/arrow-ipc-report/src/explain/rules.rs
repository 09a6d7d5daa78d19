//! The rules of an explanation. Each rule looks for one oddity of an input.

use arrow_ipc::{Codec, Container};
use arrow_ipc_tools::{UnknownZone, validate::PortabilityNote};
use arrow_schema::{DataType, Field, Schema};

use super::{
    facts::Facts,
    finding::{Change, Finding, FindingKind, Remedy},
};
use crate::totals::BatchTotals;

/// Applies all rules. The most important finding comes first.
pub(super) fn findings(facts: &Facts) -> Vec<Finding> {
    // `convert` cannot rewrite columns of unsupported types.
    let schema = facts.schema.as_ref();
    let is_supported =
        facts.n_unsupported == 0 && schema.is_none_or(|schema| schema.unsupported_columns().is_empty());
    let found = RULES.iter().filter_map(|rule| {
        let (kind, mut remedy) = rule(facts)?;
        if let (Some(codec), Some(Remedy::Convert(changes))) = (facts.found.codecs.first(), &mut remedy)
            && !changes.iter().any(|change| matches!(change, Change::Compression(_)))
        {
            changes.push(Change::Compression(Some(*codec)));
        }
        // Other work refuses a damaged input.
        let is_recovery = matches!(remedy, Some(Remedy::Recover { .. }));
        let is_possible = is_supported && facts.n_damage == 0 || is_recovery;
        Some(Finding { kind, remedy: if is_possible { remedy } else { None } })
    });
    found.collect()
}

/// Returns what was found, and what fixes it; `None` if the input does not have this oddity.
type Rule = fn(&Facts) -> Option<(FindingKind, Option<Remedy>)>;

const RULES: [Rule; 32] = [
    |it| {
        let has_schema = it.schema.is_some() && !it.is_schema_broken;
        // Without any batch, there is nothing to save, unless the start of the input was overwritten. The rest may then be that of
        // a file, whose footer has the schema.
        let has_batches = it.batches != BatchTotals::default();
        let is_overwritten = it.has_no_schema && it.n_trailing_bytes > 0;
        let can_recover = has_schema || has_batches || is_overwritten;
        let needs_schema = !has_schema && !is_overwritten;
        let remedy = can_recover.then_some(Remedy::Recover { needs_schema });
        found(it.n_damage > 0, FindingKind::Damage { n_errors: it.n_damage, has_schema }, remedy)
    },
    // Readers of files do not return messages that the footer does not list.
    |it| {
        let n_messages = it.n_unlisted;
        found(n_messages > 0, FindingKind::UnlistedMessages { n_messages }, recovered())
    },
    |it| {
        let (what, changes_what_is_read) = it.contradiction.clone()?;
        let kind = FindingKind::Contradiction { what, changes_what_is_read };
        let remedy = if it.may_hide_batches { recovered() } else { rewritten() };
        found(it.n_unlisted == 0, kind, remedy)
    },
    |it| Some((FindingKind::BytesBeforeFooter(it.before_footer?), rewritten())),
    |it| {
        let n_messages = it.n_extra_validity;
        found(n_messages > 0, FindingKind::ExtraValidity { n_messages }, rewritten())
    },
    |it| {
        let n_messages = it.n_other_versions;
        found(n_messages > 0, FindingKind::MixedVersions { n_messages }, rewritten())
    },
    |it| {
        let schema = it.schema.as_ref()?;
        let notes = PortabilityNote::for_schema(schema);
        found(!notes.is_empty(), FindingKind::SchemaForm { notes }, rewritten())
    },
    |it| Some((FindingKind::UnknownZone(UnknownZone::find(it.schema.as_ref()?)?), None)),
    |it| found(it.has_text_not_utf8, FindingKind::TextNotUtf8, None),
    |it| {
        let field = PortabilityNote::dictionary_extension(it.schema.as_ref()?)?;
        Some((FindingKind::DictionaryExtension { field }, None))
    },
    // Readers may refuse an input with trailing bytes.
    |it| {
        let n_bytes = it.n_trailing_bytes;
        found(n_bytes > 0, FindingKind::TrailingBytes { n_bytes }, recovered())
    },
    |it| found(it.has_no_schema_message && it.n_damage == 0, FindingKind::NoSchemaMessage, rewritten()),
    |it| {
        // A file needs no end marker, because it ends with its footer.
        let is_stream = it.found.container == Container::Stream;
        let is_sound = it.n_damage == 0 && it.n_schemas > 0;
        found(it.is_unmarked && is_stream && is_sound, FindingKind::NoEndMarker, rewritten())
    },
    |it| {
        let n_streams = it.found.n_streams;
        found(n_streams > 1, FindingKind::SeveralStreams { n_streams }, rewritten())
    },
    // The input uses something unsupported, such as the type of a column.
    |it| {
        let n_errors = it.n_unsupported;
        found(n_errors > 0, FindingKind::Unsupported { n_errors }, None)
    },
    |it| {
        let n_messages = it.n_legacy_frames;
        found(n_messages > 0, FindingKind::LegacyFraming { n_messages }, rewritten())
    },
    |it| {
        let n_messages = it.n_old_versions;
        found(n_messages > 0, FindingKind::OldVersion { n_messages }, rewritten())
    },
    |it| found(it.n_big_endian > 0, FindingKind::BigEndian, converted([Change::LittleEndian])),
    |it| {
        let n_buffers = it.n_unaligned_buffers;
        found(n_buffers > 0, FindingKind::UnalignedBuffers { n_buffers }, rewritten())
    },
    |it| {
        let n_deltas = it.n_deltas;
        let is_ordered = it.has_reordered && it.schema.is_some();
        let kind = FindingKind::Deltas { n_deltas, is_ordered };
        found(n_deltas > 0, kind, it.joined(is_ordered, [Change::UnifyDictionaries]))
    },
    |it| {
        let n_replacements = it.n_replacements;
        let is_ordered = it.has_reordered && it.schema.is_some();
        let kind = FindingKind::Replacements { n_replacements, is_ordered };
        found(n_replacements > 0, kind, it.joined(is_ordered, [Change::UnifyDictionaries]))
    },
    |it| {
        let n_values = it.found.n_dictionary_values;
        let n_rows = it.batches.n_rows;
        // Each field with a dictionary needs at most one value per row.
        let n_used = n_rows.saturating_mul(it.n_encoded_fields);
        let is_ordered = it.is_cut() && it.schema.is_some();
        let kind = FindingKind::LargeDictionaries { n_values, n_rows, is_ordered };
        let remedy = it.joined(is_ordered, [Change::Compact, Change::DictionaryDeltas]);
        found(n_values > n_used.max(64), kind, remedy)
    },
    |it| {
        let n_bytes = it.found.n_unused_bytes;
        let n_body_bytes = it.found.n_body_bytes;
        let is_ordered = it.has_unused_values && it.is_cut() && it.schema.is_some();
        let kind = FindingKind::UnusedBytes { n_bytes, n_body_bytes, is_ordered };
        let remedy = if is_ordered { it.cast_to_plain(vec![Change::Compact]) } else { it.compaction() };
        found(n_bytes > n_body_bytes / 20 && n_bytes > MUCH_UNUSED_BYTES, kind, remedy)
    },
    // Such batches are usually slices of a larger batch. Each slice was written with all data of the larger batch,
    // although it uses only a small part.
    |it| {
        let n_bytes = it.n_repeated_bytes;
        let kind = FindingKind::RepeatedViewData { n_bytes, n_batches: it.n_repeating_batches };
        found(n_bytes > MUCH_VIEW_DATA_BYTES, kind, it.compaction())
    },
    |it| {
        let n_batches = it.n_empty_batches;
        found(n_batches > 0, FindingKind::EmptyBatches { n_batches }, it.other_batches())
    },
    |it| {
        let n_batches = it.batches.n_complete;
        let mean_bytes = it.n_batch_bytes.checked_div(n_batches).unwrap_or_default();
        let is_found = n_batches >= MANY_BATCHES && mean_bytes < SMALL_BATCH_BYTES;
        found(is_found, FindingKind::SmallBatches { n_batches, mean_bytes }, it.other_batches())
    },
    |it| {
        let n_metadata_bytes = it.found.n_metadata_bytes;
        let n_body_bytes = it.found.n_body_bytes;
        let kind = FindingKind::MuchMetadata { n_metadata_bytes, n_body_bytes };
        found(n_metadata_bytes > n_body_bytes.max(MUCH_METADATA_BYTES), kind, None)
    },
    |it| {
        let n_kinds = it.found.codecs.len() + usize::from(it.n_plain_bodies > 0);
        found(n_kinds > 1, FindingKind::MixedCompression, converted([COMPRESSED]))
    },
    |it| {
        let n_body_bytes = it.found.n_body_bytes;
        let n_decompressed_bytes = it.n_decompressed_bytes;
        let is_useless = n_decompressed_bytes < n_body_bytes.saturating_add(n_body_bytes / 20);
        let is_known = !it.found.codecs.is_empty() && it.n_unknown_lengths == 0;
        let is_found = is_known && n_body_bytes > 0 && is_useless;
        let kind = FindingKind::UselessCompression { n_body_bytes, n_decompressed_bytes };
        found(is_found, kind, converted([Change::Compression(None)]))
    },
    |it| {
        let n_body_bytes = it.found.n_body_bytes;
        let is_found = it.found.codecs.is_empty() && n_body_bytes >= TARGET_BYTES;
        found(is_found, FindingKind::NoCompression { n_body_bytes }, converted([COMPRESSED]))
    },
    |it| {
        let n_bytes = it.n_excess_bytes;
        let n_body_bytes = it.found.n_body_bytes;
        let is_found = n_bytes > n_body_bytes / 10 && n_bytes > MUCH_PADDING_BYTES;
        let kind = FindingKind::MuchPadding { n_bytes, n_body_bytes };
        found(is_found, kind, converted([Change::Alignment(8)]))
    },
    |it| {
        let n_bytes = it.n_unneeded_bytes;
        found(n_bytes > 0, FindingKind::UnneededValidity { n_bytes }, None)
    },
];

const COMPRESSED: Change = Change::Compression(Some(Codec::Zstd));
const MANY_BATCHES: u64 = 8;
const SMALL_BATCH_BYTES: u64 = 64 << 10;
const TARGET_BYTES: u64 = 1 << 20;
const MUCH_METADATA_BYTES: u64 = 16 << 10;
const MUCH_VIEW_DATA_BYTES: u64 = 16 << 10;
const MUCH_UNUSED_BYTES: u64 = 1 << 10;
const MUCH_PADDING_BYTES: u64 = 1 << 10;

fn found(is_found: bool, kind: FindingKind, remedy: Option<Remedy>) -> Option<(FindingKind, Option<Remedy>)> {
    is_found.then_some((kind, remedy))
}

fn recovered() -> Option<Remedy> {
    Some(Remedy::Recover { needs_schema: false })
}

fn rewritten() -> Option<Remedy> {
    converted([])
}

fn converted<const N: usize>(changes: [Change; N]) -> Option<Remedy> {
    Some(Remedy::Convert(changes.into()))
}

impl Facts {
    /// Whether several batches may share an ordered dictionary. Unused values can then not be removed in each batch
    /// alone.
    fn is_cut(&self) -> bool {
        !self.ordered_ids.is_empty() && self.batches.n_complete > 1
    }

    /// A conversion with these changes. Ordered dictionaries cannot always be joined, so columns with dictionaries
    /// become plain columns instead.
    fn joined<const N: usize>(&self, is_ordered: bool, changes: [Change; N]) -> Option<Remedy> {
        if is_ordered { self.cast_to_plain(Vec::new()) } else { converted(changes) }
    }

    /// A conversion of all columns with dictionaries to plain columns, after these changes. `None` if there is no such column, or if
    /// several columns have one name.
    fn cast_to_plain(&self, mut changes: Vec<Change>) -> Option<Remedy> {
        changes.extend(plain_columns(self.schema.as_ref()?.schema())?);
        Some(Remedy::Convert(changes))
    }

    /// A conversion that removes unused bytes of buffers, and unused values of dictionaries.
    fn compaction(&self) -> Option<Remedy> {
        match self.found.n_dictionary_values {
            0 => converted([Change::Compact]),
            _ => converted([Change::Compact, Change::UnifyDictionaries]),
        }
    }

    /// A division into batches whose bodies have about 1 MiB.
    fn other_batches(&self) -> Option<Remedy> {
        let rows = u128::from(self.batches.n_rows) * u128::from(TARGET_BYTES)
            / u128::from(self.n_batch_bytes.max(1));
        let batch_rows = u64::try_from(rows).unwrap_or(u64::MAX).clamp(1, self.batches.n_rows.max(1));
        Some(Remedy::Split { batch_rows })
    }
}

/// Casts of all columns with dictionaries to plain columns. An ordered dictionary cannot get new values without breaking
/// its order. Ordered dictionaries of several batches can therefore only be joined if each begins with the values of the
/// previous one. Plain columns can always be joined. `None` if there is no such column, or if several columns have one
/// of these names.
pub(super) fn plain_columns(schema: &Schema) -> Option<Vec<Change>> {
    let fields = schema.fields().iter().filter_map(|field| Some((field, plain(field.data_type())?)));
    let cast = |(field, data_type): (&Field, DataType)| {
        let is_one = schema.index_of(field.name()).is_ok();
        is_one.then(|| Change::Cast { column: field.name().to_owned(), data_type })
    };
    let casts: Vec<Change> = fields.map(cast).collect::<Option<_>>()?;
    if casts.is_empty() { None } else { Some(casts) }
}

/// The type with the values of dictionaries instead of dictionaries; `None` if it contains no dictionary.
fn plain(data_type: &DataType) -> Option<DataType> {
    if let Some(dictionary) = data_type.as_dictionary() {
        return Some(plain(dictionary.value()).unwrap_or_else(|| dictionary.value().clone()));
    }
    let children: Vec<_> = data_type.children().iter().map(|child| plain(child.data_type())).collect();
    if children.iter().all(Option::is_none) {
        return None;
    }
    let children = data_type.children().iter().zip(children).map(|(child, plain)| match plain {
        Some(data_type) => child.clone().with_data_type(data_type),
        None => child.clone(),
    });
    // The number of children is the same, so this does not fail.
    data_type.with_children(children.collect()).ok()
}
