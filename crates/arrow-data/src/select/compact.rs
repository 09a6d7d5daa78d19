//! Removes data to which no slot refers, and copies arrays to new memory.

use std::sync::Arc;

use super::{
    assemble,
    dictionary::Merge,
    plan::Picks,
    sources::{Sharing, Sources},
    used::{Unused, Used, lengths},
    used_views::{fill_items, fill_views},
};
use crate::{
    array::{ArrayData, ArrayParts},
    error::DataError,
    layout::References,
    level::Level,
    positions::inside,
};

impl ArrayData {
    /// Removes data to which no valid slot refers: bytes of data buffers, items of list views, and values of children
    /// of dense unions. The values of the array stay the same. `unused` decides what is removed. Items are removed at
    /// all levels, but not inside dictionaries. Slots that share items still share them. If nothing is removed, the
    /// result is the array itself.
    ///
    /// # Errors
    /// If offsets, views or other numbers that refer to values are unchecked and invalid. If items are removed and
    /// other content is invalid.
    ///
    /// ```
    /// use arrow_buffer::{Buffer, View};
    /// use arrow_data::{ArrayData, ArrayParts, Unused};
    /// use arrow_schema::DataType;
    ///
    /// let text = b"a text that no slot refers to, and one that some refer to";
    /// let view = View::long(&text[31..], 0, 31).expect("more than 12 bytes");
    /// let array = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![view; 3]), Buffer::new()],
    ///     variadic: Some([Buffer::copy_from(text)].into()),
    ///     ..ArrayParts::new(DataType::Utf8View, 3)
    /// })?;
    /// let used = array.with_used_items(Unused::LeftOut)?;
    /// assert_eq!(&*used.variadic()[0], &text[31..]);
    /// assert!(used.same_values(&array)?);
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn with_used_items(&self, unused: Unused) -> Result<ArrayData, DataError> {
        let trim = |array: &ArrayData| used_items(array, unused);
        self.each_level(Below::Children, &trim)
    }

    /// Removes the values of dictionaries to which no valid index refers. The remaining values keep their order. The
    /// values of the array stay the same. `unused` decides what is removed. Values are removed at all levels. If
    /// nothing is removed, the result is the array itself.
    ///
    /// # Errors
    /// If an array with a dictionary is invalid.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts, Unused};
    /// use arrow_schema::{DataType, IndexType};
    ///
    /// let values = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![10, 20, 30, 40]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int32, 4)
    /// })?;
    /// let array = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![3i8, 1, 3]), Buffer::new()],
    ///     dictionary: Some(Arc::new(values)),
    ///     ..ArrayParts::new(DataType::dictionary(IndexType::Int8, DataType::Int32)?, 3)
    /// })?;
    /// let used = array.with_used_values(Unused::LeftOut)?;
    /// assert_eq!(used.buffer(0).view::<i8>(), Ok(&[1, 0, 1][..]));
    /// assert_eq!(used.dictionary().map(|values| values.len()), Some(2));
    /// assert!(used.same_values(&array)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_used_values(&self, unused: Unused) -> Result<ArrayData, DataError> {
        let trim = |array: &ArrayData| used_values(array, unused);
        self.each_level(Below::Dictionaries, &trim)
    }

    /// Copies the data to which slots refer to new memory. Use it to keep a few slots of a large array. Slices and the
    /// results of [`take`](ArrayData::take) and [`filter`](ArrayData::filter) share memory with the large array, and
    /// arrays from a reader share the memory that was read. That memory is freed only when nothing refers to it any
    /// more.
    ///
    /// Dictionaries stay shared, since many arrays may refer to the same dictionary;
    /// [`with_used_values`](ArrayData::with_used_values) makes a new dictionary. The result's content is checked.
    ///
    /// # Errors
    /// If the array is invalid.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let many = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::zeroed(8_000_000), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int64, 1_000_000)
    /// })?;
    /// let few = many.slice(500, 3);
    /// assert_eq!(few.buffer(0).as_ptr().addr() - many.buffer(0).as_ptr().addr(), 4_000);
    /// let few = few.compact()?;
    /// drop(many); // frees eight million bytes
    /// assert_eq!(few.buffer(0).view::<i64>(), Ok(&[0, 0, 0][..]));
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn compact(&self) -> Result<ArrayData, DataError> {
        let source = super::checked(self)?;
        let (picks, sources) = (Picks::all([source.len()])?, [&source]);
        assemble::assemble(&Sources::new(&sources, None).sharing(Sharing::Dictionaries), &picks)
    }

    /// Changes the array and its children. Returns the array itself if nothing changes. If the content was checked, the
    /// changed content is checked again.
    fn each_level(&self, below: Below, change: Change<'_>) -> Result<ArrayData, DataError> {
        match each_level(self, below, change)? {
            None => Ok(self.clone()),
            Some(changed) => changed.validate(self.checked().min(Level::Content)),
        }
    }
}

