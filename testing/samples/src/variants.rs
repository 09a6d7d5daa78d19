//! The ways in which samples are written.

use arrow_ipc::{Endianness, Framing, MetadataVersion, WriteOptions};

const FOREIGN: Endianness = if cfg!(target_endian = "big") { Endianness::Little } else { Endianness::Big };

/// What all samples are written with.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The name of a folder; the tables of what other implementations read name it.
    pub name: &'static str,
    /// What is not the default.
    pub options: WriteOptions,
    /// Whether files can hold batches that bring other dictionaries than those before.
    pub files_take_other_dictionaries: bool,
}

/// All variants, the defaults first.
pub fn variants() -> Vec<Variant> {
    let old = || WriteOptions::new().with_version(MetadataVersion::V4);
    [
        ("default", WriteOptions::new(), false),
        ("foreign-endian", WriteOptions::new().with_endianness(FOREIGN), false),
        ("v4", old(), false),
        ("legacy", old().with_framing(Framing::Legacy), false),
    ]
    .map(|(name, options, files_take_other_dictionaries)| Variant {
        name,
        options,
        files_take_other_dictionaries,
    })
    .into()
}
