//! How to write, as the command line says it.

use arrow_ipc::{Endianness, Framing, MetadataVersion, StreamEncoder, WriteOptions};
use arrow_schema::Schema;

use crate::{
    args::{Endian, Version, WritingArgs},
    exit::Failure,
};

/// What the arguments ask for.
///
/// # Errors
/// If that contradicts itself, whatever is written.
pub(super) fn options_of(args: &WritingArgs) -> Result<WriteOptions, Failure> {
    let version = match args.metadata_version {
        Version::V4 => MetadataVersion::V4,
        Version::V5 => MetadataVersion::V5,
    };
    let framing = if args.legacy_framing { Framing::Legacy } else { Framing::Current };
    let endianness = match args.endian {
        None => Endianness::NATIVE,
        Some(Endian::Little) => Endianness::Little,
        Some(Endian::Big) => Endianness::Big,
    };
    let options = WriteOptions::new().with_version(version).with_framing(framing).with_endianness(endianness);
    // No columns can be in the way of the options. So it is known before the input is read.
    match StreamEncoder::new(Schema::default(), options.clone()) {
        Ok(_) => Ok(options),
        Err(error) => Err(Failure::Options { error }),
    }
}
