//! Finds bytes of bodies that no slot refers to. Metadata tells of buffers that are too long; of bodies that are not
//! compressed, the first and last offset tell of data before and after them, and views, list views, dense unions and
//! indices of what they refer to.

mod nodes;
mod used;

use std::{collections::HashMap, ops::Range};

use arrow_ipc::{Endianness, message::Header};

pub(in crate::inspect) use self::nodes::{Budget, wanted_ranges};
use self::{
    nodes::Nodes,
    used::{ByteCounts, ReadBody, share},
};
use crate::inspect::MessageView;

/// What has been found so far.
#[derive(Debug, Default)]
pub(super) struct UnusedBytes {
    pub(super) n_bytes: u64,
    /// Whether dictionaries have values that no index refers to.
    pub(super) is_in_dictionaries: bool,
    budget: Option<Budget>,
    /// Of the present stream.
    dictionaries: HashMap<i64, SeenValues>,
    /// Whether there are indices in this stream that have not been looked at.
    has_other_indices: bool,
}

/// The values of a dictionary, and which of them indices refer to.
#[derive(Debug, Default)]
struct SeenValues {
    n_values: u64,
    sizes: ByteCounts,
    marks: Vec<u64>,
}

impl SeenValues {
    /// Of more values it is not found out.
    const MAX_VALUES: u64 = 1 << 23;

    fn mark(&mut self, index: u64) {
        let Some(word) = usize::try_from(index / 64).ok().filter(|_| index < SeenValues::MAX_VALUES) else {
            return;
        };
        if self.marks.len() <= word {
            self.marks.resize(word + 1, 0);
        }
        self.marks.iter_mut().skip(word).take(1).for_each(|marks| *marks |= 1 << (index % 64));
    }

    /// The bytes of values that no index refers to.
    fn n_unused_bytes(&self) -> u64 {
        let n_used: u64 = self.marks.iter().map(|marks| u64::from(marks.count_ones())).sum();
        if self.n_values > SeenValues::MAX_VALUES {
            return 0;
        }
        self.sizes.n_used.saturating_sub(share(self.sizes.n_used, n_used, self.n_values))
    }
}

impl UnusedBytes {
    /// A stream begins: dictionaries of the one before it have no more indices.
    pub(super) fn begin_stream(&mut self) {
        let dictionaries = std::mem::take(&mut self.dictionaries);
        if !std::mem::take(&mut self.has_other_indices) {
            dictionaries.values().for_each(|dictionary| self.end_dictionary(dictionary));
        }
    }

    fn end_dictionary(&mut self, dictionary: &SeenValues) {
        let n_bytes = dictionary.n_unused_bytes();
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        self.is_in_dictionaries |= n_bytes > 0;
    }

    /// Looks at a complete message.
    pub(super) fn message(&mut self, view: &MessageView<'_>, endianness: Endianness) {
        let Some(Ok(map)) = view.buffer_map else { return };
        let Some(nodes) = Nodes::new(view.message, (map, view.header.as_ref().ok())) else { return };
        let read = |range: Range<u64>| {
            let n_bytes = range.end.saturating_sub(range.start);
            let read = view.bodies.fetch(view.message, range.start, n_bytes).ok()?;
            (read.len() as u64 == n_bytes).then_some(read)
        };
        let budget = self.budget.get_or_insert_with(|| Budget::new(view.bodies));
        let wanted = if view.is_complete() { nodes.wanted(budget).collect() } else { Vec::new() };
        let read = wanted.into_iter().map(|range| range.and_then(read)).collect();
        let mut body = ReadBody { nodes: &nodes, read, endianness, dictionaries: &mut self.dictionaries };
        let (mut next, mut sizes) = (0, ByteCounts::default());
        while next < nodes.header.nodes().len()
            && let Some(column) = body.sizes(&mut next)
        {
            sizes.add(column.n_all, column.n_used);
        }
        self.has_other_indices |= !nodes.indices().all(|place| body.whole(place).is_some());
        self.n_bytes = self.n_bytes.saturating_add(sizes.n_all.saturating_sub(sizes.n_used));
        if let Ok(Header::DictionaryBatch { id, is_delta, batch }) = &view.header {
            let dictionary = self.dictionaries.entry(*id).or_default();
            // Indices of a file may come before their values.
            let is_replaced = !is_delta && dictionary.n_values > 0;
            let replaced = is_replaced.then(|| std::mem::take(dictionary));
            dictionary.n_values = dictionary.n_values.saturating_add(batch.n_rows());
            dictionary.sizes.add(sizes.n_all, sizes.n_used);
            if let Some(replaced) = replaced.filter(|_| !self.has_other_indices) {
                self.end_dictionary(&replaced);
            }
        }
    }
}
