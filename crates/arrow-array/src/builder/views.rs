//! Builders of utf8 and binary views.

use std::{fmt, marker::PhantomData, ops::Range};

use arrow_buffer::{Bitmap, Buffer, View};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;

use super::{
    assemble,
    values::{PlainStore, ValueStore, ValuesBuilder},
};
use crate::{
    array::{BinaryViewArray, Utf8ViewArray},
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of utf8 views.
///
/// If a single value is longer than a view can express (2 GiB), `finish` returns an error. The total length of all values has
/// no limit.
///
/// ```
/// use arrow_array::Utf8ViewBuilder;
///
/// let mut names = Utf8ViewBuilder::new().with_values(["ada", "someone with a longer name"]);
/// names.append_null();
/// assert_eq!(names.finish()?.value(1).len(), 26);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub type Utf8ViewBuilder = ValuesBuilder<ViewSlots<String>>;

/// Builds arrays of binary views.
///
/// If a single value is longer than a view can express (2 GiB), `finish` returns an error. The total length of all values has
/// no limit.
pub type BinaryViewBuilder = ValuesBuilder<ViewSlots<Vec<u8>>>;

/// Stores views, and blocks with the bytes of long values.
#[derive(Debug, Clone, Default)]
pub struct ViewSlots<V> {
    views: Vec<View>,
    /// The block to which values are appended. It does not grow beyond its capacity.
    block: Vec<u8>,
    /// The blocks before `block`. `truncate` may make the last of them the current block again.
    full: Vec<Vec<u8>>,
    values: PhantomData<V>,
}

/// Says what views refer to: text or bytes.
pub trait ViewContent: fmt::Debug + Default + Send + Sync {
    /// The type of the appended values.
    type Value: ?Sized + AsRef<[u8]>;
    /// The array type that `finish` of the builder returns.
    type Array: TryFrom<ArrayData, Error = ArrayError>;
    const TYPE: DataType;
}

impl ViewContent for String {
    type Value = str;
    type Array = Utf8ViewArray;
    const TYPE: DataType = DataType::Utf8View;
}

impl ViewContent for Vec<u8> {
    type Value = [u8];
    type Array = BinaryViewArray;
    const TYPE: DataType = DataType::BinaryView;
}

/// The length of the first block. Each block is twice as long as the one before, up to a maximum. So few values waste little
/// memory, and many values need few blocks.
const MIN_BLOCK_BYTES: usize = 8 << 10;
const MAX_BLOCK_BYTES: usize = 2 << 20;

impl<V> ViewSlots<V> {
    /// Stores the bytes of a value that does not fit into its view. Returns the view, or `None` if the value is too long.
    #[inline]
    fn keep(&mut self, value: &[u8]) -> Option<View> {
        if self.block.capacity() - self.block.len() < value.len() {
            self.begin_block(value.len())?;
        }
        let position = i32::try_from(self.full.len()).ok().zip(i32::try_from(self.block.len()).ok());
        let view = position.and_then(|(buffer_idx, offset)| View::long(value, buffer_idx, offset))?;
        self.block.extend_from_slice(value);
        Some(view)
    }

    /// Starts a block with memory for a value. `None` if the value is too long for a block.
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

    fn long_value(&self, view: &View) -> &[u8] {
        let (buffer_idx, range) = data_range(view).expect("a view that is not inline has a range");
        let buffer = self.full.get(buffer_idx).map_or(self.block.as_slice(), Vec::as_slice);
        buffer.get(range).expect("views point at bytes that were appended")
    }
}

impl<V: ViewContent> PlainStore for ViewSlots<V> {
    const TYPE: DataType = V::TYPE;

    fn reserve_bytes(&mut self, n_bytes: usize) {
        self.block.reserve(n_bytes.min(i32::MAX as usize));
    }
}

impl<V: ViewContent> ValueStore for ViewSlots<V> {
    type Value = V::Value;
    type Array = V::Array;

    fn len(&self) -> usize {
        self.views.len()
    }

    #[inline]
    fn push(&mut self, value: &V::Value) -> bool {
        let value = value.as_ref();
        let view = View::inline(value).or_else(|| self.keep(value));
        self.views.extend(view);
        view.is_some()
    }

    fn refusal(&self, value: &V::Value) -> ArrayErrorKind {
        ArrayErrorKind::ViewOverflow { n_bytes: value.as_ref().len() as u64 }
    }

    fn push_zeros(&mut self, n_slots: usize) {
        self.views.resize(self.views.len().saturating_add(n_slots), View::default());
    }

    fn reserve(&mut self, n_slots: usize) {
        self.views.reserve(n_slots);
    }

    fn truncate(&mut self, n_slots: usize) {
        let forgotten = self.views.get(n_slots..).unwrap_or_default();
        // The bytes of long values have the order of their slots, so the first removed value marks the end of the remaining
        // bytes.
        if let Some((buffer_idx, range)) = forgotten.iter().find_map(data_range) {
            self.full.truncate(buffer_idx.saturating_add(1));
            if buffer_idx < self.full.len()
                && let Some(block) = self.full.pop()
            {
                self.block = block;
            }
            self.block.truncate(range.start);
            // A block that begins with a removed value is removed, too.
            if self.block.is_empty()
                && let Some(block) = self.full.pop()
            {
                self.block = block;
            }
        }
        self.views.truncate(n_slots);
    }

    fn get(&self, slot: usize) -> Option<&[u8]> {
        let view = self.views.get(slot)?;
        Some(view.inline_bytes().unwrap_or_else(|| self.long_value(view)))
    }

    fn finish(&mut self, data_type: &DataType, validity: Option<Bitmap>) -> Result<ArrayData, ArrayError> {
        let block = std::mem::take(&mut self.block);
        let full = std::mem::take(&mut self.full).into_iter();
        let blocks = full.chain((!block.is_empty()).then_some(block));
        let data: Vec<Buffer> = blocks.map(Buffer::from).collect();
        let views = std::mem::take(&mut self.views);
        let parts = ArrayParts::new(data_type.clone(), views.len());
        let buffers = [Buffer::from(views), Buffer::new()];
        let variadic = Some(data.into());
        assemble(ArrayParts { validity, buffers, variadic, ..parts })
    }
}

/// The buffer index and the byte range of a long value. `None` for a short value, whose bytes are in the view.
fn data_range(view: &View) -> Option<(usize, Range<usize>)> {
    if view.is_inline() {
        return None;
    }
    let [buffer_idx, start, n_bytes] =
        [view.buffer_idx(), view.offset(), view.n_bytes()].map(usize::try_from);
    let (start, n_bytes) = (start.ok()?, n_bytes.ok()?);
    Some((buffer_idx.ok()?, start..start.checked_add(n_bytes)?))
}
