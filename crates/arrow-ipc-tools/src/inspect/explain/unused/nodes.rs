//! The buffers of a message by node, and which bytes of them are read to find out what slots refer to.

use std::ops::Range;

use arrow_data::{Count, Layout, Role, layout};
use arrow_ipc::{
    BufferDescription, BufferMap,
    message::{BatchHeader, Header, Message},
};
use arrow_schema::DataType;

use crate::inspect::lengths::Bodies;

/// What may still be read of bodies.
#[derive(Debug, Clone)]
pub(in crate::inspect) struct Budget {
    n_left: u64,
    n_least: u64,
}

impl Budget {
    const N_BYTES: u64 = 8 << 20;
    /// What a range counts at least: each is a read, or a request if the input is far away.
    const N_LEAST: u64 = 64;
    const N_LEAST_FAR: u64 = 16 << 10;

    pub(in crate::inspect) fn new(bodies: &Bodies) -> Budget {
        let n_least = if bodies.are_far() { Budget::N_LEAST_FAR } else { Budget::N_LEAST };
        Budget { n_left: Budget::N_BYTES, n_least }
    }

    /// Whether a range may be read; then it counts.
    fn takes(&mut self, range: &Range<u64>) -> bool {
        let n_bytes = range.end.saturating_sub(range.start).max(self.n_least);
        let left = self.n_left.checked_sub(n_bytes);
        self.n_left = left.unwrap_or(self.n_left);
        left.is_some()
    }
}

/// The ranges of the input that [`UnusedBytes::message`] reads of a message.
pub(in crate::inspect) fn wanted_ranges(
    message: &Message,
    (map, header): (&BufferMap, Option<&Header>),
    budget: &mut Budget,
) -> Vec<Range<u64>> {
    let place = |range: Range<u64>| {
        let start = message.body_position().saturating_add(range.start);
        start..start.saturating_add(range.end.saturating_sub(range.start))
    };
    let nodes = Nodes::new(message, (map, header));
    nodes.iter().flat_map(|nodes| nodes.wanted(budget).flatten().map(place).collect::<Vec<_>>()).collect()
}

/// The buffers of a message that is not compressed.
pub(super) struct Nodes<'a> {
    pub(super) map: &'a BufferMap,
    /// The dictionary that it is of.
    pub(super) dictionary: Option<i64>,
    pub(super) header: &'a BatchHeader,
    pub(super) buffers: Vec<BufferDescription>,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(
        message: &Message,
        (map, header): (&'a BufferMap, Option<&'a Header>),
    ) -> Option<Nodes<'a>> {
        let version = message.version();
        let (header, dictionary, buffers) = match header? {
            Header::RecordBatch(header) => (header, None, map.record_batch(header, version)),
            Header::DictionaryBatch { id, batch, .. } => {
                (batch, Some(*id), map.dictionary_batch(*id, batch, version))
            }
            Header::Schema(_) | Header::Tensor(_) | Header::SparseTensor(_) | _ => return None,
        };
        Some(Nodes { map, dictionary, header, buffers: buffers.ok()?.collect() })
    }

    pub(super) fn data_type(&self, node_idx: usize) -> Option<&DataType> {
        self.map.data_type(self.dictionary, node_idx)
    }

    /// What is to be read of the buffers: two ranges for each.
    pub(super) fn wanted(&self, budget: &mut Budget) -> impl Iterator<Item = Option<Range<u64>>> {
        let is_plain = self.header.compression().is_none();
        self.buffers.iter().flat_map(move |buffer| {
            let wanted = self.wanted_of(buffer).filter(|_| is_plain);
            wanted
                .map_or([None, None], |wanted| wanted.map(|range| range.filter(|range| budget.takes(range))))
        })
    }

    fn wanted_of(&self, buffer: &BufferDescription) -> Option<[Option<Range<u64>>; 2]> {
        let data_type = self.data_type(buffer.node_idx)?;
        let layout = layout(data_type);
        let spec = layout.buffers().iter().find(|spec| spec.role == buffer.role)?;
        let n_slots = self.header.nodes().get(buffer.node_idx)?.n_slots();
        let (start, n_bytes) = (buffer.range.start(), spec.min_bytes(n_slots)?);
        if n_slots == 0 || n_bytes > buffer.range.n_bytes() {
            return None;
        }
        let end = start.checked_add(n_bytes)?;
        match (spec.role, spec.count) {
            (Role::Offsets, Count::PerSlotPlusOne) => {
                let n_bytes = spec.element_bytes();
                Some([Some(start..start.checked_add(n_bytes)?), Some(end.checked_sub(n_bytes)?..end)])
            }
            (Role::Views | Role::Offsets | Role::Sizes, _) => Some([Some(start..end), None]),
            (Role::TypeIds, _) if has_offsets(&layout) => Some([Some(start..end), None]),
            (Role::Values, _) if data_type.is_dictionary() => Some([Some(start..end), None]),
            (Role::TypeIds | Role::Values | Role::Validity | Role::Bytes | Role::Variadic, _) => None,
        }
    }

    /// The positions of the buffers of a node.
    pub(super) fn buffers_of(&self, node_idx: usize) -> Range<usize> {
        let before = |node_idx| self.buffers.partition_point(|buffer| buffer.node_idx < node_idx);
        before(node_idx)..before(node_idx.saturating_add(1))
    }

    /// The positions of the buffers with indices.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> {
        let buffers = self.buffers.iter().enumerate().filter(|(_, buffer)| buffer.role == Role::Values);
        let has_slots =
            |node_idx: usize| self.header.nodes().get(node_idx).is_some_and(|node| node.n_slots() > 0);
        let is_index = move |buffer: &BufferDescription| {
            self.data_type(buffer.node_idx).is_some_and(DataType::is_dictionary) && has_slots(buffer.node_idx)
        };
        buffers.filter(move |(_, buffer)| is_index(buffer)).map(|(place, _)| place)
    }
}

fn has_offsets(layout: &Layout) -> bool {
    layout.buffers().iter().any(|spec| spec.role == Role::Offsets)
}
