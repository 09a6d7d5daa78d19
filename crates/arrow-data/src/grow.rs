//! Arrays that grow while others read what is there so far.
//!
//! An array of the table's buffers, each of which grows by itself. What is appended has been checked, and what is
//! already there does not change, so the whole holds what its parts held; the files below say for each layout why.

use arrow_schema::DataType;

use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    validate::Level,
};

mod buffers;
mod encoded;
mod moved;
mod node;

use self::node::Node;

/// Slots that are appended to, and of which an [`ArrayData`] can be taken at any time.
///
/// The [`array`](GrowingArray::array) shares the memory with what comes later: taking it copies nothing, and after that
/// only bits are ever copied, where bits that are not set are appended to a byte which an earlier array still refers to.
/// So appending a thousand parts and taking an array after each costs time in proportion to the parts.
///
/// The array holds the values that [`concat`](crate::concat()) of the parts has, and counts as
/// [checked](ArrayData::checked) as far as all of them were, but at least for content.
///
/// Dictionaries of the parts stay as they are where one continues the other, which is seen at once where it was made by a
/// `GrowingArray`, too; else they are merged as `concat` does.
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
    /// Parts of foreign data may share their bytes, or say that they have more slots than bytes, and bits and dictionaries
    /// may have to be looked at again and again. So `max_bytes` bounds the sum of all that is copied or compared, from
    /// the first part on; [`n_bytes_copied`](GrowingArray::n_bytes_copied) tells it.
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

    /// All slots so far. Costs no more for more slots; later parts do not change it.
    pub fn array(&self) -> ArrayData {
        self.node.array()
    }

    /// How many bytes of the parts, and of what was there before them, have been copied or compared. That memory for more
    /// bytes takes the place of the one before does not count: in all that is no more than what was appended.
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
