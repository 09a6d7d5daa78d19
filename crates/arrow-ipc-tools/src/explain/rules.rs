//! The rules of an explanation. Each rule looks for one oddity of an input.

use arrow_ipc::Container;

use super::{
    facts::Facts,
    finding::{Finding, Remedy},
    plain::PlainColumns,
};
use crate::{
    inspect::BatchTotals,
    numbers::{Counted, Grouped},
    observer::{EXTRA_VALIDITY, MIXED_VERSIONS},
    validate::{DICTIONARY_EXTENSION_READERS, dictionary_extension},
};

/// Applies all rules. The most important finding comes first.
pub(super) fn findings(facts: &Facts) -> Vec<Finding> {
    const OPTION: &str = "--compression";
    // `convert` cannot rewrite columns of unsupported types.
    let schema = facts.schema.as_ref();
    let is_supported =
        facts.n_unsupported == 0 && schema.is_none_or(|schema| schema.unsupported_columns().is_empty());
    let found = RULES.iter().filter_map(|(name, rule)| {
        let (text, mut remedy) = rule(facts)?;
        if let (Some(codec), Some(Remedy { command: "convert", options })) =
            (facts.found.codecs.first(), &mut remedy)
            && !options.iter().any(|option| option == OPTION)
        {
            options.extend([OPTION.to_owned(), codec.to_string().to_lowercase()]);
        }
        // Other commands refuse a damaged input.
        remedy = remedy.filter(|remedy| is_supported && facts.n_damage == 0 || remedy.command == "recover");
        Some(Finding { name, text, remedy })
    });
    found.collect()
}

/// Returns the text of a finding, and the command that fixes it; `None` if the input does not have this oddity.
type Rule = fn(&Facts) -> Option<(String, Option<Remedy>)>;

