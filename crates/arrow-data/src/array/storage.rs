//! What an array stores beside its type, children and dictionary: buffers, text that has been checked to be UTF-8, and
//! the number of nulls.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use arrow_buffer::{Bitmap, Buffer, Text, TextSlots, TextViews};
use arrow_schema::DataType;

/// All buffers except validity. Checked utf8 is stored as a type that proves that the text is valid.
#[derive(Debug, Clone)]
pub(crate) enum Storage {
    /// Buffers of other types, or of unchecked utf8, in the order of the layout table.
    Plain { buffers: [Buffer; 2], variadic: Option<Arc<[Buffer]>> },
    /// Checked utf8 with 32-bit offsets. No offset lies inside a character.
    Text32(TextSlots<i32>),
    /// Checked utf8 with 64-bit offsets. No offset lies inside a character.
    Text64(TextSlots<i64>),
    /// Offsets and checked text. Offsets of null slots may lie inside characters.
    Text { offsets: Buffer, text: Text },
    /// Views and their text.
    TextViews(TextViews),
}

impl Storage {
    /// Buffer `k` after validity; empty if there is none.
    #[inline]
    pub(super) fn buffer(&self, k: usize) -> &Buffer {
        const EMPTY: &Buffer = &Buffer::new();
        match (self, k) {
            (Storage::Plain { buffers, .. }, k) => buffers.get(k).unwrap_or(EMPTY),
            (Storage::Text32(slots), 0) => slots.offsets().as_buffer(),
            (Storage::Text32(slots), 1) => slots.text().as_buffer(),
            (Storage::Text64(slots), 0) => slots.offsets().as_buffer(),
            (Storage::Text64(slots), 1) => slots.text().as_buffer(),
            (Storage::Text { offsets, .. }, 0) => offsets,
            (Storage::Text { text, .. }, 1) => text.as_buffer(),
            (Storage::TextViews(views), 0) => views.views().as_buffer(),
            (Storage::Text32(_) | Storage::Text64(_) | Storage::Text { .. } | Storage::TextViews(_), _) => {
                EMPTY
            }
        }
    }

    #[inline]
    pub(super) fn variadic(&self) -> &[Buffer] {
        match self {
            Storage::Plain { variadic, .. } => variadic.as_deref().unwrap_or_default(),
            Storage::Text32(_) | Storage::Text64(_) | Storage::Text { .. } => &[],
            Storage::TextViews(views) => views.data(),
        }
    }

    #[inline]
    pub(super) fn shared_variadic(&self) -> Option<&Arc<[Buffer]>> {
        match self {
            Storage::Plain { variadic, .. } => variadic.as_ref(),
            Storage::Text32(_) | Storage::Text64(_) | Storage::Text { .. } => None,
            Storage::TextViews(views) => views.shared_data(),
        }
    }

    /// The checked text of all slots of an array with offsets.
    #[inline]
    pub(super) fn text(&self) -> Option<&Text> {
        match self {
            Storage::Text32(slots) => Some(slots.text()),
            Storage::Text64(slots) => Some(slots.text()),
            Storage::Text { text, .. } => Some(text),
            Storage::Plain { .. } | Storage::TextViews(_) => None,
        }
    }

    /// The slots `start..start + n_slots`, which are in bounds. `narrow` slices the buffer of this number.
    pub(super) fn slice(&self, start: usize, n_slots: usize, narrow: impl Fn(usize) -> Buffer) -> Storage {
        match self {
            Storage::Plain { variadic, .. } => {
                Storage::Plain { buffers: [narrow(0), narrow(1)], variadic: variadic.clone() }
            }
            Storage::Text32(slots) => Storage::Text32(slots.slice(start, n_slots)),
            Storage::Text64(slots) => Storage::Text64(slots.slice(start, n_slots)),
            Storage::Text { text, .. } => Storage::Text { offsets: narrow(0), text: text.clone() },
            Storage::TextViews(views) => Storage::TextViews(views.slice(start, n_slots)),
        }
    }
}

/// Checked text of any utf8 type.
#[derive(Debug, Clone)]
pub enum ProvenText {
    /// Text of a `utf8` array.
    Utf8(TextSlots<i32>),
    /// Text of a `large_utf8` array.
    LargeUtf8(TextSlots<i64>),
    /// Text of a `utf8_view` array.
    Utf8View(TextViews),
}

impl ProvenText {
    /// The type of an array of this text, its number of slots, and its buffers.
    pub(super) fn into_storage(self) -> (DataType, usize, Storage) {
        match self {
            ProvenText::Utf8(slots) => (DataType::Utf8, slots.len(), Storage::Text32(slots)),
            ProvenText::LargeUtf8(slots) => (DataType::LargeUtf8, slots.len(), Storage::Text64(slots)),
            ProvenText::Utf8View(views) => (DataType::Utf8View, views.len(), Storage::TextViews(views)),
        }
    }
}

impl From<TextSlots<i32>> for ProvenText {
    fn from(slots: TextSlots<i32>) -> ProvenText {
        ProvenText::Utf8(slots)
    }
}

impl From<TextSlots<i64>> for ProvenText {
    fn from(slots: TextSlots<i64>) -> ProvenText {
        ProvenText::LargeUtf8(slots)
    }
}

impl From<TextViews> for ProvenText {
    fn from(views: TextViews) -> ProvenText {
        ProvenText::Utf8View(views)
    }
}

/// The null count in one word: unknown, declared or counted. Two threads that count at the same time store the same
/// number, so the race is harmless.
#[derive(Debug)]
pub(crate) struct NullCount(AtomicU64);

const UNKNOWN: u64 = u64::MAX;
/// The bit that marks a declared number that has not been checked. No bitmap in memory has `1 << 63` bits.
const DECLARED: u64 = 1 << 63;

impl NullCount {
    /// A number that has not been counted. `declared` is the number that the source of the array declares.
    #[inline]
    pub(crate) fn new(declared: Option<usize>) -> NullCount {
        NullCount(AtomicU64::new(declared.map_or(UNKNOWN, |n| n as u64 | DECLARED)))
    }

    pub(crate) fn counted(null_count: usize) -> NullCount {
        NullCount(AtomicU64::new(null_count as u64))
    }

    /// The declared number, if it has not been checked.
    pub(crate) fn declared(&self) -> Option<usize> {
        let state = self.0.load(Ordering::Relaxed);
        if state == UNKNOWN || state & DECLARED == 0 { None } else { usize::try_from(state & !DECLARED).ok() }
    }

    pub(crate) fn is_counted(&self) -> bool {
        self.0.load(Ordering::Relaxed) & DECLARED == 0
    }

    pub(crate) fn counted_by(&self, validity: Option<&Bitmap>) -> usize {
        let state = self.0.load(Ordering::Relaxed);
        if state & DECLARED == 0 {
            return usize::try_from(state).unwrap_or(usize::MAX);
        }
        let null_count = validity.map_or(0, Bitmap::count_unset);
        // A wrong declared number stays stored, so that the content check can report it.
        if state == UNKNOWN || state == null_count as u64 | DECLARED {
            self.0.store(null_count as u64, Ordering::Relaxed);
        }
        null_count
    }
}

impl Clone for NullCount {
    fn clone(&self) -> NullCount {
        NullCount(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}
