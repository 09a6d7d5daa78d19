//! Counts the steps of a recovery, for inputs that are built to be searched many times.

use arrow_ipc::{StreamWriter, WriteOptions};
use arrow_ipc_format::{CONTINUATION, Framing, MetadataVersion};

use super::{Recovery, RecoveryStep};

/// Recovers an input. Returns the number of batches and of steps.
fn recover(bytes: &[u8]) -> (usize, u64) {
    let mut recovery = Recovery::new(bytes.len() as u64);
    let mut n_batches = 0;
    loop {
        match recovery.step().unwrap() {
            RecoveryStep::Need(range) => {
                let slice = &bytes[range.start as usize..range.end as usize];
                recovery.provide(range, arrow_buffer::Buffer::copy_from(slice)).unwrap();
            }
            RecoveryStep::Message { batch, .. } => n_batches += usize::from(batch.is_some()),
            RecoveryStep::End => return (n_batches, recovery.n_steps()),
            RecoveryStep::Schema(_) | RecoveryStep::Lost(_) => {}
        }
    }
}

fn stream(options: WriteOptions) -> Vec<u8> {
    let batch = testing_support::batch_of(testing_support::ints(0..4));
    let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap()
}

/// The metadata of the batch, without its body. It states a body of `n_body_bytes` bytes.
fn metadata(stream: &[u8], n_body_bytes: u64) -> Vec<u8> {
    let is_marker = |bytes: &[u8]| bytes == CONTINUATION;
    let schema = stream.windows(4).position(is_marker).unwrap();
    let start = schema + 4 + stream[schema + 4..].windows(4).position(is_marker).unwrap();
    let length = u32::from_le_bytes(stream[start + 4..start + 8].try_into().unwrap()) as usize;
    let mut metadata = stream[start..start + 8 + length].to_vec();
    let body = 64u64.to_le_bytes();
    let at = metadata.windows(8).position(|bytes| bytes == body).unwrap();
    metadata[at..at + 8].copy_from_slice(&n_body_bytes.to_le_bytes());
    metadata
}

/// Each position is tried at most a fixed number of times, even if messages overlap.
#[test]
fn steps_are_in_proportion_to_the_input() {
    let start = stream(WriteOptions::new());
    let legacy = WriteOptions::new().with_version(MetadataVersion::V4).with_framing(Framing::Legacy);
    let legacy_start = stream(legacy);
    let marker = |length: u32, table: u32| [[0xff; 4], length.to_le_bytes(), table.to_le_bytes()].concat();
    let nested = |n_bytes: usize| {
        // Each message states a length up to the end of the input, or a little less.
        let one = metadata(&start, 0).len();
        (0..n_bytes / one).flat_map(|nth| metadata(&start, (n_bytes - (nth + 1) * one) as u64)).collect()
    };
    let repeated = |words: Vec<u8>| {
        move |n_bytes: usize| words.iter().copied().cycle().take(n_bytes).collect::<Vec<u8>>()
    };
    type Fill<'a> = Box<dyn Fn(usize) -> Vec<u8> + 'a>;
    let cases: Vec<(&str, Fill<'_>)> = vec![
        ("markers", Box::new(repeated(vec![0xff]))),
        ("likely prefixes", Box::new(repeated(marker(1 << 16, 16)))),
        ("messages without a body", Box::new(repeated(metadata(&start, 0)))),
        ("messages with a body", Box::new(repeated([metadata(&start, 64), vec![1; 64]].concat()))),
        ("messages that lack bytes", Box::new(repeated([metadata(&start, 64), vec![1; 61]].concat()))),
        ("messages that overlap", Box::new(repeated(metadata(&start, 1 << 12)))),
        ("messages that are too long", Box::new(repeated(metadata(&start, 1 << 40)))),
        ("messages inside of each other", Box::new(nested)),
        ("lengths of legacy framing", Box::new(repeated([64u32, 16].map(u32::to_le_bytes).concat()))),
    ];
    for (name, fill) in cases {
        for start in [&start, &legacy_start] {
            for after in [&b""[..], b"garbage.", b"odd"] {
                for n_bytes in [16 << 10, 128 << 10] {
                    let bytes =
                        [&start[..start.len() - 4], after, &fill(n_bytes), b"something else"].concat();
                    let (n_batches, n_steps) = recover(&bytes);
                    // In legacy framing, the metadata of a message has many bytes that look like a length.
                    let allowed = bytes.len() as u64 + 100;
                    assert!(
                        n_batches > 0 && n_steps <= allowed,
                        "{name}: {n_batches}, {n_steps} of {allowed}"
                    );
                }
            }
        }
    }
}
