//! How many bytes of a message slots refer to.

use std::collections::HashMap;

use arrow_buffer::Buffer;
use arrow_data::{Role, layout};
use arrow_ipc::Endianness;

use super::{SeenValues, nodes::Nodes};

/// The bytes of a field with all fields inside it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ByteCounts {
    pub(super) n_all: u64,
    pub(super) n_used: u64,
}

impl ByteCounts {
    pub(super) fn add(&mut self, n_all: u64, n_used: u64) {
        self.n_all = self.n_all.saturating_add(n_all);
        self.n_used = self.n_used.saturating_add(n_used.min(n_all));
    }
}

/// `n_bytes` of `n_all` slots or bytes, for `n` of these.
pub(super) fn share(n_bytes: u64, n: u64, n_all: u64) -> u64 {
    let share = u128::from(n_bytes) * u128::from(n.min(n_all)) / u128::from(n_all.max(1));
    u64::try_from(share).unwrap_or(n_bytes)
}

/// What was read of a message.
pub(super) struct ReadBody<'a> {
    pub(super) nodes: &'a Nodes<'a>,
    /// Two for each buffer.
    pub(super) read: Vec<Option<Buffer>>,
    pub(super) endianness: Endianness,
    pub(super) dictionaries: &'a mut HashMap<i64, SeenValues>,
}

impl ReadBody<'_> {
    /// Up to this many bytes after a buffer are padding.
    const MAX_PADDING: u64 = 63;

    /// Those of the next node, and of all inside of it.
    pub(super) fn sizes(&mut self, next: &mut usize) -> Option<ByteCounts> {
        let node_idx = std::mem::replace(next, next.saturating_add(1));
        let nodes = self.nodes;
        let (data_type, node) = (nodes.data_type(node_idx)?, nodes.header.nodes().get(node_idx)?);
        let layout = layout(data_type);
        let places = nodes.buffers_of(node_idx);
        let used = self.referred_to(node_idx);
        let mut sizes = ByteCounts::default();
        let is_compressed = nodes.header.compression().is_some();
        let mut targets = 0_usize..;
        for buffer in nodes.buffers.get(places)? {
            let n_bytes = buffer.range.n_bytes();
            let spec = layout.buffers().iter().find(|spec| spec.role == buffer.role);
            let n_needed = match (buffer.role, spec.and_then(|spec| spec.min_bytes(node.n_slots()))) {
                _ if is_compressed => n_bytes,
                (Role::Bytes | Role::Variadic, _) => {
                    targets.next().and_then(|target| used.of_target(target)).unwrap_or(n_bytes)
                }
                (_, Some(n_needed)) if n_bytes.saturating_sub(n_needed) > ReadBody::MAX_PADDING => n_needed,
                _ => n_bytes,
            };
            sizes.add(n_bytes, n_needed);
        }
        for child_idx in 0..data_type.children().len() {
            let n_slots = nodes.header.nodes().get(*next)?.n_slots();
            let child = self.sizes(next)?;
            let n_used = used.of_target(child_idx).map(|n| share(child.n_used, n, n_slots));
            sizes.add(child.n_all, n_used.unwrap_or(child.n_used));
        }
        Some(sizes)
    }

    /// A buffer that was read whole, or its first offset.
    pub(super) fn whole(&self, place: usize) -> Option<&Buffer> {
        self.read.get(place.checked_mul(2)?)?.as_ref()
    }

    /// What was read of the first buffer of a node with this role, and the position of the buffer.
    fn numbers(&self, node_idx: usize, role: Role) -> Option<(usize, ReadNumbers)> {
        let (nodes, places) = (self.nodes, self.nodes.buffers_of(node_idx));
        let buffers = nodes.buffers.get(places.clone())?;
        let (place, _) = places.zip(buffers).find(|(_, buffer)| buffer.role == role)?;
        let layout = layout(nodes.data_type(node_idx)?);
        let spec = layout.buffers().iter().find(|spec| spec.role == role)?;
        let width = usize::try_from(spec.element_bytes()).ok().filter(|width| *width > 0)?;
        Some((place, ReadNumbers { bytes: self.whole(place)?.clone(), width, order: self.endianness }))
    }

    /// How much of its data buffers or children a node refers to. Marks the values that its indices refer to.
    fn referred_to(&mut self, node_idx: usize) -> Referred {
        let nodes = self.nodes;
        let Some(data_type) = nodes.data_type(node_idx) else { return Referred::All };
        let read = |role: Role| self.numbers(node_idx, role);
        if let Some(id) = nodes.map.dictionary_of(nodes.dictionary, node_idx)
            && let Some((_, indices)) = read(Role::Values)
        {
            let dictionary = self.dictionaries.entry(id).or_default();
            indices.iter().for_each(|index| dictionary.mark(index));
            return Referred::All;
        }
        if let Some((_, views)) = read(Role::Views) {
            return Referred::of(views.bytes.chunks_exact(16).filter_map(|view| {
                let word = |at: usize| word(view.get(at..at.checked_add(4)?)?, self.endianness);
                let n_bytes = word(0)?;
                let is_long = (13..=i32::MAX as u64).contains(&n_bytes);
                Some((word(8)?, word(12)?, n_bytes)).filter(|_| is_long)
            }));
        }
        let Some((place, offsets)) = read(Role::Offsets) else { return Referred::All };
        if let Some((_, sizes)) = read(Role::Sizes) {
            return Referred::of(offsets.iter().zip(sizes.iter()).map(|(offset, size)| (0, offset, size)));
        }
        if let (Some((_, type_ids)), Some(union)) = (read(Role::TypeIds), data_type.as_union()) {
            let child = |id: u64| union.child_of(i8::try_from(id).ok()?).map(|child| child as u64);
            let slots = type_ids.iter().zip(offsets.iter());
            return Referred::of(slots.filter_map(|(id, offset)| Some((child(id)?, offset, 1))));
        }
        let last = place.checked_mul(2).and_then(|first| self.read.get(first.checked_add(1)?)?.as_ref());
        let ends = [Some(&offsets.bytes), last].map(|end| end.and_then(|end| word(end, self.endianness)));
        match ends {
            [Some(first), Some(last)] if first <= last => Referred::Some(vec![last - first]),
            _ => Referred::All,
        }
    }
}

