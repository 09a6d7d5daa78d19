//! Columns in the few forms that JavaScript reads. Each is a list of words: its form, the number of its slots, where its
//! buffers are, and its children. `js/src/columns.js` reads the same.
//!
//! JavaScript copies what the words refer to before it calls again.

use std::{collections::TryReserveError, ops::Range};

use arrow_buffer::{Bitmap, Buffer, F16, Values, View};
use arrow_data::{
    ArrayData, DataError, Physical, RecordBatch, Validation,
    positions::{self, DictionaryIndices, Ranges, RunEnds, TypeIds, inside, numbers},
};
use arrow_schema::DataType;

use crate::failure::{Class, Failure, Result};

/// The greatest number of slots of all arrays of the columns. Types without bytes could have any number.
const MAX_SLOTS: u64 = 1 << 28;

/// The first word of each array. The numbers are those of `js/src/columns.js`.
#[derive(Clone, Copy)]
enum Form {
    Null = 0,
    Bits = 1,
    /// Then: the kind of number, and where the numbers are.
    Numbers = 2,
    /// Then: the width, and where the values are.
    Fixed = 3,
    /// Then: where the offsets are, where the bytes are, the first offset, and whether all bytes are ASCII.
    Text = 4,
    Binary = 5,
    /// Then: where the starts and the ends of the items of each slot are, and the least start. One child.
    List = 6,
    /// Then: the number of items of each slot. One child.
    FixedList = 7,
    /// Then: the number of children.
    Struct = 8,
    /// Then: where the positions of the children are, and the slots in them, and the number of children.
    Union = 9,
    /// Then: where the indices are, and the least of them. One child, the values from this one on.
    Dictionary = 10,
}

/// Columns as words, and the buffers to which they refer.
pub(crate) struct Described {
    words: Vec<u32>,
    bytes: Vec<u8>,
    /// Keeps the memory.
    buffers: Vec<Buffer>,
    bitmaps: Vec<Bitmap>,
    n_slots: u64,
    /// The bytes that were made for values alone, because the file has them once for several slots.
    n_bytes: u64,
    max_bytes: u64,
}

impl Described {
    /// Describes rows of all columns of a batch. Views that share bytes, and runs, take at most `max_bytes`.
    pub(crate) fn try_new(batch: &RecordBatch, rows: Range<usize>, max_bytes: u64) -> Result<Described> {
        let mut described = Described::empty(max_bytes);
        for column in batch.columns() {
            described.add(&column.try_slice(rows.start, rows.len())?)?;
        }
        described.seal();
        Ok(described)
    }

    fn empty(max_bytes: u64) -> Described {
        Described {
            words: Vec::new(),
            bytes: Vec::new(),
            buffers: Vec::new(),
            bitmaps: Vec::new(),
            n_slots: 0,
            n_bytes: 0,
            max_bytes,
        }
    }

    fn seal(&mut self) {
        self.bytes = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    }

