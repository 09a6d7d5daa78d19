//! Tests streams in random pieces, files by ranges in any order, and changed bodies with valid metadata.

use std::sync::LazyLock;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{StreamWriter, WriteOptions};
use testing_support::{Generator, Nulls, all_types};

use crate::{
    check::{Uses, check_share},
    operations::use_batches,
    share::Share,
    wire::Map,
};

fn checked(bytes: &[u8], uses: Option<Uses>) {
    let verdict = check_share(&Buffer::copy_from(bytes), uses, Share::by(bytes));
    assert!(verdict.findings.is_empty(), "{}", verdict.findings.join("\n"));
}

/// Readers of streams, which must agree.
pub(super) fn stream(bytes: &[u8]) {
    if !bytes.starts_with(crate::wire::MAGIC) {
        checked(bytes, None);
    }
}

/// Readers of files, which must agree. If the file has no magic, it is added.
pub(super) fn file(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    for (to, from) in bytes.iter_mut().zip(b"ARROW1\0\0") {
        *to = *from;
    }
    if let Some(start) = bytes.len().checked_sub(6) {
        bytes[start..].copy_from_slice(crate::wire::MAGIC);
    }
    checked(&bytes, None);
}

/// For each type, a stream of one batch, and the range of its body.
static STREAMS: LazyLock<Vec<(Vec<u8>, std::ops::Range<usize>)>> = LazyLock::new(|| {
    let streams = all_types().into_iter().enumerate().map(|(idx, (name, data_type))| {
        let array = Generator::new(idx as u64).array(&data_type, 30, Nulls::Some);
        let batch = RecordBatch::try_from_columns([(name, array)]).expect("one column");
        let options = WriteOptions::new().with_alignment(8);
        let stream = StreamWriter::write_to_vec_with(batch.schema(), std::slice::from_ref(&batch), options)
            .expect("generated");
        let last = Map::of(&stream).messages.pop().expect("the batch comes last");
        (stream, last.body)
    });
    streams.filter(|(_, body)| !body.is_empty()).collect()
});

/// Changes the body of a batch. The first byte selects the type. Each group of three bytes is a position, and the number
/// that is added to the byte at this position.
pub(super) fn body(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let (stream, body) = &STREAMS[usize::from(*first) % STREAMS.len()];
    let mut stream = stream.clone();
    for change in rest.chunks_exact(3).take(64) {
        let location = usize::from(u16::from_le_bytes([change[0], change[1]])) % body.len();
        stream[body.start + location] = stream[body.start + location].wrapping_add(change[2]);
    }
    checked(&stream, Some(use_batches));
}
