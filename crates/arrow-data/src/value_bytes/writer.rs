//! Writes the bytes of a value, one nested value after the other.

use arrow_schema::visit;

use crate::error::{DataError, DataErrorKind as Kind};

/// Appends values as [`ValueBytes`](crate::ValueBytes) does, for code that has values but no array.
///
/// For a value, call [`null`](ValueWriter::null), [`fixed`](ValueWriter::fixed) or [`sized`](ValueWriter::sized). Or call
/// [`fields`](ValueWriter::fields), [`items`](ValueWriter::items) or [`type_id`](ValueWriter::type_id), and then write
/// the values inside.
///
/// Each method fails if the bytes would exceed the limit of the writer. Bytes that were appended before the error stay.
///
/// ```
/// use arrow_data::ValueWriter;
///
/// let mut bytes = Vec::new();
/// let mut writer = ValueWriter::new(&mut bytes, 1000);
/// writer.items(2)?;
/// writer.sized(b"ada")?;
/// writer.null()?;
/// assert_eq!(bytes, b"\x03\x04ada\x00");
/// # Ok::<(), arrow_data::DataError>(())
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
    pub fn null(&mut self) -> Result<(), DataError> {
        self.bytes(&[NULL])
    }

    /// Writes a value of a type with a fixed length: numbers, decimals, times, fixed-size binary. A boolean is one
    /// byte, 0 or 1.
    ///
    /// # Errors
    /// If there would be too many bytes.
    #[inline]
    pub fn fixed(&mut self, value: &[u8]) -> Result<(), DataError> {
        self.bytes(&[VALID])?;
        self.bytes(value)
    }

    /// Writes a value with its own length: utf8 and binary, with offsets or views.
    ///
    /// # Errors
    /// If there would be too many bytes.
    #[inline]
    pub fn sized(&mut self, value: &[u8]) -> Result<(), DataError> {
        self.items(value.len())?;
        self.bytes(value)
    }

    /// Begins a struct. Write the values of its fields next.
    ///
    /// # Errors
    /// If there would be too many bytes.
    #[inline]
    pub fn fields(&mut self) -> Result<(), DataError> {
        self.bytes(&[VALID])
    }

    /// Begins a list or map. Write `n_items` values next; for a map, each is a struct of key and item.
    ///
    /// # Errors
    /// If there would be too many bytes.
    #[inline]
    pub fn items(&mut self, n_items: usize) -> Result<(), DataError> {
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
    pub fn type_id(&mut self, type_id: i8) -> Result<(), DataError> {
        self.bytes(&[VALID, type_id.cast_unsigned()])
    }

    /// Appends bytes. Each step through nested values appends a byte or descends one level, so the limit on bytes also
    /// limits time.
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        if bytes.len() > self.max_bytes.saturating_sub(self.to.len()) {
            return Err(too_long(self.max_bytes));
        }
        visit(bytes.len());
        self.to.extend_from_slice(bytes);
        Ok(())
    }
}

#[cold]
pub(super) fn too_long(max_bytes: usize) -> DataError {
    Kind::ValueBytes { limit: max_bytes as u64 }.into()
}
