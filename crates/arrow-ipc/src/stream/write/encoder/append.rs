//! Continues a file that another writer has begun.

use std::sync::Arc;

use arrow_data::ArrayData;
use arrow_ipc_format::columns::DictionaryIdx;

use super::{BatchEncoder, Trailer};
use crate::{error::Result, segment::encoded::Encoded};

impl<T: Trailer> BatchEncoder<T> {
    /// Registers a dictionary with these values as already written.
    ///
    /// # Errors
    /// If the content of the values is invalid, or the unified dictionary has other values.
    pub(crate) fn register_dictionary(
        &mut self,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()> {
        self.tracker.register(&self.columns, dictionary, values)
    }

    /// Encodes the end of the stream or file with all batches so far. [`position`](BatchEncoder::position) does not count
    /// these bytes, since the next batch or end overwrites them. Dictionaries to which no valid index refers are missing in
    /// a file: [`finish`](BatchEncoder::finish) encodes them.
    ///
    /// # Errors
    /// The errors of [`finish`](BatchEncoder::finish).
    pub(crate) fn provisional_end(&mut self) -> Result<Encoded<'_>> {
        self.clear();
        self.add_start()?;
        self.add_end()?;
        Ok(self.encoded())
    }
}
