//! Builders of utf8 and binary views.

use std::ops::Range;

use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, ArrayParts, DataError, ValueWriter};
use arrow_schema::DataType;

use super::{
    Append, Builder, BytesSlot, TextSlot,
    append::{Look, SlotsOf},
    failure::FirstFailure,
    methods::builder_methods,
    sealed::{SlotHasher, Slots},
    slots::assemble,
    validity::Validity,
};
use crate::{
    array::{BinaryViewArray, Utf8ViewArray},
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of utf8 views.
///
/// If a single value is longer than a view can hold (2 GiB), `finish` returns an error. The values together may have any
/// length.
///
/// ```
/// use arrow_array::Utf8ViewBuilder;
///
/// let mut names = Utf8ViewBuilder::new().with_values(["ada", "someone with a longer name"]);
/// names.append_null();
/// assert_eq!(names.finish()?.value(1).len(), 26);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Utf8ViewBuilder(ViewSlots);

/// Builds arrays of binary views.
///
/// If a single value is longer than a view can hold (2 GiB), `finish` returns an error. The values together may have any
/// length.
#[derive(Debug, Clone, Default)]
pub struct BinaryViewBuilder(ViewSlots);

/// Views, and the bytes of long values.
#[derive(Debug, Clone, Default)]
struct ViewSlots {
    views: Vec<View>,
    /// The block that is being filled. It never grows beyond its capacity.
    block: Vec<u8>,
    /// Full blocks. They keep their memory, so that removed values make room in them again.
    full: Vec<Vec<u8>>,
    validity: Validity,
    failure: FirstFailure,
}

/// Blocks double in length up to a maximum: a few values leave little unused room, and many values need few blocks.
const MIN_BLOCK_BYTES: usize = 8 << 10;
const MAX_BLOCK_BYTES: usize = 2 << 20;

impl ViewSlots {
    #[inline]
    fn append(&mut self, value: Option<&[u8]>) {
        let Some(value) = value else { return self.append_nulls(1) };
        match View::inline(value).or_else(|| self.keep(value)) {
            Some(view) => {
                self.views.push(view);
                self.validity.append_valid();
            }
            None => {
                let n_bytes = value.len() as u64;
                self.failure.remember(self.views.len(), ArrayErrorKind::ViewOverflow { n_bytes });
                self.append_nulls(1);
            }
        }
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.validity.append_nulls(self.views.len(), n_slots);
        self.views.resize(self.views.len().saturating_add(n_slots), View::default());
    }

    /// Stores the bytes of a value that does not fit into its view.
    #[inline]
    fn keep(&mut self, value: &[u8]) -> Option<View> {
        if self.block.capacity() - self.block.len() < value.len() {
            self.begin_block(value.len())?;
        }
        let place = i32::try_from(self.full.len()).ok().zip(i32::try_from(self.block.len()).ok());
        let view = place.and_then(|(buffer_idx, offset)| View::long(value, buffer_idx, offset))?;
        self.block.extend_from_slice(value);
        Some(view)
    }

    /// Begins a block with room for a value. `None` if the value is too long for a block.
    #[cold]
    fn begin_block(&mut self, n_bytes: usize) -> Option<()> {
        i32::try_from(n_bytes).ok()?;
        let n_next = self.block.capacity().saturating_mul(2).clamp(MIN_BLOCK_BYTES, MAX_BLOCK_BYTES);
        let block = std::mem::replace(&mut self.block, Vec::with_capacity(n_next.max(n_bytes)));
        if !block.is_empty() {
            self.full.push(block);
        }
        Some(())
    }

    fn value(&self, slot: usize) -> Option<&[u8]> {
        let view = self.views.get(slot).filter(|_| self.validity.is_valid(slot))?;
        Some(view.inline_bytes().unwrap_or_else(|| self.long_value(view)))
    }

    fn long_value(&self, view: &View) -> &[u8] {
        let (buffer_idx, range) = place(view).expect("a view that is not inline has a place");
        let buffer = self.full.get(buffer_idx).map_or(self.block.as_slice(), Vec::as_slice);
        buffer.get(range).expect("views point at bytes that were appended")
    }

    fn truncate(&mut self, n_slots: usize) {
        let forgotten = self.views.get(n_slots..).unwrap_or_default();
        // Long values lie in the order of their slots, so the first removed one marks the end of the remaining ones.
        if let Some((buffer_idx, range)) = forgotten.iter().find_map(place) {
            self.full.truncate(buffer_idx.saturating_add(1));
            if buffer_idx < self.full.len()
                && let Some(block) = self.full.pop()
            {
                self.block = block;
            }
            self.block.truncate(range.start);
            // If a block begins with a removed value, the block is removed, too.
            if self.block.is_empty()
                && let Some(block) = self.full.pop()
            {
                self.block = block;
            }
        }
        self.views.truncate(n_slots);
        self.validity.truncate(n_slots);
        self.failure.truncate(n_slots);
    }

    fn finish(&mut self, data_type: DataType) -> Result<ArrayData, ArrayError> {
        let block = std::mem::take(&mut self.block);
        let full = std::mem::take(&mut self.full).into_iter();
        let blocks = full.chain((!block.is_empty()).then_some(block));
        let data: Vec<Buffer> = blocks.map(Buffer::from).collect();
        let (views, validity) = (std::mem::take(&mut self.views), self.validity.finish());
        self.failure.take()?;
        let parts = ArrayParts::new(data_type, views.len());
        let (buffers, variadic) = ([Buffer::from(views), Buffer::new()], Some(data.into()));
        assemble(ArrayParts { validity, buffers, variadic, ..parts })
    }
}

/// The buffer index and the offset of a long value. `None` for short ones.
fn place(view: &View) -> Option<(usize, Range<usize>)> {
    if view.is_inline() {
        return None;
    }
    let [buffer_idx, start, n_bytes] =
        [view.buffer_idx(), view.offset(), view.n_bytes()].map(usize::try_from);
    let (start, n_bytes) = (start.ok()?, n_bytes.ok()?);
    Some((buffer_idx.ok()?, start..start.checked_add(n_bytes)?))
}

macro_rules! view_builder {
    ($builder:ident => $array:ident, $slot:ident, $bytes:expr, $data_type:expr) => {
        impl $builder {
            /// A builder without slots.
            pub fn new() -> Self {
                Self::default()
            }

            /// A builder without slots, and room for `n_slots`. Room for the `n_bytes` of their long values is made as far as
            /// it fits into one block.
            pub fn with_capacity(n_slots: usize, n_bytes: usize) -> Self {
                let block = Vec::with_capacity(n_bytes.min(i32::MAX as usize));
                $builder(ViewSlots { views: Vec::with_capacity(n_slots), block, ..ViewSlots::default() })
            }
        }

        impl Builder for $builder {
            fn data_type(&self) -> &DataType {
                &$data_type
            }

            fn len(&self) -> usize {
                self.0.views.len()
            }

            fn append_nulls(&mut self, n_slots: usize) {
                self.0.append_nulls(n_slots);
            }

            fn reserve(&mut self, n_slots: usize) {
                self.0.views.reserve(n_slots);
            }

            fn truncate(&mut self, n_slots: usize) {
                self.0.truncate(n_slots);
            }

            fn error(&self) -> Option<ArrayError> {
                self.0.failure.error()
            }

            fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
                self.0.finish($data_type)
            }
        }

        impl Slots for $builder {
            fn is_null_slot(&self, slot: usize) -> bool {
                !self.0.validity.is_valid(slot)
            }

            fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), DataError> {
                match self.0.value(slot) {
                    Some(value) => to.sized(value),
                    None => to.null(),
                }
            }
        }

        impl<V: $slot> Append<V> for $builder {
            #[inline]
            fn append(&mut self, value: V) {
                self.0.append($bytes(&value));
            }
        }

        impl<V: $slot> SlotsOf<V> for $builder {
            #[inline]
            fn look(&self, value: &V, hasher: &SlotHasher) -> Look {
                $bytes(value).map_or(Look::Null, |value| Look::Hash(hasher.sized(value)))
            }

            #[inline]
            fn holds(&self, slot: usize, value: &V) -> bool {
                $bytes(value).is_some_and(|value| self.0.value(slot) == Some(value))
            }
        }

        builder_methods!([] $builder => $array);
    };
}

view_builder!(
    Utf8ViewBuilder => Utf8ViewArray, TextSlot, |value| TextSlot::as_text(value).map(str::as_bytes),
    DataType::Utf8View
);
view_builder!(
    BinaryViewBuilder => BinaryViewArray, BytesSlot, |value| BytesSlot::as_bytes(value), DataType::BinaryView
);
