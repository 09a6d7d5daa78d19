//! In place of the files of local stores, where there are none.

use std::ops::Range;

use arrow_buffer::Buffer;

use super::object_store::GetResult;
use crate::error::ObjectErrorKind;

/// No object is a local file.
#[derive(Debug, Clone, Default)]
pub(super) struct LocalFile(());

impl LocalFile {
    pub(super) fn is_open(&self) -> bool {
        false
    }

    pub(super) fn keep(&self, result: GetResult) -> Result<Option<GetResult>, ObjectErrorKind> {
        Ok(Some(result))
    }

    pub(super) async fn fetch(&self, _: Range<u64>) -> Result<Option<Buffer>, ObjectErrorKind> {
        Ok(None)
    }
}