const RULES: [(&str, Rule); 29] = [
    ("damage", |it| {
        let has_schema = it.schema.is_some() && !it.is_schema_broken;
        let why = if has_schema { "" } else { " Its schema cannot be read." };
        let text = format!("Some of it cannot be read: {}.{why}", Counted(it.n_damage, "error"));
        // Without any batch, there is nothing to save.
        let has_batches = it.batches != BatchTotals::default();
        let remedy = if has_schema {
            by("recover", "")
        } else if has_batches {
            by("recover", "--schema FILE")
        } else {
            None
        };
        found(it.n_damage > 0, text, remedy)
    }),
    // Readers of files do not return messages that the footer does not list.
    ("unlisted", |it| {
        let n_messages = Counted(it.n_unlisted, "message");
        let text = format!("The footer does not list {n_messages}: readers do not see it.");
        found(it.n_unlisted > 0, text, by("recover", ""))
    }),
    ("contradiction", |it| {
        let (what, changes_what_is_read) = it.contradiction.as_ref()?;
        let text = if *changes_what_is_read {
            format!("Readers of streams get something else than readers of files: {what}.")
        } else {
            format!("Some bytes are not read: {what}.")
        };
        let command = if it.is_meaning_unclear { "recover" } else { "convert" };
        found(it.n_unlisted == 0, text, by(command, ""))
    }),
    ("bytes_before_footer", |it| {
        let text = format!("Bytes that no reader needs: {}.", it.before_footer.as_ref()?);
        found(true, text, by("convert", ""))
    }),
    ("extra_validity", |it| {
        let text = format!("In {}, {EXTRA_VALIDITY}.", Counted(it.n_extra_validity, "message"));
        found(it.n_extra_validity > 0, text, by("convert", ""))
    }),
    ("mixed_versions", |it| {
        let text = format!("In {}, {MIXED_VERSIONS}.", Counted(it.n_other_versions, "message"));
        found(it.n_other_versions > 0, text, by("convert", ""))
    }),
    ("dictionary_extension", |it| {
        let field = dictionary_extension(it.schema.as_ref()?)?;
        let text = format!(
            "Field {field} has a canonical extension type and a dictionary: {DICTIONARY_EXTENSION_READERS} refuse it."
        );
        found(true, text, None)
    }),
    // Readers may refuse an input with trailing bytes.
    ("trailing_bytes", |it| {
        let text = format!("{} after the end are not a stream.", Counted(it.n_trailing_bytes, "byte"));
        found(it.n_trailing_bytes > 0, text, by("recover", ""))
    }),
    ("no_schema_message", |it| {
        let text =
            "No schema message with a prefix is before the batches: readers of streams cannot read it.";
        found(it.has_no_schema_message && it.n_damage == 0, text, by("convert", ""))
    }),
    ("no_end_marker", |it| {
        // A file needs no end marker, because it ends with its footer.
        let is_stream = it.found.container == Container::Stream;
        let text = "The stream has no end marker: its writer was stopped, or never writes one.";
        let is_sound = it.n_damage == 0 && it.n_schemas > 0;
        found(it.is_unmarked && is_stream && is_sound, text, by("convert", ""))
    }),
    ("several_streams", |it| {
        let n_streams = Counted(it.found.n_streams, "stream");
        let text = format!("{n_streams} follow each other: many readers stop after the first.");
        found(it.found.n_streams > 1, text, by("convert", ""))
    }),
    // The input uses something unsupported, such as the type of a column.
    ("unsupported", |it| {
        let n_errors = Counted(it.n_unsupported, "error");
        let text = format!("Something in it is not supported, or over a limit: {n_errors}.");
        found(it.n_unsupported > 0, text, None)
    }),
    ("legacy_framing", |it| {
        let n_messages = Counted(it.n_legacy_frames, "message");
        let text = format!("{n_messages} in the legacy framing of Arrow before 0.15.");
        found(it.n_legacy_frames > 0, text, by("convert", ""))
    }),
    ("old_version", |it| {
        let text =
            format!("{} with metadata V4, of Arrow before 1.0.", Counted(it.n_old_versions, "message"));
        found(it.n_old_versions > 0, text, by("convert", ""))
    }),
    ("big_endian", |it| {
        let text = "Numbers are big-endian: most readers refuse them, the others swap them.";
        found(it.n_big_endian > 0, text, by("convert", "--endian little"))
    }),
    ("unaligned", |it| {
        let buffers = match it.n_unaligned_buffers {
            1 => "1 buffer does".to_owned(),
            n_buffers => format!("{} buffers do", Grouped(n_buffers)),
        };
        let text = format!("{buffers} not begin at a multiple of 8 bytes: readers copy them.");
        found(it.n_unaligned_buffers > 0, text, by("convert", ""))
    }),
    ("deltas", |it| {
        let (n_deltas, plain) = (Counted(it.n_deltas, "delta"), it.plain_if(it.has_reordered));
        let why = not_joined(plain.as_ref());
        let text = format!("Dictionaries grow by {n_deltas}: not all readers support that.{why}");
        found(it.n_deltas > 0, text, joined(plain, "--dictionaries unify"))
    }),
    ("replacements", |it| {
        let (n_times, plain) = (Counted(it.n_replacements, "time"), it.plain_if(it.has_reordered));
        let why = not_joined(plain.as_ref());
        let text = format!(
            "Dictionaries are replaced {n_times}: a batch can be read only after those before it, and a file cannot hold it.{why}"
        );
        found(it.n_replacements > 0, text, joined(plain, "--dictionaries unify"))
    }),
    ("large_dictionaries", |it| {
        let (n_values, n_rows) = (it.found.n_dictionary_values, it.batches.n_rows);
        // Each field with a dictionary needs at most one value per row.
        let n_used = n_rows.saturating_mul(it.n_encoded_fields);
        let plain = it.plain_if(it.is_cut());
        let (values, rows) = (Counted(n_values, "value"), Counted(n_rows, "row"));
        let why = not_joined(plain.as_ref());
        let text = format!(
            "Dictionaries have {values} for {rows}: some are not used, or hardly any is repeated.{why}"
        );
        found(n_values > n_used.max(64), text, joined(plain, "--compact --dictionaries delta"))
    }),
    ("unused", |it| {
        let (n_bytes, n_body_bytes) = (it.unused.n_bytes, it.found.n_body_bytes);
        let plain = it.plain_if(it.unused.is_in_dictionaries && it.is_cut());
        let (unused, all) = (Grouped(n_bytes), Counted(n_body_bytes, "byte"));
        let why = not_joined(plain.as_ref());
        let text = format!("No slot refers to {unused} or more of {all} of bodies.{why}");
        let remedy = match plain {
            Some(columns) => columns.remedy(&["--compact"]),
            None => it.compaction(),
        };
        found(n_bytes > n_body_bytes / 20 && n_bytes > MUCH_UNUSED_BYTES, text, remedy)
    }),
    // Such batches are usually slices of a larger batch. Each slice was written with all data of the larger batch,
    // although it uses only a small part.
    ("repeated_view_data", |it| {
        let n_bytes = Counted(it.n_repeated_bytes, "byte");
        let n_batches = Counted(it.n_repeating_batches, "batch");
        let text = format!(
            "Views of {n_batches} have data buffers as long as those of the batch before: {n_bytes} are probably repeated, and hardly used."
        );
        found(it.n_repeated_bytes > MUCH_VIEW_DATA_BYTES, text, it.compaction())
    }),
    ("empty_batches", |it| {
        let text = format!("{} without rows.", Counted(it.n_empty_batches, "batch"));
        found(it.n_empty_batches > 0, text, it.other_batches())
    }),
    ("small_batches", |it| {
        let mean_bytes = it.n_batch_bytes.checked_div(it.batches.n_complete).unwrap_or_default();
        let (n_batches, mean) = (Counted(it.batches.n_complete, "batch"), Counted(mean_bytes, "byte"));
        let text =
            format!("{n_batches} of {mean} on average: each costs metadata and a step of every reader.");
        let is_found = it.batches.n_complete >= MANY_BATCHES && mean_bytes < SMALL_BATCH_BYTES;
        found(is_found, text, it.other_batches())
    }),
    ("much_metadata", |it| {
        let (n_metadata_bytes, n_body_bytes) = (it.found.n_metadata_bytes, it.found.n_body_bytes);
        let (metadata, data) = (Counted(n_metadata_bytes, "byte"), Counted(n_body_bytes, "byte"));
        let text = format!("Metadata takes {metadata}, the data {data}.");
        found(n_metadata_bytes > n_body_bytes.max(MUCH_METADATA_BYTES), text, None)
    }),
    ("mixed_compression", |it| {
        let n_kinds = it.found.codecs.len() + usize::from(it.n_plain_bodies > 0);
        let text = "Not all bodies are compressed by the same codec.";
        found(n_kinds > 1, text, by("convert", "--compression zstd"))
    }),
    ("useless_compression", |it| {
        let (n_body_bytes, n_decompressed_bytes) = (it.found.n_body_bytes, it.found.n_decompressed_bytes);
        let is_useless = n_decompressed_bytes < n_body_bytes.saturating_add(n_body_bytes / 20);
        let (stored, whole) = (Counted(n_body_bytes, "byte"), Counted(n_decompressed_bytes, "byte"));
        let text = format!("Compression saves next to nothing: {stored} for {whole}.");
        let is_known = !it.found.codecs.is_empty() && it.n_unknown_lengths == 0;
        let is_found = is_known && n_body_bytes > 0 && is_useless;
        found(is_found, text, by("convert", "--compression none"))
    }),
    ("no_compression", |it| {
        let n_body_bytes = it.found.n_body_bytes;
        let text = format!("Bodies are not compressed: {} in all.", Counted(n_body_bytes, "byte"));
        let is_found = it.found.codecs.is_empty() && n_body_bytes >= TARGET_BYTES;
        found(is_found, text, by("convert", "--compression zstd"))
    }),
    ("much_padding", |it| {
        let (n_bytes, n_body_bytes) = (it.n_excess_bytes, it.found.n_body_bytes);
        let (padding, all) = (Grouped(n_bytes), Counted(n_body_bytes, "byte"));
        let text =
            format!("{padding} of {all} of bodies are padding that an alignment of 8 bytes does not need.");
        let is_found = n_bytes > n_body_bytes / 10 && n_bytes > MUCH_PADDING_BYTES;
        found(is_found, text, by("convert", "--alignment 8"))
    }),
    ("nulls_without_nulls", |it| {
        let n_bytes = Counted(it.n_unneeded_bytes, "byte");
        let text = format!("No slot is null in {n_bytes} of validity buffers, which are not needed.");
        found(it.n_unneeded_bytes > 0, text, None)
    }),
];

