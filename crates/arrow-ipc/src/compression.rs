//! Buffers of a compressed body to the bytes that they stand for.

use arrow_buffer::Buffer;

use crate::{
    error::{IpcErrorKind, Result, Unsupported},
    message::Codec,
};

/// The bytes of one buffer as arrays need them. Each is compressed for itself.
pub(crate) fn decompress(codec: Option<Codec>, bytes: Buffer) -> Result<Buffer> {
    match codec {
        None => Ok(bytes),
        Some(Codec::Lz4Frame) => Err(unsupported("a body compressed with LZ4")),
        Some(Codec::Zstd) => Err(unsupported("a body compressed with ZSTD")),
    }
}

fn unsupported(what: &'static str) -> crate::IpcError {
    IpcErrorKind::Unsupported { what: Unsupported::Part(what) }.into()
}