    pub(crate) fn words_as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Charges bytes that the file has fewer times than there are slots.
    fn charge(&mut self, n_bytes: usize) -> Result<()> {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes as u64);
        if self.n_bytes <= self.max_bytes {
            return Ok(());
        }
        let text = format!(
            "values that share bytes have more than {} bytes (maxMemoryBytes): read fewer rows at once",
            self.max_bytes
        );
        Err(Failure { text, class: Class::Input })
    }

    /// Types may be deep, so this recursive function leaves the work to others.
    fn add(&mut self, array: &ArrayData) -> Result<()> {
        self.n_slots = self.n_slots.saturating_add(array.len() as u64);
        if self.n_slots > MAX_SLOTS {
            let text = format!("the rows have more than {MAX_SLOTS} values: read fewer rows at once");
            return Err(Failure { text, class: Class::Input });
        }
        for child in self.add_one(array)? {
            self.add(&child)?;
        }
        Ok(())
    }

    /// Adds an array without its children, which are returned.
    fn add_one(&mut self, array: &ArrayData) -> Result<Vec<ArrayData>> {
        let array = array.clone().validate(Validation::Content)?;
        let array = &array;
        match array.layout().physical() {
            Physical::Null => self.head(Form::Null, array)?,
            Physical::Bits => {
                self.head(Form::Bits, array)?;
                let bits = positions::bits(array)?;
                self.push_bits(bits)?;
            }
            Physical::Fixed(_) => self.add_fixed(array)?,
            Physical::Bytes(_) => self.add_bytes(array)?,
            Physical::Views => self.add_views(array)?,
            Physical::List(_) | Physical::ListView(_) => return self.add_lists(array),
            Physical::Runs(_) => return self.add_runs(array),
            Physical::FixedSizeList(size) => {
                self.head(Form::FixedList, array)?;
                self.words.push(word_of(size.as_usize())?);
                return Ok(array.children().to_vec());
            }
            Physical::Struct => {
                self.head(Form::Struct, array)?;
                self.words.push(word_of(array.children().len())?);
                return Ok(array.children().to_vec());
            }
            Physical::Union(_) => return self.add_union(array),
            Physical::Dictionary(_) => return self.add_dictionary(array),
        }
        Ok(Vec::new())
    }

    /// Adds the words that all arrays have.
    fn head(&mut self, form: Form, array: &ArrayData) -> Result<()> {
        self.words.extend([form as u32, word_of(array.len())?]);
        match array.validity_with_nulls() {
            Some(validity) => self.push_bits(validity.clone())?,
            None => self.words.extend([0, 0]),
        }
        Ok(())
    }

    fn push_bits(&mut self, bits: Bitmap) -> Result<()> {
        let skipped = bits.bit_offset() / 8;
        let start = address(bits.buffer().as_slice().get(skipped..).unwrap_or_default());
        self.words.extend([start, word_of(bits.bit_offset() % 8)?]);
        self.bitmaps.push(bits);
        Ok(())
    }

    fn push_buffer(&mut self, buffer: &Buffer) {
        self.words.push(address(buffer.as_slice()));
        self.buffers.push(buffer.clone());
    }

    fn add_fixed(&mut self, array: &ArrayData) -> Result<()> {
        let data_type = array.data_type();
        if *data_type == DataType::Float16 {
            self.head(Form::Numbers, array)?;
            self.words.push(NumberKind::Float32 as u32);
            let narrow: Values<F16> = numbers(array.buffer(0), array.len())?;
            let wide: Vec<f32> = narrow.iter().map(|value| value.to_f32()).collect();
            self.push_buffer(&Buffer::from(wide));
            return Ok(());
        }
        match NumberKind::from_data_type(data_type) {
            Some(kind) => {
                self.head(Form::Numbers, array)?;
                self.words.push(kind as u32);
            }
            None => {
                self.head(Form::Fixed, array)?;
                let width = data_type.byte_width().unwrap_or_default();
                self.words.push(u32::try_from(width).map_err(|_| too_large())?);
            }
        }
        self.push_buffer(array.buffer(0));
        Ok(())
    }

    fn add_bytes(&mut self, array: &ArrayData) -> Result<()> {
        let values = array.buffer(1);
        let ranges = Ranges::try_new(array)?;
        let first = match array.len() {
            0 => 0,
            _ => inside(ranges.get(0))?.start,
        };
        let (offsets, last) = if let Ranges::Offsets32(offsets) = &ranges
            && let Some(last) = offsets.last()
        {
            (offsets.as_buffer().clone(), inside(usize::try_from(*last).ok())?)
        } else {
            let mut offsets = Vec::with_capacity(array.len().saturating_add(1));
            offsets.push(word_of(first)?);
            for slot in 0..array.len() {
                offsets.push(word_of(inside(ranges.get(slot))?.end)?);
            }
            let last = offsets.last().map_or(0, |last| *last as usize);
            (Buffer::from(offsets), last)
        };
        let values = values.slice(first.min(values.len())..last.min(values.len()));
        self.push_bytes(array, &offsets, first, &values)
    }

    fn push_bytes(
        &mut self,
        array: &ArrayData,
        offsets: &Buffer,
        first: usize,
        values: &Buffer,
    ) -> Result<()> {
        let is_text = array.data_type().is_text();
        self.head(if is_text { Form::Text } else { Form::Binary }, array)?;
        self.push_buffer(offsets);
        self.push_buffer(values);
        self.words.extend([word_of(first)?, u32::from(values.is_ascii())]);
        Ok(())
    }

    /// Gathers the bytes of views.
    fn add_views(&mut self, array: &ArrayData) -> Result<()> {
        let views: Values<View> = numbers(array.buffer(0), array.len())?;
        let (mut offsets, mut bytes) = (Vec::with_capacity(array.len().saturating_add(1)), Vec::new());
        offsets.push(0_u32);
        for (slot, view) in views.iter().enumerate() {
            if array.is_valid(slot) {
                let value = view
                    .bytes(array.variadic())
                    .map_err(|_| DataError::internal("a view was not checked"))?;
                self.charge(value.len())?;
                bytes.try_reserve(value.len()).map_err(|_: TryReserveError| too_large())?;
                bytes.extend_from_slice(value);
            }
            offsets.push(word_of(bytes.len())?);
        }
        self.push_bytes(array, &Buffer::from(offsets), 0, &Buffer::from(bytes))
    }

    fn add_lists(&mut self, array: &ArrayData) -> Result<Vec<ArrayData>> {
        let ranges = Ranges::try_new(array)?;
        let (mut least, mut greatest) = (usize::MAX, 0);
        let (mut starts, mut ends) = (Vec::with_capacity(array.len()), Vec::with_capacity(array.len()));
        for slot in 0..array.len() {
            // The range of a null slot of a list view may have any place.
            let range = if array.is_valid(slot) { inside(ranges.get(slot))? } else { 0..0 };
            if !range.is_empty() {
                least = least.min(range.start);
                greatest = greatest.max(range.end);
            }
            starts.push(word_of(range.start)?);
            ends.push(word_of(range.end)?);
        }
        let least = least.min(greatest);
        self.head(Form::List, array)?;
        self.push_buffer(&Buffer::from(starts));
        self.push_buffer(&Buffer::from(ends));
        self.words.push(word_of(least)?);
        let items = inside(array.children().first())?;
        Ok(vec![items.try_slice(least, greatest.saturating_sub(least))?])
    }

    /// Adds the run of each slot as an index, and the values of these runs.
    fn add_runs(&mut self, array: &ArrayData) -> Result<Vec<ArrayData>> {
        let ends = RunEnds::try_new(array)?;
        let (first, mut n_runs) = (ends.run_of(0).unwrap_or(0), 0);
        self.charge(array.len().saturating_mul(size_of::<u32>()))?;
        let mut words = Vec::with_capacity(array.len());
        let mut run = first;
        for slot in 0..array.len() {
            while inside(ends.end_of(run))? <= slot {
                run = run.saturating_add(1);
            }
            n_runs = run.saturating_sub(first).saturating_add(1);
            words.push(word_of(run.saturating_sub(first))?);
        }
        self.head(Form::Dictionary, array)?;
        self.push_buffer(&Buffer::from(words));
        self.words.push(0);
        Ok(vec![inside(array.children().get(1))?.try_slice(first, n_runs)?])
    }

    /// Adds the child of each slot and the slot in it, and of each child the slots from the first to the last that is selected: some
    /// rows of a dense union may need few of them.
    fn add_union(&mut self, array: &ArrayData) -> Result<Vec<ArrayData>> {
        let ids = TypeIds::try_new(array)?;
        let union = inside(array.data_type().as_union())?;
        let (mut children, mut slots) = (Vec::with_capacity(array.len()), Vec::with_capacity(array.len()));
        // The first slot, and the end.
        let mut needed = vec![(usize::MAX, 0_usize); array.children().len()];
        for slot in 0..array.len() {
            let (id, at) = inside(ids.get(slot))?;
            let child = inside(union.child_of(id))?;
            let (first, end) = inside(needed.get_mut(child))?;
            (*first, *end) = ((*first).min(at), (*end).max(at.saturating_add(1)));
            // There are at most 128 children.
            children.push(child as u8);
            slots.push(word_of(at)?);
        }
        for (slot, child) in slots.iter_mut().zip(&children) {
            let (first, _) = inside(needed.get(usize::from(*child)))?;
            *slot = slot.saturating_sub(word_of(*first)?);
        }
        self.head(Form::Union, array)?;
        self.push_buffer(&Buffer::from(children));
        self.push_buffer(&Buffer::from(slots));
        self.words.push(word_of(array.children().len())?);
        let children = array.children().iter().zip(needed).map(|(child, (first, end))| {
            // Nothing of it may be selected.
            let first = first.min(end);
            Ok(child.try_slice(first, end.saturating_sub(first))?)
        });
        children.collect()
    }

    /// Adds indices, and the values from the first to the last that is selected.
    fn add_dictionary(&mut self, array: &ArrayData) -> Result<Vec<ArrayData>> {
        let values = inside(array.dictionary())?;
        let indices = DictionaryIndices::try_new(array)?;
        let (mut least, mut end) = (usize::MAX, 0_usize);
        let mut words = Vec::with_capacity(array.len());
        for slot in 0..array.len() {
            // Slots that are null may have any index.
            if !array.is_valid(slot) {
                words.push(u32::MAX);
                continue;
            }
            let index = inside(indices.get(slot))?;
            least = least.min(index);
            end = end.max(index.saturating_add(1));
            words.push(word_of(index)?);
        }
        let least = least.min(end);
        self.head(Form::Dictionary, array)?;
        self.push_buffer(&Buffer::from(words));
        self.words.push(word_of(least)?);
        Ok(vec![values.try_slice(least, end.saturating_sub(least))?])
    }
}

