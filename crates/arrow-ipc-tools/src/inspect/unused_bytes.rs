//! Finds bytes of bodies that no slot uses. Metadata shows which buffers are too long. In uncompressed bodies, this
//! also reads offsets, views, sizes and indices. If offsets cannot decrease, it reads only the first and the last.

use std::{collections::HashMap, iter::Peekable, ops::Range};

use arrow_buffer::{Budget, Buffer, BufferMut};
use arrow_data::{ArrayData, ArrayParts, BufferSpec, Count, Role, layout};
use arrow_ipc::{
    BufferDescription, BufferDescriptions, BufferMap, Endianness,
    message::{BatchHeader, Header, Message},
};
use arrow_schema::{DataType, Field};
use arrow_select::UsedRanges;

use super::{
    lengths::BodySource,
    view::{MessageView, batch_of, described},
};

/// The unused bytes that were found up to now.
#[derive(Debug, Default)]
pub(super) struct UnusedBytes {
    n_bytes: u64,
    /// Whether a dictionary has values that no index refers to.
    is_in_dictionaries: bool,
    budget: Option<BodyBudget>,
    /// The dictionaries of the current stream.
    dictionaries: HashMap<i64, SeenValues>,
    /// Whether this stream has indices that were not read. They may refer to any value of a dictionary.
    has_other_indices: bool,
    /// The byte order of the current stream.
    endianness: Option<Endianness>,
}

/// The size of a dictionary, and the values to which indices refer.
#[derive(Debug, Default)]
struct SeenValues {
    n_values: u64,
    sizes: ByteCounts,
    used: UsedRanges,
}

impl UnusedBytes {
    /// Begins a stream, after counting the unused values in the dictionaries of the previous stream.
    pub(super) fn begin_stream(&mut self, endianness: Endianness) {
        self.end_stream();
        self.endianness = Some(endianness);
    }

    /// The number of unused bytes, and whether some are in dictionaries.
    pub(super) fn finish(mut self) -> (u64, bool) {
        self.end_stream();
        (self.n_bytes, self.is_in_dictionaries)
    }

    fn end_stream(&mut self) {
        let dictionaries = std::mem::take(&mut self.dictionaries);
        dictionaries.into_values().for_each(|dictionary| self.end_dictionary(dictionary));
        self.has_other_indices = false;
    }

    fn end_dictionary(&mut self, SeenValues { n_values, sizes, mut used }: SeenValues) {
        if !self.has_other_indices {
            let n_used = n_of(&mut used, 0, n_values);
            let n_bytes = sizes.n_used.saturating_sub(share(sizes.n_used, n_used, n_values));
            self.n_bytes = self.n_bytes.saturating_add(n_bytes);
            self.is_in_dictionaries |= n_bytes > 0;
        }
    }

    pub(super) fn message(&mut self, view: &MessageView<'_>, bodies: &BodySource) {
        let (Some(Ok(map)), Ok(header)) = (&view.buffer_map, &view.header) else { return };
        let budget = self.budget.get_or_insert_with(|| BodyBudget::new(bodies));
        let mut read = |range: Range<u64>| {
            let n_bytes = range.end.saturating_sub(range.start);
            let is_read = view.is_complete() && budget.takes(n_bytes);
            let bytes = if is_read { bodies.fetch(view.message, range.start, n_bytes).ok() } else { None };
            bytes.filter(|bytes| bytes.len() as u64 == n_bytes)
        };
        let Some(mut batch) = NodeSizes::new(view.message, (map, header), &mut read) else { return };
        batch.endianness = self.endianness.unwrap_or(Endianness::Little);
        let (sizes, indices) = batch.sizes();
        for (id, indices) in indices {
            let used = &mut self.dictionaries.entry(id).or_default().used;
            self.has_other_indices |= indices.is_none_or(|indices| used.add_slots(&indices).is_err());
        }
        self.n_bytes = self.n_bytes.saturating_add(sizes.n_all.saturating_sub(sizes.n_used));
        if let Header::DictionaryBatch { id, is_delta, batch } = header {
            let dictionary = self.dictionaries.entry(*id).or_default();
            // In a file, a batch may come before the dictionary of its indices. The entry in `dictionaries` then has
            // no values yet, and this message adds them.
            let is_replaced = !is_delta && dictionary.n_values > 0;
            let replaced = if is_replaced { Some(std::mem::take(dictionary)) } else { None };
            dictionary.n_values = dictionary.n_values.saturating_add(batch.n_rows());
            dictionary.sizes.add(sizes.n_all, sizes.n_used);
            replaced.into_iter().for_each(|replaced| self.end_dictionary(replaced));
        }
    }
}

/// How many bytes of bodies may still be read.
#[derive(Debug, Clone)]
pub(super) struct BodyBudget {
    budget: Budget,
    n_least: u64,
}

