//! How Arrow 0.17 said that a body is compressed, before the format could say it.

use arrow_schema::Metadata;

use crate::{
    error::{IpcErrorKind, Result, Unsupported},
    protocol::{Codec, MetadataVersion},
};

const KEY: &str = "ARROW:experimental_compression";

/// The codec that the custom metadata of a batch's message names. Buffers are as in all compressed bodies. It was written
/// in upper case; the first of several counts.
///
/// # Errors
/// If it names another codec.
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
            let what =
                Unsupported::Part("codec in `ARROW:experimental_compression`; supported are LZ4 and ZSTD");
            Err(IpcErrorKind::Unsupported { what }.into())
        }
    }
}
