//! `ArrowArray`: an array or a record batch.

mod export;
mod import;
mod importer;
mod typed;

use std::ffi::c_void;
use std::ptr::NonNull;

use arrow_data::Role;

use crate::error::{CDataErrorKind as Kind, Structure};
use crate::raw::{CStructure, Pointer, ReleaseCallback, movable, released, tree};

pub use self::importer::ArrayImporter;

/// The buffers of an array, with its children and dictionary, as the C data interface describes them. A record batch is a
/// struct of its columns.
///
/// Every value follows [the contract](crate#the-contract): this crate has made the value, or the caller of
/// [`from_raw`](ArrowArray::from_raw) has promised this. A value is released when it is dropped. An imported value is
/// released with the last buffer of the imported array.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_c_data::ArrowArray;
/// use arrow_data::{ArrayData, ArrayParts, Validation};
/// use arrow_schema::DataType;
///
/// let buffers = [Buffer::from(vec![1_i32, 2, 3]), Buffer::new()];
/// let numbers = ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Int32, 3) })?;
/// let exported = ArrowArray::try_from_array(&numbers.slice(1, 2))?;
/// // SAFETY: it was exported from such an array.
/// let imported = unsafe { exported.import(&DataType::Int32, Validation::Content) }?;
/// assert_eq!(imported.buffer(0).as_ptr(), numbers.slice(1, 2).buffer(0).as_ptr());
/// # Ok::<(), arrow_c_data::CDataError>(())
/// ```
///
/// Specification: "The ArrowArray structure".
#[repr(C)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: Pointer<Pointer<c_void>>,
    children: Pointer<Pointer<ArrowArray>>,
    dictionary: Pointer<ArrowArray>,
    release: Option<ReleaseCallback<ArrowArray>>,
    private_data: Pointer<c_void>,
}

movable!(
    ArrowArray,
    ArrowArray {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: Pointer::null(),
        children: Pointer::null(),
        dictionary: Pointer::null(),
        release: None,
        private_data: Pointer::null(),
    }
);

released!({} ArrowArray, Structure::ArrowArray);
tree!(ArrowArray);

impl ArrowArray {
    /// The pointer to the buffer at a position. `None` if the pointer is null.
    fn buffer(&self, position: usize) -> Result<Option<NonNull<u8>>, Kind> {
        self.check_not_released()?;
        if self.buffers.is_null() {
            return Err(Kind::NullMember { structure: Structure::ArrowArray, member: "buffers" });
        }
        if !usize::try_from(self.n_buffers).is_ok_and(|n_buffers| position < n_buffers) {
            return Err(Kind::TooFewBuffers { least: position.saturating_add(1), found: self.n_buffers });
        }
        // SAFETY: the contract says that `buffers` points to `n_buffers` pointers, unless `buffers` is null or the
        // structure is released. The code above has checked both, and that `position` is less than `n_buffers`.
        let start = unsafe { self.buffers.get().wrapping_add(position).read() };
        Ok(NonNull::new(start.get().cast()))
    }

    /// Like [`buffer`](ArrowArray::buffer), but for a buffer of at least one byte. A null pointer is an error.
    fn filled_buffer(&self, position: usize, role: Role, n_bytes: u64) -> Result<NonNull<u8>, Kind> {
        self.buffer(position)?.ok_or(Kind::NullBuffer { role, n_bytes })
    }
}

#[cfg(test)]
mod tests {
    use arrow_data::ArrayData;
    use arrow_schema::DataType;

    use super::ArrowArray;

    /// If an index is out of bounds, or a structure is released, nothing is read, and the result is an error.
    #[test]
    fn nothing_is_read_that_the_counts_do_not_have() {
        let data_type: DataType = "struct<a: int32, b: utf8>".parse().expect("a type");
        let mut array = ArrowArray::try_from_array(&ArrayData::new_empty(&data_type)).expect("no slots");
        assert!(array.child(1).is_ok() && array.buffer(0).is_ok());
        for position in [2, 3, usize::MAX] {
            let text = format!("expected {} children, found 2", position.saturating_add(1));
            assert_eq!(array.child(position).unwrap_err().to_string(), text);
        }
        assert_eq!(array.buffer(1).unwrap_err().to_string(), "expected at least 2 buffers, found 1");
        for count in [0, -1, i64::MIN] {
            (array.n_children, array.n_buffers) = (count, count);
            assert!(array.child(0).is_err() && array.buffer(0).is_err());
        }
        let released = ArrowArray::empty();
        assert!(released.child(0).is_err() && released.dictionary().is_err() && released.buffer(0).is_err());
    }
}
