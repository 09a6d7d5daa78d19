//! Writes the bytes of a value, one nested value after the other.

use arrow_data::{Physical, layout};
use arrow_schema::{DataType, visit};

use crate::error::{SelectError, SelectErrorKind};

/// Appends values as [`ValueBytes`](crate::ValueBytes) does, for code that has values but no array.
///
/// For a value, call [`null`](ValueWriter::null), [`fixed`](ValueWriter::fixed) or [`sized`](ValueWriter::sized). Or call
/// [`fields`](ValueWriter::fields), [`items`](ValueWriter::items) or [`type_id`](ValueWriter::type_id), and then write
/// the values inside.
///
/// Each method fails if the bytes would exceed the limit of the writer. Bytes that were appended before the error stay.
///
/// ```
/// use arrow_select::ValueWriter;
///
/// let mut bytes = Vec::new();
/// let mut writer = ValueWriter::new(&mut bytes, 1000);
/// writer.items(2)?;
/// writer.sized(b"ada")?;
/// writer.null()?;
/// assert_eq!(bytes, b"\x03\x04ada\x00");
/// # Ok::<(), arrow_select::SelectError>(())
/// ```
#[derive(Debug)]
pub struct ValueWriter<'a> {
    to: &'a mut Vec<u8>,
    max_bytes: usize,
}

pub(super) const NULL: u8 = 0;
pub(super) const VALID: u8 = 1;
/// A length below this number takes one byte, whose value is greater than [`NULL`].
pub(super) const LONG: usize = 254;

impl<'a> ValueWriter<'a> {
    /// A writer that lets `to` grow to `max_bytes`.
    pub fn new(to: &'a mut Vec<u8>, max_bytes: usize) -> ValueWriter<'a> {
        ValueWriter { to, max_bytes }
    }

    /// Writes a null of any type.
    ///
    /// # Errors
    /// If there would be too many bytes.
    #[inline]
    pub fn null(&mut self) -> Result<(), SelectError> {
        self.bytes(&[NULL])
    }

    /// Writes a value of a type with a fixed length: numbers, decimals, times, fixed-size binary. A boolean is one
    /// byte, 0 or 1.
    ///
    /// # Errors
    /// If there would be too many bytes.
    #[inline]
    pub fn fixed(&mut self, value: &[u8]) -> Result<(), SelectError> {
        self.bytes(&[VALID])?;
        self.bytes(value)
    }

    /// Writes a value with its own length: utf8 and binary, with offsets or views.
    ///
    /// # Errors
    /// If there would be too many bytes.
    #[inline]
    pub fn sized(&mut self, value: &[u8]) -> Result<(), SelectError> {
        self.items(value.len())?;
        self.bytes(value)
    }

    /// Begins a struct. Write the values of its fields next.
    ///
    /// # Errors
    /// If there would be too many bytes.
    #[inline]
    pub fn fields(&mut self) -> Result<(), SelectError> {
        self.bytes(&[VALID])
    }

    /// Begins a list or map. Write `n_items` values next; for a map, each is a struct of key and item.
    ///
    /// # Errors
    /// If there would be too many bytes.
    #[inline]
    pub fn items(&mut self, n_items: usize) -> Result<(), SelectError> {
        if n_items < LONG {
            // The cast loses nothing: the number is less than 254.
            return self.bytes(&[n_items as u8 + 1]);
        }
        self.bytes(&[u8::MAX])?;
        self.bytes(&(n_items as u64).to_le_bytes())
    }

    /// Begins a value of a union. Write the value of the child with this type id next.
    ///
    /// # Errors
    /// If there would be too many bytes.
    #[inline]
    pub fn type_id(&mut self, type_id: i8) -> Result<(), SelectError> {
        self.bytes(&[VALID, type_id.cast_unsigned()])
    }

    /// Appends bytes. Each step through nested values appends a byte or descends one level, so the limit on bytes also
    /// limits time.
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), SelectError> {
        if bytes.len() > self.max_bytes.saturating_sub(self.to.len()) {
            return Err(too_long(self.max_bytes));
        }
        visit(bytes.len());
        self.to.extend_from_slice(bytes);
        Ok(())
    }
}

