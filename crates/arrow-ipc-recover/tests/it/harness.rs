//! A recovery of bytes in memory, with what it asks for, and of parts of it.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    FileReader, FileWriter, IpcSchema, MessageKind, Result, StreamReader, StreamWriter, message::Message,
};
use arrow_ipc_recover::{LostPart, Recovery, RecoveryStep};

/// The result of a recovery.
#[derive(Debug, Default)]
pub(super) struct RecoveryResult {
    pub(super) schema: Option<IpcSchema>,
    pub(super) batches: Vec<RecordBatch>,
    pub(super) messages: Vec<Message>,
    pub(super) lost: Vec<LostPart>,
    /// The number of requested bytes.
    pub(super) n_fetched_bytes: u64,
}

impl RecoveryResult {
    pub(super) fn n_dictionaries(&self) -> usize {
        self.messages.iter().filter(|message| message.kind() == MessageKind::DictionaryBatch).count()
    }

    pub(super) fn lost_text(&self) -> Vec<String> {
        self.lost.iter().map(ToString::to_string).collect()
    }
}

pub(super) fn recover(bytes: &[u8]) -> Result<RecoveryResult> {
    run(Recovery::new(bytes.len() as u64), bytes)
}

pub(super) fn run(mut recovery: Recovery, bytes: &[u8]) -> Result<RecoveryResult> {
    let mut found = RecoveryResult::default();
    let mut last: Option<Range<u64>> = None;
    loop {
        match recovery.step()? {
            RecoveryStep::Need(range) => {
                assert_ne!(last.as_ref(), Some(&range), "the same bytes twice");
                found.n_fetched_bytes += range.end - range.start;
                let slice = &bytes[range.start as usize..range.end as usize];
                recovery.provide(range.clone(), Buffer::copy_from(slice))?;
                last = Some(range);
                continue;
            }
            RecoveryStep::Schema(schema) => found.schema = Some(schema),
            RecoveryStep::Message { message, batch } => {
                found.batches.extend(batch);
                found.messages.push(message);
            }
            RecoveryStep::Lost(part) => {
                let range = part.range();
                assert!(range.start <= range.end && range.end <= bytes.len() as u64, "{part}");
                found.lost.push(part);
            }
            RecoveryStep::End => return Ok(found),
            step => panic!("{step:?}"),
        }
        last = None;
    }
}

/// The batches that a reader returns.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<RecordBatch>> {
    match bytes.starts_with(b"ARROW1") {
        true => FileReader::try_from_buffer(Buffer::copy_from(bytes))?.batches().collect(),
        false => StreamReader::try_new(bytes)?.collect(),
    }
}

/// The ends of the messages of an undamaged input, and its batches so far.
pub(super) fn ends(bytes: &[u8]) -> Vec<(u64, usize)> {
    let mut n_batches = 0;
    let mut ends: Vec<(u64, usize)> = recover(bytes)
        .unwrap()
        .messages
        .iter()
        .map(|message| {
            n_batches += usize::from(message.kind() == MessageKind::RecordBatch);
            (message.body_position() + message.n_body_bytes(), n_batches)
        })
        .collect();
    ends.insert(0, (0, 0));
    ends
}

pub(super) fn same(left: &[RecordBatch], right: &[RecordBatch]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.same_values(right).unwrap())
}

pub(super) fn stream_of(all: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), all[0].schema()).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

pub(super) fn file_of(all: &[RecordBatch]) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), all[0].schema()).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}
