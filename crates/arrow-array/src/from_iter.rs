//! Arrays made of Rust values: numbers, booleans, text and bytes.
//!
//! `FromIterator` stands where making an array cannot fail, `try_from_iter` where the values together may be
//! longer than the type can say.

mod numbers;
mod strings;

pub use self::strings::{BytesSlot, TextSlot};

use arrow_data::{ArrayData, ArrayParts, DataError};

/// The array of parts that were just put together from values.
fn assemble<A: TryFrom<ArrayData, Error = crate::ArrayError>>(
    parts: ArrayParts,
) -> Result<A, crate::ArrayError> {
    ArrayData::try_new(parts).map_err(|error: DataError| error.into()).and_then(A::try_from)
}
