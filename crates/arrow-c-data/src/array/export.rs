//! Arrays and batches for others.

use std::ffi::c_void;
use std::ptr;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, DataErrorKind, Physical, RecordBatch};

use super::ArrowArray;
use crate::error::{CDataError, CDataErrorKind as Kind};
use crate::options::CopyStats;

impl ArrowArray {
    /// Shares an array: the structure refers to its buffers.
    ///
    /// # Errors
    /// If an array has more than 2⁶³ − 1 slots.
    pub fn try_from_array(array: &ArrayData) -> Result<ArrowArray, CDataError> {
        ArrowArray::try_from_array_counted(array, &mut CopyStats::new())
    }

    /// As [`try_from_array`](ArrowArray::try_from_array), adding to `stats` what had to be copied.
    ///
    /// # Errors
    /// As [`try_from_array`](ArrowArray::try_from_array).
    pub fn try_from_array_counted(
        array: &ArrayData,
        stats: &mut CopyStats,
    ) -> Result<ArrowArray, CDataError> {
        let mut structures = Vec::with_capacity(array.children().len());
        for (position, child) in array.children().iter().enumerate() {
            let child = ArrowArray::try_from_array_counted(child, stats);
            let field = array.data_type().children().get(position);
            let name = field.map_or("", |field| field.name());
            structures.push(child.map_err(|error| error.in_child(position, name))?);
        }
        if let Some(dictionary) = array.dictionary() {
            structures.push(ArrowArray::try_from_array_counted(dictionary, stats)?);
        }
        let exported = Exported::try_of(array, stats)?;
        let numbers = Numbers {
            length: count(array.len())?,
            null_count: array.known_null_count().map_or(Ok(-1), count)?,
            offset: count(exported.offset)?,
            n_children: array.children().len(),
        };
        Ok(build(numbers, exported, structures))
    }

    /// Shares a record batch: a struct whose children are its columns.
    ///
    /// # Errors
    /// As [`try_from_array`](ArrowArray::try_from_array).
    pub fn try_from_batch(batch: &RecordBatch) -> Result<ArrowArray, CDataError> {
        ArrowArray::try_from_batch_counted(batch, &mut CopyStats::new())
    }

    /// As [`try_from_batch`](ArrowArray::try_from_batch), adding to `stats` what had to be copied.
    ///
    /// # Errors
    /// As [`try_from_array`](ArrowArray::try_from_array).
    pub fn try_from_batch_counted(
        batch: &RecordBatch,
        stats: &mut CopyStats,
    ) -> Result<ArrowArray, CDataError> {
        let mut structures = Vec::with_capacity(batch.n_columns());
        for (position, (field, column)) in batch.schema().fields().iter().zip(batch.columns()).enumerate() {
            let column = ArrowArray::try_from_array_counted(column, stats);
            structures.push(column.map_err(|error| error.in_child(position, field.name()))?);
        }
        let (length, n_children) = (count(batch.n_rows())?, structures.len());
        let numbers = Numbers { length, null_count: 0, offset: 0, n_children };
        Ok(build(numbers, Exported { n_buffers: 1, ..Exported::default() }, structures))
    }
}

fn count(n: usize) -> Result<i64, Kind> {
    let limit = i64::MAX.unsigned_abs();
    i64::try_from(n).map_err(|_| Kind::TooLong { what: "slots", n: n as u64, limit })
}

/// The numbers of a structure.
struct Numbers {
    length: i64,
    null_count: i64,
    offset: i64,
    n_children: usize,
}

/// The buffers of an exported array.
#[derive(Default)]
struct Exported {
    /// Where the slots begin in all buffers: less than 8 bits, or any number of slots of runs.
    offset: usize,
    n_buffers: usize,
    /// The pointers, where there are no more than these.
    pointers: [Pointer; 3],
    /// All pointers of views.
    many: Vec<Pointer>,
    /// The lengths of the data buffers of views.
    lengths: Vec<i64>,
    /// What keeps the memory alive.
    array: Option<ArrayData>,
    /// Bits that were copied.
    copies: [Buffer; 2],
}

/// A pointer to the start of a buffer.
#[repr(transparent)]
#[derive(Clone, Copy)]
struct Pointer(*const c_void);

impl Default for Pointer {
    fn default() -> Pointer {
        Pointer(ptr::null())
    }
}

impl Exported {
    fn try_of(array: &ArrayData, stats: &mut CopyStats) -> Result<Exported, CDataError> {
        let layout = array.layout();
        let mut exported = Exported { n_buffers: layout.buffers().len(), ..Exported::default() };
        match layout.physical() {
            Physical::Runs(_) => exported.offset = array.offset(),
            Physical::Bits => exported.share_bits(array, stats)?,
            Physical::Views => exported.share_views(array, stats),
            Physical::Null
            | Physical::Fixed(_)
            | Physical::Bytes(_)
            | Physical::List(_)
            | Physical::ListView(_)
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Union(_)
            | Physical::Dictionary(_) => {
                let mut pointers = exported.pointers.iter_mut();
                if layout.has_validity()
                    && let Some(place) = pointers.next()
                {
                    (exported.copies[0], *place) = packed(array.validity(), stats);
                }
                // Of no more buffers than the array has: the rest is not counted.
                for (place, k) in pointers.zip(0..2) {
                    *place = start_of(array.buffer(k));
                }
            }
        }
        exported.array = Some(array.clone());
        Ok(exported)
    }