/// A value that [`ValueBytes`](crate::ValueBytes) or [`ValueWriter`] has written.
///
/// ```
/// use arrow_select::{ValueWriter, ValueEncoding};
/// use arrow_schema::DataType;
///
/// let mut bytes = Vec::new();
/// ValueWriter::new(&mut bytes, 1000).sized(b"ada")?;
/// assert_eq!(ValueEncoding::read(&bytes, &DataType::Utf8), Some(ValueEncoding::Sized(b"ada")));
/// # Ok::<(), arrow_select::SelectError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueEncoding<'a> {
    /// A null.
    Null,
    /// A value of a type with a fixed length, as [`fixed`](ValueWriter::fixed) writes it.
    Fixed(&'a [u8]),
    /// A value with its own length, as [`sized`](ValueWriter::sized) writes it.
    Sized(&'a [u8]),
    /// A value of a type with children, or of a dictionary.
    Nested,
}

impl ValueEncoding<'_> {
    /// Reads a value of this type; `None` if it was not written whole.
    pub fn read<'a>(value: &'a [u8], data_type: &DataType) -> Option<ValueEncoding<'a>> {
        let (first, rest) = split_first(value)?;
        if first == u64::from(NULL) {
            return Some(ValueEncoding::Null);
        }
        match layout(data_type).physical() {
            Physical::Bits | Physical::Fixed(_) => Some(ValueEncoding::Fixed(rest)),
            Physical::Bytes(_) | Physical::Views => {
                let n_bytes = if value.first() == Some(&u8::MAX) { first } else { first.checked_sub(1)? };
                (n_bytes == rest.len() as u64).then_some(ValueEncoding::Sized(rest))
            }
            Physical::Null
            | Physical::List(_)
            | Physical::ListView(_)
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Union(_)
            | Physical::Runs(_)
            | Physical::Dictionary(_) => Some(ValueEncoding::Nested),
        }
    }
}

/// The number at the start of a value, and the bytes after it; `None` if it is not whole. The number of a length is greater
/// by one if the length is below [`LONG`].
#[inline]
pub(super) fn split_first(value: &[u8]) -> Option<(u64, &[u8])> {
    match value.split_first()? {
        (&u8::MAX, rest) => {
            let (length, rest) = rest.split_first_chunk()?;
            Some((u64::from_le_bytes(*length), rest))
        }
        (first, rest) => Some((u64::from(*first), rest)),
    }
}

#[cold]
pub(super) fn too_long(max_bytes: usize) -> SelectError {
    SelectErrorKind::ValueBytes { limit: max_bytes as u64 }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let bytes = vec![7; 70_000];
        let data_types = [DataType::Utf8, DataType::Int64, DataType::BinaryView, DataType::Boolean];
        for data_type in data_types {
            let is_sized = matches!(layout(&data_type).physical(), Physical::Bytes(_) | Physical::Views);
            for n_bytes in [0, 1, 8, 252, 253, 254, 255, 256, 70_000] {
                let value = &bytes[..n_bytes];
                let mut written = Vec::new();
                let mut writer = ValueWriter::new(&mut written, usize::MAX);
                let expected = if is_sized {
                    writer.sized(value).unwrap();
                    ValueEncoding::Sized(value)
                } else {
                    writer.fixed(value).unwrap();
                    ValueEncoding::Fixed(value)
                };
                assert_eq!(
                    ValueEncoding::read(&written, &data_type),
                    Some(expected),
                    "{data_type} {n_bytes}"
                );
                if is_sized {
                    written.pop();
                    assert_eq!(ValueEncoding::read(&written, &data_type), None, "{data_type} {n_bytes}");
                }
            }
            assert_eq!(ValueEncoding::read(&[], &data_type), None);
            let mut null = Vec::new();
            ValueWriter::new(&mut null, 1).null().unwrap();
            assert_eq!(ValueEncoding::read(&null, &data_type), Some(ValueEncoding::Null));
        }
        let list: DataType = "list<item: int64>".parse().unwrap();
        let mut written = Vec::new();
        ValueWriter::new(&mut written, 1).items(0).unwrap();
        assert_eq!(ValueEncoding::read(&written, &list), Some(ValueEncoding::Nested));
    }
}
