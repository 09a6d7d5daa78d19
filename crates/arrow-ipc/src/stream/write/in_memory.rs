//! Writes batches as a stream or file to memory that is allocated once.

use std::io::Write;

use arrow_buffer::BufferMut;
use arrow_data::RecordBatch;

use super::{BatchEncoder, SinkWriter, trailer::Trailer};
use crate::{
    error::{IpcErrorKind, Result},
    segment::encoded::OwnedEncoded,
};

/// A memory buffer that can be written to.
pub(crate) trait MemoryOutput: Write {
    /// An output with memory for `n_bytes` bytes. If the system refuses this much memory, the output is smaller and grows
    /// as it is written.
    fn with_reserved(n_bytes: usize) -> Self;
}

impl MemoryOutput for BufferMut {
    fn with_reserved(n_bytes: usize) -> BufferMut {
        BufferMut::try_with_capacity(n_bytes).unwrap_or_default()
    }
}

impl MemoryOutput for Vec<u8> {
    fn with_reserved(n_bytes: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let _ = bytes.try_reserve_exact(n_bytes);
        bytes
    }
}

/// Writes a whole stream or file. The encoder must be new.
pub(crate) fn write_batches<R: MemoryOutput>(
    mut encoder: BatchEncoder<impl Trailer>,
    batches: &[RecordBatch],
) -> Result<R> {
    let start = encoder.start()?.into_owned();
    if let [batch] = batches {
        // The batch is encoded once. Its segments wait until the length of the output is known.
        let batch = encoder.encode(batch)?.into_owned();
        return write_parts(&[start, batch, encoder.finish()?.into_owned()]);
    }
    let mut output: R = output_of(encoder.count_bytes(batches, start.n_bytes())?);
    start.write_to(&mut output).map_err(IpcErrorKind::Write)?;
    let mut writer = SinkWriter::from_encoder(encoder, output);
    batches.iter().try_for_each(|batch| writer.write(batch))?;
    writer.finish()
}

fn write_parts<R: MemoryOutput>(parts: &[OwnedEncoded]) -> Result<R> {
    let mut output: R = output_of(Some(parts.iter().map(|part| part.n_bytes()).sum()));
    parts.iter().try_for_each(|part| part.write_to(&mut output)).map_err(IpcErrorKind::Write)?;
    Ok(output)
}

fn output_of<R: MemoryOutput>(n_bytes: Option<u64>) -> R {
    R::with_reserved(n_bytes.and_then(|n_bytes| usize::try_from(n_bytes).ok()).unwrap_or_default())
}
