//! Arrays that grow while others read what is there so far.
//!
//! An array of the table's buffers, each growing by itself. What is appended has been checked, and what is there does not
//! change, so the whole holds every rule that its parts held; the files below say for each layout why.

use arrow_schema::DataType;

use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    level::Level,
};

mod buffers;
mod encoded;
mod moved;
mod node;

use self::node::Node;

/// An array that can be appended to, with snapshots of it as [`ArrayData`] at any time.
///
/// A snapshot ([`array`](GrowingArray::array)) shares memory with later ones: taking it copies nothing. Afterwards only
/// bitmaps are ever copied, when unset bits are appended to a byte that an earlier snapshot still refers to. So appending
/// a thousand parts with a snapshot after each takes time in proportion to the parts.
///
/// The array holds the values of [`concat`](crate::concat()) of the parts. It is [checked](ArrayData::checked) as far as
/// all of them were, and at least for content.
///
/// Dictionaries of the parts stay as they are if one continues the other, which takes no time if a `GrowingArray` made
/// it; else they are merged as `concat` does.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts, GrowingArray, Level};
/// use arrow_schema::DataType;
///
/// let names = ArrayData::try_new(ArrayParts {
///     buffers: [Buffer::from(vec![0i32, 3, 8]), Buffer::copy_from(b"adagrace")],
///     ..ArrayParts::new(DataType::Utf8, 2)
/// })?;
/// let growing = GrowingArray::new(&DataType::Utf8).append(&names, u64::MAX)?;
/// let before = growing.array();
/// let growing = growing.append(&names.slice(1, 1), u64::MAX)?;
/// let after = growing.array();
/// assert_eq!((before.len(), after.len(), after.checked()), (2, 3, Level::Content));
/// assert_eq!(after.text().map(|text| &**text), Some("adagracegrace"));
/// assert!(before.buffer(1).as_ptr() != names.buffer(1).as_ptr());
/// # Ok::<(), arrow_data::DataError>(())
/// ```
#[derive(Debug, Clone)]
pub struct GrowingArray {
    node: Box<Node>,
    n_bytes_copied: u64,
}

impl GrowingArray {
    /// No slots.
    pub fn new(data_type: &DataType) -> GrowingArray {
        GrowingArray { node: Box::new(Node::new(data_type)), n_bytes_copied: 0 }
    }

    /// How many slots there are.
    pub fn len(&self) -> usize {
        self.node.len()
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends all slots of an array, and copies what they need.
    ///
    /// Foreign parts may share their bytes or have more slots than bytes, and bits and dictionaries may be copied or
    /// compared many times. So `max_bytes` bounds the sum of all that is copied or compared since the first part
    /// ([`n_bytes_copied`](GrowingArray::n_bytes_copied)).
    ///
    /// # Errors
    /// If the type is another one, if the content of the array is found to be wrong, if the result does not fit its type
    /// (offsets of 32 bits, the indices of merged dictionaries, run ends), or if more than `max_bytes` were copied.
    pub fn append(self, array: &ArrayData, max_bytes: u64) -> Result<GrowingArray, DataError> {
        let GrowingArray { mut node, n_bytes_copied } = self;
        if !node.data_type().same_type(array.data_type()) {
            let (expected, found) = (node.data_type().clone(), array.data_type().clone());
            return Err(Kind::TypeMismatch { expected, found }.into());
        }
        let mut account = Account { n_bytes: n_bytes_copied, max_bytes };
        if array.checked() >= Level::Content {
            node.append(array, &mut account)?;
        } else {
            node.append(&array.clone().validate(Level::Content)?, &mut account)?;
        }
        Ok(GrowingArray { node, n_bytes_copied: account.n_bytes })
    }

    /// All slots so far, in constant time. Later parts do not change the array.
    pub fn array(&self) -> ArrayData {
        self.node.array()
    }

    /// How many bytes of the parts and of earlier slots have been copied or compared. Moving to larger memory does not
    /// count: in all it copies no more than was appended.
    pub fn n_bytes_copied(&self) -> u64 {
        self.n_bytes_copied
    }
}

/// What is copied, counted before it is.
#[derive(Debug)]
struct Account {
    n_bytes: u64,
    max_bytes: u64,
}

impl Account {
    fn spend(&mut self, n_bytes: usize) -> Result<(), DataError> {
        let sum = self.n_bytes.saturating_add(n_bytes as u64);
        if sum > self.max_bytes {
            return Err(Kind::TooManyCopies { n_bytes: sum, limit: self.max_bytes }.into());
        }
        self.n_bytes = sum;
        Ok(())
    }
}
