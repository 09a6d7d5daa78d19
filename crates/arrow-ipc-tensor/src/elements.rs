//! Iterates over the elements of a tensor.

use crate::strided::StridedLayout;

/// Iterates over the bytes of each element of a [`Tensor`](super::Tensor), in row-major order.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc_tensor::Tensor;
/// use arrow_schema::DataType;
///
/// let columns = Tensor::try_new_strided(DataType::UInt8, [2, 3], [1, 2], Buffer::from_static(b"adbecf"))?;
/// let letters: Vec<u8> = columns.elements().flatten().copied().collect();
/// assert_eq!(letters, b"abcdef");
/// # Ok::<(), arrow_ipc_tensor::TensorError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Elements<'a> {
    layout: &'a StridedLayout,
    data: &'a [u8],
    position: Vec<u64>,
    start: usize,
    n_left: u64,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(layout: &'a StridedLayout, data: &'a [u8]) -> Elements<'a> {
        Elements { layout, data, position: vec![0; layout.shape.len()], start: 0, n_left: layout.n_elements }
    }

    /// Moves to the next element, or from the last element to the first.
    fn advance(&mut self) {
        let dims = self.layout.shape.iter().zip(self.layout.strides.iter());
        for (at, (dim, stride)) in self.position.iter_mut().zip(dims).rev() {
            // The cast loses nothing: all elements are inside the data.
            let stride = usize::try_from(*stride).unwrap_or(usize::MAX);
            *at += 1;
            if *at < dim.size() {
                self.start = self.start.saturating_add(stride);
                return;
            }
            let n_steps = usize::try_from(*at - 1).unwrap_or(usize::MAX);
            self.start = self.start.saturating_sub(stride.saturating_mul(n_steps));
            *at = 0;
        }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.n_left = self.n_left.checked_sub(1)?;
        let element = self.data.get(self.start..self.start.checked_add(self.layout.n_element_bytes)?)?;
        self.advance();
        Some(element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_left = usize::try_from(self.n_left).ok();
        (n_left.unwrap_or(usize::MAX), n_left)
    }
}

impl std::iter::FusedIterator for Elements<'_> {}