const MANY_BATCHES: u64 = 8;
const SMALL_BATCH_BYTES: u64 = 64 << 10;
const TARGET_BYTES: u64 = 1 << 20;
const MUCH_METADATA_BYTES: u64 = 16 << 10;
const MUCH_VIEW_DATA_BYTES: u64 = 16 << 10;
const MUCH_UNUSED_BYTES: u64 = 1 << 10;
const MUCH_PADDING_BYTES: u64 = 1 << 10;

#[expect(clippy::fn_params_excessive_bools, reason = "what a rule has looked at, not a switch")]
fn found(
    is_found: bool,
    text: impl Into<String>,
    remedy: Option<Remedy>,
) -> Option<(String, Option<Remedy>)> {
    is_found.then(|| (text.into(), remedy))
}

fn by(command: &'static str, options: &str) -> Option<Remedy> {
    Some(Remedy { command, options: options.split_whitespace().map(str::to_owned).collect() })
}

/// The conversion to plain columns if `plain` is set; otherwise a conversion with these options.
fn joined(plain: Option<PlainColumns>, options: &str) -> Option<Remedy> {
    plain.map_or_else(|| by("convert", options), |columns| columns.remedy(&[]))
}

/// The reason why the command casts columns to plain values.
fn not_joined(plain: Option<&PlainColumns>) -> &'static str {
    match plain {
        None => "",
        Some(_) => {
            " Some are ordered, and joined only if each begins with the one before it; plain values need no dictionary."
        }
    }
}

