//! The command line of `convert`.

use std::{collections::HashSet, num::NonZero, str::FromStr};

use arrow_ipc::{Compression, DictionaryMode, Endianness, MetadataVersion, WrittenContainer};
use arrow_ipc_tools::{ColumnNames, convert::MetadataChange};
use arrow_schema::QuotedName;
use clap::Args;

use super::{
    BothTextArgs, GivenSchemaArgs, PathsArgs, RenameArg, RowsArgs, ThreadsArg, TypeArg,
    named::{ColumnKeyArg, ColumnMetadataArg, MetadataArg, RenamesArg},
    text::first_given,
    values::{at_least_1, one_of},
};
use crate::{columns::ColumnsArg, exit::Failure};

#[derive(Debug, Args)]
#[command(mut_arg("from_header", |header| header.visible_alias("header")))]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) paths: PathsArgs,
    /// The container [default: by the name of OUT: .arrows and `-` are streams; .arrow, .feather and .ipc are files;
    /// .csv, .tsv, .json, .jsonl and .ndjson are text, which .gz or .zst at the end compresses]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(CONTAINERS))]
    pub(crate) to: Option<WrittenContainer>,
    /// Do not check values that need not be decoded. This is faster and takes less memory, but invalid values stay
    /// invalid. Messages are checked in any case. The option has no effect on inputs that are decoded: streams from
    /// pipes; streams with dictionaries; several streams in one input; files whose dictionaries have deltas or are
    /// nested; any input with --compact, --zero-nulls, --dictionaries delta or unify, or another byte order
    #[arg(long)]
    pub(crate) unchecked: bool,
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
    #[command(flatten)]
    pub(crate) given: GivenSchemaArgs,
    #[command(flatten)]
    pub(crate) text: BothTextArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadsArg,
    #[command(flatten)]
    pub(crate) columns: ChangedColumnsArgs,
    #[command(flatten)]
    pub(crate) metadata: MetadataArgs,
    /// Write batches of N rows each
    #[arg(long, value_name = "N", help_heading = "Output", value_parser = at_least_1::<NonZero<u64>>)]
    pub(crate) batch_rows: Option<NonZero<u64>>,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

impl ConvertArgs {
    /// The first option in the arguments that only has an effect on Arrow data; `None` if there is none.
    pub(crate) fn arrow_option(&self) -> Option<&'static str> {
        let writing = &self.writing;
        let metadata = &self.metadata;
        let given = [
            (!metadata.set_metadata.is_empty(), "--set-metadata"),
            (!metadata.remove_metadata.is_empty(), "--remove-metadata"),
            (!metadata.set_column_metadata.is_empty(), "--set-column-metadata"),
            (!metadata.remove_column_metadata.is_empty(), "--remove-column-metadata"),
            (writing.compression.0.is_some(), "--compression"),
            (writing.dictionaries != DictionaryMode::Replace, "--dictionaries"),
            (writing.metadata_version != MetadataVersion::V5, "--metadata-version"),
            (writing.legacy_framing, "--legacy-framing"),
            (writing.alignment != 64, "--alignment"),
            (writing.share_buffers, "--share-buffers"),
            (writing.compact, "--compact"),
            (writing.zero_nulls, "--zero-nulls"),
            (writing.keep_unused, "--keep-unused"),
            (writing.row_counts, "--row-counts"),
            (writing.statistics, "--statistics"),
            (writing.same_metadata, "--same-metadata"),
            (writing.endian.is_some(), "--endian"),
            (self.batch_rows.is_some(), "--batch-rows"),
        ];
        first_given(&given)
    }
}