/// How much is used of each data buffer or child.
enum Referred {
    /// All, or it is not known.
    All,
    Some(Vec<u64>),
}

impl Referred {
    fn of_target(&self, target: usize) -> Option<u64> {
        match self {
            Referred::All => None,
            Referred::Some(used) => Some(used.get(target).copied().unwrap_or_default()),
        }
    }

    /// Of what these refer to: a target, a start and a length. What several of them refer to counts once.
    fn of(parts: impl Iterator<Item = (u64, u64, u64)>) -> Referred {
        /// As many children or data buffers as are told apart.
        const MAX_TARGETS: u64 = 1 << 16;
        let mut parts: Vec<(u64, u64, u64)> = parts.filter(|(.., n)| *n > 0).collect();
        parts.sort_unstable();
        let (mut used, mut covered) = (Vec::new(), 0);
        for (target, start, n) in parts {
            let (Some(end), Ok(idx)) = (start.checked_add(n), usize::try_from(target)) else {
                return Referred::All;
            };
            if target >= MAX_TARGETS {
                return Referred::All;
            }
            if used.len() <= idx {
                used.resize(idx + 1, 0_u64);
                covered = 0;
            }
            let n_new = end.saturating_sub(start.max(covered));
            used.iter_mut().skip(idx).take(1).for_each(|used| *used = used.saturating_add(n_new));
            covered = covered.max(end);
        }
        Referred::Some(used)
    }
}

/// Unsigned numbers of one width.
struct ReadNumbers {
    bytes: Buffer,
    width: usize,
    order: Endianness,
}

impl ReadNumbers {
    fn iter(&self) -> impl Iterator<Item = u64> {
        self.bytes.chunks_exact(self.width).filter_map(|bytes| word(bytes, self.order))
    }
}

/// A number of at most 8 bytes. Negative ones are large.
fn word(bytes: &[u8], order: Endianness) -> Option<u64> {
    let mut word = [0; 8];
    match order {
        Endianness::Little => word.get_mut(..bytes.len())?.copy_from_slice(bytes),
        Endianness::Big => word.get_mut(8_usize.checked_sub(bytes.len())?..)?.copy_from_slice(bytes),
    }
    Some(match order {
        Endianness::Little => u64::from_le_bytes(word),
        Endianness::Big => u64::from_be_bytes(word),
    })
}