impl BodyBudget {
    const N_BYTES: u64 = 8 << 20;
    /// The least cost of a read in the budget. Each range needs its own read, or its own request to a server.
    const N_LEAST: u64 = 64;
    const N_LEAST_FAR: u64 = 16 << 10;

    pub(super) fn new(bodies: &BodySource) -> BodyBudget {
        let n_least = if bodies.are_far() { BodyBudget::N_LEAST_FAR } else { BodyBudget::N_LEAST };
        BodyBudget { budget: Budget::new(BodyBudget::N_BYTES), n_least }
    }

    /// Subtracts `n_bytes` from the budget. If the budget is too small, subtracts nothing and returns `false`.
    fn takes(&mut self, n_bytes: u64) -> bool {
        self.budget.spend("bytes of bodies", n_bytes.max(self.n_least)).is_ok()
    }
}

/// The byte ranges of the input that [`UnusedBytes::message`] will read for this message.
pub(super) fn needed_ranges(
    message: &Message,
    parts: (&BufferMap, &Header),
    budget: &mut BodyBudget,
) -> Vec<Range<u64>> {
    let mut ranges = Vec::new();
    let mut note = |Range { start, end }: Range<u64>| {
        let n_bytes = end.saturating_sub(start);
        if budget.takes(n_bytes) {
            let start = message.body_position().saturating_add(start);
            ranges.push(start..start.saturating_add(n_bytes));
        }
        None
    };
    NodeSizes::new(message, parts, &mut note).map(NodeSizes::sizes);
    ranges
}

/// The size of a field, including all fields inside it: all bytes, and the bytes that slots use.
#[derive(Debug, Clone, Copy, Default)]
struct ByteCounts {
    n_all: u64,
    n_used: u64,
}

impl ByteCounts {
    fn add(&mut self, n_all: u64, n_used: u64) {
        self.n_all = self.n_all.saturating_add(n_all);
        self.n_used = self.n_used.saturating_add(n_used.min(n_all));
    }
}

/// The bytes of `n` slots, if `n_all` slots of equal size have `n_bytes` bytes.
fn share(n_bytes: u64, n: u64, n_all: u64) -> u64 {
    let share = u128::from(n_bytes) * u128::from(n.min(n_all)) / u128::from(n_all.max(1));
    u64::try_from(share).unwrap_or(n_bytes)
}

fn n_of(used: &mut UsedRanges, of: usize, n_all: u64) -> u64 {
    used.n_of(of, usize::try_from(n_all).unwrap_or(usize::MAX)) as u64
}

/// Adds up the bytes of the nodes of a message.
struct NodeSizes<'a> {
    map: &'a BufferMap,
    /// The id if the message is a dictionary batch; `None` for a record batch.
    dictionary: Option<i64>,
    header: &'a BatchHeader,
    endianness: Endianness,
    node_idx: usize,
    buffers: Peekable<BufferDescriptions<'a>>,
    /// Reads a range of the body; `None` if the body is compressed, or the budget is exhausted.
    read: &'a mut dyn FnMut(Range<u64>) -> Option<Buffer>,
    /// For each node with a dictionary: the id of the dictionary, and the indices if they were read.
    indices: Vec<(i64, Option<ArrayData>)>,
}

impl<'a> NodeSizes<'a> {
    /// A buffer may be this many bytes longer than its slots need; these bytes count as padding.
    const MAX_PADDING: u64 = 63;