    /// Bits may begin inside a byte, validity and values at the same bit.
    fn share_bits(&mut self, array: &ArrayData, stats: &mut CopyStats) -> Result<(), DataErrorKind> {
        // The structure of an array is sound.
        let values = Bitmap::try_new(array.buffer(0).clone(), array.offset(), array.len())
            .map_err(|_| DataErrorKind::Internal { what: "booleans with too few bits" })?;
        let bit = values.bit_offset() % 8;
        let validity = array.validity();
        if validity.is_none_or(|validity| validity.bit_offset() % 8 == bit) {
            self.offset = bit;
            self.pointers[0] = validity.map_or(Pointer::default(), byte_of);
            self.pointers[1] = byte_of(&values);
        } else {
            (self.copies[0], self.pointers[0]) = packed(validity, stats);
            (self.copies[1], self.pointers[1]) = packed(Some(&values), stats);
        }
        Ok(())
    }

    /// After the views their data, then the lengths of these.
    fn share_views(&mut self, array: &ArrayData, stats: &mut CopyStats) {
        let (copy, validity) = packed(array.validity(), stats);
        self.copies[0] = copy;
        self.lengths = array.variadic().iter().map(|data| data.len() as i64).collect();
        let mut pointers = Vec::with_capacity(self.lengths.len().saturating_add(3));
        pointers.extend([validity, start_of(array.buffer(0))]);
        pointers.extend(array.variadic().iter().map(start_of));
        pointers.push(if self.lengths.is_empty() {
            ZEROS.start()
        } else {
            Pointer(self.lengths.as_ptr().cast())
        });
        self.n_buffers = pointers.len();
        self.many = pointers;
    }
}

/// Zeros, for buffers that may be empty here but not in the interface: those of offsets have at least one.
#[repr(align(64))]
struct Zeros([u8; 64]);

static ZEROS: Zeros = Zeros([0; 64]);

impl Zeros {
    fn start(&self) -> Pointer {
        Pointer(self.0.as_ptr().cast())
    }
}

/// Where a buffer starts. Never null: some readers take that for an error, whatever the length.
fn start_of(buffer: &Buffer) -> Pointer {
    if buffer.is_empty() { ZEROS.start() } else { Pointer(buffer.as_ptr().cast()) }
}

/// The byte in which bits begin.
fn byte_of(bits: &Bitmap) -> Pointer {
    if bits.is_empty() {
        ZEROS.start()
    } else {
        Pointer(bits.buffer().as_ptr().wrapping_add(bits.bit_offset() / 8).cast())
    }
}

/// Bits that begin with a byte, copied if they do not; and what keeps the copy alive.
fn packed(bits: Option<&Bitmap>, stats: &mut CopyStats) -> (Buffer, Pointer) {
    let Some(bits) = bits else { return (Buffer::new(), Pointer::default()) };
    if bits.bit_offset().is_multiple_of(8) {
        return (Buffer::new(), byte_of(bits));
    }
    let copy = bits.to_packed();
    stats.add(1, copy.len() as u64);
    let start = start_of(&copy);
    (copy, start)
}

/// What an exported array points to.
struct Private {
    exported: Exported,
    /// The children, and after them the values of a dictionary.
    structures: Vec<ArrowArray>,
    /// Pointers to them.
    pointers: Vec<*mut ArrowArray>,
}

fn build(numbers: Numbers, exported: Exported, structures: Vec<ArrowArray>) -> ArrowArray {
    // No `Vec` has more items than fit.
    let n_buffers = exported.n_buffers as i64;
    let mut private = Box::new(Private { exported, structures, pointers: Vec::new() });
    let first = private.structures.as_mut_ptr();
    private.pointers = (0..private.structures.len()).map(|position| first.wrapping_add(position)).collect();
    let children = private.pointers.as_mut_ptr();
    let dictionary = private.pointers.get(numbers.n_children).copied().unwrap_or(ptr::null_mut());
    let many = private.exported.many.as_mut_ptr();
    let has_many = !private.exported.many.is_empty();
    let private = Box::into_raw(private);
    // SAFETY: the box is valid until `release` frees it. The pointers lie in it, so theirs is made of that to the box.
    let inline = unsafe { &raw mut (*private).exported.pointers };
    ArrowArray {
        length: numbers.length,
        null_count: numbers.null_count,
        offset: numbers.offset,
        n_buffers,
        n_children: numbers.n_children as i64,
        buffers: if has_many { many.cast() } else { inline.cast() },
        children,
        dictionary,
        release: Some(release),
        private_data: private.cast(),
    }
}

/// Releases an exported array with its children, unless they were moved away.
///
/// # Safety
/// `array` is one that [`build`] made, wherever it was moved to, and is not released.
unsafe extern "C" fn release(array: *mut ArrowArray) {
    // SAFETY: the contract of the callback.
    let array = unsafe { &mut *array };
    array.release = None;
    // SAFETY: `build` set it to what `Box::into_raw` gave, and this is called once, since `release` is null now.
    drop(unsafe { Box::from_raw(array.private_data.cast::<Private>()) });
}
