//! Exports arrays and batches.

use std::ffi::c_void;
use std::mem::offset_of;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ChildLen, DataError, RecordBatch, Repairs, Validation};

use super::ArrowArray;
use crate::error::{CDataError, CDataErrorKind as Kind};
use crate::raw::{self, keep};
use crate::stats::CopyStats;

/// Exports an array. Checks its content, unless that was done.
pub(super) fn export_array(array: &ArrayData, stats: &mut CopyStats) -> Result<ArrowArray, CDataError> {
    if array.checked() >= Validation::Content && !array.has_assumptions() {
        return export_valid(array, stats);
    }
    let array = array.clone().forget_assumptions();
    let mut repairs = Repairs::default();
    let array = array.validate_counted(Validation::Content, &mut repairs)?;
    stats.add(repairs.n_buffers(), repairs.n_bytes());
    export_valid(&array, stats)
}

/// Exports a batch as a struct of its columns.
pub(super) fn export_batch(batch: &RecordBatch, stats: &mut CopyStats) -> Result<ArrowArray, CDataError> {
    let mut structures = Vec::with_capacity(batch.n_columns());
    for (position, (field, column)) in batch.schema().fields().iter().zip(batch.columns()).enumerate() {
        let column = export_array(column, stats);
        structures.push(column.map_err(|error| error.in_child(position, field.name()))?);
    }
    let length = count(batch.n_rows())?;
    let n_children = structures.len();
    let numbers = StructureNumbers { length, null_count: 0, offset: 0, n_buffers: 1, n_children };
    Ok(build(&numbers, Box::default(), structures))
}

/// Exports an array whose content is valid, and shares its buffers.
fn export_valid(array: &ArrayData, stats: &mut CopyStats) -> Result<ArrowArray, CDataError> {
    let mut structures = Vec::with_capacity(array.children().len());
    for (position, child) in array.children().iter().enumerate() {
        let child = export_valid(child, stats);
        let field = array.data_type().children().get(position);
        let name = field.map_or("", |field| field.name());
        structures.push(child.map_err(|error| error.in_child(position, name))?);
    }
    if let Some(dictionary) = array.dictionary() {
        structures.push(export_valid(dictionary, stats)?);
    }
    // The box is filled in place, since its content is large and takes time to move.
    let mut private = Box::<PrivateArray>::default();
    let ExportedLayout { n_buffers, offset } = private.share(array, stats)?;
    // DuckDB 1 takes the unknown count of a dictionary's indices for none.
    let null_count =
        if array.dictionary().is_some() { Some(array.null_count()) } else { array.known_null_count() };
    let numbers = StructureNumbers {
        length: count(array.len())?,
        null_count: null_count.map_or(Ok(-1), count)?,
        offset: count(offset)?,
        n_buffers,
        n_children: array.children().len(),
    };
    Ok(build(&numbers, private, structures))
}

fn count(n: usize) -> Result<i64, Kind> {
    let limit = i64::MAX.unsigned_abs();
    i64::try_from(n).map_err(|_| Kind::TooLong { what: "slots", n: n as u64, limit })
}

struct StructureNumbers {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: usize,
    n_children: usize,
}

/// The owner of an exported array's memory.
#[derive(Default)]
struct PrivateArray {
    pointers: [BufferPointer; 3],
    /// The memory to which the pointers point.
    memory: [Buffer; 3],
    nested: Option<Box<NestedMemory>>,
}

/// The memory of arrays with children, a dictionary, or data buffers of views.
#[derive(Default)]
struct NestedMemory {
    views: Option<ViewPointers>,
    /// The children, and after them the values of a dictionary.
    structures: Vec<ArrowArray>,
    /// Pointers to these structures.
    children: Vec<raw::Pointer<ArrowArray>>,
}

/// Pointers and lengths of the data buffers of views.
struct ViewPointers {
    pointers: Vec<BufferPointer>,
    #[expect(dead_code, reason = "one of the pointers points to them")]
    lengths: Vec<i64>,
    #[expect(dead_code, reason = "keeps the memory alive")]
    array: ArrayData,
}

/// A pointer to the start of a buffer.
type BufferPointer = raw::Pointer<c_void>;

/// The number of buffers, and the array offset: less than 8 for bit-packed values, any number for runs, otherwise 0.
struct ExportedLayout {
    n_buffers: usize,
    offset: usize,
}

impl PrivateArray {
    /// Sets the pointers to the buffers of an array, and stores the buffers so that they stay alive.
    fn share(&mut self, array: &ArrayData, stats: &mut CopyStats) -> Result<ExportedLayout, CDataError> {
        let layout = array.layout();
        let mut exported = ExportedLayout { n_buffers: layout.buffers().len(), offset: 0 };
        if layout.child_len() == ChildLen::Runs {
            exported.offset = array.offset();
        } else if layout.slices_by_offset() {
            exported.offset = self.share_bits(array, stats)?;
        } else if layout.is_variadic() {
            exported.n_buffers = self.share_views(array, stats);
        } else {
            let mut targets = self.pointers.iter_mut().zip(&mut self.memory);
            if layout.has_validity()
                && let Some(target) = targets.next()
                && let Some(validity) = array.validity()
            {
                (*target.0, *target.1) = packed(validity, stats);
            }
            for (k, (pointer, memory)) in (0..layout.data_buffers().len()).zip(targets) {
                // An array without slots may have one offset. Nothing checks this offset here, but other libraries read
                // it, so 0 is exported.
                let buffer = if array.is_empty() { Buffer::new() } else { array.buffer(k).clone() };
                (*pointer, *memory) = (start_of(&buffer), buffer);
            }
        }
        Ok(exported)
    }

