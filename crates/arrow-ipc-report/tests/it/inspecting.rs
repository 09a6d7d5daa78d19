//! Inspections as JSON, and the damage that they report.

use std::{io, ops::ControlFlow};

use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    Compression, Limits, StreamWriter, WriteOptions,
    file::{Block, Footer},
};
use arrow_ipc_report::{JsonLinesReport, JsonReport, NoteText};
use arrow_ipc_tools::{Input, InspectOptions, InspectReport, ToolErrorKind, inspect};
use arrow_schema::DataType;
use serde_json::Value;

use crate::samples::{OnDisk, file, ids, stream};

fn inspected(bytes: &[u8]) -> (Vec<Value>, InspectReport) {
    let mut found = Vec::new();
    let mut report = JsonReport::new(|object| {
        found.push(object);
        ControlFlow::Continue(())
    });
    let input = Input::try_from_buffer("memory", bytes.to_vec().into()).unwrap();
    let inspected = inspect(input, &InspectOptions::new().with_buffers(), &mut report, &mut ()).unwrap();
    (found, inspected)
}

#[test]
fn messages_and_buffers_are_values() {
    let (found, inspected) = inspected(&file(&[ids([1, 2, 3])]));
    assert!(inspected.damage.is_empty() && inspected.notes.is_empty());
    let kinds: Vec<&str> = found.iter().map(|object| object["what"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["container", "message", "message", "end", "footer"]);
    let batch = &found[2];
    assert_eq!((batch["kind"].as_str(), batch["n_rows"].as_u64()), (Some("record batch"), Some(3)));
    let values = &batch["buffers"][1];
    assert_eq!((values["field"].as_str(), values["n_bytes"].as_u64()), (Some("id"), Some(24)));
}

#[test]
fn damage_is_listed_after_what_is_found() {
    let bytes = stream(&[ids([1, 2, 3]), ids([4])]);
    let (found, inspected) = inspected(&bytes[..bytes.len() - 20]);
    let n_messages = found.iter().filter(|object| object["what"] == "message").count();
    assert_eq!(n_messages, 3);
    let [error] = &inspected.damage[..] else { panic!("{:?}", inspected.damage) };
    assert!(matches!(error.kind(), ToolErrorKind::Input(_)), "{error}");
    let (_, inspected) = self::inspected(&[&bytes[..], b"words"].concat());
    let notes: Vec<String> = inspected.notes.iter().map(|note| NoteText(note).to_string()).collect();
    let n_bytes = bytes.len();
    assert_eq!(
        notes,
        [format!(
            "memory: the stream ends at byte {n_bytes}; 5 trailing bytes are not a stream, and not read"
        )]
    );
}

#[test]
fn reports_stop_an_inspection() {
    let mut n_calls = 0;
    let mut report = JsonReport::new(|_| {
        n_calls += 1;
        ControlFlow::Break(())
    });
    let input = Input::try_from_buffer("memory", stream(&[ids([1])]).into()).unwrap();
    let error = inspect(input, &InspectOptions::new(), &mut report, &mut ()).unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::Stopped));
    assert_eq!(n_calls, 1);
}

/// A file of 200 batches with a damaged first batch, so that only the footer shows where the others are. `position` gets
/// the true positions and an index, and returns the position to write into the footer.
fn replaced_blocks(position: impl Fn(&[u64], usize) -> u64) -> Vec<u8> {
    let batches: Vec<_> = (0..200).map(|idx| ids([idx])).collect();
    let mut bytes = file(&batches);
    let footer = Footer::read(&Buffer::copy_from(&bytes), &Limits::default()).unwrap();
    let positions: Vec<u64> = footer.batches().iter().map(Block::position).collect();
    let start = footer.position() as usize;
    let list = bytes[start..].windows(8).position(|word| word == positions[0].to_le_bytes()).unwrap();
    for idx in 0..positions.len() {
        let block = start + list + idx * 24;
        assert_eq!(bytes[block..block + 8], positions[idx].to_le_bytes());
        bytes[block..block + 8].copy_from_slice(&position(&positions, idx).to_le_bytes());
    }
    let first = positions[0] as usize;
    bytes[first + 8..first + 16].fill(0xff);
    bytes
}

#[test]
fn a_message_is_shown_once_however_often_the_footer_lists_it() {
    let shown = |bytes: &[u8]| {
        let (found, inspected) = inspected(bytes);
        let blocks = found.iter().filter_map(|object| object["block"].as_u64());
        (blocks.collect::<Vec<_>>(), inspected.damage.len())
    };
    let (all, _) = shown(&replaced_blocks(|positions, idx| positions[idx]));
    assert_eq!(all, (1..200).collect::<Vec<_>>());
    let (same, _) = shown(&replaced_blocks(|positions, idx| positions[idx.min(7)]));
    assert_eq!(same, (1..8).collect::<Vec<_>>());
}

/// Overlapping blocks. Each block says that it contains the rest of the file.
#[test]
fn overlapping_declared_ranges_are_read_a_few_times() {
    let mut bytes = replaced_blocks(|positions, idx| positions[1] + 8 * idx as u64);
    let footer = Footer::read(&Buffer::copy_from(&bytes), &Limits::default()).unwrap();
    let first = footer.batches()[0].position() as usize;
    let rest = (footer.position() - first as u64) as u32 - 2_000;
    for word in bytes[first..first + 8 * 200].chunks_exact_mut(4) {
        word.copy_from_slice(&rest.to_le_bytes());
    }
    let (_, inspected) = inspected(&bytes);
    let last = inspected.damage.last().unwrap().to_string();
    assert!(last.contains("bytes together"), "{last}");
    assert!(inspected.damage.len() < 12, "{}", inspected.damage.len());
}

/// A view column may have any number of buffers. Each takes 16 bytes of metadata.
#[test]
fn very_many_buffers_take_little_memory() {
    const N_BUFFERS: usize = 300_000;
    let long = Buffer::from(b"0123456789abcdef".to_vec());
    let views: Vec<View> = (0..N_BUFFERS).map(|idx| View::long(&long, idx as i32, 0).unwrap()).collect();
    let views = Buffer::from(views);
    let parts = ArrayParts {
        buffers: [views, Buffer::new()],
        variadic: Some(vec![long; N_BUFFERS].into()),
        ..ArrayParts::new(DataType::BinaryView, N_BUFFERS)
    };
    let batch = RecordBatch::try_from_columns([("v", ArrayData::try_new(parts).unwrap())]).unwrap();
    for (compression, most) in [(None, 21), (Some(Compression::lz4()), 26)] {
        let options = WriteOptions::new().with_alignment(8).with_compression(compression);
        let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        let source = OnDisk(writer.finish().unwrap().into());
        let n_metadata_bytes = 16 * N_BUFFERS as i64;
        let (_, usage) = crate::ALLOCATOR.measure(move || {
            let input = Input::try_new("disk", source).unwrap();
            let mut report = JsonLinesReport::new(io::sink());
            inspect(input, &InspectOptions::new().with_buffers(), &mut report, &mut ()).unwrap();
        });
        let n_bytes = usage.peak_bytes;
        assert!(
            n_bytes > n_metadata_bytes && n_bytes < n_metadata_bytes * most / 10 + (64 << 10),
            "{n_bytes}"
        );
    }
}
