//! Adds up the buffers of each field.

use std::{
    collections::HashMap,
    fmt::{self, Write},
};

use arrow_ipc::{
    BodyRange, BufferDescription, BufferMap,
    message::{BatchHeader, FieldNode},
};
use arrow_ipc_tools::inspect::MessageView;
use arrow_schema::{FieldPath, PathStep};
use arrow_text::format::{LimitedText, first_chars};

use super::span::BufferSpan;

/// All fields that have buffers. A field that occurs in several streams is listed once.
#[derive(Debug, Default)]
pub(crate) struct BufferFields {
    all: Vec<FieldTotals>,
    /// The positions of fields in `all`. Fields with the same dictionary id, node index, path and type are the same
    /// field.
    by_name: HashMap<Key, usize>,
    /// For record batches (`None`), and for each dictionary id: the positions in `all` of the fields, by the index of
    /// their node in the current schema.
    present: HashMap<Option<i64>, Vec<Option<usize>>>,
    n_text_bytes: usize,
    /// If there are too many fields, the position in `all` of the total of all further fields.
    others: Option<usize>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    dictionary: Option<i64>,
    node_idx: usize,
    path: String,
    data_type: String,
}

/// The totals of a field.
#[derive(Debug, Default)]
pub(crate) struct FieldTotals {
    /// The path of the field, cut after 200 characters.
    pub(crate) path: String,
    /// The type of the field, cut after 200 characters.
    pub(crate) data_type: String,
    /// The position of the column in the schema; `None` for a field that is not a column.
    pub(crate) column_idx: Option<u32>,
    /// The id of the dictionary whose values have the field; `None` for fields of record batches.
    pub(crate) dictionary: Option<i64>,
    /// The number of buffers.
    pub(crate) n_buffers: u64,
    /// The total length of the buffers.
    pub(crate) n_bytes: u64,
    /// Their total decompressed length, as far as it is known.
    n_decompressed_bytes: u64,
    /// The number of buffers whose decompressed length is unknown.
    n_unknown_lengths: u64,
    /// The length of the padding after the buffers.
    pub(crate) n_padding_bytes: u64,
    /// The total length of validity buffers without nulls.
    pub(crate) n_unneeded_bytes: u64,
    /// The number of slots.
    pub(crate) n_slots: u64,
    /// The number of nulls, as far as it is known.
    pub(crate) null_count: u64,
}

impl FieldTotals {
    /// The total decompressed length of the buffers; `None` if one is unknown. A buffer that is not compressed counts with
    /// its length.
    pub(crate) fn n_decompressed_bytes(&self) -> Option<u64> {
        (self.n_unknown_lengths == 0).then_some(self.n_decompressed_bytes)
    }
}

impl BufferFields {
    const MAX: usize = 20_000;
    const MAX_TEXT_BYTES: usize = 2 << 20;
    const MAX_CHARS: usize = 200;

    /// Removes the mapping of nodes to fields, because the next stream has its own schema.
    pub(crate) fn begin_schema(&mut self) {
        self.present.clear();
    }

    /// Adds each buffer of a batch to the totals of its field, and passes it to `observe`. `dictionary` is the id of a
    /// dictionary batch. In a truncated message, only the bytes that are present count, and no slots.
    pub(crate) fn each_span(
        &mut self,
        view: &MessageView<'_>,
        map: &BufferMap,
        batch: &BatchHeader,
        dictionary: Option<i64>,
        mut observe: impl FnMut(BufferSpan),
    ) {
        let paddings = paddings(batch.buffers(), view.message.n_body_bytes());
        let end = view.message.body_position().saturating_add(view.n_body_bytes());
        let is_complete = view.is_complete();
        let mut last_node = None;
        for ((buffer, length), padding) in view.buffers().zip(paddings) {
            let node = batch.nodes().get(buffer.node_idx);
            let field_idx = self.find(map, dictionary, &buffer);
            let mut piece = BufferSpan::new(&buffer, view.message.body_position(), node, length, padding);
            piece.fields = Some((field_idx, field_idx));
            piece.is_compressed = view.compression.is_some();
            piece.cut_at(end);
            let is_first = last_node.replace(buffer.node_idx) != Some(buffer.node_idx);
            self.add(field_idx, &piece, if is_first && is_complete { node } else { None });
            observe(piece);
        }
    }

    /// The position in `all` of the field that a buffer belongs to.
    fn find(&mut self, map: &BufferMap, dictionary: Option<i64>, buffer: &BufferDescription) -> usize {
        let present = self.present.get(&dictionary).and_then(|fields| fields.get(buffer.node_idx));
        if let Some(Some(found)) = present {
            return *found;
        }
        let found = self.find_by_name(map, dictionary, buffer);
        let present = self.present.entry(dictionary).or_default();
        if present.len() <= buffer.node_idx {
            present.resize(buffer.node_idx.saturating_add(1), None);
        }
        if let Some(slot) = present.get_mut(buffer.node_idx) {
            *slot = Some(found);
        }
        found
    }

