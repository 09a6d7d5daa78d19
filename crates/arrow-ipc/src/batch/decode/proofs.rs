//! Several threads check the content of large columns.

use arrow_data::{ArrayData, Level, Repairs};

use super::{BatchDecoder, DecodeContext};
use crate::{
    batch::ProjectedSchema,
    body::Body,
    compression::{Threads, largest_first},
    error::Result,
};

/// Fewer bytes are checked faster than a thread wakes up.
const MIN_BYTES: u64 = 4 << 20;

impl BatchDecoder<'_> {
    /// Whether there are several columns to check, and enough bytes.
    pub(super) fn is_worth_threads(&self, selection: &ProjectedSchema, context: DecodeContext<'_>) -> bool {
        let n_bytes = self.lists.n_body_bytes().max(self.account.n_decompressed_bytes());
        context.threads == Threads::Pool
            && context.level > Level::Structure
            && selection.roots().len() > 1
            && n_bytes >= MIN_BYTES
    }

    /// Decodes the selected columns, then checks them. Threads check what they can. What is left is invalid or needs
    /// repair; it is checked as usual, in the order of the columns and within their common limits.
    pub(super) fn arrays_proven_by_threads(
        &mut self,
        selection: &ProjectedSchema,
        body: &Body,
        context: DecodeContext<'_>,
    ) -> Result<Vec<ArrayData>> {
        let roots = selection.roots();
        let mut arrays = Vec::with_capacity(roots.len());
        let mut decoded = Ok(());
        for selected in roots {
            match self.selected(selected, body, context) {
                Ok(array) => arrays.push(array),
                Err(error) => {
                    decoded = Err(error);
                    break;
                }
            }
        }
        let n_bytes = |array: &&mut ArrayData| usize::try_from(array.n_bytes()).unwrap_or(usize::MAX);
        largest_first(arrays.iter_mut().collect(), n_bytes, |array| {
            // After an error the array is what it was.
            drop(array.validate_in_place(context.level, &mut Repairs::new(0)));
        });
        for (selected, array) in roots.iter().zip(&mut arrays) {
            self.validate(selected, array, context)?;
        }
        // An error of a column comes after those of the columns before it.
        decoded.map(|()| arrays)
    }
}
