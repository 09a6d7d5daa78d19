//! Iterates over the batches of a file.

use std::{
    iter::Take,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use pyo3::prelude::*;

use crate::{
    batch::RecordBatch, error::Result, file::Reader, pickle::not_picklable, source::AnySource,
    stream_end::check_end, turn_lock::TurnLock,
};

/// An iterator over the batches of a file.
///
/// >>> next(iter(arrow_ipc.open("people.arrow"))).num_rows
/// 3
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct Batches {
    reader: Reader,
    next: AtomicUsize,
    /// Fetches several batches together; used if requests can run at the same time.
    prefetched: Option<TurnLock<Take<arrow_ipc::file::Batches<AnySource>>>>,
    /// Whether the end has been checked.
    is_checked: AtomicBool,
}

impl Batches {
    pub(crate) fn new(reader: Reader) -> Batches {
        let cost = reader.decoder().options().fetch_cost();
        let is_parallel = cost.is_some_and(|cost| cost.requests_in_flight() > 1);
        let batches = || reader.batches().take(reader.n_batches());
        let prefetched = is_parallel.then(|| TurnLock::new("the file", batches()));
        Batches { reader, next: AtomicUsize::new(0), prefetched, is_checked: AtomicBool::new(false) }
    }
}

#[pymethods]
impl Batches {
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_picklable("an iterator of batches"))
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> Result<Option<RecordBatch>> {
        if let Some(prefetched) = &self.prefetched {
            let next = py.detach(|| PyResult::Ok(prefetched.take_detached()?.next()))?;
            if let Some(batch) = next.transpose()? {
                return Ok(Some(batch.into()));
            }
        }
        let batch_idx = self.next.fetch_add(1, Ordering::Relaxed);
        if self.prefetched.is_some() || batch_idx >= self.reader.n_batches() {
            // Makes each further call return the end, too.
            self.next.store(self.reader.n_batches(), Ordering::Relaxed);
            if !self.is_checked.swap(true, Ordering::Relaxed) {
                py.detach(|| check_end(&self.reader))?;
            }
            return Ok(None);
        }
        Ok(Some(py.detach(|| self.reader.batch(batch_idx))?.into()))
    }
}
