//! Inputs made to take time or memory, and mutated ones.

use std::{fs, panic::AssertUnwindSafe};

use arrow_data::RecordBatch;
use arrow_ipc::StreamWriter;
use testing_support::{Generator, Hunt, files_below, ints};

use super::harness::recover;
use crate::ALLOCATOR;

fn stream(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap()
}

/// A stream, then this again and again.
fn followed_by(words: &[u8], n_bytes: usize) -> Vec<u8> {
    let mut bytes = stream(&testing_support::batch_of(ints(0..100)));
    bytes.extend([0x11; 8]);
    while bytes.len() < n_bytes {
        bytes.extend(words);
    }
    bytes
}

#[test]
fn false_markers_fetch_bytes_in_proportion_to_the_input() {
    let whole = stream(&testing_support::batch_of(ints(0..100)));
    let found = recover(&whole).unwrap();
    let message = &found.messages[0];
    let metadata = whole[message.position() as usize..message.body_position() as usize].to_vec();
    // The length of the body, as the message has it.
    let n_body_bytes = message.n_body_bytes().to_le_bytes();
    let at = metadata.windows(8).position(|bytes| bytes == n_body_bytes).unwrap();
    let claiming = |n_bytes: u64| {
        let mut metadata = metadata.clone();
        metadata[at..at + 8].copy_from_slice(&n_bytes.to_le_bytes());
        metadata
    };
    let marker = |length: u32| [[0xff; 4], length.to_le_bytes()].concat();
    let cases = [
        ("markers", vec![0xff; 8]),
        ("markers of short metadata", marker(16)),
        ("markers of long metadata", marker(1 << 20)),
        ("end markers", marker(0)),
        ("messages with long bodies", claiming(1 << 19)),
        ("messages that reach to the end", claiming(1 << 40)),
        ("messages without bodies", claiming(0)),
        ("messages with their own body", metadata.clone()),
    ];
    for (name, words) in cases {
        for n_bytes in [256 << 10, 2 << 20] {
            let bytes = followed_by(&words, n_bytes);
            let found = recover(&bytes).unwrap();
            assert!(!found.batches.is_empty(), "{name}");
            // Eight times the bytes: what is read again for each marker would be 64 times as much.
            assert!(found.n_fetched_bytes <= 40 * bytes.len() as u64, "{name}: {}", found.n_fetched_bytes);
        }
    }
}

#[test]
fn mutated_inputs_are_harmless() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(77);
    let folder = testing_support::corpus_dir().join("golden/pyarrow-26.0.1");
    let all = [files_below(&folder, ".arrow"), files_below(&folder, ".arrows")].concat();
    for path in hunt.some_of(&all, all.len().min(40), 0) {
        let bytes = fs::read(path).unwrap();
        for _ in 0..hunt.count(6, 200) {
            let mut mutated = bytes.clone();
            for _ in 0..=rng.below(6) {
                let (at, n_bytes) = (rng.below(mutated.len()), rng.below(64) + 1);
                let end = (at + n_bytes).min(mutated.len());
                match rng.below(4) {
                    0 => mutated[at] = rng.below(256) as u8,
                    1 => drop(mutated.drain(at..end)),
                    2 => {
                        let copied = mutated[at..end].to_vec();
                        let to = rng.below(mutated.len());
                        mutated.splice(to..to, copied);
                    }
                    _ => mutated[at..end].fill(0xff),
                }
                if mutated.is_empty() {
                    mutated.push(0);
                }
            }
            let attempt = std::panic::catch_unwind(AssertUnwindSafe(|| {
                let (_, usage) = ALLOCATOR.measure(|| recover(&mutated).map(|found| found.batches.len()));
                let allowed = (1 << 20) + 256 * mutated.len() as i64;
                assert!(usage.peak_bytes <= allowed, "{} bytes of {}", usage.peak_bytes, mutated.len());
            }));
            assert!(attempt.is_ok(), "{}, attempt {attempt:?}", path.display());
        }
    }
}

#[test]
fn bytes_that_are_fetched_are_few() {
    let schema = "a: int64\nb: utf8".parse::<arrow_schema::Schema>().unwrap();
    let batches = Generator::new(4).batches(&schema, &[20_000; 20]);
    let mut writer = StreamWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    let bytes = writer.finish().unwrap();
    let found = recover(&bytes).unwrap();
    assert_eq!(found.batches.len(), 20);
    assert!(found.n_fetched_bytes < 3 * bytes.len() as u64, "{} of {}", found.n_fetched_bytes, bytes.len());
}