    /// Shares validity and values of booleans. Both may begin inside a byte, but must begin at the same bit.
    fn share_bits(&mut self, array: &ArrayData, stats: &mut CopyStats) -> Result<usize, DataError> {
        // This cannot fail, since the structure of the array is valid.
        let values = Bitmap::try_new(array.buffer(0).clone(), array.offset(), array.len())
            .map_err(|_| DataError::internal("booleans with too few bits"))?;
        let bit = values.bit_offset() % 8;
        let validity = array.validity();
        let begin_alike = validity.is_none_or(|validity| validity.bit_offset() % 8 == bit);
        let mut share = |bits: &Bitmap| if begin_alike { whole_bytes(bits) } else { packed(bits, stats) };
        if let Some(validity) = validity {
            (self.pointers[0], self.memory[0]) = share(validity);
        }
        (self.pointers[1], self.memory[1]) = share(&values);
        Ok(if begin_alike { bit } else { 0 })
    }

    /// Shares the views, then their data buffers, and last a buffer with the lengths of the data buffers.
    fn share_views(&mut self, array: &ArrayData, stats: &mut CopyStats) -> usize {
        let mut validity = BufferPointer::default();
        if let Some(bits) = array.validity() {
            (validity, self.memory[0]) = packed(bits, stats);
        }
        let lengths: Vec<i64> = array.variadic().iter().map(|data| data.len() as i64).collect();
        let mut pointers = Vec::with_capacity(lengths.len().saturating_add(3));
        pointers.extend([validity, start_of(array.buffer(0))]);
        pointers.extend(array.variadic().iter().map(start_of));
        pointers.push(if lengths.is_empty() {
            ZEROS.start()
        } else {
            lengths.as_ptr().cast::<c_void>().into()
        });
        let n_buffers = pointers.len();
        let views = ViewPointers { pointers, lengths, array: array.clone() };
        self.nested = Some(Box::new(NestedMemory { views: Some(views), ..NestedMemory::default() }));
        n_buffers
    }
}

/// Zeros for buffers that may be empty in an array, but must have an element in the C data interface, such as offsets.
#[repr(align(64))]
struct Zeros([u8; 64]);

static ZEROS: Zeros = Zeros([0; 64]);

impl Zeros {
    fn start(&self) -> BufferPointer {
        self.0.as_ptr().cast::<c_void>().into()
    }
}

/// The start of a buffer. The pointer is not null even for an empty buffer, since some readers treat null as an error.
fn start_of(buffer: &Buffer) -> BufferPointer {
    if buffer.is_empty() { ZEROS.start() } else { buffer.as_ptr().cast::<c_void>().into() }
}

/// Shares bits without a copy: returns a pointer to the byte in which they begin, and the memory.
fn whole_bytes(bits: &Bitmap) -> (BufferPointer, Buffer) {
    if bits.is_empty() {
        return (ZEROS.start(), Buffer::new());
    }
    let start = bits.buffer().as_ptr().wrapping_add(bits.bit_offset() / 8);
    (start.cast::<c_void>().into(), bits.buffer().clone())
}

/// Returns bits that start at a byte. Copies them if they start inside a byte.
fn packed(bits: &Bitmap, stats: &mut CopyStats) -> (BufferPointer, Buffer) {
    if bits.bit_offset().is_multiple_of(8) {
        return whole_bytes(bits);
    }
    let copy = bits.to_packed();
    stats.add(1, copy.len() as u64);
    (start_of(&copy), copy)
}

fn build(
    numbers: &StructureNumbers,
    mut private: Box<PrivateArray>,
    mut structures: Vec<ArrowArray>,
) -> ArrowArray {
    let mut children = raw::Pointer::null();
    let mut dictionary = raw::Pointer::null();
    if !structures.is_empty() {
        let first = structures.as_mut_ptr();
        let nested = private.nested.get_or_insert_default();
        nested.children = (0..structures.len()).map(|position| first.wrapping_add(position).into()).collect();
        children = nested.children.as_mut_ptr().into();
        dictionary = nested.children.get(numbers.n_children).copied().unwrap_or_default();
        nested.structures = structures;
    }
    let views = private.nested.as_deref_mut().and_then(|nested| nested.views.as_mut());
    let many = views.map(|views| views.pointers.as_mut_ptr());
    let (private_data, release) = keep(private);
    // The structures lie inside the box, so their pointer is derived from the pointer to the box.
    let inline = private_data.get().wrapping_byte_add(offset_of!(PrivateArray, pointers));
    ArrowArray {
        length: numbers.length,
        null_count: numbers.null_count,
        offset: numbers.offset,
        // The casts lose nothing: no `Vec` has more items than fit.
        n_buffers: numbers.n_buffers as i64,
        n_children: numbers.n_children as i64,
        buffers: many.unwrap_or(inline.cast()).into(),
        children,
        dictionary,
        release,
        private_data,
    }
}
