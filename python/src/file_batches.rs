//! Iterates over the batches of a file.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;

use crate::{
    batch::RecordBatch, error::Result, file::Reader, pickle::refused, source::AnySource, turn::TurnLock,
};

/// An iterator over the batches of a file.
///
/// >>> next(iter(arrow_ipc.open("people.arrow"))).num_rows
/// 3
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct Batches {
    pub(crate) reader: Reader,
    pub(crate) next: AtomicUsize,
    /// Fetches several batches together; used if requests can run at the same time.
    pub(crate) ahead: Option<TurnLock<arrow_ipc::file::Batches<AnySource>>>,
}

#[pymethods]
impl Batches {
    fn __reduce__(&self) -> PyResult<()> {
        Err(refused("an iterator of batches"))
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> Result<Option<RecordBatch>> {
        if let Some(ahead) = &self.ahead {
            let next = py.detach(|| PyResult::Ok(ahead.take_detached()?.next()))?;
            return Ok(next.transpose()?.map(RecordBatch::from));
        }
        let batch_idx = self.next.fetch_add(1, Ordering::Relaxed);
        if batch_idx >= self.reader.n_batches() {
            // Makes each further call return the end, too.
            self.next.store(self.reader.n_batches(), Ordering::Relaxed);
            return Ok(None);
        }
        Ok(Some(py.detach(|| self.reader.batch(batch_idx))?.into()))
    }
}
