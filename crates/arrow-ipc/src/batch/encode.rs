//! Walks arrays beside their columns, and tells a sink what a message's body is made of: which bytes of the caller's
//! buffers, and which ones have to be rebuilt. The same walk plans sizes and hands out segments.
//!
//! Whole arrays are told as they are, without a look at their contents beyond the first and last offset. Slices are
//! told so that what is written is no more than what they refer to.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, BufferSpec, ChildLen, Content, Count, DataErrorKind, Layout, Nulls, Role};

use crate::{
    columns::{Column, Columns},
    error::{Context, Result},
};

mod bits;
mod list_views;
mod offsets;
mod runs;
mod sink;
mod unions;
mod words;

pub(crate) use self::sink::{CountingSink, SegmentSink, Sink};

/// Tells the sink about some arrays: top-level columns, or the values of a dictionary.
///
/// # Errors
/// If an array that has to be rebuilt is not sound, which the walk must look at where the array does not hold
/// [`Level::Content`](arrow_data::Level::Content).
pub(crate) fn encode<S: Sink>(columns: &Columns, arrays: &[ArrayData], sink: &mut S) -> Result<()> {
    let mut walk = Walk { columns, position: 0, sink };
    arrays.iter().try_for_each(|array| walk.array(array))
}

struct Walk<'a, S> {
    columns: &'a Columns,
    /// The column of the next array: both are walked in pre-order.
    position: usize,
    sink: &'a mut S,
}

impl<S: Sink> Walk<'_, S> {
    /// An array of the type of the next column: the schemas have been compared.
    fn array(&mut self, array: &ArrayData) -> Result<()> {
        let position = self.position;
        let column = self.begin(array);
        let told = match column.layout.content() {
            Content::Any
            | Content::Views
            | Content::TextViews
            | Content::Indices { .. }
            | Content::SparseTypeIds => self.plain(column, array),
            Content::Offsets | Content::Text | Content::MapEntries => self.offsets(column, array),
            Content::OffsetsAndSizes => self.list_view(column, array),
            Content::RunEnds => self.runs(column, array),
            Content::DenseTypeIds => self.dense_union(column, array),
        };
        let columns = self.columns;
        told.in_field(|| columns.path(position))
    }

    /// What every array begins with: its node and its validity.
    #[inline]
    fn begin<'a>(&mut self, array: &ArrayData) -> &'a Column
    where
        Self: 'a,
    {
        todo!()
    }
}
