//! What a recovery visits: bytes of metadata, damaged bytes, spans and dictionaries. It grows in proportion to the input.

use arrow_array::{DictionaryArray, Int32Array};
use arrow_data::RecordBatch;
use arrow_ipc::StreamWriter;
use arrow_schema::work_done;
use testing_support::{batch_of, ints};

use super::harness::{RecoveryResult, recover, stream_of};

/// The result of a recovery, and the number of visits.
fn visited(bytes: &[u8]) -> (RecoveryResult, u64) {
    let before = work_done();
    let found = recover(bytes).unwrap();
    (found, work_done() - before)
}

#[test]
fn dictionaries_are_not_visited_again_after_each_message() {
    let [few, many] = [1_000, 2_000].map(|n| {
        let words =
            |idx| DictionaryArray::try_new(Int32Array::from_iter([0]), ints([idx])).unwrap().into_data();
        let columns = (0..n).map(|idx| (format!("column {idx}"), words(idx)));
        let bytes = stream_of(&[RecordBatch::try_from_columns(columns).unwrap()]);
        let (found, n_visited) = visited(&bytes);
        assert_eq!((found.n_dictionaries(), found.batches.len()), (n as usize, 1));
        n_visited
    });
    assert!(many <= few / 10 * 22, "{few}, then {many}");
}

/// A prefix, and metadata of `n_bytes` bytes, of which only the tables of a record batch without rows are written. The
/// lists of nodes and buffers begin at the positions in `lists`.
fn batch_tables(n_bytes: usize, n_body_bytes: u64, lists: [usize; 2]) -> Vec<u8> {
    const MESSAGE: usize = 16;
    const BATCH: usize = 48;
    let [nodes, buffers] = lists;
    let offset = |from: usize, to: usize| u32::try_from(to - from).unwrap().to_le_bytes();
    let shorts = |numbers: &[u16]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let tables = [
        &offset(0, MESSAGE)[..],
        // The vtable of the message: its length, the length of the table, version, kind, header, length of the body.
        &shorts(&[12, 20, 16, 18, 4, 8]),
        &offset(4, MESSAGE),
        &offset(20, BATCH),
        &n_body_bytes.to_le_bytes(),
        // V5, and a record batch.
        &[4, 0, 3, 0],
        // The vtable of the batch: its length, the length of the table, number of rows, nodes, buffers.
        &shorts(&[10, 12, 0, 4, 8]),
        &[0; 2],
        &offset(36, BATCH),
        &offset(52, nodes),
        &offset(56, buffers),
        &[0; 4],
    ];
    [&[0xff; 4][..], &u32::try_from(n_bytes).unwrap().to_le_bytes(), &tables.concat()].concat()
}

const TABLE_BYTES: usize = 64;
const PREFIX_BYTES: usize = 8;

/// A batch of one column of numbers, without rows. The buffers are empty.
fn empty_batch(body: &[u8]) -> Vec<u8> {
    let list = |n: u32, n_bytes: usize| [&[0; 4][..], &n.to_le_bytes(), &vec![0; n_bytes]].concat();
    let lists = [list(1, 16), list(2, 32)].concat();
    let nodes = TABLE_BYTES + 4;
    let n_bytes = TABLE_BYTES + lists.len();
    let tables = batch_tables(n_bytes, body.len() as u64, [nodes, nodes + 16 + 8]);
    [&tables[..], &lists, body].concat()
}

/// A stream of empty batches. After or inside each of them, a batch begins that cannot be right: all of those have the
/// same long list of buffers, which is after the last batch.
fn false_batches(n: usize, n_buffers: u32, last_buffer: [u64; 2], with: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut bytes = StreamWriter::write_to_vec(batch_of(ints([])).schema(), &[]).unwrap();
    bytes.truncate(bytes.len() - PREFIX_BYTES);
    let marker = batch_tables(0, 0, [TABLE_BYTES; 2]);
    let pair = with(&marker);
    let at = pair.windows(marker.len()).position(|found| found == marker).unwrap();
    let list_start = bytes.len() + n * pair.len() + 4;
    let list_end = list_start + 4 + 16 * n_buffers as usize;
    for _ in 0..n {
        let start = bytes.len() + at + PREFIX_BYTES;
        bytes.extend(with(&batch_tables(list_end - start, 8, [list_start - start; 2])));
    }
    bytes.extend([0; 4]);
    bytes.extend(n_buffers.to_le_bytes());
    bytes.resize(list_end - 16, 0);
    bytes.extend(last_buffer.iter().flat_map(|number| number.to_le_bytes()));
    // These bytes begin no message.
    bytes.extend([1; 24]);
    bytes
}

/// Metadata in damaged bytes may be read for four times the input and 1 MiB. Reading it visits its bytes and its lists, and the
/// bytes are searched, too.
fn assert_bounded(bytes: &[u8]) -> RecoveryResult {
    let (found, n_visited) = visited(bytes);
    let allowed = 12 * bytes.len() as u64 + (2 << 20);
    assert!(n_visited <= allowed, "{n_visited} for {}", bytes.len());
    found
}

#[test]
fn false_batches_between_batches_are_not_all_read_to_their_end() {
    // No buffer says how long the body is.
    let bytes = false_batches(1_000, 4_000, [0, 0], |tables| [&empty_batch(&[])[..], tables].concat());
    assert!(!assert_bounded(&bytes).batches.is_empty());
}

#[test]
fn false_batches_in_padding_are_not_all_read_to_their_end() {
    // The last buffer has a negative length.
    let bytes = false_batches(1_000, 4_000, [0, u64::MAX], empty_batch);
    // No message follows the last batch.
    assert_eq!(assert_bounded(&bytes).batches.len(), 999);
}
