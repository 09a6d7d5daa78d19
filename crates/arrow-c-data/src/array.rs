//! `ArrowArray`: an array or a record batch.

mod export;
mod import;
mod importer;
mod typed;

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_data::{ArrayData, CheckedArrays, RecordBatch, Role, Validation};
use arrow_schema::{DataType, Schema};

use crate::error::{CDataError, CDataErrorKind as Kind, Structure};
use crate::raw::{CStructure, Pointer, ReleaseCallback, movable, released, tree};
use crate::stats::CopyStats;

use self::typed::TypedStructure;

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
    /// Makes a structure that shares the buffers of an array.
    ///
    /// Other libraries trust exported arrays, so content that has not been checked here, or was only
    /// [assumed](ArrayData::assume_checked) to be valid, is checked. Each export repeats this check. If you export an array
    /// more than once, [validate](ArrayData::validate) it first.
    ///
    /// # Errors
    /// If the content is invalid, or an array has more than 2⁶³ − 1 slots.
    pub fn try_from_array(array: &ArrayData) -> Result<ArrowArray, CDataError> {
        ArrowArray::try_from_array_counted(array, &mut CopyStats::new())
    }

    /// Like [`try_from_array`](ArrowArray::try_from_array). Adds the copies that were made to `stats`.
    ///
    /// # Errors
    /// The errors of [`try_from_array`](ArrowArray::try_from_array).
    #[doc(hidden)] // For bindings, which add up the copies of many arrays.
    pub fn try_from_array_counted(
        array: &ArrayData,
        stats: &mut CopyStats,
    ) -> Result<ArrowArray, CDataError> {
        export::export_array(array, stats)
    }

    /// Makes a structure that shares the buffers of a record batch: a struct whose children are the columns. The
    /// columns are checked as in [`try_from_array`](ArrowArray::try_from_array).
    ///
    /// # Errors
    /// The errors of [`try_from_array`](ArrowArray::try_from_array).
    pub fn try_from_batch(batch: &RecordBatch) -> Result<ArrowArray, CDataError> {
        ArrowArray::try_from_batch_counted(batch, &mut CopyStats::new())
    }

    /// Like [`try_from_batch`](ArrowArray::try_from_batch). Adds the copies that were made to `stats`.
    ///
    /// # Errors
    /// The errors of [`try_from_array`](ArrowArray::try_from_array).
    #[doc(hidden)] // For bindings, which add up the copies of many arrays.
    pub fn try_from_batch_counted(
        batch: &RecordBatch,
        stats: &mut CopyStats,
    ) -> Result<ArrowArray, CDataError> {
        export::export_batch(batch, stats)
    }

    /// Imports the array, sharing the memory of this structure. The structure is released when the last buffer of the
    /// array is dropped, or after an error.
    ///
    /// A structure does not contain its type, so the function cannot check whether the type is right:
    ///
    /// ```compile_fail,E0133
    /// use arrow_c_data::ArrowArray;
    /// use arrow_data::{ArrayData, Validation};
    /// use arrow_schema::DataType;
    ///
    /// let exported = ArrowArray::try_from_array(&ArrayData::new_empty(&DataType::Int32))?;
    /// let imported = exported.import(&DataType::Int64, Validation::Content)?;
    /// # Ok::<(), arrow_c_data::CDataError>(())
    /// ```
    ///
    /// # Safety
    /// The structure is an array of this type, and its buffers have the lengths that [the contract](crate#the-contract)
    /// requires.
    ///
    /// # Errors
    /// If the structure cannot be an array of this type, or if its content is invalid.
    pub unsafe fn import(
        self,
        data_type: &DataType,
        validation: Validation,
    ) -> Result<ArrayData, CDataError> {
        let structure = TypedStructure { base: Arc::new(self), data_type: data_type.clone() };
        structure.import(validation, &mut CopyStats::new(), &mut CheckedArrays::default())
    }

    /// Imports a record batch with this schema, sharing the memory of this structure. The structure is a struct whose
    /// children are the columns.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_c_data::ArrowArray;
    /// use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
    /// use arrow_schema::{DataType, Schema};
    ///
    /// let flags = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![0b101_u8]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Boolean, 3)
    /// })?;
    /// let batch = RecordBatch::try_from_columns([("flag", flags)])?;
    /// let other: Schema = "flag: utf8".parse()?;
    /// let exported = ArrowArray::try_from_batch(&batch)?;
    /// // SAFETY: text has another number of buffers, so that it is not read.
    /// let error = unsafe { exported.import_batch(other, Validation::Content) }.unwrap_err();
    /// assert_eq!(error.to_string(), "field `flag`: expected 3 buffers, found 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Safety
    /// The structure is a batch of this schema, and its buffers have the lengths that [the
    /// contract](crate#the-contract) requires.
    ///
    /// # Errors
    /// If the structure cannot be a batch of this schema, if one of its rows is null, or if its content is invalid.
    pub unsafe fn import_batch(
        self,
        schema: impl Into<Arc<Schema>>,
        validation: Validation,
    ) -> Result<RecordBatch, CDataError> {
        let schema = schema.into();
        let data_type = DataType::Struct(schema.shared_fields().clone());
        let structure = TypedStructure { base: Arc::new(self), data_type };
        structure.import_batch(schema, validation, &mut CopyStats::new(), &mut CheckedArrays::default())
    }

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