/// Whether the change also applies to dictionaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    Children,
    /// The change also applies to dictionaries whose values have children or dictionaries. Other dictionaries are not
    /// copied, so that they can be recognised by their memory.
    Dictionaries,
}

/// Changes one array. `None` if nothing changes.
type Change<'a> = &'a dyn Fn(&ArrayData) -> Result<Option<Box<ArrayParts>>, DataError>;

/// Changes the array, then its children; `None` if nothing changes. Recurses once for each level of the type, and uses little
/// stack.
fn each_level(array: &ArrayData, below: Below, change: Change<'_>) -> Result<Option<ArrayData>, DataError> {
    let mut changed = change(array)?;
    let mut position = 0;
    while let Some(child) = child_at(array, &changed, position) {
        if let Some(child) = each_level(&child, below, change)? {
            replace_child(array, &mut changed, position, child);
        }
        position += 1;
    }
    if below == Below::Dictionaries
        && let Some(values) = dictionary_of(array, &changed)
        && let Some(values) = each_level(&values, below, change)?
    {
        let parts = changed.get_or_insert_with(|| Box::new(array.clone().into_parts()));
        parts.dictionary = Some(Arc::new(values));
    }
    changed.map(finish).transpose()
}

#[expect(clippy::boxed_local, reason = "so that the caller's frame is small")]
#[inline(never)]
fn finish(parts: Box<ArrayParts>) -> Result<ArrayData, DataError> {
    ArrayData::try_new(*parts)
}

#[inline(never)]
fn child_at(array: &ArrayData, changed: &Option<Box<ArrayParts>>, position: usize) -> Option<Box<ArrayData>> {
    let children = match changed {
        Some(parts) => parts.children.as_deref()?,
        None => array.children(),
    };
    children.get(position).cloned().map(Box::new)
}

#[inline(never)]
fn dictionary_of(array: &ArrayData, changed: &Option<Box<ArrayParts>>) -> Option<Arc<ArrayData>> {
    let values = match changed {
        Some(parts) => parts.dictionary.as_ref(),
        None => array.dictionary(),
    };
    values.filter(|values| !values.children().is_empty() || values.dictionary().is_some()).cloned()
}

#[inline(never)]
fn replace_child(
    array: &ArrayData,
    changed: &mut Option<Box<ArrayParts>>,
    position: usize,
    child: ArrayData,
) {
    let parts = changed.get_or_insert_with(|| Box::new(array.clone().into_parts()));
    if let Some(children) = &mut parts.children
        && let Some(place) = Arc::make_mut(children).get_mut(position)
    {
        *place = child;
    }
}

/// The parts of an array without unused items; `None` if nothing is removed.
#[inline(never)]
fn used_items(array: &ArrayData, unused: Unused) -> Result<Option<Box<ArrayParts>>, DataError> {
    let n_all = lengths(array).iter().fold(0_usize, |sum, n| sum.saturating_add(*n));
    if n_all == 0 || unused == Unused::Kept {
        return Ok(None);
    }
    array.check_positions()?;
    if unused == Unused::Bounded && array.refers_to_at_least(n_all.div_ceil(2))? {
        return Ok(None);
    }
    let used = Used::of(array)?;
    if !unused.leaves_out(used.n(), n_all) {
        return Ok(None);
    }
    let mut parts = Box::new(array.clone().into_parts());
    let sources = [array];
    let sources = Sources::new(&sources, None);
    match array.layout().references() {
        References::Data => fill_views(array, Some(unused), &mut parts)?,
        References::Items => {
            let items = fill_items(array, &used, &mut parts)?;
            assemble::children(&sources, &items, &mut parts)?;
        }
        References::Values => {
            let picks = Picks::all([array.len()])?;
            assemble::fill(&sources, &picks, &mut parts)?;
        }
        References::None | References::InOrder | References::Dictionary => return Ok(None),
    }
    Ok(Some(parts))
}

/// The parts of an array whose dictionary only has the values that valid indices refer to, in the old order; `None` if
/// nothing is removed.
#[inline(never)]
fn used_values(array: &ArrayData, unused: Unused) -> Result<Option<Box<ArrayParts>>, DataError> {
    if array.dictionary().is_none() || unused == Unused::Kept {
        return Ok(None);
    }
    let source = super::checked(array)?;
    let dictionary = inside(source.dictionary())?;
    let (picks, sources) = (Picks::all([source.len()])?, [&source]);
    let sources = Sources::new(&sources, None);
    let merge = Merge::plan(&sources, &[dictionary], &picks, None)?;
    if !unused.leaves_out(merge.picks().n_slots(), dictionary.len()) {
        return Ok(None);
    }
    let mut parts = Box::new(source.clone().into_parts());
    let values = assemble::assemble(&sources.others(merge.dictionaries()), merge.picks())?;
    merge.finish(&sources, values, &picks, &mut parts)?;
    Ok(Some(parts))
}
