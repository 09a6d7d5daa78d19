//! Imports several arrays, which may share dictionaries.

use std::sync::{Arc, Mutex};

use arrow_data::{ArrayData, CheckedArrays, RecordBatch, Validation};
use arrow_schema::{DataType, Schema};

use super::ArrowArray;
use super::typed::TypedStructure;
use crate::error::CDataError;
use crate::stats::CopyStats;

/// Imports arrays or batches, one after the other, such as the slices of a table. A dictionary that is the same memory as that
/// of the array before is checked once.
///
/// For this, an importer holds the structure that brought the last dictionary of each column, also after its array was dropped.
/// It holds no structure of other columns, except of list views and dense unions whose slots are in no order.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_c_data::{ArrayImporter, ArrowArray};
/// use arrow_data::{ArrayData, ArrayParts, Validation};
/// use arrow_schema::DataType;
///
/// let buffers = [Buffer::from(vec![1_i32, 2, 3]), Buffer::new()];
/// let numbers = ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Int32, 3) })?;
/// let mut importer = ArrayImporter::new(Validation::Content);
/// for slot in 0..3 {
///     let exported = ArrowArray::try_from_array(&numbers.slice(slot, 1))?;
///     // SAFETY: it was exported from such an array.
///     let imported = unsafe { importer.import(exported, &DataType::Int32) }?;
///     assert_eq!(imported, numbers.slice(slot, 1));
/// }
/// # Ok::<(), arrow_c_data::CDataError>(())
/// ```
#[derive(Debug)]
pub struct ArrayImporter {
    validation: Validation,
    stats: CopyStats,
    known: Arc<Mutex<CheckedArrays>>,
}

impl ArrayImporter {
    /// An importer that checks content up to this level.
    pub fn new(validation: Validation) -> ArrayImporter {
        ArrayImporter { validation, stats: CopyStats::new(), known: Arc::default() }
    }

    /// An importer that shares what it has checked with this one, for another stream of the same columns. Only one of them at a
    /// time uses it; the other one checks all of its array then.
    #[must_use]
    pub fn sharing_checks(&self) -> ArrayImporter {
        ArrayImporter { known: Arc::clone(&self.known), ..ArrayImporter::new(self.validation) }
    }

    /// The numbers of buffers and bytes that were copied so far.
    pub fn stats(&self) -> CopyStats {
        self.stats
    }

    /// Like [`ArrowArray::import`].
    ///
    /// # Safety
    /// The conditions of [`ArrowArray::import`].
    ///
    /// # Errors
    /// The errors of [`ArrowArray::import`].
    pub unsafe fn import(
        &mut self,
        array: ArrowArray,
        data_type: &DataType,
    ) -> Result<ArrayData, CDataError> {
        let structure = TypedStructure { base: Arc::new(array), data_type: data_type.clone() };
        let (validation, stats) = (self.validation, &mut self.stats);
        with_known(&self.known, |known| structure.import(validation, stats, known))
    }

    /// Like [`ArrowArray::import_batch`].
    ///
    /// # Safety
    /// The conditions of [`ArrowArray::import_batch`].
    ///
    /// # Errors
    /// The errors of [`ArrowArray::import_batch`].
    pub unsafe fn import_batch(
        &mut self,
        array: ArrowArray,
        schema: impl Into<Arc<Schema>>,
    ) -> Result<RecordBatch, CDataError> {
        let schema = schema.into();
        let data_type = DataType::Struct(schema.shared_fields().clone());
        let structure = TypedStructure { base: Arc::new(array), data_type };
        let (validation, stats) = (self.validation, &mut self.stats);
        with_known(&self.known, |known| structure.import_batch(schema, validation, stats, known))
    }
}

/// Calls a function with what is known, or with nothing while another thread uses it: release callbacks of other libraries may
/// wait for locks that this thread holds, so nobody waits here.
fn with_known<T>(known: &Mutex<CheckedArrays>, import: impl FnOnce(&mut CheckedArrays) -> T) -> T {
    match known.try_lock() {
        Ok(mut known) => import(&mut known),
        Err(_) => import(&mut CheckedArrays::default()),
    }
}
