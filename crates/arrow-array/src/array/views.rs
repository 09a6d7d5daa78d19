//! Arrays of binary and utf8 views.

use arrow_buffer::{Buffer, TextViews, Values, View};
use arrow_data::{ArrayData, DataError, DataErrorKind};

use super::{
    IndexedSlots,
    methods::array_methods,
    proven::{numbers, proven_as},
    sealed::Slots,
};
use crate::{error::ArrayError, kind::Kind};

/// Binary values with views. The bytes of a short value are in the view itself, the bytes of a long value in a data
/// buffer.
///
/// ```
/// use arrow_array::BinaryViewArray;
///
/// let keys = BinaryViewArray::from_iter([Some(b"\x00\x01".as_slice()), None, Some(&[7; 32])]);
/// assert_eq!((keys.get(0), keys.get(1)), (Some(b"\x00\x01".as_slice()), None));
/// assert_eq!(keys.value(2).len(), 32);
/// ```
///
/// Follows "Variable-size Binary View Layout" of the specification.
#[derive(Clone)]
pub struct BinaryViewArray {
    data: ArrayData,
    views: Values<View>,
}

/// Utf8 values with views. The bytes of a short value are in the view itself, the bytes of a long value in a data
/// buffer.
///
/// The bytes are checked as UTF-8 when the array is made, and not again at each access.
///
/// ```
/// use arrow_array::Utf8ViewArray;
///
/// let names = Utf8ViewArray::from_iter([Some("ada"), None, Some("someone with a longer name")]);
/// assert_eq!((names.get(0), names.get(1)), (Some("ada"), None));
/// assert_eq!(names.value(2).len(), 26);
/// ```
///
/// Follows "Variable-size Binary View Layout" of the specification.
#[derive(Clone)]
pub struct Utf8ViewArray {
    data: ArrayData,
    views: TextViews,
}

impl BinaryViewArray {
    /// The views of all slots. The views of null slots have no meaning.
    pub fn views(&self) -> &[View] {
        &self.views
    }

    /// The data buffers, which contain the bytes of long values.
    pub fn buffers(&self) -> &[Buffer] {
        self.data.variadic()
    }
}

impl Utf8ViewArray {
    /// The views of all slots. The views of null slots have no meaning.
    pub fn views(&self) -> &[View] {
        self.views.views()
    }

    /// The data buffers, which contain the bytes of long values.
    pub fn buffers(&self) -> &[Buffer] {
        self.views.data()
    }
}

impl Slots for BinaryViewArray {
    type Item<'a> = &'a [u8];
    type Access<'a> = IndexedSlots<'a, Self>;

    fn make(data: ArrayData) -> Result<BinaryViewArray, ArrayError> {
        let data = proven_as(data, Kind::BinaryView, "binary_view")?;
        Ok(BinaryViewArray { views: numbers(data.buffer(0), data.len())?, data })
    }

    #[inline]
    fn access(&self) -> IndexedSlots<'_, Self> {
        IndexedSlots(self)
    }

    #[inline]
    fn at(&self, slot: usize) -> &[u8] {
        let bytes = self.views.get(slot).and_then(|view| match view.inline_bytes() {
            Some(bytes) => Some(bytes),
            None => long_bytes(view, self.data.variadic()),
        });
        bytes.unwrap_or_default()
    }

    fn zero_value(&self) -> &[u8] {
        &[]
    }
}

impl Slots for Utf8ViewArray {
    type Item<'a> = &'a str;
    type Access<'a> = IndexedSlots<'a, Self>;

    fn make(data: ArrayData) -> Result<Utf8ViewArray, ArrayError> {
        let data = proven_as(data, Kind::Utf8View, "utf8_view")?;
        let views = match data.text_views() {
            Some(views) => views.clone(),
            // Validation stores the checked text in the array. If it is not there, the text is checked again.
            None => prove_again(&data)?,
        };
        Ok(Utf8ViewArray { data, views })
    }

    #[inline]
    fn access(&self) -> IndexedSlots<'_, Self> {
        IndexedSlots(self)
    }

    #[inline]
    fn at(&self, slot: usize) -> &str {
        self.views.get(slot).unwrap_or_default()
    }

    fn zero_value(&self) -> &str {
        ""
    }
}

fn prove_again(data: &ArrayData) -> Result<TextViews, ArrayError> {
    let views = numbers(data.buffer(0), data.len())?;
    TextViews::try_new(views, Some(data.variadic().into()))
        .map_err(|error| DataError::from(DataErrorKind::View(error.kind)).into())
}

/// The bytes of a long value in the data buffers. Validation has compared them with the prefix in the view.
#[inline]
fn long_bytes<'a>(view: &View, buffers: &'a [Buffer]) -> Option<&'a [u8]> {
    let buffer = buffers.get(usize::try_from(view.buffer_idx()).ok()?)?;
    let start = usize::try_from(view.offset()).ok()?;
    buffer.get(start..start.checked_add(usize::try_from(view.n_bytes()).ok()?)?)
}

array_methods!([] BinaryViewArray, &[u8]);
array_methods!([] Utf8ViewArray, &str);