impl Facts {
    /// Whether several batches may share an ordered dictionary. Unused values can then not be removed in each batch
    /// alone.
    fn is_cut(&self) -> bool {
        !self.ordered_ids.is_empty() && self.batches.n_complete > 1
    }

    /// The columns with dictionaries; `None` if `is_needed` is not set, or if there is no schema.
    #[expect(clippy::fn_params_excessive_bools, reason = "what a rule has looked at, not a switch")]
    fn plain_if(&self, is_needed: bool) -> Option<PlainColumns> {
        let schema = self.schema.as_ref().filter(|_| is_needed)?;
        Some(PlainColumns::of(schema.schema()))
    }

    /// A conversion that removes unused bytes of buffers, and unused values of dictionaries.
    fn compaction(&self) -> Option<Remedy> {
        match self.found.n_dictionary_values {
            0 => by("convert", "--compact"),
            _ => by("convert", "--compact --dictionaries unify"),
        }
    }

    /// A conversion to batches whose bodies have about 1 MiB.
    fn other_batches(&self) -> Option<Remedy> {
        let rows = u128::from(self.batches.n_rows) * u128::from(TARGET_BYTES)
            / u128::from(self.n_batch_bytes.max(1));
        let target_rows = u64::try_from(rows).unwrap_or(u64::MAX).clamp(1, self.batches.n_rows.max(1));
        by("split", &format!("--target-rows {target_rows}"))
    }
}
