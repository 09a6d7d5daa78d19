//! The rules for findings, one for each.

use arrow_ipc::Container;

use super::{facts::Facts, finding::Finding};

/// A rule that makes a finding of facts. Rules are in the order of [`Finding`].
type Rule = fn(&Facts) -> Option<Finding>;

const RULES: [Rule; 25] = [
    |it| (it.n_damage > 0).then_some(Finding::Damage { n_errors: it.n_damage }),
    |it| (it.n_unlisted > 0).then_some(Finding::Unlisted { n_messages: it.n_unlisted }),
    |it| {
        let text = it.contradiction.clone().filter(|_| it.n_unlisted == 0);
        text.map(|text| Finding::Contradiction { text })
    },
    |it| (it.n_trailing_bytes > 0).then_some(Finding::TrailingBytes { n_bytes: it.n_trailing_bytes }),
    |it| (it.has_footer_schema && it.n_damage == 0).then_some(Finding::NoSchemaMessage),
    |it| {
        // The footer of a file is its end.
        let is_stream = it.container == Some(Container::Stream);
        (it.is_unmarked && is_stream && it.n_damage == 0 && it.n_schemas > 0).then_some(Finding::NoEndMarker)
    },
    |it| (it.n_streams > 1).then_some(Finding::SeveralStreams { n_streams: it.n_streams }),
    |it| (it.n_unsupported > 0).then_some(Finding::Unsupported { n_errors: it.n_unsupported }),
    |it| (it.n_legacy_frames > 0).then_some(Finding::LegacyFraming { n_messages: it.n_legacy_frames }),
    |it| (it.n_old_versions > 0).then_some(Finding::OldVersion { n_messages: it.n_old_versions }),
    |it| (it.n_big_endian > 0).then_some(Finding::BigEndian),
    |it| (it.n_unaligned_buffers > 0).then_some(Finding::Unaligned { n_buffers: it.n_unaligned_buffers }),
    |it| {
        let (n_messages, plain) = (it.n_deltas, it.plain_if_replaced());
        (n_messages > 0).then_some(Finding::Deltas { n_messages, plain })
    },
    |it| {
        let (n_messages, plain) = (it.n_replacements, it.plain_if_replaced());
        (n_messages > 0).then_some(Finding::Replacements { n_messages, plain })
    },
    |it| {
        let (n_values, n_rows) = (it.n_dictionary_values, it.batches.n_rows);
        let plain = if it.is_cut() { it.plain() } else { None };
        // Each field with a dictionary may use a value in each row.
        let n_used = n_rows.saturating_mul(it.n_encoded_fields);
        (n_values > n_used.max(64)).then_some(Finding::LargeDictionaries { n_values, n_rows, plain })
    },
    |it| {
        let (n_bytes, n_body_bytes) = (it.unused.n_bytes, it.n_body_bytes);
        let plain = if it.unused.is_in_dictionaries && it.is_cut() { it.plain() } else { None };
        let has_dictionaries = it.n_dictionary_values > 0;
        let is_found = n_bytes > n_body_bytes / 20 && n_bytes > MUCH_UNUSED_BYTES;
        is_found.then_some(Finding::Unused { n_bytes, n_body_bytes, has_dictionaries, plain })
    },
    |it| {
        let (n_batches, n_bytes) = (it.n_repeating_batches, it.n_repeated_bytes);
        let has_dictionaries = it.n_dictionary_values > 0;
        let is_found = n_bytes > MUCH_VIEW_DATA_BYTES;
        is_found.then_some(Finding::RepeatedViewData { n_batches, n_bytes, has_dictionaries })
    },
    |it| {
        let (n_batches, target_rows) = (it.n_empty_batches, it.target_rows());
        (n_batches > 0).then_some(Finding::EmptyBatches { n_batches, target_rows })
    },
    |it| {
        let mean_bytes = it.n_batch_bytes.checked_div(it.batches.n_complete).unwrap_or_default();
        let (n_batches, target_rows) = (it.batches.n_complete, it.target_rows());
        let is_found = n_batches >= MANY_BATCHES && mean_bytes < SMALL_BATCH_BYTES;
        is_found.then_some(Finding::SmallBatches { n_batches, mean_bytes, target_rows })
    },
    |it| {
        let (n_metadata_bytes, n_body_bytes) = (it.n_metadata_bytes, it.n_body_bytes);
        let is_found = n_metadata_bytes > n_body_bytes.max(MUCH_METADATA_BYTES);
        is_found.then_some(Finding::MuchMetadata { n_metadata_bytes, n_body_bytes })
    },
    |it| {
        let n_kinds = it.codecs.len() + usize::from(it.n_plain_bodies > 0);
        (n_kinds > 1).then_some(Finding::MixedCompression)
    },
    |it| {
        let (n_body_bytes, n_decompressed_bytes) = (it.n_body_bytes, it.n_decompressed_bytes);
        let is_useless = n_decompressed_bytes < n_body_bytes.saturating_add(n_body_bytes / 20);
        let is_found = !it.codecs.is_empty() && n_body_bytes > 0 && is_useless;
        is_found.then_some(Finding::UselessCompression { n_body_bytes, n_decompressed_bytes })
    },
    |it| {
        let n_body_bytes = it.n_body_bytes;
        let is_found = it.codecs.is_empty() && n_body_bytes >= TARGET_BYTES;
        is_found.then_some(Finding::NoCompression { n_body_bytes })
    },
    |it| {
        let (n_bytes, n_body_bytes) = (it.n_excess_bytes, it.n_body_bytes);
        let is_found = n_bytes > n_body_bytes / 10 && n_bytes > MUCH_PADDING_BYTES;
        is_found.then_some(Finding::MuchPadding { n_bytes, n_body_bytes })
    },
    |it| (it.n_unneeded_bytes > 0).then_some(Finding::NullsWithoutNulls { n_bytes: it.n_unneeded_bytes }),
];

const MANY_BATCHES: u64 = 8;
const SMALL_BATCH_BYTES: u64 = 64 << 10;
const TARGET_BYTES: u64 = 1 << 20;
const MUCH_METADATA_BYTES: u64 = 16 << 10;
const MUCH_VIEW_DATA_BYTES: u64 = 16 << 10;
const MUCH_UNUSED_BYTES: u64 = 1 << 10;
const MUCH_PADDING_BYTES: u64 = 1 << 10;

pub(super) fn findings(facts: &Facts) -> Vec<Finding> {
    RULES.iter().filter_map(|rule| rule(facts)).collect()
}

impl Facts {
    /// Whether several batches share dictionaries whose order has a meaning. Then unused values cannot be removed for
    /// each batch.
    fn is_cut(&self) -> bool {
        !self.ordered_ids.is_empty() && self.batches.n_complete > 1
    }

    /// How many rows have a body of about 1 MiB.
    fn target_rows(&self) -> u64 {
        let rows = u128::from(self.batches.n_rows) * u128::from(TARGET_BYTES)
            / u128::from(self.n_batch_bytes.max(1));
        u64::try_from(rows).unwrap_or(u64::MAX).clamp(1, self.batches.n_rows.max(1))
    }
}
