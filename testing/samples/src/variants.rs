//! The ways in which samples are written.

use arrow_ipc::{
    Compression, DictionaryPolicy, Endianness, Framing, IpcError, IpcSchema, MetadataVersion, NullSlots,
    RowCounts, SharedBuffers, Unused, WriteOptions, dictionary::UnifiedDictionaries,
};
use testing_support::Nulls;

use crate::Sample;

const FOREIGN: Endianness = if cfg!(target_endian = "big") { Endianness::Little } else { Endianness::Big };

/// What samples are written with.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The name of a folder; the tables of what other implementations read name it.
    pub name: &'static str,
    options: WriteOptions,
    kind: Kind,
}

/// What a variant changes, which tells the samples that it says something about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Something about all samples.
    All,
    /// What is done with dictionaries. They grow.
    Deltas,
    /// The same, with dictionaries of all batches of a sample.
    Unified,
    /// What is beneath nulls.
    Nulls,
    /// Where buffers lie.
    Body,
    /// What the footer says of batches, several of them.
    Counts,
}

/// One with every type, and one whose columns share buffers.
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
        ("compact", new().with_unused_items(Unused::LeftOut), Kind::Body),
        ("pages", new().with_alignment(4096), Kind::Body),
        ("dense", new().with_alignment(8), Kind::Body),
        ("row-counts", new().with_row_counts(RowCounts::Written), Kind::Counts),
        ("zeros", new().with_null_slots(NullSlots::Zeros), Kind::Nulls),
    ]
    .map(|(name, options, kind)| Variant { name, options, kind })
    .into()
}

impl Variant {
    /// Whether a sample is written otherwise than by the defaults, or these are the defaults.
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

    /// Whether it is about a few samples, which hold every type, and not about most of them.
    pub fn has_few_samples(&self) -> bool {
        matches!(self.kind, Kind::Body | Kind::Counts)
    }

    /// What this sample is written with.
    ///
    /// # Errors
    /// If the dictionaries of its batches cannot be made one.
    pub fn options(&self, sample: &Sample) -> Result<WriteOptions, IpcError> {
        let options = self.options.clone();
        if self.kind != Kind::Unified {
            return Ok(options);
        }
        let schema = IpcSchema::from(&sample.schema);
        let unified = UnifiedDictionaries::try_from_batches(&schema, &sample.batches)?;
        Ok(options.with_dictionaries(DictionaryPolicy::Unify(unified)))
    }

    /// Whether a file can hold this sample: most cannot when batches bring other dictionaries than those before.
    pub fn is_for_files(&self, sample: &Sample) -> bool {
        !sample.dictionaries_change || matches!(self.kind, Kind::Deltas | Kind::Unified)
    }
}