    fn new(
        message: &Message,
        (map, header): (&'a BufferMap, &'a Header),
        read: &'a mut dyn FnMut(Range<u64>) -> Option<Buffer>,
    ) -> Option<NodeSizes<'a>> {
        let buffers = described(map, header, message.version())?.ok()?.peekable();
        let (dictionary, header) = batch_of(header)?;
        let endianness = Endianness::NATIVE;
        let indices = Vec::new();
        Some(NodeSizes { map, dictionary, header, endianness, node_idx: 0, buffers, read, indices })
    }

    /// Adds up the bytes of all columns. Also returns their indices into dictionaries.
    fn sizes(mut self) -> (ByteCounts, Vec<(i64, Option<ArrayData>)>) {
        let mut sizes = ByteCounts::default();
        while let Some(column) = self.next_sizes() {
            sizes.add(column.n_all, column.n_used);
        }
        (sizes, self.indices)
    }

    /// The bytes of the next node, including all nodes inside it.
    fn next_sizes(&mut self) -> Option<ByteCounts> {
        let node_idx = self.node_idx;
        let data_type = self.map.data_type(self.dictionary, node_idx)?;
        let n_slots = self.header.nodes().get(node_idx)?.n_slots();
        let mut buffers = Vec::new();
        while let Some(buffer) = self.buffers.next_if(|buffer| buffer.node_idx == node_idx) {
            buffers.push(buffer);
        }
        let mut used = self.used(data_type, n_slots, &buffers);
        self.node_idx = node_idx.saturating_add(1);
        let mut used_of = |target: usize, n_all: u64| used.as_mut().map(|used| n_of(used, target, n_all));
        let layout = layout(data_type);
        let mut sizes = ByteCounts::default();
        let mut n_data_buffers = 0;
        for buffer in &buffers {
            let n_bytes = buffer.range.n_bytes();
            let spec = layout.buffers().iter().find(|spec| spec.role == buffer.role);
            let n_used = match (buffer.role, spec.and_then(|spec| spec.min_bytes(n_slots))) {
                (Role::Bytes | Role::Variadic, _) => {
                    n_data_buffers += 1;
                    used_of(n_data_buffers - 1, n_bytes)
                }
                _ if self.header.compression().is_some() => None,
                (_, n_needed) => n_needed.filter(|n| n_bytes.saturating_sub(*n) > NodeSizes::MAX_PADDING),
            };
            sizes.add(n_bytes, n_used.unwrap_or(n_bytes));
        }
        for child_idx in 0..data_type.children().len() {
            let n_slots = self.header.nodes().get(self.node_idx)?.n_slots();
            let child = self.next_sizes()?;
            let n_used = used_of(child_idx, n_slots).map(|n| share(child.n_used, n, n_slots));
            sizes.add(child.n_all, n_used.unwrap_or(child.n_used));
        }
        Some(sizes)
    }

    /// The slots and bytes of data buffers or children that a node refers to. `None` if it refers to all of them, or
    /// if this is unknown.
    fn used(
        &mut self,
        data_type: &DataType,
        n_slots: u64,
        buffers: &[BufferDescription],
    ) -> Option<UsedRanges> {
        let dictionary = self.map.dictionary_of(self.dictionary, self.node_idx);
        if !layout(data_type).has_references() || (n_slots == 0 && dictionary.is_some()) {
            return None;
        }
        let mut used = UsedRanges::default();
        if n_slots == 0 {
            return Some(used);
        }
        let array = self.numbers(data_type, n_slots, buffers);
        if let Some(id) = dictionary {
            self.indices.push((id, array));
            return None;
        }
        used.add_slots(&array?).ok()?;
        Some(used)
    }

    /// An array of the offsets, views, sizes or indices of a node, without the values that they refer to. Where offsets
    /// never decrease, only the first and the last are read, as one slot.
    fn numbers(
        &mut self,
        data_type: &DataType,
        n_slots: u64,
        buffers: &[BufferDescription],
    ) -> Option<ArrayData> {
        let layout = layout(data_type);
        let specs = || layout.data_buffers().iter().filter(|spec| spec.count != Count::FromData);
        let is_in_order = specs().any(|spec| spec.count == Count::PerSlotPlusOne);
        let mut parts =
            ArrayParts::new(data_type.clone(), if is_in_order { 1 } else { usize::try_from(n_slots).ok()? });
        let numbers: Vec<_> = specs().map(|spec| self.numbers_of(spec, n_slots, buffers)).collect();
        for (slot, numbers) in parts.buffers.iter_mut().zip(numbers) {
            *slot = numbers?;
        }
        let empty = |field: &Field| ArrayData::new_empty(field.data_type());
        parts.children = Some(data_type.children().iter().map(empty).collect());
        let values = data_type.as_dictionary().map(|dictionary| dictionary.value());
        parts.dictionary = values.map(|values| ArrayData::new_empty(values).into());
        ArrayData::try_new(parts).ok()
    }

    /// Reads the numbers in a buffer, in the byte order of this machine. Of offsets, which have one number more than
    /// slots, reads only the first and the last.
    fn numbers_of(
        &mut self,
        spec: &BufferSpec,
        n_slots: u64,
        buffers: &[BufferDescription],
    ) -> Option<Buffer> {
        let range = buffers.iter().find(|buffer| buffer.role == spec.role)?.range;
        let n_bytes = spec.min_bytes(n_slots).filter(|n_bytes| *n_bytes <= range.n_bytes())?;
        if self.header.compression().is_some() {
            return None;
        }
        let start = range.start();
        let end = range.start().checked_add(n_bytes)?;
        let n_number_bytes = spec.element_bytes();
        let (first, last) = match spec.count {
            Count::PerSlotPlusOne => {
                let last = end.checked_sub(n_number_bytes)?..end;
                (start..start.checked_add(n_number_bytes)?, Some(last))
            }
            Count::PerSlot | Count::FromData => (start..end, None),
        };
        let read: Vec<Option<Buffer>> = [first].into_iter().chain(last).map(&mut self.read).collect();
        let mut numbers = BufferMut::new();
        for read in read {
            numbers.extend_from_slice(&read?);
        }
        if self.endianness != Endianness::NATIVE {
            spec.swap.to_native(numbers.as_mut_slice());
        }
        Some(numbers.freeze())
    }
}