// How the written columns change.
#[derive(Debug, Args)]
pub(crate) struct ChangedColumnsArgs {
    /// Write only these columns, in this order; paths and patterns as for `cat`
    #[arg(long, help_heading = "Columns", value_name = "A,B")]
    columns: Option<ColumnsArg>,
    /// Leave out these columns; patterns as for `cat`
    #[arg(long, help_heading = "Columns", value_name = "A,B")]
    exclude: Option<ColumnsArg>,
    /// Write the column OLD under the name NEW, which no other column may have. For a field that --columns selects by
    /// its path, OLD is the whole path. Put a name with an equals sign or a comma in double quotes: '"x=y"=xy'. May be
    /// given several times; if several columns have the same name, give it once for each of them, in their order
    #[arg(long, help_heading = "Columns", value_name = "OLD=NEW,…")]
    rename: Vec<RenamesArg>,
    /// Write a column as another type: with another encoding (dictionary<int32, utf8>), width, scale or unit. Write the
    /// type as `schema` prints it, or as list<int64>, map<utf8, int64>, large_string; `dictionary` keeps the type of
    /// the values, and has int32 indices. Timestamps without a zone are local times of the zone of the new type; with
    /// --lossy, those with a zone become local times and dates of their zone. A value that does not fit is an error. Files of a folder, and
    /// inputs of --union, that have no common type for the column get this type. COLUMN is the name of the column
    /// before --rename; if no column has that name, it is the name after --rename. May be given several times. In a
    /// file, a new dictionary is unified as with --dictionaries unify
    #[arg(long, help_heading = "Columns", value_name = "COLUMN=TYPE")]
    pub(crate) cast: Vec<TypeArg>,
    /// Use at most this much memory for all columns of a batch that are cast [default: 268435456, or 1024 times the body of
    /// the batch in IN if that is more]
    #[arg(long, help_heading = "Columns", value_name = "BYTES", requires = "cast", value_parser = at_least_1::<NonZero<u64>>)]
    pub(crate) max_cast_bytes: Option<NonZero<u64>>,
    /// Leave out digits for which the type of --cast has no room, the day of a timestamp that becomes a time, and its zone.
    /// Of local times that become instants, those that clocks show twice are the earlier instant, and those that clocks skip
    /// are moved forward [default: all these are an error]
    #[arg(long, help_heading = "Columns", requires = "cast")]
    pub(crate) lossy: bool,
}

impl ChangedColumnsArgs {
    /// The columns that are written, before they are renamed; `None` for all.
    pub(crate) fn names(&self) -> Option<ColumnNames> {
        ColumnsArg::without(self.columns.as_ref(), self.exclude.as_ref())
    }

    /// The columns that get other names, in the order of the arguments.
    pub(crate) fn renames(&self) -> impl Iterator<Item = &RenameArg> {
        self.rename.iter().flat_map(|RenamesArg(renames)| renames)
    }
}

// How the metadata of the schema and of columns changes.
#[derive(Debug, Args)]
pub(crate) struct MetadataArgs {
    /// Set a value in the metadata of the schema. Put a key with an equals sign in double quotes: '"a=b"=c'. May be given several
    /// times
    #[arg(long, help_heading = "Metadata", value_name = "KEY=VALUE")]
    set_metadata: Vec<MetadataArg>,
    /// Remove a key, which must exist, from the metadata of the schema. May be given several times
    #[arg(long, help_heading = "Metadata", value_name = "KEY")]
    remove_metadata: Vec<String>,
    /// Set a value in the metadata of a column, or of a field inside it: place.height:unit=m. COLUMN is the name that it has in
    /// OUT; put a name with a colon in double quotes. An extension type must fit the type of the column. May be given several
    /// times
    #[arg(long, help_heading = "Metadata", value_name = "COLUMN:KEY=VALUE")]
    set_column_metadata: Vec<ColumnMetadataArg>,
    /// Remove a key, which must exist, from the metadata of a column, or of a field inside it. May be given several times
    #[arg(long, help_heading = "Metadata", value_name = "COLUMN:KEY")]
    remove_column_metadata: Vec<ColumnKeyArg>,
}

