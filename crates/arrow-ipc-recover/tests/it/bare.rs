//! Files of polars, which begin with a schema message that has no prefix, without their footer.

use std::{fs, slice::from_ref};

use arrow_array::Int64Array;
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, Limits, file::Block, file::Footer};
use arrow_ipc_recover::LostContent;
use testing_support::{Hunt, files_below};

use super::harness::{read, recover, same};

fn files() -> Vec<(String, Vec<u8>, Footer)> {
    let golden = testing_support::corpus_dir().join("golden/polars-2.1.0");
    let paths = files_below(&golden, ".arrow").into_iter();
    let named = paths.map(|path| (path.display().to_string(), fs::read(path).unwrap()));
    let with_footer = |(name, bytes): (String, Vec<u8>)| {
        let footer = Footer::read(&Buffer::copy_from(&bytes), &Limits::default()).unwrap();
        (name, bytes, footer)
    };
    named.map(with_footer).collect()
}

fn end(block: &Block) -> usize {
    (block.position() + block.n_bytes()) as usize
}

#[test]
fn cut_files_have_their_schema_at_the_start() {
    let mut n_cut = 0;
    for (name, bytes, footer) in files() {
        let all = read(&bytes).unwrap();
        let blocks = footer.dictionaries().iter().chain(footer.batches());
        let ends = blocks.map(end).chain([footer.position() as usize]);
        for n_bytes in ends.flat_map(|end| [end, end + 1, end + 20]).filter(|length| *length < bytes.len()) {
            let found = recover(&bytes[..n_bytes]);
            let found = found.unwrap_or_else(|error| panic!("{name}, {n_bytes} bytes: {error}"));
            assert_eq!(found.schema.unwrap().schema(), footer.schema(), "{name}");
            // Dictionaries come after the batches that need them.
            if footer.dictionaries().is_empty() {
                let n_batches = footer.batches().iter().filter(|block| end(block) <= n_bytes).count();
                assert!(same(&found.batches, &all[..n_batches]), "{name}, {n_bytes} bytes");
            }
            // The bytes of the schema are not.
            let blocks = footer.dictionaries().iter().chain(footer.batches());
            let first_block = blocks.map(Block::position).min().unwrap_or(n_bytes as u64);
            assert!(
                found.lost.iter().all(|part| part.range().start >= first_block),
                "{name}: {:?}",
                found.lost
            );
            assert!(
                found.lost.iter().any(|part| part.what() == LostContent::Footer),
                "{name}, {n_bytes} bytes"
            );
            n_cut += 1;
        }
    }
    assert!(n_cut > 100, "{n_cut}");
}

#[test]
fn damage_after_the_schema_is_not_taken_for_a_part_of_it() {
    for (name, mut bytes, footer) in files() {
        let [first, _, ..] = footer.batches() else { continue };
        bytes.truncate(footer.position() as usize);
        let start = first.position() as usize;
        bytes[start..start + 8].fill(7);
        let found = recover(&bytes).unwrap();
        let is_said = found.lost.iter().any(|part| part.range().contains(&first.position()));
        assert!(is_said, "{name}: {:?}", found.lost_text());
    }
}

#[test]
fn each_byte_of_the_schema_may_be_wrong() {
    for (name, mut bytes, footer) in files() {
        let first_block = footer.batches().first().map_or(footer.position(), Block::position);
        bytes.truncate(footer.position() as usize);
        for position in (8..first_block as usize).step_by(Hunt::from_env().count(31, 3)) {
            bytes[position] ^= 0xff;
            match recover(&bytes) {
                Ok(found) => assert!(found.schema.is_some(), "{name}, byte {position}"),
                Err(error) => assert!(!error.to_string().is_empty(), "{name}, byte {position}"),
            }
            bytes[position] ^= 0xff;
        }
    }
}

#[test]
fn long_schemas_are_read_in_a_few_pieces() {
    let columns = (0..10_000).map(|idx| (format!("column {idx}"), Int64Array::from_iter([1]).into()));
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let mut file = FileWriter::write_to_buffer(batch.schema(), from_ref(&batch)).unwrap().to_vec();
    file.drain(8..16);
    file.truncate(file.len() - 20);
    let found = recover(&file).unwrap();
    assert!(same(&found.batches, from_ref(&batch)), "{:?}", found.lost_text());
    let n_fetched = found.n_fetched_bytes;
    assert!(n_fetched < 5 * file.len() as u64, "{n_fetched} bytes of {}", file.len());
}
