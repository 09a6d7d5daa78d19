//! How many bytes an array holds, and whether its slots have any.

use arrow_buffer::Buffer;

use super::ArrayData;
use crate::layout::{BufferSpec, ChildLen, Count};

impl ArrayData {
    /// The length of all buffers that the array refers to, including its children and its dictionary.
    ///
    /// A slice has narrowed its fixed-width buffers. It counts all bytes that its offsets and views refer to, and whole
    /// bitmaps. If several buffers share memory, each counts it.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let buffers = [Buffer::from(vec![0i32, 1, 3]), Buffer::copy_from(b"abc")];
    /// let array = ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Utf8, 2) })?;
    /// assert_eq!(array.n_bytes(), 15);
    /// assert_eq!(array.slice(1, 1).n_bytes(), 11);
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn n_bytes(&self) -> u64 {
        let validity = self.validity().map_or(0, |validity| validity.buffer().len());
        let own = [validity, self.buffer(0).len(), self.buffer(1).len()].into_iter();
        let variadic = self.variadic().iter().map(Buffer::len);
        let children = self.children().iter().map(ArrayData::n_bytes);
        let dictionary = self.dictionary().into_iter().map(|dictionary| dictionary.n_bytes());
        let buffers = own.chain(variadic).map(|n_bytes| n_bytes as u64);
        buffers.chain(children).chain(dictionary).fold(0, u64::saturating_add)
    }
    /// Whether slots take no memory, as in the null type, in structs without fields and in values of no bytes. All slots are
    /// equal then, and may be too many to visit each of them.
    pub fn is_uniform(&self) -> bool {
        let layout = self.layout();
        let children = || self.children().iter().all(ArrayData::is_uniform);
        self.validity().filter(|_| self.null_count() > 0).is_none()
            && layout.data_buffers().iter().all(|spec| spec.bits == 0)
            && match layout.child_len() {
                ChildLen::NoChildren | ChildLen::SameAsParent => children(),
                ChildLen::Times(size) => size == 0 || children(),
                ChildLen::FromData | ChildLen::Runs => false,
            }
    }

    /// Whether each slot has a bit or a byte of its own. Otherwise there may be too many slots to visit, as with runs, which
    /// share theirs.
    pub(crate) fn is_backed(&self) -> bool {
        let layout = self.layout();
        let has_bytes = |spec: &BufferSpec| spec.bits > 0 && spec.count != Count::FromData;
        let children = || self.children().iter().any(ArrayData::is_backed);
        self.validity().is_some()
            || layout.data_buffers().iter().any(has_bytes)
            || match layout.child_len() {
                ChildLen::SameAsParent => children(),
                ChildLen::Times(size) => size > 0 && children(),
                ChildLen::NoChildren | ChildLen::FromData | ChildLen::Runs => false,
            }
    }
}
