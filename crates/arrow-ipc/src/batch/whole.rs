//! Decodes whole columns of a body that is in memory.

use arrow_data::{ArrayData, ArrayParts, DataErrorKind, RecordBatch};
#[cfg(feature = "rayon")]
use arrow_data::{Level, Repairs};

use super::{
    decode::{BatchDecoder, DecodeContext, to_usize},
    select::{ProjectedSchema, SelectedColumn},
    walk::{ColumnWalk, Waiting, WalkColumn, Window, batch_of},
};
#[cfg(feature = "rayon")]
use crate::compression::{Threads, largest_first};
use crate::{
    body::Body,
    dictionary::DictionaryStore,
    error::{Context, IpcError, IpcErrorKind, Result},
};

impl BatchDecoder<'_> {
    /// Decodes the selected columns to a record batch.
    pub(crate) fn record_batch(
        &mut self,
        selection: &ProjectedSchema,
        body: &Body,
        context: DecodeContext<'_>,
    ) -> Result<RecordBatch> {
        let n_rows = to_usize(self.message.n_rows, "rows")?;
        if self.decompressed.is_none()
            && let Some(codec) = self.message.compression
        {
            let ranges = selection.ranges(self.columns);
            self.decompressed = Some(self.decompress(codec, ranges, body, context)?);
        }
        let mut arrays = Vec::with_capacity(selection.roots().len());
        let mut walk = WholeColumns { decoder: self, body, context };
        let mut roots = selection.roots().iter();
        let decoded = roots.try_for_each(|selected| walk.column(selected, None, &mut arrays).map(drop));
        #[cfg(feature = "rayon")]
        check_by_threads(self, &mut arrays, context);
        self.validate(selection.roots(), &mut arrays, context)?;
        // Errors of earlier columns come first.
        decoded?;
        batch_of(selection, arrays, n_rows, context.level)
    }

    /// Decodes the only column of a dictionary batch.
    pub(crate) fn dictionary_values(mut self, body: &Body, context: DecodeContext<'_>) -> Result<ArrayData> {
        let [root] = self.columns.roots() else {
            let found = self.columns.roots().len() as u64;
            return Err(IpcErrorKind::DictionaryColumns { found }.into());
        };
        if let Some(codec) = self.message.compression {
            let ranges = std::iter::once(*root..self.columns.at(*root).end());
            self.decompressed = Some(self.decompress(codec, ranges, body, context)?);
        }
        let root = SelectedColumn::Whole(*root);
        let mut values = Vec::with_capacity(1);
        WholeColumns { decoder: &mut self, body, context }.column(&root, None, &mut values)?;
        self.validate(std::slice::from_ref(&root), &mut values, context)?;
        let values = values.pop().ok_or_else(|| IpcError::internal("a body that is there is waited for"))?;
        let (expected, found) = (self.message.n_rows, values.len() as u64);
        if expected != found {
            return self.locate(&root, DataErrorKind::RowCount { expected, found }.into());
        }
        Ok(values)
    }
}

/// Reads whole columns one after the other.
struct WholeColumns<'d, 'a, 'b> {
    decoder: &'d mut BatchDecoder<'a>,
    body: &'b Body,
    context: DecodeContext<'b>,
}

impl<'a> ColumnWalk<'a> for WholeColumns<'_, 'a, '_> {
    fn decoder(&mut self) -> &mut BatchDecoder<'a> {
        self.decoder
    }

    fn dictionaries(&self) -> Option<&DictionaryStore> {
        Some(self.context.dictionaries)
    }

    #[inline]
    fn enter<'s>(&mut self, selected: &'s SelectedColumn, _: Option<Window>) -> Result<Option<WalkColumn<'s>>>
    where
        'a: 's,
    {
        let position = selected.position();
        let (cursor, node) = self.decoder.enter(position)?;
        let (column, window) = (self.decoder.columns.at(position), 0..node.n_slots());
        Ok(Some(WalkColumn { selected, column, node, cursor, window }))
    }

    #[inline]
    fn validity(&mut self, target: &mut WalkColumn<'_>, parts: &mut ArrayParts) -> Waiting<()> {
        parts.validity = self.decoder.validity(&target.node, self.body)?;
        Ok(Some(()))
    }

    #[inline]
    fn fill(&mut self, target: &WalkColumn<'_>, _: Option<()>, parts: &mut ArrayParts) -> Waiting<()> {
        let (columns, position, layout) = (self.decoder.columns, target.position(), &target.column.layout);
        let path = || columns.path(position);
        for (buffer, spec) in parts.buffers.iter_mut().zip(layout.data_buffers()) {
            *buffer = self.decoder.buffer(spec, self.body, self.context).in_field(path)?;
        }
        if layout.is_variadic() {
            parts.variadic = self.decoder.variadic(self.body).in_field(path)?;
        }
        if target.column.end() > position + 1 {
            // This is a loop, since an iterator that is collected would take stack at each level.
            let mut children = Vec::new();
            for child in target.selected.children(columns) {
                self.column(&child, None, &mut children)?;
            }
            parts.children = Some(children.into());
        }
        Ok(Some(()))
    }
}

/// Checks the content of columns by several threads, if there is enough of it. Columns that a thread cannot accept are invalid
/// or need repair. They are checked again, in the order of the columns and within their common limits.
#[cfg(feature = "rayon")]
fn check_by_threads(decoder: &BatchDecoder<'_>, arrays: &mut [ArrayData], context: DecodeContext<'_>) {
    /// Below this number of bytes, a check takes less time than waking a thread.
    const MIN_BYTES: u64 = 4 << 20;
    let n_bytes = decoder.message.n_body_bytes().max(decoder.account.n_decompressed_bytes());
    let is_worth_it = context.threads == Threads::Pool && arrays.len() > 1 && n_bytes >= MIN_BYTES;
    if !is_worth_it || context.level == Level::Structure {
        return;
    }
    let n_bytes = |array: &&mut ArrayData| usize::try_from(array.n_bytes()).unwrap_or(usize::MAX);
    largest_first(arrays.iter_mut().collect(), n_bytes, |array| {
        // After an error the array is as it was before.
        drop(array.validate_in_place(context.level, &mut Repairs::new(0)));
    });
}