    fn find_by_name(
        &mut self,
        map: &BufferMap,
        dictionary: Option<i64>,
        buffer: &BufferDescription,
    ) -> usize {
        let data_type = map.data_type(dictionary, buffer.node_idx);
        let key = Key {
            dictionary,
            node_idx: buffer.node_idx,
            path: path_text(&buffer.path),
            data_type: data_type.map_or_else(String::new, shortened),
        };
        if let Some(found) = self.by_name.get(&key) {
            return *found;
        }
        if let Some(others) = self.others {
            return others;
        }
        let found = self.all.len();
        self.n_text_bytes = self.n_text_bytes.saturating_add(key.path.len() + key.data_type.len());
        if found >= BufferFields::MAX || self.n_text_bytes > BufferFields::MAX_TEXT_BYTES {
            self.others = Some(found);
            self.all.push(FieldTotals { path: "other fields".to_owned(), ..FieldTotals::default() });
            return found;
        }
        self.all.push(FieldTotals {
            path: key.path.clone(),
            data_type: key.data_type.clone(),
            column_idx: column_of(&buffer.path),
            dictionary,
            ..FieldTotals::default()
        });
        self.by_name.insert(key, found);
        found
    }

    /// Adds a buffer to the totals of its field. The first buffer of a field also adds the field's node.
    fn add(&mut self, field_idx: usize, piece: &BufferSpan, node: Option<&FieldNode>) {
        let Some(totals) = self.all.get_mut(field_idx) else { return };
        let add = |total: &mut u64, n: u64| *total = total.saturating_add(n);
        add(&mut totals.n_buffers, 1);
        add(&mut totals.n_bytes, piece.n_bytes);
        match piece.n_whole_bytes() {
            Some(n_bytes) => add(&mut totals.n_decompressed_bytes, n_bytes),
            None => add(&mut totals.n_unknown_lengths, 1),
        }
        add(&mut totals.n_padding_bytes, piece.n_padding_bytes);
        add(&mut totals.n_unneeded_bytes, piece.n_unneeded_bytes());
        if let Some(node) = node {
            add(&mut totals.n_slots, node.n_slots());
            add(&mut totals.null_count, node.null_count().unwrap_or_default());
        }
    }

    /// The totals of all fields, in the order in which they were found.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &FieldTotals> + Clone {
        self.all.iter()
    }
}

fn column_of(path: &FieldPath) -> Option<u32> {
    match path.steps().first()? {
        PathStep::Child { position, .. } => Some(*position),
        PathStep::Dictionary => None,
    }
}

/// The start of a path as text. Long names are cut before they are formatted, because a long name would otherwise be
/// formatted again for each field inside it.
fn path_text(path: &FieldPath) -> String {
    let mut text = LimitedText::new(MAX_NAME_BYTES);
    for (depth, step) in path.steps().iter().enumerate() {
        let separator = if depth == 0 { "" } else { "." };
        let written = match step {
            PathStep::Child { position, name } if name.len() > MAX_NAME_BYTES => {
                let name =
                    name.get(..arrow_buffer::floor_char_boundary(name, MAX_NAME_BYTES)).unwrap_or_default();
                write!(text, "{separator}{}", PathStep::Child { position: *position, name: name.into() })
            }
            PathStep::Child { .. } | PathStep::Dictionary => write!(text, "{separator}{step}"),
        };
        if written.is_err() {
            break;
        }
    }
    first_chars(text.into_string(), BufferFields::MAX_CHARS)
}

/// The maximal length in bytes of the first `MAX_CHARS` + 1 characters of a name: a character has at most four bytes.
const MAX_NAME_BYTES: usize = 4 * (BufferFields::MAX_CHARS + 1);

/// The start of the text of a value.
fn shortened(shown: impl fmt::Display) -> String {
    first_chars(LimitedText::from_value(shown, MAX_NAME_BYTES).into_string(), BufferFields::MAX_CHARS)
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Padding {
    /// The number of bytes from the end of the buffer to the next buffer, or to the end of the body.
    pub(super) n_after: u64,
    /// The number of bytes that the buffer shares with the buffers before it.
    pub(super) n_shared: u64,
}

/// The padding of each buffer. Each byte of the body is before the first buffer, in a buffer, or in the padding of a
/// buffer.
pub(super) fn paddings(ranges: &[BodyRange], n_body_bytes: u64) -> Vec<Padding> {
    let span = |range: &BodyRange| (range.start(), range.start().saturating_add(range.n_bytes()));
    // Nearly all messages have their buffers in order, so this sort is fast.
    let mut spans: Vec<_> = ranges.iter().map(span).zip(0usize..).collect();
    spans.sort_unstable();
    let mut paddings = vec![Padding::default(); ranges.len()];
    let mut covered = 0u64;
    let mut last = None;
    let mut pad = |idx: Option<usize>, n_after: u64| {
        if let Some(padding) = idx.and_then(|idx| paddings.get_mut(idx)) {
            padding.n_after = padding.n_after.saturating_add(n_after);
        }
    };
    let mut shared = Vec::new();
    for ((start, end), idx) in spans {
        pad(last, start.saturating_sub(covered));
        if start < covered {
            shared.push((idx, covered.min(end).saturating_sub(start)));
        }
        covered = covered.max(end);
        last = Some(idx);
    }
    pad(last, n_body_bytes.saturating_sub(covered));
    for (idx, n_shared) in shared {
        if let Some(padding) = paddings.get_mut(idx) {
            padding.n_shared = n_shared;
        }
    }
    paddings
}
