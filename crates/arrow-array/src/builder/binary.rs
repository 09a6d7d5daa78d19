//! Builders of text and of bytes behind offsets.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;

use super::{
    Append, Builder, BytesSlot, TextSlot,
    append::Look,
    failure::Failure,
    methods::builder_methods,
    offsets::{SlotOffsets, overflow},
    sealed::{SlotHasher, Slots},
    slots::assemble,
    validity::Validity,
};
use crate::{
    array::{BinaryArrayOf, Utf8ArrayOf, Width},
    error::ArrayError,
};

/// Builds arrays of text with offsets of type `O`.
///
/// Where the values together have more bytes than the offsets can say, `finish` reports it.
///
/// ```
/// use arrow_array::Utf8Builder;
///
/// let mut names = Utf8Builder::new();
/// names.append("ada");
/// names.append(None::<&str>);
/// names.append(String::from("grace"));
/// assert_eq!(names.finish()?.iter().collect::<Vec<_>>(), [Some("ada"), None, Some("grace")]);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Utf8BuilderOf<O: Width>(OffsetSlots<O>);

/// Builds arrays of bytes with offsets of type `O`.
///
/// Where the values together have more bytes than the offsets can say, `finish` reports it.
///
/// ```
/// use arrow_array::BinaryBuilder;
///
/// let mut blobs = BinaryBuilder::new().with_values([b"ab", b"cd"]);
/// blobs.append(None::<&[u8]>);
/// assert_eq!(blobs.finish()?.get(1), Some(b"cd".as_slice()));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct BinaryBuilderOf<O: Width>(OffsetSlots<O>);

/// Builds text with offsets of 32 bits.
pub type Utf8Builder = Utf8BuilderOf<i32>;
/// Builds text with offsets of 64 bits.
pub type LargeUtf8Builder = Utf8BuilderOf<i64>;
/// Builds bytes with offsets of 32 bits.
pub type BinaryBuilder = BinaryBuilderOf<i32>;
/// Builds bytes with offsets of 64 bits.
pub type LargeBinaryBuilder = BinaryBuilderOf<i64>;

/// Bytes and offsets, as they grow.
#[derive(Debug, Clone)]
struct OffsetSlots<O> {
    data_type: DataType,
    offsets: SlotOffsets<O>,
    bytes: Vec<u8>,
    validity: Validity,
    failure: Failure,
}

impl<O: Width> OffsetSlots<O> {
    fn new(data_type: DataType) -> OffsetSlots<O> {
        let (validity, failure) = (Validity::default(), Failure::default());
        OffsetSlots { data_type, offsets: SlotOffsets::new(), bytes: Vec::new(), validity, failure }
    }

    #[inline]
    fn append(&mut self, value: Option<&[u8]>) {
        let Some(value) = value else { return self.append_nulls(1) };
        match O::from_usize(self.bytes.len().saturating_add(value.len())) {
            Some(end) => {
                self.bytes.extend_from_slice(value);
                self.offsets.push(end);
                self.validity.append_valid();
            }
            None => self.append_too_long(value),
        }
    }

    #[cold]
    fn append_too_long(&mut self, value: &[u8]) {
        let n_bytes = self.bytes.len().saturating_add(value.len());
        self.failure.remember(self.offsets.n_slots(), overflow::<O>(n_bytes, "bytes"));
        self.append_nulls(1);
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.validity.append_nulls(self.offsets.n_slots(), n_slots);
        self.offsets.push_empty(n_slots);
    }

    #[inline]
    fn value(&self, slot: usize) -> Option<&[u8]> {
        self.validity.is_valid(slot).then(|| self.bytes.get(self.offsets.range(slot)).unwrap_or_default())
    }

    fn truncate(&mut self, n_slots: usize) {
        if n_slots < self.offsets.n_slots() {
            self.bytes.truncate(self.offsets.truncate(n_slots));
            self.validity.truncate(n_slots);
            self.failure.truncate(n_slots);
        }
    }

    fn finish(&mut self) -> Result<ArrayData, ArrayError> {
        let parts = ArrayParts::new(self.data_type.clone(), self.offsets.n_slots());
        let (validity, bytes) = (self.validity.finish(), std::mem::take(&mut self.bytes));
        let buffers = [self.offsets.finish(), Buffer::from(bytes)];
        self.failure.take()?;
        assemble(ArrayParts { validity, buffers, ..parts })
    }
}

macro_rules! byte_builder {
    ($builder:ident => $array:ident, $slot:ident, $bytes:expr, $small:ident, $large:ident) => {
        impl<O: Width> $builder<O> {
            /// A builder without slots.
            pub fn new() -> Self {
                let data_type = if size_of::<O>() == 4 { DataType::$small } else { DataType::$large };
                $builder(OffsetSlots::new(data_type))
            }

            /// A builder without slots, and room for `n_slots` and their bytes.
            pub fn with_capacity(n_slots: usize, n_bytes: usize) -> Self {
                let mut builder = Self::new();
                builder.0.offsets.reserve(n_slots);
                builder.0.bytes.reserve(n_bytes);
                builder
            }

            /// How many bytes the values have so far.
            pub fn n_bytes(&self) -> usize {
                self.0.bytes.len()
            }
        }

        impl<O: Width> Default for $builder<O> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<O: Width> Builder for $builder<O> {
            fn data_type(&self) -> &DataType {
                &self.0.data_type
            }

            fn len(&self) -> usize {
                self.0.offsets.n_slots()
            }

            fn append_nulls(&mut self, n_slots: usize) {
                self.0.append_nulls(n_slots);
            }

            fn reserve(&mut self, n_slots: usize) {
                self.0.offsets.reserve(n_slots);
            }

            fn truncate(&mut self, n_slots: usize) {
                self.0.truncate(n_slots);
            }

            fn error(&self) -> Option<ArrayError> {
                self.0.failure.error()
            }

            fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
                self.0.finish()
            }
        }

        impl<O: Width> Slots for $builder<O> {
            fn is_null_slot(&self, slot: usize) -> bool {
                !self.0.validity.is_valid(slot)
            }

            fn slot_hash(&self, slot: usize, hasher: &SlotHasher) -> u64 {
                self.0.value(slot).map_or_else(|| hasher.null(), |value| hasher.bytes(value))
            }

            fn same_slots(&self, a: usize, b: usize) -> bool {
                self.0.value(a) == self.0.value(b)
            }
        }

        impl<O: Width, V: $slot> Append<V> for $builder<O> {
            #[inline]
            fn append(&mut self, value: V) {
                self.0.append($bytes(&value));
            }

            #[inline]
            fn look(&self, value: &V, hasher: &SlotHasher) -> Look {
                $bytes(value).map_or(Look::Null, |value| Look::Hash(hasher.bytes(value)))
            }

            #[inline]
            fn holds(&self, slot: usize, value: &V) -> bool {
                $bytes(value).is_some_and(|value| self.0.value(slot) == Some(value))
            }
        }

        builder_methods!([O: Width,] $builder<O> => $array<O>);
    };
}

byte_builder!(
    Utf8BuilderOf => Utf8ArrayOf, TextSlot, |value| TextSlot::as_text(value).map(str::as_bytes), Utf8, LargeUtf8
);
byte_builder!(BinaryBuilderOf => BinaryArrayOf, BytesSlot, |value| BytesSlot::as_bytes(value), Binary, LargeBinary);
