//! The result of explaining an input.

use arrow_ipc::{Codec, Container, Endianness, MetadataVersion, error::CopyCause, file::Footer};
use arrow_ipc_statistics::FileStatistics;
use arrow_schema::{FieldPath, Metadata, Schema};

use super::finding::Finding;

/// The result of [`explain`](crate::explain()). Lengths count stored bytes, which may be compressed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// Whether the input is a file or a stream.
    pub container: Container,
    /// The length of the input in bytes; `None` for a stream from a pipe.
    pub n_bytes: Option<u64>,
    /// The metadata version of the first schema; `None` if there is no schema.
    pub version: Option<MetadataVersion>,
    /// The byte order of the first schema.
    pub endianness: Option<Endianness>,
    /// The program that wrote the input, according to keys in the metadata of the schema; `None` if unknown.
    pub writer: Option<&'static str>,
    /// The number of streams; a file has one.
    pub n_streams: u64,
    /// The number of columns of the first schema.
    pub n_columns: u64,
    /// The number of record batches that are complete. Their values are not checked.
    pub n_batches: u64,
    /// The number of truncated batches: the input ends, or its footer begins, before the end of the batch.
    pub n_truncated_batches: u64,
    /// The number of batches that are not truncated, but are inconsistent or contradict the schema.
    pub n_unreadable_batches: u64,
    /// The number of rows in complete batches.
    pub n_rows: u64,
    /// The number of rows of the smallest and of the largest complete batch; `None` if there is no complete batch.
    pub batch_rows: Option<(u64, u64)>,
    /// The number of complete dictionary batches.
    pub n_dictionary_batches: u64,
    /// The number of values in complete dictionary batches.
    pub n_dictionary_values: u64,
    /// The number of complete tensors.
    pub n_tensors: u64,
    /// The codecs of all bodies, without repetition.
    pub codecs: Vec<Codec>,
    /// The total length of all bodies. Missing bytes do not count.
    pub n_body_bytes: u64,
    /// The number of bytes that are missing in truncated bodies.
    pub n_missing_bytes: u64,
    /// The total decompressed length of all bodies; `None` if one is unknown. A body that is not compressed counts with its
    /// length.
    pub n_decompressed_bytes: Option<u64>,
    /// The total length of the metadata of all messages and of the footer.
    pub n_metadata_bytes: u64,
    /// The number of body bytes that belong to no buffer.
    pub n_padding_bytes: u64,
    /// The total length of the bodies of all tensors.
    pub n_tensor_bytes: u64,
    /// The number of body bytes that no slot uses, as far as they were found. They are in buffers that are too long,
    /// before the first and after the last offset, in data buffers of views, in children of list views and dense
    /// unions, and in dictionaries. Compressed bodies are not searched.
    pub n_unused_bytes: u64,
    /// The number of body bytes with unknown content, such as the bytes of columns whose types are unknown.
    pub n_unknown_bytes: u64,
    /// The number of all other bytes: magic, end markers, the length of the footer, and unreadable bytes. 0 for a pipe.
    pub n_other_bytes: u64,
    /// The statistics in the footer; `None` if the footer has none.
    pub statistics: Option<StatisticsSize>,
    /// Why readers cannot share a memory map of the input, as far as it shows without the values; empty if they can.
    pub copies: Vec<CopyCause>,
    /// The size of each column, in descending order.
    pub columns: Vec<ColumnCost>,
    /// Oddities and possible improvements, in descending order of importance.
    pub findings: Vec<Finding>,
}

/// The size of a column, including all fields inside it and their dictionaries.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnCost {
    /// The name of the column.
    pub name: String,
    /// The type of the column, as text.
    pub data_type: String,
    /// The total length of the column's buffers. Missing bytes do not count.
    pub n_bytes: u64,
    /// The total decompressed length of the column's buffers; `None` if one is unknown. A buffer that is not compressed
    /// counts with its length.
    pub n_decompressed_bytes: Option<u64>,
}

/// The size of the statistics in the footer of a file. Their values are not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatisticsSize {
    /// The number of bytes that the statistics take in the footer.
    pub n_bytes: u64,
    /// The number of columns with statistics; `None` if the statistics are unreadable or do not fit the batches in
    /// the footer.
    pub n_columns: Option<u64>,
}

impl StatisticsSize {
    pub(super) fn from_footer(footer: &Footer) -> Option<StatisticsSize> {
        let n_bytes = footer.metadata().get(Footer::STATISTICS_KEY)?.len() as u64;
        let n_columns = FileStatistics::from_footer(footer).map(|statistics| {
            let is_known = |path: &&FieldPath| {
                let mut described = statistics.described_bounds(path).map(|(_, known)| known);
                described
                    .any(|known| known.null_count.is_some() || known.min.is_some() || known.max.is_some())
            };
            let columns = statistics.columns().filter(|path| path.positions().nth(1).is_none());
            columns.filter(is_known).count() as u64
        });
        Some(StatisticsSize { n_bytes, n_columns })
    }
}

/// Metadata keys of schemas that only one program writes, and the name of this program.
const WRITERS_BY_SCHEMA_KEY: [(&str, &str); 4] = [
    ("pandas", "pandas, through pyarrow"),
    ("r", "the arrow package of R"),
    ("huggingface", "datasets of Hugging Face"),
    ("geo", "a GeoArrow writer"),
];

/// Prefixes of metadata keys of fields that only one program writes, and the name of this program.
const WRITERS_BY_FIELD_KEY: [(&str, &str); 1] = [("_PL_", "polars")];

impl Explanation {
    /// The program that wrote a schema, according to keys in its metadata; `None` for most files, which have no such
    /// keys. A program that rewrites a file may copy the metadata, so the name may belong to an earlier writer.
    ///
    /// ```
    /// use arrow_ipc_report::explain::Explanation;
    /// use arrow_schema::{Metadata, Schema};
    ///
    /// let schema: Schema = "id: int64".parse()?;
    /// assert_eq!(Explanation::writer_of(&schema), None);
    /// let schema = schema.with_metadata(Metadata::from_iter([("pandas", "{}")]));
    /// assert_eq!(Explanation::writer_of(&schema), Some("pandas, through pyarrow"));
    /// # Ok::<(), arrow_schema::ParseError>(())
    /// ```
    pub fn writer_of(schema: &Schema) -> Option<&'static str> {
        let by_metadata = WRITERS_BY_SCHEMA_KEY.iter().find(|(key, _)| schema.metadata().get(key).is_some());
        let has_key = |metadata: &Metadata, start| {
            metadata.iter().any(|(key, _)| key.is_some_and(|key| key.starts_with(start)))
        };
        let by_fields = || {
            let mut fields = schema.fields_in_pre_order();
            fields.find_map(|field| {
                WRITERS_BY_FIELD_KEY.iter().find(|(start, _)| has_key(field.metadata(), start))
            })
        };
        by_metadata.or_else(by_fields).map(|(_, writer)| *writer)
    }
}