/// The numbers that are elements of a typed array of JavaScript.
#[derive(Clone, Copy)]
enum NumberKind {
    Int8 = 0,
    UInt8 = 1,
    Int16 = 2,
    UInt16 = 3,
    Int32 = 4,
    UInt32 = 5,
    Float32 = 6,
    Float64 = 7,
    Int64 = 8,
    UInt64 = 9,
}

impl NumberKind {
    fn from_data_type(data_type: &DataType) -> Option<NumberKind> {
        use arrow_schema::IntervalUnit;
        Some(match data_type {
            DataType::Int8 => NumberKind::Int8,
            DataType::UInt8 => NumberKind::UInt8,
            DataType::Int16 => NumberKind::Int16,
            DataType::UInt16 => NumberKind::UInt16,
            DataType::Int32
            | DataType::Date32
            | DataType::Time32(_)
            | DataType::Interval(IntervalUnit::YearMonth) => NumberKind::Int32,
            DataType::UInt32 => NumberKind::UInt32,
            DataType::Float32 => NumberKind::Float32,
            DataType::Float64 => NumberKind::Float64,
            DataType::Int64
            | DataType::Date64
            | DataType::Time64(_)
            | DataType::Timestamp(..)
            | DataType::Duration(_) => NumberKind::Int64,
            DataType::UInt64 => NumberKind::UInt64,
            DataType::Null
            | DataType::Boolean
            | DataType::Float16
            | DataType::Decimal32(..)
            | DataType::Decimal64(..)
            | DataType::Decimal128(..)
            | DataType::Decimal256(..)
            | DataType::Interval(IntervalUnit::DayTime | IntervalUnit::MonthDayNano)
            | DataType::FixedSizeBinary(_)
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::List(_)
            | DataType::LargeList(_)
            | DataType::ListView(_)
            | DataType::LargeListView(_)
            | DataType::FixedSizeList(..)
            | DataType::Struct(_)
            | DataType::Map(_)
            | DataType::Union(_)
            | DataType::Dictionary(_)
            | DataType::RunEndEncoded(_) => return None,
        })
    }
}

/// Where bytes are in the memory of the module.
fn address(bytes: &[u8]) -> u32 {
    // Addresses have 32 bits in WebAssembly.
    bytes.as_ptr().addr() as u32
}

fn word_of(number: usize) -> Result<u32> {
    u32::try_from(number).map_err(|_| too_large())
}

fn too_large() -> Failure {
    Failure { text: "the rows are too large: read fewer rows at once".to_owned(), class: Class::Input }
}
