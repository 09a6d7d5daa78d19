//! Compression of Arrow 0.17: its format had no field for the codec, so custom metadata names the codec.

use std::borrow::Cow;

use arrow_schema::Metadata;

use crate::{
    error::{FormatErrorKind, Result, UnsupportedPart},
    protocol::{Codec, MetadataVersion},
};

const KEY: &str = "ARROW:experimental_compression";

/// The codec that the custom metadata of a batch message names. The compressed buffers have the same layout as today.
/// Arrow 0.17 wrote the name in upper case. If several entries name a codec, the first one is used.
///
/// # Errors
/// If the codec is unknown.
pub(super) fn experimental_codec(version: MetadataVersion, metadata: &Metadata) -> Result<Option<Codec>> {
    if version != MetadataVersion::V4 {
        return Ok(None);
    }
    let Some((_, name)) = metadata.iter().find(|(key, _)| *key == Some(KEY)) else { return Ok(None) };
    match name.map(str::to_ascii_lowercase).as_deref() {
        Some("lz4") => Ok(Some(Codec::Lz4Frame)),
        Some("zstd") => Ok(Some(Codec::Zstd)),
        Some("uncompressed") => Ok(None),
        Some(_) | None => {
            let what = UnsupportedPart::Part(
                "codec in `ARROW:experimental_compression`; supported are LZ4 and ZSTD",
            );
            Err(FormatErrorKind::Unsupported { what }.into())
        }
    }
}

/// Removes the entry of the codec. Metadata that was read from a V4 message may contain this entry, and readers of V4
/// would use the codec that it names.
pub(super) fn without_codec(version: MetadataVersion, metadata: &Metadata) -> Cow<'_, Metadata> {
    if version != MetadataVersion::V4 || metadata.iter().all(|(key, _)| key != Some(KEY)) {
        return Cow::Borrowed(metadata);
    }
    let others = metadata.iter().filter(|(key, _)| *key != Some(KEY));
    let others = others.map(|(key, value)| (key.map(Into::into), value.map(Into::into)));
    Cow::Owned(Metadata::from_pairs(others.collect()))
}
