//! Samples as files and streams that are planned from their shapes alone, and read with a provider of their buffers.

use std::{
    collections::{HashMap, HashSet},
    io,
    ops::Range,
};

use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_ipc::{
    Container, FileWriter, Limits, MessageScan, StreamWriter, WrittenContainer, error::BlockIndex,
    message::Header,
};
use arrow_ipc_rewrite::plan::{BatchShape, BufferProvider, Plan, PlanBuilder, PlannedData};

use crate::Sample;

/// The number of bytes that are read at a time. It is odd, so buffers and headers are cut at any position.
const N_PIECE_BYTES: u64 = 10_007;

/// The owner of a buffer: the dictionary with an id, or the batch at a position.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Owner {
    Dictionary(Option<i64>),
    Batch(usize),
}

/// A file or stream of the writer: its bytes, and the ranges of its buffers.
struct Written {
    bytes: Buffer,
    /// The buffers. For dictionaries, those of the last dictionary with an id, since streams begin with empty ones.
    buffers: HashMap<Owner, Vec<Range<u64>>>,
    /// The ids of dictionaries that no slot uses. They have no values.
    empty_dictionaries: HashSet<i64>,
}

/// The sample as a planned file or stream. Its buffers are those that the writer writes. The headers of the writer are
/// only used to find the buffers.
///
/// # Errors
/// The errors of planning, writing and reading.
pub fn planned(sample: &Sample, container: Container) -> arrow_ipc::Result<Vec<u8>> {
    let Sample { schema, batches, .. } = sample;
    if container == Container::File {
        let mut file = FileWriter::try_new(Vec::new(), schema)?;
        batches.iter().try_for_each(|batch| file.write(batch))?;
        let bytes = Buffer::from(file.finish()?);
        let written = Written::of(&bytes, MessageScan::try_from_file(bytes.clone(), Limits::default())?)?;
        let mut plan = PlanBuilder::try_new(schema, WrittenContainer::File)?;
        push_all(&mut plan, sample, &written)?;
        read(&plan.finish()?, &written)
    } else {
        let mut stream = StreamWriter::try_new(Vec::new(), schema)?;
        batches.iter().try_for_each(|batch| stream.write(batch))?;
        let bytes = Buffer::from(stream.finish()?);
        let scan = MessageScan::try_new(bytes.clone(), 0..u64::MAX, Limits::default())?;
        let written = Written::of(&bytes, scan)?;
        let mut plan = PlanBuilder::try_new(schema, WrittenContainer::Stream)?;
        push_all(&mut plan, sample, &written)?;
        read(&plan.finish()?, &written)
    }
}

impl Written {
    fn of(bytes: &Buffer, mut scan: MessageScan<Buffer>) -> arrow_ipc::Result<Written> {
        let mut written =
            Written { bytes: bytes.clone(), buffers: HashMap::new(), empty_dictionaries: HashSet::new() };
        let (mut n_batches, limits) = (0, Limits::default());
        while let Some(message) = scan.next_message()? {
            let (owner, header) = match message.header(&limits)? {
                Header::RecordBatch(header) => {
                    n_batches += 1;
                    (Owner::Batch(n_batches - 1), header)
                }
                Header::DictionaryBatch { id, batch, .. } => {
                    match batch.n_rows() {
                        0 => written.empty_dictionaries.insert(id),
                        _ => written.empty_dictionaries.remove(&id),
                    };
                    (Owner::Dictionary(Some(id)), batch)
                }
                _ => continue,
            };
            let body = message.body_position();
            let ranges = header.buffers().iter().map(|range| {
                let start = body + range.start();
                start..start + range.n_bytes()
            });
            written.buffers.insert(owner, ranges.collect());
        }
        Ok(written)
    }
}

impl BufferProvider for Written {
    fn read_buffer(&self, data: &PlannedData<'_>, to: &mut [u8]) -> io::Result<usize> {
        let owner = match data.buffer.block {
            BlockIndex::RecordBatch(batch_idx) => Owner::Batch(batch_idx),
            BlockIndex::Dictionary(_) => Owner::Dictionary(data.buffer.dictionary_id),
        };
        let buffer = self.buffers.get(&owner).and_then(|ranges| ranges.get(data.buffer.buffer_idx));
        let buffer = buffer.ok_or_else(|| io::Error::other("the buffer was not written"))?;
        let bytes = &self.bytes[buffer.start as usize..buffer.end as usize];
        to.copy_from_slice(&bytes[data.range.start as usize..data.range.end as usize]);
        Ok(to.len())
    }
}

/// Adds all batches to the plan. All have the dictionaries of the first batch, with ids in pre-order. Inner dictionaries
/// come first.
fn push_all(plan: &mut PlanBuilder, sample: &Sample, written: &Written) -> arrow_ipc::Result<()> {
    let mut dictionaries = Vec::new();
    if let Some(batch) = sample.batches.first() {
        batch.columns().iter().for_each(|column| add_dictionaries(column, &mut dictionaries));
    }
    for (id, values) in dictionaries.into_iter().enumerate().rev() {
        let id = id as i64;
        let is_empty = written.empty_dictionaries.contains(&id);
        let shape = if is_empty { BatchShape::new(0) } else { BatchShape::try_from_values(values)? };
        plan.push_dictionary(id, &shape)?;
    }
    sample.batches.iter().try_for_each(|batch| plan.push(&BatchShape::try_from_batch(batch)?, 1))
}

fn add_dictionaries<'a>(array: &'a ArrayData, found: &mut Vec<&'a ArrayData>) {
    if let Some(values) = array.dictionary() {
        found.push(values);
        add_dictionaries(values, found);
    }
    array.children().iter().for_each(|child| add_dictionaries(child, found));
}

/// The bytes of the planned file, read in pieces from the end to the start.
fn read(plan: &Plan, written: &Written) -> arrow_ipc::Result<Vec<u8>> {
    let mut image = vec![0; plan.len() as usize];
    let parts: Vec<Range<u64>> = plan.parts(N_PIECE_BYTES, 1).collect();
    for part in parts.into_iter().rev() {
        plan.read_into(part.start, &mut image[part.start as usize..part.end as usize], written)?;
    }
    Ok(image)
}