impl MetadataArgs {
    /// Checks that no key is given twice.
    ///
    /// # Errors
    /// If it is, or is set and removed.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let set = self.set_metadata.iter().map(|MetadataArg(key, _)| ("", key));
        let set_of = self.set_column_metadata.iter();
        let set_of = set_of.map(|ColumnMetadataArg(column, MetadataArg(key, _))| (column.as_str(), key));
        let removed = self.remove_metadata.iter().map(|key| ("", key));
        let removed_of = self.remove_column_metadata.iter();
        let removed_of = removed_of.map(|ColumnKeyArg(column, key)| (column.as_str(), key));
        let mut seen = HashSet::new();
        for (column, key) in set.chain(removed).chain(set_of).chain(removed_of) {
            if !seen.insert((column, key)) {
                let option = if column.is_empty() { "--set-metadata" } else { "--set-column-metadata" };
                let error = format!("the key {} is given twice, or set and removed", QuotedName(key));
                return Err(Failure::TextOption { option, error: error.into() });
            }
        }
        Ok(())
    }

    /// The changes, those that remove keys first.
    pub(crate) fn changes(&self) -> impl Iterator<Item = MetadataChange> {
        let remove = self.remove_metadata.iter().map(MetadataChange::remove);
        let remove_of = self.remove_column_metadata.iter();
        let remove_of =
            remove_of.map(|ColumnKeyArg(column, key)| MetadataChange::remove(key).for_column(column));
        let set = self.set_metadata.iter().map(|MetadataArg(key, value)| MetadataChange::set(key, value));
        let set_of =
            self.set_column_metadata.iter().map(|ColumnMetadataArg(column, MetadataArg(key, value))| {
                MetadataChange::set(key, value).for_column(column)
            });
        remove.chain(remove_of).chain(set).chain(set_of)
    }
}

// How the output is written, whatever IN is.
#[derive(Debug, Args)]
pub(crate) struct WritingArgs {
    /// Compress bodies: none, lz4, zstd, or zstd with a level from 1 (default) to 22 (slowest): zstd:9; negative levels are faster
    #[arg(long, help_heading = "Output", value_name = "CODEC", default_value = "none")]
    pub(crate) compression: CompressionArg,
    /// What to do if a dictionary changes
    #[arg(long, help_heading = "Output", value_name = "HOW", default_value = "replace", value_parser = one_of(DICTIONARY_MODES))]
    pub(crate) dictionaries: DictionaryMode,
    /// The version of the metadata; 4 is for readers older than Arrow 1.0
    #[arg(long, help_heading = "Output", value_name = "VERSION", default_value = "5", value_parser = one_of(VERSIONS))]
    pub(crate) metadata_version: MetadataVersion,
    /// Write the legacy framing, for readers older than Arrow 0.15; needs --metadata-version 4
    #[arg(long, help_heading = "Output")]
    pub(crate) legacy_framing: bool,
    /// Align bodies to BYTES, and every buffer of at least BYTES; a power of two from 8 to 65536. 8 gives the least
    /// padding, 4096 suits memory maps
    #[arg(long, help_heading = "Output", value_name = "BYTES", default_value_t = 64)]
    pub(crate) alignment: usize,
    /// Write a buffer once if several columns of a batch share it
    #[arg(long, help_heading = "Output")]
    pub(crate) share_buffers: bool,
    /// Leave out all dictionary values, list-view items and bytes of views to which nothing refers. Dictionaries then
    /// differ from batch to batch: see --dictionaries
    #[arg(long, help_heading = "Output")]
    pub(crate) compact: bool,
    /// Write zeros in null slots, and in items to which no list or union refers, instead of the bytes that the input has
    /// there. With --compact, no byte is written that no value shows
    #[arg(long, help_heading = "Output")]
    pub(crate) zero_nulls: bool,
    /// Keep buffers whole, even if few of their bytes are used
    #[arg(long, help_heading = "Output", conflicts_with = "compact")]
    pub(crate) keep_unused: bool,
    /// Write the number of rows of each batch into the footer of a file, in the form that this program and polars read
    #[arg(long, help_heading = "Output")]
    pub(crate) row_counts: bool,
    /// Write the least and the greatest value of each column in each batch into the footer of a file, so that readers can skip batches in
    /// which no row matches: see --trust-statistics. Implies --row-counts. They take at most 2 % of the file; if not all fit, those of nearly sorted columns are written
    #[arg(long, help_heading = "Output")]
    pub(crate) statistics: bool,
    /// Write the same custom metadata into the schema message and the footer of a file, as the specification requires since May 2026:
    /// all pairs of IN, without row counts and statistics
    #[arg(long, help_heading = "Output", conflicts_with_all = ["row_counts", "statistics"])]
    pub(crate) same_metadata: bool,
    /// The byte order of bodies [default: that of this machine]
    #[arg(long, help_heading = "Output", value_name = "ORDER", value_parser = one_of(ORDERS))]
    pub(crate) endian: Option<Endianness>,
}

