//! The variants in which samples are written.

use arrow_ipc::{
    Compression, DictionaryPolicy, Endianness, Framing, IpcError, IpcSchema, MetadataVersion, NullSlots,
    RowCounts, SharedBuffers, UnusedValues, WriteOptions, dictionary::UnifiedDictionaries,
};
use testing_support::Nulls;

use crate::Sample;

const FOREIGN: Endianness = if cfg!(target_endian = "big") { Endianness::Little } else { Endianness::Big };

/// The options with which samples are written.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The name of a folder. The tables of what other implementations read contain this name.
    pub name: &'static str,
    options: WriteOptions,
    kind: Kind,
}

/// What a variant changes. This decides for which samples it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A property of all samples.
    All,
    /// The treatment of dictionaries, which grow.
    Deltas,
    /// The treatment of dictionaries, which are unified over all batches of a sample.
    Unified,
    /// The values of null slots.
    Nulls,
    /// The positions of buffers.
    Body,
    /// The properties of batches in the footer. There are several batches.
    Counts,
}

/// A sample with every type, and a sample whose columns share buffers.
const SAMPLES_OF_BODIES: [&str; 2] = ["every-type", "shared-buffers"];

const SAMPLES_OF_COUNTS: [&str; 3] = ["int64-nulls", "utf8-nulls", "decimal128-38-10-nulls"];

/// All variants, the defaults first.
pub fn variants() -> Vec<Variant> {
    let new = WriteOptions::new;
    let old = || new().with_version(MetadataVersion::V4);
    let shared_lz4 = || new().with_shared_buffers(SharedBuffers::Once).with_compression(Compression::lz4());
    let foreign = || new().with_endianness(FOREIGN);
    [
        ("default", new(), Kind::All),
        ("foreign-endian", foreign(), Kind::All),
        ("v4", old(), Kind::All),
        ("legacy", old().with_framing(Framing::Legacy), Kind::All),
        ("lz4", new().with_compression(Compression::lz4()), Kind::All),
        ("zstd", new().with_compression(Compression::zstd()), Kind::All),
        ("foreign-lz4", foreign().with_compression(Compression::lz4()), Kind::All),
        ("delta", new().with_dictionaries(DictionaryPolicy::Delta), Kind::Deltas),
        ("unified", new(), Kind::Unified),
        ("shared", new().with_shared_buffers(SharedBuffers::Once), Kind::Body),
        ("shared-lz4", shared_lz4(), Kind::Body),
        ("compact", new().with_unused_items(UnusedValues::Remove), Kind::Body),
        ("pages", new().with_alignment(4096), Kind::Body),
        ("dense", new().with_alignment(8), Kind::Body),
        ("row-counts", new().with_row_counts(RowCounts::Written), Kind::Counts),
        ("zeros", new().with_null_slots(NullSlots::Zeros), Kind::Nulls),
    ]
    .map(|(name, options, kind)| Variant { name, options, kind })
    .into()
}

impl Variant {
    /// Whether a sample is written differently than with the default options, or whether this variant is the default.
    pub fn is_about(&self, sample: &Sample) -> bool {
        match self.kind {
            Kind::All => true,
            Kind::Deltas | Kind::Unified => {
                sample.schema.fields().iter().any(|field| field.to_string().contains("dictionary<"))
            }
            Kind::Body => SAMPLES_OF_BODIES.contains(&&*sample.name),
            Kind::Counts => SAMPLES_OF_COUNTS.contains(&&*sample.name),
            Kind::Nulls => sample.nulls != Nulls::None,
        }
    }

    /// Whether the variant is used only for a few samples, which contain every type.
    pub fn has_few_samples(&self) -> bool {
        matches!(self.kind, Kind::Body | Kind::Counts)
    }

    /// The options for this sample.
    ///
    /// # Errors
    /// If the dictionaries of the batches cannot be unified.
    pub fn options(&self, sample: &Sample) -> Result<WriteOptions, IpcError> {
        let options = self.options.clone();
        if self.kind != Kind::Unified {
            return Ok(options);
        }
        let schema = IpcSchema::from(&sample.schema);
        let unified = UnifiedDictionaries::try_from_batches(&schema, &sample.batches)?;
        Ok(options.with_dictionaries(DictionaryPolicy::Unify(unified)))
    }

    /// Whether a file can contain this sample. Most files do not support batches that replace earlier dictionaries.
    pub fn is_for_files(&self, sample: &Sample) -> bool {
        !sample.dictionaries_change || matches!(self.kind, Kind::Deltas | Kind::Unified)
    }
}
