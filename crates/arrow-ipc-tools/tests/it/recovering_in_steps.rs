//! A recovery in steps writes the bytes that `recover` writes, and reports the same losses.

use std::{fs, ops::Range};

use arrow_buffer::Buffer;
use arrow_ipc::{FileReader, IpcErrorKind, ReadOptions, WrittenContainer};
use arrow_ipc_tools::{
    Input, RecoverOptions, ToolErrorKind, recover,
    recover::{RecoverCopy, RecoverCopyStep},
};
use testing_support::{Hunt, corpus_dir, files_below};

use crate::samples::{file, ids};

/// The output, the losses, and the numbers of batches and rows.
type Outcome = Result<(Vec<u8>, Vec<String>, u64, u64), String>;

fn as_a_whole(bytes: &Buffer, container: WrittenContainer) -> Outcome {
    let input = Input::from_damaged("input", bytes.clone());
    match recover(input, Vec::new(), &RecoverOptions::new(container), &mut ()) {
        Ok((output, report)) => {
            let losses = report.losses.iter().map(ToString::to_string).collect();
            Ok((output, losses, report.n_batches, report.n_rows))
        }
        Err(error) => Err(error.kind().to_string()),
    }
}

/// A recovery that gets `more` bytes around each needed range.
fn in_steps(bytes: &Buffer, container: WrittenContainer, more: usize) -> Outcome {
    let around = |range: Range<u64>| {
        let start = (range.start as usize).saturating_sub(more);
        start..(range.end as usize).saturating_add(more).min(bytes.len())
    };
    let mut copy = RecoverCopy::new(bytes.len() as u64, RecoverOptions::new(container), ReadOptions::new());
    let mut output = Vec::new();
    let mut losses = Vec::new();
    let mut has_schema = false;
    loop {
        match copy.step() {
            Ok(RecoverCopyStep::Need(range)) => {
                assert!(range.start < range.end && range.end <= bytes.len() as u64, "{range:?}");
                let given = around(range);
                copy.provide(given.start as u64..given.end as u64, bytes.slice(given)).unwrap();
            }
            Ok(RecoverCopyStep::Schema(_)) => {
                assert!(!has_schema && output.is_empty());
                has_schema = true;
            }
            Ok(RecoverCopyStep::Bytes(bytes)) => {
                assert!(has_schema);
                bytes.write_to(&mut output).unwrap();
            }
            Ok(RecoverCopyStep::Lost(loss)) => losses.push(loss.to_string()),
            Ok(RecoverCopyStep::End) => break,
            Err(error) => {
                let next = copy.step().unwrap_err();
                let ToolErrorKind::Input(next) = next else { panic!("{next}") };
                assert!(matches!(next.kind(), IpcErrorKind::AlreadyFailed { .. }), "{next}");
                return Err(error.to_string());
            }
        }
        assert!(copy.position() <= bytes.len() as u64);
    }
    assert!(matches!(copy.step(), Ok(RecoverCopyStep::End)));
    if !has_schema {
        assert!(output.is_empty() && copy.n_batches() == 0);
        return Err(ToolErrorKind::NotArrow { found: None }.to_string());
    }
    Ok((output, losses, copy.n_batches(), copy.n_rows()))
}

#[test]
fn steps_write_what_recover_writes() {
    let hunt = Hunt::from_env();
    let [mut n_recovered, mut n_lost, mut n_refused] = [0; 3];
    for folder in ["golden", "hostile"] {
        for suffix in [".arrow", ".arrows"] {
            for (nth, path) in files_below(&corpus_dir().join(folder), suffix).iter().enumerate() {
                let sound = fs::read(path).unwrap();
                if sound.len() > 100_000 {
                    continue;
                }
                let mut damaged = sound.clone();
                let start = sound.len() * (1 + nth % 5) / 7;
                damaged.iter_mut().skip(start).take(24).for_each(|byte| *byte = 0xa5);
                for (idx, (kind, bytes)) in [("whole", sound), ("damaged", damaged)].into_iter().enumerate() {
                    let bytes = Buffer::from(bytes);
                    let containers = [WrittenContainer::File, WrittenContainer::Stream];
                    for &container in hunt.some_of(&containers, 1, nth + idx) {
                        let expected = as_a_whole(&bytes, container);
                        for more in hunt.some_of(&[0, 100, 1 << 20], 1, nth) {
                            let found = in_steps(&bytes, container, *more);
                            assert!(found == expected, "{}, {kind}, {container:?}, {more}", path.display());
                        }
                        match expected {
                            Ok((_, losses, ..)) if losses.is_empty() => n_recovered += 1,
                            Ok(_) => n_lost += 1,
                            Err(_) => n_refused += 1,
                        }
                    }
                }
            }
        }
    }
    let least = [400, 150, 25].map(|n| hunt.count(n, 2 * n));
    let found = [n_recovered, n_lost, n_refused];
    assert!(found.iter().zip(least).all(|(n, least)| *n > least), "{found:?}, and at least {least:?}");
}

/// Bytes that do not fit are refused, and the copy goes on with others.
#[test]
fn bytes_of_another_length_are_refused() {
    let bytes = Buffer::from(file(&[ids(0..5)]));
    let n_bytes = bytes.len() as u64;
    let options = RecoverOptions::new(WrittenContainer::File);
    let mut copy = RecoverCopy::new(n_bytes, options, ReadOptions::new());
    let RecoverCopyStep::Need(range) = copy.step().unwrap() else { panic!("bytes are needed") };
    assert!(copy.provide(range.clone(), bytes.slice(0..1)).is_err());
    assert!(copy.provide(n_bytes..n_bytes + 8, bytes.slice(0..8)).is_err());
    let mut output = Vec::new();
    loop {
        match copy.step().unwrap() {
            RecoverCopyStep::Need(range) => {
                let given = bytes.slice(range.start as usize..range.end as usize);
                copy.provide(range, given).unwrap();
            }
            RecoverCopyStep::Bytes(bytes) => bytes.write_to(&mut output).unwrap(),
            RecoverCopyStep::Lost(loss) => panic!("{loss}"),
            RecoverCopyStep::Schema(_) => {}
            RecoverCopyStep::End => break,
        }
    }
    let reader = FileReader::try_from_buffer(output.into()).unwrap();
    assert!(reader.batch(0).unwrap().same_values(&ids(0..5)).unwrap());
}