/// The containers of `--to`.
pub(super) const CONTAINERS: &[(&str, WrittenContainer, &str)] = &[
    ("stream", WrittenContainer::Stream, "An Arrow IPC stream"),
    ("file", WrittenContainer::File, "An Arrow IPC file"),
];

/// The values of `--metadata-version`.
pub(super) const VERSIONS: &[(&str, MetadataVersion, &str)] =
    &[("4", MetadataVersion::V4, ""), ("5", MetadataVersion::V5, "")];

/// The values of `--endian`.
pub(super) const ORDERS: &[(&str, Endianness, &str)] =
    &[("little", Endianness::Little, ""), ("big", Endianness::Big, "")];

/// The value of `--compression`; `None` for no compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CompressionArg(pub(crate) Option<Compression>);

/// The values of `--dictionaries`.
pub(super) const DICTIONARY_MODES: &[(&str, DictionaryMode, &str)] = &[
    (
        "replace",
        DictionaryMode::Replace,
        "Write the whole dictionary again. A file has one dictionary for all batches: if they differ, it is written as with unify, unless the input or the output is a pipe",
    ),
    (
        "delta",
        DictionaryMode::Delta,
        "Append the new values to the dictionary. Not all readers support this: polars 2.1 refuses it, and pyarrow 26 if the values of a dictionary have dictionaries",
    ),
    (
        "unify",
        DictionaryMode::Unify,
        "Write one dictionary with the values of all batches. All readers support this. Reads the input twice; a pipe, and the rows of text, are copied to a temporary file",
    ),
];

impl FromStr for CompressionArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<CompressionArg, &'static str> {
        Compression::from_name(text).map(CompressionArg).map_err(|_| match text.split_once(':') {
            Some(("lz4", _)) => "lz4 has no levels; zstd has: zstd:9",
            Some(("zstd", _)) => "the levels of zstd are whole numbers up to 22",
            None | Some(_) => "expected none, lz4, zstd or zstd with a level: zstd:9",
        })
    }
}

#[cfg(test)]
mod tests {
    use arrow_ipc::WriteOptions;

    use super::*;

    /// The words of the program are those of the library, which other languages share.
    #[test]
    fn words_are_those_of_the_library() {
        let named = |name: &str, word: &str| WriteOptions::new().with_named(name, word).unwrap();
        for (word, order, _) in ORDERS {
            assert_eq!(named("endianness", word).endianness(), *order);
        }
        for (word, version, _) in VERSIONS {
            assert_eq!(named("metadata_version", word).version(), *version);
        }
        for (word, mode, _) in DICTIONARY_MODES {
            assert_eq!(word.parse(), Ok(*mode));
        }
        for word in
            ["none", "lz4", "lz4:2", "zstd", "zstd:-5", "zstd:0", "zstd:22", "zstd:23", "zstd:x", "gzip"]
        {
            let ours = word.parse().ok().map(|CompressionArg(compression)| compression);
            let library = WriteOptions::new().with_named("compression", word).ok();
            assert_eq!(ours, library.map(|options| options.compression()), "{word}");
        }
    }

    #[test]
    fn codecs_may_have_a_level() {
        let lz4 = Compression::lz4();
        let zstd = Compression::zstd();
        let cases = [
            ("none", Some(None)),
            ("lz4", Some(Some(lz4))),
            ("lz4:2", None),
            ("zstd", Some(Some(zstd))),
            ("zstd:9", Some(Some(zstd.with_level(9)))),
            ("zstd:1", Some(Some(zstd.with_level(1)))),
            ("zstd:22", Some(Some(zstd.with_level(22)))),
            ("zstd:-5", Some(Some(zstd.with_level(-5)))),
            ("zstd:0", Some(Some(zstd.with_level(0)))),
            ("zstd:-131073", None),
            ("zstd:23", None),
            ("zstd:99", None),
            ("none:1", None),
            ("zstd:", None),
            ("zstd:fast", None),
            ("gzip", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse().ok(), expected.map(CompressionArg), "{text}");
        }
    }
}
